"""Tasks, policies and workers for tests: workers in this process that are lost when they are told to."""

from __future__ import annotations

import contextlib
import copy
import itertools
import os
from pathlib import Path

import numpy as np

from phalanx import Row
from phalanx.learn.distributed.crew import Lost
from phalanx.learn.distributed.local import LocalBackend
from phalanx.learn.tasks.cart_pole import CartPole

SIZES = (4, 8, 1)
#: Where the policy ends its process: a file, deleted by the one that does so.
FATAL = "fatal"


class Differing(CartPole):
    """A cart-pole with masses, noise and a row of its own in each episode."""

    vary = ("body_mass",)
    state = (Row("episodes", info=True, lasting=True),)
    max_steps = 9

    def randomize(self, m, d, rng):
        for body in range(m.nbody):
            m.body_mass[body] = m.body_mass[body] * rng.uniform(0.5, 2.0)

    def reset(self, m, d, rng):
        d.task.episodes = d.task.episodes + 1.0
        for i in range(m.nq):
            d.qpos[i] = rng.uniform(-0.1, 0.1)


class Wrong(CartPole):
    """Not a number where an action is exactly 0.5."""

    def reward(self, m, d):
        return 1.0 / (d.action[0] - 0.5)


def half_in_the_third(weights, observation, rng):
    """Actions of which the third of a block is 0.5."""
    return np.arange(len(observation))[:, None] * 0.25


def parameters(seed=0):
    """Weights of a small network."""
    rng = np.random.default_rng(seed)
    return [rng.standard_normal((a, b)).astype(np.float32) for a, b in itertools.pairwise(SIZES)]


def end_process(fatal, rng):
    """End this process somewhere in the middle, if no other one has done so; `rng` goes on as without this."""
    if fatal.exists() and copy.deepcopy(rng).uniform() < 0.2:
        with contextlib.suppress(FileNotFoundError):
            fatal.unlink()
            os._exit(1)


def policy(weights, observation, rng):
    """A small network with noise; what it would do without noise is kept. May end its process."""
    if isinstance(weights, dict):
        end_process(Path(weights[FATAL]), rng)
        weights = weights["weights"]
    mean = np.tanh(observation.astype(np.float32) @ weights[0]) @ weights[1]
    return mean + 0.3 * rng.standard_normal(mean.shape, np.float32), {"mean": mean[:, 0]}


class Fragile(LocalBackend):
    """Workers that are lost at some calls, counted over all of them.

    Args:
        fatal: at which calls: after they were done, with the answer lost.
        places: how many workers can be started.
    """

    def __init__(self, fatal=(), places=100):
        self.fatal, self.places, self.calls, self.lost, self.started = set(fatal), places, 0, [], 0

    def start(self, build):
        self.started += 1
        return build() if self.started <= self.places else None

    def wait(self, worker):
        if worker is None:
            raise Lost("there is no room")

    def call(self, worker, method, *arguments):
        if any(worker is other for other in self.lost):
            return Lost("gone")
        self.calls += 1
        found = super().call(worker, method, *arguments)
        if self.calls in self.fatal:
            self.lost.append(worker)
            return Lost("killed")
        return found

    def result(self, ticket):
        if isinstance(ticket, Lost):
            raise ticket
        return ticket

    def stop(self, worker):
        if worker is not None:
            worker.close()
