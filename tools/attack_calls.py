"""Random calls with good and bad arguments, each sequence of them in a process of its own: one that hangs or dies is
found, too.

An area that is attacked with calls has a function `play(seed, rounds)`, which returns what it found.
"""

from __future__ import annotations

import math
import random
import signal
import subprocess
import sys
import textwrap
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import phalanx

Call = Callable[[random.Random], Any]
#: Seconds that a sequence of calls may take before it counts as a hang, and seconds of processor time of one call.
PATIENCE, LONGEST = 900.0, 60.0
#: Findings of an area after which it is left.
MOST = 20
#: Sequences of calls that a seed of the user has to itself: neighboring seeds share none.
SEQUENCES = 10_000


class _TooLong(BaseException):
    """A call takes too long."""


def odd(rng: random.Random) -> Any:
    """A value that few functions expect."""
    values: tuple[Any, ...] = (
        None, True, -1, 0, 1, 2, 7, 2**31, 2**63, 2**64, -(2**70), 2.0, 2.5, math.nan, math.inf, -math.inf, 1e300, 1j,
        "", "5", "arm", "hinge", "floor", b"arm", [], [1, 2], [[1], [2, 3]], {}, {"qpos": 1}, object(), np.zeros(3),
        np.zeros((0, 3)), np.full(3, np.nan), np.array("x"), np.zeros((2, 2), object), np.float32(3), np.int8(2),
        np.ones(2, bool), np.zeros((10, 2, 3)), range(3), print, (1, 0, 0), (0, 0, 3), np.array([3]), slice(2),
    )  # fmt: skip
    return rng.choice(values)


def small(value: Any) -> Any:
    """A count that does not take forever or all memory, if the value is one."""
    return 3 if isinstance(value, int) and 10_000 < value < 2**62 else value


def sometimes(rng: random.Random, usual: Any, share: float = 0.5) -> Any:
    """The usual value, or an odd one."""
    return usual if rng.random() < share else small(odd(rng))


def play_calls(seed: int, rounds: int, calls: Sequence[Call], refusals: tuple[type[Exception], ...]) -> list[str]:
    """Make calls; what they raise that is no refusal of ours, and calls that take too long, a line each."""

    def stop(*_: object) -> None:
        raise _TooLong

    rng, found = random.Random(seed), []
    signal.signal(signal.SIGPROF, stop)
    for k in range(rounds):
        which = rng.randrange(len(calls))
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                calls[which](rng)
        except _TooLong:
            found.append(f"seed {seed}, call {k} ({which}): takes more than {LONGEST:g} s")
        except Exception as error:
            # machine code that fails is ours, but no refusal
            if isinstance(error, phalanx.NativeError) or not isinstance(error, refusals):
                found.append(f"seed {seed}, call {k} ({which}): {type(error).__name__}: {str(error)[:200]}")
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    return found


#: Errors of ours: what a call with bad arguments may raise.
OURS: tuple[type[Exception], ...] = (phalanx.PhalanxError, phalanx.BadControlWarning)


def attack_in_processes(area: str, seed: int, seconds: float, rounds: int) -> list[str]:
    """Play an area until the time is over, each sequence in a process of its own; one line for each finding."""
    found: list[str] = []
    end = time.monotonic() + seconds
    seed *= SEQUENCES
    while time.monotonic() < end and len(found) < MOST:
        code = f"from tools.attacks.{area} import play\nfor line in play({seed}, {rounds}): print('found:', line)"
        try:
            done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            found.append(f"{area} seed {seed}: does not end")
        else:
            marked = [line.partition("found: ")[2] for line in done.stdout.splitlines() if line.startswith("found: ")]
            found += [f"{area} {line}" for line in marked]
            if done.returncode:
                words = textwrap.shorten(done.stderr[-300:], 200)
                found.append(f"{area} seed {seed}: ended with {done.returncode}: {words}")
        seed += 1
    return found
