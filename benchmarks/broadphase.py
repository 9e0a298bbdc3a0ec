"""How the collision stage of one world grows with the number of bodies, beside MuJoCo's.

Poses take turns, so that no processor can learn the branches of one by heart: in a step it meets new ones, too. The
broad phase alone is measured where bodies are swept; a scene with few pairs has them listed ahead.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.collision import MOMENTS, POSES, moments, repeated_collision
from benchmarks.scenes import CONTACT_SCENES
from benchmarks.timing import best_times
from phalanx.algebra.number_type import NumberType
from phalanx.collision.broad.broadphase import broadphase
from phalanx.memory.store import Store
from phalanx.native.runtime import Entry, NativeEntry, load

NAMED = ("humanoid", "22_humanoids", "100_humanoids", "particles")
COUNTS = (100, 400, 1600)
RADIUS = 0.05
#: Bodies of all poses together, at most but for two poses: one world's memory fits into a cache, that of many does not.
POSED_BODIES = 4000
#: A pass over the poses is short, so more of them than usual find a quiet moment of the machine.
PASSES = 30

Scene = tuple[str, Any, list[Any]]


def spheres(count: int, size: tuple[float, float, float]) -> tuple[Any, list[Any]]:
    """Spheres over a plane, at random in a box. They get a place each, so one joint will do, which saves memory."""
    bodies = f'<body><joint type="slide"/><geom size="{RADIUS}"/></body>' * count
    text = f'<mujoco><worldbody><geom type="plane" size="1 1 1"/>{bodies}</worldbody></mujoco>'
    mjmodel, found = mujoco.MjModel.from_xml_string(text), []
    for moment in range(MOMENTS):
        data = mujoco.MjData(mjmodel)
        places = np.random.default_rng(moment).uniform((0, 0, 0.9 * RADIUS), size, (count, 3))
        mujoco.mj_kinematics(mjmodel, data)
        mujoco.mj_comPos(mjmodel, data)
        data.xipos[1:] = data.geom_xpos[1:] = places
        found.append(data)
    return mjmodel, found


def scenes(names: list[str]) -> Iterator[Scene]:
    """(name, model, moments): humanoids and particles of MuJoCo, then more and more spheres of the same density."""
    for scene in CONTACT_SCENES:
        mjmodel = scene.load_whole() if scene.name in (names or NAMED) and scene.name in NAMED else None
        if mjmodel is not None:
            yield scene.name, mjmodel, moments(mjmodel)
    for count in COUNTS if not names or "spheres" in names else ():
        side = 3 * RADIUS * count**0.5
        yield f"{count} spheres on a floor", *spheres(count, (side, side, 1.1 * RADIUS))
        side = 2.5 * RADIUS * count ** (1 / 3)
        yield f"{count} spheres in a heap", *spheres(count, (side, side, side))


def repeated_broadphase() -> NativeEntry:
    """The entry (model, data, n): the broad phase n times."""

    def build() -> Callable[..., int]:
        from phalanx.memory.view import view_at

        number = NumberType("float64")
        model_at = view_at("model", number, constant=True)
        data_at = view_at("data", number, constant=False)

        def entry(m, d, n):
            model, data = model_at(m), data_at(d)
            for _ in range(n):
                data.nsweep = 0
                data.nclose = 0
                broadphase(model, data)
            return 0

        return entry

    return load(Entry("bench_broadphase", build, 3))


def stores_at(model: phalanx.Model, worlds: list[Any], stage: NativeEntry) -> list[Store]:
    """Memory of one world each at the poses of these, grown to what they need."""
    found = []
    for world in worlds:
        store = model.make_data()._store
        for name in POSES:
            store.arrays[name][...] = getattr(world, name).reshape(store.arrays[name].shape)
        for _ in range(3):  # pairs of bodies, pairs of geoms, contacts
            stage.call(model._store.address, store.address, 1)
            store.grow()
        found.append(store)
    return found


def contestants(model: phalanx.Model, mjmodel: Any, worlds: list[Any]) -> tuple[dict[str, Callable[[], int]], Any]:
    """Who is to be timed, and the memory that tells what was found."""
    entries = {"stage": repeated_collision(NumberType("float64")), "broad phase": repeated_broadphase()}
    stores = stores_at(model, worlds, entries["stage"])
    repeats = max(1, 1000 // (mjmodel.ngeom + 1))

    def theirs() -> int:
        for _ in range(repeats):
            for world in worlds:
                mujoco.mj_collision(mjmodel, world)
        return repeats * len(worlds)

    found: dict[str, Callable[[], int]] = {"mujoco": theirs}
    for name, native in entries.items():

        def ours(native: NativeEntry = native) -> int:
            for _ in range(repeats):
                for store in stores:
                    native.call(model._store.address, store.address, 1)
            return repeats * len(stores)

        if name == "stage" or model._store.arrays["flg_sweep"]:
            found[name] = ours
    return found, stores


def bench_broadphase(console: Console, names: list[str], rounds: int) -> None:
    """A table of what is found and what it costs, in all and per body."""
    table = Table(title="collision stage of one world: microseconds, and nanoseconds per body")
    columns = (
        "scene", "bodies", "boxes compared", "pairs of geoms", "contacts", "MuJoCo", "Phalanx", "ratio",
        "MuJoCo per body", "Phalanx per body", "broad phase",
    )  # fmt: skip
    for column in columns:
        table.add_column(column, justify="left" if column == "scene" else "right")
    for name, mjmodel, worlds in scenes(names):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = phalanx.Model.from_mujoco(mjmodel)
            runs, stores = contestants(model, mjmodel, worlds[-max(2, POSED_BODIES // mjmodel.nbody) :])
            times = best_times(runs, PASSES * rounds)
        bodies = mjmodel.nbody - 1
        compared, pairs, contacts = (
            float(np.mean([store.arrays[count] for store in stores])) for count in ("nexamined", "nclose", "ncon")
        )
        theirs, stage, broad = times["mujoco"], times["stage"], times.get("broad phase")
        listed = (f"{compared:.0f}", f"{pairs:.0f}") if broad else ("", f"{model.ncandidate}")
        ratio = (f"{1e6 * theirs:.1f}", f"{1e6 * stage:.1f}", f"{theirs / stage:.2f}x")
        per_body = (f"{1e9 * t / bodies:.0f}" if t else "" for t in (theirs, stage, broad))
        cells = (f"{bodies}", *listed, f"{contacts:.0f}", *ratio, *per_body)
        table.add_row(name, *cells)
    console.print(table)
