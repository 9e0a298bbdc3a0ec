"""Height fields: from a PNG picture, a binary file, or numbers."""

from __future__ import annotations

import struct
from functools import lru_cache
from typing import Any

import numpy as np

from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem, quoted
from phalanx.compiler.files import Contents
from phalanx.compiler.png import gray_levels
from phalanx.compiler.rotation import EPSILON
from phalanx.tables.mjcf_schema import ELEMENTS


def compile_hfield(build: Build, thing: Any) -> None:
    """Heights between 0 and 1, row by row from -y."""
    values = thing.values
    thing.nrow, thing.ncol, thing.heights = 0, 0, np.zeros(0, np.float32)
    values["size"] = values["size"] or (1.0, 1.0, 1.0, 1.0)
    if min(values["size"]) <= 0:
        build.report(thing.element, "all sizes of a height field must be positive", "size")
    rows, columns = values["nrow"], values["ncol"]
    if values["file"] is not None:
        if rows or columns or values["elevation"] is not None:
            raise ElementProblem("the height field is given by a file and by numbers", "file")
        heights = _read(thing, values["file"])
    else:
        if rows < 1 or columns < 1:
            raise ElementProblem("a height field needs a file, or nrow and ncol")
        if rows * columns > 2**26:
            raise ElementProblem(f"{rows} x {columns} heights are too many", "nrow")
        given = values["elevation"]
        if given is not None and len(given) != rows * columns:
            raise ElementProblem(f"elevation has {len(given)} numbers, not nrow*ncol = {rows * columns}", "elevation")
        heights = np.zeros((rows, columns), np.float32) if given is None else (
            np.array(given, np.float32).reshape(rows, columns)[::-1]
        )  # fmt: skip
    if min(heights.shape) < 2:
        raise ElementProblem(f"a height field needs at least 2 rows and 2 columns, not {heights.shape}")
    low, high = heights.min(), heights.max()
    if not np.isfinite(high - low):
        raise ElementProblem("the heights are not finite")
    heights = heights - low
    if high - low > EPSILON:
        heights = heights / (high - low)
    (thing.nrow, thing.ncol), thing.heights = heights.shape, heights.ravel()


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
