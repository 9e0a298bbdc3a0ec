"""Fingerprints of states and models, and of trajectories: the same on every machine, in every way of running."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import phalanx
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.native.target import TARGET_VARIABLE, host_target
from phalanx.world.fingerprint import FOLLOWING, HASHED, STATE, canonical
from tools.write_fingerprints import ROOT, WORLDS, load, model_files, read_table, run_batch, run_world

XML = """<mujoco model="{name}"><worldbody><geom name="{name}" type="plane" size="1 1 1" rgba="0 {green} 0 1"/>
<body name="b{name}" pos="0 0 .2"><freejoint/><geom size=".1" mass="{mass}"/></body></worldbody></mujoco>"""
TABLE = read_table()
FILES = model_files()
#: Models whose files are in the repository; those of packages change with their releases.
OURS = ("own/", "robots/")
OWN = tuple(name for name in TABLE if name.startswith(OURS))
PACKAGED = tuple(name for name in TABLE if not name.startswith(OURS) and name in FILES)
EVERYDAY = (
    "own/everything", "own/contact", "own/hinge", "own/tendon_forces", "own/actuators_with_state", "robots/arm",
    "robots/cartpole", "robots/gripper", "robots/humanoid", "robots/quadruped",
)  # fmt: skip
KNOWN = ("b433e47617410fd2b6735cd38f45a58d", "b66ddce1aeee6488775dd70f6b6a6773")
INTERPRETED = ("own/hinge", "own/ball", "own/slide", "own/static", "own/armature")


def model(name: str = "x", mass: float = 1.0, green: float = 0.5) -> phalanx.Model:
    return phalanx.Model.from_xml_string(XML.format(name=name, mass=mass, green=green))


@cache
def table_model(name: str) -> phalanx.Model:
    found = load(FILES[name])
    assert found is not None
    if found.fingerprint() != TABLE[name]["model"] and not name.startswith(OURS):
        pytest.skip("another release of the package has another model")
    return found


def test_every_built_in_model_is_in_the_table() -> None:
    assert {f"robots/{name}" for name in phalanx.models()} <= set(TABLE)


# --- what is hashed


def test_a_fingerprint_is_of_the_whole_state() -> None:
    """Any bit of any state row changes it; results do not."""
    data = model().make_data().step(5)
    before = data.fingerprint()
    assert re.fullmatch("[0-9a-f]{32}", before)
    data.forward()
    data.xpos[:] = 7.0
    assert data.fingerprint() == before
    for name in STATE:
        array = data._store.arrays[name]
        if array.size:
            kept = array.copy()
            flat = array.reshape(-1) if array.ndim else array.reshape(1)
            flat[-1] = np.nextafter(flat[-1], flat.dtype.type(1e30)) if array.dtype.kind == "f" else flat[-1] + 1
            assert data.fingerprint() != before, name
            array[...] = kept
            assert data.fingerprint() == before


def test_zeros_have_signs_and_nans_do_not() -> None:
    data = model().make_data()
    before = data.fingerprint()
    data.qvel[0] = -0.0
    assert data.fingerprint() != before
    data.qvel[0] = np.nan
    positive = data.fingerprint()
    data.qvel[0] = -np.nan
    assert data.fingerprint() == positive


def test_the_byte_order_of_memory_does_not_count() -> None:
    numbers = np.array([1.0, -2.5, np.nan])
    for dtype in (">f8", "<f8"):
        assert canonical(numbers.astype(dtype)).tobytes() == canonical(numbers).tobytes()


def test_known_fingerprints_stay() -> None:
    """Written down by hand: what is hashed, and how, does not change unnoticed."""
    data = model().make_data()
    assert (data.model.fingerprint(), data.fingerprint()) == KNOWN


def test_worlds_of_a_batch_have_the_fingerprints_of_data() -> None:
    for dtype in ("float64", "float32"):
        batch = phalanx.BatchSim(model(), 3, dtype=dtype, threads=1)
        batch.qvel[1] = 0.25
        for world in range(3):
            data = model().make_data(dtype)
            data.qvel[:] = batch.qvel[world]
            assert batch.fingerprint(world) == data.fingerprint()
        assert batch.fingerprint(-2) == batch.fingerprint(1) != batch.fingerprint(0) == batch.fingerprint(2)
        before = batch.fingerprint()
        batch.qvel[[0, 1]] = batch.qvel[[1, 0]]
        assert batch.fingerprint() != before
    assert phalanx.BatchSim(model(), 0).fingerprint() == phalanx.BatchSim(model(mass=2.0), 0).fingerprint()


def test_a_model_is_its_physics_and_its_hooks() -> None:
    first = model()
    assert first.fingerprint() == model(name="y").fingerprint()
    assert first.fingerprint() != model(mass=2.0).fingerprint()
    assert first.fingerprint() != first.replace(**{"opt.timestep": 0.001}).fingerprint()
    assert first.fingerprint() != first.with_hooks(control=push).fingerprint()
    assert first.with_hooks(control=push).fingerprint() != first.with_hooks(control=pull).fingerprint()


def push(m, d):
    d.qfrc_applied[0] = 1.0


def pull(m, d):
    d.qfrc_applied[0] = -1.0


def test_every_row_that_a_kernel_reads_is_hashed() -> None:
    sources = "\n".join(path.read_text() for path in (ROOT / "phalanx").rglob("*.py") if "kernel" in path.read_text())
    read = set(re.findall(r"\bm\.((?:opt\.|stat\.)?\w+)", sources))
    # messages of errors read names
    missing = {name for name in MODEL_SCHEMA.fields if name in read and name not in HASHED} - FOLLOWING - {"names"}
    assert not missing


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_rows_that_a_batch_does_not_keep_count_in_its_precision(dtype: str) -> None:
    """Flexes have such rows: multipliers of contacts, which no step changes."""
    found = table_model("robots/cloth")
    assert phalanx.BatchSim(found, 2, dtype=dtype).fingerprint(1) == found.make_data(dtype).fingerprint()


# --- trajectories


def check_ways(name: str, ways: tuple[tuple[str, int | str, int], ...]) -> None:
    """Compare with the table, in batches of some (dtype, lanes, threads)."""
    found = table_model(name)
    assert found.fingerprint() == TABLE[name]["model"], "the compiler makes another model here"
    for dtype, lanes, threads in ways:
        batch = run_batch(found, dtype, lanes=lanes, threads=threads)
        assert batch.fingerprint() == TABLE[name][dtype], (dtype, lanes, threads)


@pytest.mark.parametrize("name", EVERYDAY)
def test_trajectories_are_those_of_the_table(name: str) -> None:
    check_ways(name, (("float64", "auto", 1), ("float64", "auto", 2)))
    batch = run_batch(table_model(name), "float64", threads=1)
    assert run_world(table_model(name), "float64", 7).fingerprint() == batch.fingerprint(7)


ALL_WAYS = (
    ("float64", 1, 1), ("float64", 8, 1), ("float64", 8, 2), ("float64", 16, 2), ("float32", 1, 2), ("float32", 8, 1),
    ("float32", 16, 1), ("float32", 16, 2),
)  # fmt: skip


@pytest.mark.conformance
@pytest.mark.parametrize("name", (*OWN, *PACKAGED))
def test_trajectories_are_those_of_the_table_in_every_way(name: str) -> None:
    check_ways(name, ALL_WAYS)
    for dtype in ("float64", "float32"):
        batch = run_batch(table_model(name), dtype, threads=1)
        for world in (0, WORLDS - 1):
            assert run_world(table_model(name), dtype, world).fingerprint() == batch.fingerprint(world)


def run_elsewhere(code: str, **variables: str) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PHALANX_QUIET": "1", **variables}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_interpreted_trajectories_are_those_of_the_table() -> None:
    """One period of one world; the machine code of the same period is compared with the table above."""
    code = f"""
import json
from tools.write_fingerprints import load, model_files, run_world
print(json.dumps([run_world(load(model_files()[name]), "float64", 3, 1).fingerprint() for name in {INTERPRETED}]))
"""
    found = json.loads(run_elsewhere(code, PHALANX_INTERPRETED="1"))
    assert found == [run_world(table_model(name), "float64", 3, 1).fingerprint() for name in INTERPRETED]


@pytest.mark.conformance
@pytest.mark.skipif(host_target().name != "linux-x86-64-v4", reason="this machine has one level of CPU only")
def test_levels_of_the_cpu_give_the_same_bits(tmp_path: Path) -> None:
    """Machine code for AVX2 without AVX-512, on a machine that has both; nothing may fuse or reorder."""
    code = """
import sys
from tools.write_fingerprints import main
sys.argv = ["", "--check"]
sys.exit(main())
"""
    assert ", 0 different" in run_elsewhere(code, **{TARGET_VARIABLE: "linux-x86-64-v3"})
