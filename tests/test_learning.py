"""Policies are learned: the example of proximal policy optimization, alone and with several processes."""

from __future__ import annotations

import csv
import importlib.util
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import phalanx

pytest.importorskip("gymnasium")
jax = pytest.importorskip("jax")

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "examples" / "learning"


@pytest.fixture(scope="module")
def ppo():
    spec = importlib.util.spec_from_file_location("ppo", FOLDER / "ppo.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo"] = module
    spec.loader.exec_module(module)
    yield module
    del sys.modules["ppo"]


@pytest.fixture(scope="module")
def learned(ppo):
    """A cart-pole, in a fifth of the steps that the example takes."""
    settings, _ = ppo.parse(["CartPole-v0", "--steps", "150000", "--dtype", "float64"])
    return settings, *ppo.learn(settings, report=None)


def test_a_pole_is_balanced_after_a_few_seconds(ppo, learned):
    settings, params, scale, curve = learned
    first = next(row["return"] for row in curve if row["return"] == row["return"])
    assert first < 100
    assert curve[-1]["return"] > 3 * first
    assert ppo.try_policy(settings, params, scale, worlds=32).mean() > 450  # of 500


@pytest.mark.parametrize("dtype", ["float64", pytest.param("float32", marks=pytest.mark.conformance)])
def test_a_curve_does_not_depend_on_the_threads_of_the_physics(ppo, dtype):
    class CompiledOnce(ppo.Alone):
        kept = None

        def compiled(self, function):
            self.kept = self.kept or jax.jit(function)
            return self.kept

    settings = ppo.Settings(steps=3 * 64 * 8, worlds=64, horizon=8, epochs=1, minibatches=2, hidden=8, dtype=dtype)
    team = CompiledOnce()
    found = [ppo.learn(replace(settings, threads=threads), None, team) for threads in (1, 2)]
    (one, *_, curve), (two, *_, other) = found
    assert all((a == b).all() for a, b in zip(jax.tree.leaves(one), jax.tree.leaves(two), strict=True))
    assert len(curve) == 3
    np.testing.assert_array_equal([row["divergence"] for row in curve], [row["divergence"] for row in other])


def test_a_policy_is_the_same_after_writing_and_reading_it(ppo, learned, tmp_path):
    settings, params, scale, _ = learned
    ppo.save(str(tmp_path / "policy.npz"), params, scale)
    again = ppo.load(str(tmp_path / "policy.npz"), settings)
    before = jax.tree.leaves((params, scale))
    assert all((a == b).all() for a, b in zip(before, jax.tree.leaves(again), strict=True))


def test_advantages_are_sums_of_discounted_surprises(ppo):
    """Against the definition, with a double loop; an episode ends in one of two worlds."""
    settings, rng, horizon = ppo.Settings(), np.random.default_rng(0), 6
    rollout = {name: rng.normal(size=(horizon, 2)).astype(np.float32) for name in ("reward", "value")}
    rollout["goes_on"] = np.ones((horizon, 2), np.float32)
    rollout["goes_on"][3, 1] = 0.0
    rollout["last_value"] = rng.normal(size=2).astype(np.float32)
    values = np.vstack([rollout["value"], rollout["last_value"]])
    expected = np.zeros((horizon, 2))
    for world in range(2):
        for t in range(horizon):
            weight = 1.0
            for k in range(t, horizon):
                goes_on = rollout["goes_on"][k, world]
                surprise = rollout["reward"][k, world] + settings.discount * goes_on * values[k + 1, world]
                expected[t, world] += weight * (surprise - values[k, world])
                weight *= settings.discount * settings.trace * goes_on
    np.testing.assert_allclose(ppo.advantages(settings, rollout), expected, rtol=1e-5, atol=1e-5)


def test_moments_are_those_of_all_that_was_seen(ppo):
    rng = np.random.default_rng(0)
    moments, rows = ppo.Moments(ppo.Alone(), (3,)), [rng.normal(2.0, 3.0, (n, 3)) for n in (500, 10, 90)]
    for part in rows:
        moments.see(part)
    seen = np.concatenate(rows)
    np.testing.assert_allclose(moments.mean, seen.mean(0), rtol=1e-5)
    np.testing.assert_allclose(moments.variance, seen.var(0), rtol=1e-5)


def test_an_unknown_task_is_named(ppo):
    with pytest.raises(phalanx.UnknownNameError, match="CartPole-v0"):
        ppo.main(["CartPol-v0"])


@pytest.mark.conformance
def test_the_command_writes_curve_policy_and_film(ppo, tmp_path, capsys):
    files = {name: tmp_path / name for name in ("curve.csv", "policy.npz", "film.webp")}
    ppo.main(["CartPole-v0", "--steps", "20000", "--curve", str(files["curve.csv"]),
              "--save", str(files["policy.npz"]), "--film", str(files["film.webp"])])  # fmt: skip
    assert "the most likely actions: return" in capsys.readouterr().out
    with files["curve.csv"].open(encoding="utf-8") as file:
        assert [int(row["steps"]) for row in csv.DictReader(file)] == [4096, 8192, 12288, 16384]
    # 200 pictures; the format makes one of those that look the same
    with Image.open(files["film.webp"]) as film:
        assert 100 < film.n_frames <= 200
    settings, _ = ppo.parse(["CartPole-v0"])
    params, _ = ppo.load(str(files["policy.npz"]), settings)
    assert params["log_spread"].shape == (1,)


@pytest.mark.conformance
def test_processes_learn_together(tmp_path):
    """The program itself asserts that all of them have the same policy in the end."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, str(FOLDER / "ppo_processes.py"), "CartPole-v0", "--steps", "40000"]
    done = subprocess.run(
        [*command, "--processes", "2"], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=900
    )
    assert done.returncode == 0, done.stderr
    assert "the most likely actions: return" in done.stdout
