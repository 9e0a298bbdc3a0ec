"""Elements that stand for others: replicate, attach and flexcomp.

Copies get new names, and so do references to them. Elements outside the tree that refer to a copied object (a sensor
on a replicated site) are copied along, once per copy; the original of such an element disappears with the object.
"""

from __future__ import annotations

import copy
from math import isfinite

import numpy as np

from phalanx.compiler.edit.conflict import resolve
from phalanx.compiler.edit.keyframe_merge import merge_keyframes, move_pieces
from phalanx.compiler.edit.references import (
    ASSETS,
    Names,
    Rename,
    assets_of,
    class_around,
    find_in_tree,
    instances_of,
    kind_of,
    names_inside,
    object_name,
    referring,
    rename_references,
    rename_tree,
    scope_of,
    touches,
)
from phalanx.compiler.flex.flexcomp import expand_flexcomp
from phalanx.compiler.flex.pattern_file import find_mesh
from phalanx.compiler.object.rotation import IDENTITY, ORIGIN, compose, rotation_of_euler
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Problem, Source, nearest
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.mjcf_reader import Reader
from phalanx.mesh.mesh_source import MeshSource
from phalanx.tables.mjcf_schema import ELEMENTS

#: Models that can be attached by name: root, files, and the models that can be attached to each.
Attachable = dict[str, tuple[Element, Files, "Attachable"]]

#: What a body has once.
_NOT_COPIED = ("joint", "freejoint", "inertial")


def expand(
    root: Element,
    scope: Scope,
    problems: list[Problem],
    depth: int = 0,
    models: Attachable | None = None,
    size: _Size | None = None,
) -> tuple[str, ...]:
    """Replace every replicate and attach by what it stands for.

    Args:
        root: the model.
        scope: its settings.
        problems: takes what is wrong.
        depth: how many models are around this one.
        models: other models that can be attached, besides those among the assets.
        size: what the models around this one have so far.

    Returns:
        Prefixes of the names of elements that could not be made; references to such names are no further problem.
    """
    expansion = _Expansion(root, scope, problems, depth, size or _Size())
    expansion.run(models or {})
    return tuple(expansion.missing)


def _prefixes(element: Element) -> list[str]:
    """Prefixes of the names of the elements that a replicate, attach or flexcomp stands for."""
    if element.tag == "attach":
        return [element.attributes.get("prefix", "")]
    if element.tag == "flexcomp":
        return [element.name]
    return [name for names in names_inside(element.children).values() for name in names]


class _Size:
    """How many elements were read and made so far, in a model and in all that it attaches."""

    def __init__(self) -> None:
        self.elements = 0


class _Expansion:
    """One model in which every replicate and attach is replaced."""

    def __init__(self, root: Element, scope: Scope, problems: list[Problem], depth: int, size: _Size):
        self.root, self.scope, self.problems, self.depth, self.size = root, scope, problems, depth, size
        #: models to attach: root, settings, prefixes of names of elements in it that could not be made
        self.models: dict[str, tuple[Element, Scope, tuple[str, ...]]] = {}
        #: prefixes of names of elements that could not be made
        self.missing: list[str] = []
        #: is there a model that could not be read? Then an unknown name of a model is no further problem
        self.has_unread_models = False
        #: how many attached parts of the model are around the one that is expanded
        self.inside = 0
        #: sections of elements that flexcomps make, by tag
        self.made: dict[str, Element] = {}

    def run(self, models: Attachable) -> None:
        """Expand the model; `models` can be attached besides those among its assets."""
        if not any(element.tag in ("replicate", "attach", "flexcomp") for element in self.root.walk()):
            return
        self.size.elements += sum(1 for _ in self.root.walk())
        for name, (other, files, inner) in models.items():
            twins: dict[int, Element] = {}
            twin = other.copy(twins)
            move_pieces(twin, twins)
            self._prepare(name, twin, files, [], inner)
        self._load_models()
        for section in list(self.root.children):
            if section.tag == "worldbody":
                self._expand_inside(section)

    def _expand_inside(self, holder: Element) -> None:
        """Expand what an element holds: innermost first, in document order."""
        position = 0
        while position < len(holder.children):
            element = holder.children[position]
            if element.tag not in ("attach",):
                self._expand_inside(element)
            made = [element]
            try:
                if element.tag == "replicate":
                    made = self._replicate(element)
                elif element.tag == "attach":
                    made = self._attach(element)
                elif element.tag == "flexcomp":
                    made = self._flexcomp(element)
            except ElementProblem as problem:
                self._report(element, problem)
                made = []
            if made != [element]:
                holder.children[position : position + 1] = made
                for child in made:
                    child.parent = holder
            position += len(made)

    def _report(self, element: Element, problem: ElementProblem) -> None:
        """Report what is wrong with an element; elements that it stands for may be missing then."""
        for message, attribute in problem.wrong:
            if message:
                self.problems.append(element.problem(message, attribute))
        self.missing.extend(_prefixes(element))

    def _grow(self, elements: int) -> None:
        """Count new elements; a small file must not fill the memory."""
        limits = self.scope.files.limits
        if self.size.elements + elements > limits.elements:
            limit = f"the limit elements={limits.elements} of phalanx.Limits"
            raise ElementProblem(f"the model grows beyond {limits.elements} elements, {limit}")
        self.size.elements += elements

    # --- replicate

    def _replicate(self, element: Element) -> list[Element]:
        """Frames that hold copies, each moved and rotated against the one before."""
        values = {**element.row.defaults, **element.attributes}
        count: int = values["count"] or 0
        if "count" in element.bad:
            count = 1  # to see what else is wrong
            self.missing.extend(_prefixes(element))
        if any(child.tag in _NOT_COPIED for child in element.children):
            message = "replicate cannot hold joints or an inertial directly; put them in a body"
            self._report(element, ElementProblem(message))
            element.children = [child for child in element.children if child.tag not in _NOT_COPIED]
        inside = [inner.tag for inner in element.walk()]
        if all(tag in ("replicate", "frame") for tag in inside):
            count = min(count, 1)  # frames alone make nothing, however many there are
        self._grow(count * len(inside))
        if not all(isfinite(count * angle) for angle in values["euler"]):
            raise ElementProblem("the last copies would be rotated by angles that are not finite", "euler")
        names = names_inside(element.children)
        originals = list(referring(self.root))
        scope = scope_of(element) or self.scope
        pos, made, copied = ORIGIN, [], names
        width = len(str(count))
        for k in range(count):
            quat = rotation_of_euler([k * angle for angle in values["euler"]], scope.sequence, scope.degree)
            frame = Element(ELEMENTS["frame"], element.source, element.place)
            frame.attributes.update(pos=pos, quat=quat)
            frame.scope = element.scope
            if values["childclass"] is not None:
                frame.attributes["childclass"] = values["childclass"]
            ending = f"{values['sep']}{k:0{width}d}"

            def rename(name: str, ending: str = ending) -> str:
                return name + ending

            twins: dict[int, Element] = {}
            for child in element.children:
                twin = child.copy(twins)
                rename_tree(twin, names, rename)
                frame.append(twin)
            copied = self._copy_referring(originals, names, rename, twins)
            # keyframes are about the originals, which become the first copies
            if k == 0:
                move_pieces(self.root, twins)
                originals = [original for original in originals if touches(original, copied)]
            made.append(frame)
            pos = compose(pos, quat, values["offset"], IDENTITY)[0]
        for original in originals:
            if touches(original, copied):
                original.remove()
        return made

    def _copy_referring(
        self, originals: list[Element], names: Names, rename: Rename, twins: dict[int, Element] | None = None
    ) -> Names:
        """Copy the elements outside the tree that refer to copied objects.

        Returns:
            `names` with those of the elements that were copied, which others may refer to.
        """
        known = {kind: set(found) for kind, found in names.items()}
        for original in originals:
            if not touches(original, known):
                continue
            twin = original.copy(twins)
            if not rename_references(twin, known, rename):
                continue
            if twin.name:
                known.setdefault(kind_of(twin), set()).add(twin.name)
                twin.attributes["name"] = rename(twin.name)
            self._grow(1)
            original.parent.append(twin)  # type: ignore[union-attr]
        return known

    # --- flexcomp

    def _flexcomp(self, element: Element) -> list[Element]:
        """Bodies in the place of a flexcomp; its flex and equalities come after those that are written."""
        made = expand_flexcomp(element, scope_of(element) or self.scope, self._find_mesh)
        self._grow(sum(1 for body in (*made.bodies, *made.twists) for _ in body.walk()) + 1 + len(made.equalities))
        self._made_section("deformable").append(made.flex)
        for equality in made.equalities:
            self._made_section("equality").append(equality)
        # twists belong to the world, after the body that is being read
        outermost, here = None, element.parent
        while here is not None and here.tag != "worldbody":
            outermost, here = here if here.tag == "body" else outermost, here.parent
        if outermost is None:
            return [*made.bodies, *made.twists]
        holder = outermost.parent
        assert holder is not None
        place = holder.children.index(outermost) + 1
        holder.children[place:place] = made.twists
        for twist in made.twists:
            twist.parent = holder
        return made.bodies

    def _made_section(self, tag: str) -> Element:
        """The last section of this model with a tag, for elements that are made and come after those written."""
        if tag not in self.made:
            self.made[tag] = self.root.append(Element(ELEMENTS[tag]))
        return self.made[tag]

    def _find_mesh(self, name: str) -> tuple[np.ndarray, MeshSource]:
        """Vertices of a mesh asset of this model in its frame, and what it was made from."""
        return find_mesh(self.root, self.scope, name)

    # --- attach

    def _load_models(self) -> None:
        """Read the models among the assets."""
        for section in self.root.children:
            if section.tag == "asset":
                for element in section.children:
                    if element.tag == "model":
                        try:
                            self._load(element)
                        except ElementProblem as problem:
                            self.problems.append(element.problem(str(problem), problem.attribute))
                            self.has_unread_models = True

    def _load(self, element: Element) -> None:
        deepest = self.scope.files.limits.attach_depth
        if self.depth >= deepest:
            raise ElementProblem(f"models attach each other more than attach_depth={deepest} deep", "file")
        file = element.attributes.get("file")
        if not file:
            self.has_unread_models = True
            return
        self._grow(1)
        files = self.scope.files
        data = files.find(file, source=element.source).data
        path = files.path_of(file, source=element.source)
        other = files.attached(path)
        problems: list[Problem] = []
        root = Reader(other, problems).read(Source(path, data))
        if root is None:
            self.problems.extend(problems)
            self.has_unread_models = True
            return
        name = element.attributes.get("name") or root.attributes.get("model", "MuJoCo Model")
        self._prepare(name, root, other, problems)

    def _prepare(
        self, name: str, root: Element, files: Files, problems: list[Problem], models: Attachable | None = None
    ) -> None:
        """Expand a model that can be attached, and keep it under its name."""
        scope = Scope(root, files, problems)
        missing = expand(root, scope, problems, self.depth + 1, models, self.size)
        self.problems.extend(problems)
        self.models[name] = (root, scope, missing)

    def _attach(self, element: Element) -> list[Element]:
        """A part of another model, or of this one."""
        values = element.attributes
        prefix = values.get("prefix", "")
        if "body" in values and "frame" in values:
            self._report(element, ElementProblem("body and frame cannot be given together", "frame"))
        wanted = next(((tag, values[tag]) for tag in ("body", "frame") if tag in values), None)
        if "model" in values:
            name = values["model"]
            if name not in self.models and self.has_unread_models:
                raise ElementProblem("")
            if name not in self.models:
                raise ElementProblem(f"model={name!r}: there is no such model{nearest(name, self.models)}", "model")
            other, scope, missing = self.models[name]
            self.missing.extend(prefix + inner for inner in missing)
            try:
                resolve(self.root, other, self.scope["conflict"])
            except ElementProblem as problem:
                self._report(element, problem)
            return self._attach_model(other, scope, wanted, prefix)
        if wanted is None:
            raise ElementProblem("attach needs a model, or a body or frame of this model")
        return self._attach_self(wanted, prefix, element)

    def _attach_self(self, wanted: tuple[str, str], prefix: str, element: Element) -> list[Element]:
        """A copy of a body or frame of this model, with what refers to it."""
        tag, name = wanted
        source = find_in_tree(self.root, tag, name)
        if any(inner is element for inner in source.walk()):
            raise ElementProblem(f"{tag}={name!r} holds this attach, so that it would be attached without end", tag)
        twin = source.copy()
        self._grow(sum(1 for _ in twin.walk()))
        if "childclass" not in twin.attributes:
            twin.attributes["childclass"] = class_around(source)
        names = names_inside([source])

        def rename(word: str) -> str:
            return prefix + word

        rename_tree(twin, names, rename)
        self._copy_referring(list(referring(self.root)), names, rename)
        self._expand_copy(twin)
        return [twin]

    def _expand_copy(self, twin: Element) -> None:
        """Expand a copy of a part of the model that comes later in the file, and was not expanded itself."""
        limit = self.scope.files.limits.attach_depth
        if self.inside >= limit:
            raise ElementProblem(f"parts of the model attach each other more than attach_depth={limit} deep")
        self.inside += 1
        self._expand_inside(twin)
        self.inside -= 1

    def _attach_model(self, other: Element, scope: Scope, wanted: tuple[str, str] | None, prefix: str) -> list[Element]:
        """A part of another model: its elements, its assets, and what refers to the part."""
        scopes = _Scopes(scope, prefix)
        twins: dict[int, Element] = {}
        # the part: all of the world in a frame, or one body or frame with the default class it had
        if wanted is None:
            twin = Element(ELEMENTS["frame"])
            for section in other.children:
                if section.tag == "worldbody":
                    for child in section.children:
                        twin.append(child.copy(twins))
        else:
            source = find_in_tree(other, *wanted)
            twin = source.copy(twins)
            outer = class_around(source)
            if "childclass" not in twin.attributes and outer != "main":
                twin.attributes["childclass"] = outer
        self._grow(sum(1 for _ in twin.walk()))
        # parts of the part may come from models attached to the other one, with settings of their own
        for element in twin.walk():
            if element.scope is not None:
                element.scope = scopes.of(element)
        twin.scope = scopes.of(twin)
        # all assets come along, whether used or not
        assets = assets_of(other)
        names = names_inside([twin])
        known = {kind: names.get(kind, set()) | assets.get(kind, set()) for kind in {*names, *assets}}
        known["plugin"] = instances_of(other)

        def rename(word: str) -> str:
            return prefix + word

        rename_tree(twin, known, rename)
        self._copy_plugins(other, scopes, known, rename)
        self._copy_assets(other, scopes, known, rename)
        self._copy_sections(other, scopes, known, rename, twins)
        merge_keyframes(self.root, other, scope, twins, prefix)
        return [twin]

    def _copy_plugins(self, other: Element, scopes: _Scopes, known: Names, rename: Rename) -> None:
        """Plugins that the other model declares, and their instances that something there refers to."""
        for holder in other.children:
            for plugin in holder.children if holder.tag == "extension" else ():
                section = self._section("extension")
                name = plugin.attributes.get("plugin")
                target = next((own for own in section.children if own.attributes.get("plugin") == name), None)
                if target is None:
                    self._grow(1)
                    target = section.append(Element(plugin.row, plugin.source, plugin.place))
                    target.attributes.update(plugin.attributes)
                for instance in plugin.children:
                    if instance.name in known["plugin"]:
                        self._grow(1)
                        twin = target.append(instance.copy())
                        twin.scope = scopes.of(instance)
                        twin.attributes["name"] = rename(instance.name)

    def _copy_assets(self, other: Element, scopes: _Scopes, known: Names, rename: Rename) -> None:
        """Assets of the other model, and its numeric and text elements."""
        section = self._section("asset")
        for holder in other.children:
            for asset in holder.children if holder.tag in ("asset", "deformable") else ():
                if asset.tag in ASSETS:
                    self._grow(1)
                    twin = asset.copy()
                    twin.scope = scopes.of(asset)
                    name = object_name(twin)
                    if name:
                        twin.attributes["name"] = rename(name)
                    for inner in twin.walk():
                        rename_references(inner, known, rename, strict=False)
                    section.append(twin)
        # a section is made only if something goes into it
        custom = None
        for holder in other.children:
            for item in holder.children if holder.tag == "custom" else ():
                if item.tag in ("numeric", "text"):
                    self._grow(1)
                    custom = custom or self._section("custom")
                    twin = item.copy()
                    twin.scope = scopes.of(item)
                    twin.attributes["name"] = rename(twin.name)
                    custom.append(twin)

    def _copy_sections(
        self, other: Element, scopes: _Scopes, known: Names, rename: Rename, twins: dict[int, Element]
    ) -> None:
        """Elements of the other model that refer to what was attached."""
        known = {kind: set(found) for kind, found in known.items()}
        for element in referring(other):
            if not touches(element, {kind: found for kind, found in known.items() if kind != "plugin"}):
                continue
            twin = element.copy(twins)
            if not rename_references(twin, known, rename):
                continue
            self._grow(1)
            twin.scope = scopes.of(element)
            if twin.name:
                known.setdefault(kind_of(twin), set()).add(twin.name)
                twin.attributes["name"] = rename(twin.name)
            self._section(element.parent.tag).append(twin)  # type: ignore[union-attr]

    def _section(self, tag: str) -> Element:
        """The last section with a tag, made if there is none."""
        for section in reversed(self.root.children):
            if section.tag == tag:
                return section
        return self.root.append(Element(ELEMENTS[tag]))


class _Scopes:
    """Settings of an attached model and of those attached to it, with the prefix of this attachment."""

    def __init__(self, own: Scope, prefix: str):
        self.own, self.prefix = own, prefix
        self.made: dict[int, Scope] = {}

    def of(self, element: Element) -> Scope:
        """The settings of an element of the attached model, one object for all elements that share them."""
        old = element.scope or self.own
        if id(old) not in self.made:
            self.made[id(old)] = new = copy.copy(old)
            new.prefix = self.prefix + old.prefix
        return self.made[id(old)]
