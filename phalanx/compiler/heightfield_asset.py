"""Height fields: from a PNG picture, a binary file, or numbers."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem, Wrong, quoted
from phalanx.compiler.files import Contents
from phalanx.compiler.png import gray_levels
from phalanx.compiler.rotation import EPSILON
from phalanx.tables.mjcf_schema import ELEMENTS


def compile_hfield(build: Build, thing: Any) -> None:
    """Heights between 0 and 1, row by row from -y."""
    thing.nrow, thing.ncol, thing.heights = 0, 0, np.zeros(0, np.float32)
    thing.values["size"] = thing.guess("size") or (1.0, 1.0, 1.0, 1.0)
    build.all_of(thing, _check_size)
    wrong = _wrong_file(thing) if thing["file"] is not None else _wrong_numbers(thing)
    if not build.check(thing, wrong):
        return
    heights = _read(thing, thing["file"]) if thing["file"] is not None else _given(thing)
    if min(heights.shape) < 2:
        raise ElementProblem(f"a height field needs at least 2 rows and 2 columns, not {heights.shape}")
    low, high = heights.min(), heights.max()
    if not np.isfinite(high - low):
        raise ElementProblem("the heights are not finite")
    heights = heights - low
    if high - low > EPSILON:
        heights = heights / (high - low)
    (thing.nrow, thing.ncol), thing.heights = heights.shape, heights.ravel()


def _check_size(thing: Any) -> None:
    if min(thing["size"]) <= 0:
        raise ElementProblem("all sizes of a height field must be positive", "size")


def _wrong_file(thing: Any) -> Iterator[Wrong]:
    if thing.guess("nrow") or thing.guess("ncol") or thing.guess("elevation") is not None:
        yield "the height field is given by a file and by numbers", "file"
    _read(thing, thing["file"])  # which may not be there either


def _wrong_numbers(thing: Any) -> Iterator[Wrong]:
    rows, columns = thing["nrow"], thing["ncol"]
    if rows < 1 or columns < 1:
        yield "a height field needs a file, or nrow and ncol", ""
        return
    if rows * columns > 2**26:
        yield f"{rows} x {columns} heights are too many", "nrow"
    given = thing["elevation"]
    if given is not None and len(given) != rows * columns:
        yield f"elevation has {len(given)} numbers, not nrow*ncol = {rows * columns}", "elevation"


def _given(thing: Any) -> np.ndarray:
    shape, given = (thing["nrow"], thing["ncol"]), thing["elevation"]
    return np.zeros(shape, np.float32) if given is None else np.array(given, np.float32).reshape(shape)[::-1]


def _read(thing: Any, name: str) -> np.ndarray:
    is_picture = (thing["content_type"] or "") == "image/png" or name.lower().endswith(".png")
    return _heights(thing.scope.find_asset(name, "meshdir", thing.element), name, is_picture)


@lru_cache(maxsize=16)
def _heights(contents: Contents, name: str, is_picture: bool) -> np.ndarray:
    """Heights of a file as they are there, remembered."""
    data = contents.data
    if is_picture:
        return gray_levels(data, name)[::-1].astype(np.float32)
    if len(data) < 8:
        raise ElementProblem(f"file {quoted(name)} is too short for a height field", "file")
    rows, columns = struct.unpack("<ii", data[:8])
    if rows < 1 or columns < 1 or len(data) != 8 + 4 * rows * columns:
        raise ElementProblem(f"file {quoted(name)} does not hold {rows} x {columns} heights", "file")
    return np.frombuffer(data, "<f4", offset=8).reshape(rows, columns)


def write_hfields(build: Build) -> None:
    things, columns = build.things["hfield"], build.columns
    if not things:
        return
    build.copy_plain(ELEMENTS["asset/hfield"], things)
    columns["hfield_nrow"] = [thing.nrow for thing in things]
    columns["hfield_ncol"] = [thing.ncol for thing in things]
    counts = [len(thing.heights) for thing in things]
    columns["hfield_adr"] = np.cumsum([0, *counts])[:-1].tolist()
    columns["hfield_data"] = np.concatenate([thing.heights for thing in things]) if things else []
    build.sizes["nhfielddata"] = sum(counts)
