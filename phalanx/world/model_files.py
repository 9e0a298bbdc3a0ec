"""Models in files: Phalanx's own format (.npz) and MuJoCo's binary (.mjb), and models of MuJoCo in memory.

Everything that comes in goes through the one check of `pipeline/validation` before a kernel sees it.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from phalanx.algebra.number_type import NumberType
from phalanx.memory.array_file import ArrayFile, named_file, open_arrays, suffix_of, write_arrays, writing
from phalanx.memory.binary_file import Contents, binary_of, is_binary, parse_binary, read_binary
from phalanx.memory.errors import MissingPackageError, ModelError
from phalanx.memory.layout import MODEL_SCHEMA, dtype_of, shape_of
from phalanx.memory.names import NameIndex
from phalanx.memory.store import Store
from phalanx.memory.visual import Visual
from phalanx.memory.whole_file import write_whole
from phalanx.pipeline.derived import list_candidates
from phalanx.pipeline.elimination_order import order_rows
from phalanx.pipeline.plugin_rows import plugin_rows
from phalanx.pipeline.validation import whole_model as validate
from phalanx.tables.mujoco_binary import EXTENSION_SIZES, EXTENSIONS, MUJOCO_VERSION

Sizes = Mapping[str, int]
Arrays = dict[str, np.ndarray]
#: Sizes, arrays and settings of pictures: what a Model is made of, hooks aside.
Parts = tuple[Sizes, Arrays, Visual]

_FILE_VERSION = 2
#: Name of the array that says that a file is a model, and of which version.
_MARK = "phalanx_model"
#: Bytes of the longest text of settings of pictures; all of them take a tenth of that.
_MOST_VIS_BYTES = 10**6
_ADVICE = ": raise it with phalanx.Limits(model_bytes=...) if it is right"


# --- files


def load_parts(path: str | Path | io.IOBase, most: int) -> Parts:
    """What a file of so many bytes at most holds, proven safe; an open file says by its first bytes what it is."""
    if isinstance(path, (str, os.PathLike)):
        return _READERS[suffix_of(path, _READERS, "reader")](path, most)
    return _READERS[".mjb" if is_binary(_first_bytes(path)) else ".npz"](path, most)


def save_parts(path: str | Path | io.IOBase, parts: Parts, hooks: Iterable[str]) -> None:
    """Write a file of the format that its suffix names; an open one gets Phalanx's own."""
    suffix = suffix_of(path, _WRITERS, "writer") if isinstance(path, (str, os.PathLike)) else ".npz"
    _WRITERS[suffix](path, parts, hooks)


def _first_bytes(file: Any) -> bytes:
    start = file.tell()
    found: bytes = file.read(4)
    file.seek(start)
    return found


def _load_npz(path: str | Path | io.IOBase, most: int) -> Parts:
    with open_arrays(path, "model", _MARK, _FILE_VERSION, most, _ADVICE) as file:
        sizes = {name: _size_in(file, name) for name in MODEL_SCHEMA.sizes}
        return sizes, safe_arrays(sizes, file), _visual_in(file)


def _save_npz(path: str | Path | io.IOBase, parts: Parts, hooks: Iterable[str]) -> None:
    sizes, arrays, vis = parts
    numbers = {"size." + name: np.int64(value) for name, value in sizes.items()}
    head = {_MARK: np.int64(_FILE_VERSION), "vis": np.str_(vis.to_json())}
    write_arrays(path, {**head, **numbers, **arrays})


def _load_mjb(path: str | Path | io.IOBase, most: int) -> Parts:
    # nothing is packed: its arrays are not larger than the file
    return parts_of(read_binary(path))


def _save_mjb(path: str | Path | io.IOBase, parts: Parts, hooks: Iterable[str]) -> None:
    # all of it first: a model that is refused leaves the file as it was
    data = to_binary(parts, hooks)
    with writing(path):
        write_whole(named_file(path), data)


_READERS: dict[str, Callable[[Any, int], Parts]] = {".mjb": _load_mjb, ".npz": _load_npz}
_WRITERS: dict[str, Callable[[Any, Parts, Iterable[str]], None]] = {".mjb": _save_mjb, ".npz": _save_npz}


def _size_in(file: ArrayFile, name: str) -> int:
    """A size that a file names."""
    key = f"size.{name}"
    if key not in file:
        raise ModelError(f"the file has no {key}")
    shape, dtype = file.declared(key)
    if shape or dtype.kind not in "iu":
        raise ModelError(f"{key} is not one integer")
    return int(file[key])


def _visual_in(file: ArrayFile) -> Visual:
    """The settings of pictures that a file holds."""
    if "vis" not in file:
        return Visual()
    shape, dtype = file.declared("vis")
    if shape or dtype.kind != "U" or dtype.itemsize > _MOST_VIS_BYTES:
        raise ModelError("vis cannot be read: it is no text, or too long")
    try:
        vis = Visual.from_json(str(file["vis"]))
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ModelError(f"vis cannot be read: {error}") from None
    vis.check()
    return vis


def safe_arrays(sizes: Sizes, given: Mapping[str, np.ndarray]) -> Arrays:
    """Copies of all rows of a Model from outside, proven safe for kernels."""
    validate.check_sizes(sizes)
    store = Store(MODEL_SCHEMA, sizes, NumberType("float64"))
    for name in MODEL_SCHEMA.fields:
        if name not in given:
            raise ModelError(f"{name} is missing")
        # of a file the header is asked, before memory is taken
        shape, dtype = given.declared(name) if isinstance(given, ArrayFile) else (given[name].shape, given[name].dtype)
        validate.check_shape(name, shape, dtype, sizes)
    arrays = {}
    for name in MODEL_SCHEMA.fields:
        arrays[name] = store.allocate(name)
        arrays[name][...] = given[name]
    validate.check_model(sizes, arrays)
    for name, values in (plugin_rows(sizes, arrays) | order_rows(sizes, arrays)).items():
        arrays[name][...] = values
    return arrays


# --- models of MuJoCo


def parts_of(contents: Contents) -> Parts:
    """What a binary of MuJoCo holds, proven safe, with the rows that only we have."""
    sizes = {name: contents.sizes.get(name, 0) for name in MODEL_SCHEMA.sizes}
    number = NumberType("float64")
    ours = {
        name: np.zeros(shape_of(row, sizes), dtype_of(row, number))
        for name, row in MODEL_SCHEMA.fields.items() if row.mujoco == "-"
    }  # fmt: skip
    arrays = safe_arrays(sizes, {**contents.arrays, **ours})
    contents.vis.check()
    return *list_candidates(sizes, arrays), contents.vis


def parts_of_mujoco(mjmodel: Any) -> Parts:
    """What a `mujoco.MjModel` holds: MuJoCo itself writes its binary into memory."""
    mujoco = import_mujoco("Model.from_mujoco")
    # wrappers such as dm_control's hold the model itself as `ptr`
    mjmodel = getattr(mjmodel, "ptr", mjmodel)
    if not isinstance(mjmodel, mujoco.MjModel):
        raise ModelError(f"Model.from_mujoco copies a mujoco.MjModel, not a {type(mjmodel).__name__}")
    data = np.empty(mujoco.mj_sizeModel(mjmodel), np.uint8)
    mujoco.mj_saveModel(mjmodel, None, data)
    return parts_of(parse_binary(data.tobytes()))


def mujoco_of(parts: Parts, hooks: Iterable[str]) -> Any:
    """A `mujoco.MjModel` with the same fields."""
    mujoco = import_mujoco("Model.to_mujoco")
    data = to_binary(parts, hooks)
    if mujoco.__version__ != MUJOCO_VERSION:
        raise MissingPackageError(
            f"Model.to_mujoco needs MuJoCo {MUJOCO_VERSION}, but {mujoco.__version__} is installed: "
            f"pip install mujoco=={MUJOCO_VERSION}"
        )
    try:
        return mujoco.MjModel.from_binary_path("model.mjb", {"model.mjb": data})
    except ValueError as error:
        raise ModelError(f"MuJoCo refuses the model; it warns why on the standard error ({error})") from None


def import_mujoco(purpose: str) -> Any:
    """The mujoco package, or an error that says what it is needed for."""
    try:
        import mujoco
    except ImportError:
        raise MissingPackageError(f"{purpose} needs MuJoCo: pip install mujoco=={MUJOCO_VERSION}") from None
    return mujoco


def to_binary(parts: Parts, hooks: Iterable[str] = ()) -> bytes:
    """The model as MuJoCo's binary; ModelError with what MuJoCo cannot simulate."""
    sizes, arrays, vis = parts
    for what in _beyond_mujoco(sizes, arrays, hooks):
        raise ModelError(f"MuJoCo cannot simulate this model: {what}. Phalanx's own format (.npz) keeps all fields")
    return binary_of(sizes, arrays, vis)


def _beyond_mujoco(sizes: Sizes, arrays: Arrays, hooks: Iterable[str]) -> Iterator[str]:
    """What is in a model that MuJoCo has nothing like, in words."""
    for hook in hooks:
        yield f"it has the hook {hook} (model.with_hooks({hook}=None) takes it away)"
    for size, words in EXTENSION_SIZES.items():
        if sizes[size]:
            yield f"it has {words}"
    names = NameIndex(arrays)
    for row, values in EXTENSIONS.items():
        for value, words in values.items():
            for objid in np.flatnonzero(arrays[row] == value):
                is_option = not arrays[row].ndim
                yield f"{row if is_option else names.label(row.split('_')[0], int(objid))} is {words}"
