"""Equality constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.model_build import Build
from phalanx.compiler.object.rotation import unit
from phalanx.compiler.scale.scaled_reference import scale_coupling, scale_frames
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.tables.enums import EqType, ObjType
from phalanx.tables.mjcf_schema import ELEMENTS

#: Most rows of the constraint Jacobian per kind.
ROWS = {EqType.CONNECT: 3, EqType.WELD: 7}


def collect_equalities(build: Build) -> None:
    for element in build.sections("equality"):
        if not element.row.unsupported:
            obj: Any = make_object(build, element)
            obj.kind = EqType[element.tag.upper()]
            obj.objtype, obj.obj1, obj.obj2, obj.data = ObjType.UNKNOWN, -1, -1, (0.0,) * 12
            build.add("equality", obj)


def compile_equalities(build: Build) -> None:
    build.each(build.objects["equality"], lambda obj: _COMPILE[obj.element.tag](build, obj))


def _compile_frames(build: Build, obj: Any) -> None:
    """connect and weld: two bodies, or two sites."""
    if not build.check(obj, _wrong_ends(obj)):
        return
    kind = "site" if "site1" in obj.element else "body"
    obj.objtype = ObjType[kind.upper()]
    one, two = _ends(build, obj, kind, missing=0)
    scale_frames(obj, one, two)
    anchor = obj["anchor"] or (0.0, 0.0, 0.0)
    if obj.element.tag == "connect":
        obj.data = (*anchor, *(0.0,) * 7, 1.0, 0.0) if kind == "body" else (0.0,) * 12
    elif kind == "site":
        obj.data = (0.0, 1.0, *(0.0,) * 8, obj["torquescale"], 0.0)
    else:
        *pos, w, x, y, z = obj["relpose"]
        is_open = not any((w, x, y, z))
        pose = (0.0,) * 7 if is_open else (*pos, *unit((w, x, y, z)))
        obj.data = (*anchor, *pose, obj["torquescale"], float(is_open))


def _wrong_ends(obj: Any) -> Iterator[Wrong]:
    """Bodies with what belongs to them, or two sites."""
    tag = obj.element.tag
    bodies = [name for name in ("body1", "body2", "anchor", "relpose") if name in obj.element]
    sites = [name for name in ("site1", "site2") if name in obj.element]
    if sites and bodies:
        yield f"{sites[0]} and {bodies[0]} cannot be given together", sites[0]
    if len(sites) == 1:
        yield "site1 and site2 must be given together", sites[0]
    if not sites and (obj["body1"] is None or (tag == "connect" and obj["anchor"] is None)):
        needed = "body1 and anchor" if tag == "connect" else "body1"
        yield f"{tag} needs {needed}, or site1 and site2", ""


def _ends(build: Build, obj: Any, kind: str, missing: int = -1) -> tuple[Any, Any]:
    """The two objects of an equality; the second may be missing."""
    names = f"{kind}1", f"{kind}2"
    one = build.find(kind, obj[names[0]], names[0])
    two = build.find(kind, obj[names[1]], names[1]) if obj[names[1]] is not None else None
    obj.obj1, obj.obj2 = one.id, two.id if two is not None else missing
    if obj.obj1 == obj.obj2:
        raise ElementProblem("both ends of the equality are the same object")
    return one, two


def _compile_joints(build: Build, obj: Any) -> None:
    build.check(obj, _wrong_joints(build, obj))
    _compile_coupled(build, obj, "joint")


def _wrong_joints(build: Build, obj: Any) -> Iterator[Wrong]:
    for name in ("joint1", "joint2"):
        joint = build.names["joint"].get(obj[name])
        if joint is not None and joint["type"] not in ("hinge", "slide"):
            yield f"{name}={joint.name!r} is a {joint['type']} joint; only hinge and slide can be coupled", name


def _compile_tendons(build: Build, obj: Any) -> None:
    _compile_coupled(build, obj, "tendon")


def _compile_coupled(build: Build, obj: Any, kind: str) -> None:
    if obj[f"{kind}1"] is None:
        raise ElementProblem(f"{kind}1 is missing")
    one, two = _ends(build, obj, kind)
    scale_coupling(obj, one, two)
    obj.data = (*obj["polycoef"], *(0.0,) * 5, 1.0, 0.0)


_COMPILE = {"connect": _compile_frames, "weld": _compile_frames, "joint": _compile_joints, "tendon": _compile_tendons}


def write_equalities(build: Build) -> None:
    objects, columns = build.objects["equality"], build.columns
    if not objects:
        return
    build.copy_plain(ELEMENTS["equality/weld"], objects)
    columns["eq_type"] = [obj.kind for obj in objects]
    columns["eq_obj1id"] = [obj.obj1 for obj in objects]
    columns["eq_obj2id"] = [obj.obj2 for obj in objects]
    columns["eq_objtype"] = [obj.objtype for obj in objects]
    columns["eq_data"] = [obj.data for obj in objects]
    build.sizes["nemax"] = sum(ROWS.get(obj.kind, 1) for obj in objects)
