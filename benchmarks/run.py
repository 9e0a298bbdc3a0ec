"""`make bench`: Phalanx and MuJoCo measured in turns; tables, a file of results, and the page and picture made of them.

python -m benchmarks.run                          everything, about ten minutes
python -m benchmarks.run humanoid lying           rows of this scene, and of this regime; solvers and cones, too
python -m benchmarks.run "humanoid lying"         one row
python -m benchmarks.run --only collision start   some sections
python -m benchmarks.run --quick                  a few rows in a minute, or those named; the page goes to build/
python -m benchmarks.run --runs 3                 everything three times; the page shows medians

Models of MuJoCo and of its menagerie are looked for in `../shared/models`, or where PHALANX_BENCH_MODELS says; without
them their rows are left out. PHALANX_TARGET chooses other machine code, which has a file of results of its own.

Every number is the best of several rounds; in each round all contestants run one after the other, so that a slow phase
of the machine hits them alike.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("MUJOCO_GL", "disable")

from rich.console import Console

from benchmarks import page, results
from benchmarks.broadphase import bench_broadphase
from benchmarks.calls import bench_calls
from benchmarks.cases import CASES, CONES, SOLVERS, Case
from benchmarks.collision import bench_collision
from benchmarks.compile import bench_compile
from benchmarks.derivatives import bench_derivatives
from benchmarks.hooks import bench_hooks
from benchmarks.learning import bench_learning
from benchmarks.ratios import ratio
from benchmarks.regimes import REGIMES
from benchmarks.render import bench_render
from benchmarks.results import Results, slug, this_machine
from benchmarks.scenes import BY_NAME
from benchmarks.sheet import KeepingConsole
from benchmarks.sleep import bench_sleep
from benchmarks.stages import bench_stages
from benchmarks.start import bench_start
from benchmarks.steps import SECONDS, Record, measure
from benchmarks.threads import bench_threads
from benchmarks.vary import bench_vary

#: Rounds of the sections beside whole steps.
ROUNDS = 5
QUICK_FOLDER = page.ROOT / "build" / "bench"

#: (console, names of scenes or none for all, rounds); prints tables, which are kept.
Section = Callable[[KeepingConsole, list[str], int], None]

#: What is measured beside whole steps, by name.
SECTIONS: dict[str, Section] = {
    "threads": lambda console, names, rounds: bench_threads(console, names),
    "calls": lambda console, names, rounds: bench_calls(console, rounds),
    "stages": lambda console, names, rounds: bench_stages(console, rounds),
    "hooks": lambda console, names, rounds: bench_hooks(console, rounds),
    "vary": bench_vary,
    "derivatives": bench_derivatives,
    "learning": lambda console, names, rounds: bench_learning(console, rounds),
    "collision": bench_collision,
    "broadphase": bench_broadphase,
    "sleep": lambda console, names, rounds: bench_sleep(console, rounds),
    "render": bench_render,
    "compile": bench_compile,
    "start": lambda console, names, rounds: bench_start(console),
}


def chosen(names: list[str], quick: bool) -> list[Case]:
    """Rows of the scenes, regimes, gaits and variants that are named; if none is, all or those of a quick run."""
    if not names:
        return [case for case in CASES if not quick or case.quick]
    words = {case.key: {case.key, case.scene, case.regime, case.gait, *case.variant} for case in CASES}
    return [case for case in CASES if words[case.key] & set(names)]


def known_names() -> set[str]:
    """What may be named."""
    words = {word for case in CASES for word in (case.key, case.gait) if word}
    return words | set(BY_NAME) | set(REGIMES) | set(SOLVERS) | set(CONES) | {"noslip"}


def bench_steps(console: Console, found: Results, cases: list[Case], options: argparse.Namespace, path: Path) -> None:
    """Measure rows and keep each in the file as soon as it is there."""
    begin = time.perf_counter()

    def done(case: Case, record: Record) -> None:
        found.steps[case.key] = record
        found.write(path)
        ratios = ", ".join(f"{way} {ratio(record, way):.2f}x" for way in ("one", "f64", "f32", "f64_all", "f32_all"))
        console.print(f"{time.perf_counter() - begin:5.0f} s  {case.key}: {ratios}", highlight=False)

    seconds = 0.0 if options.quick else options.seconds
    missing = measure(cases, found.machine["threads"], options.runs, seconds, done)
    if missing:
        console.print(f"left out, no model: {', '.join(missing)}")
    for sheet in page.step_sheets(found):
        if sheet.rows:
            console.print(sheet.rich())


def run_sections(console: Console, found: Results, names: list[str], options: argparse.Namespace, path: Path) -> None:
    """The other sections; each is kept in the file as soon as it is there."""
    scenes = [name for name in names if name in BY_NAME]
    for name in options.only:
        if name in SECTIONS:
            keeping, begin = KeepingConsole(console), time.perf_counter()
            SECTIONS[name](keeping, scenes, options.rounds)
            console.print(f"{time.perf_counter() - begin:5.0f} s  {name}", highlight=False)
            found.keep(name, keeping.sheets, is_part=bool(scenes))
            found.write(path)


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="scenes, regimes, solvers, cones or whole rows; all if none is given")
    every = ("steps", *SECTIONS)
    parser.add_argument("--only", nargs="+", choices=every, metavar="SECTION", help=f"of {', '.join(every)}")
    parser.add_argument("--quick", action="store_true", help="few rounds of a few rows; the sources do not change")
    parser.add_argument("--runs", type=int, default=1, help="how often whole steps are measured; medians are shown")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of the other sections")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="how long each row of whole steps is measured")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.names) - known_names())
    if unknown:
        parser.error(f"no such scene, regime, solver or row: {', '.join(unknown)}; there are {sorted(known_names())}")
    # a part by name is one of whole steps, unless sections are named, too
    options.only = options.only or (["steps"] if options.names or options.quick else list(every))
    return options


def main(arguments: list[str] | None = None) -> None:
    """Measure, and write results, page and picture."""
    options, console = parse(arguments), Console(width=160)
    machine = this_machine()
    folder = QUICK_FOLDER if options.quick else results.FOLDER
    path = folder / f"{slug(machine)}.json"
    found = Results.read(path) if path.exists() and not options.quick else Results(machine)
    found.machine = machine
    if "steps" in options.only:
        bench_steps(console, found, chosen(options.names, options.quick), options, path)
    run_sections(console, found, options.names, options, path)
    if not found.steps:
        console.print("no whole steps were measured yet, so the page stays as it is")
    elif options.quick:
        page.write([found], folder / "performance.md", folder / "pictures" / "performance.png")
        console.print(f"{folder / 'performance.md'}")
    else:
        page.write(results.all_results())
        console.print(f"{path}\n{page.PAGE}\n{page.PICTURE}")


if __name__ == "__main__":
    main()
