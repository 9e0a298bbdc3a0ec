"""Equality constraints: found, checked, and written to the columns of the Model. Kinds are rows of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.flex.cell_shell import faces_of
from phalanx.compiler.flex.flex_object import Flex
from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.rotation import unit
from phalanx.compiler.scale.scaled_reference import scale_coupling, scale_frames
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.tables.enums import EqType, ObjType
from phalanx.tables.equalities import EQUALITIES, EQUALITIES_BY_TAG, EqualityRow
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.sizes import NEQDATA

Data = tuple[float, ...]

_NO_DATA: Data = (0.0,) * NEQDATA


class Equality(ModelObject):
    """A constraint between two objects, or between one and the world or a constant."""

    #: its kind
    row: EqualityRow = EQUALITIES[EqType.CONNECT]
    #: bodies or sites; not said of joints and tendons
    objtype: ObjType = ObjType.UNKNOWN
    obj1: int = -1
    obj2: int = -1
    #: numbers of eq_data
    data: Data = _NO_DATA


def collect_equalities(build: Build) -> None:
    """Objects of all equalities that are supported."""
    for element in build.sections("equality"):
        if not element.row.unsupported:
            equality = make_object(build, element, Equality)
            equality.row = EQUALITIES_BY_TAG[element.tag]
            build.add("equality", equality)


def compile_equalities(build: Build) -> None:
    """What each equality ties together, and its numbers."""
    build.each(build.equalities, lambda equality: compile_equality(build, equality))


def compile_equality(build: Build, equality: Equality) -> None:
    """Bodies and sites have a place in space; joints and tendons are scalars."""
    if equality.row.of == ("flex",):
        _compile_flex(build, equality)
    elif "site" in equality.row.of:
        if build.check(equality, check_frames(equality)):
            compile_frames(build, equality)
    else:
        # names that are not found are reported, too
        build.check(equality, check_joints(build, equality))
        compile_coupled(build, equality)


# --- bodies and sites


def check_frames(equality: Equality) -> Iterator[Wrong]:
    """What is wrong with the ends: bodies with what belongs to them, or two sites, not both."""
    tag, element = equality.row.tag, equality.element
    if "body" not in equality.row.of:
        return
    bodies = [name for name in ("body1", "body2", "anchor", "relpose") if name in element]
    sites = [name for name in ("site1", "site2") if name in element]
    if sites and bodies:
        yield f"{sites[0]} and {bodies[0]} cannot be given together", sites[0]
    if len(sites) == 1:
        yield "site1 and site2 must be given together", sites[0]
    if not sites and (equality["body1"] is None or (tag == "connect" and equality["anchor"] is None)):
        needed = "body1 and anchor" if tag == "connect" else "body1"
        yield f"{tag} needs {needed}, or site1 and site2", ""


def compile_frames(build: Build, equality: Equality) -> None:
    """Two bodies, of which the second may be the world, or two sites."""
    kind = "site" if "site1" in equality.element else "body"
    equality.objtype = ObjType[kind.upper()]
    one, two = find_ends(build, equality, kind, missing=0)
    scale_frames(equality, one, two)
    equality.data = _DATA.get(equality.row.kind, plain_data)(equality)


def connect_data(equality: Equality) -> Data:
    """The anchor in the first body; that in the second follows from qpos0. Sites need no numbers."""
    if equality.objtype == ObjType.SITE:
        return _NO_DATA
    return (*(equality["anchor"] or (0.0, 0.0, 0.0)), *(0.0,) * 7, 1.0, 0.0)


def weld_data(equality: Equality) -> Data:
    """Anchor in the second body, pose, weight of rotation, and whether the pose is to be taken from qpos0."""
    torquescale: float = equality["torquescale"]
    if equality.objtype == ObjType.SITE:
        # what remains of MuJoCo's default numbers, those of a polynomial
        return (0.0, 1.0, *(0.0,) * 8, torquescale, 0.0)
    *pos, w, x, y, z = equality["relpose"]
    is_initial = not any((w, x, y, z))
    pose = (0.0,) * 7 if is_initial else (*pos, *unit((w, x, y, z)))
    return (*(equality["anchor"] or (0.0, 0.0, 0.0)), *pose, torquescale, float(is_initial))


_DATA: dict[EqType, Callable[[Equality], Data]] = {EqType.CONNECT: connect_data, EqType.WELD: weld_data}


# --- flexes


def _compile_flex(build: Build, equality: Equality) -> None:
    """The flex, and the cell of it if it is one of its cells."""
    flex: Flex = build.find("flex", equality["flex"], "flex")
    equality.obj1 = flex.id
    cell = equality["cell"] if equality.row.kind is EqType.FLEXSTRAIN else None
    numbers = tuple(map(float, cell)) if cell is not None else (0.0, 1.0, 0.0)
    if equality.row.kind is EqType.FLEXSTRAIN:
        _check_cell(flex, tuple(map(int, numbers)))
    equality.data = (*numbers, *(0.0,) * (NEQDATA - 2 - len(numbers)), 1.0, 0.0)


def _check_cell(flex: Flex, cell: tuple[int, ...]) -> None:
    """A cell that does not exist; shells have faces instead, a number and two of -1."""
    if flex.grid is None:
        return  # said of the flex
    if flex.elastic2d:
        count = len(faces_of(flex.grid))
        if cell[1:] != (-1, -1) or not 0 <= cell[0] < count:
            raise ElementProblem(
                f"cell is {cell}; of a shell it is the number of a face, 0 to {count - 1}, and -1 -1", "cell"
            )
    elif not all(0 <= place < most for place, most in zip(cell, flex.grid.counts, strict=True)):
        raise ElementProblem(f"cell is {cell}, but the flex has {flex.grid.counts} cells along its axes", "cell")


# --- joints and tendons


def check_joints(build: Build, equality: Equality) -> Iterator[Wrong]:
    """What is wrong with the types of the joints, if there are some."""
    allowed = equality.row.joints
    for name in ("joint1", "joint2") if allowed else ():
        joint: Any = build.names["joint"].get(equality[name])
        if joint is not None and joint["type"] not in allowed:
            words = f"is a {joint['type']} joint; only {' and '.join(allowed)} can be coupled"
            yield f"{name}={joint.name!r} {words}", name


def compile_coupled(build: Build, equality: Equality) -> None:
    """A scalar that follows another, or a constant if there is no other."""
    (kind,) = equality.row.of
    if equality[f"{kind}1"] is None:
        raise ElementProblem(f"{kind}1 is missing")
    one, two = find_ends(build, equality, kind)
    scale_coupling(equality, one, two)
    equality.data = plain_data(equality)


# --- both


def find_ends(build: Build, equality: Equality, kind: str, missing: int = -1) -> tuple[Any, Any]:
    """The two objects of an equality; the second may be missing."""
    names = f"{kind}1", f"{kind}2"
    one = build.find(kind, equality[names[0]], names[0])
    two = build.find(kind, equality[names[1]], names[1]) if equality[names[1]] is not None else None
    equality.obj1, equality.obj2 = one.id, two.id if two is not None else missing
    if equality.obj1 == equality.obj2:
        raise ElementProblem("both ends of the equality are the same object")
    return one, two


def plain_data(equality: Equality) -> Data:
    """The numbers of the attributes that the row lists; MuJoCo's torquescale of 1 stays, as in all kinds."""
    numbers: list[float] = []
    for name in equality.row.data:
        value = equality[name]
        numbers += value if isinstance(value, tuple) else (value,)
    return (*numbers, *(0.0,) * (NEQDATA - 2 - len(numbers)), 1.0, 0.0)


def write_equalities(build: Build) -> None:
    """Columns eq_*, and the size nemax."""
    equalities: list[Equality] = build.equalities
    columns = build.columns
    if not equalities:
        return
    build.copy_plain(ELEMENTS["equality/weld"], equalities)
    columns["eq_type"] = [equality.row.kind for equality in equalities]
    columns["eq_obj1id"] = [equality.obj1 for equality in equalities]
    columns["eq_obj2id"] = [equality.obj2 for equality in equalities]
    columns["eq_objtype"] = [equality.objtype for equality in equalities]
    columns["eq_data"] = [equality.data for equality in equalities]
    build.sizes["nemax"] = sum(equality.row.rows for equality in equalities)
