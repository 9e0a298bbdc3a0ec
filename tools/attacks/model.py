"""Models with changed integers: refused with our error, or safe in kernels that check every index."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import phalanx
from phalanx.memory.layout import MODEL_SCHEMA
from phalanx.tables.domain import Anything
from phalanx.tables.field import Kind

ROOT = Path(__file__).resolve().parents[2]
#: A step that takes longer does not end [s].
PATIENCE = 30.0
#: Options that only say how long a search may take.
_PATIENT = ("iterations", "initpoints")

State = dict[str, Any]


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
    integers = (Kind.INT, Kind.SIZE, Kind.BYTE)
    names = [name for name, row in MODEL_SCHEMA.fields.items() if row.kind in integers or row.domain is not None]
    made = 0
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
        if value == old:
            continue
        flat[place] = value
        made += 1
        yield f"{name}[{place}] {old} -> {value}", {**state, "arrays": {**state["arrays"], name: changed}}


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


def _try(model: phalanx.Model) -> str:
    """What goes wrong in a few steps of a model, in a process of their own; "" if nothing."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        message = ""
        try:
            data = model.make_data()
            data.qvel[:] = 0.1
            data.step(2)
            data.inverse()
        except phalanx.CheckError as error:
            # a NaN that is stored is no harm to memory
            message = "" if "NaN" in str(error) else str(error)
        except phalanx.PhalanxError:
            pass
        except BaseException as error:
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
    states = []
    for path in sorted((ROOT / "tests" / "models").glob("*.xml")):
        model = phalanx.load(path)
        # compiled code is loaded here, once, and not by each child
        model.make_data().step().inverse()
        states.append(model.__getstate__())
    end = time.monotonic() + seconds
    round_seed = seed
    while time.monotonic() < end:
        round_seed += 1
        for what, state in corrupted_states(states, round_seed, 50):
            model = object.__new__(phalanx.Model)
            try:
                model.__setstate__(state)
            except phalanx.ModelError:
                continue
            problem = _try(model)
            if problem:
                print(f"{what}: {problem}".replace("\n", " "), flush=True)
            if time.monotonic() > end:
                return


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
