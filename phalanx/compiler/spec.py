"""An editable model: the tree of elements of a file, which can be changed, attached, compiled and written."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from phalanx.compiler.compile import compile_tree
from phalanx.compiler.element import Element
from phalanx.compiler.errors import MjcfError, Problem, Source
from phalanx.compiler.files import Files
from phalanx.compiler.mjcf_reader import Reader
from phalanx.model.model import Model
from phalanx.tables.mjcf_schema import ELEMENTS


class Spec:
    """A model before it is compiled.

    Attributes:
        root: the mujoco element.
        files: where its assets are.
    """

    def __init__(self, root: Element | None = None, files: Files | None = None):
        self.root = root if root is not None else Element(ELEMENTS["mujoco"])
        self.files = files if files is not None else Files()
        self._problems: list[Problem] = []

    @classmethod
    def from_file(cls, path: str | Path, assets: Mapping[str, bytes | str] | None = None) -> Spec:
        """Read an MJCF file."""
        path = os.fspath(path)
        files = Files(os.path.dirname(path), assets)
        files.main = path
        try:
            data = Path(path).read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise MjcfError([Problem(f"cannot be read: {reason}", str(path))]) from None
        return cls._read(Source(str(path), data), files)

    @classmethod
    def from_string(cls, text: str | bytes, assets: Mapping[str, bytes | str] | None = None) -> Spec:
        """Read an MJCF text; files it refers to are taken from `assets`, or from the working folder."""
        data = text.encode() if isinstance(text, str) else text
        return cls._read(Source("", data), Files("", assets))

    @classmethod
    def _read(cls, source: Source, files: Files) -> Spec:
        problems: list[Problem] = []
        root = Reader(files, problems).read(source)
        if root is None:
            raise MjcfError(problems or [Problem("the file holds no model", source.name)])
        spec = cls(root, files)
        spec._problems = problems
        return spec

    def compile(self) -> Model:
        """The Model.

        Raises:
            MjcfError: with everything that is wrong.
        """
        return compile_tree(self.root.copy(), self.files, list(self._problems))

    def walk(self) -> Iterator[Element]:
        """All elements, depth first."""
        return self.root.walk()

    def find(self, tag: str, name: str) -> Element:
        """The element with this tag and name."""
        return self.root.find(tag, name)
