"""`phalanx warmup`: compile ahead of time, and show how it goes."""

from __future__ import annotations

import time
from collections.abc import Sequence
from enum import StrEnum
from typing import Annotated

import typer
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from phalanx.batch.units import ALL_LANES, DTYPES, LANES, all_units
from phalanx.cli.console import CommandError, console
from phalanx.native import build, cache, estimate
from phalanx.native.entry import Unit
from phalanx.native.errors import NativeError
from phalanx.native.target import host_target


class Precision(StrEnum):
    """Which number types to compile for."""

    FLOAT64 = "float64"
    FLOAT32 = "float32"
    ALL = "all"


def warmup(
    dtype: Annotated[Precision, typer.Option(help="Precision to compile for.")] = Precision.ALL,
    lanes: Annotated[
        str | None,
        typer.Option(
            help=f"Worlds per vector register: {', '.join(map(str, LANES))}, or all of these.",
            show_default="what BatchSim chooses",
        ),
    ] = None,
    vary: Annotated[bool, typer.Option(help="Also for batches that vary fields of the Model.")] = True,
) -> None:
    """Compile the kernels now, so that no program waits for them later.

    All that Model, Data, BatchSim, rollouts, rays, shapes and profiles need; hooks are compiled when they are given.
    Batches that are told how many lanes to use may need --lanes all.
    """
    if lanes not in (None, ALL_LANES, *map(str, LANES)):
        raise CommandError(f"--lanes is one of {', '.join(map(str, LANES))} or {ALL_LANES}, not {lanes}")
    units = all_units(DTYPES if dtype is Precision.ALL else (dtype.value,), lanes, vary)
    # what is ready already is passed over
    start = time.perf_counter()
    try:
        ncompiled = prepare(units)
    except NativeError as error:
        raise CommandError(str(error)) from None
    seconds = f" in {time.perf_counter() - start:.0f} s" if ncompiled else ""
    console.print(f"{len(units)} parts ready, {ncompiled} of them compiled{seconds}")
    console.print(f"cache: {cache.cache_folder(host_target())}", soft_wrap=True)


def prepare(units: Sequence[Unit]) -> int:
    """Compile units that are not on disk, with a progress display; returns their count."""
    missing = build.missing(units)
    if not missing:
        return 0
    cache.check_can_keep(host_target())
    seconds = estimate.expected_seconds(estimate.expected_times(missing))
    console.print(f"compiling {len(missing)} of {len(units)} parts, about {estimate.span(seconds)} ...")
    with _progress() as progress:
        task = progress.add_task("compiling", total=len(missing))

        def tell(name: str, seconds: float) -> None:
            progress.update(task, advance=1, description=f"compiled {name}")

        build.ensure(missing, tell)
    return len(missing)


def _progress() -> Progress:
    columns = (
        TextColumn("{task.description:32}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
