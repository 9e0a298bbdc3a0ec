"""Arguments are refused by what signatures say of them; the attack on all public functions knows how to call each."""

from __future__ import annotations

import contextlib
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx import mechanism
from phalanx.memory.declared import _rule as rule_of
from tools.attack_examples import EXAMPLES, MODEL, USUAL
from tools.attacks import api

ODD = (3, None, 2.5, np.zeros((2, 2)), [1], {"a": 1}, print, 10**400, api.Lying())


@pytest.fixture(scope="module")
def model() -> phalanx.Model:
    return phalanx.Model.from_xml_string(MODEL)


def test_every_public_class_with_methods_has_an_example() -> None:
    results = {"BadWorld", "SDF", "BatchSim"}  # the first takes a training run; the others have makers beside methods
    classes = {name: kind for name, kind in api.public().items() if isinstance(kind, type) and api.methods(kind)}
    assert {name for name, kind in classes.items() if kind not in EXAMPLES} <= results


def test_every_parameter_that_must_be_given_has_a_usual_value() -> None:
    missing = {
        f"{target.name}({parameter.name})"
        for target in api.targets()
        for parameter in [*inspect.signature(target.function).parameters.values()][target.owner is not None :]
        if parameter.default is parameter.empty
        and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
        and parameter.name not in (*USUAL, "cls", "self")
    }
    results = {name for name, kind in api.public().items() if isinstance(kind, type)}
    assert {name for name in missing if name.partition("(")[0] not in results} == set()


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_what_is_no_model_data_spec_or_path_is_refused_by_name(model: phalanx.Model, odd: Any) -> None:
    data, spec = model.make_data(), phalanx.Spec.from_string(MODEL)
    for name, call in {
        "model": lambda: phalanx.Data(odd),
        "data": lambda: mechanism.check_contacts(odd),
        "spec": lambda: mechanism.imu(odd, "tip", "imu"),
        "joint": lambda: mechanism.Motor(max_torque=1.0).attach(spec, odd),
        "path": lambda: data.save(odd),
        "assets": lambda: phalanx.Model.from_xml_string(MODEL, odd if odd is not None else 3),
        "limits": lambda: phalanx.Model.from_xml_string(MODEL, limits=odd if odd is not None else 3),
        "grids": lambda: model.with_sdf(odd if not isinstance(odd, dict) else None),  # type: ignore[arg-type]
        "other": lambda: spec.attach(odd),
        "recordings|unknowns|identify": lambda: phalanx.identify(model, odd, odd),
    }.items():
        if name == "path" and isinstance(odd, api.Lying):
            continue
        with pytest.raises(phalanx.PhalanxError, match=name):
            call()


def test_another_type_than_declared_gives_our_errors_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each parameter of each public function that is a class of ours, a path, a text or a mapping, one by one."""
    monkeypatch.chdir(tmp_path)
    things, other, tried = api.Things(tmp_path), object(), 0
    for target in api.targets():
        function = target.function.__init__ if isinstance(target.function, type) else target.function
        for name, annotation in getattr(inspect.unwrap(function), "__annotations__", {}).items():
            rule = rule_of(annotation) if isinstance(annotation, str) and name != "return" else None
            call = target.call(things)
            if rule is None or any(check(other) for check in rule.checks) or name not in parameters(call):
                continue
            positional, named = api.arguments_of(things, call, name.__eq__, lambda: other, "")
            # what only holds it is asked later
            with contextlib.suppress(phalanx.PhalanxError):
                call(*positional, **named)
            tried += 1
    things.forget()
    assert tried > 200


def parameters(call: Any) -> set[str]:
    return {*inspect.signature(call).parameters}


def test_files_that_cannot_be_written_are_named(model: phalanx.Model, tmp_path: Path) -> None:
    nowhere = tmp_path / "nowhere" / "a"
    for write in (
        lambda: model.save(nowhere.with_suffix(".npz")),
        lambda: model.save(nowhere.with_suffix(".mjb")),
        lambda: model.make_data().save(nowhere.with_suffix(".npz")),
        lambda: phalanx.Spec.from_string(MODEL).save(nowhere.with_suffix(".xml")),
        lambda: phalanx.Spec.from_string(MODEL).to_zip(nowhere.with_suffix(".zip")),
    ):
        with pytest.raises(phalanx.ModelError, match="cannot be written"):
            write()


def test_names_that_cannot_be_keys_are_no_names(model: phalanx.Model) -> None:
    element = phalanx.Spec.from_string(MODEL).find("body", "arm")
    for odd in ([1], np.zeros(2), {"a": 1}, 3, None):
        for ask in (model.row, model.make_data().row, element.__getitem__, lambda name: element.add(name)):
            with pytest.raises(phalanx.FieldError):
                ask(odd)  # type: ignore[operator]
        assert odd not in element and element.get(odd) is None  # type: ignore[arg-type]


@pytest.mark.conformance
def test_every_public_function_gives_our_errors_only() -> None:
    assert api.attack(31, 60.0) == []
