"""Mass and inertia of links: checked, repaired on request, and written along principal axes."""

from __future__ import annotations

from math import pi

import numpy as np

from phalanx.algebra.vector import MINVAL
from phalanx.compiler.object.rotation import (
    EPSILON,
    IDENTITY,
    ORIGIN,
    Quat,
    Vector,
    matrix_of,
    multiply,
    quaternion,
    vector3,
)
from phalanx.compiler.text.element import Element
from phalanx.compiler.urdf.link_tree import Link
from phalanx.compiler.urdf.translation import Translation, child_of, origin_of, put
from phalanx.mesh.inertia import principal_axes

#: Mass of a moving link that has none, when it is repaired [kg], and density of the ball whose inertia it gets [kg/m³].
SMALL_MASS, WATER = 1e-3, 1000.0
#: Elements of the matrix in the order of MJCF's fullinertia.
_ORDER = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")


def add_inertial(translation: Translation, body: Element, link: Link) -> None:
    """The inertial of a body, from that of its link."""
    given = child_of(link.element, "inertial")
    if given is None:
        return
    if not _is_complete(translation, given):
        return
    mass, inertia = child_of(given, "mass"), child_of(given, "inertia") or given
    if mass is None:
        # repaired, it is a link without inertial
        given.remove()
        return
    if mass.bad or inertia.bad:
        return
    pos, quat = origin_of(given)
    value = mass.attributes["value"]
    full = tuple(inertia.attributes.get(name, 0.0) for name in _ORDER)
    if translation.style.is_mujoco:
        # an inertia of zero is none; where moments are equal, the axes are those that MuJoCo finds in the link
        rest: dict[str, object] = {"fullinertia": _rotated(full, quat)} if any(full) else {"quat": quat}
        put(body, "inertial", given, pos=pos, mass=value, **rest)
        return
    before = len(translation.problems)
    value, moments, axes = _physical(translation, link, mass, inertia, (value, *_principal(full)))
    # the compiler need not report it again
    body.refused = len(translation.problems) > before
    put(body, "inertial", given, pos=pos, quat=multiply(quat, axes), mass=value, diaginertia=moments)


#: Elements of an inertial -> what is done about one that is missing.
_REMEDIES = {
    "mass": "the inertial is left out: mass and inertia are those of its collision shapes",
    "inertia": "it is a point mass",
}


def _is_complete(translation: Translation, given: Element) -> bool:
    """Has an inertial mass and inertia? What is missing is reported, unless it is repaired."""
    lacking = [tag for tag in _REMEDIES if child_of(given, tag) is None]
    for tag in lacking:
        finding = f"the inertial has no {tag} element"
        if f"<{tag}>" in given.skipped:
            # told already
            return False
        if translation.style.is_mujoco:
            translation.report(given, finding)
        else:
            translation.complain(given, finding, _REMEDIES[tag])
    return not lacking or (translation.settings.repair and not translation.style.is_mujoco)


def _rotated(full: tuple[float, ...], quat: Quat) -> tuple[float, ...]:
    """Inertia xx yy zz xy xz yz along the axes of the link, from that along rotated ones: R I R'."""
    if quat == IDENTITY:
        return full
    xx, yy, zz, xy, xz, yz = full
    axes = np.array(matrix_of(quat)).reshape(3, 3)
    matrix = axes @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ axes.T
    return tuple(float(matrix[place]) for place in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def _principal(full: tuple[float, ...]) -> tuple[Vector, Quat]:
    """Moments, largest first, and axes of an inertia matrix xx yy zz xy xz yz."""
    if not any(full):
        return (0.0, 0.0, 0.0), IDENTITY
    xx, yy, zz, xy, xz, yz = full
    moments, quat = principal_axes(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    return vector3(moments), quaternion(quat)


# --- what is not physical

#: Mass, principal moments and principal axes.
Mass = tuple[float, Vector, Quat]


def _physical(translation: Translation, link: Link, mass: Element, inertia: Element, found: Mass) -> Mass:
    """Mass and inertia of a rigid body: as written if they are, repaired if that is asked for.

    A point mass is physical; whether a link that moves has inertia is checked when all links are known.
    """
    value, moments, axes = found
    if value < 0:
        translation.complain(mass, f"link {link.name!r}: the mass {value:g} kg is negative",
                             f"it is {SMALL_MASS:g} kg")  # fmt: skip
        value = SMALL_MASS
    # what weighs nothing has no inertia; it may be fixed to another link, which is what counts
    if value < MINVAL:
        if any(moments):
            translation.note(inertia, "an inertia without mass is left out")
        return 0.0, ORIGIN, IDENTITY
    largest, middle, least = moments
    if least < -EPSILON * max(1.0, largest):
        translation.complain(inertia, f"link {link.name!r}: the principal moments {_words(moments)} must be positive",
                             "the inertia is that of a ball of water with this mass")  # fmt: skip
        return value, (ball_inertia(value),) * 3, IDENTITY
    largest, middle, least = (moment if moment > MINVAL else 0.0 for moment in moments)
    if middle + least < largest:
        translation.complain(inertia, f"link {link.name!r}: no body has the principal moments {_words(moments)}, since "
                             f"{middle:g} + {least:g} is less than {largest:g}",
                             "the smaller two are raised by the same amount")  # fmt: skip
        lack = (largest - middle - least) * (0.5 + 1e-12)
        middle, least = middle + lack, least + lack
    return value, (largest, middle, least), axes


def ball_inertia(mass: float) -> float:
    """Moment of inertia of a ball of water."""
    radius = (3 * mass / (4 * pi * WATER)) ** (1 / 3)
    return 0.4 * mass * radius**2


def _words(moments: Vector) -> str:
    return " ".join(f"{moment:g}" for moment in moments)


# --- links without mass


def check_masses(translation: Translation, links: list[Link], moving: set[str]) -> None:
    """Every link that moves has mass and inertia, of its own or of links fixed to it.

    Args:
        translation: the file.
        links: depth first.
        moving: names of links that have a joint with degrees of freedom.
    """
    weighs: set[str] = set()
    for link in reversed(links):
        if _has_inertia(translation.bodies[link.name]):
            weighs.add(link.name)
        if link.name in weighs and link.parent is not None and link.name not in moving:
            weighs.add(link.parent.name)
    for link in links:
        if link.name in moving and link.name not in weighs:
            _complain_about_mass(translation, link)


def _complain_about_mass(translation: Translation, link: Link) -> None:
    """A link that moves needs mass and inertia; repaired, it keeps the mass that it has."""
    body = translation.bodies[link.name]
    written = next((child for child in body.children if child.tag == "inertial"), None)
    mass = written.attributes["mass"] if written is not None else 0.0
    place = child_of(link.element, "inertial") or link.element
    if mass < MINVAL:
        finding, remedy = "has no mass", f"it weighs {SMALL_MASS:g} kg, like a ball of water"
    else:
        assert written is not None
        moments = _words(written.attributes["diaginertia"])
        finding = f"has the mass {mass:g} kg and the principal moments {moments}, which must be positive"
        remedy = "the inertia is that of a ball of water with this mass"
    subject = "it" if place is link.element else f"link {link.name!r}"
    body.refused = not translation.settings.repair
    if translation.complain(place, f"{subject} moves and {finding}", remedy):
        weight = mass if mass >= MINVAL else SMALL_MASS
        pos = written.attributes["pos"] if written is not None else ORIGIN
        if written is not None:
            written.remove()
        made = put(body, "inertial", place, pos=pos, mass=weight, diaginertia=(ball_inertia(weight),) * 3)
        body.children.insert(0, body.children.pop(body.children.index(made)))


def _has_inertia(body: Element) -> bool:
    """Has a body an inertial with mass and inertia, or geoms that give it some?"""
    for child in body.children:
        if child.tag == "inertial":
            return bool(child.attributes["mass"] >= MINVAL and min(child.attributes["diaginertia"]) >= MINVAL)
    return any(child.tag == "geom" and child.attributes.get("density") != 0 for child in body.children)
