"""Points of flexes move as the bodies that carry them, each with its weight."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx.memory.store import PlainView
from phalanx.smooth.flex.interpolation import carrier, carrier_count
from phalanx.smooth.flex.point import add_vertex_chain, add_vertex_motion, clear_point
from tests.smooth.flex.deformed import deform, load, twin

MODELS = ("pin to free", "solid", "quadratic pinned", "trilinear cells")


@pytest.mark.parametrize("name", MODELS)
def test_motion_of_a_point_is_the_weighted_sum_over_its_bodies(name: str) -> None:
    theirs, ours = load(name)
    mjdata, rng = mujoco.MjData(theirs), np.random.default_rng(1)
    deform(theirs, mjdata, rng)
    data = twin(ours, mjdata).forward()
    mujoco.mj_forward(theirs, mjdata)
    m, d = PlainView(ours.store_for("float64")), PlainView(data._store)
    corners, weights = rng.choice(theirs.nflexvert, 3, replace=False), np.array([0.5, 0.2, -0.3])
    point = rng.normal(size=3)
    clear_point(d)
    for vertex in corners:
        add_vertex_chain(m, d, 0, vertex)
    expected = np.zeros((6, theirs.nv))
    for vertex, weight in zip(corners, weights, strict=True):
        add_vertex_motion(m, d, 0, vertex, tuple(point), weight)
        for k in range(carrier_count(m, 0)):
            body, share = carrier(m, 0, vertex, k)
            linear, angular = np.zeros((3, theirs.nv)), np.zeros((3, theirs.nv))
            mujoco.mj_jac(theirs, mjdata, linear, angular, point, body)
            expected += weight * share * np.vstack([angular, linear])
    count = int(d.point_num)
    dofs = d.point_dof[:count]
    assert (np.diff(dofs) > 0).all()
    found = np.zeros((6, theirs.nv))
    found[:, dofs] = d.point_motion[:count].T
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ["trilinear ellipsoid", "quadratic ellipsoid", "trilinear pinned"])
def test_nodes_with_their_weights_are_the_vertex(name: str) -> None:
    theirs, ours = load(name)
    m = PlainView(ours.store_for("float64"))
    for vertex in range(theirs.nflexvert):
        found = [carrier(m, 0, vertex, k) for k in range(carrier_count(m, 0))]
        assert sum(weight for _, weight in found) == pytest.approx(1, abs=1e-14)
