"""A model and everything that it reads, as files that lie beside each other: the contents of an archive."""

from __future__ import annotations

from phalanx.compiler.edit.expand import Attachable
from phalanx.compiler.edit.keyframe_merge import fill_keyframes, move_pieces
from phalanx.compiler.edit.references import object_name
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, MjcfError, Problem, Source
from phalanx.compiler.text.file_settings import Scope
from phalanx.compiler.text.files import Files, stripped
from phalanx.compiler.text.mjcf_reader import Reader
from phalanx.compiler.text.mjcf_writer import write_xml
from phalanx.tables.mjcf_row import Holds
from phalanx.tables.mjcf_schema import ELEMENTS

#: Folder of all assets in an archive.
FOLDER = "assets"
#: Settings that say where assets are.
_PLACES = ("meshdir", "texturedir", "assetdir", "strippath")


def pack(root: Element, files: Files, models: Attachable, stem: str) -> dict[str, bytes]:
    """The files of a model by name, the model itself first.

    Args:
        root: the mujoco element; it is changed.
        files: where its assets are.
        models: models that are attached to it, by name.
        stem: name of the model file without its ending.

    Raises:
        MjcfError: a file that cannot be read.
    """
    packer = _Packer(files.limits.attach_depth)
    main = f"{stem}.xml"
    packer.members[main] = b""
    packer.add_model(main, root, files, models, 0)
    return packer.members


def whole_copy(root: Element) -> Element:
    """A copy of a model whose keyframes follow the copied elements."""
    twins: dict[int, Element] = {}
    twin = root.copy(twins)
    move_pieces(twin, twins)
    return twin


class _Packer:
    """The files of an archive while they are gathered."""

    def __init__(self, deepest: int) -> None:
        self.members: dict[str, bytes] = {}
        self.deepest = deepest

    def add_model(self, name: str, root: Element, files: Files, models: Attachable, depth: int) -> None:
        """Put a model into the archive under a name, and then what it reads."""
        if depth > self.deepest:
            raise MjcfError([root.problem(f"models attach each other more than attach_depth={self.deepest} deep")])
        scope = Scope(root, files, [])
        fill_keyframes(root, scope)
        stem = name.removesuffix(".xml")
        for element in list(root.walk()):
            try:
                self._add_files(element, scope, stem, depth)
            except ElementProblem as problem:
                raise MjcfError([element.problem(str(problem), problem.attribute)]) from None
        for element in root.children:
            if element.tag == "compiler":
                for setting in _PLACES:
                    element.attributes.pop(setting, None)
        # models that were attached in Python have no file yet
        for attached, (other, other_files, inner) in models.items():
            file = self._free(f"{stem}_1.xml")
            self.members[file] = b""
            self.add_model(file, whole_copy(other), other_files, inner, depth + 1)
            section = next((child for child in root.children if child.tag == "asset"), None)
            section = section or root.append(Element(ELEMENTS["asset"]))
            section.add("model", name=attached, file=file)
        self.members[name] = write_xml(root).encode()

    def _add_files(self, element: Element, scope: Scope, stem: str, depth: int) -> None:
        """Put the files that an element names into the archive, and let it name them there."""
        for attribute, row in element.row.attributes.items():
            file = element.attributes.get(attribute)
            if row.holds is not Holds.FILE or not file:
                continue
            if element.row.key == "asset/model":
                element.attributes[attribute] = self._add_other(element, scope.files, file, stem, depth)
                continue
            # an asset without a name has that of its file, which may be another one in the archive
            if attribute == "file" and object_name(element):
                element.attributes["name"] = object_name(element)
            folder = "texturedir" if element.tag == "texture" else "meshdir"
            element.attributes[attribute] = self._put(stripped(file), scope.find_asset(file, folder, element).data)

    def _add_other(self, element: Element, files: Files, file: str, stem: str, depth: int) -> str:
        """Put a model that is attached by its file into the archive; its name there."""
        data = files.find(file, source=element.source).data
        path = files.path_of(file, source=element.source)
        other, problems = files.attached(path), list[Problem]()
        root = Reader(other, problems).read(Source(path, data))
        if root is None or problems:
            raise MjcfError(problems or [element.problem(f"{file} holds no model", "file")])
        if not element.name:
            element.attributes["name"] = root.attributes.get("model", "MuJoCo Model")
        name = self._free(f"{stem}_1.xml")
        self.members[name] = b""
        self.add_model(name, root, other, {}, depth + 1)
        return name

    def _put(self, name: str, data: bytes) -> str:
        """Put an asset into the archive, once; its name there."""
        path = f"{FOLDER}/{name}"
        if self.members.get(path) != data:
            path = self._free(path)
            self.members[path] = data
        return path

    def _free(self, name: str) -> str:
        """A name like the given one that no member has."""
        start, dot, ending = name.rpartition(".")
        start, free, k = start or name, name, 1
        while free in self.members:
            k += 1
            free = f"{start.removesuffix('_1')}_{k}{dot}{ending}"
        return free
