"""Contacts of every model along MuJoCo's own trajectories: the same geoms, in the same order, with the same numbers.

MuJoCo steps with random controls; our collision stage gets its poses. What is compared is the list of pairs of geoms
(the contact set), then every member of the contacts. A set may differ where a convex pair ties or sits at the edge of
its margin; every other number is MuJoCo's to 1e-9, and those of smooth convex pairs to what a search that stops at
`ccd_tolerance` = 1e-6 leaves: depth to 1e-3 of the size, the normal to its square root. Of a patch with more corners
than contacts, either engine may choose others where areas tie; such contacts count as differing, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.tables.contact_fields import CONTACT
from phalanx.tables.enums import GeomType
from tests.conformance.models import MODELS, compiled, make_data

PARAMETERS = tuple(row.name for row in CONTACT["parameters"])
STEPS, SWEEP = 120, 1000
#: Depths of a convex contact that differ by more than this part of the size belong to different contacts.
TOLERANCE = 1e-3
#: Of all contacts of a trajectory, so many may be in one engine only.
SHARE = 0.01
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
    """What was compared, and how well it agreed."""

    def __init__(self, model: Any):
        self.model = model
        self.contacts = self.differing = self.states = 0
        self.errors = {"parameters": 0.0, "analytic": 0.0, "convex depth": 0.0, "convex normal": 0.0}

    def is_analytic(self, pair: tuple[int, int]) -> bool:
        return frozenset(GeomType(self.model.geom_type[geom]) for geom in pair) in ANALYTIC

    def note(self, name: str, error: float) -> None:
        self.errors[name] = max(self.errors[name], float(error))

    def compare(self, theirs: Any, data: phalanx.Data) -> None:
        contact, mine = theirs.contact, data
        expected, found = pairs_of(contact.geom), pairs_of(mine.contact_geom)
        self.states += 1
        self.contacts += len(expected)
        if expected != found:
            difference = Counter(expected)
            difference.subtract(Counter(found))
            assert not any(self.is_analytic(pair) for pair, count in difference.items() if count), difference
            self.differing += sum(map(abs, difference.values()))
            return
        for name in PARAMETERS:
            difference = getattr(mine, f"contact_{name}") - getattr(contact, name)
            self.note("parameters", np.abs(difference).max(initial=0.0))
        for pair in dict.fromkeys(expected):
            rows = [k for k, other in enumerate(expected) if other == pair]
            if self.is_analytic(pair):
                for name in ("dist", "pos", "frame"):
                    difference = getattr(mine, f"contact_{name}")[rows] - getattr(contact, name)[rows]
                    self.note("analytic", np.abs(difference).max())
            else:  # contacts of a pair may come in another order
                size = self.model.geom_rbound[list(pair)].max()
                depths = np.abs(np.sort(mine.contact_dist[rows]) - np.sort(contact.dist[rows])) / size
                others = depths > TOLERANCE  # other corners of the patch, or of the polygon that stands for a circle
                self.differing += np.count_nonzero(others)
                self.note("convex depth", depths[~others].max(initial=0.0))
                self.note("convex normal", np.abs(mine.contact_frame[rows[0], :3] - contact.frame[rows[0], :3]).max())


def follow(name: str, steps: int) -> Agreement:
    model = compiled(name)
    if model.nflex or model.nplugin:
        pytest.skip("flexes and plugins are not simulated")
    data, agreement = make_data(phalanx.Model.from_mujoco(model)), Agreement(model)
    for theirs in trajectory(model, steps if model.nv < LARGE else steps // 6):
        take_poses(theirs, data)
        data.run("collision")
        agreement.compare(theirs, data)
    return agreement


def check(name: str, steps: int, record: Callable[..., None]) -> None:
    found = follow(name, steps)
    record(name, "contacts", {key: error for key, error in found.errors.items() if key in ("analytic", "parameters")})
    record(name, "convex depth", {"dist": found.errors["convex depth"]})
    record(name, "contact set", {"pairs": found.differing / max(found.contacts, 1)})
    assert found.errors["parameters"] == 0.0
    assert found.errors["analytic"] < 1e-9
    assert found.differing <= SHARE * found.contacts


@pytest.mark.parametrize("name", MODELS)
def test_contact_sets(name: str, record: Callable[..., None]) -> None:
    check(name, STEPS, record)


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_contact_sets_of_long_runs(name: str, record: Callable[..., None]) -> None:
    check(name, SWEEP, record)
