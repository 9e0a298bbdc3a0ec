"""Rows of the kinds of actuators: complete, and each with its kernels."""

from __future__ import annotations

import importlib

import pytest

from phalanx.compiler.object.actuator_rules import ACTIVATIONS
from phalanx.compiler.object.actuator_shortcut import EXPAND
from phalanx.smooth.actuator import table
from phalanx.tables.actuators import BIASES, DYNAMICS, GAINS, GAINS_BY_TAG, TRANSMISSIONS
from phalanx.tables.enums import BiasType, DynType, GainType, TrnType
from phalanx.tables.history import history_size
from phalanx.tables.mjcf_actuator import SHORTCUTS
from phalanx.tables.sizes import NBIAS, NDYN, NGAIN

#: Rows, enum, the table that every kind with a file has a row of, columns of parameters.
FAMILIES = {
    "transmissions": (TRANSMISSIONS, TrnType, table.transmit, 0),
    "dynamics": (DYNAMICS, DynType, table.activation_rate, NDYN),
    "gains": (GAINS, GainType, table.driven_force, NGAIN),
    "biases": (BIASES, BiasType, table.bias_force, NBIAS),
}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_value_of_the_enum_has_a_row(family):
    rows, enum, _, _ = FAMILIES[family]
    assert set(rows) == {kind for kind in enum if kind.name != "UNDEFINED"}


@pytest.mark.parametrize("family", FAMILIES)
def test_every_kind_has_its_kernel_in_the_file_of_its_row(family):
    rows, _, kernels, _ = FAMILIES[family]
    _ = kernels.built
    for kind, row in rows.items():
        assert (int(kind) in kernels.rows) == bool(row.module)
        if row.module:
            module = importlib.import_module(f"phalanx.smooth.actuator.{row.module}")
            assert kernels.rows[int(kind)].function.__module__ == module.__name__


@pytest.mark.parametrize("family", ["dynamics", "gains", "biases"])
def test_parameters_fit_into_their_columns(family):
    rows, _, _, columns = FAMILIES[family]
    for row in rows.values():
        assert len(row.parameters) <= columns
        assert row.places(*row.parameters) == tuple(range(len(row.parameters)))


def test_dynamics_without_a_count_have_a_rule():
    assert set(ACTIVATIONS) == {row.tag for row in DYNAMICS.values() if row.activations is None}


def test_every_shortcut_has_a_function_and_a_known_gain():
    assert set(EXPAND) == set(SHORTCUTS)
    assert {row.gain for row in SHORTCUTS.values()} <= set(GAINS_BY_TAG)


def test_a_buffer_without_samples_takes_no_memory():
    assert history_size(0, 3) == 0
    assert history_size(5, 3) == 2 + 5 + 15
