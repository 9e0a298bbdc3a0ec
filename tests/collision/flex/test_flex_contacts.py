"""Contacts of flexes against MuJoCo, at random deformed states: all that have a formula, and the order of all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from tests.collision.flex.scenes import (
    assert_same_contacts,
    assert_same_parts,
    assert_same_rows,
    disturb,
    forward,
    free,
    grid,
    pair,
    scene,
)

FLOOR = '<geom type="plane" size="1 1 1"/>'
#: Geoms whose contacts with elements have a formula, by dimension of the elements.
FORMULAS = {
    "plane": ((1, 2, 3), FLOOR),
    "sphere": ((1, 2, 3), free('<geom size=".1"/>')),
    "capsule": ((1, 2, 3), free('<geom type="capsule" size=".05 .1"/>')),
    "box": ((1, 2), free('<geom type="box" size=".05 .1 .07"/>')),
    "sdf": ((2,), free('<geom type="sdf" mesh="rock"/>')),
}
#: Distance below which two points are the same.
SAME = 1e-9
CASES = [(name, dim) for name, (dims, _) in FORMULAS.items() for dim in dims]
SOFT = 'contype="2"'
RIGID = {"rigid": "true", "count": "12 12 1"}


def compare(text: str, states: int, *, size: float = 0.02, seed: int = 0, has_rows: bool = True) -> int:
    """Contacts and rows are MuJoCo's in so many random states; how many contacts there were."""
    model, data, ours = pair(text)
    rng, total = np.random.default_rng(seed), 0
    for _ in range(states):
        disturb(model, data, rng, size)
        forward(model, data, ours)
        assert_same_contacts(data, ours)
        if has_rows:
            assert_same_rows(model, data, ours)
        total += data.ncon
    return total


@pytest.mark.parametrize(("name", "dim"), CASES)
def test_contacts_by_formula_are_those_of_mujoco(name: str, dim: int) -> None:
    assert compare(scene(FORMULAS[name][1], grid("soft", dim)), 10) > 2


@pytest.mark.conformance
@pytest.mark.parametrize(("name", "dim"), [case for case in CASES if case[0] != "sdf"])
def test_contacts_by_formula_in_many_states(name: str, dim: int) -> None:
    for margin in ("", 'margin=".03" gap=".02"'):
        assert compare(scene(FORMULAS[name][1], grid("soft", dim, contact=margin)), 200, seed=1) > 50


@pytest.mark.conformance
def test_points_of_signed_distance_fields_in_many_states() -> None:
    model, data, ours = pair(scene(FORMULAS["sdf"][1], grid("soft", 2)))
    rng, total, missing = np.random.default_rng(1), 0, 0
    for _ in range(200):
        disturb(model, data, rng)
        forward(model, data, ours)
        # a corner that is the deepest point of several triangles is a contact of the first of them, unless rounding
        # makes it two points; and a descent amplifies rounding where the gradient jumps, between cells of the octree
        total += data.ncon
        for point in data.contact.pos:
            missing += not np.any(np.linalg.norm(ours.contact_pos - point, axis=1) < SAME)
    assert total > 500
    assert missing <= 0.005 * total


def test_lines_of_two_flexes_and_of_one_meet_as_capsules() -> None:
    two = grid("f", 1) + grid("g", 1, pos="0.03 0.02 .02")
    assert compare(scene(two), 10) > 20
    for way in ("narrow", "bvh", "sap", "auto"):
        knot = grid("f", 1, count="20 1 1", contact=f'selfcollide="{way}"', radius=0.03)
        assert compare(scene(knot), 4, size=0.2) > 2


@pytest.mark.parametrize("cells", ["1 1 1", "2 2 1"])
@pytest.mark.parametrize("dof", ["trilinear", "quadratic"])
def test_nodes_carry_contacts_of_interpolated_flexes(dof: str, cells: str) -> None:
    jelly = grid("jelly", 3, count="5 4 3", pos="0 0 .1", dof=dof, cellcount=cells)
    assert compare(scene(FLOOR, free('<geom size=".1"/>'), jelly, option='cone="elliptic"'), 6) > 50


def test_contacts_of_bodies_and_flexes_are_in_the_order_of_bodies() -> None:
    bodies = [free('<geom size=".09"/><geom type="capsule" size=".02 .1"/>', f"{0.1 * k} 0 0") for k in range(4)]
    mixed = scene(FLOOR, *bodies, grid("f", 2, contact=SOFT), grid("g", 2, pos="0 0 .03", contact=SOFT))
    assert compare(mixed, 8) > 100


def test_parameters_are_mixed_as_those_of_geoms() -> None:
    first = 'margin=".02" gap=".01" friction="2 .1 .01" solmix="3" solref=".05 .7" solimp=".7 .8 .01 .4 3" condim="4"'
    bodies = [
        free(f'<geom size=".09" {first}/><geom type="capsule" size=".02 .1" priority="{k - 1}" solref="-100 -10"/>')
        for k in range(3)
    ]
    soft = grid(
        "f",
        2,
        contact='margin=".02" gap=".05" solmix="2" solref=".03 .9" condim="6" friction=".3 .2 .1"',
    )
    assert compare(scene(FLOOR, *bodies, soft), 6) > 100


def test_options_override_parameters() -> None:
    text = scene(
        FLOOR,
        free('<geom size=".09" margin=".02" condim="4"/>'),
        grid("f", 2, contact='margin=".02" condim="6"'),
        option='o_margin=".05" o_solref=".1 2" o_friction="1 2 .5 .1 .2"',
        flag='override="enable"',
    )
    assert compare(text, 6) > 50


def test_adhesion_and_moving_surfaces_act_on_flexes() -> None:
    moving = 'surfacevel="1 2 3 4 5 6" adhesion="2" margin=".05"'
    floor = f'<geom type="plane" size="1 1 1" {moving}/>'
    jelly = grid("g", 3, dof="trilinear", contact=SOFT)
    model, data, ours = pair(scene(floor, free(f'<geom size=".09" {moving}/>'), grid("f", 2, contact=SOFT), jelly))
    rng = np.random.default_rng(3)
    for _ in range(4):
        disturb(model, data, rng)
        forward(model, data, ours)
        assert_same_contacts(data, ours)
        scale = max(1.0, float(np.abs(data.qfrc_adhesion).max()))
        np.testing.assert_allclose(ours.qfrc_adhesion, data.qfrc_adhesion, rtol=0, atol=1e-10 * scale)
        assert np.any(data.qfrc_adhesion)


# --- who may touch


def count(text: str) -> tuple[int, int]:
    """Contacts in the reference pose, and how many of them have no dofs; both engines agree."""
    model, data, ours = pair(text)
    forward(model, data, ours)
    assert_same_contacts(data, ours, fields=("exclude", "efc_address"))
    return data.ncon, int(np.sum(np.asarray(ours.contact_exclude) == 3))


BALL = '<geom size=".1" pos="0 0 .02"/>'
FAR_AWAY = free('<geom size=".1" contype="0" conaffinity="0"/>', "9 9 9")
PINNED = '<pin id="0 1 4"/>'
MARK = '<freejoint/><geom size=".01" pos="1 1 1"/>'


def test_what_does_not_move_does_not_touch_what_is_fixed() -> None:
    assert count(scene(FAR_AWAY, FLOOR, grid("f", 2, rigid="true"))) == (0, 0)
    assert count(scene(FAR_AWAY, FLOOR, grid("f", 2, inside='<pin gridrange="0 0 3 3"/>'))) == (0, 0)
    assert count(scene(FAR_AWAY, "<body>", BALL, "</body>", grid("f", 2, rigid="true"))) == (0, 0)
    two = grid("f", 2, rigid="true") + '<body name="b">' + grid("g", 2, pos="0 0 .01", rigid="true") + "</body>"
    assert count(scene(FAR_AWAY, two)) == (0, 0)


def test_pinned_vertices_touch_without_dofs() -> None:
    touching, idle = count(scene(FLOOR, grid("f", 2, inside=PINNED)))
    assert touching == 16 and idle == 3


def test_elements_do_not_touch_the_body_that_they_are_pinned_to() -> None:
    pinned = grid("f", 2, inside=PINNED)
    on_world, _ = count(scene(BALL, pinned))
    on_other, _ = count(scene("<body>", BALL, "</body>", pinned))
    assert 0 < on_world < on_other


def test_sides_that_move_as_one_have_no_rows() -> None:
    rigid = grid("f", 2, rigid="true")
    touching, idle = count(scene(f'<body name="b">{MARK}{rigid}<body>{BALL}</body></body>'))
    assert touching == idle > 0
    touching, idle = count(scene(f'<body name="b">{MARK}{rigid}<body><joint/>{BALL}</body></body>'))
    assert touching > 0 and idle == 0


def test_masks_decide_geom_by_geom() -> None:
    mute = '<geom type="plane" size="1 1 1" contype="0" conaffinity="0"/>'
    assert count(scene(mute, '<geom type="box" size=".1 .1 .1" pos="5 0 0"/>', grid("f", 2))) == (0, 0)
    assert count(scene(FLOOR, grid("f", 2, contact='contype="2" conaffinity="2"'))) == (0, 0)


def test_exclusions_of_bodies_do_not_concern_flexes() -> None:
    text = scene('<body name="b"><freejoint/><geom size=".1"/></body>', grid("f", 2))
    excluded = text.replace("</mujoco>", '<contact><exclude body1="b" body2="f_5"/></contact></mujoco>')
    assert count(text) == count(excluded) != (0, 0)


# --- reduction


@pytest.mark.parametrize("midphase", ["enable", "disable"])
def test_flexes_with_few_dofs_keep_fifty_contacts_of_each_geom(midphase: str) -> None:
    ground = '<geom size=".5" pos="0 0 -.47"/><geom type="capsule" size=".2 .5" pos="0 0 -.17"/>'
    # points off the grid, so that no two are equally far from others
    plate = grid("f", 2, **RIGID).replace('type="grid"', 'type="grid" scale="1 1.037 1"')
    text = scene(ground, f'<body name="b" pos="0 0 .03">{MARK}{plate}</body>', flag=f'midphase="{midphase}"')
    model, data, ours = pair(text)
    rng, most = np.random.default_rng(0), 0
    for _ in range(6):
        data.qpos[:] = model.qpos0 + 0.005 * rng.normal(size=model.nq)
        forward(model, data, ours)
        assert_same_contacts(data, ours)
        most = max(most, data.ncon)
    assert 50 < most <= 100


def test_jelly_keeps_fifty_contacts_of_the_floor() -> None:
    jelly = grid("jelly", 3, count="9 9 3", pos="0 0 .1", dof="trilinear")
    model, data, ours = pair(scene(FLOOR, jelly))
    rng = np.random.default_rng(1)
    for _ in range(4):
        disturb(model, data, rng, 0.03)
        forward(model, data, ours)
        assert_same_contacts(data, ours)
    soft, theirs, found = pair(scene(FLOOR, grid("cloth", 2, count="9 9 1")))
    forward(soft, theirs, found)
    assert_same_contacts(theirs, found)
    assert found.ncon == 81


# --- a flex with itself, and others: the order of contacts that are searched for

ORDERED = {
    **{
        f"{way} {dim}": (grid("f", dim, count=size, contact=f'selfcollide="{way}"', radius=0.01), 0.12)
        for way in ("none", "narrow", "bvh", "sap", "auto")
        for dim, size in ((2, "6 6 1"), (3, "4 4 3"))
    },
    "layers bvh": (grid("f", 3, count="5 5 5", contact='selfcollide="bvh" activelayers="2"', radius=0.002), 0.03),
    "layers sap": (grid("f", 3, count="5 5 5", contact='selfcollide="sap" activelayers="2"', radius=0.002), 0.03),
    "interpolated": (grid("f", 3, dof="trilinear", contact='selfcollide="auto"'), 0.2),
    "cloths": (grid("f", 2) + grid("g", 2, pos="0.01 0.02 .03"), 0.02),
    "cloth and solid": (grid("f", 2) + grid("g", 3, pos="0.01 0.02 .03"), 0.02),
    "line and solid": (grid("f", 1) + grid("g", 3, pos="0.01 0.02 .03"), 0.02),
}


@pytest.mark.conformance
@pytest.mark.parametrize("name", ORDERED)
def test_order_of_contacts_that_are_searched_for(name: str) -> None:
    text, size = ORDERED[name]
    model, data, ours = pair(scene(text))
    rng = np.random.default_rng(0)
    for _ in range(5):
        mujoco_state(model, data, rng, size)
        forward(model, data, ours)
        assert_same_parts(data, ours)


@pytest.mark.parametrize("name", ["auto 2", "auto 3"])
def test_order_of_contacts_of_a_flex_with_itself(name: str) -> None:
    text, size = ORDERED[name]
    model, data, ours = pair(scene(text))
    mujoco_state(model, data, np.random.default_rng(0), size)
    forward(model, data, ours)
    assert_same_parts(data, ours)
    assert data.ncon > 20


def mujoco_state(model: Any, data: Any, rng: np.random.Generator, size: float) -> None:
    """Dofs anywhere: far from the reference flexes fold."""
    data.qpos[:] = model.qpos0 + size * rng.normal(size=model.nq)


def kept(geom: str) -> tuple[Any, phalanx.Data]:
    """Cells that a geom presses into from below: more than 50 contacts, several at each vertex."""
    soft = grid("soft", 3, count="9 8 7", radius=0.001, dof="trilinear", cellcount="2 1 2")
    model, data, ours = pair(scene(soft, geom, option='ccd_tolerance="1e-13" ccd_iterations="200"'))
    data.qpos[:] = model.qpos0
    data.qpos[7:] += 0.003 * np.random.default_rng(1).normal(size=model.nq - 7)
    forward(model, data, ours)
    return data, ours


PRESSING = {
    "sphere": '<geom size="3"/>', "capsule": '<geom type="capsule" size="3 .1"/>',
    "box": '<geom type="box" size=".6 .6 3"/>', "ellipsoid": '<geom type="ellipsoid" size="5 5.1 3"/>',
}  # fmt: skip


@pytest.mark.parametrize("name", ["sphere", "capsule", "ellipsoid"])
def test_points_of_the_fifty_contacts_that_are_kept_are_those_of_mujoco(name: str) -> None:
    data, ours = kept(free(PRESSING[name], "0 0 -3.29"))
    assert data.ncon == ours.ncon == 50
    apart = np.linalg.norm(data.contact.pos[:, None] - ours.contact_pos[None, :50], axis=2)
    # places of contacts that are searched for are known to half of the digits
    assert max(apart.min(axis=0).max(), apart.min(axis=1).max()) < (1e-6 if name == "ellipsoid" else 1e-12)


@pytest.mark.xfail(
    strict=True, reason="GAP: of points that are equally far, and of elements at one point, the last digits choose"
)
@pytest.mark.parametrize("name", ["box", "ellipsoid"])
def test_elements_of_the_fifty_contacts_that_are_kept_are_those_of_mujoco(name: str) -> None:
    assert_same_parts(*kept(free(PRESSING[name], "0 0 -3.29")))
