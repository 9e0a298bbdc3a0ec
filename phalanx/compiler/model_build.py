"""The state of a compilation: objects by kind and name, problems so far, columns of the Model."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, TypeVar, overload

import numpy as np

from phalanx.compiler.model_object import ModelObject as ModelObject
from phalanx.compiler.model_object import PartialValues
from phalanx.compiler.text.defaults import DefaultClass, Values, overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Problem, Wrong, nearest
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_row import ElementRow, Holds
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.compiler.asset.heightfield_asset import HeightField
    from phalanx.compiler.asset.material import Material
    from phalanx.compiler.asset.mesh_asset import MeshAsset
    from phalanx.compiler.asset.skin_asset import Skin
    from phalanx.compiler.asset.texture_asset import Texture
    from phalanx.compiler.flex.flex_object import Flex
    from phalanx.compiler.object.actuator import Actuator
    from phalanx.compiler.object.body import Body
    from phalanx.compiler.object.camera_light import Camera, Light
    from phalanx.compiler.object.contact import Exclude, Pair
    from phalanx.compiler.object.custom import Numeric, Text, Tuple
    from phalanx.compiler.object.equality import Equality
    from phalanx.compiler.object.geom import Geom, Site
    from phalanx.compiler.object.joint import Joint
    from phalanx.compiler.object.keyframe import Key
    from phalanx.compiler.object.plugin import PluginInstance
    from phalanx.compiler.object.sensor import Sensor
    from phalanx.compiler.object.tendon import Tendon
    from phalanx.mesh.bvh import Bvh

#: Field of the Model -> its rows, a list or an array.
Columns = dict[str, Any]
Object = TypeVar("Object", bound=ModelObject)

#: Kinds of objects in the order of their names in a Model, with the short name in `name_*adr`.
KINDS = {
    "body": "body", "joint": "jnt", "geom": "geom", "site": "site", "camera": "cam", "light": "light", "flex": "flex",
    "mesh": "mesh", "skin": "skin", "hfield": "hfield", "texture": "tex", "material": "mat", "pair": "pair",
    "exclude": "exclude", "equality": "eq", "tendon": "tendon", "actuator": "actuator", "sensor": "sensor",
    "numeric": "numeric", "text": "text", "tuple": "tuple", "key": "key", "plugin": "plugin",
}  # fmt: skip


@functools.cache
def _references(key: str) -> tuple[tuple[str, str], ...]:
    """Attributes of an element that name objects, with the kinds of these objects."""
    rows = ELEMENTS[key].attributes.values()
    held = (Holds.REFERENCE, Holds.REFERENCES)
    return tuple((row.name, row.kind) for row in rows if row.holds in held and row.kind in KINDS)


#: Kinds of objects that can have user data.
_WITH_USER = ("body", "joint", "geom", "site", "camera", "tendon", "actuator", "sensor")


def starts_of(counts: list[int]) -> list[int]:
    """Where each part of a list begins, from the lengths of the parts."""
    return [0, *accumulate(counts)][: len(counts)]


@functools.cache
def _plain_fields(key: str) -> list[tuple[str, str, Mapping[str, int]]]:
    """(attribute, field, values of keywords) of each attribute that is copied to a field of the Model as it is."""
    return [
        (attribute.name, attribute.field, attribute.keywords if attribute.holds is Holds.KEYWORD else {})
        for attribute in ELEMENTS[key].attributes.values()
        if attribute.field
    ]


#: Kinds of objects whose plural is not made with an s.
_PLURALS = {"body": "bodies", "mesh": "meshes", "equality": "equalities"}


class _At:
    """The context of `Build.at`; one made by @contextmanager would take three times as long, thousands of times."""

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
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.geoms: list[Geom] = []
        self.sites: list[Site] = []
        self.cameras: list[Camera] = []
        self.lights: list[Light] = []
        self.flexes: list[Flex] = []
        self.meshes: list[MeshAsset] = []
        self.skins: list[Skin] = []
        self.hfields: list[HeightField] = []
        self.textures: list[Texture] = []
        self.materials: list[Material] = []
        self.pairs: list[Pair] = []
        self.excludes: list[Exclude] = []
        self.equalities: list[Equality] = []
        self.tendons: list[Tendon] = []
        self.actuators: list[Actuator] = []
        self.sensors: list[Sensor] = []
        self.numerics: list[Numeric] = []
        self.texts: list[Text] = []
        self.tuples: list[Tuple] = []
        self.keys: list[Key] = []
        self.plugins: list[PluginInstance] = []
        #: instances of plugins that stand for themselves, by the id of their element
        self.own_plugins: dict[int, PluginInstance] = {}
        #: the same lists by kind, for what is done with every kind
        self.objects: dict[str, list[Any]] = {
            "body": self.bodies, "joint": self.joints, "geom": self.geoms, "site": self.sites, "camera": self.cameras,
            "light": self.lights, "flex": self.flexes, "mesh": self.meshes, "skin": self.skins, "hfield": self.hfields,
            "texture": self.textures, "material": self.materials, "pair": self.pairs, "exclude": self.excludes,
            "equality": self.equalities, "tendon": self.tendons, "actuator": self.actuators, "sensor": self.sensors,
            "numeric": self.numerics, "text": self.texts, "tuple": self.tuples, "key": self.keys,
            "plugin": self.plugins,
        }  # fmt: skip
        self.names: dict[str, dict[str, ModelObject]] = {kind: {} for kind in KINDS}
        self.columns: Columns = {}
        #: columns in several arrays, one after another
        self.pieces: dict[str, list[np.ndarray]] = {}
        self.sizes: dict[str, int] = {}
        elements = list(root.walk()) if problems else []
        refused = [element for element in elements if element.row.unsupported]
        #: names of elements that are refused or could not be read; a reference to one of them is no further problem
        self.refused = {element.name for element in refused}.union(*(element.skipped for element in elements))
        #: prefixes of the names of elements that could not be made (by an attach, for example); a reference to a name
        #: with such a prefix is no further problem
        self.missing = missing
        #: is every element there? If not, checks that depend on how many there are would mislead, and are left out
        self.is_whole = not (self.refused or self.missing)
        #: bounding volume trees of bodies, then of meshes
        self.trees: list[Bvh] = []
        #: those of flexes, whose boxes move
        self.moving_trees: list[Bvh] = []
        #: bytes of all assets so far
        self.taken = 0
        #: plastic state at the start
        self.plastic0: list[float] = []

    # --- objects

    def complete(self, element: Element, default: DefaultClass) -> Values:
        """The values of an element: those written on it, over those of a default class."""
        key, written = element.row.key, element.attributes
        values = overlay(default.values(key), written, element.row)
        unread = {*element.bad, *(default.unread(key) - written.keys())} if self.problems else ()
        return PartialValues(values, unread) if unread else values

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
                words = _PLURALS.get(kind, f"{kind}s")
                self.report(obj.element, f"the name {obj.name!r} is given to two {words}{where}", "name")
            else:
                known[obj.name] = obj

    def of_kind(self, kind: str) -> Sequence[ModelObject]:
        """All objects of a kind, in the order of their ids."""
        return self.objects[kind]

    @overload
    def find(self, kind: Literal["body"], name: str | None, attribute: str) -> Body: ...
    @overload
    def find(self, kind: Literal["joint"], name: str | None, attribute: str) -> Joint: ...
    @overload
    def find(self, kind: Literal["geom"], name: str | None, attribute: str) -> Geom: ...
    @overload
    def find(self, kind: Literal["site"], name: str | None, attribute: str) -> Site: ...
    @overload
    def find(self, kind: Literal["camera"], name: str | None, attribute: str) -> Camera: ...
    @overload
    def find(self, kind: Literal["mesh"], name: str | None, attribute: str) -> MeshAsset: ...
    @overload
    def find(self, kind: Literal["hfield"], name: str | None, attribute: str) -> HeightField: ...
    @overload
    def find(self, kind: str, name: str | None, attribute: str) -> Any: ...

    def find(self, kind: str, name: str | None, attribute: str) -> ModelObject:
        """The object that an attribute names."""
        if not name:
            raise ElementProblem(f"{attribute} is missing", attribute)
        found = self.names[kind].get(name)
        if found is None:
            raise ElementProblem(self.not_found(kind, name, attribute), attribute)
        return found

    def not_found(self, kind: str, name: str, attribute: str) -> str:
        """The message for a name that no object has; empty if the object may be one that could not be made."""
        if name in self.refused or name.startswith(self.missing):
            return ""
        return f"{attribute}={name!r}: there is no such {kind}{nearest(name, self.names[kind])}"

    def check_names(self) -> None:
        """Look up every name that an element mentions, also where the element has other problems."""
        for section in self.root.children:
            if section.tag == "default":
                continue
            for element in section.walk():
                if element.row.unsupported:
                    continue
                for attribute, kind in _references(element.row.key):
                    value = element.attributes.get(attribute)
                    for name in dict.fromkeys(value if isinstance(value, tuple) else (value,)):
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
        """Take apart all objects, so that memory is freed without a search for cycles; none can be used afterwards."""
        for objects in self.objects.values():
            for obj in objects:
                vars(obj).clear()

    # --- problems

    def report(self, element: Element, message: str, attribute: str = "") -> None:
        """Add a problem, unless it follows from another one, or the attribute has one already."""
        if element.refused or not message or attribute in element.bad:
            return
        self.problems.append(element.problem(message, attribute))

    def report_all(self, element: Element, wrong: Iterable[Wrong]) -> bool:
        """Add several problems; False if there is none."""
        is_wrong = False
        for message, attribute in wrong:
            self.report(element, message, attribute)
            is_wrong = True
        return is_wrong

    def at(self, obj: ModelObject | Element) -> _At:
        """A context that ends where an ElementProblem is raised, and reports it at the place of the element."""
        return _At(self, obj if isinstance(obj, Element) else obj.element)

    def each(self, objects: Iterable[Object], work: Callable[[Object], None]) -> None:
        """Work on every object; a problem of one does not keep the others from being worked on."""
        for obj in objects:
            try:
                work(obj)
            except ElementProblem as problem:
                self.report_all(obj.element, problem.wrong)

    def all_of(self, obj: Object, *checks: Callable[[Object], None]) -> bool:
        """Carry out every check of an object, whether or not others fail; True if all of them passed."""
        passed = True
        for check in checks:
            try:
                check(obj)
            except ElementProblem as problem:
                self.report_all(obj.element, problem.wrong)
                passed = False
        return passed

    def check(self, obj: ModelObject, wrong: Iterable[Wrong]) -> bool:
        """Report everything that a check yields or raises; True if there is nothing."""
        try:
            return not self.report_all(obj.element, wrong)
        except ElementProblem as problem:
            self.report_all(obj.element, problem.wrong)
            return False

    def take(self, count: int) -> None:
        """Count the bytes of an asset before its memory is taken.

        Raises:
            ElementProblem: all assets together are too large.
        """
        limits = self.scope.files.limits
        self.taken += count
        if self.taken > limits.asset_bytes:
            taken, self.taken = self.taken, self.taken - count
            raise ElementProblem(f"with it all assets and keyframes need {taken} bytes, {limits.beyond('asset_bytes')}")

    # --- columns

    def copy_plain(self, row: ElementRow, objects: Sequence[ModelObject]) -> None:
        """Fill the columns that take values of attributes as they are."""
        every = [obj.values for obj in objects]
        for name, field, code in _plain_fields(row.key):
            if code:
                self.columns[field] = [code[values[name]] for values in every]
            else:
                self.columns[field] = [values[name] for values in every]

    def check_user(self) -> None:
        """No object has more user data than its kind may have."""
        if not any(section.tag == "size" for section in self.root.children):
            return
        for kind in _WITH_USER:
            count = self._user_count(kind)
            for obj in self.of_kind(kind):
                if len(obj.guess("user")) > count:
                    message = f"user has more values than size/nuser_{KINDS[kind]}, which is {count}"
                    self.report(obj.element, message, "user")

    def _user_count(self, kind: str) -> int:
        """Values of user data per object: as the size element says, or as many as an object has."""
        asked = self.size_setting(f"nuser_{KINDS[kind]}")
        return asked if asked != -1 else max((len(obj.guess("user")) for obj in self.of_kind(kind)), default=0)

    def copy_user(self, kind: str, objects: Sequence[ModelObject]) -> None:
        """User data of all objects of a kind, filled up with zeros to one length."""
        short, count = KINDS[kind], self._user_count(kind)
        self.sizes[f"nuser_{short}"] = count
        self.columns[f"{short}_user"] = [(*obj.values["user"], *(0.0,) * count)[:count] for obj in objects]

    def size_setting(self, name: str) -> int:
        """An attribute of the size element, the last one written."""
        value = ELEMENTS["size"].attributes[name].default
        for section in self.root.children:
            if section.tag == "size":
                value = section.attributes.get(name, value)
        assert isinstance(value, int)
        return value
