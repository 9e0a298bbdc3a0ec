"""Models in files and in MuJoCo: a suffix means what it says, and every field survives in both directions."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from copy import copy
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.memory.visual import GROUPS
from tests.compiler.compare import HULL_ORDER, differences
from tests.conformance.models import FILES, GAPS, MODELS, OWN, REPRESENTATIVE, compiled
from tests.conformance.states import load, random_states, relative_error
from tests.memory.test_binary_file import OWN_FILES, bytes_of

ARM = """
<mujoco model="arm"><visual><rgba bv="1 .5 .25 1" bvactive="0 .5 1 1"/><map znear=".02"/><global fovy="60"/></visual>
<asset><texture name="tiles" type="2d" builtin="checker" width="8" height="8" rgb1="0 .5 1"/>
<material name="tiles" texture="tiles"/></asset>
<worldbody><geom name="floor" type="plane" size="2 2 .1" material="tiles"/>
<body name="link" pos="0 0 1"><joint name="hinge" axis="0 1 0"/><geom name="rod" type="capsule" size=".05 .2"/>
</body></worldbody><actuator><motor name="motor" joint="hinge"/></actuator></mujoco>"""


def hook(m, d):
    """Pushes a little."""
    d.ctrl[0] = 0.1


def assert_same(first: phalanx.Model, second: phalanx.Model) -> None:
    """All sizes, fields and settings equal, to the bit."""
    assert first._store.sizes == second._store.sizes
    for name in MODEL_SCHEMA.fields:
        ours, theirs = first._store.arrays[name], second._store.arrays[name]
        assert (ours.dtype, ours.shape, ours.tobytes()) == (theirs.dtype, theirs.shape, theirs.tobytes()), name
    assert first.vis == second.vis


def assert_same_in_mujoco(first: Any, second: Any) -> None:
    """All fields of two MjModels equal, field by field and then byte by byte; a binary has no signature."""
    for owner in ("", "opt", "stat", *(f"vis.{'global_' if group == 'global' else group}" for group in GROUPS)):
        a, b = first, second
        for member in filter(None, owner.split(".")):
            a, b = getattr(a, member), getattr(b, member)
        for name in dir(a):
            value = getattr(a, name)
            if isinstance(value, (np.ndarray, int, float, bytes, str)) and not name.startswith("_"):
                assert name == "signature" or np.array_equal(value, getattr(b, name), equal_nan=False), (owner, name)
    assert bytes_of(first) == bytes_of(second)


# --- suffixes


@pytest.mark.parametrize("name", ["arm.npz", "arm.mjb", "ARM.MJB", "arm.v2.NPZ"])
def test_a_file_gets_the_name_and_the_format_that_were_asked_for(name, tmp_path):
    model = phalanx.Model.from_xml_string(ARM)
    model.save(tmp_path / name)
    model.save(str(tmp_path / name))
    assert [path.name for path in tmp_path.iterdir()] == [name]
    start = (tmp_path / name).read_bytes()[:2]
    assert start == (b"PK" if name.lower().endswith("npz") else (54321).to_bytes(4, "little")[:2])
    for read in (phalanx.load, phalanx.Model.load):
        loaded = read(tmp_path / name)
        assert (loaded.nq, loaded.body("link").id, loaded.fingerprint()) == (1, 1, model.fingerprint())


@pytest.mark.parametrize("name", ["arm.xml", "arm.mjb.gz", "arm", ".npz", "arm."])
def test_other_suffixes_are_refused_and_the_known_ones_listed(name, tmp_path):
    model = phalanx.Model.from_xml_string(ARM)
    for deed in (model.save, phalanx.Model.load):
        with pytest.raises(phalanx.ModelError, match=r"known: \.mjb, \.npz"):
            deed(tmp_path / name)
    with pytest.raises(phalanx.ModelError, match=r"known: \.npz"):
        model.make_data().save(tmp_path / name)
    assert not list(tmp_path.iterdir())


def test_data_keeps_the_name_of_its_file(tmp_path):
    data = phalanx.Model.from_xml_string(ARM).make_data().step(3)
    data.save(tmp_path / "STATE.NPZ")
    assert [path.name for path in tmp_path.iterdir()] == ["STATE.NPZ"]
    assert data.model.make_data().load(tmp_path / "STATE.NPZ").fingerprint() == data.fingerprint()


def test_a_suffix_that_lies_is_said(tmp_path):
    model = phalanx.Model.from_xml_string(ARM)
    model.save(tmp_path / "arm.npz"), model.save(tmp_path / "arm.mjb")
    (tmp_path / "arm.npz").rename(tmp_path / "other.mjb"), (tmp_path / "arm.mjb").rename(tmp_path / "other.npz")
    with pytest.raises(phalanx.ModelError, match=r"other\.mjb is not a binary model of MuJoCo"):
        phalanx.load(tmp_path / "other.mjb")
    with pytest.raises(phalanx.ModelError, match=r"other\.npz is not a model file of Phalanx"):
        phalanx.load(tmp_path / "other.npz")
    with pytest.raises(phalanx.ModelError, match="is not a file"):
        phalanx.load(tmp_path / "absent.mjb")


def test_an_open_file_says_what_it_is(tmp_path):
    model = phalanx.Model.from_mujoco(mujoco.MjModel.from_xml_string(ARM))
    for name in ("arm.npz", "arm.mjb"):
        model.save(tmp_path / name)
        with open(tmp_path / name, "rb") as file:
            assert_same(phalanx.Model.load(file), model)
    buffer = io.BytesIO()
    model.save(buffer)
    assert buffer.getvalue()[:2] == b"PK"


# --- from MuJoCo and back


def assert_comes_back(mjmodel: Any, folder: Path) -> None:
    """MjModel -> file -> Model -> file -> MjModel, and without files."""
    mujoco.mj_saveModel(mjmodel, str(folder / "theirs.mjb"))
    model = phalanx.Model.from_mujoco(mjmodel)
    assert_same(phalanx.load(folder / "theirs.mjb"), model)
    model.save(folder / "ours.mjb")
    assert_same_in_mujoco(mjmodel, mujoco.MjModel.from_binary_path(str(folder / "ours.mjb")))
    assert_same_in_mujoco(mjmodel, model.to_mujoco())


def is_taken(mjmodel: Any) -> bool:
    """Models that Phalanx refuses altogether are refused from a file, too."""
    try:
        phalanx.Model.from_mujoco(mjmodel)
    except phalanx.ModelError:
        with pytest.raises(phalanx.ModelError):
            phalanx.Model.load(io.BytesIO(bytes_of(mjmodel)))
        return False
    return True


@pytest.mark.parametrize("path", OWN_FILES, ids=lambda path: path.stem)
def test_every_field_of_our_models_comes_back(path, tmp_path):
    mjmodel = mujoco.MjModel.from_xml_path(str(path))
    if is_taken(mjmodel):
        assert_comes_back(mjmodel, tmp_path)


@pytest.mark.conformance
@pytest.mark.parametrize("name", MODELS)
def test_every_field_of_all_models_comes_back(name, tmp_path):
    if is_taken(compiled(name)):
        assert_comes_back(compiled(name), tmp_path)


def test_a_small_file_that_unpacks_to_much_is_refused(tmp_path):
    """Before memory is taken; the error names the limit, which can be raised."""
    model = phalanx.Model.from_xml_string(ARM)
    path = tmp_path / "arm.npz"
    model.save(path)
    few = phalanx.Limits(model_bytes=10_000)
    for read in (phalanx.load, phalanx.Model.load):
        with pytest.raises(phalanx.ModelError, match=r"more than the limit of 10000: .*Limits\(model_bytes=...\)"):
            read(path, limits=few)
        assert_same(read(path, limits=phalanx.Limits(model_bytes=10**6)), model)


def test_flexes_and_skins_come_back(tmp_path):
    assert_comes_back(mujoco.MjModel.from_xml_path(str(OWN / "scaled" / "skin.xml")), tmp_path)
    assert_comes_back(mujoco.MjModel.from_xml_path(str(GAPS / "flex_ipc.xml")), tmp_path)


def test_colors_that_the_bindings_hide_come_back(tmp_path):
    mjmodel = mujoco.MjModel.from_xml_string(ARM)
    model = phalanx.Model.from_mujoco(mjmodel)
    assert model.vis.rgba.bv == (1, 0.5, 0.25, 1) and model.vis.rgba.bvactive == (0, 0.5, 1, 1)
    assert_comes_back(mjmodel, tmp_path)


def test_what_is_no_model_of_mujoco_is_refused():
    with pytest.raises(phalanx.ModelError, match=r"copies a mujoco\.MjModel, not a str"):
        phalanx.Model.from_mujoco("arm.xml")


# --- compiled by us


def in_both(path: Path) -> tuple[phalanx.Model, Any]:
    """A model that we compile, and the same in MuJoCo, which is MuJoCo's own compilation."""
    model, theirs = phalanx.load(path), mujoco.MjModel.from_xml_path(str(path))
    ours = model.to_mujoco()
    assert differences(phalanx.Model.from_mujoco(ours), theirs, skip=HULL_ORDER) == {}
    assert ours.nbuffer == theirs.nbuffer
    return model, ours


@pytest.mark.parametrize("name", REPRESENTATIVE)
def test_our_compilation_is_mujocos_and_a_step_agrees(name):
    # the convex search goes on to the end, so that its tolerance leaves no difference
    exact = {"ccd_tolerance": 1e-13, "ccd_iterations": 500}
    model = in_both(FILES[name])[0].replace(opt=exact)
    ours, theirs, data = model.to_mujoco(), copy(compiled(name)), model.make_data()
    for option, value in exact.items():
        setattr(theirs.opt, option, value)
    for mjdata, other in zip(random_states(ours, 3), random_states(theirs, 3), strict=True):
        load(data, mjdata)
        data.step(), mujoco.mj_step(ours, mjdata), mujoco.mj_step(theirs, other)
        assert relative_error(mjdata.qpos, other.qpos) < 1e-11
        assert relative_error(data.qpos, mjdata.qpos) < 1e-9


@pytest.mark.parametrize("path", sorted(OWN.glob("*.xml")), ids=lambda path: path.stem)
def test_our_compilation_of_our_models_is_mujocos(path):
    in_both(path)


def test_a_changed_model_has_what_mujoco_would_derive():
    mjmodel = mujoco.MjModel.from_xml_string(ARM)
    model = phalanx.Model.from_xml_string(ARM).replace(body_mass=[0, 3], opt={"timestep": 0.01})
    mjmodel.body_mass[1], mjmodel.opt.timestep = 3, 0.01
    mujoco.mj_setConst(mjmodel, mujoco.MjData(mjmodel))
    assert differences(phalanx.Model.from_mujoco(model.to_mujoco()), mjmodel) == {}


# --- what cannot be


def test_what_mujoco_has_not_is_refused_by_name(tmp_path):
    model = phalanx.Model.from_xml_string(ARM)
    sdf = phalanx.SDF.from_function(lambda p: np.linalg.norm(p, axis=-1) - 0.1, (-0.2,) * 3, (0.2,) * 3, 0.1)
    muscle = phalanx.HillMuscle(100.0, 0.1, 0.1)
    for other, message in {
        model.with_hooks(control=hook): r"it has the hook control \(model\.with_hooks\(control=None\) takes it away\)",
        model.with_sdf({"rod": sdf}): "signed distance grid",
        model.with_muscles({"motor": muscle}): "actuator 'motor' is a Hill muscle",
        model.replace(opt={"integrator": 100}): r"opt\.integrator is an integrator of Phalanx",
    }.items():
        (tmp_path / "arm.mjb").write_bytes(b"before")
        for deed in (other.to_mujoco, lambda other=other: other.save(tmp_path / "arm.mjb")):
            with pytest.raises(phalanx.ModelError, match=f"MuJoCo cannot simulate this model: .*{message}"):
                deed()
        assert (tmp_path / "arm.mjb").read_bytes() == b"before"
        other.save(tmp_path / "arm.npz")


def test_mujoco_that_is_not_there_or_of_another_version_is_said(monkeypatch):
    model = phalanx.Model.from_xml_string(ARM)
    monkeypatch.setattr(mujoco, "__version__", "3.9.0")
    with pytest.raises(
        phalanx.MissingPackageError, match=r"needs MuJoCo 4\.0\.0, but 3\.9\.0 is installed: pip install"
    ):
        model.to_mujoco()
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(phalanx.MissingPackageError, match=r"to_mujoco needs MuJoCo: pip install mujoco==4\.0\.0"):
        model.to_mujoco()
    with pytest.raises(ImportError, match="from_mujoco needs MuJoCo"):
        phalanx.Model.from_mujoco(object())


def test_binary_files_need_no_mujoco(tmp_path):
    mujoco.mj_saveModel(mujoco.MjModel.from_xml_string(ARM), str(tmp_path / "arm.mjb"))
    code = (
        "import sys; sys.modules['mujoco'] = None; import phalanx\n"
        "model = phalanx.load('arm.mjb'); model.save('again.mjb'); print(model.nbody)"
    )
    here = {**os.environ, "PYTHONPATH": str(Path(phalanx.__file__).parents[1])}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=here, capture_output=True, text=True, check=False)
    assert done.stdout == "2\n", done.stderr
    assert (tmp_path / "again.mjb").read_bytes() == (tmp_path / "arm.mjb").read_bytes()
