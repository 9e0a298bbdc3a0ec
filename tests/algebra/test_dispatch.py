"""Tables of kernels: the right row runs, in every way of running, and mistakes are found early."""

from __future__ import annotations

import pickle
import traceback

import numpy as np
import pytest

from phalanx.algebra.dispatch import Table, dispatch
from phalanx.algebra.jit import kernel
from phalanx.algebra.number import floor, where
from tests.algebra.lane_harness import Suite


@kernel
def zero(x):
    """The default."""
    return 0.0


@kernel
def double(x):
    return x + x


@kernel
def positive(x):
    return where(x > 0.0, x, 0.0)


@kernel
def divide(x):
    return 1.0 / x


picked = Table("picked", zero)
picked.row(1, 7)(double)
picked.row(3)(positive)


@kernel
def pick_all(x):
    """Every row, and keys without one."""
    return picked(1, x), picked(3, x), picked(7, x), picked(2, x), picked(-1, x)


EXPECTED = np.array([[-4.0, 0.0, -4.0, 0.0, 0.0], [5.0, 2.5, 5.0, 0.0, 0.0]])


def test_interpreted():
    assert np.array_equal([pick_all(x) for x in (-2.0, 2.5)], EXPECTED)


@pytest.mark.parametrize("width", (0, 2))
def test_compiled(width):
    suite = Suite("dispatch", pick_all, results=(5,))
    assert np.array_equal(suite.run("float64", width, np.array([-2.0, 2.5])), EXPECTED)


def test_dispatch_of_a_mapping():
    pick = dispatch({4: double}, zero)
    assert (pick(4, 3.0), pick(5, 3.0)) == (6.0, 0.0)
    assert floor(pick(4, 1.25)) == 2.0


def test_a_traceback_shows_the_generated_source():
    pick = dispatch({2: divide}, zero, "shown")
    with pytest.raises(ZeroDivisionError) as caught:
        pick(2, 0)
    assert "return row_2(x)" in "".join(traceback.format_tb(caught.value.__traceback__))


def test_a_row_with_other_parameters_is_refused():
    @kernel
    def other(x, y):
        return x + y

    with pytest.raises(TypeError, match=r"row 3 takes \('x', 'y'\), the table takes \('x',\)"):
        dispatch({3: other}, zero, "strict")


def test_two_rows_for_one_key_are_refused():
    table = Table("twice", zero)
    table.row(1)(double)
    table.row(1)(double)
    with pytest.raises(ValueError, match="table twice has two rows for 1"):
        table.row(1)(positive)


def test_a_row_that_comes_too_late_is_refused():
    table = Table("late", zero)
    table(0, 1.0)
    with pytest.raises(RuntimeError, match="table late is in use"):
        table.row(1)(double)


def test_a_table_imports_the_modules_of_its_rows():
    table = Table("absent", zero, ("phalanx.no_such_module",))
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        table(0, 1.0)


def test_a_table_says_what_it_is():
    assert repr(picked) == "<table picked of 3 kernels>"
    assert picked.__doc__ == "The default."
    assert pickle.loads(pickle.dumps(picked)) is picked
