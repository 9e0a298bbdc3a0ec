"""Where the text of a robot comes from: a URDF file, a xacro file that is expanded, or a text in memory."""

from __future__ import annotations

import contextlib
import io
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypedDict

from phalanx.compiler.compile import BYTES, bytes_of, read_bytes
from phalanx.compiler.text.errors import MjcfError, Problem, nearest
from phalanx.compiler.text.limits import Limits
from phalanx.compiler.urdf.settings import UrdfSettings, settings_of
from phalanx.compiler.urdf.translate import Translated, translate_urdf
from phalanx.memory.errors import MissingPackageError, ModelError


class UrdfArguments(TypedDict, total=False):
    """Arguments that say how a URDF file is read; `UrdfSettings` tells what they mean."""

    style: str
    base: str
    actuators: str | None
    repair: bool
    packages: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]
    arguments: Mapping[str, str] | None


def read_urdf(
    source: str | Path | bytes,
    assets: Mapping[str, bytes | str] | None,
    limits: Limits,
    trusted: bool,
    arguments: UrdfArguments,
) -> Translated:
    """The MJCF elements of a URDF file or text.

    Raises:
        MjcfError: the file cannot be read.
        ModelError: an argument that does not exist.
    """
    for name in arguments:
        if name not in UrdfArguments.__annotations__:
            raise ModelError(f"{name!r} is no way to read a URDF file{nearest(name, UrdfArguments.__annotations__)}")
    settings = settings_of(**arguments)
    # a path never begins with a bracket
    if isinstance(source, BYTES) or (isinstance(source, str) and source.lstrip().startswith("<")):
        return translate_urdf("", bytes_of(source), settings, assets, limits, trusted)
    path = os.fsdecode(source)
    if path.lower().endswith(".xacro"):
        return translate_urdf(path, _expanded(path, settings, limits, trusted), settings, assets, limits, trusted)
    if settings.arguments:
        raise ModelError(f"{path}: arguments are for xacro files, and this is none")
    return translate_urdf(path, read_bytes(path, limits), settings, assets, limits, trusted)


def _expanded(path: str, settings: UrdfSettings, limits: Limits, trusted: bool) -> bytes:
    """The URDF text of a xacro file. Its macros can read any file, so it must be trusted."""
    if not trusted:
        message = "a xacro file can read any file: it is expanded only if it is trusted (trusted=True)"
        raise MjcfError([Problem(message, path)])
    read_bytes(path, limits)
    try:
        import xacro
    except ImportError:
        raise MissingPackageError(f"{path}: xacro files need an extra: pip install 'phalanx[xacro]'") from None
    said = io.StringIO()
    try:
        # xacro tells what is wrong on the standard error, with the files it was in
        with contextlib.redirect_stderr(said):
            document = xacro.process_file(path, mappings=dict(settings.arguments))
    except Exception as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise MjcfError([Problem(f"xacro cannot expand it: {reason}", path)]) from None
    return bytes(document.toprettyxml(indent="  ").encode())
