"""Contacts of every model along MuJoCo's own trajectories: the same geoms, in the same order, with the same numbers.

MuJoCo steps with random controls; our collision stage gets its poses. What is compared is the list of pairs of geoms
(the contact set), then every member of the contacts. Numbers are MuJoCo's to 1e-9; of pairs that need a search, the
depth and the position to 1e-6 of the size and the normal to 1e-6. Beyond that a difference has a reason:

- proven: one contact, whose depth differs by no more than both are shown to be off (`certificates.py`);
- better: one contact of ours, shown to be right to the tolerance of a search, and MuJoCo's depth is farther off;
- grazing: no contact in one engine, and none deeper than the tolerance of a search in the other;
- line: the ends of a line on the side of a cylinder, within what the tolerance of the search leaves;
- tie: MuJoCo has our contacts of the pair when one of the geoms is moved by less than 1e-6 of its size;
- further: the single contact that both find without multiccd is the same or proven; further ones are made from the
  corners at which a search happens to end, in MuJoCo too (a box whose edge touches a cylinder has one contact, or two
  along the normal of one of its faces, at any angle, in about every second pose).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import copy
from functools import cached_property
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.contact_fields import CONTACT
from phalanx.tables.enums import DisableBit, GeomType
from tests.collision.certificates import ROUNDING, SEARCH, Shape, gap_of, is_placed
from tests.collision.test_convex import are_on_one_line
from tests.conformance.models import MODELS, compiled, make_data

PARAMETERS = tuple(row.name for row in CONTACT["parameters"])
STEPS, SWEEP = 120, 1000
#: Depths of searched contacts agree to this part of the size.
TOLERANCE = 1e-6
#: Those that differ by more than this part of it count as other contacts; so many of all may be others, with a reason.
FAR, SHARE = 1e-3, 0.01
#: Reasons that do not occur in short runs, and how many of the contacts of long ones may have them.
RARE, RARE_SHARE = frozenset(("better", "grazing", "further")), 0.002
#: Beyond this many dofs fewer steps are taken.
LARGE = 200
ANALYTIC = {
    frozenset(pair)
    for pair in (
        *((GeomType.PLANE, other) for other in GeomType if other <= GeomType.MESH),
        *((GeomType.SPHERE, other) for other in (GeomType.SPHERE, GeomType.CAPSULE, GeomType.CYLINDER, GeomType.BOX)),
        (GeomType.CAPSULE, GeomType.CAPSULE),
        (GeomType.CAPSULE, GeomType.BOX),
        (GeomType.BOX, GeomType.BOX),
    )
}


def trajectory(model: Any, steps: int) -> Iterator[Any]:
    """A MjData along random controls, its contacts found anew at each position."""
    data, rng = mujoco.MjData(model), np.random.default_rng(0)
    low, high = np.where(model.actuator_ctrllimited[:, None], model.actuator_ctrlrange, [[-1.0, 1.0]]).T
    for _ in range(steps):
        data.ctrl[:] = rng.uniform(low, high)
        mujoco.mj_step(model, data)
        mujoco.mj_fwdPosition(model, data)
        yield data


def take_poses(theirs: Any, data: phalanx.Data) -> None:
    for name in ("geom_xpos", "geom_xmat", "xipos", "ximat"):
        getattr(data, name)[...] = getattr(theirs, name)


def pairs_of(contact_geom: np.ndarray) -> list[tuple[int, int]]:
    return [tuple(pair) for pair in contact_geom.tolist()]


class Agreement:
    """What was compared, and how well it agreed; pairs whose contacts are not MuJoCo's, by reason."""

    def __init__(self, model: Any):
        self.model, self.contacts, self.differing, self.reasons = model, 0, 0, Counter[str]()
        self.errors = {"parameters": 0.0, "analytic": 0.0, "convex depth": 0.0}

    @cached_property
    def single(self) -> tuple[Any, phalanx.Data]:
        """Both engines without multiccd."""
        model = copy(self.model)
        model.opt.disableflags |= DisableBit.MULTICCD
        return model, make_data(phalanx.Model.from_mujoco(model))

    def kinds(self, pair: tuple[int, int]) -> frozenset[GeomType]:
        return frozenset(GeomType(self.model.geom_type[geom]) for geom in pair)

    def size(self, pair: tuple[int, int]) -> float:
        return float(self.model.geom_rbound[list(pair)].max())

    def note(self, name: str, error: float) -> None:
        self.errors[name] = max(self.errors[name], float(error))

    def compare(self, theirs: Any, data: phalanx.Data) -> None:
        contact, mine = theirs.contact, data
        expected, found = pairs_of(contact.geom), pairs_of(mine.contact_geom)
        self.contacts += len(expected)
        if expected == found:
            for name in PARAMETERS:
                difference = getattr(mine, f"contact_{name}") - getattr(contact, name)
                self.note("parameters", np.abs(difference).max(initial=0.0))
        else:  # only because of some pairs, listed below
            assert list(dict.fromkeys(p for p in expected if p in found)) == list(
                dict.fromkeys(p for p in found if p in expected)
            )
        for pair in dict.fromkeys(expected + found):
            ours, others = rows_of(mine, "contact_", found, pair), rows_of(contact, "", expected, pair)
            if self.kinds(pair) in ANALYTIC:
                assert len(ours) == len(others), pair
                for a, b in zip(ours, others, strict=True):
                    self.note("analytic", max(np.abs(x - y).max() for x, y in zip(a, b, strict=True)))
                continue
            if len(ours) == len(others):
                depths = depth_errors(ours, others) / self.size(pair)
                self.note("convex depth", depths.max(initial=0.0))
                self.differing += int(np.count_nonzero(depths > FAR))
            else:
                self.differing += abs(len(ours) - len(others))
            if not are_alike(ours, others, TOLERANCE * self.size(pair)):
                self.reasons[self.explain(theirs, pair, ours, others)] += 1

    def explain(self, theirs: Any, pair: tuple[int, int], ours: list, others: list) -> str:
        """Why contacts of a searched pair are not MuJoCo's."""
        if GeomType.HFIELD not in self.kinds(pair):
            shapes = tuple(Shape(self.model, theirs, geom) for geom in pair)
            if is_proven(shapes, ours, others):
                return "proven"
            is_cylinder = self.model.geom_type[list(pair)] == GeomType.CYLINDER
            radius = self.model.geom_size[list(pair), 0][is_cylinder].max(initial=0.0)
            lines = [[normal_first(contact) for contact in side] for side in (ours, others)]
            if are_on_one_line(*lines, 4.0 * np.sqrt(2.0 * SEARCH * radius)):
                return "line"
        return "tie" if self.is_tie(theirs, pair, ours) else self.explain_rare(theirs, pair, ours, others)

    def explain_rare(self, theirs: Any, pair: tuple[int, int], ours: list, others: list) -> str:
        """Reasons that only long runs need."""
        depths = [-contact[0] for contact in (*ours, *others)]
        if min(len(ours), len(others)) == 0 and max(depths) <= SEARCH:
            return "grazing"
        if GeomType.HFIELD in self.kinds(pair):
            return "unexplained"
        shapes = tuple(Shape(self.model, theirs, geom) for geom in pair)
        if is_better(shapes, ours, others):
            return "better"
        return "further" if self.is_single_right(theirs, pair) else "unexplained"

    def is_single_right(self, theirs: Any, pair: tuple[int, int]) -> bool:
        model, data = self.single
        alone = copy(theirs)
        mujoco.mj_collision(model, alone)
        take_poses(theirs, data)
        data.run("collision")
        others = rows_of(alone.contact, "", pairs_of(alone.contact.geom), pair)
        ours = rows_of(data, "contact_", pairs_of(data.contact_geom), pair)
        shapes = tuple(Shape(self.model, theirs, geom) for geom in pair)
        is_alike = are_alike(ours, others, TOLERANCE * self.size(pair))
        return is_alike or is_proven(shapes, ours, others) or is_better(shapes, ours, others)

    def is_tie(self, theirs: Any, pair: tuple[int, int], ours: list) -> bool:
        near, rng = copy(theirs), np.random.default_rng(0)
        for size in np.repeat(self.size(pair) * np.logspace(-12, -6, 7), 10):
            near.geom_xpos[pair[1]] = theirs.geom_xpos[pair[1]] + size * rng.normal(size=3) / 3.0
            mujoco.mj_collision(self.model, near)
            others = rows_of(near.contact, "", pairs_of(near.contact.geom), pair)
            if are_alike(ours, others, TOLERANCE * self.size(pair) + 10.0 * size):
                return True
        return False


def is_proven(shapes: tuple, ours: list, others: list) -> bool:
    """Is there one contact in each engine, and do they differ by no more than both are shown to be off?"""
    if not len(ours) == len(others) == 1:
        return False
    off = gap_of(shapes, normal_first(ours[0])) + gap_of(shapes, normal_first(others[0]))
    return depth_error(ours, others) <= off + ROUNDING


def is_better(shapes: tuple, ours: list, others: list) -> bool:
    """Is our only contact right to the tolerance of a search, and none of MuJoCo's as near to the depth as that?"""
    if len(ours) != 1 or not others:
        return False
    contact = normal_first(ours[0])
    gap = gap_of(shapes, contact)
    if gap > SEARCH or not is_placed(shapes, contact):
        return False
    least, most = -contact[0] - SEARCH, -contact[0] + gap + SEARCH
    return not any(least <= -other[0] <= most for other in others)


def rows_of(table: Any, prefix: str, pairs: list[tuple[int, int]], pair: tuple[int, int]) -> list[tuple]:
    """(dist, pos, frame) of the contacts of a pair."""
    arrays = [np.asarray(getattr(table, f"{prefix}{name}")) for name in ("dist", "pos", "frame")]
    return [tuple(array[k] for array in arrays) for k, other in enumerate(pairs) if other == pair]


def normal_first(contact: tuple) -> tuple:
    """(dist, pos, normal)"""
    return contact[0], contact[1], contact[2][:3]


def depth_errors(ours: list, others: list) -> np.ndarray:
    """Contacts of a pair may come in another order."""
    depths = [np.sort([contact[0] for contact in side]) for side in (ours, others)]
    return np.abs(depths[0] - depths[1])


def depth_error(ours: list, others: list) -> float:
    return float(depth_errors(ours, others).max(initial=0.0))


def are_alike(ours: list, others: list, tolerance: float) -> bool:
    """As many contacts, as deep, along the same normal, which is one for all, at the same places."""
    return are_deep_alike(ours, others, tolerance) and position_error(ours, others) <= tolerance


def are_deep_alike(ours: list, others: list, tolerance: float) -> bool:
    """As many contacts, as deep, along the same normal, which is one for all."""
    if len(ours) != len(others) or depth_error(ours, others) > tolerance:
        return False
    return not ours or bool(np.abs(ours[0][2][:3] - others[0][2][:3]).max() <= max(tolerance, TOLERANCE))


def position_error(ours: list, others: list) -> float:
    """Largest distance of a contact from the nearest one of the other engine; contacts may come in another order."""
    if not ours or not others:
        return 0.0
    places = [np.array([contact[1] for contact in side]) for side in (ours, others)]
    apart = np.linalg.norm(places[0][:, None] - places[1][None], axis=2)
    return float(max(apart.min(axis=0).max(), apart.min(axis=1).max()))


def follow(name: str, steps: int) -> Agreement:
    model = compiled(name)
    if model.nflex:
        pytest.skip("flexes are not simulated")
    data, agreement = make_data(phalanx.Model.from_mujoco(model)), Agreement(model)
    for theirs in trajectory(model, steps if model.nv < LARGE else steps // 6):
        take_poses(theirs, data)
        data.run("collision")
        agreement.compare(theirs, data)
    return agreement


def check(name: str, steps: int, record: Callable[..., None]) -> Agreement:
    found = follow(name, steps)
    record(name, "contacts", {key: error for key, error in found.errors.items() if key in ("analytic", "parameters")})
    record(name, "convex depth", {"dist": found.errors["convex depth"]})
    record(name, "contact set", {"pairs": found.differing / max(found.contacts, 1)})
    assert found.errors["parameters"] == 0.0
    assert found.errors["analytic"] < 1e-9
    assert not found.reasons["unexplained"], found.reasons
    assert found.differing <= SHARE * found.contacts
    return found


@pytest.mark.parametrize("name", MODELS)
def test_contact_sets(name: str, record: Callable[..., None]) -> None:
    assert not RARE & check(name, STEPS, record).reasons.keys()


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_contact_sets_of_long_runs(name: str, record: Callable[..., None]) -> None:
    found = check(name, SWEEP, record)
    assert sum(found.reasons[reason] for reason in RARE) <= RARE_SHARE * found.contacts
