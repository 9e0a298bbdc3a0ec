"""Compiling units: in this process, or several at a time in processes of their own, with a line on the terminal.

Python and llvmlite allow one thread at a time to compile, so units are spread over processes: fresh interpreters that
import the package and receive names of units, not the program that is running here.
"""

from __future__ import annotations

import contextlib
import functools
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from phalanx.native import cache
from phalanx.native.entry import Unit
from phalanx.native.errors import NativeError
from phalanx.native.key import key_of
from phalanx.native.notice import QUIET_VARIABLE as QUIET_VARIABLE
from phalanx.native.notice import say
from phalanx.native.runtime_checks import is_checked
from phalanx.native.target import Target, host_target

#: Returned instead of seconds: the unit has a mistake, which will show again in this process; the worker died.
FAILED, DIED = -1.0, -2.0
#: What a process says when it can compile.
READY = "ready"
#: Seconds that a unit is expected to take before it has ever been compiled here.
USUAL_SECONDS = 2.0


# --- one unit


@functools.cache
def shipped_key(unit: Unit, target: Target) -> str:
    """The key of an image shipped with the package: sources, compiler and target decide."""
    return key_of([*unit.roots(), unit.effort], target, checked=False)


@functools.cache
def local_key(unit: Unit, target: Target, checked: bool) -> str:
    """The key of an image compiled here: the version of LLVM decides, too."""
    from phalanx.native.llvm import version

    return key_of([*unit.roots(), unit.effort, version()], target, checked)


def file_name(unit: Unit, checked: bool) -> str:
    """Name of a unit's file; an image with checks is kept beside the one without."""
    return f"{unit.name}_checked" if checked else unit.name


def find(unit: Unit, target: Target | None = None) -> Path | None:
    """The file of a unit's image, if it needs no compiling, unless it is damaged."""
    target = target or host_target()
    checked = is_checked()
    # an image with checks is never shipped
    shipped = "" if checked else shipped_key(unit, target)
    if not checked:
        # first without the other key, which depends on the compiler and asks for its version
        found = cache.find_shipped(unit.name, shipped, target)
        if found is not None:
            return found
    return cache.find(file_name(unit, checked), shipped, local_key(unit, target, checked), target)


def find_whole(unit: Unit) -> Path | None:
    """The file of a unit's image, checked; a damaged one of the package is passed over from now on."""
    target = host_target()
    path = find(unit)
    if path is not None and not cache.is_whole(path, target) and cache.is_shipped(path, target):
        cache.discard(path, target)
        path = find(unit)
    return path if path is not None and cache.is_whole(path, target) else None


def image_of(unit: Unit, target: Target, checked: bool = False) -> bytes:
    """Compile a unit to an image."""
    from phalanx.native.link import link
    from phalanx.native.llvm import object_code

    with _deep_recursion():
        text = unit.text(checked)
    return link([object_code(text, target, unit.effort)])


@contextlib.contextmanager
def _deep_recursion() -> Iterator[None]:
    """The compiler follows calls of kernels by calling itself, and a kernel may be many calls deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def compile_and_keep(unit: Unit) -> Path:
    """Compile a unit and keep its image; if another process is compiling it, wait for that one and take its image.

    Raises:
        CacheError: the image could not be kept; said before anything is compiled, where that can be known.
    """
    found = find_whole(unit)
    if found is not None:
        return found
    target, checked = host_target(), is_checked()
    name = file_name(unit, checked)
    cache.check_can_keep(target)
    with cache.alone(name, target):
        found = find_whole(unit)
        if found is not None:
            return found
        start = time.perf_counter()
        image = image_of(unit, target, checked)
        path = cache.keep(name, local_key(unit, target, checked), target, image)
        cache.note_times(target, {unit.name: time.perf_counter() - start})
        return path


# --- many units


def missing(units: Sequence[Unit]) -> list[Unit]:
    """Units without an image, which have to be compiled."""
    return [unit for unit in units if find(unit) is None]


def ensure(units: Sequence[Unit], tell: Callable[[str, float], None] | None = None) -> None:
    """Compile what is missing, as many at a time as there are CPUs.

    Args:
        units: what is wanted.
        tell: called with the name and the seconds of each unit as it is done, instead of a line on the terminal.
    """
    wanted = missing(units)
    if not wanted:
        return
    # said now, not when the first unit is compiled
    cache.check_can_keep(host_target())
    start = time.perf_counter()
    progress = Progress(wanted) if tell is None else None
    report = tell or (progress.done if progress is not None else _say_nothing)
    elsewhere = [unit for unit in wanted if unit.origin]
    if elsewhere:
        for name, seconds in _in_processes(elsewhere):
            report(name, seconds)
    for unit in wanted:
        if find(unit) is None:
            begin = time.perf_counter()
            compile_and_keep(unit)
            report(unit.name, time.perf_counter() - begin)
    if progress is not None:
        progress.end(time.perf_counter() - start)


def _say_nothing(name: str, seconds: float) -> None:
    return None


def _cpus() -> int:
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:
        return os.cpu_count() or 1


def _in_processes(units: Sequence[Unit]) -> Iterator[tuple[str, float]]:
    """Compile units in a process per CPU, the longest first; a unit that fails there is left to this process."""
    times = cache.known_times(host_target())
    waiting = sorted(units, key=lambda unit: times.get(unit.name, USUAL_SECONDS))
    results: list[tuple[str, float]] = []
    lock, arrived = threading.Lock(), threading.Semaphore(0)

    def serve(worker: Worker) -> None:
        with worker:
            while True:
                with lock:
                    unit = waiting.pop() if waiting else None
                if unit is None:
                    break
                seconds = worker.compile(unit)
                with lock:
                    results.append((unit.name, seconds))
                arrived.release()

    try:
        workers = [Worker() for _ in range(min(len(units), _cpus()))]
    except OSError:
        return  # no other process can be started: the units are compiled in this one
    threads = [threading.Thread(target=serve, args=(worker,), daemon=True) for worker in workers]
    for thread in threads:
        thread.start()
    try:
        for k in range(len(units)):
            while not arrived.acquire(timeout=0.1):
                if not any(thread.is_alive() for thread in threads):
                    return
            with lock:
                name, seconds = results[k]
            if seconds == DIED:
                raise NativeError(
                    f"the process that compiled {name} ended early: LLVM failed, or memory ran out; try again, and "
                    "report it if it happens each time (PHALANX_INTERPRETED=1 runs without compiled code)"
                )
            if seconds != FAILED:
                yield name, seconds
    finally:
        with lock:
            waiting.clear()
        for worker in workers:
            worker.stop()
        for thread in threads:
            thread.join(timeout=1.0)
        cache.sweep(host_target())


class Worker:
    """A process that compiles units by name, one after another."""

    def __init__(self) -> None:
        command = [sys.executable or "python", "-c", "from phalanx.native.worker import main; main()"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_package_root()), *_inherited_path()])}
        self._is_ready = False
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True, env=environment
        )

    def compile(self, unit: Unit) -> float:
        """Seconds that the unit took; FAILED or DIED if it could not be compiled there."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if not self._is_ready:
            # where no interpreter can be started like this, the unit is compiled in this process
            self._is_ready = self._process.stdout.readline().strip() == READY
            if not self._is_ready:
                return FAILED
        start = time.perf_counter()
        try:
            print(unit.origin, unit.name, file=self._process.stdin, flush=True)
            answer = self._process.stdout.readline().strip()
        except OSError:
            answer = ""
        if answer == "done":
            return time.perf_counter() - start
        return FAILED if answer else DIED

    def stop(self) -> None:
        """End the process now, also in the middle of a unit."""
        if self._process.poll() is None:
            self._process.kill()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(OSError):
            if self._process.stdin is not None:
                self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def _package_root() -> Path:
    return Path(__file__).resolve().parent.parent.parent


def _inherited_path() -> list[str]:
    given = os.environ.get("PYTHONPATH", "")
    return [given] if given else []


# --- lines on the terminal


def expected_seconds(times: Mapping[str, float]) -> float:
    """Estimated seconds for all units, from the seconds of each and the count of CPUs."""
    workers = max(1, min(len(times), _cpus()))
    return max(1.0, *times.values(), sum(times.values()) / workers) if times else 0.0


class Progress:
    """One line on the terminal about what is being compiled, how far it is, and how long it will take."""

    def __init__(self, units: Sequence[Unit]):
        target = host_target()
        times = cache.known_times(target)
        self._expected = {unit.name: times.get(unit.name, USUAL_SECONDS) for unit in units}
        self._left = dict(self._expected)
        self._is_terminal = sys.stderr.isatty()
        folder = cache.cache_folder(target)
        names = next(iter(self._expected)) if len(units) == 1 else f"{len(units)} parts"
        self._say(f"phalanx: compiling {names}, about {self._estimate():.0f} s (once; kept in {folder}) ...", end=True)

    def _estimate(self) -> float:
        return expected_seconds(self._left)

    def done(self, name: str, seconds: float) -> None:
        """Count a unit as compiled; on a terminal the line is written anew."""
        self._left.pop(name, None)
        if self._is_terminal and self._left:
            count = len(self._expected) - len(self._left)
            left = f"about {self._estimate():.0f} s left"
            self._say(f"\rphalanx: compiled {count} of {len(self._expected)}, {left} ", end=False)

    def end(self, seconds: float) -> None:
        """The last line: what was compiled, and the seconds it took."""
        clear = "\r\033[K" if self._is_terminal else ""
        what = next(iter(self._expected)) if len(self._expected) == 1 else f"{len(self._expected)} parts"
        self._say(f"{clear}phalanx: compiled {what} in {seconds:.1f} s", end=True)

    def _say(self, message: str, end: bool) -> None:
        say(message, end)
