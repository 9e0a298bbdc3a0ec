"""Cases of an attack in a process of their own, with limits of memory and time: one that hangs or dies is found, too.

An area is a program that reads numbers of cases and writes what it found with each (`work`), and the attack on it
runs that program (`attack_with`).
"""

from __future__ import annotations

import contextlib
import json
import resource
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import phalanx

#: Most seconds and bytes of one case, and seconds after which a silent worker is ended.
LONGEST, MEMORY, SILENCE = 30.0, 6 * 2**30, 300.0
#: Warnings of our own, which name what they are about.
OURS = (
    phalanx.MjcfWarning,
    phalanx.BadControlWarning,
    phalanx.UnsupportedFeatureWarning,
    phalanx.AwakeWarning,
    phalanx.ContactStiffnessWarning,
)
#: A seed has this many cases.
CASES = 10_000_000
ROOT = Path(__file__).parents[1]


class TimeLimit(BaseException):
    """A case takes too long."""


def _too_long(*_: object) -> None:
    raise TimeLimit


def finding(
    what: str,
    action: Callable[[], object],
    seconds: float = LONGEST,
    refusal: type[Exception] = phalanx.ModelError,
) -> str:
    """What is wrong with how a case is treated, "" if nothing is: only our errors, no foreign warnings, in time.

    Args:
        what: the case, in words.
        action: what is done with it.
        seconds: of processor time: on a busy machine a case takes longer by the clock; what waits for ever is found by
            `SILENCE`.
        refusal: the error that says that a case is refused.
    """
    before = signal.signal(signal.SIGPROF, _too_long)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            for ours in OURS:
                warnings.simplefilter("ignore", ours)
            action()
    except TimeLimit:
        return f"{what}: takes more than {seconds:g} s"
    except Exception as error:
        # machine code that fails is ours, but no refusal
        if isinstance(error, refusal) and not isinstance(error, phalanx.NativeError):
            return ""
        return f"{what}: {type(error).__name__}: {str(error)[:200]}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)
    return ""


def work(found_with: Callable[[int], str]) -> None:
    """The worker: numbers of cases come in, what was found goes out."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for line in sys.stdin:
        try:
            found = found_with(int(line))
        except Exception as error:
            found = f"the attack itself failed: {type(error).__name__}: {error}"
        print(json.dumps(found), flush=True)


class Worker:
    """A process that runs the cases of an area; it is started anew when one of them ends it."""

    def __init__(self, area: str):
        self.area = area
        self.process: subprocess.Popen[str] | None = None

    def run(self, number: int) -> str:
        """What is wrong with a case."""
        if self.process is None:
            command = [sys.executable, "-m", f"tools.attacks.{self.area}"]
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, text=True, cwd=ROOT)  # fmt: skip
        assert self.process.stdin is not None and self.process.stdout is not None
        print(number, file=self.process.stdin, flush=True)
        # a case that cannot even be interrupted is ended from outside
        with _alarm(SILENCE):
            try:
                answer = self.process.stdout.readline()
            except TimeLimit:
                answer = ""
        if answer:
            found: str = json.loads(answer)
            return found
        self.close()
        return "the worker died or hangs"

    def close(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


@contextlib.contextmanager
def _alarm(seconds: float) -> Iterator[None]:
    before = signal.signal(signal.SIGALRM, _too_long)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def attack_with(area: str, seed: int, seconds: float) -> list[str]:
    """Run the cases of a seed for some seconds; everything that was found, a line each, with the number of the case."""
    worker, found, number = Worker(area), [], seed * CASES
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        wrong = worker.run(number)
        if wrong:
            found.append(f"{area} case {number}: {wrong}")
        number += 1
    worker.close()
    return found
