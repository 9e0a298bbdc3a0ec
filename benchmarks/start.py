"""How long a newcomer waits: from nothing compiled, from the cache, after an edit of a kernel; beside the budgets.

python -m benchmarks.start           everything
python -m benchmarks.start --quick   what continuous integration prints
python -m benchmarks.start --parts   seconds, functions and size of each part, too
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from phalanx.batch.units import all_units
from phalanx.native import image
from phalanx.native.entry import Unit
from phalanx.native.link import link
from phalanx.native.llvm import object_code
from phalanx.native.target import host_target

ROOT = Path(__file__).resolve().parent.parent
HUMANOID = ROOT / "phalanx" / "robots" / "humanoid.xml"

#: Prints the seconds from the end of the import, and from the start of the interpreter's own code.
_SCRIPT = """
import time
begin = time.perf_counter()
import phalanx
imported = time.perf_counter()
model = phalanx.load({path!r})
{body}
end = time.perf_counter()
import sys
print(end - imported, imported - begin, "llvmlite" in sys.modules)
"""

_ONE = "model.make_data().step()"
_BATCH = "phalanx.BatchSim(model, 256, dtype={dtype!r}).step()"
_VARIED = "phalanx.BatchSim(model, 256, vary={'body_mass': [model.body_mass] * 256}).step()"
_TOUCH = (
    'model = phalanx.Model.from_xml_string(\'<mujoco><worldbody><body><freejoint/><geom size=".1"/>'
    '<site name="s"/></body></worldbody><sensor><touch site="s"/></sensor></mujoco>\')\n'
    "model.make_data().step()"
)


@dataclass(frozen=True)
class Case:
    """Something that a newcomer waits for, and the most seconds it may take when nothing is compiled."""

    name: str
    body: str
    budget: float | None = None


CASES = (
    Case("first step of the humanoid", _ONE, 12.0),
    Case("first step of a batch, f64", _BATCH.format(dtype="float64"), 15.0),
    Case("first step of a batch, f32", _BATCH.format(dtype="float32")),
    Case("first step of a varied batch, f64", _VARIED),
)


def environment(cache: Path) -> dict[str, str]:
    return {**os.environ, "PHALANX_CACHE_DIR": str(cache), "PHALANX_QUIET": "1", "PYTHONWARNINGS": "ignore"}


def run(body: str, cache: Path, package: Path = ROOT) -> tuple[float, float, bool]:
    """(seconds after import, seconds of import, was the compiler loaded) of a program."""
    script = _SCRIPT.format(path=str(HUMANOID), body=body)
    variables = {**environment(cache), "PYTHONPATH": str(package)}
    command = [sys.executable, "-c", script]
    done = subprocess.run(command, env=variables, cwd=package, capture_output=True, text=True, check=True)
    after, before, compiled = done.stdout.split()
    return float(after), float(before), compiled == "True"


def case_row(case: Case) -> list[str]:
    """A case from nothing, then from the cache."""
    with tempfile.TemporaryDirectory() as folder:
        cold, _, _ = run(case.body, Path(folder))
        warm = [run(case.body, Path(folder)) for _ in range(3)]
    budget = f"{case.budget:.0f}" if case.budget else ""
    best, imported = (min(times) for times in list(zip(*warm, strict=True))[:2])
    return [case.name, f"{cold:.1f}", budget, f"{best:.2f}", f"{imported:.2f}"]


def warmup_row() -> list[str]:
    """Everything there is, from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        start = time.perf_counter()
        command = [sys.executable, "-m", "phalanx", "warmup"]
        subprocess.run(command, env=environment(Path(folder)), cwd=ROOT, capture_output=True, check=True)
        seconds = time.perf_counter() - start
        size = sum(path.stat().st_size for path in Path(folder).rglob("*.so"))
    return [f"everything (`phalanx warmup`), {size / 1e6:.1f} MB", f"{seconds:.0f}", "90", "", ""]


def edit_row() -> list[str]:
    """An edit of one sensor, until a model with that sensor has made a step."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        ignored = shutil.ignore_patterns("__pycache__", "prebuilt")
        shutil.copytree(ROOT / "phalanx", folder / "phalanx", ignore=ignored)
        run(_TOUCH, folder / "cache", folder)
        touch = folder / "phalanx" / "sensor" / "read" / "touch.py"
        head = "def touch(m, d, sensor, address):"
        touch.write_text(touch.read_text().replace(head, f"{head}\n    d.sensor_value[address] = 0.0"))
        start = time.perf_counter()
        run(_TOUCH, folder / "cache", folder)
    return ["an edit of one sensor, until it has been used", f"{time.perf_counter() - start:.1f}", "5", "", ""]


def bench_parts(console: Console) -> None:
    """Where the time goes, part by part: the front end, and LLVM with linking."""
    table = Table(title="parts")
    for column in ("part", "functions", "KB", "front end s", "LLVM s"):
        table.add_column(column, justify="left" if column == "part" else "right")
    totals: dict[str, list[float]] = {}
    for unit in all_units():
        row = part_times(unit)
        table.add_row(unit.name, f"{row[0]:.0f}", f"{row[1]:.0f}", f"{row[2]:.2f}", f"{row[3]:.2f}")
        kind = unit.name.partition("_")[2] or "basics"
        kind = kind.removeprefix("kutta_")
        totals[kind] = [a + b for a, b in zip(totals.get(kind, [0.0] * 4), row, strict=True)]
    for kind, row in totals.items():
        table.add_row(f"all of {kind}", f"{row[0]:.0f}", f"{row[1]:.0f}", f"{row[2]:.2f}", f"{row[3]:.2f}")
    console.print(table)


def part_times(unit: Unit) -> list[float]:
    """[functions, KB, seconds of the front end, seconds of LLVM] of a unit."""
    sys.setrecursionlimit(20_000)
    start = time.process_time()
    text = unit.text(False)
    middle = time.process_time()
    code = link([object_code(text, host_target(), unit.effort)])
    end = time.process_time()
    return [len(image.functions(code)), len(code) / 1e3, middle - start, end - middle]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="one world, a batch and an edit")
    parser.add_argument("--parts", action="store_true", help="each part by itself, too")
    arguments = parser.parse_args()
    console = Console(width=140)
    bench_start(console, arguments.quick)
    if arguments.parts:
        bench_parts(console)


def bench_start(console: Console, quick: bool = False) -> None:
    """Budgets and what is measured."""
    table = Table(title="start, seconds after `import phalanx`")
    for column in ("what", "nothing compiled", "budget", "from the cache", "import itself"):
        table.add_column(column, justify="left" if column == "what" else "right")
    for case in CASES[:2] if quick else CASES:
        table.add_row(*case_row(case))
    table.add_row(*edit_row())
    if not quick:
        table.add_row(*warmup_row())
    console.print(table)


if __name__ == "__main__":
    main()
