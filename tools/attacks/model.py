"""Models with changed integers, and damaged binary files: refused with our error, or safe in kernels with checks."""

from __future__ import annotations

import io
import os
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import phalanx
from phalanx.memory.binary_file import HEAD, NAMES_OF_SIZES, binary_of, parse_binary, places
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.tables.domain import Anything
from phalanx.tables.field import Kind
from tools import attack_models
from tools.attack_calls import SEQUENCES

ROOT = Path(__file__).resolve().parents[2]
#: A step that takes longer does not end [s].
PATIENCE = 30.0
#: Options that only say how long a search may take.
_PATIENT = ("iterations", "initpoints")

State = dict[str, Any]


def integer_rows() -> list[str]:
    """Rows that hold integers, truth values, or numbers of which some are."""
    integers = (Kind.INT, Kind.SIZE, Kind.BYTE, Kind.BOOL)
    return [name for name, row in MODEL_SCHEMA.fields.items() if row.kind in integers or row.domain is not None]


def rows_with_domain() -> list[str]:
    """Rows whose integers are not all safe."""
    return [
        name
        for name, row in MODEL_SCHEMA.fields.items()
        if row.domain is not None and not isinstance(row.domain, Anything)
    ]


def corrupted_states(states: Sequence[State], seed: int, count: int) -> Iterator[tuple[str, State]]:
    """Pickled models with one integer changed each, and what was changed, in words."""
    rng = random.Random(seed)
    names, made = integer_rows(), 0
    while made < count:
        state = rng.choice(states)
        name = rng.choice(names)
        array = state["arrays"][name]
        if not array.size or any(word in name for word in _PATIENT):
            continue
        changed = array.copy()
        flat = changed.reshape(-1)
        place = rng.randrange(flat.size)
        old = flat[place].item()
        sizes = list(state["sizes"].values())
        value = rng.choice([old + 1, old - 1, 0, 1, 2, -1, -2, 7, 2 * old, 10**6, 10**9, -(10**9), rng.choice(sizes)])
        if changed.dtype.kind in "iu":
            bounds = np.iinfo(changed.dtype)
            value = min(max(int(value), bounds.min), bounds.max)
        elif changed.dtype.kind == "b":
            value = not old
        if value == old:
            continue
        flat[place] = value
        made += 1
        yield f"{name}[{place}] {old} -> {value}", {**state, "arrays": {**state["arrays"], name: changed}}


def damaged_binary(whole: bytes, rng: random.Random) -> tuple[str, bytes]:
    """A binary model file of MuJoCo with some damage, and the damage in words."""
    data = bytearray(whole)
    start = HEAD.fields["sizes"][1] if HEAD.fields else 0
    kind = rng.choice(("cut", "padded", "header", "size", "bytes", "integer", "integer", "integer", "number"))
    if kind == "cut":
        del data[rng.randrange(len(data)) :]
    elif kind == "padded":
        data += rng.randbytes(rng.choice((1, 8, 1000)))
    elif kind == "header":
        place = 4 * rng.randrange(start // 4)
        data[place : place + 4] = rng.randrange(2**32).to_bytes(4, "little")
    elif kind == "size":
        place = start + 8 * rng.randrange(len(NAMES_OF_SIZES))
        old = int.from_bytes(data[place : place + 8], "little", signed=True)
        value = rng.choice((old + 1, old - 1, 0, -1, -(2**63), 2**31, 2**40, 2**62, 7))
        data[place : place + 8] = value.to_bytes(8, "little", signed=True)
    elif kind == "bytes":
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(HEAD.itemsize, len(data))] = rng.randrange(256)
    else:
        return _with_value(whole, rng, is_number=kind == "number")
    return kind, bytes(data)


def _with_value(whole: bytes, rng: random.Random, is_number: bool) -> tuple[str, bytes]:
    """One element of one array is another: an integer that is near, far or a size, or a number that is odd."""
    contents = parse_binary(whole)
    name = ""
    while not name or not contents.arrays[name].size or (contents.arrays[name].dtype.kind == "f") != is_number:
        name = rng.choice([place.name for place in places(contents.sizes)])
    array = contents.arrays[name].copy()
    flat, place = array.reshape(-1), rng.randrange(array.size)
    old = flat[place].item()
    if is_number:
        value: Any = rng.choice((0.0, -1.0, 1e300, -1e-300, float("nan"), float("inf"), -old))
        with np.errstate(over="ignore"):
            flat[place] = value
    else:
        near = (old + 1, old - 1, 0, 1, -1, -2, 2 * old, 10**6, 10**9, -(10**9))
        bounds = (0, 1) if array.dtype == np.bool_ else (np.iinfo(array.dtype).min, np.iinfo(array.dtype).max)
        value = min(max(int(rng.choice((*near, rng.choice([*contents.sizes.values()])))), bounds[0]), bounds[1])
        flat[place] = value
    return f"{name}[{place}] {old} -> {value}", binary_of(
        contents.sizes, {**contents.arrays, name: array}, contents.vis
    )


def read_binary_safely(data: bytes) -> phalanx.Model | None:
    """The Model of a binary file in memory, None if it is refused with our error; anything else is raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            model = phalanx.Model.load(io.BytesIO(data))
        except phalanx.ModelError:
            return None
    # what people look at first
    repr(model)
    _ = model.names, repr(model.vis)
    return model


def attack(seed: int, seconds: float) -> list[str]:
    """Random damage to the models of the tests, in another process with checked kernels.

    Args:
        seed: other seeds, other damage.
        seconds: how long.

    Returns:
        What was found, a line each.
    """
    environment = {**os.environ, "PHALANX_CHECKED": "1", "PHALANX_QUIET": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "tools.attacks.model", str(seed), str(seconds)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        return [f"model: the attack itself ended with {done.returncode}: {done.stderr[-500:]}"]
    return [f"model: {line}" for line in done.stdout.splitlines()]


def use(data: phalanx.Data) -> None:
    """What reads most rows of a model."""
    data.step(2)
    data.inverse()
    data.flex_energy()
    data.rays((0.02, 0.01, 2.0), (0.0, 0.0, -1.0))
    data.flex_rays((0.02, 0.01, 2.0), (0.0, 0.0, -1.0), seen="faces")
    data.sleeping()
    phalanx.Renderer(data.model, 8, 6, show="skins flex_faces").render(data)


def _try(model: phalanx.Model) -> str:
    """What goes wrong in a few steps of a model, in a process of their own; "" if nothing."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        message = ""
        try:
            data = model.make_data()
            data.qvel[:] = 0.1
            use(data)
        except phalanx.CheckError as error:
            # a NaN that is stored is no harm to memory
            message = "" if "NaN" in str(error) else str(error)
        except BaseException as error:
            if isinstance(error, phalanx.NativeError) or not isinstance(error, phalanx.PhalanxError):
                message = f"{type(error).__name__}: {error}"
        os.write(write, message.encode()[:1000])
        os._exit(0)
    os.close(write)
    try:
        return _outcome(child, read)
    finally:
        os.close(read)


def _outcome(child: int, read: int) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return f"crashed with status {status}" if status else os.read(read, 1000).decode()
        time.sleep(0.002)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return "does not end"


def main(seed: int, seconds: float) -> None:
    """Print what is found."""
    states, files = [], []
    warnings.simplefilter("ignore", phalanx.UnsupportedFeatureWarning)
    for model in (*map(phalanx.load, attack_models.files()), *attack_models.models().values()):
        # compiled code is loaded here, once, and not by each child
        use(model.make_data())
        states.append(model.__getstate__())
        if "ngrid" not in model._store.sizes or not model.ngrid:
            files.append(binary_of(model._store.sizes, model._store.arrays, model.vis))
    end = time.monotonic() + seconds
    round_seed = seed * SEQUENCES
    while time.monotonic() < end:
        round_seed += 1
        for what, state in corrupted_states(states, round_seed, 50):
            model = object.__new__(phalanx.Model)
            try:
                model.__setstate__(state)
            except phalanx.ModelError:
                continue
            _report(what, _try(model))
            if time.monotonic() > end:
                return
        _attack_files(files, random.Random(round_seed), end)


def _attack_files(files: Sequence[bytes], rng: random.Random, end: float) -> None:
    """As many damaged files as models in a round."""
    for _ in range(50):
        if time.monotonic() > end:
            return
        what, data = damaged_binary(rng.choice(files), rng)
        try:
            model = read_binary_safely(data)
        except Exception as error:
            _report(f"binary file, {what}", f"{type(error).__name__}: {error}")
            continue
        if model is not None:
            _report(f"binary file, {what}", _try(model))


def _report(what: str, problem: str) -> None:
    if problem:
        print(f"{what}: {problem}".replace("\n", " "), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
