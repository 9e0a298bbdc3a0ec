"""Height fields: from a PNG picture, a binary file, or numbers."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from phalanx.compiler.asset.png import gray_levels
from phalanx.compiler.model_build import Build
from phalanx.compiler.object.rotation import EPSILON
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted
from phalanx.compiler.text.files import Contents
from phalanx.tables.mjcf_schema import ELEMENTS


def compile_hfield(build: Build, obj: Any) -> None:
    """Heights between 0 and 1, row by row from -y."""
    obj.nrow, obj.ncol, obj.heights = 0, 0, np.zeros(0, np.float32)
    obj.values["size"] = obj.guess("size") or (1.0, 1.0, 1.0, 1.0)
    build.all_of(obj, _check_size)
    wrong = _wrong_file(obj) if obj["file"] is not None else _wrong_numbers(obj)
    if not build.check(obj, wrong):
        return
    heights = _read(obj, obj["file"]) if obj["file"] is not None else _given(obj)
    if min(heights.shape) < 2:
        raise ElementProblem(f"a height field needs at least 2 rows and 2 columns, not {heights.shape}")
    low, high = heights.min(), heights.max()
    if not np.isfinite(high - low):
        raise ElementProblem("the heights are not finite")
    heights = heights - low
    if high - low > EPSILON:
        heights = heights / (high - low)
    (obj.nrow, obj.ncol), obj.heights = heights.shape, heights.ravel()


def _check_size(obj: Any) -> None:
    if min(obj["size"]) <= 0:
        raise ElementProblem("all sizes of a height field must be positive", "size")


def _wrong_file(obj: Any) -> Iterator[Wrong]:
    if obj.guess("nrow") or obj.guess("ncol") or obj.guess("elevation") is not None:
        yield "the height field is given by a file and by numbers", "file"
    _read(obj, obj["file"])  # which may not be there either


def _wrong_numbers(obj: Any) -> Iterator[Wrong]:
    rows, columns = obj["nrow"], obj["ncol"]
    if rows < 1 or columns < 1:
        yield "a height field needs a file, or nrow and ncol", ""
        return
    if rows * columns > 2**26:
        yield f"{rows} x {columns} heights are too many", "nrow"
    given = obj["elevation"]
    if given is not None and len(given) != rows * columns:
        yield f"elevation has {len(given)} numbers, not nrow*ncol = {rows * columns}", "elevation"


def _given(obj: Any) -> np.ndarray:
    shape, given = (obj["nrow"], obj["ncol"]), obj["elevation"]
    return np.zeros(shape, np.float32) if given is None else np.array(given, np.float32).reshape(shape)[::-1]


def _read(obj: Any, name: str) -> np.ndarray:
    is_picture = (obj["content_type"] or "") == "image/png" or name.lower().endswith(".png")
    return _heights(obj.scope.find_asset(name, "meshdir", obj.element), name, is_picture)


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
    objects, columns = build.objects["hfield"], build.columns
    if not objects:
        return
    build.copy_plain(ELEMENTS["asset/hfield"], objects)
    columns["hfield_nrow"] = [obj.nrow for obj in objects]
    columns["hfield_ncol"] = [obj.ncol for obj in objects]
    counts = [len(obj.heights) for obj in objects]
    columns["hfield_adr"] = np.cumsum([0, *counts])[:-1].tolist()
    columns["hfield_data"] = np.concatenate([obj.heights for obj in objects]) if objects else []
    build.sizes["nhfielddata"] = sum(counts)
