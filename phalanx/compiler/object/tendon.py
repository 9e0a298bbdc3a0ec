"""Tendons and their paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.asset.material import material_id
from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.body import Body
from phalanx.compiler.object.geom import Geom, Site
from phalanx.compiler.object.joint import Joint, is_limited, not_negative
from phalanx.compiler.scale.scaled_reference import scale_tendon
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.compiler.text.file_settings import Scope
from phalanx.tables.enums import TendonType, WrapType
from phalanx.tables.joints import SCALAR_TAGS
from phalanx.tables.mjcf_schema import ELEMENTS

#: Types of geom that a tendon can wrap around.
WRAPPED = ("sphere", "cylinder")


class PathElement(NamedTuple):
    """One element of the path of a tendon."""

    #: name of its WrapType in small letters: joint, site, sphere, cylinder, pulley
    kind: str
    #: the joint, site or geom; None for a pulley
    target: Joint | Site | Geom | None
    #: coefficient of a joint, divisor of a pulley, id of the side site of a geom (-1 for none)
    prm: float


class Tendon(ModelObject):
    """A tendon: along sites and around geoms (spatial), or a sum of joint positions (fixed)."""

    limited: bool = False
    actfrclimited: bool = False
    matid: int = -1

    def __init__(self, element: Element, values: Values, scope: Scope):
        super().__init__(element, values, scope)
        self.path: list[PathElement] = []
        #: lengths between which the spring is slack; negative for the length at qpos_spring
        self.springlength: tuple[float, float] = self.guess("springlength")

    @property
    def is_spatial(self) -> bool:
        """Is it a path in space? If not, it sums up joints."""
        return self.element.tag == "spatial"


def collect_tendons(build: Build) -> None:
    """File all tendons by name; actuators and equalities refer to them."""
    for element in build.sections("tendon"):
        build.add("tendon", make_object(build, element, Tendon))


def compile_tendons(build: Build) -> None:
    """Paths, limits and springs of all tendons."""
    build.each(build.tendons, lambda tendon: _compile_tendon(build, tendon))


def _compile_tendon(build: Build, tendon: Tendon) -> None:
    for element in tendon.element.children:
        with build.at(element):
            tendon.path.append(_path_element(build, element))
    if check_path(build, tendon):
        build.all_of(tendon, scale_tendon)
    # limits are computed in between: checks of ranges need them
    build.all_of(tendon, _check_armature, _check_width, _limit, _check_range, _limit_force, _check_force_range,
                 _check_spring)  # fmt: skip
    with build.at(tendon):
        tendon.matid = material_id(build, tendon)


def _limit(tendon: Tendon) -> None:
    tendon.limited = is_limited(tendon, "limited", "range")


def _limit_force(tendon: Tendon) -> None:
    tendon.actfrclimited = is_limited(tendon, "actuatorfrclimited", "actuatorfrcrange")


def _path_element(build: Build, element: Element) -> PathElement:
    """One element of a path, its target found and checked."""
    written, tag = element.attributes, element.tag
    if tag == "pulley":
        divisor = written.get("divisor", 1.0)
        _check_divisor(divisor)
        return PathElement("pulley", None, divisor)
    if tag == "joint":
        joint = build.find("joint", written.get("joint", ""), "joint")
        _check_joint(joint)
        return PathElement("joint", joint, written.get("coef", 0.0))
    if tag == "site":
        return PathElement("site", build.find("site", written.get("site", ""), "site"), 0.0)
    geom = build.find("geom", written.get("geom", ""), "geom")
    _check_geom(geom)
    side = build.find("site", written["sidesite"], "sidesite").id if "sidesite" in written else -1
    return PathElement(geom["type"], geom, float(side))


# --- checks


def _check_divisor(divisor: float) -> None:
    if divisor <= 0:
        raise ElementProblem(f"divisor is {divisor:g}; it must be positive", "divisor")


def _check_joint(joint: Joint) -> None:
    if joint["type"] not in SCALAR_TAGS:
        raise ElementProblem(
            f"joint={joint.name!r} is a {joint['type']} joint; only {' and '.join(SCALAR_TAGS)} can be summed", "joint"
        )


def _check_geom(geom: Geom) -> None:
    if geom["type"] not in WRAPPED:
        raise ElementProblem(
            f"geom={geom.name!r} is a {geom['type']}; tendons wrap around spheres and cylinders", "geom"
        )


def check_path(build: Build, tendon: Tendon) -> bool:
    """Report mistakes in the order of a path; False also if some of its elements are missing."""
    if not tendon.element.children:
        build.report(tendon.element, "the path of a tendon cannot be empty")
        return False
    if len(tendon.path) < len(tendon.element.children):
        return False
    return build.check(tendon, _wrong_spatial(tendon) if tendon.is_spatial else _wrong_fixed(tendon))


def _wrong_fixed(tendon: Tendon) -> Iterator[Wrong]:
    joints = [step.target for step in tendon.path]
    if len(set(joints)) < len(joints):
        yield "a joint appears twice", ""


def _wrong_spatial(tendon: Tendon) -> Iterator[Wrong]:
    """Branches begin and end with sites; pulleys are between branches, geoms between sites."""
    path = tendon.path
    if len(path) < 2:
        yield "the path needs at least two elements", ""
        return
    last = len(path) - 1
    for k, (kind, target, _) in enumerate(path):
        # the ends of the path are ends of branches, as pulleys are
        before = path[k - 1].kind if k else "pulley"
        after = path[k + 1].kind if k < last else "pulley"
        if kind == "pulley":
            if k and before == "pulley":
                yield f"path element {k} is a pulley that follows another one", ""
            if k == last:
                yield "the path ends with a pulley", ""
        elif kind == "site":
            if before == "pulley" and after == "pulley":
                yield f"path element {k} is a site without a neighbor", ""
            if after == "site" and target is path[k + 1].target:
                yield f"path element {k} is a site that is repeated", ""
        elif before != "site" or after != "site":
            yield f"path element {k} is a geom that is not between sites", ""
    if any(step.kind in WRAPPED for step in path) and tendon["armature"] > 0:
        yield "a tendon with armature cannot wrap around geoms", "armature"


_check_armature = not_negative("armature")


def _check_width(tendon: Tendon) -> None:
    if tendon.is_spatial and tendon["width"] <= 0:
        raise ElementProblem("width must be positive", "width")


def _check_range(tendon: Tendon) -> None:
    if tendon.limited and tendon["range"][0] >= tendon["range"][1]:
        raise ElementProblem("the limits of range must increase", "range")


def _check_force_range(tendon: Tendon) -> None:
    low, high = tendon["actuatorfrcrange"]
    if tendon.actfrclimited and (low >= high or low > 0 or high < 0):
        raise ElementProblem("the bounds of actuatorfrcrange must increase and hold 0", "actuatorfrcrange")


def _check_spring(tendon: Tendon) -> None:
    shortest, longest = tendon["springlength"]
    if shortest > longest:
        raise ElementProblem("the numbers of springlength must increase", "springlength")


# --- columns


def dofs_of(tendon: Tendon) -> list[int]:
    """Dofs that change the length of a tendon, in order: those between the world and what its path touches."""
    if not tendon.is_spatial:
        return sorted(step.target.dofadr for step in tendon.path if isinstance(step.target, Joint))
    found: set[int] = set()
    for step in tendon.path:
        body: Body | None = step.target.body if step.target is not None else None
        while body is not None:
            if body.joints:
                found.update(range(body.joints[0].dofadr, body.joints[0].dofadr + body.dofnum))
            body = body.parent
    return sorted(found)


def write_tendons(build: Build) -> None:
    """Columns of tendons, their paths, plastic state and Jacobian pattern."""
    tendons, columns = build.tendons, build.columns
    build.copy_plain(ELEMENTS["tendon/spatial"], tendons)
    build.copy_user("tendon", tendons)
    columns["tendon_type"] = [TendonType.SPATIAL if tendon.is_spatial else TendonType.FIXED for tendon in tendons]
    columns["tendon_matid"] = [tendon.matid for tendon in tendons]
    columns["tendon_limited"] = [tendon.limited for tendon in tendons]
    columns["tendon_actfrclimited"] = [tendon.actfrclimited for tendon in tendons]
    columns["tendon_lengthspring"] = [tendon.springlength for tendon in tendons]
    # the first value is the linear coefficient, the others those of higher powers
    for name in ("stiffness", "damping"):
        columns[f"tendon_{name}"] = [tendon[name][0] for tendon in tendons]
        columns[f"tendon_{name}poly"] = [tendon[name][1:] for tendon in tendons]
    _write_paths(build, tendons)
    _write_plastic(build, tendons)
    _write_jacobian_pattern(build, tendons)


def _write_paths(build: Build, tendons: list[Tendon]) -> None:
    columns = build.columns
    columns["tendon_num"] = [len(tendon.path) for tendon in tendons]
    columns["tendon_adr"] = starts_of(columns["tendon_num"])
    wraps = [step for tendon in tendons for step in tendon.path]
    build.sizes["nwrap"] = len(wraps)
    columns["wrap_type"] = [WrapType[step.kind.upper()] for step in wraps]
    columns["wrap_objid"] = [step.target.id if step.target is not None else -1 for step in wraps]
    columns["wrap_prm"] = [step.prm for step in wraps]


def _write_plastic(build: Build, tendons: list[Tendon]) -> None:
    """A tendon whose spring can yield has two values of plastic state: the lengths between which it is slack."""
    columns, sizes = build.columns, build.sizes
    columns["tendon_plasticadr"] = []
    for tendon in tendons:
        has_plastic = tendon["springyield"] > 0
        columns["tendon_plasticadr"].append(sizes["nplastic"] if has_plastic else -1)
        sizes["nplastic"] += 2 * has_plastic
        build.plastic0 += [0.0, 0.0] * has_plastic


def _write_jacobian_pattern(build: Build, tendons: list[Tendon]) -> None:
    """Columns of ten_J that can be other than 0, row by row."""
    dofs = [dofs_of(tendon) for tendon in tendons]
    counts = [len(row) for row in dofs]
    build.columns["ten_J_rownnz"] = counts
    build.columns["ten_J_rowadr"] = starts_of(counts)
    build.columns["ten_J_colind"] = [dof for row in dofs for dof in row]
    build.sizes["nJten"] = sum(counts)
