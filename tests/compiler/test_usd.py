"""USD stages: bodies, joints, colliders, drives, units."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import phalanx
from phalanx import MissingPackageError, MjcfError, Spec

pytest.importorskip("pxr")

STAGE = """#usda 1.0
(
    upAxis = "Y"
    metersPerUnit = 0.01
)
def PhysicsScene "scene"
{
    vector3f physics:gravityDirection = (0, -1, 0)
    float physics:gravityMagnitude = 500
}
def Cube "floor" (prepend apiSchemas = ["PhysicsCollisionAPI"])
{
    double size = 100
    double3 xformOp:translate = (0, -50, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
def Xform "arm"
{
    def Xform "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 3
        def Cube "block" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            double size = 20
        }
    }
    def Xform "link" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"])
    {
        float physics:mass = 1
        float3 physics:diagonalInertia = (200, 100, 100)
        point3f physics:centerOfMass = (25, 0, 0)
        double3 xformOp:translate = (50, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Capsule "tube" (prepend apiSchemas = ["PhysicsCollisionAPI"])
        {
            uniform token axis = "X"
            double radius = 5
            double height = 40
            color3f[] primvars:displayColor = [(1, 0, 0)]
        }
        def Sphere "shine"
        {
            double radius = 6
        }
    }
    def PhysicsFixedJoint "anchor"
    {
        rel physics:body1 = </arm/base>
    }
    def PhysicsRevoluteJoint "hinge" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])
    {
        uniform token physics:axis = "Z"
        rel physics:body0 = </arm/base>
        rel physics:body1 = </arm/link>
        point3f physics:localPos0 = (20, 0, 0)
        point3f physics:localPos1 = (-30, 0, 0)
        float physics:lowerLimit = -90
        float physics:upperLimit = 45
        float drive:angular:physics:stiffness = 10000
        float drive:angular:physics:damping = 100
        float drive:angular:physics:maxForce = 50000
        float drive:angular:physics:targetPosition = 10
    }
}
def Mesh "rock" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"])
{
    point3f[] points = [(0, 0, 0), (10, 0, 0), (0, 10, 0), (0, 0, 10)]
    int[] faceVertexCounts = [3, 3, 3, 3]
    int[] faceVertexIndices = [0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2]
    double3 xformOp:translate = (0, 200, 0)
    uniform token[] xformOpOrder = ["xformOp:translate"]
}
"""


@pytest.fixture
def stage(tmp_path):
    path = tmp_path / "robot.usda"
    path.write_text(STAGE)
    return path


def test_bodies_and_joints_are_those_of_the_stage(stage):
    model = phalanx.load(stage)
    assert model.names.names["body"] == ("world", "base", "link", "rock")
    assert model.names.names["joint"] == ("hinge", "rock_free_joint")
    np.testing.assert_allclose(model.jnt_range[0], np.radians([-90, 45]))
    np.testing.assert_allclose(model.body("link").pos, [0.5, 0, 0], atol=1e-12)
    np.testing.assert_allclose(model.jnt_pos[0], [-0.3, 0, 0], atol=1e-12)


def test_units_are_converted_and_z_is_up(stage):
    model = phalanx.load(stage)
    np.testing.assert_allclose(model.opt.gravity, [0, 0, -5], atol=1e-12)
    np.testing.assert_allclose(model.body("rock").pos, [0, 0, 2], atol=1e-12)
    link = model.body("link")
    assert link.mass[0] == 1
    np.testing.assert_allclose(link.inertia, [0.02, 0.01, 0.01], rtol=1e-6)
    np.testing.assert_allclose(link.ipos, [0.25, 0, 0])
    assert model.body("base").mass[0] == pytest.approx(3)
    # a point above the floor is above it
    data = model.make_data().forward()
    assert data.geom("floor").xpos[2] == pytest.approx(-0.5)


def test_shapes_are_colliders_or_only_seen(stage):
    model = phalanx.load(stage)
    tube, shine = model.geom("tube"), model.geom("shine")
    np.testing.assert_allclose(tube.size[:2], [0.05, 0.2])
    np.testing.assert_allclose(tube.rgba, [1, 0, 0, 1])
    assert (tube.contype[0], shine.contype[0]) == (1, 0)
    # its axis is x of the link
    axis = model.make_data().forward().geom("tube").xmat.reshape(3, 3)[:, 2]
    np.testing.assert_allclose(np.abs(axis), [1, 0, 0], atol=1e-12)


def test_drives_are_servos_in_radians(stage):
    spec = Spec.from_usd(stage)
    model = spec.compile()
    # kg cm² / (deg s²) to N m / rad
    assert model.actuator_gainprm[0, 0] == pytest.approx(10000 * 1e-4 * 180 / np.pi)
    assert model.actuator_biasprm[0, 2] == pytest.approx(-100 * 1e-4 * 180 / np.pi)
    np.testing.assert_allclose(model.actuator_forcerange[0], [-5, 5])
    assert "has the target 10" in str(spec.report)


def test_a_stage_that_is_saved_as_mjcf_compiles_to_the_same_model(stage):
    spec = Spec.from_usd(stage)
    assert Spec.from_string(spec.to_xml()).compile().fingerprint() == spec.compile().fingerprint()


def test_a_joint_that_closes_a_loop_is_an_equality(tmp_path):
    path = tmp_path / "loop.usda"
    joints = "".join(
        f'def {kind} "{name}"\n{{\n rel physics:body0 = </arm/{first}>\n rel physics:body1 = </rock>\n}}\n'
        for kind, name, first in (
            ("PhysicsSphericalJoint", "tie", "link"),
            ("PhysicsSphericalJoint", "again", "base"),
            ("PhysicsDistanceJoint", "rope", "link"),
        )
    )
    joints += 'def PhysicsCollisionGroup "group"\n{\n}\n'
    path.write_text(STAGE + joints)
    spec = Spec.from_usd(path)
    assert spec.compile().neq == 1
    assert "closes a loop" in str(spec.report) and "PhysicsDistanceJoint is left out" in str(spec.report)
    assert "collision groups have no effect" in str(spec.report)


def test_what_cannot_be_read_is_refused(tmp_path, stage, monkeypatch):
    with pytest.raises(MjcfError, match="only if it is trusted"):
        phalanx.load(stage, trusted=False)
    broken = tmp_path / "broken.usda"
    broken.write_text("no stage")
    with pytest.raises(MjcfError, match="cannot be read"):
        phalanx.load(broken)
    empty = tmp_path / "empty.usda"
    empty.write_text("#usda 1.0\n")
    with pytest.raises(MjcfError, match="no rigid bodies"):
        phalanx.load(empty)
    monkeypatch.setitem(sys.modules, "pxr", None)
    with pytest.raises(MissingPackageError, match=r"phalanx\[usd\]"):
        phalanx.load(stage)
