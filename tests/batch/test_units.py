"""What `phalanx warmup` compiles is all that a program can ask for: no entry is forgotten, no call waits afterwards."""

from __future__ import annotations

import ast
import functools
import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx import collision
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.units import FAMILIES, all_units
from phalanx.native import build, cache, runtime
from phalanx.native.entry import PartUnit, Unit
from phalanx.pipeline.entries import ENTRIES
from phalanx.pipeline.parts import kernels_of, letters, number_of, suffix_of
from phalanx.tables.parts import PARTS
from tests.quiet import quiet

PACKAGE = Path(phalanx.__file__).resolve().parent

XML = """<mujoco>
<option><flag energy="enable"/></option>
<worldbody>
  <geom name="floor" type="plane" size="5 5 .1"/>
  <body name="arm" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping=".1" limited="true" range="-90 90"/>
    <geom name="upper" type="capsule" fromto="0 0 0 .3 0 0" size=".05"/><site name="tip" pos=".3 0 0"/>
    <body name="hand" pos=".4 0 0"><joint name="wrist" axis="0 1 0"/><geom name="palm" type="box" size=".1 .1 .05"/>
    </body>
  </body>
  <body name="ball" pos="0 0 .2"><freejoint/><geom name="ball" size=".1"/></body>
  <body name="block" pos=".6 0 .2"><freejoint/><geom name="block" type="box" size=".1 .1 .1"/></body>
</worldbody>
<actuator><motor name="motor" joint="wrist" ctrllimited="true" ctrlrange="-1 1"/></actuator>
<sensor><accelerometer site="tip"/></sensor>
<keyframe><key name="home" qpos="0 0 0 0 1 1 0 0 0 .6 0 1 1 0 0 0"/></keyframe>
</mujoco>"""


# --- the registry


def units_made() -> Iterator[tuple[Path, ast.Call]]:
    """Every place of the package that makes something to be compiled."""
    for path in PACKAGE.rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        if "phalanx.native.entry import" not in source:
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("Entry", "PartUnit", "TextUnit"):
                yield path, node


def test_no_place_makes_a_unit_that_is_not_listed() -> None:
    """A file that makes units is one that some listed unit comes from.

    Hooks and tasks are those of the user, and what runs in browsers is compiled for an export. Exact derivatives are
    compiled when a model first asks for them, as their page says: they are all parts once more, which most programs
    never use.
    """
    on_demand = {
        "phalanx.hook.hooks", "phalanx.learn.task_worlds", "phalanx.derivative.dual_units", "phalanx.web.web_units",
    }  # fmt: skip
    listed = {unit.origin.partition(":")[0] for unit in all_units()}
    assert len(list(units_made())) >= 5
    for path, _ in units_made():
        module = ".".join(("phalanx", *path.relative_to(PACKAGE).with_suffix("").parts))
        assert module in listed | on_demand, f"{module} makes units that warmup does not know"


def test_every_entry_and_part_is_listed_for_every_number_type() -> None:
    names = {unit.name for unit in all_units()}
    for part in PARTS:
        for kind in ("f64", "f64x8", "f64x8_varied", "f32x1", "f32x16", "f32x16_varied"):
            assert f"{part}_{kind}" in names
        for kind in ("f64s", "f32x1s"):
            assert (f"{part}_{kind}" in names) == PARTS[part].sleeps
    for entry in ENTRIES:
        assert any(name.startswith(f"{entry}_f64") for name in names)
    assert len(names) >= len(FAMILIES)


def test_parts_that_do_not_ask_who_may_sleep_are_the_same_code_for_both_answers() -> None:
    """So that one image serves models with and without the flag; those that do ask differ."""
    for name, row in PARTS.items():
        build = functools.partial(kernels_of, name)
        texts = {
            PartUnit(name, build, functools.partial(letters, one_world("float64", sleeps), False)).text(False)
            for sleeps in (False, True)
        }
        assert (len(texts) == 2) == row.sleeps, f"{name}: the column `sleeps` says {row.sleeps}"


def test_number_types_have_names_that_tell_them() -> None:
    for use_varied in (False, True):
        for number in (one_world("float64"), one_world("float64", True), one_world("float32", True)):
            assert number_of(suffix_of(number, use_varied)) == (number, use_varied)
    with pytest.raises(ValueError, match="single worlds"):
        NumberType("float64", 8, sleeps=True)


def test_all_lanes_are_those_of_each_choice() -> None:
    each = {unit.name for lanes in (1, 2, 4, 8, 16) for unit in all_units(lanes=lanes)}
    assert {unit.name for unit in all_units(lanes="all")} == each


# --- every public function


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Names of all units that are asked for from now on; they are loaded anew, so that none is passed over."""
    names: set[str] = set()
    take = runtime._take

    def noted(unit: Unit) -> bool:
        names.add(unit.name)
        return take(unit)

    monkeypatch.setattr(runtime, "_images", {})
    monkeypatch.setattr(runtime, "_take", noted)
    collision.shape.queries.native.cache_clear()
    return names


#: What parameters of this name are given.
VALUES: dict[str, Any] = {
    "point": (0.0, 0.0, 0.0), "body": "hand", "geom": "palm", "site": "tip", "geom1": "ball", "geom2": "palm",
    "origin": (0.0, 0.0, 3.0), "direction": (0.0, 0.0, -1.0), "origins": (0.0, 0.0, 3.0),
    "directions": (0.0, 0.0, -1.0), "operation": "kinematics", "seed": 0, "target": "palm", "contact": 0, "i": 0,
    "name": "qpos", "dtype": "float64", "base": "float32", "objtype": "body", "obj": "hand",
    "force": (0.0, 0.0, 1.0), "torque": (0.0, 0.0, 1.0), "axis": (0.0, 0.0, 1.0), "sig": "PHYSICS",
}  # fmt: skip


def public(cls: type) -> list[str]:
    return [name for name, _ in inspect.getmembers(cls, inspect.isfunction) if not name.startswith("_")]


def call_all(target: Any, given: dict[str, Callable[[], Any]]) -> None:
    """Call every public method of an object: as given, or with values by the names of its parameters."""
    for name in public(type(target)):
        if name in given:
            given[name]()
            continue
        method = getattr(target, name)
        needed = [
            parameter.name
            for parameter in inspect.signature(method).parameters.values()
            if parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        unknown = [parameter for parameter in needed if parameter not in VALUES]
        assert not unknown, f"say in this test what {type(target).__name__}.{name} is to be called with"
        method(*(VALUES[parameter] for parameter in needed))


def use_data(model: phalanx.Model, dtype: str, folder: Path) -> None:
    data = model.make_data(dtype).step(50).forward()
    vector, path = np.ones(model.nv), folder / "data.npz"
    call_all(data, {
        "mul_m": lambda: data.mul_m(vector), "solve_m": lambda: data.solve_m(vector),
        "restore": lambda: data.restore(data.snapshot()),
        "save": lambda: data.save(path), "load": lambda: (data.save(path), data.load(path)),
        "contact_force": lambda: data.step(200).forward().contact_force(0),
        "mul_m2": lambda: data.mul_m2(vector), "solve_m2": lambda: data.solve_m2(vector),
        "set_state": lambda: data.set_state(data.get_state()), "copy_state": lambda: data.copy_state(data.copy()),
        "integrate_pos": lambda: data.integrate_pos(data.qpos, vector, 0.1),
        "differentiate_pos": lambda: data.differentiate_pos(data.qpos, data.qpos, 0.1),
        "normalize_quat": lambda: data.normalize_quat(data.qpos),
        "mul_jac": lambda: data.mul_jac(vector), "mul_jac_t": lambda: data.mul_jac_t(np.ones(data.nefc)),
        "constraint_update": lambda: data.constraint_update(np.ones(data.nefc)),
        "parameter_derivatives": lambda: data.parameter_derivatives("opt.gravity"),
    })  # fmt: skip
    for operation in ENTRIES["world"]:
        if operation not in ("step", "rays"):
            data.run(operation)


def use_batch(batch: phalanx.BatchSim) -> None:
    batch.bind("sensordata")
    call_all(batch, {
        "bind": lambda: batch.bind("xpos"), "inverse": lambda: batch.inverse(np.zeros(batch.model.nv)),
        "reset_where": lambda: batch.reset_where(np.arange(batch.n) % 2 == 0),
        "contacts": lambda: batch.contacts(0), "restore": lambda: batch.restore(batch.snapshot()),
        "set_vary": lambda: batch.set_vary(0, body_mass=batch.model.body_mass),
        "set_state": lambda: batch.set_state(batch.get_state()),
    })  # fmt: skip
    phalanx.rollout(batch.model, batch, nsteps=3)


@quiet()
def use_model(folder: Path) -> phalanx.Model:
    model = phalanx.Model.from_xml_string(XML)
    path = folder / "model.npz"
    call_all(model, {
        "replace": lambda: model.replace(body_mass=2.0 * model.body_mass), "save": lambda: model.save(path),
        "with_hooks": lambda: model.with_hooks(control=None), "with_sdf": lambda: model.with_sdf({}),
        "extract_state": lambda: model.extract_state(np.zeros(model.state_size("PHYSICS")), "PHYSICS", "PHYSICS"),
        "to_mujoco": lambda: None, "to_urdf": lambda: model.to_urdf(folder / "model.urdf"),
        "with_muscles": lambda: model.with_muscles({}), "row": lambda: model.row("qpos0"),
    })  # fmt: skip
    phalanx.Model.load(path)
    return model


def use_shapes() -> None:
    ball, box = collision.Sphere(0.2, pos=[0, 0, 0.6]), collision.Box([0.5, 0.5, 0.5])
    collision.contacts(box, ball)
    collision.distance(box, ball)
    collision.ray(box, (0, 0, 3), (0, 0, -1))


def use_everything(dtype: str, folder: Path) -> None:
    model = use_model(folder)
    use_data(model, dtype, folder)
    masses = np.linspace(1.0, 2.0, 3)[:, None] * model.body_mass
    for options in ({}, {"lanes": 1}, {"vary": {"body_mass": masses}}, {"vary": {"body_mass": masses}, "lanes": 1}):
        use_batch(phalanx.BatchSim(model, 3, dtype=dtype, **options))
    use_batch(phalanx.BatchSim(model, 1, dtype=dtype))
    use_shapes()


@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=pytest.mark.conformance)])
def test_no_public_function_asks_for_what_warmup_does_not_compile(dtype: str, asked: set[str], tmp_path: Path) -> None:
    use_everything(dtype, tmp_path)
    assert {"caller", "shapes_f64", "batch_f64x8" if dtype == "float64" else "batch_f32x16"} <= asked
    assert asked <= {unit.name for unit in all_units()}


@pytest.mark.conformance
def test_after_warmup_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """From an empty cache, with every public function in both precisions."""
    monkeypatch.setenv(cache.CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setattr(runtime, "_images", {})
    build.ensure(all_units(), lambda name, seconds: None)
    waited = build.seconds_waited()
    for dtype in ("float64", "float32"):
        use_everything(dtype, tmp_path)
    assert build.seconds_waited() == waited
