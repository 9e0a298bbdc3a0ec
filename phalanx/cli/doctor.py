"""`phalanx doctor`: what Phalanx finds on this machine."""

from __future__ import annotations

import contextlib
import platform
import shutil
import sys
from collections.abc import Iterator
from importlib import metadata, util
from pathlib import Path

import typer
from rich.markup import escape
from rich.table import Table

import phalanx
from phalanx.algebra.jit import INTERPRETED_VARIABLE, is_interpreted
from phalanx.batch.units import all_units
from phalanx.cli.console import console
from phalanx.device.devices import describe_devices
from phalanx.mesh import cache as mesh_cache
from phalanx.mesh.cache import MESH_CACHE_VARIABLE
from phalanx.native import build, cache
from phalanx.native.errors import CacheError
from phalanx.native.target import host_target
from phalanx.native.threads import available_threads
from phalanx.tables.mujoco_binary import MUJOCO_VERSION


def doctor() -> None:
    """Show versions, the CPU, the cache of compiled kernels, and what is missing; exit code 1 if there is a problem."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for name, value in findings():
        table.add_row(name, escape(value))
    console.print(table)
    # what stands at the end is read
    found = list(problems())
    for problem in found:
        console.print(f"PROBLEM: {problem}", style="bold red", markup=False, soft_wrap=True)
    console.print("1 problem" if len(found) == 1 else f"{len(found)} problems" if found else "no problems")
    if found:
        raise typer.Exit(1)


def problems() -> Iterator[str]:
    """What keeps Phalanx from working as it should, each with what to do."""
    for package in ("numpy", "llvmlite"):
        if version_of(package) is None:
            yield f"{package} is missing: pip install {package}"
    try:
        cache.check_can_keep(host_target())
    except CacheError as error:
        yield f"compiled kernels cannot be kept, so that every program compiles them anew: {error}"


def findings() -> Iterator[tuple[str, str]]:
    """What there is to say, line by line."""
    yield "phalanx", f"{phalanx.__version__} in {Path(phalanx.__file__).parent}"
    yield "python", f"{platform.python_version()} on {platform.system()} {platform.machine()}, {sys.executable}"
    for package in ("numpy", "llvmlite"):
        yield package, version_of(package) or "missing"
    yield "mujoco", mujoco_note()
    yield "matplotlib", version_of("matplotlib") or "not installed; needed for the plot of the demo only"
    yield "cpu", cpu_note()
    yield "threads", f"{available_threads()} available to this process"
    for line in describe_devices():
        name, _, words = line.partition(": ")
        yield f"device {name}", words
    yield "kernels", f"interpreted ({INTERPRETED_VARIABLE} is set)" if is_interpreted() else "compiled"
    try:
        yield from cache_notes()
    except CacheError as error:
        yield "cache", str(error)
    else:
        yield from unit_notes()


def cache_notes() -> Iterator[tuple[str, str]]:
    """The folders of what is kept, and whether they can be used.

    Raises:
        CacheError: nobody knows where they are.
    """
    target = host_target()
    folder = cache.cache_folder(target)
    yield "cache", f"{folder} ({megabytes(folder)}{folder_note(folder)})"
    # a folder that must not be used is not looked into, either
    try:
        cache.check_can_keep(target)
    except CacheError as error:
        yield "", f"cannot be used: {error}"
    else:
        damaged = [path.name for path in sorted(folder.glob("*.so")) if not cache.is_whole(path, target)]
        if damaged:
            yield "damaged", f"{', '.join(damaged)}: compiled again when they are needed"
    meshes = mesh_cache.folder()
    yield (
        "meshes",
        f"{meshes} ({megabytes(meshes)})" if mesh_cache.is_on() else f"not kept ({MESH_CACHE_VARIABLE} is 0)",
    )
    older = [path for path in cache.root_folder().glob("*") if path.is_dir() and path not in (folder.parent, meshes)]
    if older:
        yield "", f"{len(older)} folders of earlier versions, {megabytes(*older)}: you may delete them"


def folder_note(folder: Path) -> str:
    """Owner, mode and free space of a folder, or of the first one above it that exists."""
    there = next((place for place in (folder, *folder.parents) if place.exists()), None)
    if there is None:
        return ""
    with contextlib.suppress(OSError):
        free = f"; {shutil.disk_usage(there).free / 1e9:.1f} GB free"
        if there != folder:
            return f"; will be made in {there}{free}"
        with contextlib.suppress(NotImplementedError, KeyError, AttributeError):  # Windows has no owners
            return f"; of user {there.owner()}, mode {there.stat().st_mode & 0o777:03o}{free}"
        return free
    return ""


def unit_notes() -> Iterator[tuple[str, str]]:
    """Which images need no compiling, by number type."""
    ready: dict[str, int] = {}
    missing: dict[str, int] = {}
    for unit in all_units():
        counts = missing if build.find_whole(unit) is None else ready
        kind = kind_of(unit.name)
        counts[kind] = counts.get(kind, 0) + 1
    shipped = cache.shipped_folder(host_target())
    if shipped.is_dir():
        yield "ready-made", f"{shipped} ({megabytes(shipped)})"
    told = ", ".join(f"{kind} ({count})" for kind, count in ready.items())
    yield "compiled", told or "nothing yet: run phalanx warmup"
    if ready and missing:
        yield "not compiled", ", ".join(f"{kind} ({count})" for kind, count in missing.items())


def kind_of(name: str) -> str:
    """What a unit is for: the number type at the end of its name."""
    words = name.split("_")
    found = [word for word in words if word.startswith(("f64", "f32"))]
    if not found:
        return "basics"
    return f"{found[0]} varied" if words[-1] == "varied" else found[0]


def version_of(package: str) -> str | None:
    """The installed version of a package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown version" if util.find_spec(package) else None


def mujoco_note() -> str:
    """Whether MuJoCo is there, and whether it is the version that Phalanx follows."""
    version = version_of("mujoco")
    if version is None:
        return f"not installed; needed for phalanx compare only: pip install mujoco=={MUJOCO_VERSION}"
    return version if version == MUJOCO_VERSION else f"{version}, but Phalanx follows {MUJOCO_VERSION}"


def cpu_note() -> str:
    """Name of the CPU, and what code is compiled for."""
    name = platform.processor() or platform.machine()
    return f"{name}, code for {host_target().name}"


def megabytes(*folders: Path) -> str:
    """Size of everything in some folders."""
    size = 0
    for path in (path for folder in folders for path in folder.rglob("*")):
        with contextlib.suppress(OSError):  # another process may delete it just now
            size += path.lstat().st_size if path.is_file() else 0
    return f"{size / 1e6:.1f} MB"
