"""Shapes, lights and views of worlds: the same as MuJoCo's, row by row."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.scene.decor import DECOR, LOOKS
from phalanx.scene.scene import SceneBuilder
from phalanx.scene.shapes import Shapes
from phalanx.scene.show import Show
from phalanx.tables.enums import GeomType, LightType, ObjType
from tests.conformance.models import MODELS, OWN, compiled
from tests.quiet import quiet
from tests.scene.reference import (
    FLAGS,
    FRAMES,
    LABELS,
    MujocoWorld,
    Row,
    actual_rows,
    differences,
    expected_rows,
    updated_scene,
)

#: Combinations of switches that MuJoCo knows, each compared.
SHOWN = (
    Show(),
    *(Show(**{name: not getattr(Show(), name)}) for name in FLAGS),
    Show(contact_forces=True, split_forces=True),
    Show(inertias=True, scale_inertia=True),
    Show(actuators=True, activation=True),
    Show(geomgroup=[0, 1, 0, 1, 1, 1], sitegroup=[1] * 6, tendongroup=[0] * 6, jointgroup=[1] * 6, joints=True),
    *(Show(frames=name, cameras=name == "camera", lights=name == "light") for name in FRAMES if name != "none"),
)
#: Labels, with what they are beside.
LABELLED = tuple(
    Show(labels=name, joints=True, actuators=True, cameras=True, lights=True, constraints=True, contacts=True,
         contact_forces=True, inertias=name == "tendon")
    for name in LABELS if name not in ("none", "selected_body", "selection")
)  # fmt: skip


#: Built-in models.
ROBOTS = {path.stem: path for path in sorted((Path(phalanx.__file__).parent / "robots").glob("*.xml"))}
#: Models with bodies as flat as rounding lets them be; scaled to water, they have any size.
WITHOUT_VOLUME = ("own/frames",)


@lru_cache(maxsize=4)
def world(name: str) -> tuple[Any, Any, MujocoWorld]:
    """A model of the matrix or a built-in one in motion: MjModel, MjData, and its numbers for our scene."""
    mjmodel = mujoco.MjModel.from_xml_path(str(ROBOTS[name])) if name in ROBOTS else compiled(name)
    data = mujoco.MjData(mjmodel)
    rng = np.random.default_rng(3)
    if mjmodel.nkey:
        mujoco.mj_resetDataKeyframe(mjmodel, data, 0)
    data.ctrl[:] = 0.3 * rng.normal(size=mjmodel.nu)
    for _ in range(40):
        mujoco.mj_step(mjmodel, data)
    some = rng.random((mjmodel.nbody - 1, 1)) < 0.3
    data.xfrc_applied[1:] = some * rng.normal(size=(mjmodel.nbody - 1, 6))
    mujoco.mj_forward(mjmodel, data)
    with quiet():
        model = phalanx.Model.from_mujoco(mjmodel)
    return mjmodel, data, MujocoWorld(model, mjmodel, data)


def compare(name: str, shows: Any) -> None:
    mjmodel, data, seen = world(name)
    on_bodies = (mjmodel.actuator_trntype == mujoco.mjtTrn.mjTRN_BODY).any()
    for show in shows:
        if (show.labels == "actuator" and on_bodies) or (show.scale_inertia and name in WITHOUT_VOLUME):
            continue
        rows = [actual_rows(seen.model, seen, show), expected_rows(mjmodel, data, show)]
        found = differences(*without_departures(mjmodel, show, *rows))
        assert not found, "\n".join([f"{name}, {show}", *found[:5]])


def without_departures(mjmodel: Any, show: Show, ours: list[Row], theirs: list[Row]) -> tuple[list[Row], list[Row]]:
    """Rows without those that differ on purpose: see the page of differences."""
    mirrored = set(np.flatnonzero(mjmodel.cam_intrinsic[:, 3]))
    drawn = {(row.objtype, row.objid) for row in theirs}
    kind = {"geom": ObjType.GEOM, "site": ObjType.SITE}.get(show.frames)

    def is_compared(row: Row) -> bool:
        is_sight = row.objtype == ObjType.CAMERA and row.kind == GeomType.CAPSULE
        is_axis = kind is not None and row.objtype == ObjType.UNKNOWN
        return not (is_sight and row.objid in mirrored) and not (is_axis and (kind, row.objid) not in drawn)

    return [row for row in ours if is_compared(row)], [row for row in theirs if is_compared(row)]


@pytest.mark.parametrize("name", ["own/everything", "own/tendon_paths", "own/sensor", "own/actuators_with_state"])
def test_shapes_are_those_of_mujoco(name):
    compare(name, SHOWN + LABELLED)


@pytest.mark.parametrize("name", ROBOTS)
def test_shapes_of_built_in_models_are_those_of_mujoco(name):
    compare(name, SHOWN if name == "humanoid" else SHOWN[:1])


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_shapes_of_all_models_are_those_of_mujoco(name):
    compare(name, SHOWN + LABELLED)


@pytest.mark.parametrize("name", ["own/cameras_lights", "own/everything"])
def test_lights_are_those_of_mujoco(name):
    mjmodel, data, seen = world(name)
    camera = mujoco.MjvCamera()
    mujoco.mjv_defaultFreeCamera(mjmodel, camera)
    scene = updated_scene(mjmodel, data, mujoco.MjvOption(), camera=camera)
    # the position of the camera is known to mjv_updateScene only afterwards
    mujoco.mjv_makeLights(mjmodel, data, scene)
    lights = SceneBuilder(seen.model).lights(seen)
    expected = scene.lights[: scene.nlight]
    assert len(lights.kind) == len(expected) > 1
    for k, light in enumerate(expected):
        assert lights.kind[k] == light.type and lights.castshadow[k] == light.castshadow
        for field in ("pos", "dir", "ambient", "diffuse", "specular"):
            np.testing.assert_allclose(getattr(lights, field)[k], getattr(light, field), atol=1e-6, err_msg=field)
        if light.type == LightType.SPOT:
            for field in ("attenuation", "cutoff", "exponent"):
                np.testing.assert_allclose(getattr(lights, field)[k], getattr(light, field), rtol=1e-6)


def test_rows_of_geoms_and_sites_keep_their_place():
    model = phalanx.Model.from_xml_path(OWN / "everything.xml")
    data, builder = model.make_data().forward(), SceneBuilder(model, "contacts joints")
    first = builder.shapes(data)
    kept = {name: np.array(getattr(first, name)[: builder.persistent]) for name in ("kind", "size", "rgba", "objid")}
    place = np.array(first.pos[: builder.persistent])
    data.step(50)
    second = builder.shapes(data)
    for name, column in kept.items():
        np.testing.assert_array_equal(getattr(second, name)[: builder.persistent], column)
    assert np.abs(second.pos[: builder.persistent] - place).max() > 1e-6
    geoms = second.objid[: builder.persistent][second.objtype[: builder.persistent] == ObjType.GEOM]
    np.testing.assert_array_equal(second.pos[: len(geoms)], data.geom_xpos[geoms])
    assert not second.decor[: builder.persistent].any()


def test_without_decor_the_same_memory_is_used_again():
    model = phalanx.Model.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    builder, data = SceneBuilder(model), model.make_data().forward()
    assert builder.shapes(data) is builder.shapes(data)


def test_a_world_in_single_precision():
    mjmodel, mjdata, seen = world("own/everything")
    show = Show(contacts=True, contact_forces=True, joints=True, actuators=True, inertias=True, skeleton=True)
    double = SceneBuilder(seen.model, show).shapes(seen)
    single = SceneBuilder(seen.model, show).shapes(SingleWorld(seen.model, mjmodel, mjdata))
    assert len(double) == len(single) and single.pos.dtype == np.float64
    np.testing.assert_allclose(single.pos, double.pos, atol=1e-5)


class SingleWorld(MujocoWorld):
    """A MuJoCo world rounded to single precision."""

    def __getattr__(self, name: str) -> Any:
        found = super().__getattr__(name)
        is_double = isinstance(found, np.ndarray) and found.dtype == np.float64
        return found.astype(np.float32) if is_double else found


def test_an_empty_world_has_no_shapes():
    model = phalanx.Model.from_xml_string("<mujoco/>")
    shapes = SceneBuilder(model, dict.fromkeys((*DECOR, *LOOKS), True)).shapes(model.make_data().forward())
    assert len(shapes) == 0


@pytest.mark.parametrize("name", DECOR)
def test_decor_of_a_model_without_any_objects_of_its_kind(name):
    model = phalanx.Model.from_xml_string("<mujoco><worldbody><geom size='.1'/></worldbody></mujoco>")
    assert len(SceneBuilder(model, name).shapes(model.make_data().forward())) == 1


def test_hulls_replace_meshes_that_collide():
    tetrahedron = "vertex='0 0 0 1 0 0 0 1 0 0 0 1'"
    model = phalanx.Model.from_xml_string(
        f"<mujoco><asset><mesh name='m' {tetrahedron}/></asset><worldbody>"
        "<geom type='mesh' mesh='m'/><geom type='mesh' mesh='m' contype='0' conaffinity='0'/></worldbody></mujoco>"
    )
    data = model.make_data().forward()
    assert SceneBuilder(model).shapes(data).dataid.tolist() == [0, 0]
    assert SceneBuilder(model, "hulls").shapes(data).dataid.tolist() == [1, 0]


@pytest.mark.parametrize("field", ["qpos", "mocap_pos"])
def test_a_state_that_is_not_finite_is_named(field):
    model = phalanx.Model.from_xml_string(
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body>"
        "<body mocap='true'><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = model.make_data().forward()
    data.geom_xpos[:] = np.nan
    with pytest.raises(phalanx.FieldError, match="forward"):
        SceneBuilder(model).shapes(data)
    getattr(data, field).flat[1] = np.nan
    with pytest.raises(phalanx.FieldError, match=rf"data\.{field}\[.*1\] is nan"):
        SceneBuilder(model).shapes(data)


def test_joined_shapes_have_all_rows_in_order():
    parts = [Shapes.empty(2), Shapes.empty(), Shapes.empty(1)]
    parts[0].kind[:], parts[2].kind[:] = GeomType.BOX, GeomType.LABEL
    parts[2].labels[0] = "here"
    joined = Shapes.joined(parts)
    assert joined.kind.tolist() == [6, 6, 107] and joined.labels == ["", "", "here"]


@pytest.mark.parametrize("mass", ["0", "-1", "1e-320", "1e300"])
@pytest.mark.filterwarnings("error")
def test_arrows_of_forces_need_no_mean_mass(mass: str) -> None:
    """What would be longer than all that can be drawn is not drawn."""
    model = phalanx.Model.from_xml_string(
        f'<mujoco><statistic meanmass="{mass}"/><worldbody><geom type="plane" size="1 1 1"/>'
        '<body pos="0 0 .09"><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    )
    picture = phalanx.Renderer(model, 8, 6, show="contact_forces").render(model.make_data().step())
    assert picture.shape == (6, 8, 3)
