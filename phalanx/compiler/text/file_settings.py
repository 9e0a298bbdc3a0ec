"""Settings of one model file. They apply to the part of the model that comes from it, also when it is attached."""

from __future__ import annotations

from functools import cached_property

from phalanx.compiler.text.attribute_values import AttributeValue
from phalanx.compiler.text.defaults import Defaults, Values
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
        prefix: text that an attachment puts before all names of the file.
        written: attributes of the compiler element that the file sets.
    """

    def __init__(self, root: Element, files: Files, problems: list[Problem]):
        self.files = files
        self.prefix = ""
        #: with discardvisual materials are left out, and references to them are ignored
        self.drops_materials = False
        self.compiler: Values = dict(ELEMENTS["compiler"].defaults)
        self.written: set[str] = set()
        for section in root.children:
            if section.tag == "compiler":
                self._read(section, problems)
        self.defaults = Defaults()
        self.defaults.read(root, problems)

    def _read(self, section: Element, problems: list[Problem]) -> None:
        """Take over the settings of one compiler element; later ones replace earlier ones."""
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

    def __getitem__(self, name: str) -> AttributeValue:
        return self.compiler[name]

    @cached_property
    def degree(self) -> bool:
        """Are angles written in degrees?"""
        return self.compiler["angle"] == "degree"

    @cached_property
    def sequence(self) -> str:
        """Axes of Euler angles in order; small letters rotate with the frame, capital letters stay fixed."""
        return self.compiler["eulerseq"]

    def find_asset(self, name: str, folder: str, element: Element) -> Contents:
        """The contents of an asset file that `element` names; `folder` is "meshdir" or "texturedir"."""
        return self.files.find(name, self.compiler[folder] or "", self.compiler["strippath"], element.source)

    def is_in_memory(self, name: str, folder: str, element: Element) -> bool:
        """Is an asset file among those that the user gave in memory?"""
        folder = self.compiler[folder] or ""
        return self.files.given(name, folder, self.compiler["strippath"], element.source) is not None

    def path_of(self, name: str, folder: str, element: Element) -> str:
        """The path of an asset file on disk."""
        return self.files.path_of(name, self.compiler[folder] or "", self.compiler["strippath"], element.source)
