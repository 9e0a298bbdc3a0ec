"""Two geoms at random poses: our collider and MuJoCo's contacts, side by side, in every way of running.

pair = Pair('<geom type="box" size=".1 .2 .3"/>', '<geom type="capsule" size=".1 .2"/>', margin=0.02)
pair.poses(n, seed) -> array (n, 7) of poses of the second geom relative to the first; add your own kinds
pair.mujoco(pose) -> list of (dist, pos, normal) in MuJoCo's order
pair.ours(poses, "float64", width) -> the same for many poses, from the compiled collider
pair.interpreted(pose) -> the same, as plain Python
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.memory import load3, load9
from phalanx.algebra.number import lane_get
from phalanx.algebra.number_type import NumberType
from phalanx.collision.table import COLLIDERS
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime as compiler
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import GeomType
from phalanx.tables.sizes import MAXCONPAIR

SOURCE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]

SCENE = """<mujoco>
  <compiler angle="radian"/>
  <option><flag gravity="disable"/></option>
  <asset>{assets}</asset>
  <worldbody>
    <body name="first" mocap="true">{first}</body>
    <body name="second"><freejoint align="false"/>{second}</body>
  </worldbody>
</mujoco>"""


@kernel
def load_geom(m, d, geom):
    return load3(d.geom_xpos, geom), load9(d.geom_xmat, geom), load3(m.geom_size, geom), m.geom_dataid[geom]


@kernel
def one_world_geom(geom, w):
    p, a, s, dataid = geom
    return (
        (lane_get(p[0], w), lane_get(p[1], w), lane_get(p[2], w)),
        (lane_get(a[0], w), lane_get(a[1], w), lane_get(a[2], w), lane_get(a[3], w), lane_get(a[4], w),
         lane_get(a[5], w), lane_get(a[6], w), lane_get(a[7], w), lane_get(a[8], w)),
        (lane_get(s[0], w), lane_get(s[1], w), lane_get(s[2], w)),
        dataid,
    )  # fmt: skip


def lane_runner(function: Any) -> Any:
    @kernel
    def run(m, d, margin, world):
        return function(m, d, load_geom(m, d, 0), load_geom(m, d, 1), margin)

    return run


def given_runner(function: Any) -> Any:
    @kernel
    def run(m, d, margin, world):
        first = load_geom(m, d, 0)
        return function(m, d, first, load_geom(m, d, 1), margin, first[0][0] == first[0][0])

    return run


def world_runner(function: Any) -> Any:
    @kernel
    def run(m, d, margin, world):
        first, second = load_geom(m, d, 0), load_geom(m, d, 1)
        return function(m, d, one_world_geom(first, world), one_world_geom(second, world), margin)

    return run


class Pair:
    """A pair of geoms given as MJCF; `first` must have the smaller type (as MuJoCo orders them)."""

    def __init__(self, first: str, second: str, margin: float = 0.0, assets: str = ""):
        with_margin = f'margin="{margin / 2}" '
        text = SCENE.format(
            assets=assets,
            first=first.replace("<geom ", "<geom " + with_margin),
            second=second.replace("<geom ", "<geom " + with_margin),
        )
        self.margin = margin
        self.mjmodel = mujoco.MjModel.from_xml_string(text)
        self.mjmodel.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_MIDPHASE)
        self.mjdata = mujoco.MjData(self.mjmodel)
        types = GeomType(self.mjmodel.geom_type[0]), GeomType(self.mjmodel.geom_type[1])
        self.row = COLLIDERS[types]
        self.name = "_".join(t.name.lower() for t in types)
        self.model = phalanx.Model.from_mujoco(self.mjmodel)
        make = given_runner if self.row.given_near else world_runner if self.row.world_by_world else lane_runner
        self.run = make(self.row.function)

    # --- poses

    def poses(self, n: int, seed: int = 0, spread: float = 1.0) -> np.ndarray:
        """Random poses of the second geom around the first; the scale is that of the bounding spheres."""
        rng = np.random.default_rng(seed)
        bounds = [b if b > 0 else 0.0 for b in self.mjmodel.geom_rbound]
        reach = spread * (sum(bounds) + self.margin)
        pos = rng.normal(size=(n, 3))
        pos *= reach * rng.uniform(0, 1.1, (n, 1)) / np.linalg.norm(pos, axis=1, keepdims=True)
        quat = rng.normal(size=(n, 4))
        quat /= np.linalg.norm(quat, axis=1, keepdims=True)
        return np.hstack([pos, quat])

    # --- MuJoCo

    def place(self, pose: np.ndarray) -> None:
        self.mjdata.qpos[:] = pose
        mujoco.mj_kinematics(self.mjmodel, self.mjdata)
        mujoco.mj_comPos(self.mjmodel, self.mjdata)

    def mujoco(self, pose: np.ndarray) -> list[tuple[float, np.ndarray, np.ndarray]]:
        self.place(pose)
        mujoco.mj_collision(self.mjmodel, self.mjdata)
        contacts = self.mjdata.contact
        return [(contacts.dist[k], contacts.pos[k].copy(), contacts.frame[k].copy()) for k in range(self.mjdata.ncon)]

    # --- ours

    def native(self, number: NumberType) -> compiler.NativeEntry:
        # kept with the pair: a cache of the method would keep all pairs, thousands, with their models
        known = self.__dict__.setdefault("_native", {})
        if number not in known:
            known[number] = self._compiled(number)
        return known[number]

    def _compiled(self, number: NumberType) -> compiler.NativeEntry:
        run = self.run

        def build():
            from phalanx.memory.view import view_at
            from phalanx.native.number import array_at

            model_at = view_at("model", number.one_world, constant=True)
            data_at = view_at("data", number, constant=False)
            numbers_at = array_at("float64", (), "margin", True)
            counts_at = array_at("int64", (), "count", False)

            def entry(m, d, margin, world, count):
                counts_at(count)[0] = run(model_at(m), data_at(d), numbers_at(margin)[0], world)
                return 0

            return entry

        return compiler.load(compiler.Entry(f"test_collider_{self.name}_{number.name}_{SOURCE}", build, 5))

    def store(self, number: NumberType) -> Store:
        sizes = {**self.model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}
        store = Store(DATA_SCHEMA, sizes, number)
        store.allocate_all()
        return store

    def ours(self, poses: np.ndarray, base: str = "float64", width: int = 0) -> list[list[tuple]]:
        """Contacts of each pose: list of (dist, pos, normal)."""
        number = NumberType(base, width)
        native, d, worlds = self.native(number), self.store(number), number.worlds
        margin, count = np.array([self.margin]), np.zeros(1, np.int64)
        model = self.model.store_for(base)
        results: list[list[tuple]] = []
        for start in range(0, len(poses), worlds):
            group = [poses[min(start + w, len(poses) - 1)] for w in range(worlds)]
            for w, pose in enumerate(group):
                self.place(pose)
                for name in ("geom_xpos", "geom_xmat"):
                    d.arrays[name].reshape(2, -1, worlds)[..., w] = getattr(self.mjdata, name)
            for w in range(min(worlds, len(poses) - start)):
                if w == 0 or self.row.world_by_world:
                    native(model.address, d.address, margin.ctypes.data, w, count.ctypes.data)
                results.append(self._contacts(d, int(count[0]), 0 if self.row.world_by_world else w))
        return results

    def interpreted(self, pose: np.ndarray) -> list[tuple]:
        d = self.store(NumberType("float64"))
        self.place(pose)
        for name in ("geom_xpos", "geom_xmat"):
            d.arrays[name][...] = getattr(self.mjdata, name)
        with np.errstate(all="ignore"):
            count = self.run(PlainView(self.model._store), PlainView(d), np.float64(self.margin), 0)
        return self._contacts(d, count, 0)

    def _contacts(self, d: Store, count: int, w: int) -> list[tuple]:
        assert count <= min(self.row.max_contacts, MAXCONPAIR)
        prefix = "world" if self.row.world_by_world else "near"
        dist, pos, normal = (d.arrays[f"{prefix}_{n}"].reshape(MAXCONPAIR, k, -1)[..., w] for n, k in
                             (("dist", 1), ("pos", 3), ("normal", 3)))  # fmt: skip
        return [(dist[k, 0], pos[k].copy(), normal[k].copy()) for k in range(count) if dist[k, 0] <= self.margin]


def same_contacts(ours: list[tuple], theirs: list[tuple], tolerance: float) -> bool:
    """Same number and order of contacts, and the same numbers within the tolerance."""
    return len(ours) == len(theirs) and all(
        abs(a[0] - b[0]) <= tolerance
        and np.abs(a[1] - b[1]).max() <= tolerance
        and np.abs(a[2] - b[2][:3]).max() <= tolerance
        for a, b in zip(ours, theirs, strict=True)
    )


def same_bits(a: list[tuple], b: list[tuple]) -> bool:
    return len(a) == len(b) and all(np.hstack(x).tobytes() == np.hstack(y).tobytes() for x, y in zip(a, b, strict=True))
