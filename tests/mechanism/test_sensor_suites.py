"""Sensor suites: plain sensors that read what they should, and noise."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

import phalanx
from phalanx import mechanism
from phalanx.mechanism import Noise, NoisySensors
from phalanx.mechanism.lidar_patterns import directions_of
from tests.compiler.compare import differences


def robot() -> phalanx.Spec:
    """A box on a floor, with a site."""
    spec = phalanx.Spec()
    spec.worldbody.add_geom(name="floor", type="plane", size=(5, 5, 1))
    box = spec.worldbody.add_body(name="box", pos=(0, 0, 0.1))
    box.add_freejoint()
    box.add_geom(type="box", size=(0.1, 0.1, 0.1), mass=2.0)
    box.add_site(name="middle")
    return spec


def test_suites_are_plain_mjcf():
    spec = robot()
    mechanism.imu(spec, "middle", "imu", accelerometer_noise=0.05, magnetometer_noise=0.1, orientation=True)
    mechanism.force_torque(spec, "middle", "wrist", force_noise=0.2, cutoff=50)
    mechanism.touch(spec, "box", "sole", pos=(0, 0, -0.1), size=(0.2, 0.2), shape=(2, 2))
    mechanism.lidar(spec, "box", "scan", pos=(0, 0, 0.2), rays=8, distance=3.0)
    model = spec.compile()
    assert not differences(model, mujoco.MjModel.from_xml_string(spec.to_xml()))
    assert model.names.names["sensor"][:4] == ("imu_accelerometer", "imu_gyro", "imu_magnetometer", "imu_orientation")
    assert model.sensor_noise[0] == 0.05


def test_an_imu_at_rest_feels_gravity():
    spec = robot()
    mechanism.imu(spec, "middle", "imu")
    data = spec.compile().make_data()
    data.step(2000)
    np.testing.assert_allclose(data.sensor("imu_accelerometer").data, [0, 0, 9.81], atol=1e-4)
    np.testing.assert_allclose(data.sensor("imu_gyro").data, 0, atol=1e-4)


def test_touch_cells_share_the_weight():
    spec = robot()
    sensors = mechanism.touch(spec, "box", "sole", pos=(0, 0, -0.1), size=(0.22, 0.22), shape=(2, 2))
    data = spec.compile().make_data()
    data.step(2000)
    forces = [float(data.sensor(sensor.name).data[0]) for sensor in sensors]
    assert sum(forces) == pytest.approx(2.0 * 9.81, rel=1e-3)
    np.testing.assert_allclose(forces, 0.5 * 9.81, rtol=1e-2)


def test_a_force_torque_sensor_feels_what_hangs_on_it():
    spec = phalanx.Spec()
    arm = spec.worldbody.add_body(name="arm", pos=(0, 0, 1))
    arm.add_joint(name="j", axis=(0, 0, 1))
    arm.add_geom(size=0.05, pos=(0.3, 0, 0), mass=2.0)
    arm.add_site(name="flange")
    mechanism.force_torque(spec, "flange", "ft")
    data = spec.compile().make_data().forward()
    np.testing.assert_allclose(np.abs(data.sensor("ft_force").data), [0, 0, 2 * 9.81], atol=1e-9)
    np.testing.assert_allclose(np.abs(data.sensor("ft_torque").data), [0, 2 * 9.81 * 0.3, 0], atol=1e-9)


def test_a_planar_lidar_sees_walls_around_it():
    spec = phalanx.Spec()
    for k, pos in enumerate(((2, 0, 0), (0, 3, 0), (-4, 0, 0))):
        spec.worldbody.add_geom(name=f"wall{k}", type="sphere", size=0.5, pos=pos)
    spec.worldbody.add_body(name="robot").add_geom(size=0.1)
    mechanism.lidar(spec, "robot", "scan", rays=4)
    data = spec.compile().make_data().forward()
    np.testing.assert_allclose(data.sensordata, [1.5, 2.5, 3.5, -1.0], atol=1e-12)


def test_patterns_are_unit_vectors_within_their_view():
    for pattern, rays, view in (("planar", 7, 1.0), ("spherical", (3, 5), (0.5, 1.0)), ("cone", 50, 0.3)):
        ways = directions_of(pattern, rays, view)
        np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1.0, rtol=1e-15)
    assert (directions_of("cone", 50, 0.3)[:, 0] >= math.cos(0.3)).all()
    assert len(np.unique(directions_of("planar", 12, None).round(12), axis=0)) == 12
    assert directions_of("spherical", (3, 5), None).shape == (15, 3)
    with pytest.raises(phalanx.FieldError, match="did you mean 'planar'"):
        directions_of("planer", 3, None)
    with pytest.raises(phalanx.FieldError, match="spherical pattern"):
        directions_of("spherical", 3, None)


def test_noise_has_its_offset_drift_and_resolution():
    spec = robot()
    mechanism.imu(spec, "middle", "imu", gyro_noise=0.01)
    model = spec.compile()
    data = model.make_data().forward()
    noise = {"imu_accelerometer": Noise(bias=0.5, resolution=0.25), "imu_gyro": Noise(std=0.0, walk=0.1)}
    offsets = np.array([NoisySensors(model, noise, seed=k).offsets for k in range(400)])
    # the standard deviation of n values is known to 1 / sqrt(2 n): six of those
    assert offsets[:, :3].std() == pytest.approx(0.5, rel=6.0 / math.sqrt(2.0 * 1200))
    assert (offsets[:, 3:] == 0.0).all()
    sensors = NoisySensors(model, noise, seed=3)
    first = sensors.read(data)
    np.testing.assert_allclose(first[:3] / 0.25, np.rint(first[:3] / 0.25), atol=1e-12)
    walks = []
    for k in range(300):
        walker = NoisySensors(model, noise, seed=k)
        data.time = 0.0
        walker.read(data)
        data.time = 4.0
        walker.read(data)
        walks.append(walker.offsets[3:])
    assert np.std(walks) == pytest.approx(0.1 * 2.0, rel=6.0 / math.sqrt(2.0 * 900))


def test_noise_can_be_repeated_and_matches_the_plain_noise():
    spec = robot()
    mechanism.imu(spec, "middle", "imu", accelerometer_noise=0.1, gyro_noise=0.1)
    model = spec.compile()
    data = model.make_data().step(10)
    np.testing.assert_array_equal(NoisySensors(model, {}, seed=5).read(data), data.noisy_sensors(5))
    noise = {"imu_gyro": Noise.from_density(0.01, 400.0, bias=0.2)}
    assert noise["imu_gyro"].std == pytest.approx(0.2)
    one, two = (NoisySensors(model, noise, seed=5, world=2).read(data) for _ in range(2))
    np.testing.assert_array_equal(one, two)
    assert (NoisySensors(model, noise, seed=6).read(data) != one).any()


def test_what_makes_no_suite_is_named():
    spec = robot()
    spec.section("sensor")
    before = spec.to_xml()
    with pytest.raises(phalanx.UnknownNameError, match="did you mean 'middle'"):
        mechanism.imu(spec, "midle", "imu")
    with pytest.raises(phalanx.FieldError, match="noise is at least 0"):
        mechanism.imu(spec, "middle", "imu", gyro_noise=-1.0)
    with pytest.raises(phalanx.FieldError, match="a body carries"):
        mechanism.lidar(spec, spec.geom("floor"), "scan")
    with pytest.raises(phalanx.FieldError, match="noise is at least 0"):
        mechanism.lidar(spec, "box", "scan", noise=-1.0)
    assert spec.to_xml() == before
    with pytest.raises(phalanx.FieldError, match="is a Noise"):
        NoisySensors(phalanx.load("arm"), {"flange_force": 0.1})
