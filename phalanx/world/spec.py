"""An editable model: the tree of elements of a file, which can be changed, attached, compiled and written."""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Unpack

import numpy as np

from phalanx.compiler.compile import bytes_of, compile_tree, read_bytes, read_tree
from phalanx.compiler.edit.attachment import check_attachment
from phalanx.compiler.edit.delete import Deletion, delete
from phalanx.compiler.edit.element_types import SpecElements, Worldbody
from phalanx.compiler.edit.expand import Attachable
from phalanx.compiler.edit.keyframe_merge import Parts, Pieces, cut, fill_keyframes, pieces_of
from phalanx.compiler.edit.pack import pack, whole_copy
from phalanx.compiler.edit.references import object_name
from phalanx.compiler.edit.resolve import root_of
from phalanx.compiler.edit.typed_element import typed
from phalanx.compiler.text.archive import read_archive, split_archive, write_archive
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import Problem, nearest
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.limits import USUAL, Limits
from phalanx.compiler.text.mjcf_writer import write_xml
from phalanx.compiler.text.notes import Note
from phalanx.compiler.urdf.robot_file import UrdfArguments, read_urdf
from phalanx.compiler.usd.stage_model import read_usd
from phalanx.memory.array_file import named_file, suffix_of, writing
from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, ModelError, UnknownNameError
from phalanx.memory.regular_file import absolute
from phalanx.memory.whole_file import write_whole
from phalanx.tables.mjcf_kinds import BY_PLURAL, KINDS, SETTINGS, KindRow
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.world.builtin import model_path
from phalanx.world.data import Data
from phalanx.world.model import Model
from phalanx.world.recompile import Places, carry_state, places_by_name, places_of


class Spec(SpecElements):
    """A model before it is compiled.

    Elements are listed by kind (`spec.geoms`), found by name (`spec.geom("foot")`), added
    (`spec.worldbody.add_body(name="ball")`, `spec.add_actuator("motor", joint="hip")`) and deleted. Their attributes
    are those of MJCF: `spec.geom("foot").size = 0.1, 0.2, 0.05`. Settings are attributes of their sections:
    `spec.option.timestep = 0.001`. See docs/spec.md.

    Attributes:
        root: the mujoco element.
        files: where its assets are.
    """

    @arguments_checked
    def __init__(self, root: Element | None = None, files: Files | None = None):
        self.root = typed(root if root is not None else Element(ELEMENTS["mujoco"]))
        self.files = files if files is not None else Files()
        self._problems: list[Problem] = []
        #: what was assumed when the model was translated from another language
        self._notes: tuple[Note, ...] = ()
        #: models that are attached, by the name that attach elements use
        self._models: dict[str, Spec] = {}
        #: keyframes of the file, cut into pieces of joints, actuators and mocap bodies
        self._keys: list[tuple[Element, Parts]] = []
        #: these objects when the file was read, as id(element) and their length in each vector
        self._layout: list[tuple[int, dict[str, int]]] = []
        #: which elements the objects of compiled models were made from, by the names of the model
        self._compiled: list[tuple[weakref.ref[np.ndarray], Places]] = []

    @classmethod
    @arguments_checked
    def from_file(
        cls,
        path: str | Path,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        limits: Limits | None = None,
        trusted: bool = True,
    ) -> Spec:
        """Read an MJCF file.

        Args:
            path: the file, or the name of a built-in model.
            assets: files in memory by name, looked at before the disk.
            limits: how large the model may be, None for the usual limits.
            trusted: may it read files anywhere, as in MuJoCo? Otherwise only those in its folder.
        """
        path = model_path(path)
        return cls._from_bytes(os.fspath(path), read_bytes(path, limits or USUAL), assets, limits, trusted)

    @classmethod
    def _from_bytes(
        cls, path: str, data: bytes, assets: Mapping[str, bytes | str] | None, limits: Limits | None, trusted: bool
    ) -> Spec:
        """The model of a file with the contents `data`; `path` is "" for a text without a file."""
        root, files, problems = read_tree(path, data, assets, limits or USUAL, trusted)
        return cls._of(root, files, problems)

    @classmethod
    def _of(cls, root: Element, files: Files, problems: list[Problem]) -> Spec:
        """The model of a tree that was read."""
        spec = cls(root, files)
        spec._problems = problems
        spec._note_keyframes()
        return spec

    @classmethod
    @arguments_checked
    def from_string(
        cls,
        text: str | bytes,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        limits: Limits | None = None,
        trusted: bool = True,
    ) -> Spec:
        """Read an MJCF text; the files that it names are taken from `assets`, or from the working folder if trusted."""
        return cls._from_bytes("", bytes_of(text), assets, limits, trusted)

    @classmethod
    @arguments_checked
    def from_zip(cls, file: str | Path | IO[bytes], *, main: str = "", limits: Limits | None = None) -> Spec:
        """Read a model from a ZIP archive, as `to_zip` writes it; it reads no files but those in the archive.

        Args:
            file: path of the archive, or a file that is open in binary mode.
            main: name of the model file in it; the first one that is least deep in folders if empty.
            limits: how large the model and its files may be, None for the usual limits.

        Raises:
            ModelError: no archive, a damaged one, or one with members that lead out of it or are too large.
            MjcfError: the model in it cannot be read.
        """
        bounds = limits or USUAL
        path, members = split_archive(read_archive(file, bounds), main)
        root, files, problems = read_tree(path, members[path], members, bounds, is_archive=True)
        return cls._of(root, files, problems)

    @classmethod
    @arguments_checked
    def from_urdf(
        cls,
        source: str | Path | bytes,
        assets: Mapping[str, bytes | str] | None = None,
        *,
        limits: Limits | None = None,
        trusted: bool = True,
        **settings: Unpack[UrdfArguments],
    ) -> Spec:
        """Read a robot from a URDF file (.urdf), a xacro file (.xacro), or a URDF text; see docs/urdf.md.

        What is wrong is reported when it is compiled; `report` tells what was assumed.

        Args:
            source: path of the file; bytes, or a str that begins with `<`, are the text itself.
            assets: files in memory by name, looked at before the disk.
            limits: how large the model may be, None for the usual limits.
            trusted: may it read files anywhere? Otherwise only those in its folder, and no xacro file.
            **settings: how it is read.
                style: "phalanx" keeps links, names and looks; "mujoco" makes what MuJoCo makes of the file.
                base: "fixed" or "floating", whether the root link can move.
                actuators: "transmissions" for those of the file, "position" or "motor" for one at each joint, or None.
                repair: replace inertias and limits that are not physical; each is reported.
                packages: folders in which packages are looked for.
                arguments: values of the arguments of a xacro file.

        Raises:
            MjcfError: the file cannot be read.
            ModelError: a setting that does not exist.
            MissingPackageError: a xacro file, and the extra `phalanx[xacro]` is not installed.

        >>> spec = Spec.from_urdf('<robot name="one"><link name="base"/></robot>')
        >>> [body.name for body in spec.bodies]
        ['base']
        """
        # problems of the translation are told with those of the compiler
        found = read_urdf(source, assets, limits or USUAL, trusted, settings)
        spec = cls._of(found.root, found.files, found.problems)
        spec._notes = found.notes
        return spec

    @classmethod
    @arguments_checked
    def from_usd(cls, path: str | Path, *, limits: Limits | None = None, trusted: bool = True) -> Spec:
        """Read the rigid bodies, joints, colliders and drives of a USD file; see docs/urdf.md.

        Args:
            path: the file (.usd, .usda, .usdc, .usdz).
            limits: how large the model may be, None for the usual limits.
            trusted: must be True: a stage is composed of any files that it names.

        Raises:
            MjcfError: the file cannot be read.
            MissingPackageError: the extra `phalanx[usd]` is not installed.
        """
        found = read_usd(os.fspath(path), limits or USUAL, trusted)
        spec = cls._of(found.root, found.files, found.problems)
        spec._notes = found.notes
        return spec

    @property
    def report(self) -> tuple[Note, ...]:
        """What was assumed and what has no effect, if the model comes from URDF or USD; each with its place."""
        return self._notes

    def __repr__(self) -> str:
        kinds = ("bodies", "joints", "geoms", "tendons", "actuators", "sensors", "equalities")
        counts = ((len(getattr(self, kind)), kind) for kind in kinds)
        words = ", ".join(f"{count} {kind}" for count, kind in counts if count)
        return f"<Spec {self.root.get('model') or 'unnamed'!r}: {words or 'empty'}>"

    def compile(self) -> Model:
        """The Model; the Spec stays as it is.

        Raises:
            MjcfError: with all problems of the model.
        """
        root = self._with_keyframes()
        # the compiler changes the tree that it is given
        root = root if root is not self.root else root.copy()
        problems = [*self._problems, *_missing_values(root)]
        places: Places = {}
        compiled = compile_tree(root, self.files, problems, self._attachable(), partial(places_of, places=places))
        model = Model.from_compiled(compiled, self._notes)
        alive = [(names, old) for names, old in self._compiled if names() is not None]
        self._compiled = [*alive, (weakref.ref(model._store.arrays["names"]), places)]
        return model

    def _attachable(self) -> Attachable:
        """The models that are attached to this one, and those attached to them."""
        return {
            name: (spec._with_keyframes(), spec.files, spec._attachable()) for name, spec in self._used_models().items()
        }

    def _used_models(self) -> dict[str, Spec]:
        """The models that an element attaches, by name."""
        used = {element.attributes.get("model") for element in self.root.walk() if element.tag == "attach"}
        return {name: spec for name, spec in self._models.items() if name in used}

    @arguments_checked
    def recompile(self, model: Model, data: Data) -> tuple[Model, Data]:
        """The Model of the present elements, and a Data in the state of `data` as far as its objects are still there.

        A joint, actuator, mocap body, tendon, sensor or equality is the same object if it comes from the same element,
        whatever its name is now; one that was replaced is found by its name. Positions, velocities, activations,
        controls, applied forces, histories and the time stay; new objects are at their initial state. Nothing is
        computed: call `forward` before results are read.

        Args:
            model: what `compile` or `recompile` of this Spec gave; its hooks are kept, other changes made by
                `replace` are not.
            data: a Data of this model; it does not change.

        Raises:
            MjcfError: the model cannot be compiled.
            ModelError: `data` is not a Data of `model`, or `model` was not compiled by this Spec and has moving objects
                without names.
        """
        if data.model is not model:
            raise ModelError("data is not a Data of this model: recompile(data.model, data)")
        # models made by replace and with_hooks share the names of the one that was compiled
        names = model._store.arrays["names"]
        before = next((places for known, places in self._compiled if known() is names), None)
        before = before if before is not None else places_by_name(model)
        new = self.compile()
        after = self._compiled[-1][1]
        new = new.with_hooks(**model.hooks) if model.hooks else new
        return new, carry_state(data, new, before, after)

    def to_xml(self) -> str:
        """The model as MJCF text, with the included files in it; a model with attached ones needs `save`.

        >>> spec = Spec()
        >>> body = spec.worldbody.add("body", name="ball", pos=(0, 0, 1))
        >>> _ = body.add("freejoint"), body.add("geom", size=0.1)
        >>> print(spec.to_xml())
        <mujoco>
          <worldbody>
            <body name="ball" pos="0 0 1">
              <freejoint/>
              <geom size="0.1"/>
            </body>
          </worldbody>
        </mujoco>
        <BLANKLINE>
        """
        if self._used_models():
            raise ModelError("other models are attached to this one: write all of them with Spec.save")
        return write_xml(self._written())

    @arguments_checked
    def save(self, path: str | Path) -> None:
        """Write the model to an MJCF file, and the models attached to it to files beside it.

        Asset files are not copied: a model that is written to another folder names them by absolute paths.
        """
        path = Path(path)
        root = self._written().copy()
        _point_to_assets(root, self.files.folder, path.parent)
        section = next((child for child in root.children if child.tag == "asset"), None)
        for k, (name, other) in enumerate(self._used_models().items()):
            beside = path.with_name(f"{path.stem}_{k + 1}{path.suffix}")
            other.save(beside)
            section = section or root.append(Element(ELEMENTS["asset"]))
            section.add("model", name=name, file=beside.name)
        with writing(path):
            write_whole(named_file(path), write_xml(root).encode())

    @arguments_checked
    def to_zip(self, file: str | Path | IO[bytes]) -> None:
        """Write the model with everything that it reads to a ZIP archive, which `load` and MuJoCo read.

        Included files become part of the model; attached models are files beside it. Equal models make equal archives.

        Args:
            file: path of the archive, or a file that is open in binary mode.

        Raises:
            MjcfError: a file that the model names cannot be read; nothing is written.
        """
        # a name that is too long for an archive is too long for a file, too: it is refused when it is written
        stem = Path(file).stem[:200] if isinstance(file, str | os.PathLike) else "model"
        members = pack(whole_copy(self._with_keyframes()), self.files, self._attachable(), stem)
        write_archive(file, members)

    @arguments_checked
    def to_urdf(self, path: str | Path) -> tuple[Note, ...]:
        """Compile the model and write it as a URDF file; what was lost, as `Model.to_urdf` tells it."""
        return self.compile().to_urdf(path)

    def _written(self) -> Element:
        """The tree as it is written: keyframes that follow their joints become vectors again."""
        root = self._with_keyframes()
        if root is not self.root:
            fill_keyframes(root, Scope(root, self.files, []))
        return root

    # --- elements

    def walk(self) -> Iterator[Element]:
        """All elements, depth first."""
        return self.root.walk()

    @arguments_checked
    def find(self, tag: str, name: str) -> Element:
        """The element with this tag and name."""
        return self.root.find(tag, name)

    # a type checker sees the lists and methods in the stub of SpecElements
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("_"):
                raise AttributeError(name)
            if name in BY_PLURAL:
                return [element for element in self.root.walk() if element.row.kind == BY_PLURAL[name].name]
            if name in KINDS:
                return partial(self._named, KINDS[name])
            if name in SETTINGS:
                return self.section(name)
            if name.startswith("add_") and name.removeprefix("add_") in KINDS:
                return partial(self._add, KINDS[name.removeprefix("add_")])
            raise FieldError(f"Spec has no attribute {name!r}{nearest(name, dir(self))}")

        def __setattr__(self, name: str, value: object) -> None:
            if not name.startswith("_") and name not in ("root", "files"):
                raise FieldError(f"Spec has no attribute {name!r} that can be set; set those of its elements")
            object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        adders = [f"add_{name}" for name, row in KINDS.items() if row.section]
        return [*super().__dir__(), *BY_PLURAL, *KINDS, *SETTINGS, *adders]

    def _named(self, kind: KindRow, name: str) -> Element:
        """The element of a kind with a name; the world body and the class main need not have theirs written."""
        if (kind.name, name) == ("body", "world"):
            return self.worldbody
        found = {object_name(element): element for element in reversed(getattr(self, kind.plural))}
        if (kind.name, name) == ("default", "main") and name not in found:
            return self.section("default")
        if name not in found or not name:
            raise UnknownNameError(f"there is no {kind.name} named {name!r}{nearest(str(name), found)}")
        return found[name]

    def _add(self, kind: KindRow, /, *types: str, **attributes: object) -> Element:
        """A new element of a kind in its section; for a kind with types the first argument says which."""
        call = f"add_{kind.name}"
        if not kind.section:
            raise FieldError(f"a {kind.name} belongs to a body: spec.body(name).{call}(...)")
        if len(types) != kind.has_types:
            known = f", one of {', '.join(kind.keys)}" if kind.has_types else ""
            raise FieldError(
                f"{call} takes {'one type' if kind.has_types else 'no type'}{known}; then attributes by name"
            )
        if kind.name == "default" and "name" in attributes:
            attributes["class"] = attributes.pop("name")
        tag = types[0] if types else next(iter(kind.keys))
        if tag not in kind.keys:
            raise FieldError(f"there is no {kind.name} {tag!r}{nearest(str(tag), kind.keys)}")
        return self.section(kind.section).add(tag, **attributes)

    @arguments_checked
    def delete(self, element: Element, references: str = "delete") -> Deletion:
        """Take an element out of the model, with all inside and with what refers to them.

        What refers to an element that is gone makes no sense without it: actuators, sensors, tendons, equalities,
        pairs, excludes, tuples, skins, cameras that look at it, and what refers to these. Only looks can be missed: a
        geom stays without its material. Keyframes lose the values of joints that are gone.

        Args:
            element: any element of this model but the world body and the root.
            references: "delete" as above; "refuse" raises if anything refers to it, and says what.

        Returns:
            What went: `removed` elements, and `cleared` attributes of those that stay.

        Raises:
            ModelError: it is referred to, with "refuse"; or it is a default class that elements are in.

        >>> spec = Spec.from_string('<mujoco><worldbody><body name="arm"><joint name="j"/><geom size=".1"/></body>'
        ...     '</worldbody><actuator><motor name="m" joint="j"/></actuator></mujoco>')
        >>> print(spec.delete(spec.body("arm")))
        deleted body 'arm', motor 'm'
        """
        # an element of another Spec would be deleted there
        if not isinstance(element, Element) or root_of(element) is not self.root:
            raise FieldError(f"{element} is not an element of this model")
        return delete(element, references)

    @arguments_checked
    def section(self, tag: str) -> Element:
        """The last section with a tag ("option", "asset", "actuator"); a new one if there is none."""
        for child in reversed(self.root.children):
            if child.tag == tag:
                return child
        return self.root.add(tag)

    @property
    def worldbody(self) -> Worldbody:
        """The world body, which holds all others."""
        return self.section("worldbody")  # type: ignore[return-value]

    def copy(self) -> Spec:
        """A copy that can be changed on its own."""
        twins: dict[int, Element] = {}
        spec = Spec(self.root.copy(twins), self.files)
        spec._problems, spec._notes = list(self._problems), self._notes
        spec._models = dict(self._models)
        spec._keys = [(twins.get(id(key), key), _moved(parts, twins)) for key, parts in self._keys]
        spec._layout = [(id(twins[old]), lengths) for old, lengths in self._layout if old in twins]
        return spec

    # --- attachment

    @arguments_checked
    def attach(
        self,
        other: Spec,
        to: Element | None = None,
        *,
        body: str = "",
        frame: str = "",
        prefix: str = "",
        name: str = "",
    ) -> Element:
        """Attach a body or frame of another model, or all of it.

        Assets, default classes and everything that refers to the attached part come along, with `prefix` before
        their names.

        Args:
            other: the model to attach from; it is copied, so later changes of it have no effect.
            to: body or frame that receives it, the world if None.
            body, frame: name of the part to attach; the whole model if neither is given.
            prefix: text before all its names.
            name: name of the model among the assets; chosen if empty.

        Returns:
            The attach element; its `delete` undoes the attachment.

        Raises:
            ModelError: a name that this model has already: of an attached model, or of a body, joint and so on.
        """
        taken = {*self._models, *(object_name(model) for model in self.models)}
        if name in taken:
            raise ModelError(
                f"a model named {name!r} is attached already: give another name, or none to have one chosen"
            )
        # an attach element refers to its model by name; `compile` hands these models over with their names
        name = name or next(free for k in count(1) if (free := f"attached {k}") not in taken)
        check_attachment(self.root, other.root, prefix, body, frame, self._roots())
        self._models[name] = other.copy()
        attributes = {
            "model": name,
            "prefix": prefix,
            **({"body": body} if body else {}),
            **({"frame": frame} if frame else {}),
        }
        return (to if to is not None else self.worldbody).add("attach", **attributes)

    def _roots(self) -> dict[str, Element]:
        """Roots of the models that are attached, by name."""
        return {name: spec.root for name, spec in self._models.items()}

    # --- keyframes that follow their joints

    def _note_keyframes(self) -> None:
        """Cut the vectors of keyframes into pieces that belong to elements, so that edits of the tree keep them.

        A model with replicate or attach elements keeps its vectors whole: its joints are not known yet.
        """
        keys = [key for section in self.root.children if section.tag == "keyframe" for key in section.children]
        if not keys or any(element.tag in ("replicate", "attach") for element in self.root.walk()):
            return
        scope = Scope(self.root, self.files, [])
        pieces = pieces_of(self.root, scope)
        self._layout = [(id(element), lengths) for element, lengths in pieces]
        for key in keys:
            parts = cut(key, pieces)
            if parts is not None:
                self._keys.append((key, parts))

    def _with_keyframes(self) -> Element:
        """The tree with keyframes for its present joints; a copy if these are not those of the file any more."""
        if not self._keys:
            return self.root
        pieces = pieces_of(self.root, Scope(self.root, self.files, []))
        if [(id(element), lengths) for element, lengths in pieces] == self._layout:
            return self.root
        twins: dict[int, Element] = {}
        root = self.root.copy(twins)
        for key, parts in self._keys:
            twin = twins.get(id(key))
            if twin is not None:
                twin.pieces = Pieces(_moved(parts, twins, self.root))
                for vector in parts:
                    twin.attributes.pop(vector, None)
        return root


def _missing_values(root: Element) -> Iterator[Problem]:
    """Attributes that elements made in Python need and do not have; those of a file were reported when it was read."""
    for element in root.walk():
        for name, row in element.row.attributes.items() if element.source is None else ():
            if row.required and name not in element.attributes:
                element.bad += (name,)
                yield element.problem(f"attribute {name!r} is missing", name)


def _point_to_assets(root: Element, before: str, after: Path) -> None:
    """Write the folders of assets as absolute paths, if a model goes from folder `before` to another one."""
    if absolute(before) == absolute(after) or not any("file" in element for element in root.walk()):
        return
    settings = [child for child in root.children if child.tag == "compiler"] or [Element(ELEMENTS["compiler"])]
    if settings[0].parent is None:
        root.children.insert(0, settings[0])
        settings[0].parent = root
    # later compiler elements replace the settings of earlier ones, and assetdir sets both folders
    for name in ("meshdir", "texturedir"):
        folder = ""
        for element in settings:
            written = element.attributes
            folder = written[name] if name in written else written.get("assetdir", folder)
        settings[-1].attributes[name] = absolute(os.path.join(before, folder))
    for element in root.walk():
        if element.row.key == "asset/model" and "file" in element:
            element.attributes["file"] = absolute(os.path.join(before, element.attributes["file"]))


def _moved(parts: Parts, twins: dict[int, Element], root: Element | None = None) -> Parts:
    """Pieces of a keyframe that belong to copies of their elements.

    With `root` an element that is not in the tree any more is replaced by the one that has its tag and name now.
    """
    by_name = {} if root is None else {(e.tag, e.name): e for e in root.walk() if e.name}
    result: Parts = {}
    for vector, found in parts.items():
        result[vector] = []
        for element, values in found:
            other = twins.get(id(element)) or twins.get(id(by_name.get((element.tag, element.name))))
            if other is not None:
                result[vector].append((other, values))
    return result


def load(
    path: str | Path, *, limits: Limits | None = None, trusted: bool = True, **settings: Unpack[UrdfArguments]
) -> Model:
    """A Model from a file: MJCF (.xml, .mjcf, .zip), URDF (.urdf, .xacro), USD (.usd, .usda, .usdc, .usdz), or a
    compiled one (.npz, MuJoCo's .mjb).

    A name without a suffix is that of a built-in model, also if the working folder has a file of that name;
    `phalanx.models()` lists them.

    Args:
        path: the file, or the name of a built-in model.
        limits: how large the model may be, None for the usual limits.
        trusted: may an MJCF file read others anywhere, as in MuJoCo? Otherwise only those in its folder. A model in an
            archive reads the files in it and no others.
        **settings: how a URDF file is read: style, base, actuators, repair, packages, arguments, as in
            `Spec.from_urdf`. Other files take none.

    >>> load("cartpole")
    <Model 'cartpole': nq 2, nv 2, nu 1; 3 bodies, 2 joints, 7 geoms, 1 actuators, 5 sensors, 2 keyframes; 1.2 kg>
    >>> load("robot.step")
    Traceback (most recent call last):
    phalanx.memory.errors.ModelError: robot.step: no reader for '.step'; known: .mjb, .mjcf, .npz, .urdf, .usd, .usda,
    .usdc, .usdz, .xacro, .xml, .zip
    """
    from_xml: Callable[[str | Path], Model] = partial(Model.from_xml_path, limits=limits, trusted=trusted)

    compiled: Callable[[str | Path], Model] = partial(Model.load, limits=limits)

    def from_urdf(path: str | Path) -> Model:
        return Spec.from_urdf(path, limits=limits, trusted=trusted, **settings).compile()

    def from_usd(path: str | Path) -> Model:
        return Spec.from_usd(path, limits=limits, trusted=trusted).compile()

    readers: dict[str, Callable[[str | Path], Model]] = {
        ".mjb": compiled,
        ".mjcf": from_xml,
        ".npz": compiled,
        ".urdf": from_urdf,
        **dict.fromkeys((".usd", ".usda", ".usdc", ".usdz"), from_usd),
        ".xacro": from_urdf,
        ".xml": from_xml,
        ".zip": lambda path: Spec.from_zip(path, limits=limits).compile(),
    }
    if not isinstance(path, (str, os.PathLike)):
        hint = ": it is loaded already" if isinstance(path, Model) else ""
        raise ModelError(f"load takes the path of a file, not a {type(path).__name__}{hint}")
    if isinstance(path, str) and path.lstrip().startswith("<"):
        raise ModelError(
            "load takes the path of a file, and this is the text of one: Model.from_xml_string(text) reads MJCF"
        )
    # a name without a suffix is a built-in model
    path = model_path(path)
    if path.is_dir():
        raise ModelError(f"{path} is a folder{_models_in(path, tuple(readers))}")
    suffix = suffix_of(path, readers, "reader")
    if settings and readers[suffix] is not from_urdf:
        raise ModelError(f"{path}: {', '.join(settings)} say how a URDF file is read, and this is none")
    return readers[suffix](path)


def _models_in(folder: Path, endings: tuple[str, ...]) -> str:
    """What to say about the model files of a folder, at most a few."""
    try:
        names = sorted(file.name for file in folder.iterdir() if file.suffix.lower() in endings)
    except OSError:
        return ""
    if not names:
        return " without model files"
    more = ", ..." if len(names) > 5 else ""
    return f"; model files in it: {', '.join(names[:5])}{more}"
