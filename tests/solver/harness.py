"""Constraint rows of MuJoCo put into our Data, and our solver run on them, in one world or in lanes.

problem = Problem(mjmodel)
problem.states(n, seed) -> MjData objects along a random trajectory, advanced up to the solver
problem.solve([mjdata], NumberType("float64", 8)) -> a list of results, one dict of arrays per world
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

import mujoco
import numpy as np

import phalanx
from phalanx.algebra.jit import kernel
from phalanx.algebra.number_type import NumberType
from phalanx.constraint.dual_matrix import has_dual_matrix, is_dual, make_dual_matrix
from phalanx.constraint.projection import whiten_rows
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import DATA_SCHEMA
from phalanx.memory.store import PlainView, Store
from phalanx.native import runtime as compiler
from phalanx.solver.constrain import fwd_constraint
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.tables.enums import ConstraintType
from phalanx.tables.scratch_fields import CAPACITY

SOURCE = hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]
ONE_WORLD = NumberType("float64")

ROWS = ("pos", "margin", "frictionloss", "D", "R", "aref", "vel", "diagA")
DOFS = ("qacc_smooth", "qfrc_smooth", "qacc_warmstart")
CONTACT = ("mu", "friction", "dist", "includemargin")
RESULTS = ("qacc", "qfrc_constraint", "solver_niter")
#: Not a number of each world; not of this stage.
LEFT_OUT = ("solver_nnz", "solver_fwdinv")
ROW_RESULTS = ("efc_force", "efc_state", "efc_b")


def solve_rows(m: Any, d: Any) -> None:
    """What the pipeline does once the rows are made."""
    if is_dual(m):
        whiten_rows(m, d)
        if has_dual_matrix(m, d) and not lacks_memory(d):
            make_dual_matrix(m, d)
    fwd_constraint(m, d)


@cache
def native(number: NumberType) -> compiler.NativeEntry:
    """The compiled stage alone; run many times, for measurements."""

    def build():
        from phalanx.memory.view import view_at

        model_at = view_at("model", number.one_world, constant=True)
        data_at = view_at("data", number, constant=False)
        run = kernel(solve_rows)

        def entry(m, d, n):
            for _ in range(n):
                run(model_at(m), data_at(d))
            return 0

        return entry

    return compiler.load(compiler.Entry(f"test_fwd_constraint_{number.name}_{SOURCE}", build, 3))


def dense_jacobian(m: Any, d: Any) -> np.ndarray:
    if not mujoco.mj_isSparse(m):
        return np.array(d.efc_J).reshape(d.nefc, m.nv)
    J = np.zeros((d.nefc, m.nv))
    for row in range(d.nefc):
        start, n = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
        J[row, d.efc_J_colind[start : start + n]] = d.efc_J[start : start + n]
    return J


def columns_of(m: Any, d: Any, J: np.ndarray, row: int) -> set[int]:
    """Dofs that a row acts on; where MuJoCo stores them, also those for which its entry happens to be zero."""
    if not mujoco.mj_isSparse(m):
        return set(np.flatnonzero(J[row]).tolist())
    start, count = d.efc_J_rowadr[row], d.efc_J_rownnz[row]
    return set(d.efc_J_colind[start : start + count].tolist())


def is_short(store: Store) -> bool:
    return any(int(store.arrays[size]) > store.sizes[size] for size in CAPACITY)


class Row:
    """A constraint row of the union of worlds: what it belongs to, its columns, and where each world has it."""

    def __init__(self, kind: int, number: int, key: tuple):
        self.kind, self.number, self.key = kind, number, key
        self.columns: set[int] = set()
        self.place: dict[int, int] = {}


class Problem:
    """Rows of MuJoCo for our solver; of one world in MuJoCo's order, unless `is_sorted` asks for that of lanes."""

    def __init__(self, mjmodel: Any, is_sorted: bool = False):
        self.mjmodel = mjmodel
        self.is_sorted = is_sorted
        self.model = phalanx.Model.from_mujoco(mjmodel)

    # --- states

    def states(self, n: int, every: int = 10, seed: int = 0, noise: float = 0.3) -> list[Any]:
        """MjData objects along a trajectory with random controls, each ready for the solver."""
        m, rng = self.mjmodel, np.random.default_rng(seed)
        d = mujoco.MjData(m)
        if m.nkey:
            mujoco.mj_resetDataKeyframe(m, d, 0)
        found, step = [], 0
        while len(found) < n:
            if m.nu:
                low, high = np.where(m.actuator_ctrllimited[:, None] != 0, m.actuator_ctrlrange, (-1, 1)).T
                d.ctrl[:] = rng.uniform(low, high)
            if step % every == 0:
                d.qvel[:] += noise * rng.normal(size=m.nv)
            mujoco.mj_step(m, d)
            step += 1
            if step % every == 0:
                copy = mujoco.MjData(m)
                mujoco.mj_copyData(copy, m, d)
                mujoco.mj_forward(m, copy)
                copy.qacc_warmstart[:] = d.qacc_warmstart
                mujoco.mj_fwdConstraint(m, copy)
                if copy.nefc:
                    found.append(copy)
            assert step < 100 * n * every, "no constraints"
        return found

    # --- rows

    def union(self, states: list[Any]) -> list[Row]:
        """The rows that some world has; of several worlds by kind and object, in the same relative order in each."""
        found: dict[tuple, Row] = {}
        for w, d in enumerate(states):
            J = dense_jacobian(self.mjmodel, d)
            seen: dict[tuple, int] = {}
            pairs: dict[tuple, int] = {}
            owner: dict[int, tuple] = {}
            for row in range(d.nefc):
                kind, number = int(d.efc_type[row]), int(d.efc_id[row])
                if kind >= ConstraintType.CONTACT_FRICTIONLESS:
                    if number not in owner:
                        pair = tuple(int(g) for g in d.contact.geom[number])
                        owner[number] = (10, *pair, pairs.get(pair, 0))
                        pairs[pair] = pairs.get(pair, 0) + 1
                    key = owner[number]
                else:
                    key = (kind, number)
                    if kind == ConstraintType.LIMIT_JOINT or kind == ConstraintType.LIMIT_TENDON:
                        key = (kind, number, float(J[row].sum() < 0))
                k = seen.get(key, 0)
                seen[key] = k + 1
                entry = found.setdefault((*key, k), Row(kind, number, key))
                entry.place[w] = row
                entry.columns |= columns_of(self.mjmodel, d, J, row)
        ordered = [found[key] for key in (sorted(found) if self.is_sorted or len(states) > 1 else found)]
        chains: dict[tuple, set[int]] = {}
        for entry in ordered:
            chains.setdefault(entry.key, set()).update(entry.columns)
        for entry in ordered:
            entry.columns = chains[entry.key]
        return ordered

    def fill(self, states: list[Any], number: NumberType = ONE_WORLD) -> Store:
        """A store with the rows of all worlds."""
        rows, worlds = self.union(states), number.worlds
        sizes = {**self.model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}
        store = Store(DATA_SCHEMA, sizes, number)
        store.allocate_all()
        contacts = [key for key in dict.fromkeys(row.key for row in rows) if key[0] == 10]
        for size, count in (("nefc", len(rows)), ("ncon", len(contacts)), ("nJ", sum(len(r.columns) for r in rows))):
            store.resize(size, count)
            store.arrays[size][...] = count
        a = store.arrays
        lanes = {name: array.reshape(*array.shape, 1) if number.width < 2 else array for name, array in a.items()}
        types = [row.kind for row in rows]
        a["ne"][...] = sum(t == ConstraintType.EQUALITY for t in types)
        a["nf"][...] = sum(t in (ConstraintType.FRICTION_DOF, ConstraintType.FRICTION_TENDON) for t in types)
        a["efc_type"][:] = types
        lanes["efc_R"][:] = 1.0
        address = 0
        for k, row in enumerate(rows):
            a["efc_id"][k] = contacts.index(row.key) if row.key[0] == 10 else row.number
            columns = sorted(row.columns)
            a["efc_J_rownnz"][k], a["efc_J_rowadr"][k] = len(columns), address
            a["efc_J_colind"][address : address + len(columns)] = columns
            address += len(columns)
        lanes["contact_mu"][:] = np.nan
        lanes["contact_friction"][:] = np.nan
        for w in range(worlds):
            self.fill_world(lanes, rows, contacts, states[w], w)
        return store

    def fill_world(self, lanes: Any, rows: list[Row], contacts: list[tuple], d: Any, w: int) -> None:
        m = self.mjmodel
        for name in DOFS:
            lanes[name][..., w] = getattr(d, name)
        for name in ("M", "qLD", "qLDiagInv"):
            lanes[name][..., w] = getattr(d, name)
        J = dense_jacobian(m, d)
        for k, row in enumerate(rows):
            if w not in row.place:
                continue
            place = row.place[w]
            columns = sorted(row.columns)
            start = lanes["efc_J_rowadr"].ravel()[k]
            lanes["efc_J"][start : start + len(columns), w] = J[place, columns]
            for name in ROWS:
                lanes[f"efc_{name}"][k, w] = getattr(d, f"efc_{name}")[place]
            if row.key[0] == 10:
                contact, number = contacts.index(row.key), int(d.efc_id[place])
                lanes["contact_dim"][contact] = d.contact.dim[number]
                for name in CONTACT:
                    lanes[f"contact_{name}"][contact, ..., w] = getattr(d.contact, name)[number]

    # --- solving

    def solve(self, states: list[Any], number: NumberType = ONE_WORLD) -> list[dict[str, np.ndarray]]:
        """Results of each world; rows as that world has them."""
        rows, store = self.union(states), self.fill(states, number)
        self.run(store)
        return [self.results(store, rows, w) for w in range(number.worlds)]

    def run(self, store: Store) -> None:
        model = self.model.store_for(store.number.base)
        native(store.number)(model.address, store.address, 1)
        while is_short(store):
            store.grow()
            native(store.number)(model.address, store.address, 1)

    def solve_interpreted(self, d: Any) -> dict[str, np.ndarray]:
        rows, store = self.union([d]), self.fill([d])
        with np.errstate(all="ignore"):
            solve_rows(PlainView(self.model._store), PlainView(store))
            while is_short(store):
                store.grow()
                solve_rows(PlainView(self.model._store), PlainView(store))
        return self.results(store, rows, 0)

    def results(self, store: Store, rows: list[Row], w: int) -> dict[str, np.ndarray]:
        def world(name: str) -> np.ndarray:
            return np.array(store.arrays[name] if store.number.width < 2 else store.arrays[name][..., w])

        found = {name: world(name) for name in store.arrays if name.startswith("solver_") and name not in LEFT_OUT}
        found |= {name: world(name) for name in RESULTS}
        places = [k for _, k in sorted((row.place[w], k) for k, row in enumerate(rows) if w in row.place)]
        for name in ROW_RESULTS:
            found[name] = world(name)[places]
        found["places"] = np.array(places)
        return found
