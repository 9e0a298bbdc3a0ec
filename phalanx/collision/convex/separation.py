"""Directions that kept two convex geoms apart before: they are tried first, and spare most searches.

Two convex shapes are apart if one of them ends, along some direction, before the other begins. A search that finds two
geoms apart leaves such a direction. It is kept in the frame of the first geom, for the pair and not for a world: what
separates neighbors of a robot in one world mostly does so in others and in the next step. The latest directions of a
pair are tried in all worlds of a lane at once.

Contacts do not depend on what is kept. A direction is no more than a proposal: whether it separates the geoms is
computed from their poses, and geoms that are apart by more than rounding have no contacts, whatever is searched.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import multiply_transposed, multiply_vector
from phalanx.algebra.memory import load3, load9, store3
from phalanx.algebra.number import and_, any_, not_
from phalanx.algebra.vector import dot, negate, norm, normalize, sub, where3
from phalanx.collision.broad.bounds import BOX_SLACK
from phalanx.collision.geom.table import reach
from phalanx.tables.scratch_fields import APART_DIRECTIONS, APART_PAIRS


@kernel
def place_of(geom1, geom2):
    """Where the directions of a pair are kept; pairs may share a place, and then displace each other."""
    return (geom1 * 31 + geom2) % APART_PAIRS


@kernel
def is_apart(m, d, geom1, geom2, direction, near, margin, slack):
    """In which worlds geoms are apart by more than rounding along a unit vector, given in the frame of the first."""
    along = multiply_vector(load9(d.geom_xmat, geom1), direction)
    back = negate(multiply_transposed(load9(d.geom_xmat, geom2), along))
    # no search in worlds that do not count
    back = where3(near, back, (0.0, 0.0, 0.0))
    offset = sub(load3(d.geom_xpos, geom2), load3(d.geom_xpos, geom1))
    first = reach(m.geom_type[geom1], m, m.geom_dataid[geom1], load3(m.geom_size, geom1), direction)
    second = reach(m.geom_type[geom2], m, m.geom_dataid[geom2], load3(m.geom_size, geom2), back)
    return and_(near, dot(offset, along) - first - second > margin + slack)


@kernel
def keep_together(m, d, geom1, geom2, margin, near):
    """The worlds where a pair is near, without those where a direction that is kept shows it to be apart."""
    place = place_of(geom1, geom2)
    if d.apart_geom[place, 0] != geom1 or d.apart_geom[place, 1] != geom2:
        d.apart_geom[place, 0], d.apart_geom[place, 1], d.apart_count[place] = geom1, geom2, 0
    count = min(d.apart_count[place], APART_DIRECTIONS)
    if count <= 0:
        return near
    offset = sub(load3(d.geom_xpos, geom2), load3(d.geom_xpos, geom1))
    slack = BOX_SLACK * (m.geom_rbound[geom1] + m.geom_rbound[geom2] + norm(offset))
    k, is_useful = 0, False
    while k < count and any_(near):
        direction = normalize(load3(d.apart_direction, place * APART_DIRECTIONS + k))
        apart = is_apart(m, d, geom1, geom2, direction, near, margin, slack)
        is_useful = is_useful or any_(apart)
        near = and_(near, not_(apart))
        k += 1
    # a pair that stays together forgets, so that nothing is tried in vain for long
    if not is_useful:
        d.apart_count[place] = count - 1
    return near


@kernel
def remember(d, geom1, geom2, direction):
    """Keep a direction given in the frame of the first geom, as the latest."""
    place = place_of(geom1, geom2)
    first = place * APART_DIRECTIONS
    for k in range(APART_DIRECTIONS - 1, 0, -1):
        store3(d.apart_direction, first + k, load3(d.apart_direction, first + k - 1))
    store3(d.apart_direction, first, direction)
    d.apart_count[place] = min(d.apart_count[place] + 1, APART_DIRECTIONS)
