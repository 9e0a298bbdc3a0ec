"""Noise is added on request only, by seed, world and time."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from tests.conformance.models import make_data
from tests.quiet import quiet

MODEL = """<mujoco><worldbody><body><joint name="j"/><geom size=".1"/><site name="s"/></body></worldbody>
<sensor><jointvel joint="j" noise=".5"/><clock/><gyro site="s" noise=".1"/></sensor></mujoco>"""
LEVELS = [0.5, 0.0, 0.1, 0.1, 0.1]


@pytest.fixture
def data() -> phalanx.Data:
    data = make_data(phalanx.Model.from_xml_string(MODEL))
    data.qvel[:] = 1.0
    return data.step(2)


def test_noise_can_be_repeated(data: phalanx.Data) -> None:
    clean = data.sensordata.copy()
    noisy = data.noisy_sensors(3)
    np.testing.assert_array_equal(noisy, data.noisy_sensors(3))
    np.testing.assert_array_equal(data.sensordata, clean)
    assert noisy[1] == clean[1] and (noisy[[0, 2, 3, 4]] != clean[[0, 2, 3, 4]]).all()
    others = [data.noisy_sensors(4), data.noisy_sensors(3, world=1), data.step().noisy_sensors(3)]
    for other in others[:2]:
        assert (other != noisy)[[0, 2, 3, 4]].all()
    assert (others[2] - data.sensordata != noisy - clean)[[0, 2, 3, 4]].all()


def test_a_negative_seed_is_refused(data: phalanx.Data) -> None:
    with pytest.raises(phalanx.FieldError, match="seed"):
        data.noisy_sensors(-1)


def test_noise_has_the_spread_that_is_asked_for(data: phalanx.Data) -> None:
    noise = np.array([data.noisy_sensors(seed) for seed in range(4000)]) - data.sensordata
    np.testing.assert_allclose(noise.std(axis=0), LEVELS, rtol=0.05)
    np.testing.assert_allclose(noise.mean(axis=0), 0.0, atol=4 * 0.5 / np.sqrt(4000))
    correlation = np.corrcoef(noise[:, [0, 2, 3, 4]].T)
    assert np.abs(correlation - np.eye(4)).max() < 0.07


def test_a_world_of_a_batch_has_its_noise_alone(data: phalanx.Data) -> None:
    with quiet():
        sim = phalanx.BatchSim(data.model, 8, lanes=8, threads=1)
        varied = phalanx.BatchSim(data.model, 2, lanes=1, vary={"sensor_noise": [[0, 0, 0], [0.5, 0, 0.1]]})
    for batch in (sim, varied):
        batch.bind("sensordata")
        batch.sensordata[:] = data.sensordata
        batch.time[:] = data.time
    np.testing.assert_array_equal(sim.noisy_sensors(3)[5], data.noisy_sensors(3, world=5))
    np.testing.assert_array_equal(varied.noisy_sensors(3)[0], data.sensordata)
    np.testing.assert_array_equal(varied.noisy_sensors(3)[1], data.noisy_sensors(3, world=1))


def test_a_batch_must_bind_its_sensors() -> None:
    with quiet():
        sim = phalanx.BatchSim(phalanx.Model.from_xml_string(MODEL), 2, lanes=1)
    with pytest.raises(phalanx.FieldError, match="not bound"):
        sim.noisy_sensors(0)
