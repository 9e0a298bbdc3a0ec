"""Pictures per second through the public API, on one core; and of the worlds of a batch, on one core and on all."""

from __future__ import annotations

import warnings
from collections.abc import Callable

from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.scenes import BY_NAME, Scene
from benchmarks.timing import best_times
from phalanx.native.threads import available_threads

SCENES = ("own_humanoid", "own_quadruped", "humanoid", "barkour", "shadow_hand", "22_humanoids")
#: Title of a column -> width, height and output of its pictures, and what is shown.
PICTURES: dict[str, tuple[int, int, str, dict[str, bool]]] = {
    "64 x 64 depth": (64, 64, "depth", {}),
    "64 x 64 rgb": (64, 64, "rgb", {}),
    "640 x 480 depth": (640, 480, "depth", {}),
    "640 x 480 rgb": (640, 480, "rgb", {}),
    "640 x 480 rgb, no shadows": (640, 480, "rgb", {"shadows": False, "reflections": False}),
}
#: Worlds of the batch, and pictures of the others that a call of a contestant takes at small and at large sizes.
WORLDS, SMALL, LARGE = 1024, 50, 2


def loaded(scene: Scene) -> phalanx.Data | None:
    """The scene at the start, or None without its model."""
    path = scene.find()
    if not path.exists():
        return None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
        data = phalanx.load(str(path)).make_data()
    return data.forward()


def taking(data: phalanx.Data, width: int, height: int, output: str, show: dict[str, bool]) -> Callable[[], int]:
    """Takes some pictures; returns how many."""
    count = SMALL if width < 100 else LARGE
    renderer = phalanx.Renderer(data.model, width, height, show=show)

    def run() -> int:
        for _ in range(count):
            renderer.render(data, output=output)
        return count

    return run


def batched(model: phalanx.Model, threads: int) -> Callable[[], int]:
    """Takes a picture of every world of a batch; returns how many."""
    batch = phalanx.BatchSim(model, WORLDS, threads=threads)

    def run() -> int:
        return len(batch.render(None, 64, 64, output="depth"))

    return run


def bench_render(console: Console, names: list[str], rounds: int) -> None:
    """Pictures per second."""
    table = Table(title="pictures per second through the API, one core (the last column: all cores)")
    batch_columns = {f"{WORLDS} worlds, depth": 1, f"{WORLDS} worlds, depth, all cores": available_threads()}
    for column in ("scene", *PICTURES, *batch_columns):
        table.add_column(column, justify="left" if column == "scene" else "right")
    for name in SCENES:
        data = loaded(BY_NAME[name]) if not names or name in names else None
        if data is None:
            continue
        contestants = {title: taking(data, *picture) for title, picture in PICTURES.items()}
        contestants |= {title: batched(data.model, threads) for title, threads in batch_columns.items()}
        for run in contestants.values():
            run()  # kernels are loaded, surfaces and textures are made
        seconds = best_times(contestants, rounds)
        table.add_row(BY_NAME[name].label or name, *(f"{1 / seconds[title]:.0f}" for title in contestants))
    console.print(table)
