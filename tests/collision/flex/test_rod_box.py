"""Contacts of elastic rods with a box section against MuJoCo: their edges are boxes that rotate with their frames."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

from tests.collision.flex.scenes import (
    assert_same_contacts,
    assert_same_parts,
    disturb,
    forward,
    free,
    grid,
    pair,
    scene,
)

FLOOR = '<geom type="plane" size="1 1 1" euler="3 2 0"/>'
#: Options with which MuJoCo searches until it is done.
LONG = 'ccd_tolerance="1e-13" ccd_iterations="200"'
#: How far contacts that are searched for may be apart: distances, and places along flat sides.
SEARCHED, ALONG = 1e-9, 1e-6


def rod(name: str, sizes: str = ".012 .03", **attributes: Any) -> str:
    """A rod with a box section whose shorter half size is 0.012."""
    section = f'<elasticity young="1e4" section="box" sectionsize="{sizes}"/>'
    inside = section + attributes.pop("inside", "")
    return grid(name, 1, count=attributes.pop("count", "4 1 1"), radius=0.012, inside=inside, **attributes)


def direct(elements: str) -> str:
    """A curved rod whose elements are in another order, and go either way."""
    return f"""<flexcomp name="f" type="direct" dim="1" point="0 0 0 .1 0 0 .2 .05 0 .3 .05 .02 .4 .05 0"
        element="{elements}"><contact selfcollide="none"/>
        <elasticity young="1e4" section="box" sectionsize=".02 .012"/></flexcomp>"""


def clamped(pins: str) -> str:
    """A rod that a body which moves clamps."""
    held = rod("f", inside=f'<pin id="{pins}"/>')
    return f'<body name="b"><joint axis="1 2 3"/><joint axis="3 -1 1"/><geom size=".02"/>{held}</body>'


BOXES = free('<geom type="box" size=".1 .08 .06"/>', ".1 0 0") + free('<geom type="box" size=".1 .08 .06"/>', ".3 0 0")
MARGIN = 'margin=".01" gap=".004"'
FORMULAS = {
    "plane": scene(FLOOR, rod("f")),
    "plane with a margin": scene(FLOOR, rod("f", ".03 .012", contact=MARGIN)),
    "sphere": scene(free('<geom size=".1"/>'), rod("f", ".03 .012")),
    "capsule": scene(free('<geom type="capsule" size=".05 .1"/>'), rod("f")),
    "box": scene(free('<geom type="box" size=".05 .1 .07"/>'), rod("f", contact=MARGIN)),
    "rods": scene(rod("f"), rod("g", ".03 .012", euler="0 0 70", pos="0 0 .01")),
    "a line behind it": scene(rod("f"), grid("g", 1, count="4 1 1", euler="0 0 70", pos="0 0 .01")),
    "a line before it": scene(grid("g", 1, count="4 1 1", euler="0 0 70", pos="0 0 .01"), rod("f")),
    "itself": scene(rod("f", count="12 1 1", contact='selfcollide="auto"')),
    "rotated body": scene(FLOOR, BOXES, f'<body name="b" euler="20 30 40">{rod("f", euler="30 40 60")}</body>'),
    "elements either way": scene(FLOOR, BOXES, direct("3 2 0 1 4 3 2 1")),
    "clamped start": scene(FLOOR, BOXES, clamped("0 1")),
    "clamped end": scene(FLOOR, BOXES, clamped("2 3")),
    "elements backwards": scene(BOXES, direct("1 0 2 1 3 2 4 3"), rod("g", count="5 1 1", pos=".2 0 .02")),
}


def random_state(model: Any, data: Any, rng: np.random.Generator, size: float, steps: int) -> None:
    """Vertices moved, sections rotated anyhow; after some steps frames have been carried along."""
    disturb(model, data, rng, size)
    twists = [k for k in range(model.njnt) if "twist" in model.joint(k).name]
    data.qpos[model.jnt_qposadr[twists]] = 2.0 * rng.normal(size=len(twists))
    for _ in range(steps):
        mujoco.mj_step(model, data)


@pytest.mark.parametrize("name", FORMULAS)
def test_contacts_by_formula_are_those_of_mujoco(name: str) -> None:
    model, data, ours = pair(FORMULAS[name])
    rng, total = np.random.default_rng(0), 0
    for state in range(8):
        random_state(model, data, rng, 0.08 if name == "itself" else 0.02, 3 * (state % 2))
        forward(model, data, ours)
        assert_same_contacts(data, ours, 1e-12)
        total += data.ncon
    assert total > 10


def test_of_equally_low_corners_the_first_touch() -> None:
    # flat on the longer and on the shorter side, and upright
    for points, contacts in (("0 0 0 .1 0 0 .2 0 0", 6), ("0 0 0 0 0 .1 0 0 .2", 2)):
        for sizes in (".01 .02", ".02 .01", ".01 .01"):
            text = f"""<flexcomp name="f" type="direct" dim="1" point="{points}" element="0 1 1 2">
                <elasticity young="1e4" section="box" sectionsize="{sizes}"/></flexcomp>"""
            model, data, ours = pair(scene('<geom type="plane" size="1 1 1" pos="0 0 .005"/>', text))
            forward(model, data, ours)
            assert data.ncon == contacts
            assert_same_contacts(data, ours, 1e-12)


#: What is searched for meets a round segment, in MuJoCo as here.
SEARCHES = {
    "cylinder": scene(free('<geom type="cylinder" size=".03 .08"/>'), rod("f"), option=LONG),
    "ellipsoid": scene(free('<geom type="ellipsoid" size=".05 .03 .07"/>'), rod("f"), option=LONG),
    "mesh": scene(free('<geom type="mesh" mesh="rock"/>'), rod("f"), option=LONG),
    "height field": scene('<geom type="hfield" hfield="hills" pos="0 0 -.1"/>', rod("f"), option=LONG),
    "cloth": scene(rod("f"), grid("g", 2, count="3 3 1", euler="0 0 70", pos="0 0 .01"), option=LONG),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_contacts_by_search_are_those_of_a_round_rod(name: str) -> None:
    model, data, ours = pair(SEARCHES[name])
    rng, total = np.random.default_rng(0), 0
    for _ in range(8):
        random_state(model, data, rng, 0.02, 0)
        forward(model, data, ours)
        assert_same_parts(data, ours)
        if data.ncon:
            np.testing.assert_allclose(ours.contact_dist, data.contact.dist, rtol=0, atol=SEARCHED)
            np.testing.assert_allclose(ours.contact_pos, data.contact.pos, rtol=0, atol=ALONG)
        total += data.ncon
    assert total > 3
