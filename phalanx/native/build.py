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
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from phalanx.native import cache
from phalanx.native.entry import Unit
from phalanx.native.errors import CacheWarning, NativeError, UnwritableCacheError
from phalanx.native.estimate import Progress, cpus, expected_times
from phalanx.native.interruptible import interruptible
from phalanx.native.key import key_of
from phalanx.native.notice import QUIET_VARIABLE as QUIET_VARIABLE
from phalanx.native.notice import warn_user
from phalanx.native.runtime_checks import is_checked
from phalanx.native.target import Target, host_target

#: Returned instead of seconds: the unit has a mistake, which will show again in this process; the worker died.
FAILED, DIED = -1.0, -2.0
#: What a process says when it can compile; what it is told if it is to send images instead of keeping them, and if it
#: is to compile for browsers.
READY, SEND, WEB = "ready", "send", "web"

#: Seconds that this process has waited for code to be compiled, each time.
_waits: list[float] = []
#: Images for this process alone, by file name, until they are loaded: the cache could not be written.
_unkept: dict[str, bytes] = {}


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


def has_checks(target: Target) -> bool:
    """Are units compiled with checks? In browsers there is nobody to report them to."""
    return is_checked() and not target.is_web


def find(unit: Unit, target: Target | None = None) -> Path | None:
    """The file of a unit's image, if it needs no compiling, unless it is damaged."""
    target = target or host_target()
    checked = has_checks(target)
    # an image with checks is never shipped
    shipped = "" if checked else shipped_key(unit, target)
    if not checked:
        # first without the other key, which depends on the compiler and asks for its version
        found = cache.find_shipped(unit.name, shipped, target)
        if found is not None:
            return found
    return cache.find(file_name(unit, checked), shipped, local_key(unit, target, checked), target)


def find_whole(unit: Unit, target: Target | None = None) -> Path | None:
    """The file of a unit's image, checked; a damaged one of the package is passed over from now on."""
    target = target or host_target()
    path = find(unit, target)
    if path is not None and not cache.is_whole(path, target) and cache.is_shipped(path, target):
        cache.discard(path, target)
        path = find(unit, target)
    return path if path is not None and cache.is_whole(path, target) else None


def image_of(unit: Unit, target: Target, checked: bool = False) -> bytes:
    """Compile a unit to an image; for browsers, to an object."""
    from phalanx.native.link import link
    from phalanx.native.llvm import object_code

    with deep_recursion():
        text = unit.text(checked)
    content = interruptible(lambda: object_code(text, target, unit.effort))
    return content if target.is_web else link([content])


@contextlib.contextmanager
def deep_recursion() -> Iterator[None]:
    """The compiler follows calls of kernels by calling itself, and a kernel may be many calls deep."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


def compile_and_keep(unit: Unit, target: Target | None = None) -> Path:
    """Compile a unit and keep its image; if another process is compiling it, wait for that one and take its image.

    Raises:
        CacheError: the image could not be kept; said before anything is compiled, where that can be known.
    """
    target = target or host_target()
    found = find_whole(unit, target)
    if found is not None:
        return found
    checked = has_checks(target)
    name = file_name(unit, checked)
    cache.check_can_keep(target)
    with cache.alone(name, target):
        found = find_whole(unit, target)
        if found is not None:
            return found
        start = time.perf_counter()
        image = image_of(unit, target, checked)
        path = cache.keep(name, local_key(unit, target, checked), target, image)
        cache.note_times(target, {unit.name: time.perf_counter() - start})
        return path


# --- many units


def missing(units: Sequence[Unit], target: Target | None = None) -> list[Unit]:
    """Units without an image, which have to be compiled."""
    target = target or host_target()
    return [unit for unit in units if _unkept_name(unit, target) not in _unkept and find(unit, target) is None]


def take_unkept(unit: Unit, target: Target | None = None) -> bytes | None:
    """The image of a unit that was compiled for this process alone; the caller has it from now on."""
    return _unkept.pop(_unkept_name(unit, target or host_target()), None)


def _unkept_name(unit: Unit, target: Target) -> str:
    name = file_name(unit, has_checks(target))
    return f"{target.name}/{name}" if target.is_web else name


def ensure(
    units: Sequence[Unit], tell: Callable[[str, float], None] | None = None, target: Target | None = None
) -> None:
    """Compile what is missing, as many at a time as there are CPUs.

    Args:
        units: what is wanted.
        tell: called with the name and the seconds of each unit as it is done, instead of a line on the terminal.
        target: what for; None for this machine.
    """
    target = target or host_target()
    wanted = missing(units, target)
    if not wanted:
        return
    # said now, not when the first unit is compiled
    keeps, start = _can_keep(target), time.perf_counter()
    progress = Progress(wanted, keeps, target) if tell is None else None
    try:
        _compile_all(wanted, keeps, tell or progress.done, target)  # type: ignore[union-attr]
    except BaseException:
        if progress is not None:
            progress.stop()
        raise
    finally:
        _waits.append(time.perf_counter() - start)
    if progress is not None:
        progress.end(_waits[-1])


def seconds_waited() -> float:
    """Seconds that this process has waited for code to be compiled, until now."""
    return sum(_waits)


def _can_keep(target: Target) -> bool:
    """Can images be kept for other processes? If not, the user is told why and what to do."""
    try:
        cache.check_can_keep(target)
    except UnwritableCacheError as error:
        _warn_once(f"{error}; until then every process compiles them anew")
        return False
    return True


@functools.cache
def _warn_once(words: str) -> None:
    warn_user(words, CacheWarning)


def _compile_all(wanted: Sequence[Unit], keeps: bool, report: Callable[[str, float], None], target: Target) -> None:
    """Compile units that come from the package in processes, and then what is left in this one."""
    elsewhere = [unit for unit in wanted if unit.origin]
    if elsewhere:
        for name, seconds in _in_processes(elsewhere, keeps, target):
            report(name, seconds)
    for unit in missing(wanted, target):
        begin = time.perf_counter()
        if keeps:
            compile_and_keep(unit, target)
        else:
            _unkept[_unkept_name(unit, target)] = image_of(unit, target, has_checks(target))
        report(unit.name, time.perf_counter() - begin)


def _cpus() -> int:
    return cpus()


def _in_processes(units: Sequence[Unit], keeps: bool, target: Target) -> Iterator[tuple[str, float]]:
    """Compile units in a process per CPU, the longest first; a unit that fails there is left to this process."""
    times = expected_times(units, target)
    waiting = sorted(units, key=lambda unit: times[unit.name])
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

    workers: list[Worker] = []
    threads: list[threading.Thread] = []
    try:
        try:
            while len(workers) < min(len(units), _cpus()):
                workers.append(Worker(keeps, target))
        except OSError:
            return  # no other process can be started: the units are compiled in this one
        threads += [threading.Thread(target=serve, args=(worker,), daemon=True) for worker in workers]
        for thread in threads:
            thread.start()
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
        _end(workers, threads)
        cache.sweep(target)


def _end(workers: Sequence[Worker], threads: Sequence[threading.Thread]) -> None:
    """Let no process go on that nobody waits for; further interrupts wait until that is done."""
    interrupt = None
    for _ in range(3):
        try:
            for worker in workers:
                worker.stop()
            for thread in threads:
                if thread.ident is not None:
                    thread.join(timeout=1.0)
            break
        except KeyboardInterrupt as error:
            interrupt = error
    if interrupt is not None:
        raise interrupt


class Worker:
    """A process that compiles units by name, one after another.

    Args:
        keeps: does it put images into the cache? Otherwise it sends them, for this process alone.
        target: what it compiles for; None for this machine.
    """

    def __init__(self, keeps: bool = True, target: Target | None = None) -> None:
        self._target = target or host_target()
        command = [sys.executable or "python", "-c", "from phalanx.native.worker import main; main()"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(_package_root()), *_inherited_path()])}
        self._is_ready = False
        self._process = subprocess.Popen(
            [*command, *(() if keeps else (SEND,)), *((WEB,) if self._target.is_web else ())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
        )

    def compile(self, unit: Unit) -> float:
        """Seconds that the unit took; FAILED or DIED if it could not be compiled there."""
        assert self._process.stdin is not None and self._process.stdout is not None
        if not self._is_ready:
            # where no interpreter can be started like this, the unit is compiled in this process
            self._is_ready = self._process.stdout.readline().decode().strip() == READY
            if not self._is_ready:
                return FAILED
        start = time.perf_counter()
        try:
            self._process.stdin.write(f"{unit.origin} {unit.name}\n".encode())
            self._process.stdin.flush()
            answer, *size = self._process.stdout.readline().decode().split() or [""]
            if answer == "image":
                image = self._process.stdout.read(int(size[0]))
                if len(image) < int(size[0]):
                    return DIED
                _unkept[_unkept_name(unit, self._target)] = image
        except OSError:
            answer = ""
        if answer in ("done", "image"):
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
