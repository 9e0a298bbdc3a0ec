"""Exports of worlds for the browser with good and bad arguments, of models of every kind.

What must not happen: a crash, a hang, an exception that is not ours, a file that a failed export left behind.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import phalanx
from tools import attack_models
from tools.attack_calls import OURS, Call, attack_in_processes, odd, play_calls, sometimes
from tools.attacks.run import MODEL

NAMES = ("", "cloth", "sleep", "pid", "shapes", "cells")


def hooks() -> list[Callable[..., Any]]:
    """Controllers: one that is right, others that are not."""

    def right(m: Any, d: Any) -> None:
        for k in range(m.nu):
            d.ctrl[k] = 0.1

    def imports(m: Any, d: Any) -> None:
        import os

        os.getcwd()

    def unknown(m: Any, d: Any) -> None:
        d.nothing[0] = 1.0

    def texts(m: Any, d: Any) -> None:
        d.ctrl[0] = "one"

    return [right, imports, unknown, texts, print, lambda m: None, lambda m, d: d.ctrl]


def calls_of_web(model: phalanx.Model, folder: Path) -> list[Call]:
    """What can be asked of the exports."""
    data = model.make_data().step(2)
    other = phalanx.Model.from_xml_string("<mujoco/>").make_data()
    paths: tuple[Any, ...] = (
        folder / "a.phx", folder / "nowhere" / "a.phx", folder, "", "a", folder / "a.exe",
        folder / ("x" * 300 + ".phx"), "/proc/a.phx", "/dev/null", b"a.phx", None, 3, folder / "b\0.phx",
    )  # fmt: skip

    def clean(export: Call) -> Call:
        def run(rng: random.Random) -> None:
            try:
                export(rng)
            except OURS:
                left = [path.name for path in folder.iterdir()]
                if left:
                    raise AssertionError(f"an export that failed left {left}") from None
                raise
            finally:
                for path in folder.iterdir():
                    path.unlink()

        return run

    exports: list[Call] = [
        lambda rng: phalanx.export_image(model, folder / "a.phx", data=data),
        lambda rng: phalanx.export_image(sometimes(rng, model), rng.choice(paths), data=sometimes(rng, None)),
        lambda rng: phalanx.export_image(model, folder / "a.phx", data=other),
        lambda rng: phalanx.export_image(model, folder / "a.phx", controller=rng.choice(hooks())),
        lambda rng: phalanx.export_image(
            model, folder / "a.phx", module=rng.choice((*paths[1:], folder / "n" / "a.wasm"))
        ),
        lambda rng: phalanx.export_web(model, rng.choice((*paths, folder / "n" / "a.html"))),
        lambda rng: phalanx.export_web(model, folder / "a.html", show=sometimes(rng, "contacts", 0.1)),
        lambda rng: phalanx.export_web(model, folder / "a.html", layers=odd(rng), camera=odd(rng)),
        lambda rng: phalanx.export_web(model, folder / "a.html", plots=sometimes(rng, ["qpos"], 0.1)),
        lambda rng: phalanx.export_web(model, folder / "a.html", title=odd(rng), data=odd(rng)),
        lambda rng: phalanx.export_web(model, folder / "a.html", controller=rng.choice(hooks()[1:])),
        lambda rng: phalanx.export_rerun(model, odd(rng), rng.choice(paths)),
        lambda rng: phalanx.replay_html(model, odd(rng), rng.choice(paths)),
        lambda rng: _spoil(data, rng),
    ]
    return [*map(clean, exports)]


def _spoil(data: phalanx.Data, rng: random.Random) -> None:
    """A state that is not finite is exported as it is, or refused."""
    data.reset()
    if data.qpos.size and rng.random() < 0.5:
        data.qpos[rng.randrange(data.qpos.size)] = rng.choice((np.nan, np.inf, 1e300))


def play(seed: int, rounds: int) -> list[str]:
    """A sequence of exports; what was found."""
    name = NAMES[seed % len(NAMES)]
    text = attack_models.TEXTS[name] if name else MODEL.format(integrator="Euler")
    with tempfile.TemporaryDirectory() as folder:
        calls = calls_of_web(phalanx.Model.from_xml_string(text), Path(folder))
        return [f"{name}: {line}" for line in play_calls(seed, rounds, calls, OURS)]


def attack(seed: int, seconds: float) -> list[str]:
    """Export until the time is over; one line for each finding."""
    return attack_in_processes("web", seed, seconds, 40)
