"""Tendons and their paths."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.model_build import Build, starts_of
from phalanx.compiler.object.joint import is_limited, not_negative
from phalanx.compiler.scale.scaled_reference import scale_tendon
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.tables.enums import TendonType, WrapType
from phalanx.tables.mjcf_schema import ELEMENTS


def collect_tendons(build: Build) -> None:
    for element in build.sections("tendon"):
        obj: Any = make_object(build, element)
        obj.path, obj.limited, obj.actfrclimited, obj.matid = [], False, False, -1
        obj.springlength = obj.guess("springlength")
        build.add("tendon", obj)


def compile_tendons(build: Build) -> None:
    build.each(build.objects["tendon"], lambda tendon: _compile_tendon(build, tendon))


def _compile_tendon(build: Build, tendon: Any) -> None:
    """Path, limits and spring of a tendon; `path` holds (kind, object, number) of each element."""
    for element in tendon.element.children:
        with build.at(element):
            tendon.path.append(_step(build, element))
    if not tendon.element.children:
        build.report(tendon.element, "the path of a tendon cannot be empty")
    elif len(tendon.path) == len(tendon.element.children):
        check = _wrong_spatial if tendon.element.tag == "spatial" else _wrong_fixed
        if build.check(tendon, check(tendon)):
            build.all_of(tendon, scale_tendon)
    build.all_of(tendon, *_CHECKS)
    with build.at(tendon):
        if tendon.refers_to("material") is not None:
            tendon.matid = build.find("material", tendon.refers_to("material"), "material").id


def _check_width(tendon: Any) -> None:
    if tendon.element.tag == "spatial" and tendon["width"] <= 0:
        raise ElementProblem("width must be positive", "width")


def _limit(tendon: Any) -> None:
    tendon.limited = is_limited(tendon, "limited", "range")
    if tendon.limited and tendon["range"][0] >= tendon["range"][1]:
        raise ElementProblem("the limits of range must increase", "range")


def _limit_force(tendon: Any) -> None:
    tendon.actfrclimited = is_limited(tendon, "actuatorfrclimited", "actuatorfrcrange")
    low, high = tendon["actuatorfrcrange"]
    if tendon.actfrclimited and (low >= high or low > 0 or high < 0):
        raise ElementProblem("the bounds of actuatorfrcrange must increase and hold 0", "actuatorfrcrange")


def _check_spring(tendon: Any) -> None:
    shortest, longest = tendon["springlength"]
    if shortest > longest:
        raise ElementProblem("the numbers of springlength must increase", "springlength")


_CHECKS = (not_negative("armature"), _check_width, _limit, _limit_force, _check_spring)


def _step(build: Build, element: Any) -> tuple[str, Any, float]:
    """One element of a path."""
    values = element.attributes
    tag = element.tag
    if tag == "pulley":
        divisor = values.get("divisor", 1.0)
        if divisor <= 0:
            raise ElementProblem(f"divisor is {divisor:g}; it must be positive", "divisor")
        return "pulley", None, divisor
    target = build.find(tag, values.get(tag, ""), tag)
    if tag == "joint":
        if target["type"] not in ("hinge", "slide"):
            raise ElementProblem(
                f"joint={values['joint']!r} is a {target['type']} joint; only hinge and slide can be summed", "joint"
            )
        return "joint", target, values.get("coef", 0.0)
    if tag == "site":
        return "site", target, 0.0
    if target["type"] not in ("sphere", "cylinder"):
        raise ElementProblem(
            f"geom={values['geom']!r} is a {target['type']}; tendons wrap around spheres and cylinders", "geom"
        )
    side = build.find("site", values["sidesite"], "sidesite").id if "sidesite" in values else -1
    return target["type"], target, float(side)


def _wrong_fixed(tendon: Any) -> Iterator[Wrong]:
    joints = [target.id for _, target, _ in tendon.path]
    if len(set(joints)) < len(joints):
        yield "a joint appears twice", ""


def _wrong_spatial(tendon: Any) -> Iterator[Wrong]:
    """Branches begin and end with sites; pulleys are between branches, geoms between sites."""
    kinds = [kind for kind, _, _ in tendon.path]
    if len(kinds) < 2:
        yield "the path needs at least two elements", ""
        return
    last = len(kinds) - 1
    for k, kind in enumerate(kinds):
        before = kinds[k - 1] if k else "pulley"
        after = kinds[k + 1] if k < last else "pulley"
        if kind == "pulley":
            if k and before == "pulley":
                yield f"path element {k} is a pulley that follows another one", ""
            if k == last:
                yield "the path ends with a pulley", ""
        elif kind == "site":
            if before == "pulley" and after == "pulley":
                yield f"path element {k} is a site without a neighbor", ""
            if after == "site" and tendon.path[k][1] is tendon.path[k + 1][1]:
                yield f"path element {k} is a site that is repeated", ""
        elif before != "site" or after != "site":
            yield f"path element {k} is a geom that is not between sites", ""
    if set(kinds) & {"sphere", "cylinder"} and tendon["armature"] > 0:
        yield "a tendon with armature cannot wrap around geoms", "armature"


def dofs_of(build: Build, tendon: Any) -> list[int]:
    """Dofs that change the length of a tendon, in order."""
    if tendon.element.tag == "fixed":
        return sorted(target.dofadr for _, target, _ in tendon.path)
    found: set[int] = set()
    for _, target, _ in tendon.path:
        body = target.body if target is not None else None
        while body is not None:
            if body.joints:
                found.update(range(body.joints[0].dofadr, body.joints[0].dofadr + body.dofnum))
            body = body.parent
    return sorted(found)


def write_tendons(build: Build) -> None:
    tendons, columns, sizes = build.objects["tendon"], build.columns, build.sizes
    build.copy_plain(ELEMENTS["tendon/spatial"], tendons)
    build.copy_user("tendon", tendons)
    columns["tendon_type"] = [
        TendonType.SPATIAL if tendon.element.tag == "spatial" else TendonType.FIXED for tendon in tendons
    ]
    for name in ("matid", "limited", "actfrclimited"):
        columns[f"tendon_{name}"] = [getattr(tendon, name) for tendon in tendons]
    columns["tendon_lengthspring"] = [tendon.springlength for tendon in tendons]
    for name in ("stiffness", "damping"):
        columns[f"tendon_{name}"] = [tendon[name][0] for tendon in tendons]
        columns[f"tendon_{name}poly"] = [tendon[name][1:] for tendon in tendons]
    lengths = columns["tendon_num"] = [len(tendon.path) for tendon in tendons]
    columns["tendon_adr"] = starts_of(lengths)
    wraps = [step for tendon in tendons for step in tendon.path]
    sizes["nwrap"] = len(wraps)
    columns["wrap_type"] = [WrapType[kind.upper()] for kind, _, _ in wraps]
    columns["wrap_objid"] = [target.id if target is not None else -1 for _, target, _ in wraps]
    columns["wrap_prm"] = [number for _, _, number in wraps]
    columns["tendon_plasticadr"] = []
    for tendon in tendons:
        has_plastic = tendon["springyield"] > 0
        columns["tendon_plasticadr"].append(sizes["nplastic"] if has_plastic else -1)
        sizes["nplastic"] += 2 * has_plastic
        build.plastic0 += [0.0, 0.0] * has_plastic
    dofs = [dofs_of(build, tendon) for tendon in tendons]
    counts = [len(row) for row in dofs]
    columns["ten_J_rownnz"] = counts
    columns["ten_J_rowadr"] = starts_of(counts)
    columns["ten_J_colind"] = [dof for row in dofs for dof in row]
    sizes["nJten"] = sum(counts)
