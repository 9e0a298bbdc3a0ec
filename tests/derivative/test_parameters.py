"""Derivatives of steps by numbers of the Model, against models that were replaced one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import phalanx
from tests.conformance.models import load
from tests.derivative.test_transition import twins

FIELDS = (
    "body_mass", "body_inertia", "body_pos", "body_ipos", "dof_damping", "dof_armature", "dof_frictionloss",
    "jnt_stiffness", "geom_friction", "geom_size", "geom_solref", "actuator_gainprm", "opt.gravity", "jnt_range",
)  # fmt: skip


def by_replacing(data: phalanx.Data, field: str, index: tuple[int, ...], size: float) -> np.ndarray:
    """One column: the difference of steps of two replaced models."""
    outcomes = []
    for amount in (-size, size):
        values = np.array(data.model._store.arrays[field])
        values[index] += amount
        other = data.model.replace(**{field: values}).make_data()
        other.set_state(data.get_state())
        outcomes.append(other.step())
    first, second = outcomes
    moved = data.differentiate_pos(first.qpos, second.qpos, 2 * size)
    pairs = [(first.qvel, second.qvel), (first.act, second.act), (first.sensordata, second.sensordata)]
    return np.concatenate([moved, *((1.0 / (2 * size)) * (b - a) for a, b in pairs)])


def check_columns(data: phalanx.Data, found: phalanx.ParameterDerivatives, eps: float, columns: Any) -> None:
    for column in columns:
        field, index = found.fields[column], found.indices[column]
        array = data.model._store.arrays[field]
        size = eps * (abs(float(array[index])) or float(np.abs(array).max()) or 1.0)
        assert np.array_equal(found.matrix[:, column], by_replacing(data, field, index, size)), found.columns[column]


@pytest.mark.parametrize("name", ["own/everything", "own/contact"])
def test_columns_are_the_bits_of_replaced_models(name: str) -> None:
    *_, data = twins(name)
    rng = np.random.default_rng(0)
    before = data.fingerprint()
    found = data.parameter_derivatives(
        [field for field in FIELDS if data.model._store.arrays[field].size], one_sided=False
    )
    signed = [
        k for k, (f, i) in enumerate(zip(found.fields, found.indices, strict=True)) if data.model._store.arrays[f][i]
    ]
    check_columns(data, found, 1e-6, rng.choice(signed, min(12, len(signed)), replace=False))
    assert data.fingerprint() == before
    assert np.isfinite(found.matrix).all()


def test_exact_derivatives_are_near() -> None:
    """A slide with a motor and a damper: v' = v + h (u - b v') / m, by its mass."""
    xml = """<mujoco><option gravity="0 0 0"/><worldbody><body name="box"><joint name="j" type="slide"/>
    <geom size=".1" mass="2"/></body></worldbody><actuator><motor joint="j"/></actuator>
    <sensor><jointvel joint="j"/></sensor></mujoco>"""
    data = phalanx.Model.from_xml_string(xml).make_data()
    data.ctrl, h = 3.0, data.model.opt.timestep
    P, S = data.parameter_derivatives({"body_mass": "box"})
    np.testing.assert_allclose(P[:, 0], [-h * h * 3 / 4, -h * 3 / 4], rtol=1e-8)
    assert S.shape == (1, 1)
    (gear,) = data.parameter_derivatives({"actuator_gear": (0, 0)}).P.T
    np.testing.assert_allclose(gear, [h * h * 3 / 2, h * 3 / 2], rtol=1e-8)


def test_elements_are_chosen_by_name_index_and_mask() -> None:
    data = load("own/everything").phalanx.make_data()
    m = data.model
    name = m.names.names["body"][1] or 1
    assert data.parameter_derivatives({"body_mass": [name, 2]}).columns == ["body_mass[1]", "body_mass[2]"]
    assert data.parameter_derivatives({"body_pos": (1, slice(0, 2))}).columns == ["body_pos[1, 0]", "body_pos[1, 1]"]
    mask = np.zeros(m.nbody, bool)
    mask[3] = True
    assert data.parameter_derivatives({"body_mass": mask}).columns == ["body_mass[3]"]
    found = data.parameter_derivatives("opt.gravity")
    assert found.columns == ["opt.gravity[0]", "opt.gravity[1]", "opt.gravity[2]"]
    assert found.of("opt.gravity").shape == (len(found.matrix), 3)


def test_what_is_zero_is_nudged_upwards() -> None:
    xml = """<mujoco><worldbody><body><joint axis="0 1 0"/><geom size=".1" pos=".3 0 0"/></body></worldbody></mujoco>"""
    data = phalanx.Model.from_xml_string(xml).make_data()
    data.qvel = 1.0
    found = data.parameter_derivatives(["dof_damping", "dof_armature", "dof_frictionloss"])
    assert np.isfinite(found.matrix).all()
    assert (found.P[1] != 0).all(), "damping, inertia and friction all slow the joint down"


@pytest.mark.parametrize(
    ("wrt", "words"),
    [
        ("body_weight", "body_weight"),
        ("body_parentid", "cannot vary"),
        ({"body_mass": "nobody"}, "nobody"),
        ({"body_mass": 99}, "shape"),
        ({"body_mass": 0.5}, "whole numbers"),
        (3, "names of fields"),
        ({"opt.gravity": "x"}, "no names"),
    ],
)
def test_what_is_refused(wrt: Any, words: str) -> None:
    data = load("own/free").phalanx.make_data()
    with pytest.raises((phalanx.FieldError, phalanx.UnknownNameError), match=words):
        data.parameter_derivatives(wrt)
