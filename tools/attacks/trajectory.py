"""Attack on the reader of trajectories: damaged files, and sound files with arrays of other types, shapes and numbers.

Whatever a file holds, loading it gives a Trajectory or one of our own errors, and so does all that can be done with it:
rows, states, tables, replays.
"""

from __future__ import annotations

import contextlib
import functools
import io
import random
import tempfile
import zipfile
import zlib
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import phalanx
from tools.attack_damage import damaged_bytes
from tools.attack_worker import LONGEST, attack_with, work
from tools.attack_worker import finding as found_with

#: Rows of the trajectories.
ROWS = 5
MODEL = """<mujoco><worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 1"><joint name="j"/><geom size=".1"/>
<site name="s"/></body></worldbody><actuator><motor joint="j"/></actuator>
<sensor><jointpos joint="j"/></sensor></mujoco>"""
ODD = (0.0, -1.0, 1e300, -1e300, float("nan"), float("inf"), 1e-320, 2.0**31, 2.0**63)


class Case(NamedTuple):
    """A file, and what was done to it."""

    data: bytes
    what: str


@functools.cache
def model() -> phalanx.Model:
    """The model of the trajectories."""
    return phalanx.Model.from_xml_string(MODEL)


@functools.cache
def arrays(has_marks: bool) -> dict[str, np.ndarray]:
    """The arrays of a sound file."""
    data, marks = model().make_data(), phalanx.Marks()
    recorder = phalanx.Trajectory.recorder(data, ["xpos"], marks if has_marks else None)
    for k in range(ROWS):
        data.ctrl[:] = 0.1 * k
        data.step()
        marks.arrow("push", start=(0, 0, 1), direction=(0.5, 0, 0))
        marks.text("name", (0, 0, 1), "word")
        recorder.capture()
    file = io.BytesIO()
    recorder.trajectory.save(file)
    with np.load(io.BytesIO(file.getvalue())) as found:
        return {name: found[name] for name in found}


def file_of(found: dict[str, Any]) -> bytes:
    """A file with some arrays."""
    file = io.BytesIO()
    np.savez_compressed(file, **found)
    return file.getvalue()


def bytes_case(rng: random.Random) -> Case:
    """A file with damaged bytes, or one of whose members is damaged."""
    sound = file_of(arrays(rng.random() < 0.5))
    if rng.random() < 0.4:
        data = damaged_bytes(sound, rng)
        return Case(data, f"damaged file {zlib.crc32(data)}")
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(sound)) as before, zipfile.ZipFile(file, "w") as after:
        chosen = rng.choice(before.namelist())
        for name in before.namelist():
            content = before.read(name)
            after.writestr(name, damaged_bytes(content, rng) if name == chosen else content)
    return Case(file.getvalue(), f"damaged member {chosen} {zlib.crc32(file.getvalue())}")


def _other(array: np.ndarray, rng: random.Random) -> Any:
    """An array of another type, shape or with other numbers."""
    kind = rng.randrange(9)
    if kind == 0 and array.dtype.kind in "fiub":
        return array.astype(rng.choice(("f4", "f8", "i1", "i8", "u8", "c16", "S3", "U3", "?", "f2", ">f8")))
    if kind == 1:
        return array.reshape(rng.choice(((-1,), (1, *array.shape), (*array.shape, 1))))
    if kind == 2:
        return array[: rng.randrange(len(array) + 1)] if array.ndim else array
    if kind == 3:
        return np.asfortranarray(np.atleast_2d(array))
    if kind == 4:
        return np.zeros(rng.choice(((), (0,), (0, 3), (3, 0), (ROWS,), (ROWS, 0), (1, 1, 1, 1))))
    if kind == 5:
        return np.zeros(len(array) if array.ndim else 1, [("a", "f8"), ("b", "i4")])
    if kind == 6:
        return np.array(rng.choice(("x", b"x", np.datetime64("2026-01-01"))))
    changed = array.copy()
    if changed.size and changed.dtype.kind in "fiub":
        flat = changed.reshape(-1)
        place = rng.randrange(flat.size)
        if changed.dtype.kind == "f":
            with np.errstate(all="ignore"):
                flat[place] = rng.choice(ODD)
        elif changed.dtype.kind in "iu":
            bounds = np.iinfo(changed.dtype)
            chosen = rng.choice((bounds.max, bounds.min, 0, 1, 2, 7, 100, 1000, -1, -2))
            flat[place] = min(max(chosen, bounds.min), bounds.max)
    return changed


def array_case(rng: random.Random) -> Case:
    """A sound file with some arrays exchanged, left out or added."""
    found = dict(arrays(rng.random() < 0.6))
    told = []
    for _ in range(rng.randint(1, 3)):
        name = rng.choice([*found])
        match rng.randrange(8):
            case 0:
                del found[name]
                told.append(f"without {name}")
            case 1:
                other = rng.choice(("nothing", "efc_J", "contact_geom", "xpos", "marks.x", "../x", "qvel", "nefc", "é"))
                found[other] = found[name] if name in found else np.zeros(3)
                told.append(f"with {other}")
            case _:
                found[name] = _other(found[name], rng)
                told.append(f"{name}: {np.asarray(found[name]).dtype} {np.shape(found[name])}")
        if not found:
            break
    return Case(file_of(found), ", ".join(told))


def greedy_case(rng: random.Random) -> Case:
    """A small file that claims to hold much."""
    shape = rng.choice(((10**12,), (2**62,), (2**40, 2**40), (10**9, 1), (0, 2**62)))
    name = rng.choice(("time", "qpos", "marks.pos", "marks.counts"))
    head = io.BytesIO()
    np.lib.format.write_array_header_1_0(head, {"descr": "<f8", "fortran_order": False, "shape": shape})
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for other, array in arrays(True).items():
            content = io.BytesIO()
            np.save(content, array)
            archive.writestr(f"{other}.npy", head.getvalue() + bytes(10**6) if other == name else content.getvalue())
    return Case(file.getvalue(), f"{name} claims the shape {shape}")


def case_of(number: int) -> Case:
    """The case with a number."""
    rng = random.Random(number)
    kind = rng.random()
    if kind < 0.4:
        return bytes_case(rng)
    return array_case(rng) if kind < 0.98 else greedy_case(rng)


def read(case: Case) -> None:
    """Load a trajectory, and do with it what can be done."""
    trajectory = phalanx.Trajectory.load(io.BytesIO(case.data))
    repr(trajectory)
    data = model().make_data()
    try:
        trajectory.check(model())
        fits = True
    except phalanx.FieldError:
        fits = False
    trajectory.rows(0, 1)
    one = trajectory.world(0)
    with tempfile.TemporaryDirectory() as folder:
        _ignoring_refusals(lambda: one.save(Path(folder) / "table.csv"))
        trajectory.save(Path(folder) / "again.npz")
        phalanx.Trajectory.load(Path(folder) / "again.npz")
        if fits:
            one.put(0, data)
            _ignoring_refusals(data.forward)
            _ignoring_refusals(lambda: phalanx.replay_html(model(), one, Path(folder) / "page.html"))


def _ignoring_refusals(action: Any) -> None:
    """Do what may be refused, without an end to the case."""
    with contextlib.suppress(phalanx.PhalanxError):
        action()


def finding(case: Case, seconds: float = LONGEST) -> str:
    """What is wrong with how a case is treated, "" if nothing is."""
    return found_with(case.what, lambda: read(case), seconds, phalanx.PhalanxError)


def attack(seed: int, seconds: float) -> list[str]:
    """Read damaged trajectories for some seconds; everything that was found, one line each."""
    return attack_with("trajectory", seed, seconds)


if __name__ == "__main__":
    work(lambda number: finding(case_of(number)))
