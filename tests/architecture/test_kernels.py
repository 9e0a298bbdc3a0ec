"""The rules of the kernel language hold, and their checker sees what it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.check_kernels import main, violations


def make_package(root: Path, source: str, file: str = "smooth/stage.py") -> Path:
    path = root / "phalanx" / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(source)
    return root / "phalanx"


def test_kernels_keep_the_rules():
    assert violations() == []


COMPILERS = [
    "from numba import njit",
    "import numba\n@numba.njit\ndef f(): pass",
    "import numba as nb\n@nb.jit(nopython=True)\ndef f(): pass",
    "def late():\n    import llvmlite.binding as llvm",
    "compile(f, fastmath=True)",
    "compile(f, fastmath={'contract'})",
    "compile(f, parallel=True)",
    "OPTIONS = {'fastmath': True}",
]


@pytest.mark.parametrize("source", COMPILERS)
def test_compiling_outside_native_is_found(tmp_path, source):
    assert len(violations(make_package(tmp_path, source))) == 1


@pytest.mark.parametrize("source", COMPILERS)
def test_compiling_in_native_is_allowed(tmp_path, source):
    assert violations(make_package(tmp_path, source, "native/llvm.py")) == []


def test_strict_options_are_allowed(tmp_path):
    assert violations(make_package(tmp_path, "compile(f, fastmath=False, parallel=False)")) == []


@pytest.mark.parametrize(
    "body",
    [
        "return np.sin(x)",
        "return numpy.float64(x)",
        "return math.pi",
        "return sine(x)",
        "raise ValueError",
        "assert x > 0",
        "y = [x, x]",
        "y = [k for k in range(3)]",
        "y = {x: 1}",
        "y = {x}",
        "y = list(x)",
        "y = f'{x}'",
        "return scale * x",
        "for k in range(3):\n        if k == 1:\n            x = x + _offset",
        "def inner(y):\n        return np.abs(y)\n    return inner(x)",
        "global count",
    ],
)
@pytest.mark.parametrize("decorator", ["@kernel", "@jit.kernel", "@table(3)\n@kernel", "@part()"])
def test_a_kernel_that_breaks_a_rule_is_found(tmp_path, body, decorator):
    head = "import math\nimport numpy\nimport numpy as np\nfrom math import sin as sine\nscale = 2.0\n_offset = 1.0\n"
    (message,) = violations(make_package(tmp_path, f"{head}{decorator}\ndef stage(x):\n    {body}\n"))
    assert "kernel stage" in message


def test_try_is_found(tmp_path):
    source = "@kernel\ndef stage(x):\n    try:\n        x = 1\n    finally:\n        x = 2\n"
    assert violations(make_package(tmp_path, source)) == ["phalanx/smooth/stage.py:3: kernel stage uses try"]


def test_what_a_kernel_may_use_is_allowed(tmp_path):
    source = '''
import numpy as np
from phalanx.algebra.vector import add
GRAVITY = 9.81
_LIMIT = 10
made = kernel(lambda x: x)
size = 3

class Joint:
    HINGE = 3

def number(x):
    return x

@kernel
def helper(x):
    """A docstring, with [lists] in it."""
    size = (x, x, x)
    return add(size, (1.0, 2.0, GRAVITY))

@kernel
def stage(m, d, made_of: np.ndarray = np.zeros(3)):
    for body in range(1, m.nbody):
        if m.jnt_type[body] == Joint.HINGE and body < _LIMIT:
            d.xpos[body, 0] = made(number(helper(d.qpos[body])[0]))

def factory(size):
    @kernel
    def inner(x):
        return x * size
    return inner
'''
    assert violations(make_package(tmp_path, source)) == []


def test_a_plain_function_is_not_a_kernel(tmp_path):
    assert (
        violations(make_package(tmp_path, "import numpy as np\ndef f(x):\n    raise ValueError([np.sin(x)])\n")) == []
    )


def test_the_checker_reports_file_and_line(tmp_path, capsys):
    assert main([str(make_package(tmp_path, "\n@kernel\ndef stage(x):\n    raise x\n"))]) == 1
    assert capsys.readouterr().out == "phalanx/smooth/stage.py:4: kernel stage raises\n"
