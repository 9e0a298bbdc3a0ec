"""Skins: surfaces that follow bodies, for pictures only."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

import numpy as np

from phalanx.compiler.asset.material import material_id
from phalanx.compiler.asset.mesh_asset import WIDTHS, starts_or_none
from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.rotation import EPSILON
from phalanx.compiler.scale.frame_scale import Scale
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.mjcf_schema import ELEMENTS


class Bone:
    """A body that pulls some vertices: its name, its pose when the skin is bound, vertex ids and their weights."""

    #: id and scale of the body, once it is found
    bodyid: int = -1
    scale: Scale | None = None

    def __init__(
        self,
        element: Element,
        name: str,
        pos: Sequence[float] | np.ndarray,
        quat: Sequence[float] | np.ndarray,
        vertices: Sequence[int] | np.ndarray,
        weights: Sequence[float] | np.ndarray,
    ):
        self.element, self.name, self.pos, self.quat = element, name, pos, quat
        self.vertices, self.weights = np.asarray(vertices, np.int32), np.asarray(weights, np.float32)


class Skin(ModelObject):
    """A skin: vertices, texture coordinates, faces and bones."""

    matid: int = -1
    vert: np.ndarray = np.zeros((0, 3), np.float32)
    texcoord: np.ndarray = np.zeros((0, 2), np.float32)
    face: np.ndarray = np.zeros((0, 3), np.int32)

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        self.bones: list[Bone] = []


def compile_skins(build: Build) -> None:
    """Read all skins and attach them to their bodies."""
    build.each(build.skins, lambda skin: _compile_skin(build, skin))


def _compile_skin(build: Build, skin: Skin) -> None:
    with build.at(skin):
        skin.matid = material_id(build, skin)
    if not build.check(skin, _wrong_file(skin) if skin["file"] is not None else _wrong_lists(skin)):
        return
    if skin["file"] is None:
        _take_lists(skin)
    if not _check_parts(build, skin):
        return
    _attach_bones(build, skin)
    total = _total_weights(skin)
    if build.all_of(skin, lambda skin: _check_weights(total), _check_scales):
        _normalize(skin, total)
        if skin.bones and skin.bones[0].scale is not None:
            _scale(skin, skin.bones[0].scale)


# --- checks


def _wrong_file(skin: Skin) -> Iterator[Wrong]:
    """Mistakes of a skin from a file, which is read here: it may be missing or damaged, too."""
    if skin["vertex"] is not None or skin.element.children:
        yield "the skin is given by a file and by numbers", "file"
    _read(skin, skin["file"])


def _wrong_lists(skin: Skin) -> Iterator[Wrong]:
    if skin["vertex"] is None or skin["face"] is None:
        yield "a skin needs a file, or vertices and faces", ""
    for name in ("vertex", "texcoord", "face"):
        count = len(skin[name] or ())
        if count % WIDTHS[name]:
            yield f"{name} has {count} numbers, not a multiple of {WIDTHS[name]}", name


def _check_parts(build: Build, skin: Skin) -> bool:
    """Report mistakes of the surface and of every bone; True if there are none."""
    is_sound = build.check(skin, _wrong_surface(skin))
    for bone in skin.bones:
        is_sound &= not build.report_all(bone.element, _wrong_bone(build, skin, bone))
    return is_sound


def _wrong_surface(skin: Skin) -> Iterator[Wrong]:
    """Texture coordinates and faces that do not fit the vertices."""
    count = len(skin.vert)
    if len(skin.texcoord) not in (0, count):
        yield f"{count} vertices, but {len(skin.texcoord)} texture coordinates", "texcoord"
    if len(skin.face) and not (skin.face.min() >= 0 and skin.face.max() < count):
        yield "a face has a vertex that does not exist", "face"


def _wrong_bone(build: Build, skin: Skin, bone: Bone) -> Iterator[Wrong]:
    if bone.name not in build.names["body"]:
        yield build.not_found("body", bone.name, "body"), "body"
    if "vertid" in bone.element.bad or "vertweight" in bone.element.bad:
        yield "", ""  # reported where the text was read
        return
    if not 0 < len(bone.vertices) == len(bone.weights):
        yield "vertid and vertweight of a bone must have the same length", "vertid"
    if len(bone.vertices) and (bone.vertices.min() < 0 or bone.vertices.max() >= len(skin.vert)):
        yield "a bone has a vertex that does not exist", "vertid"


def _check_weights(total: np.ndarray) -> None:
    if (total <= EPSILON).any():
        raise ElementProblem(f"vertex {int(np.argmin(total))} has no positive weight")


def _check_scales(skin: Skin) -> None:
    scales = [bone.scale for bone in skin.bones]
    if len({None if scale is None else scale.matrix or scale.factors.length for scale in scales}) > 1:
        raise ElementProblem("the bones of the skin are scaled differently")


# --- computing


def _take_lists(skin: Skin) -> None:
    """A skin from the lists that are written."""
    skin.vert = np.array(skin["vertex"], np.float32).reshape(-1, 3)
    skin.texcoord = np.array(skin["texcoord"] or (), np.float32).reshape(-1, 2)
    skin.face = np.array(skin["face"], np.int32).reshape(-1, 3)
    for bone in skin.element.children:
        given = bone.attributes
        skin.bones.append(Bone(
            bone, given.get("body", ""), given.get("bindpos", (0, 0, 0)), given.get("bindquat", (1, 0, 0, 0)),
            given.get("vertid", ()), given.get("vertweight", ()),
        ))  # fmt: skip


def _read(skin: Skin, name: str) -> None:
    """A skin from a SKN file: four counts, then vertices, texture coordinates, faces and bones (MuJoCo's format)."""
    data = skin.scope.find_asset(name, "meshdir", skin.element).data
    fail = ElementProblem(f"file {quoted(name)} is not a skin file", "file")
    try:
        nvert, ntex, nface, nbone = struct.unpack_from("<4i", data)
        if min(nvert, ntex, nface, nbone) < 0:
            raise fail
        at = 16
        skin.vert = np.frombuffer(data, "<f4", 3 * nvert, at).reshape(-1, 3)
        at += 12 * nvert
        skin.texcoord = np.frombuffer(data, "<f4", 2 * ntex, at).reshape(-1, 2)
        at += 8 * ntex
        skin.face = np.frombuffer(data, "<i4", 3 * nface, at).reshape(-1, 3)
        at += 12 * nface
        # a bone: name of the body in 40 bytes, position, quaternion, count, vertex ids, weights
        for _ in range(nbone):
            body = data[at : at + 40].split(b"\0")[0].decode()
            pose = np.frombuffer(data, "<f4", 7, at + 40)
            (count,) = struct.unpack_from("<i", data, at + 68)
            at += 72
            vertices = np.frombuffer(data, "<i4", count, at)
            weights = np.frombuffer(data, "<f4", count, at + 4 * count)
            at += 8 * count
            skin.bones.append(Bone(skin.element, skin.scope.prefix + body, pose[:3], pose[3:], vertices, weights))
    except (struct.error, ValueError, UnicodeError):
        raise fail from None


def _attach_bones(build: Build, skin: Skin) -> None:
    for bone in skin.bones:
        body = build.find("body", bone.name, "body")
        bone.bodyid, bone.scale = body.id, body.scale


def _total_weights(skin: Skin) -> np.ndarray:
    """Sum of the weights of each vertex over all bones."""
    total = np.zeros(len(skin.vert), np.float32)
    for bone in skin.bones:
        np.add.at(total, bone.vertices, bone.weights)
    return total


def _normalize(skin: Skin, total: np.ndarray) -> None:
    """Scale the weights of each vertex to a sum of one, and quaternions to length one."""
    for bone in skin.bones:
        bone.weights = bone.weights / total[bone.vertices]
        size = np.sqrt((np.asarray(bone.quat, np.float32) ** 2).sum())
        bone.quat = np.asarray(bone.quat, np.float32) / size


def _scale(skin: Skin, scale: Scale) -> None:
    """Scale a skin with its bones."""
    skin.vert = np.array([scale.of(vertex) for vertex in skin.vert.tolist()], np.float32).reshape(-1, 3)
    skin.values["inflate"] *= scale.factors.length
    for bone in skin.bones:
        x, y, z = map(float, bone.pos)
        bone.pos = scale.of((x, y, z))


# --- columns


def write_skins(build: Build) -> None:
    """Columns of skins and their bones."""
    skins, columns = build.skins, build.columns
    if not skins:
        return
    build.copy_plain(ELEMENTS["asset/skin"], skins)
    columns["skin_matid"] = [skin.matid for skin in skins]
    surfaces = {
        "vert": [skin.vert for skin in skins],
        "texcoord": [skin.texcoord for skin in skins],
        "face": [skin.face for skin in skins],
    }
    counts = {name: [len(part) for part in parts] for name, parts in surfaces.items()}
    for name, parts in surfaces.items():
        columns[f"skin_{name}"] = np.concatenate(parts)
        columns[f"skin_{name}adr"] = starts_of(counts[name])
    columns["skin_texcoordadr"] = starts_or_none(counts["texcoord"])
    columns["skin_vertnum"], columns["skin_facenum"] = counts["vert"], counts["face"]
    build.sizes["nskinvert"] = sum(counts["vert"])
    build.sizes["nskintexvert"] = sum(counts["texcoord"])
    build.sizes["nskinface"] = sum(counts["face"])
    _write_bones(build, skins)


def _write_bones(build: Build, skins: list[Skin]) -> None:
    """Columns of the bones of all skins, one after another."""
    columns = build.columns
    columns["skin_bonenum"] = [len(skin.bones) for skin in skins]
    columns["skin_boneadr"] = starts_of(columns["skin_bonenum"])
    bones = [bone for skin in skins for bone in skin.bones]
    build.sizes["nskinbone"] = len(bones)
    columns["skin_bonevertnum"] = [len(bone.vertices) for bone in bones]
    columns["skin_bonevertadr"] = starts_of(columns["skin_bonevertnum"])
    build.sizes["nskinbonevert"] = sum(columns["skin_bonevertnum"])
    columns["skin_bonebindpos"] = [bone.pos for bone in bones]
    columns["skin_bonebindquat"] = [bone.quat for bone in bones]
    columns["skin_bonebodyid"] = [bone.bodyid for bone in bones]
    columns["skin_bonevertid"] = np.concatenate([bone.vertices for bone in bones]) if bones else []
    columns["skin_bonevertweight"] = np.concatenate([bone.weights for bone in bones]) if bones else []
