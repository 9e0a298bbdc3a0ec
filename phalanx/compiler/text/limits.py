"""How large a model may become. Every limit is checked before the memory it bounds is taken."""

from __future__ import annotations

from dataclasses import dataclass, fields

from phalanx.memory.array_file import MOST_UNPACKED
from phalanx.memory.errors import ModelError
from phalanx.memory.regular_file import MOST_BYTES


@dataclass(frozen=True)
class Limits:
    """Most that a model file may ask for; a model beyond a limit is refused with an error that names it.

    The defaults are far above all models that people simulate. Give smaller ones for files of strangers, larger ones
    for models that need them: `phalanx.load(path, limits=phalanx.Limits(texture_pixels=2**28))`.

    >>> Limits(elements=10_000).elements
    10000

    Attributes:
        file_bytes: bytes of one file, the model or an asset.
        elements: XML elements, after replicate and attach have made theirs.
        nesting: depth of elements inside of each other.
        include_depth: depth of files that include each other.
        attach_depth: depth of models that attach each other.
        bodies: bodies.
        mesh_vertices: vertices of one mesh.
        mesh_faces: triangles of one mesh.
        texture_pixels: pixels of one picture, and heights of one height field.
        asset_bytes: bytes of all textures, height fields, meshes and keyframes together.
        model_bytes: bytes of all fields of the Model, also of one in an `.npz` file; and as many for those of a Data.
        lengthrange_steps: time steps of one search for the length range of an actuator.
    """

    file_bytes: int = MOST_BYTES
    elements: int = 500_000
    nesting: int = 900
    include_depth: int = 100
    attach_depth: int = 20
    bodies: int = 100_000
    mesh_vertices: int = 5_000_000
    mesh_faces: int = 10_000_000
    texture_pixels: int = 2**26
    asset_bytes: int = 2**31
    model_bytes: int = MOST_UNPACKED
    lengthrange_steps: int = 1_000_000

    def __post_init__(self) -> None:
        for row in fields(self):
            value = getattr(self, row.name)
            if isinstance(value, bool) or not isinstance(value, int) or value < 0:
                raise ModelError(f"Limits.{row.name} is {value!r}; it must be a whole number that is not negative")

    def beyond(self, name: str) -> str:
        """The end of a message about something that is too large: the limit, and how to raise it."""
        return (
            f"more than the limit {name}={getattr(self, name)}; raise it with phalanx.Limits({name}=...) if it is right"
        )


#: Bytes of one reading of a sensor, or one activation, in all fields that have one for each, and while compiling.
VALUE_BYTES = 128

#: The limits of a model for which none are given.
USUAL = Limits()
