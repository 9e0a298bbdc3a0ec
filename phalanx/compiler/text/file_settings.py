"""Settings that apply to a part of the model: those of the file it comes from."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from phalanx.compiler.text.defaults import Defaults
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import Problem
from phalanx.compiler.text.files import Contents, Files
from phalanx.tables.mjcf_schema import ELEMENTS


class Scope:
    """The compiler settings, default classes and files of one model file.

    Attributes:
        compiler: values of the compiler element.
        defaults: its default classes.
        files: where its assets are.
        prefix: text before the names of everything in it, once attached.
    """

    def __init__(self, root: Element, files: Files, problems: list[Problem]):
        self.files = files
        self.prefix = ""
        #: materials are left out, and references to them do not count
        self.drops_materials = False
        self.compiler: dict[str, Any] = dict(ELEMENTS["compiler"].defaults)
        self.written: set[str] = set()
        for section in root.children:
            if section.tag == "compiler":
                self._read(section, problems)
        self.defaults = Defaults()
        self.defaults.read(root, problems)

    def _read(self, section: Element, problems: list[Problem]) -> None:
        values = section.attributes
        if values.get("coordinate") == "global":
            problems.append(section.problem("global coordinates are no longer part of MJCF", "coordinate"))
        sequence = values.get("eulerseq", "xyz")
        if len(sequence) != 3 or set(sequence) - set("xyzXYZ"):
            message = f"eulerseq={sequence!r} must be three of the letters x, y, z, X, Y, Z"
            problems.append(section.problem(message, "eulerseq"))
            values = {name: value for name, value in values.items() if name != "eulerseq"}
        if "assetdir" in values:
            self.compiler["meshdir"] = self.compiler["texturedir"] = values["assetdir"]
        self.compiler.update(values)
        self.written.update(values)

    def __getitem__(self, name: str) -> Any:
        return self.compiler[name]

    @cached_property
    def degree(self) -> bool:
        return self.compiler["angle"] == "degree"

    @cached_property
    def sequence(self) -> str:
        return self.compiler["eulerseq"]

    def find_asset(self, name: str, folder: str, element: Element) -> Contents:
        """What an asset file holds; `folder` is "meshdir" or "texturedir", `element` names it."""
        return self.files.find(name, self.compiler[folder] or "", self.compiler["strippath"], element.source)

    def is_in_memory(self, name: str, folder: str, element: Element) -> bool:
        """Was an asset file given by the user, and not as a file on disk?"""
        folder = self.compiler[folder] or ""
        return self.files.given(name, folder, self.compiler["strippath"], element.source) is not None

    def path_of(self, name: str, folder: str, element: Element) -> str:
        """Where an asset file is."""
        return self.files.path_of(name, self.compiler[folder] or "", self.compiler["strippath"], element.source)
