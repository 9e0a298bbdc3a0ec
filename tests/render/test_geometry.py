"""Depth, objects and normals of pictures are those that rays of the engine find."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.scene.camera import view_of
from phalanx.tables.enums import GeomType, ObjType
from tests.render.worlds import built_in, every_kind, random_camera

WIDTH, HEIGHT = 40, 30
#: Only geoms that rays see.
SHOW = phalanx.Show(sites=False, tendons=False)


def rays_of(
    data: phalanx.Data, camera: object, width: int, height: int
) -> tuple[np.ndarray, np.ndarray, phalanx.Camera]:
    """Origins and directions of the rays through the middles of pixels; a direction is 1 along the axis."""
    view = view_of(data.model, data, camera, width, height)
    y, x = np.mgrid[:height, :width] + 0.5
    u, v = (x - width / 2) / (height / 2), -(y - height / 2) / (height / 2)
    half = view.half_height
    flat = np.stack([half * view.aspect * u + view.shift[0], half * v + view.shift[1], -np.ones_like(u)], -1)
    if view.orthographic:
        origins = view.pos + (flat * (1, 1, 0)) @ view.mat.T
        return origins, np.broadcast_to(-view.mat[:, 2], origins.shape), view
    return np.broadcast_to(view.pos, flat.shape), flat @ view.mat.T, view


def compare(data: phalanx.Data, camera: object) -> tuple[int, int]:
    """How many pixels show another geom than a ray hits, and how many there are; others agree in depth and normal."""
    outputs = ("depth", "segmentation", "body", "normals")
    picture = data.render(WIDTH, HEIGHT, camera=camera, output=outputs, show=SHOW)
    origins, directions, view = rays_of(data, camera, WIDTH, HEIGHT)
    hits = data.rays(origins.reshape(-1, 3), directions.reshape(-1, 3), geomgroup=SHOW.geomgroup)
    dist, geom = hits.dist.reshape(HEIGHT, WIDTH), hits.geom.reshape(HEIGHT, WIDTH).copy()
    geom[(dist < view.near) | (dist > view.far)] = -1
    agrees = picture["segmentation"][..., 0] == geom
    assert (picture["segmentation"][..., 1][geom >= 0] == ObjType.GEOM).mean() > 0.9
    seen = agrees & (geom >= 0)
    model = data.model
    # fields of signed distance are drawn as the meshes that they were made of
    exact = seen & (model.geom_type[geom] != GeomType.SDF)
    np.testing.assert_allclose(picture["depth"][exact], dist[exact], rtol=1e-6)
    np.testing.assert_array_equal(picture["body"][seen], model.geom_bodyid[geom[seen]])
    flat = exact & ~np.isin(model.geom_type[geom], (GeomType.MESH, GeomType.HFIELD))
    normal = hits.normal.reshape(HEIGHT, WIDTH, 3)[flat]
    np.testing.assert_allclose(picture["normals"][flat], normal, atol=1e-6)
    assert (picture["depth"][picture["segmentation"][..., 0] < 0] == np.float32(view.far)).all()
    assert (picture["normals"][picture["segmentation"][..., 0] < 0] == 0).all()
    return int((~agrees).sum()), agrees.size


@pytest.mark.parametrize("seed", range(6))
def test_a_world_with_every_kind_of_geom(seed: int) -> None:
    data = every_kind()
    wrong, total = compare(data, random_camera(np.random.default_rng(seed), data.model))
    # rims of the field of signed distance, which is a bit larger or smaller than its mesh
    assert wrong <= 0.01 * total


@pytest.mark.parametrize("camera", ["fixed", "parallel"])
def test_cameras_of_the_model(camera: str) -> None:
    wrong, total = compare(every_kind(), camera)
    assert wrong <= 0.01 * total


@pytest.mark.parametrize("name", ["arm", "gripper", "humanoid", "quadruped"])
def test_built_in_models(name: str) -> None:
    data = built_in(name)
    rng = np.random.default_rng(7)
    for _ in range(3):
        assert compare(data, random_camera(rng, data.model))[0] == 0


def test_a_ray_from_inside_a_shape_does_not_see_it() -> None:
    xml = '<mujoco><worldbody><geom size="1"/><geom type="box" size=".2 .2 .2" pos="3 0 0"/></worldbody></mujoco>'
    data = phalanx.Model.from_xml_string(xml).make_data().forward()
    camera = phalanx.Camera(lookat=(0.5, 0, 0), distance=0.5, azimuth=0, elevation=0)
    body = data.render(32, 24, camera=camera, output="segmentation")
    assert body[12, 16, 0] == 1
    assert not (body[..., 0] == 0).any()


def test_depth_of_a_wall_is_along_the_axis_of_the_camera() -> None:
    xml = '<mujoco><worldbody><geom type="box" size=".1 9 9" pos="5 0 0"/></worldbody></mujoco>'
    data = phalanx.Model.from_xml_string(xml).make_data().forward()
    depth = data.render(
        32, 24, camera=phalanx.Camera(lookat=(0, 0, 0), distance=0, azimuth=0, elevation=0), output="depth"
    )
    np.testing.assert_allclose(depth, 4.9, rtol=1e-6)
