"""Equality constraints."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phalanx.compiler.asset import make_thing
from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem, Wrong
from phalanx.compiler.rotation import unit
from phalanx.compiler.scaled_reference import scale_coupling, scale_frames
from phalanx.tables.enums import EqType, ObjType
from phalanx.tables.mjcf_schema import ELEMENTS

#: Most rows of the constraint Jacobian per kind.
ROWS = {EqType.CONNECT: 3, EqType.WELD: 7}


def collect_equalities(build: Build) -> None:
    for element in build.sections("equality"):
        if not element.row.unsupported:
            thing: Any = make_thing(build, element)
            thing.kind = EqType[element.tag.upper()]
            thing.objtype, thing.obj1, thing.obj2, thing.data = ObjType.UNKNOWN, -1, -1, (0.0,) * 12
            build.add("equality", thing)


def compile_equalities(build: Build) -> None:
    build.each(build.things["equality"], lambda thing: _COMPILE[thing.element.tag](build, thing))


def _compile_frames(build: Build, thing: Any) -> None:
    """connect and weld: two bodies, or two sites."""
    if not build.check(thing, _wrong_ends(thing)):
        return
    kind = "site" if "site1" in thing.element else "body"
    thing.objtype = ObjType[kind.upper()]
    one, two = _ends(build, thing, kind, missing=0)
    scale_frames(thing, one, two)
    anchor = thing["anchor"] or (0.0, 0.0, 0.0)
    if thing.element.tag == "connect":
        thing.data = (*anchor, *(0.0,) * 7, 1.0, 0.0) if kind == "body" else (0.0,) * 12
    elif kind == "site":
        thing.data = (0.0, 1.0, *(0.0,) * 8, thing["torquescale"], 0.0)
    else:
        *pos, w, x, y, z = thing["relpose"]
        is_open = not any((w, x, y, z))
        pose = (0.0,) * 7 if is_open else (*pos, *unit((w, x, y, z)))
        thing.data = (*anchor, *pose, thing["torquescale"], float(is_open))


def _wrong_ends(thing: Any) -> Iterator[Wrong]:
    """Bodies with what belongs to them, or two sites."""
    tag = thing.element.tag
    bodies = [name for name in ("body1", "body2", "anchor", "relpose") if name in thing.element]
    sites = [name for name in ("site1", "site2") if name in thing.element]
    if sites and bodies:
        yield f"{sites[0]} and {bodies[0]} cannot be given together", sites[0]
    if len(sites) == 1:
        yield "site1 and site2 must be given together", sites[0]
    if not sites and (thing["body1"] is None or (tag == "connect" and thing["anchor"] is None)):
        needed = "body1 and anchor" if tag == "connect" else "body1"
        yield f"{tag} needs {needed}, or site1 and site2", ""


def _ends(build: Build, thing: Any, kind: str, missing: int = -1) -> tuple[Any, Any]:
    """The two objects of an equality; the second may be missing."""
    names = f"{kind}1", f"{kind}2"
    one = build.find(kind, thing[names[0]], names[0])
    two = build.find(kind, thing[names[1]], names[1]) if thing[names[1]] is not None else None
    thing.obj1, thing.obj2 = one.id, two.id if two is not None else missing
    if thing.obj1 == thing.obj2:
        raise ElementProblem("both ends of the equality are the same object")
    return one, two


def _compile_joints(build: Build, thing: Any) -> None:
    build.check(thing, _wrong_joints(build, thing))
    _compile_coupled(build, thing, "joint")


def _wrong_joints(build: Build, thing: Any) -> Iterator[Wrong]:
    for name in ("joint1", "joint2"):
        joint = build.names["joint"].get(thing[name])
        if joint is not None and joint["type"] not in ("hinge", "slide"):
            yield f"{name}={joint.name!r} is a {joint['type']} joint; only hinge and slide can be coupled", name


def _compile_tendons(build: Build, thing: Any) -> None:
    _compile_coupled(build, thing, "tendon")


def _compile_coupled(build: Build, thing: Any, kind: str) -> None:
    if thing[f"{kind}1"] is None:
        raise ElementProblem(f"{kind}1 is missing")
    one, two = _ends(build, thing, kind)
    scale_coupling(thing, one, two)
    thing.data = (*thing["polycoef"], *(0.0,) * 5, 1.0, 0.0)


_COMPILE = {"connect": _compile_frames, "weld": _compile_frames, "joint": _compile_joints, "tendon": _compile_tendons}


def write_equalities(build: Build) -> None:
    things, columns = build.things["equality"], build.columns
    if not things:
        return
    build.copy_plain(ELEMENTS["equality/weld"], things)
    columns["eq_type"] = [thing.kind for thing in things]
    columns["eq_obj1id"] = [thing.obj1 for thing in things]
    columns["eq_obj2id"] = [thing.obj2 for thing in things]
    columns["eq_objtype"] = [thing.objtype for thing in things]
    columns["eq_data"] = [thing.data for thing in things]
    build.sizes["nemax"] = sum(ROWS.get(thing.kind, 1) for thing in things)
