"""Contacts of elements that are searched for: both engines, and distances from a version that is slow and obvious.

An element without its radius, a box, a prism and a hull are polytopes. The distance of two that are apart is that of a
corner and a face or of two edges; the depth of an overlap is the least over the normals of faces and of pairs of edges.
Ours is that, to rounding. MuJoCo searches for the penetration of the shapes with their radii, to `ccd_tolerance` (1e-6)
or until 35 steps are done: its distance is up to 2e-3 off. Of cylinders and ellipsoids both engines search: distances
agree to 1e-5, and to a part in 200 of the depth where overlaps are so deep that 35 steps do not finish.
"""

from __future__ import annotations

import itertools
from typing import Any

import mujoco
import numpy as np
import pytest

from tests.collision.flex.scenes import assert_same_parts, disturb, forward, free, grid, pair, parts_of, scene
from tests.collision.flex.slow import distance_of

#: How far MuJoCo's distance of two polytopes may be off.
UNFINISHED = 2e-3
#: How far distances of round shapes may be apart.
SEARCHED = 1e-5

#: Options with which MuJoCo searches until it is done.
LONG = 'ccd_tolerance="1e-14" ccd_iterations="200"'
BOX = np.array(list(itertools.product((-0.05, 0.05), (-0.1, 0.1), (-0.07, 0.07))))


def element(model: Any, data: Any, flex: int, index: int) -> np.ndarray:
    """Corners of an element."""
    corners = int(model.flex_dim[flex]) + 1
    start = int(model.flex_elemdataadr[flex]) + corners * index
    return data.flexvert_xpos[model.flex_vertadr[flex] + model.flex_elem[start : start + corners]]


def assert_exact(text: str, states: int, shapes: dict[int, np.ndarray], size: float = 0.02) -> None:
    """Distances of contacts are exact; `shapes` has the corners of geoms in their frames."""
    model, data, ours = pair(text)
    rng = np.random.default_rng(0)
    for _ in range(states):
        disturb(model, data, rng, size)
        forward(model, data, ours)
        assert_same_parts(data, ours)
        assert data.ncon > 0
        for k in range(data.ncon):
            contact, corners = data.contact[k], []
            for side in (0, 1):
                geom = int(contact.geom[side])
                if geom >= 0:
                    corners.append(shapes[geom] @ data.geom_xmat[geom].reshape(3, 3).T + data.geom_xpos[geom])
                else:
                    corners.append(element(model, data, int(contact.flex[side]), int(contact.elem[side])))
            radius = sum(float(model.flex_radius[flex]) for flex in contact.flex if flex >= 0)
            exact = distance_of(*corners) - radius
            assert abs(ours.contact_dist[k] - exact) < 1e-9
            assert abs(contact.dist - exact) < UNFINISHED


PAIRS = ((1, 2), (1, 3), (2, 2), (2, 3), (3, 3))
#: Those of the default run.
FEW = ((1, 3), (2, 2))


@pytest.mark.parametrize("dims", FEW)
def test_distances_of_elements_are_exact(dims: tuple[int, int]) -> None:
    assert_exact(scene(grid("f", dims[0]), grid("g", dims[1], pos="0.03 0.02 .02")), 1, {})


@pytest.mark.conformance
@pytest.mark.parametrize("dims", PAIRS)
def test_distances_of_elements_are_exact_in_many_states(dims: tuple[int, int]) -> None:
    for margin in ("", 'margin=".02"'):
        text = scene(grid("f", dims[0], contact=margin), grid("g", dims[1], pos="0.03 0.02 .02"))
        assert_exact(text, 6, {})


@pytest.mark.conformance
def test_flat_elements_that_share_a_corner_seen_from_above_touch() -> None:
    # all support points of their difference are in one plane, and some are as far along as the nearest one
    upper = grid("g", 2, pos="0 0 .0385")
    assert_exact(scene(grid("f", 2), upper), 1, {}, size=0.0)


def test_a_smaller_tolerance_brings_mujoco_to_the_same_distances() -> None:
    text = scene(grid("f", 2), grid("g", 2, pos=".013 .02 .03", euler="4 3 20"), option=LONG)
    model, data, ours = pair(text)
    rng, worst = np.random.default_rng(1), 0.0
    for _ in range(3):
        disturb(model, data, rng, 0.002)
        forward(model, data, ours)
        assert_same_parts(data, ours)
        worst = max(worst, float(np.abs(ours.contact_dist - data.contact.dist).max()))
    assert worst < 1e-9


def test_distances_of_a_flex_from_itself_are_exact() -> None:
    for dim, count in ((2, "6 6 1"), (3, "4 4 3")):
        cloth = grid("f", dim, count=count, contact='selfcollide="auto"', radius=0.01)
        assert_exact(scene(cloth), 2, {}, size=0.1)


def test_distances_of_a_box_and_a_hull_are_exact() -> None:
    assert_exact(scene(free('<geom type="box" size=".05 .1 .07"/>'), grid("f", 3)), 2, {0: BOX})
    model, _, _ = pair(scene(free('<geom type="mesh" mesh="rock"/>'), grid("f", 2)))
    # the compiler moves a mesh to its center
    hull = np.asarray(model.mesh_vert, float)
    assert_exact(scene(free('<geom type="mesh" mesh="rock"/>'), grid("f", 2)), 2, {0: hull})


ROUND = ('type="cylinder" size=".08 .1"', 'type="ellipsoid" size=".05 .1 .07"')
GROUND = '<geom type="hfield" hfield="hills" pos="0 0 -.1" euler="10 5 3" {}/>'


def assert_near(text: str, states: int, seed: int = 0, tolerance: float = SEARCHED) -> None:
    """The same contacts, with distances that agree to the tolerance of a search."""
    model, data, ours = pair(text)
    rng, total = np.random.default_rng(seed), 0
    for _ in range(states):
        disturb(model, data, rng)
        forward(model, data, ours)
        assert_same_parts(data, ours)
        np.testing.assert_allclose(ours.contact_dist, data.contact.dist, rtol=5e-3, atol=tolerance)
        total += data.ncon
    assert total > 3


@pytest.mark.parametrize("dim", [1, 2, 3])
def test_round_geoms_and_height_fields(dim: int) -> None:
    for geom in ROUND:
        assert_near(scene(free(f"<geom {geom}/>"), grid("f", dim)), 6)
    assert_near(scene(GROUND.format(""), grid("f", dim, pos="0 0 .05")), 3, tolerance=UNFINISHED)


@pytest.mark.conformance
@pytest.mark.parametrize("dim", [1, 2, 3])
def test_round_geoms_and_height_fields_in_many_states(dim: int) -> None:
    for geom in ROUND:
        assert_near(scene(free(f"<geom {geom}/>"), grid("f", dim)), 60, seed=1)
    assert_near(scene(GROUND.format('margin=".03"'), grid("f", dim, pos="0 0 .05")), 20, seed=1, tolerance=UNFINISHED)


def test_normals_of_round_geoms_are_their_own_where_triangles_meet_them() -> None:
    model, data, ours = pair(scene(free('<geom type="cylinder" size=".08 .3"/>'), grid("f", 2)))
    rng, checked = np.random.default_rng(2), 0
    for _ in range(10):
        disturb(model, data, rng)
        forward(model, data, ours)
        frame, center = data.geom_xmat[0].reshape(3, 3), data.geom_xpos[0]
        for k in range(ours.ncon):
            point, normal = frame.T @ (ours.contact_pos[k] - center), frame.T @ ours.contact_frame[k, :3]
            if abs(point[2]) < 0.2:
                outward = np.array([point[0], point[1], 0.0]) / np.hypot(point[0], point[1])
                np.testing.assert_allclose(normal, outward, rtol=0, atol=1e-9)
                checked += 1
    assert checked > 10


# --- along trajectories

EDGES = '<edge equality="true"/>'
FALLING = {
    "two cloths": scene(
        '<geom size=".15" pos="0 0 -.2"/>',
        grid("f", 2, count="5 5 1", inside=EDGES, mass=0.2),
        grid("g", 2, count="5 5 1", pos=".02 .01 .08", inside=EDGES, mass=0.2),
    ),
    "folding cloth": scene(
        '<geom type="plane" size="1 1 1" pos="0 0 -.5"/>',
        grid("f", 2, count="3 12 1", euler="83 0 0", pos="0 0 .1", inside=EDGES, contact='selfcollide="auto"'),
    ),
    "solids": scene(
        '<geom type="plane" size="1 1 1" pos="0 0 -.5"/>',
        grid("f", 3, count="3 3 2", pos="0 0 -.4", contact='selfcollide="auto"', mass=0.5, inside=EDGES),
        grid("g", 3, count="2 2 2", pos=".02 .03 -.2", contact='selfcollide="auto"', mass=0.5, inside=EDGES),
    ),
}


@pytest.mark.conformance
@pytest.mark.parametrize("name", FALLING)
def test_contacts_along_trajectories(name: str) -> None:
    model, data, ours = pair(FALLING[name])
    searched = 0
    for step in range(1500):
        mujoco.mj_step(model, data)
        if step % 50 == 0:
            forward(model, data, ours)
            # a contact may be missing where one of the engines finds surfaces just apart
            here, there = parts_of(ours.contact, ours.ncon), parts_of(data.contact, data.ncon)
            for found, others, dist in ((here, there, ours.contact_dist), (there, here, data.contact.dist)):
                for k, parts in enumerate(found):
                    assert parts in others or abs(dist[k]) < SEARCHED, (step, parts, dist[k])
            for k, parts in enumerate(here):
                if min(parts[2:4]) >= 0:
                    corners = [element(model, data, parts[2 + side], parts[4 + side]) for side in (0, 1)]
                    radius = model.flex_radius[parts[2]] + model.flex_radius[parts[3]]
                    assert abs(ours.contact_dist[k] + radius - distance_of(*corners)) < 1e-9
                    searched += 1
    assert searched > 20
