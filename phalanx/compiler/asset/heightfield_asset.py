"""Height fields: from a PNG picture, a binary file, or heights that are written."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from phalanx.compiler.asset.instanced_asset import InstancedAsset
from phalanx.compiler.asset.png import check_pixels, gray_levels, known_size
from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.object.rotation import EPSILON
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted
from phalanx.compiler.text.files import Contents
from phalanx.tables.mjcf_schema import ELEMENTS

#: Bytes of a height, as it was read and as the Model has it.
HEIGHT_BYTES = 8


class HeightField(InstancedAsset):
    """A height field; `heights` has a row per y, from -y to y, with values between 0 and 1."""

    heights: np.ndarray = np.zeros((0, 0), np.float32)


def compile_hfield(build: Build, field: HeightField) -> None:
    """Read the heights, and scale them to lie between 0 and 1."""
    field.values["size"] = field.guess("size") or (1.0, 1.0, 1.0, 1.0)
    if check_hfield(build, field):
        if field["file"] is None:
            build.take(HEIGHT_BYTES * field["nrow"] * field["ncol"])
        heights = _read(field, field["file"]) if field["file"] is not None else _written(field)
        if field["file"] is not None:
            build.take(HEIGHT_BYTES * heights.size)
        _check_heights(heights)
        field.heights = _normalized(heights)


def check_hfield(build: Build, field: HeightField) -> bool:
    """Report mistakes in the attributes; True if the heights can be read."""
    build.all_of(field, _check_size)
    return build.check(field, _wrong_file(field) if field["file"] is not None else _wrong_elevation(field))


def _check_size(field: HeightField) -> None:
    if min(field["size"]) <= 0:
        raise ElementProblem("all sizes of a height field must be positive", "size")


def _wrong_file(field: HeightField) -> Iterator[Wrong]:
    if field.guess("nrow") or field.guess("ncol") or field.guess("elevation") is not None:
        yield "the height field is given by a file and by numbers", "file"
    _read(field, field["file"])  # the file may be missing or damaged, too


def _wrong_elevation(field: HeightField) -> Iterator[Wrong]:
    rows, columns = field["nrow"], field["ncol"]
    if rows < 1 or columns < 1:
        yield "a height field needs a file, or nrow and ncol", ""
        return
    limits = field.scope.files.limits
    if rows * columns > limits.texture_pixels:
        yield f"{rows} x {columns} heights are too many, {limits.beyond('texture_pixels')}", "nrow"
    given = field["elevation"]
    if given is not None and len(given) != rows * columns:
        yield f"elevation has {len(given)} numbers, not nrow*ncol = {rows * columns}", "elevation"


def _check_heights(heights: np.ndarray) -> None:
    if min(heights.shape) < 2:
        raise ElementProblem(f"a height field needs at least 2 rows and 2 columns, not {heights.shape}")
    if not np.isfinite(heights.max() - heights.min()):
        raise ElementProblem("the heights are not finite")


def _normalized(heights: np.ndarray) -> np.ndarray:
    """Heights moved and scaled to lie between 0 and 1; a flat field is 0."""
    low, high = heights.min(), heights.max()
    heights = heights - low
    return heights / (high - low) if high - low > EPSILON else heights


def _written(field: HeightField) -> np.ndarray:
    """Heights that are written, which list the rows from y to -y; a field without them is flat."""
    shape, given = (field["nrow"], field["ncol"]), field["elevation"]
    return np.zeros(shape, np.float32) if given is None else np.array(given, np.float32).reshape(shape)[::-1]


def _read(field: HeightField, name: str) -> np.ndarray:
    """Heights of a file."""
    is_picture = (field["content_type"] or "") == "image/png" or name.lower().endswith(".png")
    contents = field.scope.find_asset(name, "meshdir", field.element)
    if is_picture:
        check_pixels(*known_size(contents, name), field.scope.files.limits)
    return _heights(contents, name, is_picture)


@lru_cache(maxsize=4)
def _heights(contents: Contents, name: str, is_picture: bool) -> np.ndarray:
    """Heights of a file before they are scaled. MuJoCo's own format is rows, columns (int32), heights (float32)."""
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
    """Columns of height fields, their heights one after another."""
    fields, columns = build.hfields, build.columns
    if not fields:
        return
    build.copy_plain(ELEMENTS["asset/hfield"], fields)
    columns["hfield_nrow"] = [field.heights.shape[0] for field in fields]
    columns["hfield_ncol"] = [field.heights.shape[1] for field in fields]
    counts = [field.heights.size for field in fields]
    columns["hfield_adr"] = starts_of(counts)
    columns["hfield_data"] = np.concatenate([field.heights.ravel() for field in fields])
    build.sizes["nhfielddata"] = sum(counts)
