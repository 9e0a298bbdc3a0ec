"""Build wheels with ready-made machine code: programs that use them compile nothing but hooks.

python -m tools.build_wheels                              # Linux on x86-64
python -m tools.build_wheels --platform all               # every platform; all of them are cross-compiled alike
python -m tools.build_wheels --target linux-x86-64-v3     # one level of CPU only
python -m tools.build_wheels --check dist/*.whl           # is every image whole, and does it need nothing?

The package is copied first and everything is compiled from the copy, so that an edit meanwhile does no harm. Images are
kept in the user's cache like any others, by key and version of LLVM: what has not changed is not compiled again.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import time
import zipfile
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

if TYPE_CHECKING:
    from phalanx.native.entry import Unit
    from phalanx.native.target import Target

ROOT = Path(__file__).resolve().parent.parent
#: What a wheel is made from.
SOURCES = ("phalanx", "pyproject.toml", "README.md", "LICENSE")
#: Folder of images in the package, as `phalanx/native/cache.py` knows it.
PREBUILT = Path("phalanx", "prebuilt")
MANIFEST = "manifest.json"
#: Version of the manifest's format.
FORMAT = 1
#: Time stamp of all files in a wheel, unless SOURCE_DATE_EPOCH says another: the same sources give the same bytes.
EPOCH = "315532800"

console = Console(soft_wrap=True)


@dataclass(frozen=True)
class Platform:
    """What one wheel is for.

    Attributes:
        tag: platform tag of the wheel. Images need no library at all, so the tag says the oldest system there is.
        targets: names of targets whose images it holds; a program chooses by its CPU.
    """

    tag: str
    targets: tuple[str, ...]


PLATFORMS = {
    "linux-x86-64": Platform("manylinux_2_17_x86_64", ("linux-x86-64-v3", "linux-x86-64-v4")),
    "linux-aarch64": Platform("manylinux_2_17_aarch64", ("linux-aarch64",)),
    "macos-arm64": Platform("macosx_11_0_arm64", ("macos-aarch64",)),
    "macos-x86-64": Platform("macosx_10_13_x86_64", ("macos-x86-64-v3",)),
    "windows-x86-64": Platform("win_amd64", ("windows-x86-64-v3", "windows-x86-64-v4")),
}

#: How setuptools is told that the wheel belongs to a platform, but to no version of Python.
SETUP = """
from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel


class WithImages(Distribution):
    def has_ext_modules(self):
        return True


class Tagged(bdist_wheel):
    def get_tag(self):
        return "py3", "none", "{tag}"


setup(distclass=WithImages, cmdclass={{"bdist_wheel": Tagged}})
"""


class WheelError(Exception):
    """A wheel cannot be built, or is not what it should be."""


# --- compiling


@dataclass(frozen=True)
class Made:
    """A unit that has been compiled for a target.

    Attributes:
        unit, target: names.
        image: the bytes of it.
        key: what the sources decide; part of the file name in the wheel.
        seconds: CPU time it took; zero if the image was there already.
    """

    unit: str
    target: str
    image: bytes
    key: str
    seconds: float


def compile_all(targets: Sequence[str], names: Sequence[str], jobs: int) -> list[Made]:
    """Compile units for targets, in several processes, the longest first.

    Raises:
        WheelError: some cannot be compiled; all of them are named.
    """
    work = [(unit, target) for target in targets for unit in names]
    times = _known_times(targets)
    work.sort(key=lambda pair: times.get(pair, 0.0), reverse=True)
    made: list[Made] = []
    failures: list[str] = []
    with ProcessPoolExecutor(jobs, mp_context=get_context("spawn")) as pool, _progress() as progress:
        task = progress.add_task("compiling", total=len(work))
        futures = {pool.submit(compile_one, *pair): pair for pair in work}
        for count, future in enumerate(as_completed(futures), 1):
            unit, target = futures[future]
            progress.update(task, advance=1, description=f"{target} {unit}")
            if not console.is_terminal and count % 100 == 0:
                console.print(f"{count} of {len(work)}")
            _collect(future, f"{unit} for {target}", made, failures)
    _note_times(made)
    if failures:
        raise WheelError("\n".join(["these units cannot be compiled:", *sorted(failures)]))
    return made


def _collect(future: Future[Made], what: str, made: list[Made], failures: list[str]) -> None:
    try:
        made.append(future.result())
    except BrokenProcessPool:
        raise WheelError("a process that compiles was killed; what is compiled is kept, so try again") from None
    except Exception as error:
        failures.append(f"{what}: {type(error).__name__}: {error}")


def compile_one(unit_name: str, target_name: str) -> Made:
    """Compile one unit, unless the cache has it."""
    from phalanx.native import build, cache
    from phalanx.native.target import TARGETS

    unit, target = _units()[unit_name], TARGETS[target_name]
    twin = _twin(target)
    shipped, local = build.shipped_key(unit, target), build.local_key(unit, twin, False)
    image = _whole(cache.find(unit.name, "", local, twin), twin)
    if image is not None:
        return Made(unit.name, target.name, image, shipped, 0.0)
    start = time.process_time()
    image = build.image_of(unit, twin)
    cache.keep(unit.name, local, twin, image)
    return Made(unit.name, target.name, image, shipped, time.process_time() - start)


def _whole(path: Path | None, target: Target) -> bytes | None:
    """The image in a file of the cache; None if there is none that is whole."""
    from phalanx.native import cache
    from phalanx.native.errors import NativeError

    if path is None:
        return None
    try:
        with cache.opened(path, target) as (image, _):
            return image
    except (OSError, NativeError):
        return None


def _twin(target: Target) -> Target:
    """The first target with the very same code: macOS on x86-64 calls functions as Linux does."""
    from phalanx.native.target import TARGETS

    return next(other for other in TARGETS.values() if replace(other, name="") == replace(target, name=""))


@functools.cache
def _units() -> dict[str, Unit]:
    from phalanx.batch.units import all_units

    return {unit.name: unit for unit in all_units()}


def _known_times(targets: Iterable[str]) -> dict[tuple[str, str], float]:
    from phalanx.native import cache
    from phalanx.native.target import TARGETS

    return {(unit, name): t for name in targets for unit, t in cache.known_times(TARGETS[name]).items()}


def _note_times(made: Sequence[Made]) -> None:
    from phalanx.native import cache
    from phalanx.native.target import TARGETS

    for name in {each.target for each in made}:
        times = {each.unit: each.seconds for each in made if each.target == name and each.seconds}
        if times:
            cache.note_times(TARGETS[name], times)


def _progress() -> Progress:
    columns = (TextColumn("{task.description:48}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True, disable=not console.is_terminal)


# --- images and their manifest


def put_images(package_root: Path, target_name: str, made: Sequence[Made]) -> None:
    """Copy the images of a target into a package, with a manifest that describes them."""
    folder = package_root / PREBUILT / target_name
    folder.mkdir(parents=True)
    rows = {}
    for each in sorted(made, key=lambda each: each.unit):
        file = f"{each.unit}-{each.key}.so"
        (folder / file).write_bytes(each.image)
        rows[each.unit] = _row(file, each.key, each.image)
    (folder / MANIFEST).write_text(json.dumps(_manifest(target_name, rows), indent=1) + "\n")
    check_images({path.name: path.read_bytes() for path in folder.iterdir()}, str(folder))


def _row(file: str, key: str, image: bytes) -> dict[str, Any]:
    from phalanx.native.image import exported

    digest = hashlib.sha256(image).hexdigest()
    return {"file": file, "key": key, "sha256": digest, "size": len(image), "functions": sorted(exported(image))}


def _manifest(target_name: str, rows: dict[str, Any]) -> dict[str, Any]:
    """What is known of the images of a target. Keys are hashes of the sources, of the compiler and of the target."""
    import phalanx
    from phalanx.native import llvm
    from phalanx.native.key import compiler_digest
    from phalanx.native.target import TARGETS

    target = TARGETS[target_name]
    return {
        "format": FORMAT,
        "phalanx": phalanx.__version__,
        "compiler": compiler_digest(),
        "llvmlite": llvm.version(),
        "target": {"name": target.name, "triple": target.triple, "cpu": target.cpu, "features": target.features},
        "units": rows,
    }


def check_images(files: dict[str, bytes], where: str) -> int:
    """How many images a folder holds, each as its manifest says, whole, for the right machine, without needs.

    Raises:
        WheelError: something is amiss.
    """
    from phalanx.native import elf
    from phalanx.native.image import check_whole, exported, layout, undefined

    manifest = json.loads(files[MANIFEST])
    rows = manifest["units"]
    machine = elf.EM_AARCH64 if manifest["target"]["triple"].startswith("aarch64") else elf.EM_X86_64
    if {row["file"] for row in rows.values()} != {name for name in files if name != MANIFEST}:
        raise WheelError(f"{where}: the manifest names other files than there are")
    for row in rows.values():
        image = files[row["file"]]
        plan = layout(image)
        check_whole(image, plan)
        if hashlib.sha256(image).hexdigest() != row["sha256"] or plan.machine != machine:
            raise WheelError(f"{where}: {row['file']} is not the image that the manifest describes")
        if undefined(image) or sorted(exported(image)) != row["functions"]:
            raise WheelError(f"{where}: {row['file']} has other functions than the manifest says, or needs some")
    return len(rows)


# --- wheels


def stage(folder: Path) -> Path:
    """A copy of all that a wheel is made from, without caches."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in SOURCES:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, folder / name, ignore=shutil.ignore_patterns("__pycache__", "prebuilt"))
        else:
            shutil.copy2(source, folder / name)
    return folder


def build_wheel(folder: Path, tag: str, out: Path) -> Path:
    """Make a wheel of a staged package."""
    (folder / "setup.py").write_text(SETUP.format(tag=tag))
    out.mkdir(parents=True, exist_ok=True)
    before = {path: path.stat().st_mtime_ns for path in out.glob("*.whl")}
    environment = {**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", EPOCH)}
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(folder)]
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise WheelError(f"setuptools failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return next(path for path in out.glob(f"*-py3-none-{tag}.whl") if before.get(path) != path.stat().st_mtime_ns)


def check_wheel(path: Path) -> dict[str, int]:
    """How many images a wheel holds for each target, all of them checked."""
    with zipfile.ZipFile(path) as wheel:
        bad = wheel.testzip()
        if bad:
            raise WheelError(f"{path}: {bad} is damaged")
        names = [Path(name) for name in wheel.namelist() if Path(name).parts[:2] == PREBUILT.parts]
        folders: dict[str, dict[str, bytes]] = {}
        for name in names:
            folders.setdefault(name.parts[2], {})[name.name] = wheel.read(name.as_posix())
    if not folders:
        raise WheelError(f"{path} holds no machine code")
    return {target: check_images(files, f"{path.name}, {target}") for target, files in folders.items()}


# --- command line


def choose(platforms: Sequence[str], targets: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """The platforms to build wheels for, with the targets each wheel is to hold."""
    if targets:
        rows = {name: tuple(t for t in row.targets if t in targets) for name, row in PLATFORMS.items()}
        return {name: chosen for name, chosen in rows.items() if chosen}
    wanted = list(PLATFORMS) if "all" in platforms else platforms
    return {name: PLATFORMS[name].targets for name in wanted}


def run(options: argparse.Namespace) -> None:
    """Compile units for all chosen targets, then put each platform's images into a wheel and check it."""
    start = time.perf_counter()
    chosen = choose(options.platform, options.target)
    work = options.work.resolve()
    sources = stage(work / "sources")
    sys.path.insert(0, str(sources))  # also for the processes that compile
    names = options.unit or list(_units())
    targets = [target for row in chosen.values() for target in row]
    console.print(f"{len(names)} units for {', '.join(targets)}: {options.jobs} processes ...")
    made = compile_all(targets, names, options.jobs)
    compiled = time.perf_counter() - start
    wheels = []
    for platform, row in chosen.items():
        folder = work / platform
        shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(sources, folder, ignore=shutil.ignore_patterns("__pycache__"))
        for target in row:
            put_images(folder, target, [each for each in made if each.target == target])
        if not options.no_wheel:
            wheels.append(build_wheel(folder, PLATFORMS[platform].tag, options.out.resolve()))
            check_wheel(wheels[-1])
    console.print(_target_table(targets, made))
    if wheels:
        console.print(_wheel_table(wheels))
    console.print(f"{time.perf_counter() - start:.0f} s in all, {compiled:.0f} s of them to compile")


def _target_table(targets: Sequence[str], made: Sequence[Made]) -> Table:
    table = Table("target")
    for title in ("units", "compiled now", "MB", "CPU seconds"):
        table.add_column(title, justify="right")
    for target in targets:
        rows = [each for each in made if each.target == target]
        size = sum(len(each.image) for each in rows) / 1e6
        now, seconds = sum(each.seconds > 0 for each in rows), sum(each.seconds for each in rows)
        table.add_row(target, f"{len(rows)}", f"{now}", f"{size:.1f}", f"{seconds:.0f}")
    return table


def _wheel_table(wheels: Sequence[Path]) -> Table:
    table = Table("wheel")
    for title in ("MB", "MB installed"):
        table.add_column(title, justify="right")
    for path in wheels:
        with zipfile.ZipFile(path) as wheel:
            installed = sum(info.file_size for info in wheel.infolist()) / 1e6
        table.add_row(path.name, f"{path.stat().st_size / 1e6:.1f}", f"{installed:.1f}")
    return table


def parse(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    platforms, targets = [*PLATFORMS, "all"], [target for row in PLATFORMS.values() for target in row.targets]
    add = parser.add_argument
    add("--platform", nargs="+", choices=platforms, default=["linux-x86-64"], help="build these wheels")
    add("--target", nargs="+", choices=targets, default=[], help="build wheels with these targets only")
    add("--unit", nargs="+", default=[], help="compile these units only: for tests")
    add("--out", type=Path, default=ROOT / "dist", help="folder of the wheels")
    add("--work", type=Path, default=ROOT / "build" / "wheels", help="folder of the staged packages")
    add("--jobs", type=int, default=os.cpu_count() or 1, help="processes that compile")
    add("--no-wheel", action="store_true", help="stage the packages, but make no wheels of them")
    add("--check", nargs="+", type=Path, metavar="WHEEL", help="check wheels instead of building any")
    return parser.parse_args(arguments)


def main() -> None:
    """The command: build, or with --check look at wheels that exist."""
    options = parse()
    try:
        if options.check:
            for path in options.check:
                console.print(f"{path.name}: {check_wheel(path)}")
        else:
            run(options)
    except WheelError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
