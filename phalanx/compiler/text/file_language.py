"""Languages of model files: which elements and attributes there are, and what happens to others."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from phalanx.tables.mechanisms import INSIDE, MECHANISMS
from phalanx.tables.mjcf_row import ElementRow
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.urdf_schema import OTHERS, TEXTS, URDF_ELEMENTS

#: Similarity from which an unknown word counts as a known one that is misspelt, from 0 to 1.
MISSPELT = 0.8


@dataclass(frozen=True, eq=False)
class Language:
    """A language of model files.

    Attributes:
        rows: its elements, by key.
        root: the row of the outermost element.
        texts: keys of the elements that hold text between their tags.
        is_open: do files have elements and attributes of other programs? Those are passed over, and noted.
        others: elements of other programs that are known -> what is said about them.
        root_hints: outermost elements of other languages -> what is said about them.
        composites: tag of an element -> tags of the composite elements that it may hold, which plain ones replace.
    """

    rows: Mapping[str, ElementRow]
    root: ElementRow
    texts: frozenset[str]
    is_open: bool = False
    others: Mapping[str, str] = field(default_factory=dict)
    root_hints: Mapping[str, str] = field(default_factory=dict)
    composites: Mapping[str, Iterable[str]] = field(default_factory=dict)

    def passes(self, name: str, known: Iterable[str]) -> bool:
        """Is an unknown name one of another program? A name that is much like a known one is a mistake instead."""
        if not self.is_open:
            return False
        return name in self.others or not difflib.get_close_matches(name, list(known), n=1, cutoff=MISSPELT)


MJCF = Language(
    {**ELEMENTS, **{row.element.key: row.element for row in MECHANISMS.values()}},
    ELEMENTS["mujoco"],
    frozenset(["custom/text"]),
    root_hints={"robot": "; this is URDF: read it with phalanx.load(path), or Spec.from_urdf"},
    composites=INSIDE,
)
URDF = Language(
    URDF_ELEMENTS,
    URDF_ELEMENTS["urdf/robot"],
    TEXTS,
    is_open=True,
    others=OTHERS,
    root_hints={
        "mujoco": "; this is MJCF: give the file the suffix .xml, or use Spec.from_file",
        "sdf": "; this is SDF, which is not read",
    },
)
