"""Bodies: inertia from geoms, bounds and checks, frames, bounding volumes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.camera_light import Camera, Light, compile_camera, compile_light
from phalanx.compiler.object.geom import Geom, Site, compile_geom, compile_site
from phalanx.compiler.object.joint import Joint, check_joints, compile_joint
from phalanx.compiler.object.rotation import (
    EPSILON,
    IDENTITY,
    ORIGIN,
    Quat,
    Vector,
    compose,
    invert,
    matrix_of,
    orientation_of,
    placed,
    quaternion,
    rotate,
    total,
    vector3,
)
from phalanx.compiler.scale.frame_scale import Scale, stretched_inertia
from phalanx.compiler.text.defaults import Values
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, Wrong
from phalanx.compiler.text.file_settings import Scope
from phalanx.mesh.bvh import Bvh, geom_trees
from phalanx.mesh.inertia import principal_axes
from phalanx.tables.mjcf_row import ORIENTATION_NAMES
from phalanx.tables.mjcf_schema import ELEMENTS

if TYPE_CHECKING:
    from phalanx.compiler.object.kinematic_tree import Place


class Inertial(ModelObject):
    """Mass and inertia as they are written for a body."""

    #: the frame element around it, in the body
    frame: tuple[Vector, Quat] = (ORIGIN, IDENTITY)


class Body(ModelObject):
    """A body with what it carries; `pos` and `quat` are in its parent."""

    pos: Vector = ORIGIN
    quat: Quat = IDENTITY
    #: the frame element around it, in its parent
    frame: tuple[Vector, Quat] = (ORIGIN, IDENTITY)
    #: the place it stands in, if that is scaled
    place: Place | None = None
    inertial: Inertial | None = None
    #: center of mass and principal axes of inertia, in the body
    ipos: Vector = ORIGIN
    iquat: Quat = IDENTITY
    mass: float = 0.0
    #: principal moments
    inertia: Vector = ORIGIN
    #: is what is written about its inertia wrong?
    has_bad_inertial: bool = False
    dofnum: int = 0

    def __init__(self, element: Element, values: Values, scope: Scope, parent: Body | None):
        super().__init__(element, values, scope)
        #: None for the world
        self.parent = parent
        self.bodies: list[Body] = []
        self.joints: list[Joint] = []
        self.geoms: list[Geom] = []
        self.sites: list[Site] = []
        self.cameras: list[Camera] = []
        self.lights: list[Light] = []
        #: the body, itself or above, that it is fixed to and that may move
        self.weld: Body = self


def compile_bodies(build: Build) -> None:
    """Everything about bodies and what they carry."""
    for body in build.bodies:
        body.weld = body if body.parent is None or body.joints or body.guess("mocap") else body.parent.weld
    for body in build.bodies:
        _compile_body(build, body)


def _compile_body(build: Build, body: Body) -> None:
    """Frame and inertia of a body, then all that it carries; one mistake does not hide those of others."""
    body.pos = body["pos"]
    with build.at(body):
        body.quat = orientation_of(body.values, body.scope)
    # geoms first: the inertia of the body may be theirs
    _compile_geoms(build, body)
    if body.parent is not None:
        with build.at(body):
            _compile_inertia(build, body)
    body.pos, body.quat = placed(body, body.pos, body.quat)
    build.each(body.joints, lambda joint: compile_joint(build, joint))
    body.dofnum = sum(joint.row.nv for joint in body.joints)
    alignment = _align(body)
    build.check(body, check_joints(body))
    build.each(body.sites, lambda site: compile_site(build, site))
    build.each(body.cameras, lambda camera: compile_camera(build, camera))
    build.each(body.lights, lambda light: compile_light(build, light))
    if alignment is not None:
        _carry_along(body, *alignment)
    build.all_of(body, _check_mocap)


def _compile_geoms(build: Build, body: Body) -> None:
    """The geoms of a body, with mass and inertia where the body takes its own from them."""
    is_inferred = body.parent is not None and (body.inertial is None or body.scope["inertiafromgeom"] == "true")
    low, high = body.scope["inertiagrouprange"]
    build.each(body.geoms, lambda geom: compile_geom(build, geom, is_inferred and low <= geom.guess("group") <= high))


def _check_mocap(body: Body) -> None:
    if body["mocap"] and (body.joints or body.parent is None or body.parent.parent is not None):
        raise ElementProblem("a mocap body must be a child of the world without joints", "mocap")


# --- inertia


def _compile_inertia(build: Build, body: Body) -> None:
    """Mass, center of mass and principal axes: as written, or from the geoms; then the bounds of the compiler."""
    is_known = body.inertial is not None
    if body.inertial is not None:
        _take_inertial(build, body, body.inertial)
    mode = body.scope["inertiafromgeom"]
    if mode == "true" or (mode == "auto" and not is_known):
        is_known = sum_geoms(body) or is_known
    if not is_known:
        body.ipos, body.iquat = body.pos, body.quat
    bound = body.scope["boundinertia"]
    x, y, z = body.inertia
    body.mass = max(body.mass, body.scope["boundmass"])
    body.inertia = (max(x, bound), max(y, bound), max(z, bound))
    _check_inertia(body)
    if not _is_possible(body.inertia):
        a, b, c = body.inertia
        body.inertia = ((a + b + c) / 3.0,) * 3


def _is_possible(moments: Vector) -> bool:
    """The triangle inequality of the moments of inertia of a rigid body."""
    a, b, c = moments
    return not (a + b < c or a + c < b or b + c < a)


def _check_inertia(body: Body) -> None:
    if body.mass < 0 or min(body.inertia) < 0:
        raise ElementProblem("mass and inertia cannot be negative")
    if not _is_possible(body.inertia) and not body.scope["balanceinertia"]:
        a, b, c = body.inertia
        raise ElementProblem(
            f"impossible moments of inertia {a:g} {b:g} {c:g}: the sum of two is less than the third; "
            "compiler/balanceinertia='true' would replace them by their mean"
        )


def _take_inertial(build: Build, body: Body, given: Inertial) -> None:
    """Mass and inertia as they are written; what is wrong with them counts as zero from here on."""
    is_sound = build.check(given, _check_inertial(given))
    is_read = build.all_of(given, lambda given: _read_inertial(body, given))
    body.has_bad_inertial = not (is_read and is_sound)
    if body.has_bad_inertial:
        x, y, z = body.inertia
        body.mass, body.inertia = 0.0, (max(x, 0.0), max(y, 0.0), max(z, 0.0))


def _check_inertial(given: Inertial) -> Iterator[Wrong]:
    full, diagonal = given.guess("fullinertia"), given.guess("diaginertia")
    for name, value in (("mass", given.guess("mass")), ("diaginertia", min(diagonal or ORIGIN))):
        if value is not None and value < 0:
            yield f"{name} is {value:g}; it cannot be negative", name
    if full is not None:
        if any(name in given.element for name in ORIENTATION_NAMES):
            yield "fullinertia and an orientation are both given", "fullinertia"
        if diagonal is not None and any(diagonal):
            yield "fullinertia and diaginertia are both given", "fullinertia"


def _read_inertial(body: Body, given: Inertial) -> None:
    body.iquat = orientation_of(given.values, body.scope)
    full = given["fullinertia"]
    if full is not None:
        body.inertia, body.iquat = _principal(full, body.scope["boundinertia"] > 0)
    else:
        body.inertia = given["diaginertia"] or ORIGIN
    body.ipos, body.mass = given["pos"] or ORIGIN, given["mass"] or 0.0
    if given.scale is not None:
        _scale_inertial(body, given.scale)
    body.ipos, body.iquat = placed(given, body.ipos, body.iquat)


def _scale_inertial(body: Body, scale: Scale) -> None:
    """Scale what an inertial says, in the coordinates it is written in."""
    body.ipos, body.mass = scale.of(body.ipos), body.mass * scale.factors.mass
    if scale.matrix is None:
        factor = scale.factors.mass * scale.factors.length**2
        x, y, z = body.inertia
        body.inertia = (x * factor, y * factor, z * factor)
    else:
        body.inertia, body.iquat = _principal(stretched_inertia(scale, body.inertia, body.iquat), True)


def _principal(full: Sequence[float], allow_singular: bool = False) -> tuple[Vector, Quat]:
    """Moments and axes of an inertia matrix given as xx yy zz xy xz yz; a singular one may have moments of zero."""
    xx, yy, zz, xy, xz, yz = full
    matrix = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    moments, quat = principal_axes(matrix) if matrix.any() else (np.zeros(3), np.array(IDENTITY))
    if moments[2] < (-EPSILON if allow_singular else EPSILON):
        raise ElementProblem("the inertia matrix is not positive definite", "fullinertia")
    return vector3(moments), quaternion(quat)


def _rotated_inertia(moments: Vector, quat: Quat) -> list[float]:
    """Inertia xx yy zz xy xz yz of principal moments along rotated axes: R diag(moments) R'.

    In MuJoCo's order of products, here and in sums (mjuu_globalinertia): where moments are equal, rounding decides
    which axes are found.
    """
    m = matrix_of(quat)
    x, y, z = moments

    def entry(i: int, j: int) -> float:
        i, j = 3 * i, 3 * j
        return m[i] * (m[j] * x) + m[i + 1] * (m[j + 1] * y) + m[i + 2] * (m[j + 2] * z)

    return [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)]


def _moved_inertia(mass: float, d: Vector) -> list[float]:
    """Inertia xx yy zz xy xz yz of a point mass at `d` from the center (parallel axis theorem)."""
    x, y, z = d
    return [
        mass * (y * y + z * z), mass * (x * x + z * z), mass * (x * x + y * y), -mass * x * y, -mass * x * z,
        -mass * y * z,
    ]  # fmt: skip


#: Of a rigid part: mass, center of mass, principal axes and principal moments.
Part = tuple[float, Vector, Quat, Vector]


def combined(parts: list[Part]) -> Part:
    """Several rigid parts as one."""
    if len(parts) == 1:
        return parts[0]
    mass = total(part[0] for part in parts)
    x, y, z = (total(part[0] * part[1][k] for part in parts) / mass for k in range(3))
    inertia = [0.0] * 6
    for part_mass, center, quat, moments in parts:
        own = _rotated_inertia(moments, quat)
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
        if low <= geom.guess("group") <= high and geom.mass > EPSILON
    ]
    if not parts:
        return False
    body.mass, body.ipos, body.iquat, body.inertia = combined(parts)
    return True


# --- free bodies whose frame becomes the inertial frame


def _align(body: Body) -> tuple[Vector, Quat] | None:
    """Move the frame of a free body without children to its inertial frame.

    Returns:
        The old frame seen from the new one, None if nothing moves.
    """
    if len(body.joints) != 1 or not body.joints[0].row.floating or body.bodies:
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
    """Keep sites, cameras and lights where they are in the world; the arguments are the old frame in the new one."""
    for obj in (*body.sites, *body.cameras):
        obj.pos, obj.quat = compose(pos, quat, obj.pos, obj.quat)
    for light in body.lights:
        light.pos, _ = compose(pos, quat, light.pos, IDENTITY)
        light.dir = rotate(light.dir, quat)


# --- columns


def check_masses(build: Build) -> None:
    """Moving bodies need mass and inertia, of their own or of bodies welded to them."""
    for body in build.bodies[1:]:
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
    bodies, columns = build.bodies, build.columns
    build.copy_plain(ELEMENTS["body"], bodies)
    build.copy_user("body", bodies)
    columns["body_parentid"] = [body.parent.id if body.parent else 0 for body in bodies]
    columns["body_weldid"] = [body.weld.id for body in bodies]
    columns["body_rootid"] = _roots(bodies)
    mocap = [body for body in bodies if body["mocap"]]
    build.sizes["nmocap"] = len(mocap)
    columns["body_mocapid"] = [mocap.index(body) if body["mocap"] else -1 for body in bodies]
    columns["body_jntnum"] = [len(body.joints) for body in bodies]
    columns["body_jntadr"] = [body.joints[0].id if body.joints else -1 for body in bodies]
    columns["body_geomnum"] = [len(body.geoms) for body in bodies]
    columns["body_geomadr"] = [body.geoms[0].id if body.geoms else -1 for body in bodies]
    columns["body_dofadr"] = [body.joints[0].dofadr if body.joints else -1 for body in bodies]
    for name in ("dofnum", "pos", "quat", "ipos", "iquat", "mass", "inertia"):
        columns[f"body_{name}"] = [getattr(body, name) for body in bodies]
    columns["body_plugin"] = [-1] * len(bodies)
    _write_bounding_volumes(build)


def _write_bounding_volumes(build: Build) -> None:
    """A binary tree over the geoms of each body that can collide: 2 n - 1 nodes for n geoms."""
    colliding = [[geom for geom in body.geoms if geom["contype"] or geom["conaffinity"]] for body in build.bodies]
    counts = [2 * len(geoms) - 1 if geoms else 0 for geoms in colliding]
    starts = accumulate(counts, initial=0)
    build.columns["body_bvhadr"] = [start if count else -1 for count, start in zip(counts, starts, strict=False)]
    build.columns["body_bvhnum"] = counts
    build.trees = [_geom_trees(build.bodies, colliding)] if any(counts) else []


def _roots(bodies: list[Body]) -> list[int]:
    """For each body, the child of the world that it hangs on, itself perhaps; the world for the world."""
    roots: list[int] = []
    for body in bodies:
        above = body.parent
        roots.append(body.id if above is None or above.parent is None else roots[above.id])
    return roots


def _geom_trees(bodies: list[Body], colliding: list[list[Geom]]) -> Bvh:
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
