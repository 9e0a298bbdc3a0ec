"""Collision: which geoms touch, where, and how deep.

`table.py` files colliders by pair of geom types; each file of colliders is named after the first type of its pairs.
Colliders of smooth shapes run in lanes; those that search or clip (box-box, convex, height field, SDF) take the worlds
of a lane in turn and say so.
"""
