"""Random calls with good and bad arguments on batches of an emulated device, and on two of them that must agree.

What must not happen: a crash, a hang, an exception that is not ours, other bits than those of a batch on the CPU.
"""

from __future__ import annotations

import random

import numpy as np

import phalanx
from tools.attack_calls import OURS, Call, attack_in_processes, odd, play_calls, small, sometimes
from tools.attacks.run import FIELDS, MODEL

WORLDS = 5


def calls_of_device(batch: phalanx.BatchSim, twin: phalanx.BatchSim) -> list[Call]:
    """What can be asked of a batch on a device; the twin on the CPU takes the same steps."""
    model = batch.model

    def step(rng: random.Random) -> None:
        """Both go on from the same state, and agree."""
        state = np.random.default_rng(rng.randrange(2**32)).uniform(-1.0, 1.0, twin.qvel.shape)
        count = rng.choice((1, 2, 7))
        for each in (batch, twin):
            each.reset_all()
            each.qvel[:] = state
            each.step(count)
        if any(batch.fingerprint(world) != twin.fingerprint(world) for world in range(WORLDS)):
            raise AssertionError(f"other bits than on the CPU after {count} steps")

    return [
        step,
        lambda rng: batch.step(small(odd(rng))),
        lambda rng: batch.step(1, strict=odd(rng)),
        lambda rng: batch.forward(),
        lambda rng: batch.inverse(odd(rng)),
        lambda rng: batch.reset(odd(rng), sometimes(rng, None)),
        lambda rng: batch.reset_where(odd(rng)),
        lambda rng: batch.reset_all(),
        lambda rng: batch.bind(sometimes(rng, rng.choice(FIELDS))),
        lambda rng: batch.rays((0, 0, 3), sometimes(rng, (0, 0, -1))),
        lambda rng: batch.env(odd(rng)),
        lambda rng: batch.set_vary(sometimes(rng, 0), body_mass=sometimes(rng, model.body_mass)),
        lambda rng: batch.noisy_sensors(odd(rng)),
        lambda rng: batch.transition(sometimes(rng, "fd"), eps=sometimes(rng, 1e-6)),
        lambda rng: batch.fingerprint(odd(rng)),
        lambda rng: batch.restore(sometimes(rng, batch.snapshot())),
        lambda rng: batch.on_cpu().step() if hasattr(batch, "on_cpu") else None,
        lambda rng: setattr(batch, rng.choice(FIELDS[:9]), odd(rng)),
        lambda rng: getattr(batch, rng.choice(FIELDS)),
        lambda rng: batch.errors,
        lambda rng: repr(batch),
        lambda rng: phalanx.BatchSim(model, sometimes(rng, 2), device=sometimes(rng, "emulated", 0.7)),
        lambda rng: phalanx.GpuBatchSim(
            model, sometimes(rng, 2), device="emulated", dtype=sometimes(rng, "float64"), lanes=sometimes(rng, "auto"),
            vary=sometimes(rng, None),
        ),
        lambda rng: phalanx.try_device(sometimes(rng, "emulated")),
    ]  # fmt: skip


def play(seed: int, rounds: int) -> list[str]:
    """A sequence of calls; what was found."""
    model = phalanx.Model.from_xml_string(MODEL.format(integrator="Euler"))
    batch, twin = phalanx.BatchSim(model, WORLDS, device="emulated"), phalanx.BatchSim(model, WORLDS, threads=1)
    return play_calls(seed, rounds, calls_of_device(batch, twin), OURS)


def attack(seed: int, seconds: float) -> list[str]:
    """Play until the time is over; one line for each finding."""
    return attack_in_processes("device", seed, seconds, 150)
