"""Damage to what is kept on disk: a program with a damaged cache gives the same bits or our error, and never crashes.

Files of a private copy of the cache are cut off, changed, exchanged, or replaced by links and special files. Some of
them are only read, many thousands; with others a program is run, which compiles again what it cannot use.
"""

from __future__ import annotations

import os
import random
import shutil
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent

#: A model with a mesh falls on a plane; prints what is loaded, and the state in the end.
PROGRAM = """
import hashlib
import numpy as np
import phalanx
from phalanx.native import runtime

points = np.random.default_rng(0).normal(size=(30, 3))
rock = "".join(f"v {x} {y} {z}\\n" for x, y, z in points.tolist())
model = phalanx.Model.from_xml_string('''<mujoco><asset><mesh name="rock" file="rock.obj" scale=".1 .1 .1"/></asset>
<worldbody><geom type="plane" size="1 1 1"/><body pos="0 0 .3"><freejoint/><geom type="mesh" mesh="rock"/></body>
<body pos="1 0 .1"><freejoint/><geom size=".1"/></body></worldbody></mujoco>''', {"rock.obj": rock.encode()})
data = model.make_data()
data.step(200)
print(*sorted(runtime._images))
print(hashlib.sha256(data.qpos.tobytes() + data.qvel.tobytes()).hexdigest())
"""
#: What a program may end with when the cache cannot be used.
OUR_ERROR = "phalanx.native.errors."


def damaged(data: bytes, other: bytes, chance: random.Random) -> bytes:
    """Something else than what a file held: cut off, longer, changed, foreign or empty."""
    at = chance.randrange(max(len(data), 1))
    noise = chance.randbytes(1 + chance.randrange(200))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: data[:at],
        lambda: data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :] if data else noise,
        lambda: data[:at] + data[at + 1 :],
        lambda: data[:at] + noise + data[at:],
        lambda: data[:at] + bytes(len(data) - at),
        lambda: data[:at] + noise + data[at + len(noise) :],
        lambda: data + noise,
        lambda: chance.randbytes(len(data)),
        lambda: data[:-56] + other[-56:],
        lambda: other[:-56] + data[-56:],
        lambda: other,
        lambda: b"",
    )
    return chance.choice(ways)()


def spoil(path: Path, others: list[Path], chance: random.Random) -> str:
    """Damage a file in place, or put something in its place; returns what was done."""
    kind = chance.choice(["bytes"] * 8 + ["link", "dangling", "pipe", "folder", "zero", "writable", "missing", "huge"])
    if kind == "bytes":
        path.write_bytes(damaged(path.read_bytes(), chance.choice(others).read_bytes(), chance))
    elif kind == "writable":
        path.chmod(0o666)
    elif kind == "huge":
        os.truncate(path, 1 << 38)
    else:
        path.unlink()
    # what is neither file nor missing
    if kind in ("link", "dangling", "zero"):
        place = {"link": chance.choice(others), "dangling": Path("nowhere"), "zero": Path("/dev/zero")}[kind]
        path.symlink_to(place)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    return kind


def attack(seed: int, seconds: float) -> list[str]:
    """Damage a cache in many ways for some time.

    Args:
        seed: decides the damage.
        seconds: how long; compiling again may take a few more.

    Returns:
        what was found, one line each.
    """
    end = time.monotonic() + seconds
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory(prefix="phalanx-attack-") as name:
        place = Path(name)
        master, expected = _master(place)
        if expected is None:
            return [f"cache: the program does not run with a whole cache: {master}"]
        used = _files_of(place / "master", expected[0].split())
        found = _read_damaged(used, place, chance, time.monotonic() + 0.2 * (end - time.monotonic()))
        count = 0
        while time.monotonic() < end and len(found) < 20:
            found += _run_damaged(place, used, expected[1], chance, f"cache, seed {seed}, program {count}")
            count += 1
    return found


def _run(cache: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(cache), "PYTHONPATH": str(ROOT), "PHALANX_QUIET": "1"}
    environment.pop("PHALANX_MESH_CACHE", None)
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=600)


def _master(place: Path) -> tuple[str, list[str] | None]:
    """A whole cache, from the user's as far as possible, and what the program prints with it."""
    from phalanx.native import cache
    from phalanx.native.target import host_target

    copy = place / "master" / "kernels" / host_target().name
    copy.mkdir(parents=True)
    for file in cache.cache_folder(host_target()).glob("*.so"):
        if stat.S_ISREG(file.lstat().st_mode):
            shutil.copy2(file, copy)
    done = _run(place / "master")
    return done.stderr, None if done.returncode else done.stdout.splitlines()


def _files_of(master: Path, units: list[str]) -> list[Path]:
    """The files that the program uses; other images are deleted."""
    for file in master.rglob("*.so"):
        if file.name.rpartition("-")[0] not in units:
            file.unlink()
    return sorted(path for path in master.rglob("*") if path.is_file())


def _read_damaged(used: list[Path], place: Path, chance: random.Random, end: float) -> list[str]:
    """Images that are damaged and are read all the same."""
    from phalanx.native import cache
    from phalanx.native.errors import NativeError
    from phalanx.native.target import host_target

    images = [path for path in used if path.suffix == ".so"]
    contents = {path: path.read_bytes() for path in images}
    found = []
    while time.monotonic() < end:
        path, other = chance.choice(images), chance.choice(images)
        changed = damaged(contents[path], contents[other], chance)
        if changed == contents[path]:
            continue
        (place / path.name).write_bytes(changed)
        try:
            with cache.opened(place / path.name, host_target()):
                found.append(f"cache: {path.name} was read although it is damaged")
        except NativeError:
            pass
        (place / path.name).unlink()
    return found


def _run_damaged(place: Path, used: list[Path], expected: str, chance: random.Random, label: str) -> list[str]:
    """Run the program with a copy of the cache in which a few files are damaged."""
    copy = place / "copy"
    shutil.copytree(place / "master", copy)
    files = [copy / path.relative_to(place / "master") for path in used]
    chosen = chance.sample(files, chance.randint(1, 3))
    intact = [path for path in files if path not in chosen]
    done = {path.name: spoil(path, intact, chance) for path in chosen}
    label = f"{label} ({', '.join(f'{kind}: {name}' for name, kind in done.items())})"
    try:
        result = _run(copy)
        last = (result.stderr.strip().splitlines() or [""])[-1]
        if result.returncode < 0:
            return [f"{label}: ended by signal {-result.returncode}"]
        if result.returncode and not last.startswith(OUR_ERROR):
            return [f"{label}: {last}"]
        if not result.returncode and result.stdout.splitlines()[-1] != expected:
            return [f"{label}: other bits"]
        left = [path.name for path in copy.rglob("*.tmp")]
        return [f"{label}: left behind {left}"] if left else []
    except subprocess.TimeoutExpired:
        return [f"{label}: did not end"]
    finally:
        shutil.rmtree(copy, ignore_errors=True)
