"""Tables of what can be shown beside objects. Each row is a switch, in pictures and viewers alike."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from phalanx.scene.decor_actuator import actuators, slider_cranks
from phalanx.scene.decor_body import applied_forces, centers_of_mass, inertias, skeleton
from phalanx.scene.decor_contact import contact_forces, contact_points
from phalanx.scene.decor_equality import constraints
from phalanx.scene.decor_eye import cameras, lights
from phalanx.scene.decor_frame import Draw
from phalanx.scene.decor_joint import joint_axes
from phalanx.scene.decor_perturb import perturbation, selection
from phalanx.scene.decor_sensor import RAY_SENSORS, range_finders
from phalanx.scene.decor_tendon import tendons
from phalanx.scene.subject import Model
from phalanx.tables.enums import TrnType


@dataclass(frozen=True)
class DecorRow:
    """One kind of decor.

    Attributes:
        name: its switch in `Show`.
        default: whether it is shown unless asked otherwise; as in MuJoCo.
        doc: what is drawn.
        draw: makes its shapes of a Model, a Data and a Style.
        concerns: whether a Model has anything of the kind; None for every Model.
        is_drag: whether it is about the body that the user drags, and nothing is drawn otherwise.
    """

    name: str
    default: bool
    doc: str
    draw: Draw
    concerns: Callable[[Model], bool] | None = None
    is_drag: bool = False


def _has(size: str) -> Callable[[Model], bool]:
    """Whether a Model has any objects of a kind."""
    return lambda model: bool(getattr(model, size))


def _has_ray_sensor(model: Model) -> bool:
    return bool(np.isin(model.sensor_type, RAY_SENSORS).any())


def _has_slider_crank(model: Model) -> bool:
    return bool((model.actuator_trntype == TrnType.SLIDERCRANK).any())


def _table(*rows: DecorRow) -> dict[str, DecorRow]:
    return {row.name: row for row in rows}


#: Switch -> what it draws.
DECOR: dict[str, DecorRow] = _table(
    DecorRow("tendons", True, "tendons, as capsules along their paths", tendons, _has("ntendon")),
    DecorRow("slider_cranks", True, "sliders and rods of slider-crank actuators", slider_cranks, _has_slider_crank),
    DecorRow("contacts", False, "contact points, as disks across the normal", contact_points),
    DecorRow("contact_forces", False, "contact forces, as arrows", contact_forces),
    DecorRow("joints", False, "joints, as arrows along their axes", joint_axes, _has("njnt")),
    DecorRow("actuators", False, "what actuators act on, in the color of their control", actuators, _has("nactuator")),
    DecorRow("constraints", False, "both anchors of connect and weld constraints", constraints, _has("neq")),
    DecorRow("inertias", False, "boxes or ellipsoids with the inertia of bodies", inertias),
    DecorRow("centers_of_mass", False, "centers of mass of kinematic trees", centers_of_mass),
    DecorRow("skeleton", False, "lines from body to body through the joints", skeleton),
    DecorRow("applied_forces", False, "forces of `xfrc_applied`, as arrows", applied_forces),
    DecorRow("range_finders", True, "rays of range finders", range_finders, _has_ray_sensor),
    DecorRow("cameras", False, "cameras, and what they see if they have a resolution", cameras, _has("ncam")),
    DecorRow("lights", False, "lamps where lights are", lights, _has("nlight")),
    DecorRow("perturbation", True, "the spring by which a body is dragged", perturbation, is_drag=True),
    DecorRow("selection", False, "the point of a body that is selected", selection, is_drag=True),
)


@dataclass(frozen=True)
class LookRow:
    """A switch of how objects look, which adds no shapes.

    Attributes:
        name: its switch in `Show`.
        default: its usual state; as in MuJoCo.
        doc: what it does.
    """

    name: str
    default: bool
    doc: str


#: Switch -> how objects look.
LOOKS: dict[str, LookRow] = {
    row.name: row
    for row in (
        LookRow("sites", True, "sites are drawn"),
        LookRow("skins", True, "skins are drawn"),
        LookRow("flex_skin", True, "flexes are drawn as smooth sheets, solids and tubes; without it, by what follows"),
        LookRow("flex_vertices", False, "vertices of flexes are drawn, as spheres"),
        LookRow("flex_edges", True, "edges of flexes are drawn, as capsules"),
        LookRow("flex_faces", False, "elements of flexes are drawn, as flat triangles"),
        LookRow("static", True, "bodies that cannot move are drawn"),
        LookRow("hulls", False, "meshes that collide are drawn as their convex hulls"),
        LookRow("transparent", False, "bodies that can move are transparent, by `vis.map.alpha`"),
        LookRow("split_forces", False, "contact forces are split into normal force and friction"),
        LookRow("activation", False, "actuators are colored by activation instead of control"),
        LookRow("scale_inertia", False, "inertia boxes are scaled to the mass of water"),
        LookRow("textures", True, "materials have their textures"),
        LookRow("shadows", True, "lights cast shadows"),
        LookRow("reflections", True, "floors reflect"),
        LookRow("skybox", True, "the sky is drawn"),
        LookRow("fog", False, "far objects fade into fog"),
        LookRow("haze", True, "the horizon fades into haze"),
    )
}
