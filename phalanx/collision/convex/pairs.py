"""Colliders of convex pairs: each pair of convex types that has none of its own is searched.

Imported last of all files of colliders (`collision/table.py`), when those with a formula are filed.
"""

from __future__ import annotations

from itertools import combinations_with_replacement

from phalanx.algebra.jit import Kernel, kernel
from phalanx.collision.convex.convex import convex_contacts
from phalanx.collision.convex.support import TYPE
from phalanx.collision.table import COLLIDERS, collider
from phalanx.tables.geoms import GEOMS, GeomRow


def convex_collider(one: GeomRow, two: GeomRow) -> Kernel:
    """File the collider of two convex types: they have as many contacts as the rounder of them allows.

    The types go through memory, so that the search is compiled once and not for every pair.
    """
    kind1, kind2 = int(one.type), int(two.type)

    @kernel
    def convex_pair(m, d, first, second, margin):
        d.convex_id[0, TYPE], d.convex_id[1, TYPE] = kind1, kind2
        return convex_contacts(m, d, first, second, margin)

    most = min(one.contacts, two.contacts)
    return collider(one.type, two.type, max_contacts=most, world_by_world=True)(convex_pair)


_CONVEX = sorted((row for row in GEOMS.values() if row.convex), key=lambda row: row.type)
for _one, _two in combinations_with_replacement(_CONVEX, 2):
    if (_one.type, _two.type) not in COLLIDERS:
        convex_collider(_one, _two)
