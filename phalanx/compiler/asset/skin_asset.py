"""Skins: surfaces for pictures that follow bodies."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

import numpy as np

from phalanx.compiler.asset.mesh_asset import WIDTHS
from phalanx.compiler.model_build import Build
from phalanx.compiler.scale.frame_scale import Scale
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong, quoted
from phalanx.tables.mjcf_schema import ELEMENTS


class _Bone:
    """A body that pulls some vertices."""

    def __init__(self, element: Element, body: str, pos: Any, quat: Any, vertices: Any, weights: Any):
        self.element = element
        self.name, self.pos, self.quat = body, pos, quat
        self.vertices, self.weights = np.asarray(vertices, np.int32), np.asarray(weights, np.float32)
        self.body = -1
        self.scale: Scale | None = None


def compile_skins(build: Build) -> None:
    build.each(build.objects["skin"], lambda skin: _compile_skin(build, skin))


def _compile_skin(build: Build, skin: Any) -> None:
    skin.matid, skin.bones = -1, []
    skin.vert, skin.texcoord, skin.face = (
        np.zeros((0, 3), np.float32),
        np.zeros((0, 2), np.float32),
        np.zeros((0, 3), np.int32),
    )
    with build.at(skin):
        if skin.refers_to("material") is not None:
            skin.matid = build.find("material", skin.refers_to("material"), "material").id
    wrong = _wrong_file(skin) if skin["file"] is not None else _wrong_numbers(skin)
    if not build.check(skin, wrong):
        return
    if skin["file"] is None:
        _take_numbers(skin)
    is_sound = build.check(skin, _wrong_parts(skin))
    for bone in skin.bones:
        is_sound &= not build.report_all(bone.element, _wrong_bone(build, skin, bone))
    if is_sound and build.all_of(skin, _weigh, _compare_scales):
        _finish(skin)


def _wrong_file(skin: Any) -> Iterator[Wrong]:
    if skin["vertex"] is not None or skin.element.children:
        yield "the skin is given by a file and by numbers", "file"
    _read(skin, skin["file"])  # which may not be a skin, or not be there


def _wrong_numbers(skin: Any) -> Iterator[Wrong]:
    if skin["vertex"] is None or skin["face"] is None:
        yield "a skin needs a file, or vertices and faces", ""
    for name in ("vertex", "texcoord", "face"):
        count = len(skin[name] or ())
        if count % WIDTHS[name]:
            yield f"{name} has {count} numbers, not a multiple of {WIDTHS[name]}", name


def _take_numbers(skin: Any) -> None:
    skin.vert = np.array(skin["vertex"], np.float32).reshape(-1, 3)
    skin.texcoord = np.array(skin["texcoord"] or (), np.float32).reshape(-1, 2)
    skin.face = np.array(skin["face"], np.int32).reshape(-1, 3)
    for bone in skin.element.children:
        given = bone.attributes
        skin.bones.append(_Bone(
            bone, given.get("body", ""), given.get("bindpos", (0, 0, 0)), given.get("bindquat", (1, 0, 0, 0)),
            given.get("vertid", ()), given.get("vertweight", ()),
        ))  # fmt: skip


def _read(skin: Any, name: str) -> None:
    """A SKN file."""
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
        for _ in range(nbone):
            body = data[at : at + 40].split(b"\0")[0].decode()
            pose = np.frombuffer(data, "<f4", 7, at + 40)
            (count,) = struct.unpack_from("<i", data, at + 68)
            at += 72
            vertices = np.frombuffer(data, "<i4", count, at)
            weights = np.frombuffer(data, "<f4", count, at + 4 * count)
            at += 8 * count
            skin.bones.append(_Bone(skin.element, skin.scope.prefix + body, pose[:3], pose[3:], vertices, weights))
    except (struct.error, ValueError, UnicodeError):
        raise fail from None


def _wrong_parts(skin: Any) -> Iterator[Wrong]:
    """Texture coordinates and faces that do not fit the vertices."""
    count = len(skin.vert)
    if len(skin.texcoord) not in (0, count):
        yield f"{count} vertices, but {len(skin.texcoord)} texture coordinates", "texcoord"
    if len(skin.face) and not (skin.face.min() >= 0 and skin.face.max() < count):
        yield "a face has a vertex that does not exist", "face"


def _wrong_bone(build: Build, skin: Any, bone: _Bone) -> Iterator[Wrong]:
    body = build.names["body"].get(bone.name)
    if body is None:
        yield build.not_found("body", bone.name, "body"), "body"
    else:
        bone.body, bone.scale = body.id, body.scale
    if "vertid" in bone.element.bad or "vertweight" in bone.element.bad:
        yield "", ""
        return
    if not 0 < len(bone.vertices) == len(bone.weights):
        yield "vertid and vertweight of a bone must have the same length", "vertid"
    if len(bone.vertices) and (bone.vertices.min() < 0 or bone.vertices.max() >= len(skin.vert)):
        yield "a bone has a vertex that does not exist", "vertid"


def _weigh(skin: Any) -> None:
    """The sum of all weights of each vertex."""
    skin.total = np.zeros(len(skin.vert), np.float32)
    for bone in skin.bones:
        np.add.at(skin.total, bone.vertices, bone.weights)
    if (skin.total <= 1e-14).any():
        raise ElementProblem(f"vertex {int(np.argmin(skin.total))} has no positive weight")


def _compare_scales(skin: Any) -> None:
    scales = [bone.scale for bone in skin.bones]
    if len({None if scale is None else scale.matrix or scale.factors.length for scale in scales}) > 1:
        raise ElementProblem("the bones of the skin are scaled differently")


def _finish(skin: Any) -> None:
    """Weights scaled to a sum of one, and all scaled with the bones."""
    for bone in skin.bones:
        bone.weights = bone.weights / skin.total[bone.vertices]
        size = np.sqrt((np.asarray(bone.quat, np.float32) ** 2).sum())
        bone.quat = np.asarray(bone.quat, np.float32) / size
    if skin.bones and skin.bones[0].scale is not None:
        _scale(skin, skin.bones[0].scale)


def _scale(skin: Any, scale: Any) -> None:
    """Scale a skin with its bones."""
    skin.vert = np.array([scale.of(vertex) for vertex in skin.vert.tolist()], np.float32).reshape(-1, 3)
    skin.values["inflate"] *= scale.factors.length
    for bone in skin.bones:
        bone.pos = scale.of(tuple(map(float, bone.pos)))


def write_skins(build: Build) -> None:
    skins, columns, sizes = build.objects["skin"], build.columns, build.sizes
    if not skins:
        return
    build.copy_plain(ELEMENTS["asset/skin"], skins)
    columns["skin_matid"] = [skin.matid for skin in skins]
    for name, size in (("vert", "nskinvert"), ("texcoord", "nskintexvert"), ("face", "nskinface")):
        parts = [getattr(skin, name) for skin in skins]
        counts = [len(part) for part in parts]
        starts = np.cumsum([0, *counts])[:-1].tolist()
        columns[f"skin_{name}"] = np.concatenate(parts) if parts else []
        columns[f"skin_{name}adr"] = (
            [s if n else -1 for s, n in zip(starts, counts, strict=True)] if name == "texcoord" else starts
        )
        sizes[size] = sum(counts)
    for name in ("vert", "face"):
        columns[f"skin_{name}num"] = [len(getattr(skin, name)) for skin in skins]
    counts = [len(skin.bones) for skin in skins]
    columns["skin_bonenum"], columns["skin_boneadr"] = counts, np.cumsum([0, *counts])[:-1].tolist()
    bones = [bone for skin in skins for bone in skin.bones]
    sizes["nskinbone"] = len(bones)
    columns["skin_bonevertnum"] = [len(bone.vertices) for bone in bones]
    columns["skin_bonevertadr"] = np.cumsum([0, *columns["skin_bonevertnum"]])[:-1].tolist()
    sizes["nskinbonevert"] = sum(columns["skin_bonevertnum"])
    columns["skin_bonebindpos"] = [bone.pos for bone in bones]
    columns["skin_bonebindquat"] = [bone.quat for bone in bones]
    columns["skin_bonebodyid"] = [bone.body for bone in bones]
    columns["skin_bonevertid"] = np.concatenate([bone.vertices for bone in bones]) if bones else []
    columns["skin_bonevertweight"] = np.concatenate([bone.weights for bone in bones]) if bones else []
