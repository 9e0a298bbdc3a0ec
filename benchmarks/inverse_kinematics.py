"""Inverse kinematics of an arm with seven hinges: problems per second, of the first search and with restarts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.timing import best_times

#: Problems that are solved in one call.
PROBLEMS = 4096
#: Seven hinges, alternately along and across the arm, each within 2 rad of straight.
ARM = (
    "<mujoco><compiler angle='radian'/><worldbody>"
    + "".join(
        f"<body pos='0 0 .2'><joint axis='{axis}' range='-2 2'/><geom type='capsule' fromto='0 0 0 0 0 .2' size='.03'/>"
        for axis in ("0 0 1", "0 1 0", "0 0 1", "0 1 0", "0 0 1", "0 1 0", "0 0 1")
    )
    + "<site name='tool' pos='0 0 .2'/>"
    + "</body>" * 7
    + "</worldbody></mujoco>"
)


def reachable_poses(model: phalanx.Model, n: int) -> np.ndarray:
    """Poses (n, 7) of the tool at random joint positions."""
    batch = phalanx.BatchSim(model, n)
    positions, matrices = batch.bind("site_xpos", "site_xmat")
    batch.qpos[:] = np.random.default_rng(0).uniform(*model.jnt_range.T, (n, model.nq))
    batch.forward()
    return np.concatenate([positions[:, 0], phalanx.transforms.mat2quat(matrices[:, 0])], axis=1)


def solver(
    model: phalanx.Model, poses: np.ndarray, shares: dict[str, float], name: str, threads: int, restarts: int
) -> Callable[[], int]:
    """A contestant; what share it solved goes to `shares`."""
    start = np.full(model.nq, 0.3)

    def run() -> int:
        found = phalanx.ik(model, "tool", poses, start=start, threads=threads, restarts=restarts)
        shares[name] = float(found.converged.mean())
        return len(poses)

    return run


def main() -> None:
    """Measure and print."""
    model = phalanx.Model.from_xml_string(ARM)
    poses, shares = reachable_poses(model, PROBLEMS), {}
    contestants = {
        f"{restarts} restarts, {threads} threads": solver(
            model, poses, shares, f"{restarts} restarts, {threads} threads", threads, restarts
        )
        for threads in (1, 2)
        for restarts in (0, 20)
    }
    table = Table("search", "problems per second", "solved")
    for name, seconds in best_times(contestants).items():
        table.add_row(name, f"{1.0 / seconds:,.0f}", f"{shares[name]:.2%}")
    Console().print(table)


if __name__ == "__main__":
    main()
