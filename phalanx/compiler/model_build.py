"""What the compiler knows while it works: objects by kind and name, problems so far, columns of the Model."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any

import numpy as np

from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, Quat, Vector
from phalanx.compiler.text.defaults import DefaultClass, Values, overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Problem, Wrong, nearest
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_row import ORIENTATION_NAMES, ElementRow, Holds
from phalanx.tables.mjcf_schema import ELEMENTS

#: Kinds of objects in the order of their names in a Model, with the short name in `name_*adr`.
KINDS = {
    "body": "body", "joint": "jnt", "geom": "geom", "site": "site", "camera": "cam", "light": "light", "flex": "flex",
    "mesh": "mesh", "skin": "skin", "hfield": "hfield", "texture": "tex", "material": "mat", "pair": "pair",
    "exclude": "exclude", "equality": "eq", "tendon": "tendon", "actuator": "actuator", "sensor": "sensor",
    "numeric": "numeric", "text": "text", "tuple": "tuple", "key": "key", "plugin": "plugin",
}  # fmt: skip


@functools.cache
def _references(key: str) -> tuple[tuple[str, str], ...]:
    """Attributes of an element that name objects, and the kinds of these."""
    rows = ELEMENTS[key].attributes.values()
    return tuple((row.name, row.kind) for row in rows if row.holds is Holds.REFERENCE and row.kind in KINDS)


#: Kinds of objects that can carry numbers of the user.
_WITH_USER = ("body", "joint", "geom", "site", "camera", "tendon", "actuator", "sensor")


#: Values that nothing else is checked by: where something is.
_PLACE = frozenset(("pos", *ORIENTATION_NAMES))


class _Partial(dict[str, Any]):
    """Values of an element of which some could not be read: reading these ends a check, which can find nothing."""

    def __init__(self, values: Values, unread: Iterable[str]):
        super().__init__(values)
        self.unread = frozenset(unread) - _PLACE

    def __getitem__(self, name: str) -> Any:
        if name in self.unread:
            raise ElementProblem("")
        return super().__getitem__(name)

    def copy(self) -> _Partial:
        return _Partial(self, self.unread)


def known_values(element: Element, values: Values) -> Values:
    """The values of an element, guarded if what is written there could not all be read."""
    return _Partial(values, element.bad) if element.bad and type(values) is dict else values


class ModelObject:
    """An object of the model: its element, its complete values, and what the compiler works out."""

    def __init__(self, element: Element, values: Values, scope: Scope):
        self.element, self.values, self.scope = element, known_values(element, values), scope
        self.id = -1
        self.name: str = values.get("name") or ""
        self.pos: Vector = ORIGIN
        self.quat: Quat = IDENTITY
        #: how frames around it scale it, in its own coordinates or those of the frame it stands in
        self.scale: Any = None
        #: factors of coordinates and forces, for what has them
        self.units: Any = None

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def guess(self, name: str) -> Any:
        """A value, or the default if what is written could not be read."""
        return self.values.get(name)

    def knows(self, name: str) -> bool:
        """Could a value be read?"""
        return not (isinstance(self.values, _Partial) and name in self.values.unread)

    def doubt(self, *names: str) -> None:
        """Let some values count as not read."""
        self.values = _Partial(self.values, (*self.element.bad, *names))

    def refers_to(self, attribute: str) -> str | None:
        """The name of another object; names in default classes of an attached model get its prefix here."""
        name = self.values.get(attribute)
        if attribute == "material" and self.scope.drops_materials:
            return None
        is_inherited = attribute not in self.element.attributes
        return self.scope.prefix + name if name is not None and is_inherited else name


class Body(ModelObject):
    """A body with what it carries."""

    def __init__(self, element: Element, values: Values, scope: Scope, parent: Body | None):
        super().__init__(element, values, scope)
        self.parent = parent
        self.bodies: list[Body] = []
        self.joints: list[Any] = []
        self.geoms: list[Any] = []
        self.sites: list[Any] = []
        self.cameras: list[Any] = []
        self.lights: list[Any] = []
        self.inertial: ModelObject | None = None
        self.frame: tuple[Vector, Quat] = (ORIGIN, IDENTITY)
        #: the place it stands in, if that is scaled
        self.place: Any = None
        self.ipos: Vector = ORIGIN
        self.iquat: Quat = IDENTITY
        self.mass = 0.0
        self.inertia: Vector = ORIGIN
        self.weld: Body = self
        self.has_bad_inertial = False
        self.dofnum = 0


def starts_of(counts: list[int]) -> list[int]:
    """Where the parts of a list begin that have so many elements each."""
    return [0, *accumulate(counts)][: len(counts)]


@functools.cache
def _plain_fields(key: str) -> list[tuple[str, str, Mapping[str, int]]]:
    """Attributes of a row with a field that takes them as they are, the field, and the numbers of keywords."""
    return [
        (attribute.name, attribute.field, attribute.keywords if attribute.holds is Holds.KEYWORD else {})
        for attribute in ELEMENTS[key].attributes.values()
        if attribute.field
    ]


class _At:
    """What `Build.at` gives; a function with @contextmanager would take three times as long, thousands of times."""

    __slots__ = ("build", "element")

    def __init__(self, build: Build, element: Element):
        self.build, self.element = build, element

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, problem: BaseException | None, trace: object) -> bool:
        if not isinstance(problem, ElementProblem):
            return False
        self.build.report_all(self.element, problem.wrong)
        return True


class Build:
    """The state of one compilation."""

    def __init__(self, root: Element, scope: Scope, problems: list[Problem], missing: tuple[str, ...] = ()):
        self.root, self.scope, self.problems = root, scope, problems
        self.objects: dict[str, list[Any]] = {kind: [] for kind in KINDS}
        self.names: dict[str, dict[str, Any]] = {kind: {} for kind in KINDS}
        self.columns: dict[str, Any] = {}
        #: columns in several arrays, one after another
        self.pieces: dict[str, list[np.ndarray]] = {}
        self.sizes: dict[str, int] = {}
        elements = list(root.walk()) if problems else []
        refused = [element for element in elements if element.row.unsupported]
        #: names of what is refused or could not be read
        self.refused = {element.name for element in refused}.union(*(element.skipped for element in elements))
        #: how names begin that are not found because what would have them could not be made; a flexcomp gives any names
        self.missing = (*missing, "") if any(element.tag == "flexcomp" for element in refused) else missing
        #: is every element there? If not, what follows from their number is not checked.
        self.is_whole = not (self.refused or self.missing)
        #: bounding volume trees of bodies, then of meshes
        self.trees: list[Any] = []
        #: plastic state at the start
        self.plastic0: list[float] = []

    # --- objects

    def complete(self, element: Element, default: DefaultClass) -> Values:
        """The values of an element of a class."""
        key, written = element.row.key, element.attributes
        values = overlay(default.values(key), written, element.row)
        unread = {*element.bad, *(default.unread(key) - written.keys())} if self.problems else ()
        return _Partial(values, unread) if unread else values

    def add(self, kind: str, obj: ModelObject) -> None:
        """File an object under its kind; a name may be given once."""
        objects = self.objects[kind]
        obj.id = len(objects)
        objects.append(obj)
        if obj.name:
            known = self.names[kind]
            if obj.name in known:
                first = known[obj.name].element.problem("").line
                where = f", first in line {first}" if first else ""
                self.report(obj.element, f"the name {obj.name!r} is given to two {kind}s{where}", "name")
            else:
                known[obj.name] = obj

    def find(self, kind: str, name: str | None, attribute: str) -> Any:
        """The object that an attribute names."""
        if not name:
            raise ElementProblem(f"{attribute} is missing", attribute)
        found = self.names[kind].get(name)
        if found is None:
            raise ElementProblem(self.not_found(kind, name, attribute), attribute)
        return found

    def not_found(self, kind: str, name: str, attribute: str) -> str:
        """What is wrong with a name; nothing, if it may be that of something that could not be made."""
        if name in self.refused or name.startswith(self.missing):
            return ""
        return f"{attribute}={name!r}: there is no such {kind}{nearest(name, self.names[kind])}"

    def check_names(self) -> None:
        """Look up every name that an element mentions, also where something else is wrong with the element."""
        for section in self.root.children:
            if section.tag == "default":
                continue
            for element in section.walk():
                if element.row.unsupported:
                    continue
                for attribute, kind in _references(element.row.key):
                    name = element.attributes.get(attribute)
                    if name and name not in self.names[kind]:
                        message = self.not_found(kind, name, attribute)
                        if message:
                            self.problems.append(element.problem(message, attribute))

    def sections(self, tag: str) -> Iterator[Element]:
        """The elements in all sections with a tag, in order."""
        for section in self.root.children:
            if section.tag == tag:
                yield from section.children

    def dissolve(self) -> None:
        """Take apart all objects, so that none refers to another; none can be used any more."""
        for objects in self.objects.values():
            for obj in objects:
                vars(obj).clear()

    # --- problems

    def report(self, element: Element, message: str, attribute: str = "") -> None:
        """Note a problem, unless it follows from another one, or the attribute has one already."""
        if element.refused or not message or attribute in element.bad:
            return
        self.problems.append(element.problem(message, attribute))

    def report_all(self, element: Element, wrong: Iterable[Wrong]) -> bool:
        """Note several problems; False if there is none."""
        is_wrong = False
        for message, attribute in wrong:
            self.report(element, message, attribute)
            is_wrong = True
        return is_wrong

    def at(self, obj: ModelObject | Element) -> _At:
        """Turn what is wrong with an element into a problem at its place, and go on."""
        return _At(self, obj if isinstance(obj, Element) else obj.element)

    def each(self, objects: Iterable[Any], work: Callable[[Any], None]) -> None:
        """Work on every object, whatever is wrong with others."""
        for obj in objects:
            try:
                work(obj)
            except ElementProblem as problem:
                self.report_all(obj.element, problem.wrong)

    def all_of(self, obj: Any, *checks: Callable[[Any], None]) -> bool:
        """Carry out every check of an object, whatever others find; True if all of them passed."""
        passed = True
        for check in checks:
            try:
                check(obj)
            except ElementProblem as problem:
                self.report_all(obj.element, problem.wrong)
                passed = False
        return passed

    def check(self, obj: ModelObject, wrong: Iterable[Wrong]) -> bool:
        """Report everything that is wrong with an object; True if nothing is."""
        try:
            return not self.report_all(obj.element, wrong)
        except ElementProblem as problem:
            self.report_all(obj.element, problem.wrong)
            return False

    # --- columns

    def copy_plain(self, row: ElementRow, objects: list[Any]) -> None:
        """Fill the Model rows that take values of attributes as they are."""
        every = [obj.values for obj in objects]
        for name, field, code in _plain_fields(row.key):
            if code:
                self.columns[field] = [code[values[name]] for values in every]
            else:
                self.columns[field] = [values[name] for values in every]

    def check_user(self) -> None:
        """No object has more user numbers than its kind may have."""
        if not any(section.tag == "size" for section in self.root.children):
            return
        for kind in _WITH_USER:
            count = self._user_count(kind)
            for obj in self.objects[kind]:
                if len(obj.guess("user")) > count:
                    message = f"user has more values than size/nuser_{KINDS[kind]}, which is {count}"
                    self.report(obj.element, message, "user")

    def _user_count(self, kind: str) -> int:
        asked = self.size_setting(f"nuser_{KINDS[kind]}")
        return asked if asked != -1 else max((len(obj.guess("user")) for obj in self.objects[kind]), default=0)

    def copy_user(self, kind: str, objects: list[Any]) -> None:
        """User numbers of a kind, all of one length."""
        short, count = KINDS[kind], self._user_count(kind)
        self.sizes[f"nuser_{short}"] = count
        self.columns[f"{short}_user"] = [(*obj.values["user"], *(0.0,) * count)[:count] for obj in objects]

    def size_setting(self, name: str) -> Any:
        """An attribute of the size element, the last one written."""
        value = ELEMENTS["size"].attributes[name].default
        for section in self.root.children:
            if section.tag == "size":
                value = section.attributes.get(name, value)
        return value
