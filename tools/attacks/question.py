"""Questions with good and bad arguments: derivatives, inverse kinematics, plans, pictures, rays at flexes, sleep.

What must not happen: a crash, a hang, an exception that is not ours, a state that a question has changed.
"""

from __future__ import annotations

import random

import numpy as np

import phalanx
from tools import attack_models
from tools.attack_calls import OURS, Call, attack_in_processes, odd, play_calls, sometimes
from tools.attacks.run import MODEL

#: Models that are asked: a plain one, and those of the attacks that have flexes, plugins or sleep.
NAMES = ("", "cloth", "cells", "rod", "sleep", "cloth asleep", "pid", "touch grid", "shapes", "discrete")


def calls_of_questions(data: phalanx.Data) -> list[Call]:
    """What can be asked of a world; after each question its state is as before."""
    model = data.model
    camera = phalanx.Camera()

    def unchanged(question: Call) -> Call:
        def ask(rng: random.Random) -> None:
            before = data.fingerprint()
            try:
                question(rng)
            finally:
                if data.fingerprint() != before:
                    data.reset()
                    raise AssertionError("a question has changed the state")

        return ask

    questions: list[Call] = [
        lambda rng: data.transition(sometimes(rng, "fd"), eps=sometimes(rng, 1e-6), lanes=sometimes(rng, "auto")),
        lambda rng: data.transition("fd", centered=sometimes(rng, True), one_sided=sometimes(rng, True)),
        lambda rng: data.transition_fd(sometimes(rng, 1e-6), sometimes(rng, False)),
        lambda rng: data.parameter_derivatives(sometimes(rng, "body_mass"), eps=sometimes(rng, 1e-6)),
        lambda rng: phalanx.linearize_rollout(model, sometimes(rng, None), sometimes(rng, None), sometimes(rng, 2)),
        lambda rng: phalanx.ik(model, sometimes(rng, 0), sometimes(rng, (0.1, 0, 0.3)), iterations=5, restarts=1),
        lambda rng: phalanx.ik(model, 0, (0, 0, 1), iterations=sometimes(rng, 3), restarts=sometimes(rng, 0)),
        lambda rng: phalanx.ik(model, 0, (0, 0, 1), start=odd(rng), joints=sometimes(rng, None), weights=odd(rng)),
        lambda rng: phalanx.ik(model, 0, (0, 0, 1), tolerance=odd(rng), seed=odd(rng), lanes=odd(rng), threads=1),
        lambda rng: phalanx.Renderer(model, sometimes(rng, 8), sometimes(rng, 6), samples=sometimes(rng, 1)),
        lambda rng: phalanx.Renderer(model, 8, 6, show=sometimes(rng, "contacts")).render(
            data, camera=sometimes(rng, None), output=sometimes(rng, "depth"), marks=sometimes(rng, None)
        ),
        lambda rng: phalanx.Renderer(model, 8, 6).render(sometimes(rng, data, 0.2), camera=camera),
        lambda rng: phalanx.Camera(**{rng.choice(("lookat", "distance", "azimuth", "fovy")): odd(rng)}),
        lambda rng: phalanx.Marks().arrow(odd(rng), start=sometimes(rng, (0, 0, 1)), direction=odd(rng)),
        lambda rng: data.flex_rays(sometimes(rng, (0, 0, 2)), sometimes(rng, (0, 0, -1)), flex=sometimes(rng, None)),
        lambda rng: data.flex_rays((0, 0, 2), (0, 0, -1), seen=sometimes(rng, "edges"), layer=sometimes(rng, 0)),
        lambda rng: data.flex_rays((0, 0, 2), (0, 0, -1), flexgroup=odd(rng)),
        lambda rng: data.flex_energy(),
        lambda rng: (repr(data.sleeping()), str(data.sleeping())),
        lambda rng: model.with_sdf({rng.choice(("ball", 0, 99, None, "")): odd(rng)}),
        lambda rng: phalanx.SDF(sometimes(rng, -np.ones((2, 2, 2))), sometimes(rng, 0.1), sometimes(rng, (0, 0, 0))),
        lambda rng: model.replace(**{rng.choice(("flex_damping", "body_mass", "eq_data", "flex_dim")): odd(rng)}),
        lambda rng: phalanx.BatchSim(model, 2, vary={"eq_data": sometimes(rng, np.ones((2, *model.eq_data.shape)))}),
        lambda rng: phalanx.ilqr(sometimes(rng, data), odd(rng), steps=sometimes(rng, 2)),
        lambda rng: phalanx.profile(model, steps=sometimes(rng, 1), worlds=sometimes(rng, 2), seed=odd(rng)),
        lambda rng: phalanx.assemble(model, odd(rng)),
        lambda rng: data.jac(odd(rng), sometimes(rng, 0)),
        lambda rng: data.copy().restore(data.snapshot()),
    ]
    return [*map(unchanged, questions), lambda rng: data.step(rng.choice((1, 3))), lambda rng: data.reset()]


def play(seed: int, rounds: int) -> list[str]:
    """A sequence of questions; what was found."""
    name = NAMES[seed % len(NAMES)]
    text = attack_models.TEXTS[name] if name else MODEL.format(integrator="Euler")
    data = phalanx.Model.from_xml_string(text).make_data().step(3)
    return [f"{name}: {line}" for line in play_calls(seed, rounds, calls_of_questions(data), OURS)]


def attack(seed: int, seconds: float) -> list[str]:
    """Ask until the time is over; one line for each finding."""
    return attack_in_processes("question", seed, seconds, 60)
