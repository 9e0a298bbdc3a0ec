"""Triangles of shapes: closed, outward, of the right volume, on the analytic surface; texture coordinates."""

from __future__ import annotations

from collections import Counter
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.scene.skin import skin_vertices
from phalanx.scene.surface import Surface, face_normals
from phalanx.scene.surfaces import hull_of, surface_of, texture_id, texture_map, texture_of
from phalanx.tables.enums import GeomType
from tests.scene.reference import MujocoWorld, updated_scene

EMPTY = phalanx.Model.from_xml_string("<mujoco/>")
SIZE = np.array([0.1, 0.2, 0.3])
#: Kind -> its volume.
VOLUMES = {
    GeomType.SPHERE: 4 / 3 * np.pi * 0.1**3,
    GeomType.ELLIPSOID: 4 / 3 * np.pi * 0.1 * 0.2 * 0.3,
    GeomType.CAPSULE: 4 / 3 * np.pi * 0.1**3 + np.pi * 0.1**2 * 0.4,
    GeomType.CYLINDER: np.pi * 0.1**2 * 0.4,
    GeomType.BOX: 8 * 0.1 * 0.2 * 0.3,
    GeomType.ARROW: np.pi * (0.1**2 * 0.2 + 0.2**2 * 0.1 / 3),
}
ASSETS = """<mujoco>
  <asset>
    <mesh name="cube" builtin="cube" params="1"/>
    <mesh name="tetra" vertex="0 0 0 1 0 0 0 1 0 0 0 1"
          face="0 2 1 0 1 3 0 3 2 1 2 3" texcoord="0 0 1 0 0 1 1 1"/>
    <hfield name="hills" nrow="4" ncol="5" size="2 1 .5 .25"
            elevation="0 1 2 3 4 1 0 3 2 1 0 0 5 1 1 2 2 2 0 1"/>
    <texture name="checker" type="2d" builtin="checker" width="8" height="4" rgb1="1 0 0" rgb2="0 1 0"/>
    <texture name="sky" type="skybox" builtin="gradient" width="6" height="36"/>
    <material name="floor" texture="checker" texrepeat="3 2"/>
    <material name="even" texture="checker" texrepeat="3 2" texuniform="true"/>
    <material name="plain"/>
  </asset>
  <worldbody><geom type="mesh" mesh="cube"/><geom type="mesh" mesh="tetra" contype="0" conaffinity="0"/>
    <geom type="hfield" hfield="hills"/></worldbody>
</mujoco>"""


@pytest.fixture(scope="module")
def model() -> phalanx.Model:
    return phalanx.Model.from_xml_string(ASSETS.replace('<mesh name="cube" builtin="cube" params="1"/>', CUBE))


CUBE = "<mesh name='cube' vertex='" + " ".join(f"{x} {y} {z}" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "'/>"


def volume(surface: Surface) -> float:
    """Volume inside of a closed surface, positive if its triangles look outwards."""
    first = surface.vertices[surface.faces[:, 0]].astype(float)
    return float(np.sum(first * face_normals(surface.vertices, surface.faces)) / 6)


def open_edges(surface: Surface) -> int:
    """How many edges have no triangle on their other side."""
    places = np.unique(surface.vertices.round(5), axis=0, return_inverse=True)[1].reshape(-1)[surface.faces]
    edges = Counter((int(f[k]), int(f[(k + 1) % 3])) for f in places for k in range(3))
    return sum(count != edges[b, a] for (a, b), count in edges.items() if a != b)


def assert_sound(surface: Surface) -> None:
    """Unit normals on the outer side of the triangles, indices in range, no triangle without area."""
    assert surface.vertices.dtype == surface.normals.dtype == np.float32 and surface.faces.dtype == np.int32
    np.testing.assert_allclose(np.linalg.norm(surface.normals, axis=1), 1, atol=1e-6)
    normals = face_normals(surface.vertices, surface.faces)
    assert np.linalg.norm(normals, axis=1).min() > 0
    assert (np.einsum("kx,kcx->kc", normals, surface.normals[surface.faces]) > 0).all()
    assert surface.faces.min() >= 0 and surface.faces.max() < len(surface.vertices)


@pytest.mark.parametrize("kind", VOLUMES)
def test_primitives_are_closed_and_have_their_volume(kind):
    errors = []
    for resolution in (16, 64):
        surface = surface_of(EMPTY, kind, size=SIZE, resolution=resolution)
        assert_sound(surface)
        assert open_edges(surface) == 0
        errors.append(abs(volume(surface) / VOLUMES[kind] - 1))
    # of second order in the size of the triangles
    assert errors[1] < max(errors[0] / 12, 1e-6)


def test_a_plane_is_as_large_as_it_is_seen():
    finite = surface_of(EMPTY, GeomType.PLANE, size=(2, 3, 0.1))
    np.testing.assert_allclose(np.abs(finite.vertices).max(axis=0), (2, 3, 0))
    infinite = surface_of(EMPTY, GeomType.PLANE, size=(0, 3, 0.1))
    far = EMPTY.vis.map.zfar * EMPTY.stat.extent
    np.testing.assert_allclose(np.abs(infinite.vertices).max(axis=0), (1.05 * far, 3, 0), rtol=1e-6)
    np.testing.assert_allclose(infinite.texcoords[:, 0], 0.5 * infinite.vertices[:, 0])
    for surface in (finite, infinite):
        assert_sound(surface)
        assert (surface.normals == (0, 0, 1)).all()


def test_meshes_hulls_and_height_fields_are_closed(model):
    cube, tetra = surface_of(model, GeomType.MESH, 0), surface_of(model, GeomType.SDF, 1)
    for surface, expected in ((cube, 1.0), (hull_of(model, 0), 1.0), (tetra, 1 / 6)):
        assert_sound(surface)
        assert open_edges(surface) == 0 and volume(surface) == pytest.approx(expected, rel=1e-6)
    # edges of the cube are sharp: three normals at each corner
    assert len(np.unique(np.hstack([cube.vertices, cube.normals + 0.0]).round(4), axis=0)) == 24
    field = surface_of(model, GeomType.HFIELD, 0)
    assert_sound(field)
    assert open_edges(field) == 0 and volume(field) == pytest.approx(field_volume(model), rel=1e-6)


def field_volume(model: phalanx.Model) -> float:
    """Volume under a height field, triangle by triangle, and its base."""
    x, y, top, base = model.hfield_size[0]
    z = top * model.hfield_data.reshape(4, 5)
    thirds = (2 * z[:-1, :-1] + 2 * z[1:, 1:] + z[:-1, 1:] + z[1:, :-1]).sum() / 6
    return float(thirds * (2 * x / 4) * (2 * y / 3) + 4 * x * y * base)


def test_the_hull_has_an_id_of_its_own(model):
    hull = surface_of(model, GeomType.MESH, model.nmesh)
    np.testing.assert_array_equal(hull.vertices, hull_of(model, 0).vertices)


def test_texture_coordinates_of_a_mesh_are_kept(model):
    surface = surface_of(model, GeomType.MESH, 1)
    first = model.mesh_texcoordadr[1]
    given = model.mesh_texcoord[first : first + 4]
    assert {tuple(row) for row in surface.texcoords.tolist()} == {tuple(row) for row in given.tolist()}


@pytest.mark.parametrize(
    "material, size, scale",
    [("floor", (2, 4, 0.1), (3, 2)), ("even", (2, 4, 0.1), (6, 8)), ("even", (0, 4, 0.1), (3, 8))],
)
def test_repetitions_of_a_texture_count_by_object_or_by_meter(model, material, size, scale):
    matid = model.material(material).id
    found = texture_map(model, matid, GeomType.PLANE, size=size)
    np.testing.assert_allclose(found[0], scale)
    np.testing.assert_allclose(found[1], -0.5 if size[0] == 0 else 0)


def test_textures_are_pictures(model):
    checker = texture_of(model, model.texture("checker").id)
    assert checker.shape == (4, 8, 3) and checker.dtype == np.uint8
    np.testing.assert_array_equal(checker[0, 0], checker[-1, -1])
    assert texture_of(model, model.texture("sky").id).shape == (36, 6, 3)
    assert texture_id(model, model.material("floor").id) == model.texture("checker").id
    assert texture_id(model, model.material("plain").id) == texture_id(model, -1) == -1


@pytest.mark.parametrize(
    "kind, dataid, words",
    [
        (GeomType.MESH, 4, "mesh 4 does not exist"),
        (GeomType.HFIELD, -1, "height field -1"),
        (GeomType.SKIN, 0, "skin 0 does not exist: there are 0"),
        (GeomType.LABEL, 0, "LABEL have no surface"),
    ],
)
def test_a_surface_that_does_not_exist(model, kind, dataid, words):
    with pytest.raises(phalanx.FieldError, match=words):
        surface_of(model, kind, dataid)


def test_a_mesh_that_does_not_collide_has_no_hull(model):
    with pytest.raises(phalanx.FieldError, match="'tetra' has no convex hull"):
        hull_of(model, 1)


def skinned(inflate: float) -> tuple[Any, Any, MujocoWorld]:
    """A strip of triangles over two bones."""
    vertices = " ".join(f"{x / 4} {y} 0" for x in range(5) for y in (0, 0.2))
    faces = " ".join(f"{2 * k} {2 * k + 2} {2 * k + 1} {2 * k + 1} {2 * k + 2} {2 * k + 3}" for k in range(4))
    falling = np.repeat([1, 0.8, 0.5, 0.2, 0.1], 2)
    near, far = (" ".join(str(weight) for weight in weights) for weights in (falling, falling[::-1]))
    ids = " ".join(str(k) for k in range(10))
    mjmodel = mujoco.MjModel.from_xml_string(f"""<mujoco>
      <deformable><skin name="strip" vertex="{vertices}" face="{faces}" inflate="{inflate}">
        <bone body="a" bindpos=".1 0 0" bindquat="1 0 0 0" vertid="{ids}" vertweight="{near}"/>
        <bone body="b" bindpos=".6 .1 0" bindquat=".8 .6 0 0" vertid="{ids}" vertweight="{far}"/></skin></deformable>
      <worldbody><body name="a"><joint axis="0 1 0"/><geom size=".1"/>
        <body name="b" pos=".5 0 0"><joint type="ball"/><geom size=".1"/></body></body></worldbody></mujoco>""")
    mjdata = mujoco.MjData(mjmodel)
    mujoco.mj_integratePos(mjmodel, mjdata.qpos, np.array([0.5, 0.3, -0.8, 0.4]), 1)
    mujoco.mj_forward(mjmodel, mjdata)
    return mjmodel, mjdata, MujocoWorld(phalanx.Model.from_mujoco(mjmodel), mjmodel, mjdata)


@pytest.mark.parametrize("inflate", [0.0, 0.05])
def test_skins_follow_their_bones_as_in_mujoco(inflate):
    mjmodel, mjdata, seen = skinned(inflate)
    scene = updated_scene(mjmodel, mjdata, mujoco.MjvOption())
    vertices, normals = skin_vertices(seen.model, seen, 0)
    np.testing.assert_allclose(vertices, np.reshape(scene.skinvert, (-1, 3)), atol=1e-6)
    np.testing.assert_allclose(normals, np.reshape(scene.skinnormal, (-1, 3)), atol=1e-5)
    surface = surface_of(seen.model, GeomType.SKIN, 0)
    assert surface.vertices.shape == vertices.shape and surface.texcoords is None
    assert_sound(surface)
