"""`phalanx warmup`: compile ahead of time, and show how it goes."""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from enum import StrEnum
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from phalanx.native import build, cache, runtime
from phalanx.native.build import QUIET_VARIABLE
from phalanx.native.entry import Unit
from phalanx.batch.entries import DTYPES, default_entries
from phalanx.batch.threads import available_threads
from phalanx.cli.console import CommandError, console

LANES = (1, 2, 4, 8, 16)


class Precision(StrEnum):
    """Which number types to compile for."""

    FLOAT64 = "float64"
    FLOAT32 = "float32"
    ALL = "all"


def warmup(
    dtype: Annotated[Precision, typer.Option(help="Precision to compile for.")] = Precision.ALL,
    lanes: Annotated[int | None, typer.Option(help="Worlds per vector register, if not left to BatchSim.")] = None,
    vary: Annotated[bool, typer.Option("--vary", help="Also for batches that vary fields of the Model.")] = False,
) -> None:
    """Compile the kernels now, so that no program waits for them later."""
    if lanes is not None and lanes not in LANES:
        raise CommandError(f"--lanes is one of {', '.join(map(str, LANES))}, not {lanes}")
    dtypes = DTYPES if dtype is Precision.ALL else (dtype.value,)
    entries = default_entries(dtypes, lanes, vary)
    ncached = prepare(entries)
    console.print(f"{len(entries)} entries ready, {ncached} of them were there before")
    console.print(f"cache: {compiler.cache_folder()}", soft_wrap=True)


def prepare(entries: Sequence[Entry]) -> int:
    """Load every entry, compiling those that are not on disk; returns how many were."""
    missing = [entry for entry in entries if not compiler.is_cached(entry)]
    for entry in entries:
        if entry not in missing:
            console.print(f"  {entry.name:24} in the cache")
            compiler.load(entry)
    if missing:
        console.print(f"compiling {len(missing)} of {len(entries)} entries, up to three minutes each ...")
        with _quiet(), _progress() as progress:
            task = progress.add_task("compiling", total=len(missing))
            for name, seconds in compile_all(missing):
                progress.console.print(f"  {name:24} compiled in {seconds:.1f} s")
                progress.advance(task)
            for entry in missing:
                compiler.load(entry)
    lost = [entry.name for entry in missing if compiler.find_object(entry) is None]
    if lost:
        raise CommandError(f"compiled, but {compiler.cache_folder()} cannot be written: set {compiler.CACHE_VARIABLE}")
    return len(entries) - len(missing)


def compile_all(entries: Sequence[Entry]) -> Iterator[tuple[str, float]]:
    """Put objects of entries into the cache, as many at a time as there are CPUs; names and seconds as each is done."""
    workers = min(len(entries), available_threads())
    if workers == 1:
        yield from map(_compile, entries)
        return
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        # batches take longest, and come last in the list: begin with them
        jobs = [pool.submit(_compile, entry) for entry in reversed(entries)]
        try:
            for job in as_completed(jobs):
                yield job.result()
        finally:
            pool.shutdown(cancel_futures=True)


def _compile(entry: Entry) -> tuple[str, float]:
    start = time.perf_counter()
    compiler.object_code(entry)
    return entry.name, time.perf_counter() - start


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


@contextmanager
def _quiet() -> Iterator[None]:
    """Without the lines that loading an entry prints: the progress display says the same."""
    before = os.environ.get(QUIET_VARIABLE)
    os.environ[QUIET_VARIABLE] = "1"
    try:
        yield
    finally:
        os.environ.pop(QUIET_VARIABLE)
        if before is not None:
            os.environ[QUIET_VARIABLE] = before
