"""`phalanx doctor`: what Phalanx finds on this machine."""

from __future__ import annotations

import platform
import sys
from collections.abc import Iterator
from importlib import metadata, util
from pathlib import Path

from rich.table import Table

import phalanx
from phalanx.native import build, cache, runtime
from phalanx.algebra.jit import INTERPRETED_VARIABLE, is_interpreted
from phalanx.batch.entries import default_entries
from phalanx.batch.threads import available_threads
from phalanx.cli.console import console
from phalanx.cli.model_file import MUJOCO_VERSION
from phalanx.mesh import cache as mesh_cache
from phalanx.mesh.cache import MESH_CACHE_VARIABLE


def doctor() -> None:
    """Show versions, the CPU, the cache of compiled kernels, and what is missing."""
    table = Table(show_header=False, box=None, padding=(0, 2, 0, 0))
    table.add_column(no_wrap=True, style="bold")
    table.add_column(overflow="fold")
    for name, value in findings():
        table.add_row(name, value)
    console.print(table)


def findings() -> Iterator[tuple[str, str]]:
    """What there is to say, line by line."""
    yield "phalanx", f"{phalanx.__version__} in {Path(phalanx.__file__).parent}"
    yield "python", f"{platform.python_version()} on {platform.system()} {platform.machine()}, {sys.executable}"
    for package in ("numpy", "numba", "llvmlite"):
        yield package, version_of(package) or "missing"
    yield "mujoco", mujoco_note()
    yield "matplotlib", version_of("matplotlib") or "not installed; needed for the plot of the demo only"
    yield "cpu", cpu_note()
    yield "threads", f"{available_threads()} available to this process"
    yield "kernels", f"interpreted ({INTERPRETED_VARIABLE} is set)" if is_interpreted() else "compiled"
    folder = compiler.cache_folder()
    yield "cache", f"{folder} ({megabytes(folder)})"
    meshes = mesh_cache.folder()
    yield (
        "meshes",
        f"{meshes} ({megabytes(meshes)})" if mesh_cache.is_on() else f"not kept ({MESH_CACHE_VARIABLE} is 0)",
    )
    older = [path for path in folder.parent.glob("*") if path.is_dir() and path not in (folder, meshes)]
    if older:
        yield "", f"{len(older)} folders of other sources or versions, {megabytes(*older)}: you may delete them"
    yield from entry_notes()


def entry_notes() -> Iterator[tuple[str, str]]:
    """Which of the usual entries need no compiling."""
    names = {entry.name: compiler.is_cached(entry) for entry in default_entries(vary=True)}
    ready = [name for name, is_ready in names.items() if is_ready]
    missing = [name for name, is_ready in names.items() if not is_ready]
    yield "compiled", ", ".join(ready) or "nothing yet: run phalanx warmup"
    if ready and missing:
        yield "not compiled", ", ".join(missing)


def version_of(package: str) -> str | None:
    """The installed version of a package."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "unknown version" if util.find_spec(package) else None


def mujoco_note() -> str:
    version = version_of("mujoco")
    if version is None:
        return f"not installed; needed for phalanx compare only: pip install mujoco=={MUJOCO_VERSION}"
    return version if version == MUJOCO_VERSION else f"{version}, but Phalanx follows {MUJOCO_VERSION}"


def cpu_note() -> str:
    """Name of the CPU and its widest vectors."""
    name, _, features = compiler.cpu_target().partition(" ")
    wide = [word for word in ("avx512f", "avx2", "avx", "neon", "sve") if f"+{word}" in features.split(",")]
    return f"{name}, {wide[0]}" if wide else name


def megabytes(*folders: Path) -> str:
    """Size of everything in some folders."""
    size = sum(path.stat().st_size for folder in folders for path in folder.rglob("*") if path.is_file())
    return f"{size / 1e6:.1f} MB"
