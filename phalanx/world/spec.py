"""An editable model: the tree of elements of a file, which can be changed, attached, compiled and written."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

from phalanx.compiler.compile import bytes_of, compile_tree, read_bytes, read_tree
from phalanx.compiler.edit.keyframe_merge import Parts, Pieces, cut, fill_keyframes, pieces_of
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import Problem
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.files import Files
from phalanx.compiler.text.limits import USUAL, Limits
from phalanx.compiler.text.mjcf_writer import write_xml
from phalanx.memory.errors import ModelError
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.world.builtin import model_path
from phalanx.world.model import Model


class Spec:
    """A model before it is compiled.

    Attributes:
        root: the mujoco element.
        files: where its assets are.
    """

    def __init__(self, root: Element | None = None, files: Files | None = None):
        self.root = root if root is not None else Element(ELEMENTS["mujoco"])
        self.files = files if files is not None else Files()
        self._problems: list[Problem] = []
        #: models that are attached, by the name that attach elements use
        self._models: dict[str, Spec] = {}
        #: keyframes of the file, cut into pieces of joints, actuators and mocap bodies
        self._keys: list[tuple[Element, Parts]] = []
        #: these objects when the file was read, as id(element) and their length in each vector
        self._layout: list[tuple[int, dict[str, int]]] = []

    @classmethod
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
        spec = cls(root, files)
        spec._problems = problems
        spec._note_keyframes()
        return spec

    @classmethod
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

    def compile(self) -> Model:
        """The Model; the Spec stays as it is.

        Raises:
            MjcfError: with all problems of the model.
        """
        root = self._with_keyframes()
        # the compiler changes the tree that it is given
        root = root if root is not self.root else root.copy()
        models = {name: (spec._with_keyframes(), spec.files) for name, spec in self._models.items()}
        return Model.from_compiled(compile_tree(root, self.files, list(self._problems), models))

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
        if self._models:
            raise ModelError("other models are attached to this one: write all of them with Spec.save")
        return write_xml(self._written())

    def save(self, path: str | Path) -> None:
        """Write the model to an MJCF file, and the models attached to it to files beside it.

        Asset files are not copied: a model that is written to another folder names them by absolute paths.
        """
        path = Path(path)
        root = self._written().copy()
        _point_to_assets(root, self.files.folder, path.parent)
        section = next((child for child in root.children if child.tag == "asset"), None)
        for k, (name, other) in enumerate(self._models.items()):
            beside = path.with_name(f"{path.stem}_{k + 1}{path.suffix}")
            other.save(beside)
            section = section or root.append(Element(ELEMENTS["asset"]))
            section.add("model", name=name, file=beside.name)
        path.write_text(write_xml(root), encoding="utf-8")

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

    def find(self, tag: str, name: str) -> Element:
        """The element with this tag and name."""
        return self.root.find(tag, name)

    def section(self, tag: str) -> Element:
        """The last section with a tag ("option", "asset", "actuator"); a new one if there is none."""
        for child in reversed(self.root.children):
            if child.tag == tag:
                return child
        return self.root.add(tag)

    @property
    def worldbody(self) -> Element:
        """The world body, which holds all others."""
        return self.section("worldbody")

    def copy(self) -> Spec:
        """A copy that can be changed on its own."""
        twins: dict[int, Element] = {}
        spec = Spec(self.root.copy(twins), self.files)
        spec._problems = list(self._problems)
        spec._models = dict(self._models)
        spec._keys = [(twins.get(id(key), key), _moved(parts, twins)) for key, parts in self._keys]
        spec._layout = [(id(twins[old]), lengths) for old, lengths in self._layout if old in twins]
        return spec

    # --- attachment

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
            The attach element; its `remove` undoes the attachment.
        """
        # an attach element refers to its model by name; `compile` hands these models over with their names
        name = name or f"attached {len(self._models) + 1}"
        self._models[name] = other.copy()
        attributes = {
            "model": name,
            "prefix": prefix,
            **({"body": body} if body else {}),
            **({"frame": frame} if frame else {}),
        }
        return (to if to is not None else self.worldbody).add("attach", **attributes)

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


def _point_to_assets(root: Element, before: str, after: Path) -> None:
    """Write the folders of assets as absolute paths, if a model goes from folder `before` to another one."""
    if os.path.abspath(before) == os.path.abspath(after) or not any("file" in element for element in root.walk()):
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
        settings[-1].attributes[name] = os.path.abspath(os.path.join(before, folder))
    for element in root.walk():
        if element.row.key == "asset/model" and "file" in element:
            element.attributes["file"] = os.path.abspath(os.path.join(before, element.attributes["file"]))


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


def load(path: str | Path, *, limits: Limits | None = None, trusted: bool = True) -> Model:
    """A Model from a file: MJCF (.xml, .mjcf), or a compiled one that `Model.save` wrote (.npz).

    A name without a suffix is that of a built-in model, also if the working folder has a file of that name;
    `phalanx.models()` lists them.

    Args:
        path: the file, or the name of a built-in model.
        limits: how large a model of an MJCF file may be, None for the usual limits.
        trusted: may an MJCF file read others anywhere, as in MuJoCo? Otherwise only those in its folder.

    >>> load("cartpole")
    <Model 'cartpole': nq 2, nv 2, nu 1; 3 bodies, 2 joints, 7 geoms, 1 actuators, 5 sensors, 2 keyframes; 1.2 kg>
    >>> load("robot.step")
    Traceback (most recent call last):
    phalanx.memory.errors.ModelError: robot.step: no reader for '.step'; known: .mjcf, .npz, .xml
    """
    from_xml: Callable[[str | Path], Model] = partial(Model.from_xml_path, limits=limits, trusted=trusted)
    readers: dict[str, Callable[[str | Path], Model]] = {".mjcf": from_xml, ".npz": Model.load, ".xml": from_xml}
    path = model_path(path)
    ending = path.suffix.lower()
    if ending not in readers:
        raise ModelError(f"{path}: no reader for {ending!r}; known: {', '.join(readers)}")
    return readers[ending](path)
