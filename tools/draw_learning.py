"""Draw the pictures of docs/learning.md from what `examples/learning/ppo.py` wrote: films of policies, and curves.

Usage: python -m tools.draw_learning FOLDER [NAME ...]

The folder has <name>.csv and <name>.npz of --curve and --save, for each name of `FILMS`.
"""

from __future__ import annotations

import csv
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib
import numpy as np
from PIL import Image

import phalanx

ROOT = Path(__file__).resolve().parent.parent
PICTURES = ROOT / "docs" / "pictures"
#: Names of pictures, and the tasks that they show.
FILMS = {"half_cheetah": "HalfCheetah-v5", "ant": "Ant-v5", "walking_quadruped": "QuadrupedVelocity-v0"}
#: Width and height of films [pixels], their length [s], frames in a second, and quality.
SIZE, LENGTH, RATE, QUALITY = (300, 188), 5.0, 20, 50
#: Commands of the film of the quadruped, one after another: forward [m/s], left [m/s], rotation to the left [rad/s].
COMMANDS = ((0.9, 0.0, 0.0), (0.5, 0.0, 0.8), (0.0, -0.4, 0.0), (0.9, 0.0, -0.4))
#: The height of arrows over the trunk [m].
ABOVE = 0.16


def example() -> ModuleType:
    """The program that learns."""
    spec = importlib.util.spec_from_file_location("ppo", ROOT / "examples" / "learning" / "ppo.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["ppo"] = module
    spec.loader.exec_module(module)
    return module


def command_marks(data: phalanx.Data, command: np.ndarray) -> phalanx.Marks:
    """Arrows over the trunk: where it is told to go, and how it is told to rotate."""
    marks, axes, place = phalanx.Marks(), data.xmat[1].reshape(3, 3), data.xpos[1] + (0, 0, ABOVE)
    ahead = np.array([axes[0, 0], axes[1, 0], 0.0]) / np.hypot(axes[0, 0], axes[1, 0])
    left = np.array([-ahead[1], ahead[0], 0.0])
    going = 0.4 * (command[0] * ahead + command[1] * left)
    marks.arrow("going", start=place, direction=going, width=0.012, color=(0.2, 0.8, 0.3))
    if command[2]:
        start = place + 0.22 * ahead
        marks.arrow("rotating", start=start, direction=0.25 * command[2] * left, width=0.012, color=(0.95, 0.6, 0.1))
    return marks


def frames(task: phalanx.Task, policy: Any) -> Iterator[Image.Image]:
    """A world that the policy acts in, seen by the camera of the model."""
    env, data = task.make(), task.model.make_data()
    low, high = env.action_space.low, env.action_space.high
    observation, _ = env.reset(seed=0)
    duration = float(task.model.opt.timestep) * task.frame_skip
    steps, has_command = round(LENGTH / duration), "command" in env.worlds.rows
    for step in range(steps):
        command = np.array(COMMANDS[step * len(COMMANDS) // steps])
        if has_command:
            observation = env.set_state(command=command, command_time=1.0)
        action = (high + low) / 2 + (high - low) / 2 * np.asarray(policy(observation))
        observation, *_ = env.step(np.clip(action, low, high))
        if step % max(round(1.0 / RATE / duration), 1) == 0:
            data.qpos[:] = env.batch.qpos[0]
            data.forward()
            marks = command_marks(data, command) if has_command else None
            yield Image.fromarray(data.render(*SIZE, camera=0, samples=3, marks=marks))


def draw_film(ppo: ModuleType, folder: Path, name: str) -> None:
    """A film of a policy."""
    task_name = FILMS[name]
    settings = ppo.Settings(**{"task": task_name, **ppo.PRESETS.get(task_name, {})})
    params, scale = ppo.load(str(folder / f"{name}.npz"), settings)
    # no noise and no pushes: the film shows the policy
    quiet = {"noise": None, "push_speed": 0.0, "delay": 0} if name == "walking_quadruped" else {}
    task = phalanx.learn.task_named(task_name, **quiet)
    first, *others = frames(task, lambda observation: ppo.act_best(params, scale, observation))
    options = {"duration": round(1000 / RATE), "loop": 0, "quality": QUALITY, "method": 6}
    first.save(PICTURES / f"{name}.webp", save_all=True, append_images=others, **options)


def draw_curves(folder: Path) -> None:
    """Returns against steps, one plot for each task."""
    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, len(FILMS), figsize=(10, 2.8), layout="constrained")
    for place, (name, task) in zip(axes, FILMS.items(), strict=True):
        with (folder / f"{name}.csv").open(encoding="utf-8") as file:
            rows = [*csv.DictReader(file)]
        place.plot([float(row["steps"]) / 1e6 for row in rows], [float(row["return"]) for row in rows], color="#b4530b")
        place.set_title(task, fontsize=10)
        place.set_xlabel("million steps")
        place.grid(alpha=0.3)
    axes[0].set_ylabel("return")
    figure.savefig(PICTURES / "learning.png", dpi=90)


def main(arguments: list[str]) -> int:
    """Draw the films with these names, or all of them and the curves."""
    folder, *names = arguments
    ppo = example()
    for name in names or FILMS:
        draw_film(ppo, Path(folder), name)
    if not names:
        draw_curves(Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
