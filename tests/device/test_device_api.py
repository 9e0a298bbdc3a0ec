"""A batch of a device has the API of BatchSim: every public name, every argument, with the answers of the CPU."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.batch.binding import BINDABLE, obstacle
from phalanx.device.world_kernel import UNKEPT
from phalanx.memory.errors import public_names
from phalanx.memory.layout import DATA_SCHEMA
from tests.device.test_gpu_batch import check_same
from tests.device.whole_kernel import whole_kernel
from tests.quiet import quiet

#: What a batch of a device has besides, and why.
ADDED = {"use": "memory of a world, launches: what is scarce on a device"}
#: Answers that are not those of the CPU, and why.
OTHER_ANSWERS = {
    "nbytes": "memory is that of the device",
    "on_cpu": "is the batch itself on the CPU",
    "close": "ends threads of the CPU",
}
#: Arguments of whose values a device takes others, and why.
OTHER_VALUES = {
    "lanes": "a thread of a device has one world: 1 and 'auto' are the same",
    "device": "each class has its own",
}
#: Outputs that only the CPU can bind, and why.
UNBOUND = dict.fromkeys(UNKEPT, "statistics of the solver would be most of the memory of a world")

N = 3
SCENE = """
<mujoco>
  <option timestep="0.01"/>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body name="upper" pos="0 0 .2">
      <joint name="shoulder" axis="0 1 0"/>
      <geom name="ball" size=".05" pos=".2 0 0"/>
      <body name="lower" pos=".3 0 0">
        <joint name="elbow" axis="0 1 0" limited="true" range="-60 60"/>
        <geom type="capsule" size=".04" fromto="0 0 0 .2 0 0"/>
        <site name="tip" pos=".2 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor joint="shoulder" gear="2"/></actuator>
  <sensor><jointpos joint="elbow" noise=".1"/><touch site="tip"/></sensor>
  <keyframe><key name="raised" qpos="-1 0.5" qvel="1 0"/></keyframe>
</mujoco>
"""
ORIGINS, DOWN = np.array([[0.1, 0.0, 1.0], [0.2, 0.0, 1.0]]), [0.0, 0.0, -1.0]
MASK = np.array([True, False, True])

#: Calls of each public name, by their arguments, which together are all that it has; functions are asked of the batch.
#: `names` and `fields` are those of methods that take any number of them.
CALLS: dict[str, tuple[dict[str, Any], ...]] = {
    "bind": ({"names": ("xpos", "qacc", "sensordata")},),
    "step": ({}, {"n": 4, "strict": True}),
    "step_all": ({"n": 2, "strict": True},),
    "forward": ({}, {"worlds": [1], "strict": True}),
    "errors": ({},),
    "ncon": ({},),
    "env": ({"i": 1},),
    "contacts": ({"i": 1},),
    "contact_table": ({}, {"worlds": MASK}),
    "rne_post_constraint": ({}, {"worlds": [2]}),
    "inverse": ({"qacc": np.ones(2)}, {"qacc": np.ones((N, 2))}),
    "rays": (
        {"origins": ORIGINS, "directions": DOWN},
        {"origins": ORIGINS, "directions": DOWN, "geomgroup": [1, 0, 0, 0, 0, 0], "static": False, "exclude": "upper"},
    ),
    "jac": ({"point": [0.1, 0.0, 0.2], "body": "lower"},),
    "jac_dot": ({"point": [0.1, 0.0, 0.2], "body": 2},),
    "jac_body": ({"body": "lower"},),
    "jac_body_com": ({"body": "lower"},),
    "jac_geom": ({"geom": "ball"},),
    "jac_site": ({"site": "tip"},),
    "jac_subtree_com": ({"body": "upper"},),
    "angmom_mat": ({"body": "upper"},),
    "noisy_sensors": ({"seed": 3},),
    "fingerprint": ({}, {"i": 2}),
    "get_state": ({}, {"sig": "physics"}),
    "set_state": (
        {"state": lambda batch: batch.get_state()[::-1]},
        {"state": lambda batch: batch.get_state("physics")[0], "sig": "physics"},
    ),
    "snapshot": ({}, {"worlds": [0, 2]}),
    "restore": ({"snapshot": lambda batch: batch.snapshot([0]), "worlds": MASK},),
    "transition": (
        {
            "method": "fd",
            "eps": 1e-5,
            "centered": False,
            "sensors": False,
            "one_sided": False,
            "lanes": 1,
            "threads": 1,
        },
    ),
    "render": (
        {
            "worlds": [1],
            "width": 8,
            "height": 6,
            "camera": phalanx.Camera(distance=2.0),
            "output": "depth",
            "show": "contacts",
            "samples": 2,
        },
    ),
    "set_vary": (
        {"mask": [1], "fields": {"body_mass": np.array([0.0, 0.5, 0.5])}},
        {"mask": MASK, "fields": {"opt": {"gravity": [0, 0, -5]}}},
    ),
    "reset": ({"worlds": [0], "keyframe": "raised"}, {"worlds": 1}),
    "reset_where": ({"mask": MASK}, {"mask": ~MASK, "keyframe": 0}),
    "reset_all": ({"keyframe": "raised"}, {}),
    "nbytes": ({},),
    "on_cpu": ({},),
    "close": ({},),
}


def parameters(kind: type, name: str) -> list[inspect.Parameter]:
    """Arguments of a method; none of a property."""
    member = getattr(kind, name)
    return list(inspect.signature(member).parameters.values())[1:] if callable(member) else []


@pytest.mark.parametrize("name", public_names(phalanx.BatchSim))
def test_every_public_name_is_there_with_the_same_arguments(name: str):
    assert callable(getattr(phalanx.GpuBatchSim, name)) == callable(getattr(phalanx.BatchSim, name))
    assert parameters(phalanx.GpuBatchSim, name) == parameters(phalanx.BatchSim, name)


def test_nothing_is_added_without_a_reason():
    assert set(public_names(phalanx.GpuBatchSim)) - set(public_names(phalanx.BatchSim)) == set(ADDED)


def test_batches_are_made_with_the_same_arguments():
    of_cpu, of_device = (
        inspect.signature(kind.__init__).parameters for kind in (phalanx.BatchSim, phalanx.GpuBatchSim)
    )
    assert list(of_cpu) == list(of_device)
    assert {name for name in of_cpu if of_cpu[name] != of_device[name]} <= set(OTHER_VALUES)


def test_calls_use_every_argument():
    """A new method, or a new argument, must be tried on a device, too."""
    assert set(CALLS) == set(public_names(phalanx.BatchSim))
    for name, calls in CALLS.items():
        assert {row.name for row in parameters(phalanx.BatchSim, name)} == {key for call in calls for key in call}, name


# --- answers


def called(batch: phalanx.BatchSim, name: str, call: Mapping[str, Any]) -> Any:
    """What a batch answers."""
    member = getattr(batch, name)
    given = {key: value(batch) if callable(value) else value for key, value in call.items()}
    return member(*given.pop("names", ()), **given.pop("fields", {}), **given) if callable(member) else member


def plain(answer: Any) -> Any:
    """An answer in arrays, lists and words."""
    if isinstance(answer, phalanx.BatchSim):
        return answer.fingerprint()
    if isinstance(answer, phalanx.Data):
        return {"qacc": answer.qacc, "efc_force": answer.efc_force, "fingerprint": answer.fingerprint()}
    if isinstance(answer, phalanx.Transition):
        return [answer.A, answer.B, answer.C, answer.D]
    if isinstance(answer, phalanx.ContactTable):
        return {column: answer[column] for column in answer.columns}
    if isinstance(answer, phalanx.WorldError):
        return str(answer)
    if isinstance(answer, Mapping):
        return {key: plain(value) for key, value in answer.items()}
    return [plain(value) for value in answer] if isinstance(answer, (list, tuple)) else answer


@quiet()
def moving(**options: Any) -> phalanx.BatchSim:
    """Worlds whose links fall."""
    batch = phalanx.BatchSim(phalanx.Model.from_xml_string(SCENE), N, lanes=1, **options)
    rng = np.random.default_rng(4)
    batch.qvel[...] = rng.normal(size=batch.qvel.shape)
    batch.ctrl[...] = rng.normal(size=batch.ctrl.shape)
    return batch


@pytest.mark.conformance
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_every_call_has_the_answer_of_the_cpu_and_leaves_the_same_worlds(dtype: str):
    cpu, device = moving(dtype=dtype), moving(dtype=dtype, device="emulated")
    with whole_kernel():
        for batch in (cpu, device):
            batch.step(60)
        assert cpu.ncon.all()
        for name, calls in CALLS.items():
            for call in calls:
                found, expected = (plain(called(batch, name, call)) for batch in (device, cpu))
                if name not in OTHER_ANSWERS:
                    np.testing.assert_equal(found, expected, err_msg=f"{name} {call}")
                for batch in (cpu, device):
                    batch.step(3)
                check_same(cpu, device)
    assert len(cpu.vary) == len(device.vary) == 2


@pytest.mark.conformance
def test_every_output_can_be_bound_but_those_with_a_reason():
    cpu, device = moving(), moving(device="emulated")
    names = [name for name in BINDABLE if not obstacle(DATA_SCHEMA.fields[name], cpu.model)]
    for name in set(names) & set(UNBOUND):
        with pytest.raises(phalanx.FieldError, match=f"{name} cannot be bound"):
            device.bind(name)
    names = [name for name in names if name not in UNBOUND]
    with whole_kernel():
        for batch in (cpu, device):
            batch.bind(*names)
            batch.step(5)
    check_same(cpu, device, *names)
