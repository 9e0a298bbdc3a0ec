"""Collision: which geoms touch, where, and how deep.

`geom` has a file for each type of geom, with all that depends on its shape. `table.py` files colliders by pair of
types: each file of `pair` is named after the first type of its pairs, `convex` searches pairs without a formula, `sdf`
those with a signed distance field. `broad` finds which geoms are near, `ray` casts rays.

Colliders of smooth shapes run in lanes; those that search or clip (box-box, convex, height field, SDF) take the worlds
of a lane in turn and say so.

Free-standing shapes need no Model: `contacts`, `distance` and `ray` of `Sphere`, `Box`, ... run the same colliders.
"""

from phalanx.collision.shape.queries import Contact, Contacts, Distance, Hit, contacts, distance, ray
from phalanx.collision.shape.shapes import (
    Box,
    Capsule,
    ConvexMesh,
    Cylinder,
    Ellipsoid,
    HeightField,
    Plane,
    Shape,
    SignedDistanceField,
    Sphere,
    TriangleMesh,
)

__all__ = [
    "Box",
    "Capsule",
    "Contact",
    "Contacts",
    "ConvexMesh",
    "Cylinder",
    "Distance",
    "Ellipsoid",
    "HeightField",
    "Hit",
    "Plane",
    "Shape",
    "SignedDistanceField",
    "Sphere",
    "TriangleMesh",
    "contacts",
    "distance",
    "ray",
]
