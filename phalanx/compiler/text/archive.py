"""Models in one file: a ZIP archive with the MJCF text and its assets.

An archive may come from a stranger. Names, kinds and sizes of its members are checked before anything is decompressed,
and a model in it reads nothing but its members.
"""

from __future__ import annotations

import io
import os
import stat
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath
from typing import IO

from phalanx.compiler.text.errors import quoted, quoted_path
from phalanx.compiler.text.limits import Limits
from phalanx.memory.array_file import named_file, writing
from phalanx.memory.errors import ModelError
from phalanx.memory.regular_file import read_regular
from phalanx.memory.whole_file import write_whole

#: Endings of model files.
MODEL_ENDINGS = (".xml", ".mjcf")
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
#: Beginning of the entry of a member in the table of contents.
_ENTRY = b"PK\x01\x02"
#: The earliest date that an archive can hold: equal models make equal archives.
_DATE = (1980, 1, 1, 0, 0, 0)


def read_archive(file: str | Path | IO[bytes], limits: Limits) -> dict[str, bytes]:
    """The members of an archive by name, in its order.

    Raises:
        ModelError: the file is no archive, is damaged, or holds what an archive of a model must not hold.
    """
    label, data = _contents(file, limits)
    if data.count(_ENTRY) > limits.elements:
        raise ModelError(f"{label}: it has {data.count(_ENTRY)} members, {limits.beyond('elements')}")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            for problem in _problems(members, limits):
                raise ModelError(f"{label}: {problem}")
            return {str(PurePosixPath(member.filename)): archive.read(member) for member in members}
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError, NotImplementedError) as error:
        if isinstance(error, ModelError):
            raise
        raise ModelError(f"{label} is not a ZIP archive that can be read: {error}") from None


def _contents(file: str | Path | IO[bytes], limits: Limits) -> tuple[str, bytes]:
    """How messages call a file, and its bytes."""
    if isinstance(file, str | os.PathLike):
        try:
            return str(file), read_regular(os.fspath(file), limits.file_bytes)[0]
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise ModelError(f"{quoted_path(str(file))} cannot be read: {reason}") from None
    data = file.read(limits.file_bytes + 1)
    if not isinstance(data, bytes):
        raise ModelError("an archive is read from a file that is open in binary mode")
    if len(data) > limits.file_bytes:
        raise ModelError(f"the archive has more bytes than {limits.beyond('file_bytes')}")
    return "the archive", data


def _problems(members: list[zipfile.ZipInfo], limits: Limits) -> Iterator[str]:
    """What is wrong with the members of an archive, before they are decompressed."""
    seen: set[str] = set()
    total = 0
    for member in members:
        name, mode = member.filename, member.external_attr >> 16
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts or "\\" in name or ":" in name or "\0" in member.orig_filename:
            yield f"member {quoted(name)} is not in the archive's own folder"
        if str(path) in seen:
            yield f"member {quoted(name)} is there twice"
        if stat.S_IFMT(mode) and not stat.S_ISREG(mode):
            yield f"member {quoted(name)} is a link or a device, not a regular file"
        if member.flag_bits & 1:
            yield f"member {quoted(name)} is encrypted"
        if member.compress_type not in _COMPRESSIONS:
            yield f"member {quoted(name)} is compressed in another way than deflate"
        if member.file_size > limits.file_bytes:
            yield f"member {quoted(name)} has {member.file_size} bytes, {limits.beyond('file_bytes')}"
        total += member.file_size
        if total > limits.asset_bytes:
            yield f"the members have {total} bytes and more, {limits.beyond('asset_bytes')}"
        seen.add(str(path))


def split_archive(members: Mapping[str, bytes], main: str = "") -> tuple[str, dict[str, bytes]]:
    """The name of the model file of an archive, and all members by their paths relative to its folder.

    Args:
        members: of the archive.
        main: name of the model file; the first of those that are least deep in folders if empty.

    Raises:
        ModelError: there is no such member.
    """
    models = [name for name in members if name.lower().endswith(MODEL_ENDINGS)]
    if not main:
        if not models:
            raise ModelError("the archive holds no model, a file that ends in .xml or .mjcf")
        main = min(models, key=lambda name: name.count("/"))
    if main not in members:
        raise ModelError(f"the archive holds no file {quoted(main)}; its models: {', '.join(models) or 'none'}")
    folder = main.rpartition("/")[0] + "/" if "/" in main else ""
    return main.removeprefix(folder), {name.removeprefix(folder): data for name, data in members.items()}


def write_archive(file: str | Path | IO[bytes], members: Mapping[str, bytes]) -> None:
    """Write an archive; a file that exists is replaced when all members are compressed."""
    memory = io.BytesIO()
    with writing(file), zipfile.ZipFile(memory, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            member = zipfile.ZipInfo(name, _DATE)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (stat.S_IFREG | 0o644) << 16
            archive.writestr(member, data)
    with writing(file):
        if isinstance(file, str | os.PathLike):
            write_whole(named_file(file), memory.getvalue())
        else:
            file.write(memory.getvalue())
