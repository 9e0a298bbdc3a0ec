"""Rows of sensors fit each other, the kernels and the compiler."""

from __future__ import annotations

import pytest

from phalanx.compiler.object.sensor import _ATTACH
from phalanx.compiler.scale.frame_scale import dimension_of
from phalanx.sensor.table import measure
from phalanx.tables.enums import ContactData, DataType, ObjType, RayData, SensorType, Stage
from phalanx.tables.mjcf_row import words
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.mjcf_sensor import _ATTRIBUTES
from phalanx.tables.sensors import (
    ANY,
    CONTACT_SIZES,
    CONTACTS,
    FORCES,
    INSIDE,
    PAIR,
    RAY_SIZES,
    SENSORS,
    SENSORS_BY_TAG,
    SUBTREE_VEL,
    needing,
)

each = pytest.mark.parametrize("row", SENSORS.values(), ids=lambda row: row.tag)


def test_every_type_has_a_row_and_a_tag():
    assert set(SENSORS) == set(SensorType)
    assert len(SENSORS_BY_TAG) == len(SENSORS)


@each
def test_the_kernel_is_where_the_row_says(row):
    assert measure.built
    assert measure.rows[int(row.kind)].function.__module__ == f"phalanx.sensor.read.{row.module}"


@each
def test_the_element_is_the_rows(row):
    element = ELEMENTS[f"sensor/{row.tag}"]
    assert element.doc == row.doc
    assert not set(row.lacks.split()) & set(element.attributes)
    assert set(row.lacks.split()) <= set(ELEMENTS["sensor/touch"].attributes)
    if row.of not in _ATTRIBUTES:
        assert ObjType[row.of.upper()] and element.attributes[row.of].required


@each
def test_numbers_fit_their_kind(row):
    if row.datatype in (DataType.AXIS, DataType.QUATERNION):
        assert row.dim == {DataType.AXIS: 3, DataType.QUATERNION: 4}[row.datatype]
    # the cutoff of a direction is never one of its numbers
    assert row.datatype != DataType.AXIS or not row.scales or not row.bounded


@each
def test_what_a_sensor_needs_comes_before_its_stage(row):
    earliest = {SUBTREE_VEL: Stage.VEL, FORCES: Stage.ACC}
    assert all(row.stage >= earliest[stage] for stage in row.needs)


@each
def test_conditions_are_for_objects_that_can_meet_them(row):
    assert not row.joints or row.of == "joint"
    assert not row.limited or row.of in ("joint", "tendon")


@each
def test_dimensions_can_be_read(row):
    assert not row.scales or any(dimension_of(row.scales))
    assert row.is_between == (row.of in (PAIR, INSIDE))


def test_the_compiler_knows_what_sensors_are_of():
    assert set(_ATTRIBUTES) == set(_ATTACH)
    assert {row.of for row in SENSORS.values()} >= set(_ATTRIBUTES) >= {ANY, CONTACTS}


def test_every_word_of_a_data_specification_has_a_size():
    assert set(RAY_SIZES) == set(words(RayData))
    assert set(CONTACT_SIZES) == set(words(ContactData))


def test_stages_that_run_for_sensors_alone_have_sensors():
    assert needing(SUBTREE_VEL) == (SensorType.SUBTREELINVEL, SensorType.SUBTREEANGMOM)
    assert SensorType.ACCELEROMETER in needing(FORCES)
