"""PHALANX_CHECKED=1: bounds, NaN and divisions by zero are told with their place, and nothing crashes."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import zlib

import numpy as np
import pytest

import phalanx
from phalanx.algebra.generated import define
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load2, load3, store2, store3
from phalanx.algebra.number_type import NumberType
from phalanx.memory.view import view_at
from phalanx.native.entry import Entry
from phalanx.native.errors import CheckError
from phalanx.native.program import Program
from phalanx.native.runtime import load
from phalanx.native.runtime_checks import CHECKED_VARIABLE
from tests.native.language_harness import WORLD, Language, Module

# --- divisions

language = Language("checks")


@language.case("ii")
def divided(a, b):
    quotient = a // b
    return quotient + a % 3 + a // 0


@language.case("ii")
def in_a_branch(a, b):
    return a // b if b != 0 else -1


@language.case("ii")
def in_a_chain(a, b):
    return b != 0 and a % b > 0


@pytest.fixture(scope="module")
def checked():
    return Module(language, WORLD, checked=True)


def test_an_integer_that_is_divided_by_zero_is_noted_with_its_line(checked):
    note = checked.note()
    note[0] = 0
    rows = [(7, 2), (7, 0), (9, 0), (-(2**63), -1)]
    assert [found[0] for found in checked.run(divided, rows)] == [4, 1, 0, -(2**63) + 1]
    assert note[0] == 2
    kind, field, axis, file, line, name = ctypes.string_at(note[1]).decode().split("|")
    assert (kind, field, axis, file, name) == ("division", "", "0", __file__, "divided")
    assert int(line) == divided.kernel.function.__code__.co_firstlineno + 2


def test_what_is_not_computed_is_not_noted(checked):
    note = checked.note()
    note[0] = 0
    assert [found[0] for found in checked.run(in_a_branch, [(7, 0), (7, 2)])] == [-1, 3]
    assert [found[0] for found in checked.run(in_a_chain, [(7, 0), (7, 2)])] == [False, True]
    assert note[0] == 0


def test_checks_change_no_results(checked):
    rows = [(a, b) for a in (-9, 0, 4, 7) for b in (-2, 1, 3)]
    assert checked.run(divided, rows) == divided.results(WORLD, rows)


def test_without_checks_nothing_is_compiled_in():
    program = Program()
    program.instance(divided.kernel, (language.module(WORLD).result(divided),) * 2)
    assert "check_failed" not in program.module()


# --- fields of the Model and the Data

XML = """<mujoco><worldbody>
  <body><joint type="hinge"/><geom size=".1"/><body pos="1 0 0"><joint type="slide"/><geom size=".1"/></body></body>
</worldbody></mujoco>"""


@pytest.fixture(scope="module")
def stores():
    model = phalanx.Model.from_xml_string(XML)
    data = phalanx.Data(model)
    return model._store, data._store, (model, data)


class Checked:
    """Runs kernels of (m, d, i) with checks."""

    def __init__(self, stores):
        self.model, self.data, self._keep = stores

    def run(self, body: str, i: int = 0, **names) -> int:
        """Run a kernel that is given by the lines of its body."""
        source = f"def example(m, d, i):\n    {body}\n    return 5\n"
        example = kernel(define(source, dict(names), "example"))
        number = NumberType("float64")
        scope = {"example": example, "m_at": view_at("model", number, True), "d_at": view_at("data", number, False)}
        entry = define("def entry(m, d, i):\n    return example(m_at(m), d_at(d), i)\n", scope, "entry")
        function = load(Entry(f"test_checks_{zlib.crc32(body.encode()):x}", lambda: entry, 3))
        return function(self.model.address, self.data.address, i)


@pytest.fixture
def run(stores, monkeypatch):
    monkeypatch.setenv(CHECKED_VARIABLE, "1")
    return Checked(stores).run


def test_kernels_that_are_right_run_as_without_checks(run, stores):
    data = stores[1]
    lines = "for k in range(m.nq):\n        d.qpos[k] = k + 0.5\n    store3(d.xpos, 1, (1.0, 2.0, 3.0))"
    assert run(lines, store3=store3) == 5
    assert data.arrays["qpos"].tolist() == [0.5, 1.5]
    assert data.arrays["xpos"][1].tolist() == [1.0, 2.0, 3.0]


@pytest.mark.parametrize(
    ("body", "i", "field", "axis", "index", "bound"),
    [
        ("d.qpos[i] = 1.0", 2, "data.qpos", 0, 2, 2),
        ("d.qpos[i] += 1.0", -1, "data.qpos", 0, -1, 2),
        ("x = d.xpos[i, 2]", 3, "data.xpos", 0, 3, 3),
        ("x = d.xpos[0, i]", 3, "data.xpos", 1, 3, 3),
        ("x = d.xpos[0, i]", 2**62, "data.xpos", 1, 2**62, 3),
        ("x = m.body_parentid[i]", 4, "model.body_parentid", 0, 4, 3),
        ("x = load3(d.xpos, i)", 3, "data.xpos", 0, 3, 3),
        ("x = load2(d.qpos, i)", 1, "data.qpos", 0, 2, 2),
        ("x = load2(d.qpos, i)", -(2**63), "data.qpos", 0, -(2**63), 2),
        ("store2(d.qpos, i, (1.0, 2.0))", 1, "data.qpos", 0, 2, 2),
        ("store3(d.xpos, i, (1.0, 2.0, 3.0))", -2, "data.xpos", 0, -2, 3),
    ],
)
def test_an_index_out_of_bounds_is_told_with_field_and_bound(run, body, i, field, axis, index, bound):
    with pytest.raises(CheckError) as error:
        run(body, i, load2=load2, load3=load3, store2=store2, store3=store3)
    found = error.value
    assert (found.kind, found.field, found.axis, found.index, found.bound) == ("bounds", field, axis, index, bound)
    assert (found.line, found.kernel) == (2, "example")
    assert f"in example: index {index} of {field} (axis {axis}) is out of bounds" in str(found)
    assert body in str(found)


@pytest.mark.parametrize("name", ["note", "check_failed", "constant", "phalanx_note", "__chkstk"])
def test_a_kernel_may_have_any_name(run, stores, name):
    """Also one that a module gives to something else; in two variants, whose symbols have numbers."""
    helper = kernel(define(f"def {name}(x, k):\n    return x + (0.5, 1.5, 2.5)[k]\n", {}, name))
    assert run("d.qpos[i] = helper(1.0, i) + helper(i, 1)", 1, helper=helper) == 5
    assert stores[1].arrays["qpos"][1] == 5.0


def test_nan_that_is_written_is_told(run):
    with pytest.raises(CheckError, match=r"in example: NaN is written to data\.qpos") as error:
        run("x = d.qpos[0] - d.qpos[0]\n    d.qpos[1] = x / x")
    assert error.value.line == 3
    with pytest.raises(CheckError, match=r"NaN is written to data\.time"):
        run("x = d.qpos[0] - d.qpos[0]\n    d.time = x / x")


def test_a_division_by_zero_is_told(run):
    with pytest.raises(CheckError, match="an integer is divided by zero") as error:
        run("n = 7 // i\n    n = n % i", 0)
    assert (error.value.line, error.value.count) == (2, 2)
    assert "(1 more checks failed in the same call)" in str(error.value)


def test_the_first_of_many_failures_is_told_and_the_next_call_is_clean(run):
    with pytest.raises(CheckError) as error:
        run("for k in range(10):\n        d.qpos[k] = 1.0")
    assert (error.value.index, error.value.count, error.value.line) == (2, 8, 3)
    assert run("d.qpos[i] = 1.0") == 5


@pytest.mark.parametrize(("body", "i"), [("d.qpos[i] = 7.0", 10**15), ("store2(d.qpos, i, (7.0, 8.0))", 1)])
def test_an_index_out_of_bounds_does_no_harm(run, stores, body, i):
    data = stores[1]
    before = {name: array.copy() for name, array in data.arrays.items() if name != "qpos"}
    with pytest.raises(CheckError):
        run(body, i, store2=store2)
    assert data.arrays["qpos"][0] == 7.0
    for name, array in before.items():
        assert np.array_equal(array, data.arrays[name], equal_nan=array.dtype.kind == "f"), name


def test_a_failure_in_a_called_kernel_names_that_kernel(run):
    inner = kernel(define("def inner(field, k):\n    y = 1\n    return field[k] + y\n", {}, "inner"))
    with pytest.raises(CheckError) as error:
        run("x = inner(d.qpos, i)", 9, inner=inner)
    assert (error.value.kernel, error.value.line) == ("inner", 3)


SCRIPT = """
from phalanx.algebra.generated import define
from phalanx.native.entry import Entry
from phalanx.native.runtime import load
from phalanx.native.errors import CheckError

entry = load(Entry("test_checks_script", lambda: define("def f(a, b):\\n    return a // b\\n", {}, "f"), 2))
print(entry(7, 2))
try:
    entry(7, 0)
except CheckError as error:
    print(error)
"""


@pytest.mark.parametrize(("value", "lines"), [("1", ["3", "in f: an integer is divided by zero"]), ("0", ["3"])])
def test_the_environment_decides(value, lines):
    environment = {**os.environ, CHECKED_VARIABLE: value, "PHALANX_QUIET": "1"}
    done = subprocess.run([sys.executable, "-c", SCRIPT], env=environment, capture_output=True, text=True, check=True)
    found = done.stdout.splitlines()
    assert found[0] == lines[0]
    assert all(line in done.stdout for line in lines)
    assert ("divided" in done.stdout) is (value == "1")


@pytest.mark.conformance
def test_models_with_flexes_plugins_and_sleep_pass_all_checks():
    """Steps, inverse dynamics, rays that hit and that do not, energies and pictures of every model of the attacks."""
    code = """
import warnings
warnings.simplefilter("ignore")
from tools import attack_models
from tools.attacks.model import use
for name, model in attack_models.models().items():
    data = model.make_data()
    use(data)
    data.flex_rays((9.0, 9.0, 2.0), (0.0, 0.0, 1.0))
    print(name)
"""
    environment = {**os.environ, CHECKED_VARIABLE: "1", "PHALANX_QUIET": "1"}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1000:]
    assert len(done.stdout.splitlines()) > 20
