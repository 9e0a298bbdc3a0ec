"""Transmissions and actuation against MuJoCo: the stages alone, fed with MuJoCo's state, and a whole step."""

from __future__ import annotations

from functools import cache
from operator import attrgetter

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import or_, where
from phalanx.algebra.number_type import NumberType
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime as compiler
from phalanx.smooth.actuator.actuation import advance_activation, fwd_actuation
from phalanx.smooth.actuator.reflected import joint_actuator_armature
from phalanx.smooth.actuator.slope import is_drive_saturated
from phalanx.smooth.actuator.table import is_target_saturated
from phalanx.smooth.actuator.transmission import actuator_velocity, transmission
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import WarningType
from phalanx.tables.field import Kind

STRUCTURE = ("moment_rownnz", "moment_rowadr", "moment_colind")
FORWARD = (
    "actuator_length", "actuator_moment", "actuator_velocity", "act_dot", "actuator_force", "qfrc_actuator",
)  # fmt: skip
WARNINGS = ("warning_number", "warning_lastinfo")
INPUTS = ("qpos", "qvel", "act", "ctrl", "qfrc_gravcomp")
#: A spare row, for whether each actuator is saturated.
SATURATED = "efm_as"
#: A spare row, for the inertia that actuators lend to joints, by first dof.
ARMATURE = "efm_diag"
BAD_CONTROL = int(WarningType.BADCTRL)
TOLERANCE = 1e-12
STATES = 24
SCALAR = NumberType("float64")


# --- models


SCENE = """
<mujoco>
  <option timestep=".004" {option}><flag constraint="disable" {flags}/></option>
  <worldbody>
    <body gravcomp="1">
      <joint name="h" type="hinge" axis="0 1 1" {hinge}/>
      <joint name="s" type="slide" axis="1 0 0" {slide}/>
      <geom size=".1" pos="0 .1 0"/>
      <body pos="0 0 .3" gravcomp=".5"><joint name="b" type="ball" {ball}/><geom size=".1" pos=".1 0 0"/></body>
    </body>
    <body pos="1 0 0"><joint name="f" type="free" {free}/><geom type="box" size=".1 .2 .3"/></body>
  </worldbody>
  <actuator>{actuator}</actuator>
</mujoco>
"""


def scene(actuator: str = "", **parts: str) -> str:
    names = ("option", "flags", "hinge", "slide", "ball", "free")
    assert set(parts) <= set(names)
    return SCENE.format(actuator=actuator, **{name: parts.get(name, "") for name in names})


def dynamics(kind: str) -> str:
    """Actuators with one kind of activation dynamics: late and early, free and limited, with affine and fixed gain."""
    general = f'<general dyntype="{kind}" dynprm=".05"'
    return "".join(
        f"""{general} joint="h" gear="1.5" gaintype="affine" gainprm="2 .3 -.4" biastype="affine" biasprm=".1 -.2 .3"
                     actearly="{early}" {limit}/>
            {general} joint="s" gainprm="-3" ctrlrange="-1 .8" forcerange="-2 1" actearly="{early}" {limit}/>"""
        for early in ("false", "true")
        for limit in ("", 'actrange="-.5 .6"')
    )


def motor(attributes: str, joint: str = "h") -> str:
    return f'<dcmotor joint="{joint}" gear="1.3" motorconst=".5 .6" resistance="2" {attributes}/>'


INDUCTANCE = 'inductance="0 .02"'
THERMAL = 'thermal="2 3 0 .004 25 20"'
LUGRE = 'lugre="100 2 .3 .5 .8"'
COGGING = 'cogging=".2 6 .3"'
CONTROLLERS = (
    'input="pos" controller="3 .5 .2 0 0 0"',
    'input="pos vel ff voltage" controller="3 .5 .2 5 .3 4"',
    'input="vel" controller="0 0 2 8 0 3"',
    'input="ff voltage" controller="0 0 1 0 0 0"',
    'input="none"',
)
EVERY_STATE = f"{INDUCTANCE} {THERMAL} {LUGRE} {COGGING}"

LIMITED = {
    "hinge": 'actuatorgravcomp="true" actuatorfrcrange="-1 1.2"',
    "slide": 'actuatorfrcrange="-1 1"',
    "ball": 'actuatorgravcomp="true"',
}
LIMITED_ACTUATORS = """
    <position joint="h" kp="2" kv=".3"/><velocity jointinparent="h" kv=".5" forcerange="-.7 .6"/>
    <motor joint="s"/><velocity joint="s" kv=".6" gear="-2" forcerange=".2 1" group="3"/>
    <motor joint="b" gear="1 2 3"/><motor joint="f" gear="1 2 3 4 5 6" forcerange="-1 1"/>
"""
GROUPS = """
    <general joint="h" dyntype="filter" dynprm=".1" group="1"/>
    <general joint="h" dyntype="integrator" group="3" forcerange="1 2"/>
    <dcmotor joint="s" motorconst="1" resistance="1" group="3" lugre="100 2 .3 .5 .8"/>
    <motor joint="s" group="0"/><motor joint="s" group="40"/>
"""
SERVO = '<general joint="b" gainprm="3" biastype="affine" biasprm=".1 -3 -.2"'

MODELS = {
    "scalar joints": scene("""<motor joint="h" gear="3"/><motor joint="s" gear="-2"/>
        <motor jointinparent="h" gear="5"/>"""),
    "ball joint": scene('<motor joint="b" gear="1 2 3"/><motor jointinparent="b" gear=".3 -.2 .5"/>'),
    "free joint": scene('<motor joint="f" gear="1 2 3 4 5 6"/><motor jointinparent="f" gear=".1 .2 .3 -4 5 6"/>'),
    "mixed joints": scene("""<motor joint="f" gear="1 2 3 4 5 6"/><motor joint="h"/><motor jointinparent="b"
        gear="1 2 3"/><motor joint="s"/><motor jointinparent="f"/>"""),
    "no actuators": scene(**LIMITED),
    "stateless": scene("""<motor joint="h" ctrlrange="-1 .5"/><position joint="h" kp="5" kv="1"/>
        <velocity joint="s" kv="3"/><damper joint="h" kv="2" ctrlrange="0 1"/>
        <general joint="s" gaintype="affine" gainprm="2 .3 -.4" biastype="affine" biasprm=".1 -.2 .3" gear="2"/>
        <general joint="s" gaintype="user" biastype="user"/>"""),
    "integrator": scene(dynamics("integrator")),
    "filter": scene(dynamics("filter") + '<cylinder joint="s" timeconst=".2" area="2" bias="1 2 3"/>'),
    "filterexact": scene(dynamics("filterexact") + '<position joint="h" kp="5" kv="1" timeconst=".1"/>'),
    "time constant zero": scene('<general dyntype="filter" dynprm="0" joint="h" gainprm="1e-15"/>'),
    "user dynamics": scene('<general joint="h" dyntype="user" actdim="3"/>'),
    "servo on a ball": scene("""<position joint="b" gear="1 2 .3" kp="3" ctrlrange="-60 60"/>
        <position jointinparent="b" gear="0 1.2 0" kp="3" kv="1"/>
        <general joint="b" gear="1 1 1" gainprm="2" biastype="affine" biasprm="0 -1 0"/>"""),
    "integrator on a ball": scene("".join(
        f'{SERVO} dyntype="integrator" gear="{gear}" {more}/>' for gear in (".1 .2 .3", "2 1 0")
        for more in ("", 'actrange="-2 2"', 'actearly="true"'))),
    "filter on a ball": scene("".join(
        f'{SERVO} dyntype="{kind}" dynprm=".1" gear="{gear}" {more}/>' for gear in (".1 .2 .3", "2 1 0")
        for kind in ("filter", "filterexact") for more in ("", 'actrange="-2 2"', 'actearly="true"'))),
    "pid on a ball": scene("""<pid joint="b" gear="1 1 0" kp="2" ki="1" imax=".5"/>
        <pid joint="b" gear="1 1 0" kp="2" ki="1" imax=".5" slewmax="20" forcerange="-5 5"/>
        <pid jointinparent="b" gear=".2 0 1" kp="2" slewmax="3" kv=".2" input="pos vel ff"/>"""),
    "pid": scene("""<pid joint="h" kp="3" kv=".5"/><pid joint="s" kp="3" ki="2"/>
        <pid joint="h" kp="3" ki="2" imax=".3"/><pid joint="h" kp="3" ki="2" imax=".3" slewmax="40" gear="2"/>
        <pid joint="s" kp="1" slewmax="4"/>"""),
    "pid inputs": scene("""<pid joint="h" kp="3" kv="2" input="vel"/><pid joint="h" kp="3" kv="2" input="ff"/>
        <pid joint="h" kp="3" kv="2" ki="1" input="pos ff" posrange="-1 1" ffrange="-.2 .3"/>
        <pid joint="s" kp="3" kv="2" ki=".5" input="pos vel ff" posrange="-1 1" velrange="-2 .1" slewmax="9"/>"""),
    "muscle": scene("""<muscle joint="h" lengthrange="-2 2" gear="1.5"/>
        <muscle joint="h" lengthrange="-3 3" gear="-1" range=".5 1.4" vmax=".3" lmax="1.3" timeconst=".02 .06"/>"""),
    "muscle, smooth": scene("""<muscle joint="s" lengthrange="-1 1.5" force="30" tausmooth=".4"/>
        <muscle joint="h" lengthrange="-.2 .3" force="10" fvmax="1.01" fpmax="2" tausmooth="2"/>"""),
    "motor": scene("".join(motor(text) for text in ("", 'saturation=".3 0 0"', 'ctrlrange="-1 1"', *CONTROLLERS))),
    "motor, cogging": scene(motor(COGGING) + motor(f'{COGGING} saturation="0 .3 0"', "s")),
    "motor, inductance": scene("".join(motor(f"{INDUCTANCE} {text}") for text in (
        "", 'saturation=".3 0 4"', *CONTROLLERS))),
    "motor, thermal": scene("".join(motor(f"{THERMAL} {text}") for text in ("", INDUCTANCE, *CONTROLLERS))),
    "motor, friction": scene("".join(motor(f"{LUGRE} {text}", "s") for text in ("", THERMAL, *CONTROLLERS))),
    "motor, all": scene("".join(motor(f"{EVERY_STATE} {text}") for text in ("", 'saturation=".3 0 4"', *CONTROLLERS))),
    "limits": scene(LIMITED_ACTUATORS, **LIMITED),
    "limits, no gravity": scene(LIMITED_ACTUATORS, **LIMITED, flags='gravity="disable"'),
    "no clamp of controls": scene('<motor joint="h" ctrlrange="-.1 .1"/>', flags='clampctrl="disable"'),
    "groups": scene(GROUPS, option='actuatorgroupdisable="3"'),
    "no actuation": scene(GROUPS, flags='actuation="disable"'),
    "armature": scene("""<motor joint="h" armature="2" gear="3"/><motor joint="s" armature="1" gear="2"/>
        <position jointinparent="s" armature="3" gear="4"/><motor joint="b" armature="2" gear="2 1 3"/>
        <motor joint="f" gear="3 2 1 4 5 6" armature="3"/><motor joint="h"/>"""),
}  # fmt: skip


@cache
def model_of(name: str) -> mujoco.MjModel:
    return mujoco.MjModel.from_xml_string(MODELS[name])


def random_state(model: mujoco.MjModel, seed: int) -> mujoco.MjData:
    """MuJoCo's forward pass at a random state; some controls are far out, some activations far from their controls."""
    rng = np.random.default_rng(seed)
    data = mujoco.MjData(model)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), (0.0, 0.3, 1.5)[seed % 3])
    data.qvel[:] = rng.normal(size=model.nv) * 10.0 ** rng.uniform(-2, 1) * (seed % 5 != 4)
    data.ctrl[:] = rng.normal(size=model.nu) * (0.3, 1.0, 30.0)[seed % 3]
    data.act[:] = rng.normal(size=model.na) * (0.1, 1.0, 0.3, 20.0)[seed % 4]
    for actuator in np.flatnonzero(model.actuator_dyntype == mujoco.mjtDyn.mjDYN_DCMOTOR):
        # motors are stiff: away from their own scale one activation would drown all others
        count, start = model.actuator_actnum[actuator], model.actuator_actadr[actuator]
        data.act[start : start + count] = rng.normal(size=count) * 0.1
    mujoco.mj_forward(model, data)
    return data


# --- Model and Data as the stages see them


def fill(array: np.ndarray, values: list, is_lane: bool) -> None:
    """Write one value, or one per world along the last axis."""
    if is_lane:
        for world, value in enumerate(values):
            array[..., world] = np.reshape(value, array.shape[:-1])
    else:
        array[...] = np.reshape(values[0], array.shape)


def is_needed(name: str) -> bool:
    return name.startswith(("actuator_", "jnt_", "opt.", "flg_gravcomp")) and name != "actuator_user"


def model_store(models: list[mujoco.MjModel], number: NumberType) -> Store:
    """A store of what the stages read of one model, or of a lane of models that differ in real numbers only."""
    store = Store(MODEL_SCHEMA, {size: getattr(models[0], size, 0) for size in MODEL_SCHEMA.sizes}, number)
    for name in filter(is_needed, MODEL_SCHEMA.fields):
        array = store.allocate(name)
        is_lane = number.width > 1 and MODEL_SCHEMA.fields[name].kind is Kind.REAL
        fill(array, [attrgetter(name)(model) for model in models], is_lane)
        store.attach(name, array)
    return store


def data_store(model: mujoco.MjModel, states: list[mujoco.MjData], number: NumberType) -> Store:
    """A store of MuJoCo's state, with nonsense in all numbers that the stages must write."""
    sizes = {size: getattr(model, size, 0) for size in MODEL_SCHEMA.sizes} | dict.fromkeys(VARIABLE_SIZES, 0)
    store = Store(DATA_SCHEMA, sizes, number)
    scratch = ("actuation_ctrl", "actuation_drive", "hook_value", "awake_dof", "more_dofs", "asleep_act_dot", "time")
    for name in (*INPUTS, *STRUCTURE, *FORWARD, *WARNINGS, *scratch, SATURATED, ARMATURE, "error_code"):
        array = store.allocate(name)
        if name in INPUTS:
            fill(array, [getattr(state, name) for state in states], number.width > 1)
        elif name not in (*WARNINGS, ARMATURE, "act_dot", "error_code"):
            array[...] = -1 if name in STRUCTURE or array.dtype.kind == "i" else np.nan
        store.attach(name, array)
    return store


@kernel
def stages(m, d):
    """Everything from the position to the activations of the next step; the force is left as it was."""
    transmission(m, d)
    actuator_velocity(m, d)
    fwd_actuation(m, d)
    for actuator in range(m.nactuator):
        is_held = is_target_saturated(m.actuator_trntype[actuator], m, d, actuator)
        d.efm_as[actuator] = where(or_(is_drive_saturated(m, d, actuator), is_held), 1.0, 0.0)
    for joint in range(m.njnt):
        d.efm_diag[m.jnt_dofadr[joint]] = joint_actuator_armature(m, joint)
    advance_activation(m, d, d.act_dot)
    return 0


@cache
def native(model: NumberType, data: NumberType) -> compiler.NativeEntry:
    """The compiled stages; the numbers of the Model are plain, or lanes like those of the Data."""

    def build():
        from phalanx.memory.view import view_at

        model_at = view_at("model", model, True)
        data_at = view_at("data", data, False)

        def entry(m, d):
            return stages(model_at(m), data_at(d))

        return entry

    return compiler.load(compiler.Entry(f"test_actuation_{model.name}_{data.name}", build, 2))


def results(store: Store, world: int | None = None) -> dict[str, np.ndarray]:
    """What the stages wrote, for one world of a lane."""
    names = (*STRUCTURE, *FORWARD, *WARNINGS, SATURATED, ARMATURE, "act")
    is_lane = world is not None
    return {
        name: np.array(store.arrays[name][..., world] if is_lane and name not in STRUCTURE else store.arrays[name])
        for name in names
    }


def run_scalar(model: mujoco.MjModel, state: mujoco.MjData) -> dict[str, np.ndarray]:
    m, d = model_store([model], SCALAR), data_store(model, [state], SCALAR)
    native(SCALAR, SCALAR)(m.address, d.address)
    return results(d)


def run_interpreted(model: mujoco.MjModel, state: mujoco.MjData) -> dict[str, np.ndarray]:
    m, d = model_store([model], SCALAR), data_store(model, [state], SCALAR)
    with np.errstate(all="ignore"):
        stages(PlainView(m), PlainView(d))
    return results(d)


def run_lanes(models: list[mujoco.MjModel], states: list[mujoco.MjData], width: int) -> list[dict[str, np.ndarray]]:
    """W worlds at once: of one model, or of W models."""
    number = NumberType("float64", width)
    of_model = number if len(models) > 1 else SCALAR
    m, d = model_store(models, of_model), data_store(models[0], states, number)
    native(of_model, number)(m.address, d.address)
    return [results(d, world) for world in range(width)]


def relative_error(ours: np.ndarray, theirs: np.ndarray) -> float:
    """Largest deviation relative to the largest value; zeros must be met exactly."""
    if theirs.size == 0:
        return 0.0
    assert np.isfinite(ours).all()
    largest = np.abs(theirs).max()
    return np.abs(ours - theirs).max() / (largest if largest > 0 else np.finfo(float).tiny)


# --- against MuJoCo


@pytest.mark.parametrize("name", MODELS)
def test_every_field_is_that_of_mujoco(name):
    model = model_of(name)
    for seed in range(STATES):
        state = random_state(model, seed)
        ours = run_scalar(model, state)
        for field in STRUCTURE:
            assert np.array_equal(ours[field], getattr(state, field)), (field, seed)
        for field in FORWARD:
            assert relative_error(ours[field], getattr(state, field)) < TOLERANCE, (field, seed)
        assert not any(ours["warning_number"])


@pytest.mark.parametrize("name", MODELS)
def test_the_next_activations_are_those_of_mujoco(name):
    model = model_of(name)
    for seed in range(STATES):
        state = random_state(model, seed)
        ours = run_scalar(model, state)
        mujoco.mj_step(model, state)
        assert relative_error(ours["act"], state.act) < TOLERANCE, seed


@pytest.mark.parametrize("name", MODELS)
def test_a_whole_step_is_that_of_mujoco(name):
    """The stages in their place: Data.forward and Data.step."""
    model = model_of(name)
    data = phalanx.Model.from_mujoco(model).make_data()
    for seed in range(20):
        state = random_state(model, seed)
        data.reset()
        for field in ("qpos", "qvel", "act", "ctrl"):
            getattr(data, field)[:] = getattr(state, field)
        data.forward()
        for field in FORWARD:
            assert relative_error(getattr(data, field), getattr(state, field)) < TOLERANCE, (field, seed)
        mujoco.mj_step(model, state)
        data.step()
        for field in ("act", "qvel", "qpos"):
            assert relative_error(getattr(data, field), getattr(state, field)) < TOLERANCE, (field, seed)


STILL = ("no actuators", "no actuation")


@pytest.mark.parametrize("name", MODELS)
def test_every_model_shows_what_it_is_about(name):
    """No test above passes because there is nothing to compare."""
    model = model_of(name)
    states = [random_state(model, seed) for seed in range(STATES)]
    forces = np.array([state.actuator_force for state in states]).reshape(STATES, -1)
    assert np.any(forces, axis=0).sum() == (0 if name in STILL else model.nout - (name == "groups"))
    moving = [k for k in range(model.nactuator) if model.actuator_dyntype[k] not in (0, int(mujoco.mjtDyn.mjDYN_USER))]
    for actuator in [] if name in STILL else moving:
        first, count = model.actuator_actadr[actuator], model.actuator_actnum[actuator]
        assert np.any([state.act_dot[first : first + count] for state in states], axis=0).all()


def test_setpoints_on_a_circle_do_wrap():
    model = model_of("servo on a ball")
    state = random_state(model, 2)
    free = 3.0 * (np.clip(state.ctrl[0], -60.0, 60.0) - state.actuator_length[0])
    period = 2.0 * np.pi * np.linalg.norm(model.actuator_gear[0, :3])
    assert abs(free) > 1.5 * period
    assert abs(run_scalar(model, state)["actuator_force"][0]) <= 1.5 * period


def test_joints_borrow_armature():
    model = model_of("armature")
    plain = mujoco.MjModel.from_xml_string(scene())
    ours = run_scalar(model, random_state(model, 0))[ARMATURE]
    lent = (model.dof_M0 - plain.dof_M0)[model.jnt_dofadr]
    assert np.allclose(ours[model.jnt_dofadr], lent, rtol=1e-12)
    assert lent.all()


# --- bad controls


@pytest.fixture
def silent_mujoco():
    mujoco.set_mju_user_warning(lambda message: None)
    yield
    mujoco.set_mju_user_warning(None)


BAD_MODEL = scene("""<motor joint="h"/><motor joint="s" ctrlrange="-1 1"/><general joint="h" dyntype="filter"/>
                     <motor joint="s"/>""")
CONTROLS = {
    "good": (1.0, 2.0, 3.0, 4.0),
    "largest": (1e10, 2.0, -1e10, 4.0),
    "nan": (1.0, 2.0, 3.0, np.nan),
    "two": (1.0, 2.0, -1.1e10, np.nan),
    "clamped infinity": (1.0, np.inf, 1.0, 1.0),
    "clamped nan": (1.0, np.nan, 1.0, 1.0),
    "infinity": (-np.inf, np.nan, 1.0, 1.0),
    "last": (1.0, 1.0, 1.0, 1.1e10),
}


def bad_states() -> tuple[mujoco.MjModel, list[mujoco.MjData]]:
    model = mujoco.MjModel.from_xml_string(BAD_MODEL)
    states = [random_state(model, seed) for seed in range(len(CONTROLS))]
    for state, controls in zip(states, CONTROLS.values(), strict=True):
        state.ctrl[:] = controls
        mujoco.mj_forward(model, state)
    return model, states


def test_one_bad_control_zeroes_all(silent_mujoco):
    model, states = bad_states()
    for name, state in zip(CONTROLS, states, strict=True):
        ours = run_scalar(model, state)
        for field in FORWARD:
            assert relative_error(ours[field], getattr(state, field)) < TOLERANCE, (name, field)
        assert ours["warning_number"][BAD_CONTROL] == state.warning[BAD_CONTROL].number, name
        assert ours["warning_lastinfo"][BAD_CONTROL] == state.warning[BAD_CONTROL].lastinfo, name


def test_a_bad_control_stays_in_its_world(silent_mujoco):
    model, states = bad_states()
    alone = [run_scalar(model, state) for state in states]
    for ours, theirs in zip(run_lanes([model], states, 8), alone, strict=True):
        assert_same_bits(ours, theirs)


# --- saturation: what the implicit integrators must leave out

SATURATION = scene(
    """<velocity joint="h" kv="1"/><velocity joint="s" kv="1" forcerange="-1 1"/><velocity joint="s" kv="2"/>""",
    hinge='actuatorfrcrange="-1 1"',
    option='integrator="implicit" gravity="0 0 0"',
)


@pytest.mark.parametrize("controls", [(0.5, 0.5), (1.0, 0.5), (2.0, 0.5), (-1.5, -2.0), (0.0, 1.0), (0.9, -1.0)])
def test_a_limit_that_is_reached_saturates(controls):
    model = mujoco.MjModel.from_xml_string(SATURATION)
    state = mujoco.MjData(model)
    state.ctrl[:2] = controls
    mujoco.mj_forward(model, state)
    held = run_scalar(model, state)[SATURATED]
    mujoco.mj_step(model, state)
    # the derivative of the force of each joint by its own velocity is minus the sum of kv of those not held
    diagonal = state.qDeriv[model.D_rowadr[:2] + model.D_diag[:2]]
    assert np.array_equal(diagonal, [-1.0 * (not held[0]), -1.0 * (not held[1]) - 2.0 * (not held[2])])


MOTORS = scene("".join(
    f'<dcmotor joint="s" motorconst="1" resistance="1" saturation="1 0 0" cogging=".5 0 {phase}"/>'
    for phase in ("-1.5707963", "1.5707963")))  # fmt: skip


def test_the_drive_of_a_motor_saturates_not_its_cogging():
    model = mujoco.MjModel.from_xml_string(MOTORS)
    state = mujoco.MjData(model)
    state.ctrl[:] = 2.0, 0.8
    mujoco.mj_forward(model, state)
    assert np.allclose(state.actuator_force, (0.5, 1.3))
    assert np.array_equal(run_scalar(model, state)[SATURATED], (1.0, 0.0))


# --- the same bits in every way of running


def assert_same_bits(ours: dict[str, np.ndarray], theirs: dict[str, np.ndarray]) -> None:
    for name, value in ours.items():
        assert value.tobytes() == theirs[name].tobytes(), (name, value - theirs[name])


@pytest.mark.parametrize("name", MODELS)
def test_interpreted_and_compiled_give_the_same_bits(name):
    model = model_of(name)
    for seed in range(4):
        state = random_state(model, seed)
        assert_same_bits(run_interpreted(model, state), run_scalar(model, state))


@pytest.mark.parametrize("width", (4, 8))
@pytest.mark.parametrize("name", MODELS)
def test_lanes_and_one_world_give_the_same_bits(name, width):
    model = model_of(name)
    states = [random_state(model, seed) for seed in range(width)]
    alone = [run_scalar(model, state) for state in states]
    for ours, theirs in zip(run_lanes([model], states, width), alone, strict=True):
        assert_same_bits(ours, theirs)


VARIED = """actuator_gainprm actuator_biasprm actuator_dynprm actuator_gear actuator_forcerange actuator_ctrlrange
            actuator_actrange actuator_lengthrange actuator_acc0 actuator_armature jnt_actfrcrange""".split()


def varied_model(name: str, world: int) -> mujoco.MjModel:
    """The model with other numbers; in some worlds features are switched off, so that neighbours differ in branches."""
    model = mujoco.MjModel.from_xml_string(MODELS[name])
    rng = np.random.default_rng(world)
    for field in VARIED:
        array = getattr(model, field)
        array *= rng.uniform(0.5, 1.5, size=array.shape)
    if world % 4 == 1:
        model.actuator_gear[:, :3] = 0.0
    if world % 4 == 2:
        model.actuator_biasprm[:] = 0.0
    if world % 4 == 3:
        model.actuator_dynprm[:, 0] = 0.0
        model.actuator_gainprm[:, 5:] = 0.0
    return model


@pytest.mark.parametrize("name", MODELS)
def test_worlds_of_different_models_give_the_same_bits(name):
    models = [varied_model(name, world) for world in range(8)]
    states = [random_state(model_of(name), seed) for seed in range(8)]
    alone = [run_scalar(model, state) for model, state in zip(models, states, strict=True)]
    for ours, theirs in zip(run_lanes(models, states, 8), alone, strict=True):
        assert_same_bits(ours, theirs)
