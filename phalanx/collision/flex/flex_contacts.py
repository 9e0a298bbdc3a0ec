"""Contacts of flexes: with bodies, with each other, with themselves, in MuJoCo's order.

A plane meets the vertices of a flex; other geoms meet its elements, and so do elements of flexes. Those of rods with a
box section are boxes (`rod_box.py`). Which elements come near is found in trees of boxes (`element_trees.py`), or by a
sweep (`element_sweep.py`). With flag midphase disabled, each is compared with each.

They are found in one world of a lane after another (`world_at_hand.py`, `found.py`); the list is the union over them
(`contact_order.py`), as that of geoms is.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel, part
from phalanx.algebra.matrix import column
from phalanx.algebra.number import lane_count
from phalanx.algebra.vector import add_scaled, dot, sub
from phalanx.collision.flex.contact_order import NONE, merge_contacts, place_slots, unite
from phalanx.collision.flex.element_sweep import swept_pairs
from phalanx.collision.flex.element_trees import (
    are_boxes_apart,
    body_pairs,
    flex_pairs,
    is_ball_apart,
    is_rotated_apart,
)
from phalanx.collision.flex.flex_element import is_active, is_corner_of_body, share_body
from phalanx.collision.flex.flex_parameters import flex_margin
from phalanx.collision.flex.formula import NO_FORMULA, collide_by_formula, flip_normals, segment_of
from phalanx.collision.flex.found import keep_spread, note_candidate, note_candidates, reach_of, sort_found
from phalanx.collision.flex.ground import search_field, search_sdf
from phalanx.collision.flex.rod_box import box_on_box, box_on_geom, rod_frames, section_on_plane, segment_on_box
from phalanx.collision.flex.search import search_elements, search_geom
from phalanx.collision.flex.world_at_hand import at_hand, box_at_hand, geom_at_hand, rotation_at_hand, vector_at_hand
from phalanx.collision.pair.capsule import capsule_capsule
from phalanx.collision.table import put
from phalanx.memory.flags import is_disabled
from phalanx.smooth.flex.carrying_trees import is_flex_asleep
from phalanx.smooth.flex.elastic_rod import is_boxed
from phalanx.tables.enums import DisableBit, FlexSelf, GeomType, SleepState

# --- who may touch


@kernel
def masks_match(contype1, conaffinity1, contype2, conaffinity2):
    """Does one of two objects accept the other?"""
    return (contype1 & conaffinity2) != 0 or (contype2 & conaffinity1) != 0


@kernel
def body_may_touch(m, body, flex):
    """Do some geom of a body and a flex accept each other?"""
    return masks_match(m.body_contype[body], m.body_conaffinity[body], m.flex_contype[flex], m.flex_conaffinity[flex])


@kernel
def geom_may_touch(m, geom, flex):
    """Do a geom and a flex accept each other?"""
    return masks_match(m.geom_contype[geom], m.geom_conaffinity[geom], m.flex_contype[flex], m.flex_conaffinity[flex])


@kernel
def flexes_may_touch(m, flex1, flex2):
    """Do two flexes accept each other?"""
    return masks_match(
        m.flex_contype[flex1], m.flex_conaffinity[flex1], m.flex_contype[flex2], m.flex_conaffinity[flex2]
    )


@kernel
def is_fixed(m, body):
    """Does no dof move a body?"""
    return m.body_dofnum[m.body_weldid[body]] == 0


@kernel
def is_flex_fixed(m, flex):
    """Does no dof move a vertex of a flex?"""
    fixed = True
    if m.flex_interp[flex] != 0:
        for node in range(m.flex_nodeadr[flex], m.flex_nodeadr[flex] + m.flex_nodenum[flex]):
            fixed = fixed and is_fixed(m, m.flex_nodebodyid[node])
    else:
        for vertex in range(m.flex_vertadr[flex], m.flex_vertadr[flex] + m.flex_vertnum[flex]):
            fixed = fixed and is_fixed(m, m.flex_vertbodyid[vertex])
    return fixed


@kernel
def rests_on(m, d, body, flex):
    """Does a flex sleep, on a body that is not awake?"""
    return is_flex_asleep(m, d, flex) and d.body_awake[body] != SleepState.AWAKE


@kernel
def has_few_dofs(m, flex):
    """Do few dofs move all vertices of a flex, so that a few contacts say it all?"""
    return m.flex_rigid[flex] != 0 or m.flex_interp[flex] != 0


# --- geoms and a flex


@kernel
def collide_plane(m, d, geom, flex):
    """Vertices of a flex that are below a plane, or corners of the sections there."""
    if is_boxed(m, flex):
        collide_sections(m, d, geom, flex)
        return
    origin, normal = vector_at_hand(d, d.geom_xpos, geom), column(rotation_at_hand(d, d.geom_xmat, geom), 2)
    radius = at_hand(d, m.flex_radius[flex])
    reach = reach_of(m, d, geom, -1, flex)
    first = m.flex_vertadr[flex]
    for vertex in range(m.flex_vertnum[flex]):
        point = vector_at_hand(d, d.flexvert_xpos, first + vertex)
        height = dot(sub(point, origin), normal)
        if not height > reach + radius:
            dist = height - radius
            put(d, 0, dist, add_scaled(point, normal, -0.5 * dist - radius), normal)
            note_candidate(d, 0, geom, -1, flex, -1, -1, vertex)


@kernel
def collide_sections(m, d, geom, flex):
    """Corners of the sections at the vertices of a rod that are below a plane."""
    reach = reach_of(m, d, geom, -1, flex)
    for vertex in range(m.flex_vertnum[flex]):
        for k in range(section_on_plane(m, d, geom, flex, vertex, reach)):
            note_candidate(d, k, geom, -1, flex, -1, -1, vertex)


@kernel
def collide_sdf(m, d, geom, flex):
    """Triangles of a flex that are inside a signed distance field."""
    reach = reach_of(m, d, geom, -1, flex)
    for k in range(search_sdf(m, d, geom, flex, reach)):
        note_candidate(d, k, geom, -1, flex, -1, d.flex_found[k], -1)


@kernel
def collide_element(m, d, geom, flex, element):
    """Contacts of a geom and an element that has no corner on the body of the geom."""
    if is_corner_of_body(m, flex, element, m.geom_bodyid[geom]):
        return
    reach = reach_of(m, d, geom, -1, flex)
    kind, count = m.geom_type[geom], NO_FORMULA
    if is_boxed(m, flex):
        if kind == GeomType.SPHERE or kind == GeomType.CAPSULE or kind == GeomType.BOX:
            count = box_on_geom(m, d, geom, flex, element, reach)
    else:
        count = collide_by_formula(m, d, kind, geom_at_hand(m, d, geom), flex, element, reach)
    if count == NO_FORMULA:
        if kind == GeomType.HFIELD:
            count = search_field(m, d, geom, flex, element, reach)
        else:
            count = search_geom(m, d, geom, flex, element, reach)
    note_candidates(m, d, count, geom, -1, flex, -1, element)


@kernel
def collide_if_near(m, d, geom, flex, element):
    """Contacts of a geom and an element, if they may touch and their boxes are near."""
    kind = m.geom_type[geom]
    if kind == GeomType.PLANE or kind == GeomType.SDF or not geom_may_touch(m, geom, flex):
        return
    reach = reach_of(m, d, geom, -1, flex)
    box = box_at_hand(d, d.flexelem_aabb, m.flex_elemadr[flex] + element)
    center = vector_at_hand(d, d.geom_xpos, geom)
    if is_ball_apart(center, at_hand(d, m.geom_rbound[geom]) + reach, box):
        return
    if is_disabled(m, DisableBit.MIDPHASE) or not is_rotated_apart(
        center, rotation_at_hand(d, d.geom_xmat, geom), box_at_hand(d, m.geom_aabb, geom), box, reach
    ):
        collide_element(m, d, geom, flex, element)


@kernel
def finish_pair(m, d, is_reduced, is_sorted, first):
    """Sort the contacts from `first` on, and keep a few of them; not if some of them found no room in memory."""
    if d.found_num <= d.contact_capacity:
        if is_sorted:
            sort_found(d, first)
        if is_reduced:
            keep_spread(d, first)


@kernel
def collide_ground(m, d, body, flex):
    """Contacts of a flex with what its tree does not meet: planes and signed distance fields, geom by geom."""
    for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
        if geom_may_touch(m, geom, flex):
            if m.geom_type[geom] == GeomType.PLANE:
                collide_plane(m, d, geom, flex)
            elif m.geom_type[geom] == GeomType.SDF:
                collide_sdf(m, d, geom, flex)


@kernel
def collide_one_by_one(m, d, body, flex):
    """Contacts of a flex with the geoms of a body, geom by geom."""
    for geom in range(m.body_geomadr[body], m.body_geomadr[body] + m.body_geomnum[body]):
        if geom_may_touch(m, geom, flex):
            first, kind = d.found_num, m.geom_type[geom]
            if kind == GeomType.PLANE:
                collide_plane(m, d, geom, flex)
            elif kind == GeomType.SDF:
                collide_sdf(m, d, geom, flex)
            else:
                for element in range(m.flex_elemnum[flex]):
                    collide_if_near(m, d, geom, flex, element)
            finish_pair(m, d, has_few_dofs(m, flex), False, first)


@kernel
def body_contacts(m, d, body, flex):
    """Contacts of a flex with the geoms of a body."""
    if is_fixed(m, body) and is_flex_fixed(m, flex):
        return
    first = d.found_num
    if is_disabled(m, DisableBit.MIDPHASE) or m.body_bvhadr[body] < 0 or m.flex_bvhadr[flex] < 0:
        collide_one_by_one(m, d, body, flex)
        return
    collide_ground(m, d, body, flex)
    middle = d.found_num
    body_pairs(m, d, body, flex, collide_if_near)
    finish_pair(m, d, False, True, middle)
    finish_pair(m, d, has_few_dofs(m, flex), False, first)


# --- two flexes


@kernel
def collide_lines(m, d, flex1, element1, flex2, element2, reach):
    """Candidates of elements of two lines, which are boxes or round."""
    boxed1, boxed2 = is_boxed(m, flex1), is_boxed(m, flex2)
    if boxed1 and boxed2:
        return box_on_box(m, d, flex1, element1, flex2, element2, reach)
    if boxed2:
        return segment_on_box(m, d, flex1, element1, flex2, element2, reach)
    if boxed1:
        count = segment_on_box(m, d, flex2, element2, flex1, element1, reach)
        flip_normals(d, count)
        return count
    return capsule_capsule(m, d, segment_of(m, d, flex1, element1), segment_of(m, d, flex2, element2), reach)


@kernel
def collide_elements(m, d, flex1, element1, flex2, element2):
    """Contacts of two elements whose boxes are near, and that have no corners on the same body."""
    reach = reach_of(m, d, -1, flex1, flex2)
    box1 = box_at_hand(d, d.flexelem_aabb, m.flex_elemadr[flex1] + element1)
    box2 = box_at_hand(d, d.flexelem_aabb, m.flex_elemadr[flex2] + element2)
    if are_boxes_apart(box1, box2, reach) or share_body(m, flex1, element1, flex2, element2):
        return
    if m.flex_dim[flex1] == 1 and m.flex_dim[flex2] == 1:
        count = collide_lines(m, d, flex1, element1, flex2, element2, reach)
    else:
        count = search_elements(m, d, flex1, element1, flex2, element2, reach)
    note_candidates(m, d, count, -1, flex1, flex2, element1, element2)


@kernel
def collide_active(m, d, flex1, element1, flex2, element2):
    """Contacts of two elements of one flex, if both take part."""
    if is_active(m, flex1, element1) and is_active(m, flex2, element2):
        collide_elements(m, d, flex1, element1, flex2, element2)


@kernel
def two_flexes(m, d, flex1, flex2):
    """Contacts of two flexes."""
    if is_flex_fixed(m, flex1) and is_flex_fixed(m, flex2):
        return
    first = d.found_num
    has_trees = m.flex_bvhadr[flex1] >= 0 and m.flex_bvhadr[flex2] >= 0 and not is_disabled(m, DisableBit.MIDPHASE)
    if has_trees:
        reach = reach_of(m, d, -1, flex1, flex2)
        flex_pairs(m, d, flex1, flex2, reach, collide_elements)
    else:
        for element1 in range(m.flex_elemnum[flex1]):
            for element2 in range(m.flex_elemnum[flex2]):
                collide_elements(m, d, flex1, element1, flex2, element2)
    finish_pair(m, d, has_few_dofs(m, flex1) and has_few_dofs(m, flex2), has_trees, first)


# --- one flex


@kernel
def self_contacts(m, d, flex):
    """Contacts of a flex with itself; those of a sweep are in the order in which elements meet."""
    first, way = d.found_num, m.flex_selfcollide[flex]
    has_tree = False
    if way == FlexSelf.NARROW or m.flex_bvhadr[flex] < 0 or is_disabled(m, DisableBit.MIDPHASE):
        for element1 in range(m.flex_elemnum[flex]):
            if is_active(m, flex, element1):
                for element2 in range(element1 + 1, m.flex_elemnum[flex]):
                    collide_active(m, d, flex, element1, flex, element2)
    elif way == FlexSelf.BVH or (way == FlexSelf.AUTO and m.flex_dim[flex] == 3):
        flex_pairs(m, d, flex, flex, at_hand(d, flex_margin(m, -1, flex, flex)), collide_elements)
        has_tree = True
    else:
        swept_pairs(m, d, flex, collide_elements)
    finish_pair(m, d, has_few_dofs(m, flex), has_tree, first)


# --- all worlds


@kernel
def contacts_with_others(m, d):
    """Contacts of flexes with bodies and with each other, in the world at hand."""
    for body in range(m.nbody):
        for flex in range(m.nflex):
            if body_may_touch(m, body, flex) and not rests_on(m, d, body, flex):
                body_contacts(m, d, body, flex)
    for flex1 in range(m.nflex):
        for flex2 in range(flex1 + 1, m.nflex):
            are_asleep = is_flex_asleep(m, d, flex1) and is_flex_asleep(m, d, flex2)
            if flexes_may_touch(m, flex1, flex2) and not are_asleep:
                two_flexes(m, d, flex1, flex2)


@kernel
def contacts_with_themselves(m, d):
    """Contacts of flexes with themselves, in the world at hand."""
    for flex in range(m.nflex):
        accepts_itself = (m.flex_contype[flex] & m.flex_conaffinity[flex]) != 0
        # cells hold their vertices apart
        has_own_dofs = m.flex_rigid[flex] == 0 and m.flex_interp[flex] == 0 and not is_flex_asleep(m, d, flex)
        if has_own_dofs and accepts_itself and m.flex_selfcollide[flex] != FlexSelf.NONE:
            self_contacts(m, d, flex)


@kernel
def list_contacts(m, d, find):
    """Add what `find(m, d)` finds in all worlds to the list."""
    first, head = d.ncon, NONE
    for world in range(lane_count(d.time)):
        d.near_world[0] = world
        d.found_num = 0
        find(m, d)
        if d.found_num > d.contact_capacity:
            # there was no room for all
            d.ncon = max(d.ncon, first + d.found_num)
        elif d.ncon <= d.contact_capacity:
            head = unite(m, d, head, world)
    if d.ncon <= d.contact_capacity:
        place_slots(m, d, first, head)


@part()
def flex_contacts(m, d):
    """Contacts of all flexes; contacts of geoms are listed already, and theirs are put between them."""
    middle = d.ncon
    if middle > d.contact_capacity:
        return
    for flex in range(m.nflex):
        if is_boxed(m, flex):
            rod_frames(m, d, flex)
    list_contacts(m, d, contacts_with_others)
    if d.ncon <= d.contact_capacity and middle > 0 and d.ncon > middle:
        merge_contacts(m, d, middle)
    if d.ncon <= d.contact_capacity:
        list_contacts(m, d, contacts_with_themselves)
