"""URDF files of compiled models: the file, and the meshes beside it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phalanx.compiler.decompile.model_tree import tree_of_model
from phalanx.compiler.object.rotation import ORIGIN, quaternion, vector3
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.notes import Note
from phalanx.compiler.urdf.write import urdf_of
from phalanx.memory.array_file import suffix_of, writing
from phalanx.memory.whole_file import write_whole
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.world.model import Model


#: Fields of a frame.
FRAME = ("pos", "quat")


def _complete_inertials(root: Element, arrays: Mapping[str, np.ndarray]) -> None:
    """Say of bodies without mass that they have none: a reader would take the mass of their shapes."""
    bodies = [element for element in root.walk() if element.tag in ("worldbody", "body")]
    for body, element in enumerate(bodies):
        tags = {child.tag for child in element.children}
        # the compiler puts the inertial frame of a body about which nothing is known at this place
        is_plain = all(np.array_equal(arrays[f"body_i{name}"][body], arrays[f"body_{name}"][body]) for name in FRAME)
        if body and "inertial" not in tags and not (is_plain and "geom" not in tags):
            inertial = Element(ELEMENTS["inertial"])
            inertial.attributes.update(pos=vector3(arrays["body_ipos"][body]), mass=0.0, diaginertia=ORIGIN)
            inertial.attributes["quat"] = quaternion(arrays["body_iquat"][body])
            element.append(inertial)


def write_urdf(model: Model, path: Path) -> tuple[Note, ...]:
    """Write a URDF file and its meshes; what was lost.

    Raises:
        ModelError: a suffix other than `.urdf`, or a model that has what MJCF cannot say.
    """
    suffix_of(path, (".urdf",), "writer")
    store = model._store
    root = tree_of_model(store.sizes, store.arrays, model.vis)
    _complete_inertials(root, store.arrays)
    written = urdf_of(root, f"{path.stem}_meshes")
    # meshes first: a file that names them is never without them
    with writing(path):
        for name, data in written.files.items():
            file = path.parent / name
            file.parent.mkdir(parents=True, exist_ok=True)
            write_whole(file, data)
        write_whole(path, written.text.encode())
    return written.lost
