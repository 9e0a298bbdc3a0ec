"""Hooks: functions of the user against MuJoCo's callbacks; the ways of running; mistakes and their messages."""

from __future__ import annotations

import contextlib
import copy
import math
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.algebra.number_type import NumberType
from phalanx.kernels import clamp, sin, tanh, where
from phalanx.native import cache
from phalanx.native.target import host_target
from phalanx.tables.enums import JointType
from tests.conformance.states import load as load_state
from tests.quiet import quiet

ARM = """
<mujoco>
  <option timestep="0.005"/>
  <size nuserdata="4"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 1" pos="0 0 -0.35"/>
    <body pos="0 0 0.2">
      <joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom name="upper" type="capsule" size="0.05" fromto="0 0 0 0.3 0 0"/>
      <body pos="0.3 0 0">
        <joint name="elbow" axis="0 1 0" damping="0.1" stiffness="1"/>
        <geom name="lower" type="capsule" size="0.04" fromto="0 0 0 0.3 0 0" contype="2" conaffinity="2"/>
      </body>
    </body>
    <body name="ball" pos="0.5 0.3 -0.26"><freejoint/>
      <geom name="ball" size="0.1"/><geom name="knob" size="0.05" pos="0 0 0.12" contype="4" conaffinity="4"/></body>
  </worldbody>
  <actuator>
    <motor joint="shoulder" gear="2"/>
    <motor joint="elbow"/>
    <general joint="shoulder" dyntype="user" gaintype="user" biastype="user" actdim="1" dynprm="3"/>
    <general joint="elbow" dyntype="user" gaintype="user" biastype="user" actdim="2"/>
    <general joint="elbow" gaintype="user" biastype="user" ctrlrange="-1 1"/>
  </actuator>
  <sensor><user dim="2" needstage="acc"/></sensor>
</mujoco>
"""
FIELDS = ("qpos", "qvel", "act", "act_dot", "ctrl", "userdata", "actuator_force", "qfrc_passive", "qacc", "time")
#: What the solver has a part in.
THROUGH_CONSTRAINTS = ("qpos", "qvel", "qacc")

GAINS = np.array([[20.0, 2.0], [10.0, 1.0]])
TARGETS = (0.3, -0.5)


def torque(error, rate, row):
    """A helper that hooks call."""
    return clamp(GAINS[row, 0] * error - GAINS[row, 1] * rate, -5.0, 5.0)


def control(m, d):
    """PD control of two joints, a count of calls, and a wave for the others."""
    for i in range(2):
        d.ctrl[i] = torque(TARGETS[i] - d.qpos[i], d.qvel[i], i)
    for i in range(2, m.nu):
        d.ctrl[i] = sin(3.0 * d.time + i)
    d.userdata[0] = d.userdata[0] + 1.0


def passive(m, d):
    """A damper that only works one way, and a wind that grows with height."""
    for i in range(m.nv):
        force = where(d.qvel[i] > 0.0, -0.5 * d.qvel[i] * abs(d.qvel[i]), 0.0)
        d.qfrc_passive[i] = d.qfrc_passive[i] + force
    d.qfrc_passive[2] = d.qfrc_passive[2] + 0.1 * max(d.xpos[3, 2], 0.0)


def act_dyn(m, d, actuator):
    first = m.actuator_actadr[actuator]
    last = first + m.actuator_actnum[actuator] - 1
    rate = m.actuator_dynprm[actuator, 0] * (d.ctrl[actuator] - d.act[last])
    if m.actuator_actnum[actuator] == 2:
        d.act_dot[first] = d.act[last]
        d.act_dot[last] = rate - d.act[first]
    return rate


def act_gain(m, d, actuator):
    return 1.5 + np.cos(d.actuator_length[actuator]) * actuator


def act_bias(m, d, actuator):
    return -0.3 * d.actuator_velocity[actuator] - 0.1 * math.exp(-d.time)


def contact_filter(m, d, geom1, geom2):
    """The floor carries all but the knob, and the ball nothing until some time has passed."""
    if geom1 == 0:
        return geom2 == 4
    return d.time < 0.05


def sensor(m, d, index):
    d.sensordata[m.sensor_adr[index]] = d.qpos[0] + d.qpos[1]
    d.sensordata[m.sensor_adr[index] + 1] = tanh(d.qvel[0])


HOOKS = {
    "control": control,
    "passive": passive,
    "act_dyn": act_dyn,
    "act_gain": act_gain,
    "act_bias": act_bias,
    "contact_filter": contact_filter,
}


@contextlib.contextmanager
def callbacks(functions: dict) -> Iterator[None]:
    """The same functions as MuJoCo's callbacks."""
    setters = {name: getattr(mujoco, f"set_mjcb_{name.replace('_f', 'f')}") for name in functions}
    try:
        for name, function in functions.items():
            setters[name](function)
        yield
    finally:
        for setter in setters.values():
            setter(None)


@pytest.fixture(scope="module")
def mjmodel():
    return mujoco.MjModel.from_xml_string(ARM)


@pytest.fixture(scope="module")
def model(mjmodel):
    return phalanx.Model.from_mujoco(mjmodel)


@quiet()
def compare(mjmodel, functions: dict, steps: int = 60) -> None:
    """Steps in both engines, each from the same state."""
    theirs = mujoco.MjData(mjmodel)
    ours = phalanx.Model.from_mujoco(mjmodel).with_hooks(**functions).make_data()
    theirs.qvel[:] = ours.qvel[:] = np.linspace(-1, 1, mjmodel.nv)
    with callbacks(functions):
        for step in range(steps):
            load_state(ours, theirs)
            mujoco.mj_step(mjmodel, theirs)
            ours.step()
            assert ours.ncon == theirs.ncon, step
            for name in FIELDS:
                expected = np.asarray(getattr(theirs, name), float)
                scale = max(1.0, float(np.abs(expected).max(initial=0.0)))
                bound = 1e-9 if theirs.nefc and name in THROUGH_CONSTRAINTS else 1e-12
                np.testing.assert_allclose(getattr(ours, name), expected, rtol=0, atol=bound * scale, err_msg=name)


# --- against MuJoCo


@pytest.mark.parametrize("name", HOOKS)
def test_a_hook_does_what_the_callback_of_mujoco_does(mjmodel, name):
    compare(mjmodel, {name: HOOKS[name]})


@pytest.mark.parametrize("integrator", ["mjINT_EULER", "mjINT_RK4", "mjINT_IMPLICITFAST"])
def test_all_hooks_together(integrator):
    mjmodel = mujoco.MjModel.from_xml_string(ARM)
    mjmodel.opt.integrator = getattr(mujoco.mjtIntegrator, integrator)
    compare(mjmodel, HOOKS)


def test_user_actuators_without_hooks(mjmodel):
    compare(mjmodel, {"control": control}, steps=10)


@pytest.mark.parametrize(
    ("flags", "name"),
    [(mujoco.mjtDisableBit.mjDSBL_ACTUATION, "control"), (3 << 5, "passive")],
    ids=["control", "passive"],
)
def test_a_hook_is_not_called_where_its_stage_is_disabled(flags, name):
    mjmodel = mujoco.MjModel.from_xml_string(ARM)
    if name == "passive":
        flags = int(mujoco.mjtDisableBit.mjDSBL_SPRING) | int(mujoco.mjtDisableBit.mjDSBL_DAMPER)
    mjmodel.opt.disableflags = int(flags)
    compare(mjmodel, {name: HOOKS[name]}, steps=5)


@pytest.mark.parametrize("midphase", [True, False])
def test_a_contact_filter_replaces_the_masks(midphase):
    """Pairs of geoms whose masks do not match are asked about; without a midphase even geoms without any mask."""
    xml = """<mujoco><option><flag midphase="{}"/></option><worldbody>
      <body><freejoint/><geom type="box" size=".1 .1 .1"/><geom size=".12" contype="0" conaffinity="0"/></body>
      <body pos=".15 0 0"><freejoint/><geom size=".1"/>
        <geom type="capsule" size=".05 .1" contype="2" conaffinity="2"/></body>
      <body pos=".15 .1 0"><freejoint/><geom size=".1" contype="0" conaffinity="0"/></body>
      <geom type="plane" size="1 1 1" pos="0 0 -.1"/></worldbody>
      <contact><pair geom1="a" geom2="b"/></contact></mujoco>"""
    xml = xml.format("enable" if midphase else "disable").replace('type="box"', 'name="a" type="box"', 1)
    xml = xml.replace('<geom size=".1"/>', '<geom name="b" size=".1"/>')
    mjmodel = mujoco.MjModel.from_xml_string(xml)
    theirs = mujoco.MjData(mjmodel)
    ours = phalanx.Model.from_mujoco(mjmodel).with_hooks(contact_filter=all_but_one).make_data()
    with callbacks({"contact_filter": all_but_one}):
        mujoco.mj_forward(mjmodel, theirs)
    ours.forward()
    assert ours.ncon == theirs.ncon > 6
    np.testing.assert_array_equal(ours.contact_geom, theirs.contact.geom)
    np.testing.assert_allclose(ours.contact_dist, theirs.contact.dist, atol=1e-9)


@pytest.mark.parametrize("midphase", [True, False])
def test_a_contact_filter_in_a_large_scene(midphase):
    """Too many pairs for a list: bodies are swept, and the hook is asked about the geoms."""
    mask = (1, 2, 0)
    bodies = "".join(
        f'<body pos="{0.15 * (k % 9)} {0.15 * (k // 9)} .1"><freejoint/><geom size=".1"/>'
        f'<geom size=".08" pos="0 0 .1" contype="{mask[k % 3]}" conaffinity="{mask[k % 3]}"/></body>'
        for k in range(72)
    )
    flag = "enable" if midphase else "disable"
    xml = f"""<mujoco><option><flag midphase="{flag}"/></option><worldbody><geom type="plane" size="9 9 1"/>{bodies}
      </worldbody></mujoco>"""
    mjmodel = mujoco.MjModel.from_xml_string(xml)
    theirs = mujoco.MjData(mjmodel)
    ours = phalanx.Model.from_mujoco(mjmodel).with_hooks(contact_filter=odd_pairs).make_data()
    assert ours.model.flg_sweep
    with callbacks({"contact_filter": odd_pairs}):
        mujoco.mj_forward(mjmodel, theirs)
    ours.run("kinematics").run("com_pos").run("collision")
    assert ours.ncon == theirs.ncon > 150
    np.testing.assert_array_equal(ours.contact_geom, theirs.contact.geom)


def odd_pairs(m, d, geom1, geom2):
    return (geom1 + geom2) % 3 == 0


def all_but_one(m, d, geom1, geom2):
    return 10 * geom1 + geom2 == 3


def test_a_user_sensor_calls_its_hook():
    """As MuJoCo's callback does, with the cutoff; alone and in lanes. Without a hook the reading is zero."""
    mjmodel = mujoco.MjModel.from_xml_string(ARM.replace('<user dim="2"', '<user dim="2" cutoff="0.4"'))
    theirs, model = mujoco.MjData(mjmodel), phalanx.Model.from_mujoco(mjmodel)
    hooked = model.with_hooks(sensor=sensor)
    ours = hooked.make_data()
    batch = phalanx.BatchSim(hooked, 9)
    (readings,) = batch.bind("sensordata")
    for data in (theirs, ours, batch):
        data.qpos[..., :2], data.qvel[..., 0] = (0.25, 0.5), 0.3
    with callbacks({"sensor": lambda m, d, stage: sensor(m, d, 0)}):
        mujoco.mj_forward(mjmodel, theirs)
    ours.forward()
    batch.forward()
    np.testing.assert_allclose(theirs.sensordata, [0.4, np.tanh(0.3)], rtol=1e-14)
    np.testing.assert_allclose(ours.sensordata, theirs.sensordata, rtol=1e-14)
    np.testing.assert_array_equal(readings, np.tile(ours.sensordata, (9, 1)))
    bare = model.make_data()
    bare.forward()
    assert not bare.sensordata.any()


# --- ways of running


def starts(model, n: int) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    qpos = np.tile(model.qpos0, (n, 1))
    qpos[:, :2] += rng.normal(0, 0.5, (n, 2))
    qpos[:, 4] += rng.uniform(0, 0.02, n)
    return {"qpos": qpos, "qvel": rng.normal(0, 1, (n, model.nv)), "act": rng.normal(0, 1, (n, model.na))}


def alone(model, state: dict[str, np.ndarray], world: int, steps: int) -> phalanx.Data:
    data = model.make_data()
    for name, values in state.items():
        setattr(data, name, values[world])
    return data.step(steps)


@quiet()
def test_the_same_bits_in_lanes_and_on_threads(model):
    hooked, n, steps = model.with_hooks(**HOOKS), 19, 30
    state = starts(model, n)
    batch = phalanx.BatchSim(hooked, n, threads=2)
    assert batch.number.width == 8
    for name, values in state.items():
        setattr(batch, name, values)
    (qacc,) = batch.bind("qacc")
    for _ in range(3):
        batch.step(steps // 3)
    for world in range(n):
        data = alone(hooked, state, world, steps)
        for name in ("qpos", "qvel", "act", "ctrl", "userdata", "time"):
            np.testing.assert_array_equal(getattr(batch, name)[world], getattr(data, name), err_msg=name)
        np.testing.assert_array_equal(qacc[world], data.qacc)
    assert (batch.userdata[:, 0] == steps).all()


@quiet()
def test_the_same_bits_where_models_differ(model):
    """The hook reads numbers of the Model that are lanes."""
    hooked, n = model.with_hooks(act_dyn=act_dyn, act_gain=act_gain, control=control), 9
    state = starts(model, n)
    prm = np.tile(model.actuator_dynprm, (n, 1, 1)) * np.linspace(0.5, 2, n)[:, None, None]
    batch = phalanx.BatchSim(hooked, n, vary={"actuator_dynprm": prm})
    for name, values in state.items():
        setattr(batch, name, values)
    batch.step(10)
    for world in range(n):
        data = alone(hooked.replace(actuator_dynprm=prm[world]), state, world, 10)
        np.testing.assert_array_equal(batch.act[world], data.act)
        np.testing.assert_array_equal(batch.qpos[world], data.qpos)


@pytest.mark.conformance
@quiet()
def test_hooks_in_single_precision(model):
    """Close to double precision, after a few steps."""
    hooked, n = model.with_hooks(control=control, passive=passive, act_gain=act_gain), 17
    state, qpos = starts(model, n), {}
    for dtype in ("float64", "float32"):
        batch = phalanx.BatchSim(hooked, n, dtype=dtype)
        for name, values in state.items():
            setattr(batch, name, values)
        batch.step(5)
        qpos[dtype] = batch.qpos
    np.testing.assert_allclose(qpos["float32"], qpos["float64"], atol=1e-4)


@pytest.mark.parametrize(("width", "varied"), [(1, False), (16, False), (16, True)])
def test_hooks_compile_in_single_precision(model, width, varied):
    for name, hook in model.with_hooks(sensor=sensor, **HOOKS)._hooks.items():
        assert hook.address(NumberType("float32", width), varied), name


@quiet()
def test_the_same_bits_interpreted(model):
    hooked = model.with_hooks(**HOOKS)
    state = starts(model, 1)
    compiled = alone(hooked, state, 0, 4)
    with interpreted():
        plain = alone(hooked, state, 0, 4)
    for name in FIELDS:
        np.testing.assert_array_equal(getattr(plain, name), getattr(compiled, name), err_msg=name)


@quiet()
def test_models_with_other_hooks_live_side_by_side(model):
    gains = [1.0, 2.0]

    def pushing(gain):
        def push(m, d):
            d.ctrl[0] = gain

        return push

    pushed = [model.with_hooks(control=pushing(gain)) for gain in gains]
    data = [m.make_data() for m in (*pushed, model)]
    for _ in range(3):
        for d in data:
            d.step()
    assert [d.ctrl[0] for d in data] == [1.0, 2.0, 0.0]
    assert len({d.qvel[0] for d in data}) == 3
    assert model.hooks == {} and pushed[0].with_hooks(control=None).hooks == {}


@quiet()
def test_hooks_stay_with_copies(model):
    hooked = model.with_hooks(control=control)
    for other in (
        hooked.replace(opt={"timestep": 0.001}),
        pickle.loads(pickle.dumps(hooked)),
        copy.deepcopy(hooked),
        hooked.with_hooks(passive=passive),
        phalanx.BatchSim(hooked, 2, vary={"opt.gravity": np.zeros((2, 3))}).env(1).model,
    ):
        assert other.hooks["control"] is control
        assert other.make_data().forward().userdata[0] == 1.0
    data = hooked.make_data()
    for other in (data.copy(), pickle.loads(pickle.dumps(data))):
        assert other.step().ctrl[0] != 0.0


def test_what_is_captured_is_fixed_when_the_hook_is_given(model):
    gains = np.array([1.0, 2.0])

    def push(m, d):
        d.ctrl[0] = gains[0] * len(gains) + gains[-1]

    with quiet():
        data = model.with_hooks(control=push).make_data()
        gains[:] = 100.0
        assert data.forward().ctrl[0] == 4.0


def test_enums_lists_and_numpy_names_can_be_captured(model):
    levels, flags = [[0.5, 1.5]], (1, 2.5)

    def push(m, d):
        kind = m.jnt_type[0] == JointType.HINGE
        d.ctrl[0] = where(kind, levels[0, 1], np.inf) + flags[1] + np.clip(d.time, -1.0, np.pi)

    with quiet():
        assert model.with_hooks(control=push).make_data().forward().ctrl[0] == 4.0


@quiet()
def test_a_hook_is_compiled_once_and_found_on_disk(model, tmp_path):
    model.with_hooks(control=control).make_data()
    digest = model.with_hooks(control=control)._hooks["control"].digest
    assert [*cache.cache_folder(host_target()).glob(f"hook_control_{digest}_f64-*.so")]
    model.save(tmp_path / "arm.npz")
    script = (
        "import sys, warnings, phalanx\nwarnings.simplefilter('ignore')\n"
        "from tests.hook.test_hooks import control\n"
        f"model = phalanx.Model.load({str(tmp_path / 'arm.npz')!r}).with_hooks(control=control)\n"
        "from phalanx.native import build\n"
        "def refuse(*_): raise SystemExit('compiled again')\n"
        "build.image_of = refuse\n"
        "assert model.make_data().forward().userdata[0] == 1.0\n"
        "assert 'llvmlite' not in sys.modules\n"
    )
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, cwd=Path(phalanx.__file__).parent.parent)
    assert done.returncode == 0, done.stderr


def test_a_policy_with_captured_weights(model):
    """A small network, captured as arrays, gives what NumPy gives."""
    rng = np.random.default_rng(0)
    first, second, bias = rng.normal(0, 1, (8, 4)), rng.normal(0, 1, (2, 8)), rng.normal(0, 1, 8)

    def policy(m, d, scale=0.5):
        for i in range(2):
            d.ctrl[i] = 0.0
        for k in range(8):
            value = bias[k]
            for j in range(2):
                value += first[k, j] * d.qpos[j] + first[k, 2 + j] * d.qvel[j]
            hidden = np.tanh(value)
            for i in range(2):
                d.ctrl[i] += scale * second[i, k] * hidden

    with quiet():
        data = model.with_hooks(control=policy).make_data()
        data.qpos[:2], data.qvel[:2] = (0.3, -0.4), (1.0, 2.0)
        data.forward()
    expected = 0.5 * second @ np.tanh(first @ [0.3, -0.4, 1.0, 2.0] + bias)
    np.testing.assert_allclose(data.ctrl[:2], expected, rtol=1e-12)


def test_two_lambdas_in_a_line(model):
    hooked = model.with_hooks(act_gain=lambda m, d, actuator: 3.0, contact_filter=lambda m, d, geom1, geom2: geom2 > 0)
    with quiet():
        data = hooked.make_data()
        data.ctrl[4] = 1.0
        assert data.forward().actuator_force[4] == 3.0 and data.ncon == 0


def test_a_debugger_sees_the_function(model, capsys):
    with quiet(), interpreted():
        model.with_hooks(control=prints).make_data().forward()
    assert capsys.readouterr().out == "0.0\n"


# --- mistakes


def branch(m, d):
    if d.qpos[0] > 0.0:
        d.ctrl[0] = 1.0


def chain(m, d):
    d.ctrl[0] = where(0.0 < d.qpos[0] < 1.0, 1.0, 0.0)


def makes_list(m, d):
    gains = [1.0, 2.0]
    d.ctrl[0] = gains[0]


def prints(m, d):
    print(d.time)


def misspells(m, d):
    d.ctrl[0] = d.qpoz[0]


def misspells_option(m, d):
    d.ctrl[0] = m.opt.timestap


def slices(m, d):
    d.ctrl[:] = 0.0


def assigns_field(m, d):
    d.ctrl = 0.0


def negative(m, d):
    d.ctrl[0] = d.qpos[-1]


def row_of_matrix(m, d):
    d.ctrl[0] = d.xpos[1]


def looks_up(m, d):
    d.ctrl[0] = d.joint("shoulder").qpos


def squares(m, d):
    d.ctrl[0] = d.qpos[0] ** 2


def linear_algebra(m, d):
    d.ctrl[0] = np.linalg.norm(d.qpos)


def writes_model(m, d):
    m.body_mass[0] = 1.0


def unknown_name(m, d):
    d.ctrl[0] = sqrt(d.qpos[0])  # noqa: F821


def takes_time(m, d, t):
    d.ctrl[0] = t


def recursive(m, d):
    recursive(m, d)


def asks_shape(m, d):
    d.ctrl[0] = d.qpos.shape[0]


def raises(m, d):
    raise ValueError


def keyframes(m, d):
    d.ctrl[0] = m.key_qpos[0, 0]


def helper_misspells(model, data):
    return data.qpoz[0]


def calls_helper(m, d):
    d.ctrl[0] = helper_misspells(m, d)


def returns_nothing(m, d, actuator):
    d.ctrl[0] = 1.0


@pytest.mark.parametrize(
    ("function", "line", "words"),
    [
        (makes_list, 1, ("a list", "allocate nothing")),
        (prints, 1, ("print is not available", "PHALANX_INTERPRETED")),
        (misspells, 1, ("no field 'qpoz'", "'qpos'")),
        (misspells_option, 1, ("no field 'opt.timestap'", "'opt.timestep'")),
        (slices, 1, ("d.ctrl", "loop instead of a slice")),
        (assigns_field, 1, ("d.ctrl[i] = ...",)),
        (negative, 1, ("no negative indices",)),
        (row_of_matrix, 1, ("d.xpos has 2 axes", "load3(d.xpos, i)")),
        (looks_up, 1, ("model.joint(...).id",)),
        (squares, 1, ("x * x", "power")),
        (linear_algebra, 1, ("numpy.linalg is not available",)),
        (writes_model, 1, ("Model.replace",)),
        (unknown_name, 1, ("sqrt is not defined", "from phalanx.kernels import sqrt")),
        (takes_time, 0, ("must take (m, d)", "(m, d, t)")),
        (recursive, 0, ("calls itself",)),
        (asks_shape, 1, ("no .shape",)),
        (raises, 1, ("raise",)),
        (keyframes, 1, ("key_qpos", "only the model knows")),
    ],
)
def test_a_mistake_is_found_when_the_hook_is_given(model, function, line, words):
    with pytest.raises(phalanx.HookError) as caught:
        model.with_hooks(control=function)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    assert caught.value.file == __file__ and caught.value.hook == "control"
    assert caught.value.line == function.__code__.co_firstlineno + line
    assert caught.value.text.strip() in str(caught.value)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@quiet()
@pytest.mark.parametrize(("function", "line"), [(branch, 1), (chain, 1)])
def test_a_branch_on_the_data_is_refused_in_lanes(model, function, line):
    hooked = model.with_hooks(control=function)
    hooked.make_data().forward()
    with pytest.raises(phalanx.HookError, match=r"where\(condition, a, b\)[\s\S]*lanes=1") as caught:
        phalanx.BatchSim(hooked, 8)
    batch = phalanx.BatchSim(hooked, 3, lanes=1)
    assert batch.number.width == 0
    assert caught.value.line == function.__code__.co_firstlineno + line


@quiet()
def test_a_mistake_in_a_helper_is_found_by_the_compiler(model):
    with pytest.raises(phalanx.HookError, match=r"no field 'qpoz'; did you mean 'qpos'") as caught:
        model.with_hooks(control=calls_helper).make_data()
    assert caught.value.line == helper_misspells.__code__.co_firstlineno + 1


@quiet()
def test_a_gain_must_be_a_number(model):
    with pytest.raises(phalanx.HookError, match="must return a number"):
        model.with_hooks(act_gain=returns_nothing).make_data()
    with pytest.raises(phalanx.HookError, match="must return True or False"):
        model.with_hooks(contact_filter=lambda m, d, geom1, geom2: None).make_data()


def test_other_things_that_are_not_hooks(model):
    with pytest.raises(phalanx.HookError, match="'control'"):
        model.with_hooks(controls=control)
    with pytest.raises(phalanx.HookError, match="must be a function, not a int"):
        model.with_hooks(control=3)
    table = {"a": 1.0}
    with pytest.raises(phalanx.HookError, match="table is a dict: a hook captures numbers, tuples, arrays"):
        model.with_hooks(control=lambda m, d: table)
    weights = np.zeros((1000, 1000))
    with pytest.raises(phalanx.HookError, match=r"weights has 8\.0 MB"):
        model.with_hooks(control=lambda m, d: weights)


def test_a_local_function_cannot_be_pickled(model):
    with pytest.raises(phalanx.HookError, match="cannot be pickled"):
        pickle.dumps(model.with_hooks(control=lambda m, d: None))


def test_the_words_of_the_kernel_language_are_in_one_place():
    import phalanx.kernels as words

    assert {"where", "sin", "load3", "kernel"} <= set(words.__all__)
    assert all(callable(getattr(words, name)) for name in words.__all__)


def test_tanh_is_exact_enough():
    for x in (*np.linspace(-3, 3, 301), 1e-8, -40.0, 800.0, 0.0):
        assert abs(tanh(np.float64(x)) - np.tanh(x)) <= 1e-14 * abs(np.tanh(x))
