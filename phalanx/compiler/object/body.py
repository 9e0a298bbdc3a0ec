"""Bodies: inertia from geoms, bounds and checks, frames, bounding volumes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.compiler.model_build import Body, Build
from phalanx.compiler.object.camera_light import compile_camera, compile_light
from phalanx.compiler.object.geom import compile_geom, compile_site
from phalanx.compiler.object.joint import DOFS, compile_joint, wrong_joints
from phalanx.compiler.object.kinematic_tree import turn
from phalanx.compiler.object.rotation import (
    EPSILON,
    IDENTITY,
    ORIGIN,
    Quat,
    Vector,
    compose,
    invert,
    matrix_of,
    placed,
    rotate,
    total,
)
from phalanx.compiler.scale.frame_scale import stretched_inertia
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.mesh.bvh import Bvh, geom_trees
from phalanx.mesh.inertia import principal_axes
from phalanx.tables.mjcf_row import ORIENTATION_NAMES
from phalanx.tables.mjcf_schema import ELEMENTS

SLEEP = ELEMENTS["body"].attributes["sleep"].keywords


def compile_bodies(build: Build) -> None:
    """Everything about bodies and what they carry."""
    for body in build.objects["body"]:
        body.weld = body if body.parent is None or body.joints or body.guess("mocap") else body.parent.weld
    for body in build.objects["body"]:
        _compile_body(build, body)


def _compile_body(build: Build, body: Body) -> None:
    is_world = body.parent is None
    body.pos, body.quat = body["pos"], IDENTITY
    body.dofnum = 0
    with build.at(body):
        body.quat = turn(body.values, body.scope)
    mode = body.scope["inertiafromgeom"]
    low, high = body.scope["inertiagrouprange"]
    infers = not is_world and (body.inertial is None or mode == "true")
    build.each(body.geoms, lambda geom: compile_geom(build, geom, infers and low <= geom.guess("group") <= high))
    if not is_world:
        with build.at(body):
            _set_inertia(build, body, mode)
    body.pos, body.quat = placed(body, body.pos, body.quat)
    build.each(body.joints, lambda joint: compile_joint(build, joint))
    body.dofnum = sum(DOFS[joint.kind] for joint in body.joints)
    alignment = _align(body)
    build.check(body, wrong_joints(body))
    build.each(body.sites, lambda site: compile_site(build, site))
    build.each(body.cameras, lambda camera: compile_camera(build, camera))
    build.each(body.lights, lambda light: compile_light(build, light))
    if alignment is not None:
        _carry_along(body, *alignment)
    build.all_of(body, _check_mocap)


def _check_mocap(body: Body) -> None:
    if body["mocap"] and (body.joints or body.parent is None or body.parent.parent is not None):
        raise ElementProblem("a mocap body must be a child of the world without joints", "mocap")


# --- inertia


def _set_inertia(build: Build, body: Body, mode: str) -> None:
    """Mass, center of mass and principal axes: as written, or from the geoms."""
    given = body.inertial
    defined = given is not None
    if given is not None:
        is_sound = build.check(given, _wrong_inertial(given))
        body.has_bad_inertial = not build.all_of(given, lambda given: _read_inertial(body, given)) or not is_sound
        if body.has_bad_inertial:
            x, y, z = body.inertia
            body.mass, body.inertia = 0.0, (max(x, 0.0), max(y, 0.0), max(z, 0.0))
    if mode == "true" or (mode == "auto" and not defined):
        defined = sum_geoms(body) or defined
    if not defined:
        body.ipos, body.iquat = body.pos, body.quat
    scope = body.scope
    body.mass = max(body.mass, scope["boundmass"])
    bound = scope["boundinertia"]
    a, b, c = body.inertia = tuple(max(moment, bound) for moment in body.inertia)
    if body.mass < 0 or min(a, b, c) < 0:
        raise ElementProblem("mass and inertia cannot be negative")
    if a + b < c or a + c < b or b + c < a:
        if not scope["balanceinertia"]:
            raise ElementProblem(
                f"impossible moments of inertia {a:g} {b:g} {c:g}: the sum of two is less than the third; "
                "compiler/balanceinertia='true' would replace them by their mean"
            )
        body.inertia = ((a + b + c) / 3.0,) * 3


def _read_inertial(body: Body, given: Any) -> None:
    body.iquat = turn(given.values, body.scope)
    full = given["fullinertia"]
    if full is not None:
        body.inertia, body.iquat = _principal(full, body.scope["boundinertia"] > 0)
    else:
        body.inertia = given["diaginertia"] or ORIGIN
    body.ipos, body.mass = given["pos"] or ORIGIN, given["mass"] or 0.0
    if given.scale is not None:
        _scale_inertial(body, given.scale)
    body.ipos, body.iquat = placed(given, body.ipos, body.iquat)


def _wrong_inertial(given: Any) -> Iterator[Wrong]:
    full, diagonal = given.guess("fullinertia"), given.guess("diaginertia")
    for name, number in (("mass", given.guess("mass")), ("diaginertia", min(diagonal or ORIGIN))):
        if number is not None and number < 0:
            yield f"{name} is {number:g}; it cannot be negative", name
    if full is not None:
        if any(name in given.element for name in ORIENTATION_NAMES):
            yield "fullinertia and an orientation are both given", "fullinertia"
        if diagonal is not None and any(diagonal):
            yield "fullinertia and diaginertia are both given", "fullinertia"


def _scale_inertial(body: Body, scale: Any) -> None:
    """Scale what an inertial says, in the coordinates it is written in."""
    body.ipos, body.mass = scale.of(body.ipos), body.mass * scale.factors.mass
    if scale.matrix is None:
        factor = scale.factors.mass * scale.factors.length**2
        body.inertia = tuple(moment * factor for moment in body.inertia)
    else:
        body.inertia, body.iquat = _principal(stretched_inertia(scale, body.inertia, body.iquat), True)


def _principal(full: Any, allow_singular: bool = False) -> tuple[Vector, Quat]:
    """Moments and axes of an inertia matrix given as xx yy zz xy xz yz."""
    xx, yy, zz, xy, xz, yz = full
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments, quat = principal_axes(matrix) if matrix.any() else (np.zeros(3), np.array(IDENTITY))
    if moments[2] < EPSILON and not allow_singular:
        raise ElementProblem("the inertia matrix is not positive definite", "fullinertia")
    return tuple(moments.tolist()), tuple(quat.tolist())


def _turned_inertia(moments: Vector, quat: Quat) -> list[float]:
    """Inertia xx yy zz xy xz yz of principal moments along turned axes.

    In MuJoCo's order of products, here and in sums: where moments are equal, rounding chooses the axes.
    """
    m = matrix_of(quat)
    x, y, z = moments

    def entry(i: int, j: int) -> float:
        i, j = 3 * i, 3 * j
        return m[i] * (m[j] * x) + m[i + 1] * (m[j + 1] * y) + m[i + 2] * (m[j + 2] * z)

    return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]


def _moved_inertia(mass: float, d: Vector) -> list[float]:
    """Inertia of a point mass away from the center."""
    x, y, z = d
    return [
        mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y), -mass * x * y, -mass * x * z,
        -mass * y * z,
    ]  # fmt: skip


Part = tuple[float, Vector, Quat, Vector]


def combined(parts: list[Part]) -> tuple[float, Vector, Quat, Vector]:
    """Mass, center, axes and moments of several rigid parts (mass, center, axes, moments)."""
    if len(parts) == 1:
        return parts[0]
    mass = total(part[0] for part in parts)
    x, y, z = (total(part[0] * part[1][k] for part in parts) / mass for k in range(3))
    inertia = [0.0] * 6
    for part_mass, center, quat, moments in parts:
        own = _turned_inertia(moments, quat)
        moved = _moved_inertia(part_mass, (center[0] - x, center[1] - y, center[2] - z))
        inertia = [t + a + b for t, a, b in zip(inertia, own, moved, strict=True)]
    moments, quat = _principal(inertia)
    return mass, (x, y, z), quat, moments


def sum_geoms(body: Body) -> bool:
    """Take mass and inertia from the geoms; False when none of them has mass."""
    low, high = body.scope["inertiagrouprange"]
    parts = [
        (geom.mass, geom.pos, geom.quat, geom.inertia)
        for geom in body.geoms
        if low <= geom.guess("group") <= high and getattr(geom, "mass", 0.0) > EPSILON
    ]
    if not parts:
        return False
    body.mass, body.ipos, body.iquat, body.inertia = combined(parts)
    return True


# --- free bodies whose frame becomes the inertial frame


def _align(body: Body) -> tuple[Vector, Quat] | None:
    """Move the frame of a lone free body to its inertial frame; where the old frame is seen from the new one."""
    if len(body.joints) != 1 or body.joints[0].kind != "free" or body.bodies:
        return None
    align = body.joints[0].guess("align")
    if align == "false" or (align == "auto" and not body.scope["alignfree"]):
        return None
    body.pos, body.quat = compose(body.pos, body.quat, body.ipos, body.iquat)
    back = invert(body.ipos, body.iquat)
    body.ipos, body.iquat = ORIGIN, IDENTITY
    for geom in body.geoms:
        geom.pos, geom.quat = compose(back[0], back[1], geom.pos, geom.quat)
    return back


def _carry_along(body: Body, pos: Vector, quat: Quat) -> None:
    for obj in (*body.sites, *body.cameras):
        obj.pos, obj.quat = compose(pos, quat, obj.pos, obj.quat)
    for light in body.lights:
        light.pos, _ = compose(pos, quat, light.pos, IDENTITY)
        light.dir = rotate(light.dir, quat)


# --- columns


def check_masses(build: Build) -> None:
    """Moving bodies need mass and inertia, of their own or of bodies welded to them."""
    for body in build.objects["body"][1:]:
        if body.joints and not _has_mass(body) and _is_whole(body):
            build.report(body.element, "a moving body needs mass and inertia: give it a geom with mass, or an inertial")


def _has_mass(body: Body) -> bool:
    if body.mass >= MINVAL and min(body.inertia) >= MINVAL:
        return True
    return any(not child.joints and _has_mass(child) for child in body.bodies)


def _is_whole(body: Body) -> bool:
    """Is all known of its inertial and geoms, and those of bodies welded to it? If not, that is a problem already."""
    return (
        not body.has_bad_inertial
        and all(geom.is_whole for geom in body.geoms)
        and all(_is_whole(child) for child in body.bodies if not child.joints)
    )


def write_bodies(build: Build) -> None:
    """Columns of bodies and their bounding volumes."""
    bodies, columns, sizes = build.objects["body"], build.columns, build.sizes
    build.copy_plain(ELEMENTS["body"], bodies)
    build.copy_user("body", bodies)
    columns["body_parentid"] = [body.parent.id if body.parent else 0 for body in bodies]
    columns["body_weldid"] = [body.weld.id for body in bodies]
    columns["body_rootid"] = _roots(bodies)
    mocap = [body for body in bodies if body["mocap"]]
    sizes["nmocap"] = len(mocap)
    columns["body_mocapid"] = [mocap.index(body) if body["mocap"] else -1 for body in bodies]
    for members, name in (("joints", "jnt"), ("geoms", "geom")):
        lists = [getattr(body, members) for body in bodies]
        columns[f"body_{name}num"] = [len(objects) for objects in lists]
        columns[f"body_{name}adr"] = [objects[0].id if objects else -1 for objects in lists]
    columns["body_dofnum"] = [body.dofnum for body in bodies]
    columns["body_dofadr"] = [body.joints[0].dofadr if body.joints else -1 for body in bodies]
    for name in ("pos", "quat", "ipos", "iquat", "mass", "inertia"):
        columns[f"body_{name}"] = [getattr(body, name) for body in bodies]
    columns["body_plugin"] = [-1] * len(bodies)
    colliding = [[geom for geom in body.geoms if geom["contype"] or geom["conaffinity"]] for body in bodies]
    number = [2 * len(geoms) - 1 if geoms else 0 for geoms in colliding]
    starts = accumulate(number, initial=0)
    columns["body_bvhadr"] = [start if count else -1 for count, start in zip(number, starts, strict=False)]
    columns["body_bvhnum"] = number
    build.trees = [_geom_trees(bodies, colliding)] if any(number) else []


def _roots(bodies: list[Body]) -> list[int]:
    roots: list[int] = []
    for body in bodies:
        is_root = body.parent is None or body.parent.parent is None
        roots.append(body.id if is_root else roots[body.parent.id])  # type: ignore[union-attr]
    return roots


def _geom_trees(bodies: list[Body], colliding: list[list[Any]]) -> Bvh:
    """Bounding volumes of the geoms of each body that can collide."""
    geoms = [geom for found in colliding for geom in found]
    owners = [body for body, found in zip(bodies, colliding, strict=True) for _ in found]
    return geom_trees(
        np.array([geom.pos for geom in geoms], np.float64),
        np.array([geom.quat for geom in geoms], np.float64),
        np.array([geom.aabb for geom in geoms], np.float64),
        np.array([geom.id for geom in geoms]),
        np.array([body.ipos for body in owners], np.float64),
        np.array([body.iquat for body in owners], np.float64),
        [len(found) for found in colliding if found],
    )
