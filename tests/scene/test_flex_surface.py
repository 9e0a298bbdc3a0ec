"""Flexes as surfaces: the triangles of MuJoCo, at random deformed states."""

from __future__ import annotations

from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.scene.flex_surface import EDGES, FACES, VERTICES, flex_form, flex_parts, flex_vertices
from phalanx.scene.show import Show
from phalanx.scene.surfaces import surface_of
from phalanx.tables.enums import GeomType
from tests.compiler.flexes import EDGE, MODELS, SOLID, comp, direct, world
from tests.quiet import quiet
from tests.scene.reference import FLAGS, MujocoWorld, actual_rows, differences, expected_rows, updated_scene

LOOKS = '<asset><material name="m" rgba=".2 .3 .4 1"/><material name="n" rgba="0 0 1 1"/></asset>'
SQUARES = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0.2], [2, 2, 0]]
DRAWN = {
    "sheet": world(comp('material="m" radius=".02"'), LOOKS),
    "flat sheet": world(comp('flatskin="true"')),
    "bag": world(comp('type="box" dim="2" dof="full"', EDGE, "3 4 3")),
    "solid": world(comp('dim="3" material="m"', SOLID, "3 2 3"), LOOKS),
    "smooth solid": world(comp('type="ellipsoid" dim="3"', SOLID, "4 4 4")),
    "line": world(comp('dim="1" rgba="1 0 1 1"', EDGE, "4 1 1")),
    "cells": MODELS["trilinear cells"],
    "patches": world(direct(SQUARES, [[0, 1, 2], [1, 3, 2], [3, 4, 2]], 2, EDGE, 'material="n m n" '
                            'texcoord="0 0 1 0 0 1 1 1 .5 .5"'), LOOKS),
    "two, hidden": world(comp('group="4"') + comp("", EDGE, name="g")),
}  # fmt: skip


def deformed(text: str, seed: int = 0) -> tuple[Any, Any, MujocoWorld]:
    """A flex at a random state: MjModel, MjData, and its numbers for our scene."""
    mjmodel = mujoco.MjModel.from_xml_string(text)
    mjdata = mujoco.MjData(mjmodel)
    mjdata.qpos[:] += 0.03 * np.random.default_rng(seed).normal(size=mjmodel.nq)
    mujoco.mj_forward(mjmodel, mjdata)
    return mjmodel, mjdata, MujocoWorld(phalanx.Model.from_mujoco(mjmodel), mjmodel, mjdata)


def in_order(corners: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Triangles with their normals, (k, 18), from any first corner, sorted."""
    rows = []
    for triangle, around in zip(corners.reshape(-1, 3, 3), normals.reshape(-1, 3, 3), strict=True):
        both = np.concatenate([triangle, around], axis=1).round(5)
        first = min(range(3), key=lambda k: tuple(both[k]))
        rows.append(np.roll(both, -first, axis=0).ravel())
    found = np.array(rows) + 0.0
    return found[np.lexsort(found.T[::-1])]


@pytest.mark.parametrize("name", DRAWN)
def test_flexes_are_the_shapes_of_mujoco(name):
    mjmodel, mjdata, seen = deformed(DRAWN[name])
    for show in (Show(), Show(labels="flex"), Show(flexgroup=[0, 0, 0, 0, 1, 0]), Show(transparent=True)):
        assert differences(actual_rows(seen.model, seen, show), expected_rows(mjmodel, mjdata, show)) == []


@pytest.mark.parametrize("faces", [False, True])
@pytest.mark.parametrize("name", [name for name in DRAWN if name != "line"])
def test_triangles_are_those_of_mujoco(name, faces):
    mjmodel, mjdata, seen = deformed(DRAWN[name])
    option = mujoco.MjvOption()
    option.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{FLAGS['flex_skin']}")] = not faces
    option.flags[getattr(mujoco.mjtVisFlag, f"mjVIS_{FLAGS['flex_faces']}")] = faces
    scene = updated_scene(mjmodel, mjdata, option)
    mode = FACES if faces else 0
    parts = flex_parts(seen.model)
    for flex in range(mjmodel.nflex):
        ours = []
        for number, part in enumerate(parts):
            if part.flex == flex:
                dataid = number + mode * len(parts)
                vertices, normals = flex_vertices(seen.model, seen, dataid)
                triangles = flex_form(seen.model, dataid).faces
                ours.append((vertices[triangles], normals[triangles]))
        mine = in_order(*(np.concatenate(column) for column in zip(*ours, strict=True)))
        start, count = scene.flexfaceadr[flex], scene.flexfaceused[flex]
        theirs = in_order(
            *(np.reshape(getattr(scene, row), (-1, 9))[start : start + count] for row in ("flexface", "flexnormal"))
        )
        np.testing.assert_allclose(mine, theirs, atol=3e-5)


@pytest.mark.parametrize("name", ["line", "sheet", "solid"])
def test_vertices_and_edges_are_spheres_and_capsules(name):
    _, _, seen = deformed(DRAWN[name])
    model, x = seen.model, np.asarray(seen.flexvert_xpos)
    radius = float(model.flex_radius[0])
    points, normals = flex_vertices(model, seen, VERTICES)
    distance = np.linalg.norm(points[:, None] - x[None], axis=2)
    np.testing.assert_allclose(distance.min(axis=1), radius, atol=1e-6)
    points, normals = flex_vertices(model, seen, EDGES)
    ends = x[np.asarray(model.flex_edge)]
    along = ends[:, 1] - ends[:, 0]
    share = np.clip(np.einsum("pec,ec->pe", points[:, None] - ends[None, :, 0], along) / (along**2).sum(axis=1), 0, 1)
    nearest = ends[None, :, 0] + share[..., None] * along[None]
    distance = np.linalg.norm(points[:, None] - nearest, axis=2)
    # every point is on the capsule of its edge, or inside of another
    assert (distance.min(axis=1) < radius + 1e-5).all()
    assert np.isclose(distance.min(axis=1), radius, atol=1e-5).any()
    assert np.allclose(np.linalg.norm(normals, axis=1), 1, atol=1e-5)


def test_the_surface_at_rest_has_the_size_of_the_flex():
    model = phalanx.Model.from_xml_string(DRAWN["solid"])
    surface = surface_of(model, GeomType.FLEX, 0)
    extent = surface.vertices.max(axis=0) - surface.vertices.min(axis=0)
    assert (extent >= 2 * model.flex_size[0] - 1e-6).all()
    with pytest.raises(phalanx.FieldError, match="flex 8 does not exist: there are 8"):
        surface_of(model, GeomType.FLEX, 8)


def test_a_flex_that_is_nowhere_is_refused():
    with quiet():
        data = phalanx.Model.from_xml_string(DRAWN["sheet"]).make_data().forward()
    data.flexvert_xpos[0] = np.nan
    with pytest.raises(phalanx.FieldError, match="flexvert_xpos is not finite"):
        data.render(8, 8)


@pytest.mark.filterwarnings("error::RuntimeWarning")
@pytest.mark.parametrize("radius", ["0", "1e-320", "1e39", "1e154"])
def test_radii_that_no_picture_can_show(radius):
    points = "".join(f'<body name="b{k}" pos="{k} 0 0"><freejoint/><geom size=".1"/></body>' for k in range(3))
    flex = f'<flex name="f" dim="1" body="b0 b1 b2" element="0 1 1 2" radius="{radius}"/>'
    text = f"<mujoco><worldbody>{points}</worldbody><deformable>{flex}</deformable></mujoco>"
    model = phalanx.Model.from_xml_string(text)
    assert model.make_data().forward().render(width=8, height=6).shape == (6, 8, 3)
