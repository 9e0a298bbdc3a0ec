"""The base of all objects of a model: an element of the file, its complete values, and what the compiler computes.

A subclass declares what the compiler computes about its kind, each attribute once, with its type and the value it has
until it is computed:

    class Joint(Carried):
        axis: Vector = (0.0, 0.0, 1.0)
        limited: bool = False

Initial values belong to the class, so making an object costs no more when there are many of them. They must be
immutable; lists and dicts are made in `__init__`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Quat, Vector
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_row import ORIENTATION_NAMES

if TYPE_CHECKING:
    from phalanx.compiler.object.body import Body
    from phalanx.compiler.scale.frame_scale import Scale, Units

#: Attributes that no check depends on: where an object is.
_POSE = frozenset(("pos", *ORIENTATION_NAMES))


class PartialValues(dict[str, Any]):
    """Values of an element of which some could not be read; reading one of these ends the check that needs it.

    The mistake itself has been reported where the text was read, so the check ends without a message.
    """

    def __init__(self, values: Values, unread: Iterable[str]):
        super().__init__(values)
        self.unread = frozenset(unread) - _POSE

    def __getitem__(self, name: str) -> Any:
        if name in self.unread:
            raise ElementProblem("")
        return super().__getitem__(name)

    def copy(self) -> PartialValues:
        """A copy with the same values unread."""
        return PartialValues(self, self.unread)


def known_values(element: Element, values: Values) -> Values:
    """The values of an element, guarded if some attributes that are written there could not be read."""
    return PartialValues(values, element.bad) if element.bad and type(values) is dict else values


class ModelObject:
    """An object of the model: its element, its complete values, and what the compiler computes."""

    #: index among the objects of its kind
    id: int = -1
    #: how the frames around it scale it, in its own coordinates or those of the frame it stands in
    scale: Scale | None = None
    #: factors of its coordinates and forces, if it has some and is scaled
    units: Units | None = None

    def __init__(self, element: Element, values: Values, scope: Scope):
        self.element, self.values, self.scope = element, known_values(element, values), scope
        self.name: str = values.get("name") or ""

    def __init_subclass__(cls) -> None:
        """Refuse initial values that all objects of the class would share and change."""
        for name, value in vars(cls).items():
            if isinstance(value, list | dict | set) and not name.startswith("__"):
                raise TypeError(f"{cls.__name__}.{name} is mutable: make it in __init__")

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def guess(self, name: str) -> Any:
        """A value, or the default if what is written could not be read."""
        return self.values.get(name)

    def knows(self, name: str) -> bool:
        """Could a value be read?"""
        return not (isinstance(self.values, PartialValues) and name in self.values.unread)

    def doubt(self, *names: str) -> None:
        """Let some values count as not read."""
        self.values = PartialValues(self.values, (*self.element.bad, *names))

    def refers_to(self, attribute: str) -> str | None:
        """The name of another object; names in default classes of an attached model get its prefix here."""
        name = self.values.get(attribute)
        if attribute == "material" and self.scope.drops_materials:
            return None
        is_inherited = attribute not in self.element.attributes
        return self.scope.prefix + name if name is not None and is_inherited else name


class Carried(ModelObject):
    """An object that a body carries: joint, geom, site, camera or light; `pos` and `quat` are in the body."""

    pos: Vector = ORIGIN
    quat: Quat = IDENTITY

    def __init__(self, element: Element, values: Values, scope: Scope, body: Body, frame: tuple[Vector, Quat]):
        super().__init__(element, values, scope)
        #: `frame` is the frame element around it, in the body
        self.body, self.frame = body, frame
