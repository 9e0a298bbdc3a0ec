"""Rows of joint types, and the tables of their kernels."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx.smooth.joint import table
from phalanx.tables.enums import JointType
from phalanx.tables.joints import BY_TAG, JOINTS, NQ, NV

TABLES = [value for value in vars(table).values() if isinstance(value, table.Table)]


def test_every_type_has_a_row_at_its_value():
    assert list(JOINTS) == list(JointType)
    assert [int(kind) for kind in JointType] == list(range(len(JointType)))
    assert all(JointType[tag.upper()] is row.type for tag, row in BY_TAG.items())


def test_every_type_says_how_it_moves():
    for needed in (table.move_frame, table.joint_axes):
        assert needed.built and set(needed.rows) == set(JointType)


def test_types_that_are_not_scalar_leave_nothing_to_scalar_joints():
    several = {kind for kind, row in JOINTS.items() if not row.scalar}
    floating = {kind for kind, row in JOINTS.items() if row.floating}
    for asked in TABLES:
        # the spring of a floating joint does not yield
        allowed = floating if asked is table.yield_spring else set()
        assert asked.built and several - set(asked.rows) <= allowed, asked


def test_kernels_of_a_type_are_in_the_file_of_its_tag():
    for asked in TABLES:
        assert asked.built
        for kind, row in asked.rows.items():
            assert row.function.__module__ == f"phalanx.smooth.joint.{JOINTS[JointType(kind)].tag}"


@pytest.mark.parametrize("tag", BY_TAG)
def test_widths_and_initial_positions_are_those_of_mujoco(tag):
    xml = f'<mujoco><worldbody><body><joint type="{tag}"/><geom size="1"/></body></worldbody></mujoco>'
    theirs, row = mujoco.MjModel.from_xml_string(xml), BY_TAG[tag]
    assert (theirs.nq, theirs.nv) == (row.nq, row.nv) == (NQ[row.type], NV[row.type])
    np.testing.assert_array_equal(row.initial, theirs.qpos0)
    assert phalanx.Model.from_xml_string(xml).jnt_type[0] == theirs.jnt_type[0]
