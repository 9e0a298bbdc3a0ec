"""The collision stage of both engines at the same poses, taken from MuJoCo's trajectories under random controls.

One world: the stage called from Python, as `mj_collision` is. Lanes: a compiled loop over the stage alone; the worlds
of a lane group are at different moments of different trajectories, so their contacts differ.
"""

from __future__ import annotations

import hashlib
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
from rich.console import Console
from rich.table import Table

import phalanx
from benchmarks.scenes import CONTACT_SCENES
from benchmarks.timing import best_times
from phalanx.algebra.number_type import NumberType
from phalanx.collision.narrowphase import collision
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import Store
from phalanx.native.runtime import Entry, NativeEntry, load
from phalanx.tables.data_fields import VARIABLE_SIZES

POSES = ("geom_xpos", "geom_xmat", "xipos", "ximat")
#: Worlds at different moments; a multiple of all lane widths.
MOMENTS = 16
LANES = {"float64": NumberType("float64", 8), "float32": NumberType("float32", 16)}


def moments(mjmodel: Any) -> list[Any]:
    """MjData after 100, 130, 160, ... steps of random controls, each with its own seed."""
    found = []
    for world in range(MOMENTS):
        rng, data = np.random.default_rng(world), mujoco.MjData(mjmodel)
        for _ in range(100 + 30 * world if mjmodel.nv < 200 else 40 + world):
            data.ctrl[:] = rng.uniform(-1, 1, mjmodel.nu)
            mujoco.mj_step(mjmodel, data)
        mujoco.mj_fwdPosition(mjmodel, data)
        found.append(data)
    return found


def repeated_collision(number: NumberType) -> NativeEntry:
    """The entry (model, data, n): the stage n times."""

    def build() -> Callable[..., int]:
        from phalanx.memory.view import view_at

        model_at = view_at("model", number.one_world, constant=True)
        data_at = view_at("data", number, constant=False)

        def entry(m, d, n):
            model, data = model_at(m), data_at(d)
            for _ in range(n):
                collision(model, data)
            return 0

        return entry

    return load(Entry(f"bench_collision_{number.name}_{_source()}", build, 3))


def _source() -> str:
    """Hash of the sources: the stage is compiled into the entry, and the key of an entry does not know its parts."""
    files = sorted(Path(phalanx.__file__).parent.joinpath("collision").rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()[:8]


def lane_group(model: phalanx.Model, number: NumberType, worlds: list[Any], native: NativeEntry) -> Store:
    """Memory of a lane group at the poses of these worlds, grown to what they need."""
    store = Store(DATA_SCHEMA, {**model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}, number)
    store.allocate_all()
    for name in POSES:
        for w, data in enumerate(worlds):
            store.arrays[name][..., w] = getattr(data, name).reshape(store.arrays[name].shape[:-1])
    for _ in range(3):  # pairs of bodies, pairs of geoms, contacts
        native.call(model.store_for(number.base).address, store.address, 1)
        store.grow()
    return store


def contestants(model: phalanx.Model, mjmodel: Any) -> dict[str, Callable[[], int]]:
    worlds = moments(mjmodel)
    repeats = max(1, 4000 // (mjmodel.ngeom + 1))
    datas = []
    for world in worlds:
        data = model.make_data()
        for name in POSES:
            getattr(data, name)[...] = getattr(world, name)
        datas.append(data)

    def theirs() -> int:
        for world in worlds:
            for _ in range(repeats):
                mujoco.mj_collision(mjmodel, world)
        return repeats * len(worlds)

    def one_world() -> int:
        for data in datas:
            for _ in range(repeats):
                data.run("collision")
        return repeats * len(datas)

    found: dict[str, Callable[[], int]] = {"mujoco": theirs, "one world": one_world}
    for base, number in LANES.items():
        native, width = repeated_collision(number), number.worlds
        groups = [lane_group(model, number, worlds[k : k + width], native) for k in range(0, MOMENTS, width)]
        address = model.store_for(base).address

        def lanes(groups: list[Store] = groups, native: NativeEntry = native, address: int = address) -> int:
            for store in groups:
                native.call(address, store.address, repeats)
            return repeats * MOMENTS

        found[base] = lanes
    return found


def bench_collision(console: Console, names: list[str], rounds: int) -> None:
    """A table of ratios, larger is faster than MuJoCo."""
    table = Table(title="collision stage, microseconds per world on one core; ratio: how much faster than MuJoCo")
    for column in ("scene", "contacts", "MuJoCo", "one world", "lanes f64", "lanes f32"):
        table.add_column(column, justify="left" if column == "scene" else "right")
    for scene in CONTACT_SCENES:
        mjmodel = scene.load_whole() if not names or scene.name in names else None
        if mjmodel is None:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model = phalanx.Model.from_mujoco(mjmodel)
            times = best_times(contestants(model, mjmodel), rounds)
        contacts = np.mean([data.ncon for data in moments(mjmodel)])
        cells = [f"{1e6 * t:.1f}  {times['mujoco'] / t:.2f}x" for name, t in times.items() if name != "mujoco"]
        table.add_row(scene.name, f"{contacts:.1f}", f"{1e6 * times['mujoco']:.1f}", *cells)
    console.print(table)
