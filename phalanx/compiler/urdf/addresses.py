"""Where the files of a robot are: package://, model:// and file:// addresses, and paths."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from urllib.parse import unquote

from phalanx.compiler.text.files import Files
from phalanx.memory.regular_file import absolute

#: Schemes that name a package and a path in it.
PACKAGED = ("package", "model")
#: Variables that list folders of packages, and where in each folder the packages are.
VARIABLES = (
    ("ROS_PACKAGE_PATH", ""),
    ("AMENT_PREFIX_PATH", "share"),
    ("COLCON_PREFIX_PATH", "share"),
    ("GAZEBO_MODEL_PATH", ""),
)
_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://(.*)", re.IGNORECASE | re.DOTALL)
_FIND = re.compile(r"\$\(find(?:-pkg-share)?\s+([^)\s]+)\)/*(.*)", re.DOTALL)


class Addresses:
    """Finds the files that a robot names.

    Args:
        files: of the model; a model that is not trusted looks in its own folder only.
        packages: folders with packages, looked at before all others.
    """

    def __init__(self, files: Files, packages: tuple[str, ...]):
        self.files, self.packages = files, packages

    def path_of(self, name: str, folder: str = "") -> str:
        """The path to read for a name in the file: an existing one if there is any, or the name itself.

        Args:
            name: as written.
            folder: where the settings of the file say that its assets are (meshdir, texturedir).
        """
        if self.files.is_archive or self.files.given(name, folder) is not None:
            return name
        if "://" not in name and folder and os.path.exists(os.path.join(self.files.folder, folder, name)):
            return name
        for candidate in self._candidates(name):
            if os.path.isfile(candidate):
                return self._written(candidate, folder)
        return name

    def _written(self, path: str, folder: str) -> str:
        """A path as a model names it: one inside of its folder relative to where assets are looked for."""
        home = absolute(self.files.folder or ".")
        path = absolute(path)
        return os.path.relpath(path, os.path.join(home, folder)) if path.startswith(home + os.sep) else path

    def _candidates(self, name: str) -> Iterator[str]:
        """Paths at which a file may be, the most likely first."""
        address = _ADDRESS.fullmatch(name)
        scheme, rest = (address[1].lower(), address[2]) if address else ("", name)
        found = _FIND.fullmatch(rest)
        if found:
            yield from self._in_package(found[1], found[2])
        elif scheme in PACKAGED:
            package, _, inside = rest.partition("/")
            yield from self._in_package(package, unquote(inside) if "%" in inside else inside)
        elif scheme == "file":
            yield from self._allowed(unquote(rest.removeprefix("localhost")))
        elif not scheme:
            for folder in self._ancestors():
                yield os.path.join(folder, rest)

    def _in_package(self, package: str, inside: str) -> Iterator[str]:
        """A file of a package: in the folders given, in those of the environment, beside the model and above it."""
        if self.files.is_trusted:
            for folder in (*self.packages, *_listed_folders()):
                if os.path.basename(os.path.normpath(folder)) == package:
                    yield os.path.join(folder, inside)
                yield os.path.join(folder, package, inside)
        for folder in self._ancestors():
            if os.path.basename(folder) == package:
                yield os.path.join(folder, inside)
            # without a path the name is that of a file
            yield os.path.join(folder, package, inside) if inside else os.path.join(folder, package)
        # a robot that was copied without the folder of its package
        for folder in self._ancestors():
            yield os.path.join(folder, inside)

    def _ancestors(self) -> Iterator[str]:
        """The folder of the model and those above it, as far as the model may read."""
        folder = absolute(self.files.folder or ".")
        home = absolute(self.files.home) if self.files.home else ""
        if not self.files.is_trusted and not home:
            return
        while True:
            yield folder
            above = os.path.dirname(folder)
            if above == folder or (not self.files.is_trusted and folder == home):
                return
            folder = above

    def _allowed(self, path: str) -> Iterator[str]:
        """An absolute path, if the model may read anywhere."""
        if self.files.is_trusted:
            yield path


def _listed_folders() -> Iterator[str]:
    """Folders of packages that the environment lists."""
    for name, inside in VARIABLES:
        for folder in os.environ.get(name, "").split(os.pathsep):
            if folder:
                yield os.path.join(folder, inside) if inside else folder
