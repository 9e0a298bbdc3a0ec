"""The MJCF text of a Model compiles to the same model, here and in MuJoCo."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import MjcfError, Model, ModelError
from phalanx.world.fingerprint import PHYSICS
from phalanx.world.model_xml import differences
from tests.compiler.compare import differences as differences_to_mujoco
from tests.compiler.snippets import SNIPPETS
from tests.compiler.test_files import FILES

MODELS = Path(__file__).parents[1] / "models"
NAMES = sorted(path.relative_to(MODELS).as_posix() for path in MODELS.rglob("*.xml") if path.name != "flex.xml")
#: Snippets whose mesh has no unique axes, and is used in its own frame.
REFUSED = {"mesh site", "sensor tactile"}


def check(model: Model) -> None:
    again = Model.from_xml_string(model.to_xml())
    assert differences(model._store, again._store) == []
    for kind, names in model.names.names.items():
        if kind != "texture":
            assert again.names.names[kind] == names
    if not model.nmesh:
        for name in PHYSICS:
            ours, other = model._store.arrays[name], again._store.arrays[name]
            relative = 1e-6 if ours.dtype == np.float32 else 1e-12
            np.testing.assert_allclose(
                ours, other, rtol=0, atol=relative * np.abs(ours).max(initial=1e-30), err_msg=name
            )


@pytest.mark.parametrize("name", NAMES)
def test_the_text_of_a_test_model_compiles_to_it(name):
    check(phalanx.load(MODELS / name))


def compiled(name: str) -> Model:
    try:
        return Model.from_xml_string(SNIPPETS[name])
    except MjcfError:
        pytest.skip("the snippet is refused")


@pytest.mark.conformance
@pytest.mark.parametrize("name", [name for name in SNIPPETS if name not in REFUSED])
def test_the_text_of_a_snippet_compiles_to_it(name):
    check(compiled(name))


@pytest.mark.conformance
@pytest.mark.parametrize("name", [name for name in FILES if not name.startswith("own/")])
def test_the_text_of_a_public_model_compiles_to_it(name):
    try:
        model = Model.from_xml_path(FILES[name])
    except MjcfError as error:
        pytest.skip(f"refused: {error}")
    check(model)


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_what_cannot_be_written_is_refused_by_name(name):
    with pytest.raises(ModelError, match="mesh_quat"):
        compiled(name).to_xml()


@pytest.mark.parametrize("name", ["tendon_paths.xml", "equality.xml", "sensor.xml", "actuators_with_state.xml"])
def test_mujoco_compiles_the_text_to_the_same_model(name):
    model = phalanx.load(MODELS / name)
    theirs = mujoco.MjModel.from_xml_string(model.to_xml())
    skip = ("narena", "tex_data", "ntexdata", "ntex")
    assert differences_to_mujoco(Model.from_xml_string(model.to_xml()), theirs, skip) == {}


def test_models_from_elsewhere_are_written(tmp_path):
    path = MODELS / "sensor.xml"
    check(Model.from_mujoco(mujoco.MjModel.from_xml_path(str(path))))
    phalanx.load(path).save(tmp_path / "m.npz")
    check(phalanx.load(tmp_path / "m.npz"))
    model = phalanx.load(path)
    changed = model.replace(
        geom_friction=0.3, opt={"timestep": 0.001, "gravity": (0, 0, -1)}, body_mass=2 * model.body_mass
    )
    check(changed)
    assert Model.from_xml_string(changed.to_xml()).opt.timestep == 0.001


def test_settings_of_pictures_and_user_numbers_are_kept():
    model = Model.from_xml_string(
        '<mujoco model="m"><visual><map znear=".02"/><headlight active="true"/><global bvactive="true"/></visual>'
        '<asset><material name="red" rgba="1 0 0 1"/></asset>'
        '<worldbody><body user="1 2"><joint type="ball"/><geom size=".1" material="red" user="3"/></body></worldbody>'
        "</mujoco>"
    )
    again = Model.from_xml_string(model.to_xml())
    assert again.vis.map.znear == 0.02
    assert again.vis.headlight.active == model.vis.headlight.active
    assert again.body_user.tolist() == model.body_user.tolist()
    assert again.mat_rgba.tolist() == model.mat_rgba.tolist()
    assert again.geom_matid.tolist() == [0]


def test_values_that_no_file_can_give_are_refused():
    model = phalanx.load(MODELS / "ball.xml")
    with pytest.raises(ModelError, match="no model file gives it the values of dof_damping"):
        model.replace(dof_damping=np.arange(model.nv)).to_xml()
    grid = phalanx.SDF.from_function(lambda p: np.linalg.norm(p, axis=-1) - 0.1, [-1] * 3, [1] * 3, 0.25)
    with pytest.raises(ModelError, match="signed distance grids"):
        phalanx.load(MODELS / "free.xml").with_sdf({0: grid}).to_xml()
