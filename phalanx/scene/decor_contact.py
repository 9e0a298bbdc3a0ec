"""Decor of contacts: where bodies touch, and how hard."""

from __future__ import annotations

import numpy as np

from phalanx.collision.contact_sides import Sides, bodies_of, name_of
from phalanx.scene.placement import MINVAL, half_arrows, placed
from phalanx.scene.shapes import Shapes
from phalanx.scene.style import Style
from phalanx.scene.subject import Data, Model
from phalanx.tables.enums import GeomType

#: Length of an arrow by the velocity of a surface [s].
VELOCITY_SCALE = 0.5


def contact_points(model: Model, data: Data, style: Style) -> Shapes:
    """A disk at each contact, across its normal; another color where a contact has no force because of its gap.

    Arrows along the velocities of surfaces that move by themselves, such as conveyor belts (`geom_surfacevel`).
    """
    frame = np.asarray(data.contact_frame, float).reshape(-1, 3, 3)
    # the normal is the first axis of a contact and the last one of a disk
    axes = np.swapaxes(frame[:, [1, 2, 0]], 1, 2)
    size = np.zeros((len(frame), 3))
    size[:, 0] = style.scale["contactwidth"]
    size[:, 1] = np.maximum(style.scale["contactheight"], -0.5 * np.asarray(data.contact_dist))
    has_rows = np.asarray(data.contact_efc_address) >= 0
    disks = placed(
        GeomType.CYLINDER, data.contact_pos, axes, size=size, objid=np.arange(len(frame)),
        rgba=np.where(has_rows[:, None], style.rgba["contactpoint"], style.rgba["contactgap"]),
        labels=_pairs(model, data) if style.show.labels == "contact" else (),
    )  # fmt: skip
    return Shapes.joined([disks, *_surface_velocities(data, style, disks)])


def _surface_velocities(data: Data, style: Style, disks: Shapes) -> list[Shapes]:
    """Arrows in both directions along the velocity of one surface relative to the other."""
    velocity = np.asarray(data.contact_surfacevel)[:, :2]
    ids = np.flatnonzero(np.sqrt(np.sum(velocity * velocity, axis=1)) >= MINVAL)
    if not ids.size:
        return []
    tangents = np.reshape(data.contact_frame, (-1, 3, 3))[ids, 1:]
    vectors = VELOCITY_SCALE * np.einsum("nk,nkx->nx", velocity[ids], tangents)
    return [
        half_arrows(style.scale["forcewidth"], disks.pos[ids], sign * vectors, rgba=disks.rgba[ids], objid=ids)
        for sign in (1, -1)
    ]


def _pairs(model: Model, data: Data) -> list[str]:
    """Names of the two geoms of each contact, or of what of a flex touches."""
    sides = Sides.of(data)
    return [" | ".join(name_of(model, sides, k, side, "g{}") for side in (0, 1)) for k in range(len(sides.geom))]


def contact_forces(model: Model, data: Data, style: Style) -> Shapes:
    """Arrows along contact forces, towards the body with the higher id; in both directions between two moving bodies.

    With `split_forces`, one for the normal force and one for friction.
    """
    table = data.contacts()
    force, normal = table["force2"], table["normal"]
    bodies = bodies_of(model, Sides.of(data))
    shown = (np.asarray(data.contact_efc_address) >= 0) & (np.sqrt(np.sum(force * force, axis=1)) >= MINVAL)
    toward_higher = np.where(bodies[:, 0] > bodies[:, 1], -1.0, 1.0)[:, None]
    split = shown & (np.asarray(data.contact_dim) > 1) & style.show.split_forces
    whole, between = shown & ~split, (bodies > 0).all(axis=1)
    along = normal * np.sum(force * normal, axis=1, keepdims=True)
    texts = [f"{size:.3g}" for size in np.sqrt(np.sum(force * force, axis=1))]
    # which contacts, the part of the force that is shown, its color, and whether it carries the text
    groups = (
        (whole, force, "contactforce", True), (whole & between, -force, "contactforce", False),
        (split, along, "contactforce", True), (split, force - along, "contactfriction", False),
    )  # fmt: skip
    has_text = style.show.labels == "contact_force"
    parts = []
    for here, vectors, color, is_first in groups:
        ids = np.flatnonzero(here)
        parts.append(half_arrows(
            style.scale["forcewidth"], np.asarray(data.contact_pos)[ids], style.force * (toward_higher * vectors)[ids],
            rgba=style.rgba[color], objid=ids, labels=[texts[k] for k in ids] if is_first and has_text else (),
        ))  # fmt: skip
    return Shapes.joined(parts)
