"""Constraint rows of contacts of flexes against MuJoCo, and steps along its trajectories."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.collision.flex.scenes import (
    assert_same_contacts,
    assert_same_rows,
    disturb,
    forward,
    free,
    grid,
    pair,
    parts_of,
    scene,
)
from tests.quiet import quiet

FLOOR = '<geom type="plane" size="1 1 1" condim="1"/>'
ROD = '<elasticity young="1e4"/>'
BOX = '<elasticity young="1e4" section="box" sectionsize=".02 .03"/>'
HINGE = '<body name="b" pos="0 0 .01"><joint axis="1 2 3"/><joint axis="3 -1 1"/><geom size=".08" pos=".1 0 -.05"/>'
KINDS = {
    "vertices": FLOOR + grid("f", 2, inside='<pin id="0"/>', contact='condim="{}"'),
    "lines": free('<geom size=".1" condim="1"/>') + grid("f", 1, inside='<pin id="0"/>', contact='condim="{}"'),
    "triangles": free('<geom size=".1" condim="1"/>') + grid("f", 2, inside='<pin id="0"/>', contact='condim="{}"'),
    "tetrahedra": free('<geom size=".1" condim="1"/>') + grid("f", 3, contact='condim="{}"'),
    "nodes": FLOOR + grid("f", 3, count="4 4 3", dof="trilinear", contact='condim="{}"'),
    "pinned to a body": '<body name="b"><freejoint/><geom size=".08" pos=".1 0 0" condim="1"/>'
    + grid("f", 2, inside='<pin id="0 1"/>', contact='condim="{}"')
    + '<body><geom size=".1" condim="1"/></body></body>',
    # contacts rotate the edges of a rod
    "rod on the floor": FLOOR + grid("f", 1, inside=ROD, contact='condim="{}"'),
    "rod on a ball": free('<geom size=".1" condim="1"/>')
    + grid("f", 1, inside=f'{ROD}<pin id="5"/>', contact='condim="{}"'),
    "rods": grid("f", 1, inside=ROD, contact='condim="{}"', euler="0 0 70", pos="0 0 .02") + grid("g", 1, inside=ROD),
    "rod of mixed edges": f"""{FLOOR}{free('<geom size=".1" condim="1"/>')}<flexcomp name="f" type="direct" dim="1"
        radius=".02" point="0 0 0 .1 0 0 .2 .05 0 .3 .05 .02 .4 .05 0" element="3 2 0 1 4 3 2 1">{ROD}
        <contact condim="{{}}"/></flexcomp>""",
    "rod pinned to a body": FLOOR
    + HINGE
    + grid("f", 1, inside=f'{ROD}<pin id="2"/>', contact='condim="{}"')
    + "</body>",
    "rod clamped by a body": FLOOR
    + HINGE
    + grid("f", 1, inside=f'{ROD}<pin id="0 1"/>', contact='condim="{}"')
    + "</body>",
}
#: The same for rods with a box section, which touch as boxes.
KINDS |= {f"boxed {kind}": text.replace(ROD, BOX) for kind, text in KINDS.items() if ROD in text}


def compare(kind: str, condim: int, cone: str, jacobian: str, states: int) -> None:
    """Rows are MuJoCo's in so many random states."""
    model, data, ours = pair(scene(KINDS[kind].format(condim), option=f'cone="{cone}" jacobian="{jacobian}"'))
    rng, rows = np.random.default_rng(condim), 0
    for _ in range(states):
        disturb(model, data, rng)
        forward(model, data, ours)
        assert_same_contacts(data, ours)
        assert_same_rows(model, data, ours)
        if mujoco.mj_isSparse(model):
            assert ours.efc_J_rownnz[: ours.nefc].tolist() == data.efc_J_rownnz.tolist()
        rows += data.nefc
    assert rows > 3


@pytest.mark.parametrize("kind", KINDS)
def test_rows_are_those_of_mujoco(kind: str) -> None:
    compare(kind, 3, "pyramidal", "sparse", 2)
    compare(kind, 6, "elliptic", "dense", 2)


@pytest.mark.parametrize("kind", [kind for kind in KINDS if "rod" in kind])
def test_frames_that_were_carried_along_rotate_with_their_edges(kind: str) -> None:
    model, data, ours = pair(scene(KINDS[kind].format(4), option='cone="elliptic"'))
    rng, rows = np.random.default_rng(0), 0
    for _ in range(3):
        disturb(model, data, rng)
        # tangents of the step before are others
        for _ in range(3):
            mujoco.mj_step(model, data)
        forward(model, data, ours)
        assert_same_contacts(data, ours)
        assert_same_rows(model, data, ours)
        rows += data.nefc
    assert rows > 3


@pytest.mark.conformance
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("kind", KINDS)
def test_rows_of_all_dimensions_and_cones(kind: str, condim: int, cone: str, jacobian: str) -> None:
    compare(kind, condim, cone, jacobian, 10)


def test_islands_join_what_a_flex_touches() -> None:
    model, data, ours = pair(scene(FLOOR, free('<geom size=".1"/>', "0 0 .1"), grid("f", 2, pos="0 0 .01")))
    forward(model, data, ours)
    assert ours.nisland == data.nisland
    np.testing.assert_array_equal(ours.dof_island, data.dof_island)


# --- along trajectories

EDGE = '<edge equality="true"/>'
RUBBER = '<elasticity young="3e3" poisson=".2" damping=".002"/>'
SCENES = {
    "cloth on a ball": scene(
        '<geom size=".2" pos="0 0 -.25"/>',
        grid("cloth", 2, count="7 7 1", mass=0.2, inside='<edge equality="true"/>'),
    ),
    "soft box on the floor": scene(
        FLOOR.replace('condim="1"', 'condim="3"'),
        grid(
            "box",
            3,
            count="3 3 3",
            pos="0 0 .13",
            mass=1,
            inside=RUBBER,
        ),
    ),
    "jelly on the floor": scene(
        FLOOR.replace('condim="1"', 'condim="3"'),
        grid(
            "box",
            3,
            count="4 4 4",
            pos="0 0 .18",
            mass=1,
            dof="trilinear",
            inside=RUBBER,
        ),
    ),
    "rod on a capsule": scene(
        '<geom type="capsule" size=".05 .3" euler="90 0 0" pos="0 0 -.1"/>',
        grid("rod", 1, count="12 1 1", mass=0.2, contact='condim="4"', inside='<elasticity young="1e5"/>' + EDGE),
    ),
    "rope on a capsule": scene(
        '<geom type="capsule" size=".05 .3" euler="90 0 0" pos="0 0 -.1"/>',
        grid("rope", 1, count="12 1 1", mass=0.2, contact='selfcollide="auto"', inside='<edge equality="true"/>'),
    ),
}


@quiet()
def follow(text: str, steps: int, stride: int) -> int:
    """Single steps from states of MuJoCo's trajectory end where MuJoCo's do; how many contacts there were."""
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.timestep, model.opt.tolerance, model.opt.iterations = 0.001, 1e-12, 200
    data, ours = mujoco.MjData(model), phalanx.Model.from_mujoco(model).make_data()
    contacts = 0
    for step in range(steps):
        if step % stride == 0:
            for name in ("qpos", "qvel", "qacc_warmstart", "plastic"):
                ours._store.arrays[name][...] = getattr(data, name)
            ours.step()
        mujoco.mj_step(model, data)
        if step % stride == 0:
            contacts += data.ncon
            assert parts_of(ours.contact, ours.ncon) == parts_of(data.contact, data.ncon)
            assert_close(ours, data)
    return contacts


def assert_close(ours: phalanx.Data, data: Any) -> None:
    """The state after a step."""
    speed = max(1.0, float(np.abs(data.qvel).max()))
    np.testing.assert_allclose(ours.qvel, data.qvel, rtol=0, atol=1e-8 * speed)
    np.testing.assert_allclose(ours.qpos, data.qpos, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", ["cloth on a ball", "jelly on the floor"])
def test_steps_follow_mujoco(name: str) -> None:
    assert follow(SCENES[name], 300, 100) > 0


@pytest.mark.conformance
@pytest.mark.parametrize("name", SCENES)
def test_steps_follow_mujoco_along_trajectories(name: str) -> None:
    assert follow(SCENES[name], 1500, 10) > 0
