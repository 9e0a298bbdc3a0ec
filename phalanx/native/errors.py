"""The base of all errors, and what can go wrong with machine code: the machine, an object, an image."""

from __future__ import annotations

import linecache


class PhalanxError(Exception):
    """Base of every error that Phalanx raises on purpose."""


class NativeError(PhalanxError, RuntimeError):
    """Machine code that cannot be used here: an unknown machine, a damaged image, memory that is refused."""


class LinkError(NativeError):
    """An object or an image that breaks the rules of its format, or objects that do not fit together."""


class CacheError(NativeError):
    """A folder in which nothing can or may be kept: it cannot be written, or others can write it."""


class UnwritableCacheError(CacheError):
    """A folder in which nothing can be kept: there is no right to write, no room, or a file is in its place."""


class CacheWarning(UserWarning):
    """Compiled kernels cannot be kept: every process compiles them anew."""


class DamagedFileError(NativeError):
    """A file in the cache or the package that is not what was written there."""


class CheckError(NativeError):
    """A check that PHALANX_CHECKED=1 compiled into a kernel has failed.

    Attributes:
        kind: "bounds", "nan" or "division".
        field: the field, as "data.xpos"; "" for a division.
        index: the index out of bounds, and `bound`, what it must stay below.
        file, line, kernel: where.
        count: of checks that failed in this call; the first of them is reported.
    """

    def __init__(
        self, kind: str, field: str, axis: int, index: int, bound: int, file: str, line: int, kernel: str, count: int
    ):
        self.kind, self.field, self.axis, self.index, self.bound = kind, field, axis, index, bound
        self.file, self.line, self.kernel, self.count = file, line, kernel, count
        what = {
            "bounds": f"index {index} of {field} (axis {axis}) is out of bounds: from 0 to {bound - 1} are there",
            "nan": f"NaN is written to {field}",
            "division": "an integer is divided by zero",
        }[kind]
        more = f" ({count - 1} more checks failed in the same call)" if count > 1 else ""
        super().__init__(f"{file}:{line} in {kernel}: {what}{more}\n    {linecache.getline(file, line).strip()}")
