"""SCRATCH rows of Data: memory that stages need between loops. Not public, absent from MuJoCo, never state.

Grouped by the stage that uses them. Kernels allocate nothing: what they need is declared here.
"""

from __future__ import annotations

from phalanx.tables.field import BOOL, FLOAT64, INT, REAL, SCALAR, WHOLE, Field, Kind
from phalanx.tables.sizes import MAXCONPAIR, MAXTREEDEPTH

EPA_ITERATIONS = 128
"""Most vertices that a penetration search adds to its polytope, whatever `ccd_iterations` says."""
EPA_FACES = 8 * EPA_ITERATIONS
"""Faces of that polytope, those given up included."""
EPA_POOL = 16 + EPA_ITERATIONS
"""Support points that the searches of a convex collision keep."""

APART_PAIRS = 256
"""Pairs of geoms for which directions that separate them are kept."""
APART_DIRECTIONS = 4
"""Directions that are kept for such a pair."""
KEPT_FACES = 128
"""Hull polygons, each seen from one of its vertices, whose corners on a plane are kept."""

MAXCONROW = 10
"""Most constraint rows of a contact: two for each direction of friction."""

SDF_STACK = 64
"""Boxes of a mesh tree that wait at the same time."""

WITH_NAN: tuple[str, ...] = ("ray_point",)
"""Rows in which NaN has a meaning: checks of kernels let it pass."""

WAKING: tuple[str, ...] = ("qpos", "qvel", "qfrc_applied", "xfrc_applied")
"""Rows of which a number that changes wakes a tree that sleeps."""


_GROWING = (
    ("nsweep", "sweep_capacity", "pairs of bodies"),
    ("nclose", "close_capacity", "pairs of geoms"),
    ("ncon", "contact_capacity", "contacts"),
    ("nefc", "efc_capacity", "constraint rows"),
    ("nJ", "J_capacity", "entries of the constraint Jacobian"),
    ("nY", "Y_capacity", "entries of Y"),
    ("nA", "A_capacity", "entries of AR"),
    ("nH", "hessian_capacity", "entries of the factor of the Hessian"),
    ("nfill", "fill_capacity", "trees that others fill into in the factor of a heap"),
    ("nheap", "heap_capacity", "entries of the factor of a heap"),
    ("ndual", "dual_capacity", "stretches of the matrix of a dual problem"),
    ("ncompact", "compact_capacity", "rows of a dual problem"),
)
CAPACITY: dict[str, str] = {count: capacity for count, capacity, _ in _GROWING}
"""Counts that no one knows ahead: the field that tells kernels how many there is memory for. It grows."""
COUNTED: dict[str, str] = {count: what for count, _, what in _GROWING}
"""What these counts count, in words."""


def scratch(name: str, shape: tuple[str | int, ...], doc: str, kind: Kind = REAL, live: str = "") -> Field:
    """A row of working memory."""
    return Field(name, kind, shape, doc, live=live, scratch=True, departs="working memory of a stage", mujoco="-")


_COMPACT_COLUMNS = (
    ("slopes", "slopes of the cost, AR f + b"),
    ("force", "forces"),
    ("low", "least forces"),
    ("high", "largest forces"),
    ("diagonal", "diagonal of the matrix"),
    ("inverse", "its inverse"),
    ("linear", "slope b of the cost without forces"),
    ("old", "forces before the last extrapolation"),
    ("point", "forces after it"),
    ("state", "states"),
    ("at_low", "states of the least forces"),
    ("at_high", "states of the largest forces"),
    ("within", "states of forces between them"),
    ("friction", "coefficients of friction; of the normal row that of the contact"),
    ("unscale", "their inverses"),
    ("regular", "regularization R"),
)
"""Numbers of each row of a dual problem without gaps."""


def _compact_columns(prefix: str, kind: Kind, owner: str) -> tuple[Field, ...]:
    return tuple(scratch(f"{prefix}_{name}", ("ncompact",), f"{owner}: {doc}", kind) for name, doc in _COMPACT_COLUMNS)


SCRATCH: dict[str, tuple[Field, ...]] = {
    "rne_scratch": (
        scratch("rne_cacc", ("nbody", 6), "com-based acceleration without qacc"),
        scratch("rne_cfrc", ("nbody", 6), "com-based force that each body needs, then that of its subtree"),
    ),
    "flex_scratch": (
        scratch("flexnode_xpos", ("nflexnode", 3), "position of the nodes of interpolated flexes"),
        scratch("flexvert_velocity", ("nflexvert", 3), "velocity of the vertices of elastic flexes"),
        scratch("flexvert_spring", ("nflexvert", 3), "elastic force on each vertex"),
        scratch("flexvert_damper", ("nflexvert", 3), "damping force on each vertex"),
        scratch("shell_quat", ("nflexnode", 4), "rotation of each face of a shell; it has fewer faces than nodes"),
        scratch("flexnode_velocity", ("nflexnode", 3), "velocity of the nodes of elastic flexes"),
        scratch("flexnode_spring", ("nflexnode", 3), "elastic force on each node"),
        scratch("flexnode_damper", ("nflexnode", 3), "damping force on each node"),
        scratch("cell_vector", (81,), "a vector at each node of the cell at hand"),
        scratch("cell_product", (81,), "stiffness of the cell times this vector"),
        scratch("flex_elastic_energy", ("nflex",), "elastic energy of each flex, if it was asked for"),
        # after the step, for what yields
        scratch("flex_qvel", ("nv",), "velocity that positions have moved with"),
        scratch("flexvert_moved", ("nflexvert", 3), "position of the vertices then"),
        scratch("flexnode_moved", ("nflexnode", 3), "position of the nodes then"),
        # edges of rods along their chains, and the hinges behind them
        scratch("rod_rest", ("nflexedge", 3), "unit vector across the edge at the reference pose"),
        scratch("rod_tangent", ("nflexedge", 3), "direction of the edge"),
        scratch("rod_length", ("nflexedge",), "its length"),
        scratch("rod_motion", ("nflexedge", 3), "its rate of change"),
        scratch("rod_normal", ("nflexedge", 3), "unit vector across the edge, of its reference frame"),
        scratch("rod_spin", ("nflexedge", 3), "rotation of the reference frame about the edge by its change"),
        scratch("rod_angle", ("nflexedge",), "angle of the material frame"),
        scratch("rod_rate", ("nflexedge",), "rate of that angle"),
        scratch("rod_twist", ("nflexedge",), "angle between the reference frames before and behind the hinge"),
        scratch("rod_torque", ("nflexedge",), "elastic torque about the edge"),
        scratch("rod_drag", ("nflexedge",), "damping torque about the edge"),
        # couplings of flexes in the metric of a step
        scratch("metric_rows", (), "most rows that there can be", INT),
        scratch("metric_entries", (), "most entries in them", INT),
        scratch("row_value", ("nv",), "entries of the row at hand, of the dofs in point_dof"),
        scratch("element_tension", (6,), "what pulls on each edge of an element"),
        scratch("flex_in_matrix", ("nflex",), "whether the flex is in the stiffness matrix", INT),
        scratch("edge_tension", ("nflexedge",), "what pulls on each edge"),
        scratch("metric_factor", (36,), "factor of the stiffness of an element by its edges", FLOAT64),
        scratch("metric_pivot", (6,), "its pivots", FLOAT64),
        scratch("cell_factor", ("nflexstiffness",), "factor of the stiffness of a cell", FLOAT64),
        scratch("cell_pivot", (81,), "pivots of that of a cell", FLOAT64),
        # the point of a flex at hand
        scratch("point_num", (), "how many dofs move it", INT),
        scratch("point_dof", ("nv",), "these dofs, ascending", INT),
        scratch("point_motion", ("nv", 6), "its motion per velocity of each: angular, linear"),
        scratch("node_share", ("nflexnode",), "weight of each node at the place of a contact"),
    ),
    "passive_scratch": (
        scratch("passive_cfrc", ("nbody", 6), "com-based passive force on each body, then that on its subtree"),
    ),
    "actuation_scratch": (
        scratch("moment_row", ("nv",), "row of the moment matrix at hand, one number per dof"),
        scratch("actuation_ctrl", ("nu",), "controls in effect: clamped, zero if any is bad, rate-limited"),
        scratch("actuation_drive", ("nout",), "force within its limits, without what no limit applies to"),
    ),
    "hook_scratch": (scratch("hook_value", (), "what the last hook returned"),),
    "step_metric_scratch": (
        scratch("metric", ("nC",), "inertia of a whole step in the pattern of M, without couplings"),
        scratch("metric_force", ("nv",), "smooth force, with what springs will do in the step"),
        scratch("coupling_num", (), "count of couplings, which are rows after the last constraint row", INT),
        scratch("has_implicit_rows", (), "whether constraint rows have been made implicit", BOOL),
        scratch("bare_R", ("nefc",), "efc_R of explicit rows", live="nefc"),
        scratch("bare_aref", ("nefc",), "efc_aref of explicit rows", live="nefc"),
        scratch("tree_bound", ("ntree",), "1 if constraints or couplings act on the tree"),
    ),
    "implicit_scratch": (
        scratch("qacc_implicit", ("nv",), "acceleration used by the update"),
        scratch("deriv_body_momentum", ("nbody", 6), "com-based momentum of each body, then that of its subtree"),
        scratch("deriv_crb_rate", ("nbody", 10), "rate of the inertia of each body, then that of its subtree"),
        scratch("deriv_axis_rate", ("nv", 6), "rate of a motion axis as felt by what comes after it"),
        scratch("deriv_momentum", ("nv", 6), "momentum of the subtree for a unit velocity of the dof"),
        scratch("deriv_left", ("nv", 6), "motion axis times the 6x6 slope of the subtree"),
        scratch("deriv_right", ("nv", 6), "6x6 slope of the subtree times the motion axis"),
        scratch("deriv_fluid_aa", ("nbody", 9), "torque of the fluid on the subtree per angular velocity"),
        scratch("deriv_fluid_al", ("nbody", 9), "torque of the fluid on the subtree per linear velocity"),
        scratch("deriv_fluid_la", ("nbody", 9), "force of the fluid on the subtree per angular velocity"),
        scratch("deriv_fluid_ll", ("nbody", 9), "force of the fluid on the subtree per linear velocity"),
        scratch("implicit_block", (42,), "system of a free body, six rows with their right-hand sides"),
        scratch("implicit_matrix", ("nC",), "qH of worlds that do not take part in a factorization"),
        scratch("implicit_diagonal", ("nv",), "qHDiagInv of worlds that do not take part in a factorization"),
    ),
    "jacobian_scratch": (
        scratch("jacp", ("nv", 3), "translational Jacobian asked for last, one column per dof"),
        scratch("jacr", ("nv", 3), "rotational Jacobian asked for last, one column per dof"),
        scratch("jac_point", (3,), "world point whose Jacobian is asked for"),
    ),
    "vector_scratch": (
        scratch("vector_in", ("nv",), "vector that a product or a solve is asked for"),
        scratch("vector_out", ("nv",), "result of a product or a solve"),
    ),
    "asked_scratch": (
        # questions of the user, and answers
        scratch("asked_object", (3,), "frame that is asked for: type, id, whether along its own axes", INT),
        scratch("asked_point", (3,), "world point"),
        scratch("asked_wrench", (6,), "force and torque at that point"),
        scratch("asked_motion", (6,), "velocity or acceleration of the frame: angular, linear"),
        scratch("asked_answer", (), "a number: the cost of the rows, whether the point is inside a site"),
        scratch("asked_qpos1", ("nq",), "positions to move, or to begin with"),
        scratch("asked_qpos2", ("nq",), "positions to end with"),
        scratch("asked_step", (), "time from the first positions to the second"),
    ),
    "half_step_scratch": (scratch("is_renewed", (), "whether a world was reset in the second half of a step", BOOL),),
    "contact_list_scratch": (
        # contacts of each world, for Python: the list of a lane group has those of all its worlds
        scratch("nlisted", (), "contacts that there is memory for", INT),
        scratch("listed_count", (), "contacts of the lane group"),
        scratch("listed_is_there", ("nlisted",), "whether the world has the contact"),
        scratch("listed_geom", ("nlisted", 2), "its geoms"),
        scratch("listed_flex", ("nlisted", 2), "its flexes"),
        scratch("listed_elem", ("nlisted", 2), "their elements"),
        scratch("listed_vert", ("nlisted", 2), "their vertices"),
        scratch("listed_dim", ("nlisted",), "its dimension"),
        scratch("listed_dist", ("nlisted",), "distance of the surfaces"),
        scratch("listed_pos", ("nlisted", 3), "contact point"),
        scratch("listed_frame", ("nlisted", 9), "its axes"),
        scratch("listed_friction", ("nlisted", 5), "its friction"),
        scratch("listed_adhesion", ("nlisted",), "its attraction"),
        scratch("listed_has_rows", ("nlisted",), "whether it has constraint rows"),
        scratch("listed_force", ("nlisted", MAXCONROW), "forces of its rows"),
    ),
    "solution_scratch": (
        # solutions of constraints that were found on the way of a step, for its derivatives
        scratch("nsolution", (), "numbers of solutions that there is memory for", INT),
        scratch("solution_place", (), "where the next solution begins", INT),
        scratch("solution", ("nsolution",), "qacc, qfrc_constraint and efc_force, one solution after another"),
    ),
    "narrowphase_scratch": (
        scratch("near_candidate", ("ncandidate",), "listed pairs of geoms whose bounds are near", INT),
        # contacts of the pair of geoms at hand, in lanes
        scratch("near_dist", (MAXCONPAIR,), "signed distance; beyond the margin there is no contact"),
        scratch("near_pos", (MAXCONPAIR, 3), "point halfway between the surfaces"),
        scratch("near_normal", (MAXCONPAIR, 3), "unit normal from the first geom to the second"),
        scratch("near_tangent", (MAXCONPAIR, 3), "preferred first tangent, or zero"),
        scratch("near_geom", (2,), "the two geoms, for colliders that take the worlds of a lane in rotation", INT),
        # the same in one world, for colliders that take the worlds of a lane in rotation
        scratch("near_world", (1,), "which world of the lane", INT),
        scratch("world_dist", (MAXCONPAIR,), "signed distance in one world", SCALAR),
        scratch("world_pos", (MAXCONPAIR, 3), "point halfway between the surfaces in one world", SCALAR),
        scratch("world_normal", (MAXCONPAIR, 3), "unit normal from the first geom to the second in one world", SCALAR),
    ),
    "ahead_scratch": (
        # where velocities lead in the step
        scratch("ahead_cvel", ("nbody", 6), "com-based velocity of each body"),
        scratch("geom_shift", ("ngeom", 3), "way of the center"),
        scratch("geom_rotation", ("ngeom", 3), "rotation vector"),
        scratch("geom_travel", ("ngeom",), "longest way of a point on the surface"),
        scratch("body_travel", ("nbody",), "the longest of its geoms"),
        # contacts of the pair of geoms at hand that lie ahead, in lanes
        scratch("ahead_half", (MAXCONPAIR, 3), "half the way from a point on the first geom to the second", FLOAT64),
        scratch("ahead_num", (), "how many points there are", INT),
        scratch("ahead_has", (MAXCONPAIR,), "whether the world has the point"),
        scratch("ahead_pos", (MAXCONPAIR, 3), "the point, at the start of the step"),
        scratch("ahead_normal", (MAXCONPAIR, 3), "unit normal from the first geom to the second at the impact"),
        scratch("ahead_time", (MAXCONPAIR,), "part of the step until the impact"),
        scratch("ahead_way", (MAXCONPAIR,), "how far the geoms close in until then"),
        # the same of all contacts, zero of those that are there
        scratch("contact_time", ("ncon",), "part of the step until the contact is there", live="ncon"),
        scratch("contact_way", ("ncon",), "how far its geoms close in until then", live="ncon"),
    ),
    "flex_contact_scratch": (
        # what was found in one world
        scratch("found_num", (), "how many contacts", INT),
        scratch("found_part", ("ncon", 6), "geom, two flexes, two elements and the vertex that touch, or -1", INT),
        scratch("found_dist", ("ncon",), "signed distance", SCALAR),
        scratch("found_pos", ("ncon", 3), "point halfway between the surfaces", SCALAR),
        scratch("found_normal", ("ncon", 3), "unit normal from the first side to the second", SCALAR),
        scratch("found_tangent", ("ncon", 3), "preferred first tangent, or zero", SCALAR),
        scratch("found_order", ("ncon",), "for each place, who comes there by id", INT),
        scratch("found_apart", ("ncon",), "squared distance from the contacts that are kept", SCALAR),
        # contacts of flexes are moved after they are made
        scratch("contact_order", ("ncon",), "for each place of the list, who comes there", INT, live="ncon"),
        scratch("contact_next", ("ncon",), "who comes there, while the order is made", INT, live="ncon"),
        # pairs of nodes of two trees; elements whose boxes are swept
        scratch("flex_stack", (2 * MAXTREEDEPTH + 2, 2), "pairs of nodes still to be looked at", INT),
        scratch("sap_element", ("nflexelem",), "elements of a flex that take part", INT),
        scratch("sap_value", ("nflexelem*2",), "where their boxes begin and end along the sweep", FLOAT64),
        scratch("sap_order", ("nflexelem*2",), "beginnings and ends by that value", INT),
        scratch("sap_merged", ("nflexelem*2",), "the same while they are sorted", INT),
        scratch("sap_side", ("nflexelem", 4), "where boxes begin and end along the axes across the sweep", FLOAT64),
        scratch("sap_link", ("nflexelem*2", 2), "boxes that have begun: the one before, the one after", INT),
        # elements at hand
        scratch("flex_corner", (8, 3), "corners of the elements of both sides, four each", FLOAT64),
        scratch("flex_found", (MAXCONPAIR,), "element of each candidate of a signed distance field", INT),
    ),
    "box_scratch": (
        scratch("box_polygon", (24, 3), "corners of a face before and after a cut: x, y, height", SCALAR),
        scratch("box_beyond", (12,), "how far each corner is beyond the plane of the cut", SCALAR),
    ),
    "convex_scratch": (
        # the two convex shapes at hand, of one world, in double precision
        scratch("convex_pos", (2, 3), "world position", FLOAT64),
        scratch("convex_mat", (2, 9), "world rotation", FLOAT64),
        scratch("convex_size", (2, 3), "sizes", FLOAT64),
        scratch("convex_inflate", (2,), "how far every support point is moved along its direction", FLOAT64),
        scratch("convex_id", (2, 4), "type, mesh, last vertex, last vertex of the hull", INT),
        # support points of their difference
        scratch("convex_vertex", (EPA_POOL, 3), "point of the first shape minus point of the second", FLOAT64),
        scratch("convex_first", (EPA_POOL, 3), "point of the first shape", FLOAT64),
        scratch("convex_second", (EPA_POOL, 3), "point of the second shape", FLOAT64),
        scratch("convex_vertexid", (EPA_POOL, 2), "vertices of the shapes, -1 where a shape has none", INT),
        scratch("convex_weight", (4,), "weights of the simplex vertices", FLOAT64),
        # the expanding polytope
        scratch("epa_center", (3,), "a point inside", FLOAT64),
        scratch("epa_scale", (1,), "largest distance of a first vertex from the origin", FLOAT64),
        scratch("epa_count", (3,), "vertices, faces, open faces", INT),
        scratch("epa_vertices", (EPA_FACES, 3), "vertices of a face", INT),
        scratch("epa_neighbors", (EPA_FACES, 3), "faces across its edges", INT),
        scratch("epa_normal", (EPA_FACES, 3), "outward unit normal", FLOAT64),
        scratch("epa_offset", (EPA_FACES,), "how far the origin is below the face", FLOAT64),
        scratch("epa_place", (EPA_FACES,), "place in the list of open faces, or negative", INT),
        scratch("epa_open", (EPA_FACES,), "faces that may be nearest to the origin", INT),
        scratch("epa_horizon", (EPA_FACES, 2), "edges between kept and removed faces: face and edge", INT),
        scratch("epa_visit", (EPA_FACES, 3), "stack of the walk over removed faces", INT),
        # faces and edges that meet
        scratch("clip_row", (3,), "vertices of the pool where the search ended", INT),
        scratch("clip_dim", (2,), "1, 2, 3: each shape is touched at a corner, an edge, a face", INT),
        scratch("clip_corner", (2, 3), "vertices of that feature", INT),
        scratch("clip_faces", (2, 3), "faces that meet there", INT),
        scratch("clip_start", (2, 3), "where the edges start", FLOAT64),
        scratch("clip_end", (2, 3), "where the only edge ends", FLOAT64),
        scratch("clip_face", ("face corners*2", 3), "outline of a face, clockwise; shapes take rotates", FLOAT64),
        scratch("clip_polygon", ("clip corners*2", 3), "a polygon before and after a cut, in rotates", FLOAT64),
        # result
        scratch("convex_x1", (3,), "nearest point of the first shape", FLOAT64),
        scratch("convex_x2", (3,), "nearest point of the second shape", FLOAT64),
        scratch("convex_dist", (4,), "signed distance of each contact", FLOAT64),
        scratch("convex_point", (4, 3), "its position", FLOAT64),
        scratch("convex_normal", (3,), "normal of all of them, from the first shape to the second", FLOAT64),
    ),
    "separation_scratch": (
        # directions that kept pairs of geoms apart: only proposals, on which no result depends
        scratch("apart_geom", (APART_PAIRS, 2), "the pair of geoms", INT),
        scratch("apart_count", (APART_PAIRS,), "directions that are kept for it", INT),
        scratch("apart_direction", (APART_PAIRS * APART_DIRECTIONS, 3), "in the frame of the first geom", FLOAT64),
    ),
    "face_scratch": (
        # corners of hull polygons that touch planes: the same in all poses, found when a polygon first does
        scratch("kept_entry", (KEPT_FACES,), "1 + place in mesh_polymap of the polygon at the deepest vertex", INT),
        scratch("kept_corner", (KEPT_FACES, 3), "the other vertices that touch, or -1", INT),
        # of the mesh at hand, in lanes
        scratch("touch_corner", (4, 3), "corners of the face that touches a plane, in the frame of the mesh"),
    ),
    "distance_scratch": (
        scratch("distance_geom", (2,), "geoms whose distance is asked for", INT),
        scratch("distance_max", (), "largest distance of interest", SCALAR),
        scratch("distance_dist", (), "their distance"),
        scratch("distance_fromto", (2, 3), "the points where they are nearest"),
    ),
    "heightfield_scratch": (
        scratch("prism_vertex", (6, 3), "prism under a triangle of the surface: the base, then the top", FLOAT64),
    ),
    "sdf_scratch": (
        scratch("sdf_point", (MAXCONPAIR, 3), "where the search for each contact ended, in the SDF", FLOAT64),
        scratch("sdf_dist", (MAXCONPAIR,), "distance of the surfaces there", FLOAT64),
        scratch("sdf_gradient", (3,), "gradient of the distance of a plugin", FLOAT64),
        scratch("sdf_stack", (SDF_STACK,), "boxes of a mesh still to be looked at", INT),
    ),
    "ray_scratch": (
        scratch("nray", (), "rays that there is memory for", INT),
        scratch("ray_filter", (3,), "what rays see: mask of groups, static geoms or not, all bodies but one", INT),
        scratch("ray_origin", ("nray", 3), "where each ray starts"),
        scratch("ray_direction", ("nray", 3), "where it goes"),
        scratch("ray_dist", ("nray",), "distance in lengths of its direction, -1 without a hit"),
        scratch("ray_geomid", ("nray",), "geom that it hit, a number of each world; -1 if none"),
        scratch("ray_vertex", ("nray",), "vertex of a flex that is nearest to where it hit, a number; -1 if none"),
        scratch("ray_normal", ("nray", 3), "normal of the surface there"),
        scratch("ray_point", ("nray", 3), "where the surface is hit, NaN without a hit"),
        scratch("ray_visible", ("ngeom",), "geoms that the rays at hand can hit", INT),
        scratch("ray_stack", (MAXTREEDEPTH,), "nodes of a mesh tree still to be looked at", INT),
    ),
    "batch_scratch": (
        scratch("row_pattern", (), "which rows act, as a number to compare worlds by"),
        scratch("is_reset", (), "whether a world is to begin anew"),
        scratch("contact_count", (), "count of contacts of each world in the last pass", WHOLE),
    ),
    "capacity_scratch": (
        scratch("is_short", (), "whether the last operation found too little memory, or a part absent", BOOL),
        scratch("absent_part", (), "which part was called that is not loaded, counted from 1; 0 if none", INT),
        # written when memory is made, read by kernels
        *(scratch(capacity, (), f"{what} that memory has room for", INT) for _, capacity, what in _GROWING),
    ),
    "broadphase_scratch": (
        # bodies that are swept, sorted along one axis; boxes hold the body in all worlds of a lane
        scratch("body_low", ("nbody", 3), "lowest corner of the box around a body", FLOAT64),
        scratch("body_high", ("nbody", 3), "highest corner of the box around a body", FLOAT64),
        scratch("axis_spread", (3,), "variance of the centers of boxes along an axis, times a constant", FLOAT64),
        scratch("axis_start", (3,), "where boxes begin along an axis", FLOAT64),
        scratch("axis_length", (3,), "how far boxes go along an axis", FLOAT64),
        scratch("axis_extent", (3,), "mean extent of a box along an axis", FLOAT64),
        scratch("body_key", ("nbody",), "where a box begins along the sweep, as a whole number", INT),
        scratch("sweep_order", ("nbody",), "bodies by that key", INT),
        scratch("sweep_spare", ("nbody",), "bodies by the lower half of it", INT),
        scratch("sweep_low", ("nbody", 3), "lowest corners in sorted order: sweep axis, across it, the third", FLOAT64),
        scratch(
            "sweep_high", ("nbody", 3), "highest corners in sorted order: sweep axis, across it, the third", FLOAT64
        ),
        scratch("cell_first", ("nbody", 3), "in sorted order: where a box begins, its first strip and layer", INT),
        scratch("cell_last", ("nbody", 3), "in sorted order: where a box ends, its last strip and layer", INT),
        scratch("cell_place", ("nbody*4",), "places in sorted order of the boxes in each cell", INT),
        scratch("bucket_end", ("nbody*2",), "where a digit, a cell or a second body ends in a list sorted by it", INT),
        scratch("nexamined", (), "pairs of boxes that the sweep compared", INT),
        scratch("nsweep", (), "count of pairs of bodies", INT),
        scratch("sweep_body1", ("nsweep",), "one body, in the end that of smaller id", INT, live="nsweep"),
        scratch("sweep_body2", ("nsweep",), "the other body", INT, live="nsweep"),
        scratch("sweep_first", ("nsweep",), "first bodies, by second body", INT, live="nsweep"),
        scratch("sweep_partner", ("nsweep",), "second bodies, by first body, ascending", INT, live="nsweep"),
        scratch("sweep_end", ("nbody",), "where the partners of a body end", INT),
        # bodies that rest, sorted along one axis; kept as long as nobody wakes up or falls asleep (broad/resting.py)
        scratch("rest_is_made", (), "whether the list is that of the bodies that rest now", INT),
        scratch("rest_count", (), "bodies of usual size", INT),
        scratch("rest_large", (), "bodies beyond them that are much larger", INT),
        scratch("rest_axis", (), "axis that they are sorted along", INT),
        scratch("rest_ruler", (2,), "where keys begin, and how many a unit of length has", FLOAT64),
        scratch("rest_extent", (), "largest extent along the axis, of bodies of usual size", FLOAT64),
        scratch("rest_body", ("sleeping bodies",), "the bodies by key, then the large ones", INT),
        scratch("rest_key", ("sleeping bodies",), "where a box begins along the axis, as a whole number", INT),
        scratch("rest_low", ("sleeping bodies", 3), "lowest corners, in the same order", FLOAT64),
        scratch("rest_high", ("sleeping bodies", 3), "highest corners, in the same order", FLOAT64),
        # pairs of geoms whose bounds are near, in the order of their contacts
        scratch("nclose", (), "count of pairs of geoms", INT),
        scratch("close_geom1", ("nclose",), "geom of smaller type", INT, live="nclose"),
        scratch("close_geom2", ("nclose",), "the other geom", INT, live="nclose"),
        scratch("close_pair", ("nclose",), "explicit pair that gives the parameters, or -1", INT, live="nclose"),
        scratch("tree_stack", (MAXTREEDEPTH,), "nodes of a body's tree still to be looked at", INT),
    ),
    "constraint_scratch": (
        scratch("row_vectors", ("nv", 4), "rows of a pack, or of Y, a number of each for every dof"),
        scratch("inertia_root", ("nv",), "square root of the inverse of D, of the factors of M"),
        scratch("column_seen", ("nv",), "row in which a column was seen last", INT),
        # pattern of the dual matrix: rows are linked by the roots they share
        scratch("root_entry", ("nv",), "last entry of Y in the column of a root, -1 if none", INT),
        scratch("entry_row", ("nY",), "row of an entry of Y in the column of a root", INT, live="nY"),
        scratch("entry_next", ("nY",), "entry of Y before it in the same column, -1 if none", INT, live="nY"),
        scratch("root_pattern", ("nv",), "a row of AR with all rows that have this root and no other, or -1", INT),
        scratch("row_seen", ("nefc",), "row that shares a root with this one, seen last", INT, live="nefc"),
        scratch("row_place", ("nefc",), "entry of AR that comes next in the row", INT, live="nefc"),
    ),
    "hessian_size_scratch": (
        scratch("nH", (), "count of entries of the factor of the Hessian, or a bound", INT),
        scratch("fill_row", ("nefc",), "rows that may fill in", INT, live="nefc"),
        scratch("fill_row_place", ("nefc",), "entry of a row whose dof has it in its list", INT, live="nefc"),
        scratch("fill_row_next", ("nefc",), "another row in the same list, -1 if none", INT, live="nefc"),
        scratch("fill_column", ("nJ",), "places of the entries of a row, ascending, if not dofs", INT, live="nJ"),
        scratch("fill_dof_row", ("nv",), "a row in the list of a dof, -1 if none", INT),
        # the elimination tree: a dof is eliminated before its parent
        scratch("fill_parent", ("nv",), "dof that the elimination of this one fills into first, -1 if none", INT),
        scratch("fill_ancestor", ("nv",), "a dof above it, to find the last one seen so far", INT),
        scratch("fill_child", ("nv",), "a dof of which this is the nearest ancestor in M, -1 if none", INT),
        scratch("fill_sibling", ("nv",), "another one", INT),
        scratch("fill_size", ("nv",), "count of dofs of the subtree", INT),
        scratch("fill_order", ("nv",), "dofs in the order of their visit, subtrees together", INT),
        scratch("fill_first", ("nv",), "where the subtree begins in that order", INT),
        # counts
        scratch("fill_seen", ("nv",), "where the last subtree that fills into the dof begins in that order", INT),
        scratch("fill_leaf", ("nv",), "last leaf of what fills into the dof, -1 if none", INT),
        scratch("fill_count", ("nv",), "entries in the row of the factor, while they are counted", INT),
    ),
    "solver_scratch": (
        # the island at hand: its dofs and rows in increasing order
        scratch("solve_ndof", (), "count of dofs", INT),
        scratch("solve_nrow", (), "count of rows", INT),
        scratch("solve_ne", (), "how many of them are equalities", INT),
        scratch("solve_knows_ne", (), "1 if they have their states and are counted", INT),
        scratch("solve_active", (), "how many of them each world has"),
        scratch("solve_nf", (), "how many of them are friction losses", INT),
        scratch("solve_dof", ("nv",), "its dofs", INT),
        scratch("solve_nstretch", (), "count of stretches of dofs without gaps", INT),
        scratch("solve_stretch", ("nv", 2), "first dof of each stretch, and the dof after its last", INT),
        scratch("solve_nsimple", (), "count of stretches of simple dofs", INT),
        scratch("solve_simple", ("nv", 2), "first of the simple dofs of each, and the dof after its last", INT),
        scratch("solve_ncoupled", (), "count of the other dofs, which are not simple", INT),
        scratch("solve_coupled", ("nv",), "those dofs", INT),
        scratch("solve_place", ("nv",), "place of a dof in that list", INT),
        scratch("solve_row", ("nefc",), "its rows", INT, live="nefc"),
        scratch("solve_npack", (), "count of packs of rows, see packs.py", INT),
        scratch("solve_pack", ("nefc",), "first rows of its packs", INT, live="nefc"),
        scratch("solve_ncoupling", (), "how many of the packs, the last ones, are couplings", INT),
        scratch("efc_pack", ("nefc",), "count of rows of a pack at its first row, else zero", INT, live="nefc"),
        scratch("efc_columns", ("nefc",), "kind of its columns, see row_packs.py", INT, live="nefc"),
        scratch("tree_root", ("ntree",), "smallest tree of the same island in each world, -1 if unconstrained"),
        scratch("tree_parent", ("ntree",), "the same in one world, while islands grow together", INT),
        scratch("efc_tree", ("nefc",), "a tree that the row acts on", INT, live="nefc"),
        # the present point and the search direction
        scratch("solve_Ma", ("nv",), "M qacc"),
        scratch("solve_grad", ("nv",), "gradient of the cost"),
        scratch("solve_Mgrad", ("nv",), "gradient times the inverse of M or of the Hessian"),
        scratch("solve_grad_old", ("nv",), "gradient of the iteration before"),
        scratch("solve_Mgrad_old", ("nv",), "M^-1 gradient of the iteration before"),
        scratch("solve_jar", ("nefc",), "J qacc - aref", live="nefc"),
        scratch("search", ("nv",), "direction of the line search"),
        scratch("search_Mv", ("nv",), "M times the direction"),
        scratch("search_Jv", ("nefc",), "J times the direction", live="nefc"),
        scratch("search_nside", (), "count of rows that only push", INT),
        scratch("search_ncone", (), "count of cones", INT),
        scratch("search_row", ("nefc",), "which rows they are", INT, live="nefc"),
        scratch(
            "search_side", ("nefc", 4), "rows that only push, along the direction: see line_search.py", live="nefc"
        ),
        scratch("search_cone", ("nefc", 4), "cones along the direction, three lines each", live="nefc"),
        scratch("search_slope", (), "what is linear along the whole line: its slope"),
        scratch("search_curvature", (), "what is quadratic along the whole line: half its second derivative"),
        # Hessian of Newton's method, in CSR with the diagonal last in each row; rows and columns are places of dofs
        scratch("hessian_place", ("nv",), "places of the dofs of the island, ascending", INT),
        scratch("hessian_rank", ("nv",), "where a place is in that list", INT),
        scratch("hessian_x", ("nv",), "a vector by place"),
        # where flexes have an order of their own, see hessian_by_place.py: the dofs of constraint rows by place
        scratch("new_column", ("nv",), "columns that are put into a row", INT),
        scratch("column_address", ("nv",), "where a column is in the row at hand", INT),
        scratch("nmeeting", (), "count of dofs of packs, or of threes of them", INT),
        scratch("meeting_place", ("nJ",), "their place", INT, live="nJ"),
        scratch("meeting_entry", ("nJ",), "their entry in efc_J", INT, live="nJ"),
        scratch("meeting_width", ("nJ",), "1, or 3 for the three of a vertex", INT, live="nJ"),
        scratch("meeting_row", ("nJ",), "the first row of their pack", INT, live="nJ"),
        scratch("meeting_first", ("nJ",), "the first one of the pack", INT, live="nJ"),
        scratch("meeting_next", ("nJ",), "another one at the same place, -1 if none", INT, live="nJ"),
        scratch("place_meeting", ("nv",), "one of a place, -1 if none", INT),
        scratch("hessian", ("nH",), "M + J' D J over the quadratic rows"),
        scratch("hessian_factor", ("nH",), "factors L and D of the Hessian with cones"),
        scratch("hessian_inverse", ("nv",), "inverse of the diagonal D"),
        scratch("hessian_weight", ("nefc",), "D of the rows as it is in the Hessian", live="nefc"),
        scratch("hessian_rownnz", ("nv",), "count of entries in each row", INT),
        scratch("hessian_rowadr", ("nv",), "first entry of each row", INT),
        scratch("hessian_colind", ("nH",), "column of each entry", INT),
        scratch("hessian_mark", ("nv",), "row in which a column was seen last", INT),
        scratch("hessian_child", ("nv",), "a row that fills into this one when it is eliminated, -1 if none", INT),
        scratch("hessian_sibling", ("nv",), "another row that fills into the same one", INT),
        scratch("hessian_efc", ("nv",), "a constraint row of which this is the largest dof, -1 if none", INT),
        scratch("hessian_efc_next", ("nefc",), "another one", INT, live="nefc"),
    ),
    # islands of many trees: constraint/heap_order.py, constraint/heap_panels.py, solver/heap_factor.py
    "heap_scratch": (
        scratch("heap_world", (), "world whose order and panels these are, -1 if none", INT),
        scratch("heap_ntree", (), "count of trees", INT),
        scratch("heap_tree", ("ntree",), "trees, by their ids", INT),
        # elements: trees that rows tie together; then, in their place, trees that one filled into
        scratch("heap_nelement", (), "count of rows that are elements", INT),
        scratch("heap_nmember", (), "count of their trees, all together", INT),
        scratch("heap_member", ("nJ",), "trees of these elements", INT, live="nJ"),
        scratch("heap_memberadr", ("nefc",), "where those of an element begin", INT, live="nefc"),
        scratch("heap_membernum", ("nefc",), "how many it has", INT, live="nefc"),
        scratch("heap_elementsize", ("nefc",), "their dofs, 0 if the element is no more", INT, live="nefc"),
        scratch("heap_elementrest", ("nefc",), "dofs that the last tree did not fill into", INT, live="nefc"),
        scratch("heap_elementseen", ("nefc",), "the tree for which those of an element were counted", INT, live="nefc"),
        scratch("heap_list", ("nJ",), "elements of each tree; -1 - t is what tree t filled into", INT, live="nJ"),
        scratch("heap_listadr", ("ntree",), "where those of a tree begin", INT),
        scratch("heap_listnum", ("ntree",), "how many elements it has", INT),
        scratch("heap_size", ("ntree",), "dofs that a tree filled into, 0 if that is no element", INT),
        scratch("heap_rest", ("ntree",), "those of them that the last tree did not fill into", INT),
        scratch("heap_seen", ("ntree",), "the tree for which these were counted", INT),
        scratch("heap_mark", ("ntree",), "the last tree that filled into this one", INT),
        # trees by degree
        scratch("heap_degree", ("ntree",), "dofs of its neighbors, or a few more", INT),
        scratch("heap_top", (), "largest degree that has a list", INT),
        scratch("heap_bucket", ("nv",), "a tree of this degree, -1 if none", INT),
        scratch("heap_next", ("ntree",), "another one of the same degree, -1 if none", INT),
        scratch("heap_before", ("ntree",), "the one before it, -1 if none", INT),
        # the order of elimination and what it fills in
        scratch("nfill", (), "count of trees that others fill into, the most of all islands", INT),
        scratch("heap_order", ("ntree",), "trees in the order of elimination", INT),
        scratch("heap_place", ("ntree",), "place of a tree in this order", INT),
        scratch("heap_adr", ("ntree",), "where the trees begin that a tree fills into", INT),
        scratch("heap_num", ("ntree",), "how many trees these are", INT),
        scratch("heap_fill", ("nfill",), "the trees that trees fill into", INT),
        scratch("heap_offset", ("nfill",), "their first columns in the panel", INT),
        scratch("heap_parent", ("ntree",), "the next of those that a tree fills into, -1 if none", INT),
        scratch("heap_count", ("ntree",), "count of the trees below it and of itself", INT),
        # panels of the factor
        scratch("nheap", (), "count of entries of all panels, the most of all islands", INT),
        scratch("heap_nentry", (), "count of entries of the panels of the island at hand", INT),
        scratch("heap_npanel", (), "count of panels", INT),
        scratch("heap_panel", ("ntree",), "panel of a tree", INT),
        scratch("heap_pivot", ("ntree",), "dofs that are eliminated before those of a tree", INT),
        scratch("panel_tree", ("ntree",), "last tree of a panel", INT),
        scratch("panel_pivot", ("ntree",), "dofs that are eliminated before those of a panel", INT),
        scratch("panel_rows", ("ntree",), "dofs of a panel", INT),
        scratch("panel_columns", ("ntree",), "dofs of a panel, and those that it fills into", INT),
        scratch("panel_adr", ("ntree",), "where a panel begins in heap_values", INT),
        scratch("heap_mapped", (), "entry of heap_fill that heap_column begins with", INT),
        scratch("heap_column", ("ntree",), "first columns of trees in another panel", INT),
        scratch("heap_values", ("nheap",), "two buffers, then the Hessian, and its factor", SCALAR),
        scratch("heap_inverse", ("nv",), "inverse of the diagonal D, in the order of elimination", SCALAR),
        scratch("heap_x", ("nv",), "a vector in this order", SCALAR),
    ),
    # the dual problem without gaps, of worlds with the same rows (lane_*) or of one world (world_*): compact_problem.py
    "compact_scratch": (
        scratch("compact_nrow", (), "count of rows", INT),
        scratch("compact_row", ("nefc",), "its rows", INT, live="nefc"),
        scratch("compact_place", ("nefc",), "place of a row in that list, -1 if it is not there", INT, live="nefc"),
        scratch("compact_dim", ("nefc",), "rows of the block that begins here, 0 inside a block", INT, live="nefc"),
        scratch("compact_nblock", (), "count of blocks", INT),
        scratch("compact_block", ("nefc",), "first row of each block, in the order of visits", INT, live="nefc"),
        scratch("compact_next", ("nefc",), "the same for the next sweep", INT, live="nefc"),
        scratch("compact_entries", (), "count of entries of the matrix as MuJoCo keeps it", INT),
        scratch("compact_is_full", (), "does every row of the matrix have all stretches?", INT),
        scratch("ncompact", (), "count of rows up to a multiple of eight, the most of all problems", INT),
        scratch("ndual", (), "count of stretches of the matrix, the most of all problems", INT),
        scratch("compact_rowadr", ("nefc",), "first stretch of each row of the matrix", INT, live="nefc"),
        scratch("compact_rownnz", ("nefc",), "count of stretches of each row", INT, live="nefc"),
        scratch("compact_diagonal", ("nefc",), "diagonal entry of each row of the matrix", INT, live="nefc"),
        scratch("compact_stretch", ("ndual",), "which columns a stretch has: its first one, divided by eight", INT),
        scratch("lane_matrix", ("ndual", 8), "the matrix"),
        scratch("lane_white", ("ndual", 8), "Y of the rows, by columns"),
        *_compact_columns("lane", REAL, "lanes"),
        scratch("world_matrix", ("ndual", 8), "the matrix of one world", SCALAR),
        scratch("world_white", ("ndual", 8), "Y of its rows, by columns", SCALAR),
        *_compact_columns("world", SCALAR, "one world"),
    ),
    # stretches of what does not sleep: how much comes before each (the world body not counted), and how much after it.
    # Memory that is zero says that all of it is awake
    "awake_scratch": (
        scratch("awake_tree", ("stretches of trees", 2), "trees before and after a stretch", INT),
        scratch("awake_body", ("stretches of bodies", 2), "bodies before and after a stretch", INT),
        scratch("awake_joint", ("stretches of joints", 2), "joints before and after a stretch", INT),
        scratch("awake_position", ("stretches of joints", 2), "elements of qpos before and after those joints", INT),
        scratch("awake_dof", ("stretches of dofs", 2), "dofs before and after a stretch", INT),
        scratch("awake_geom", ("stretches of geoms", 2), "geoms before and after a stretch", INT),
        scratch("awake_site", ("stretches of sites", 2), "sites before and after a stretch", INT),
        scratch("more_trees", (), "stretches of trees beside the first", INT),
        scratch("more_bodies", (), "stretches of bodies beside the first", INT),
        scratch("more_joints", (), "stretches of joints beside the first", INT),
        scratch("more_dofs", (), "stretches of dofs beside the first", INT),
        scratch("more_geoms", (), "stretches of geoms beside the first", INT),
        scratch("more_sites", (), "stretches of sites beside the first", INT),
        scratch("ntied", (), "trees that equalities woke in this step", INT),
        scratch("tied_tree", ("sleeping trees",), "which they are", INT),
        scratch("tied_value", ("sleeping trees",), "tree_asleep that they had", INT),
        scratch("asleep_moment", ("sleeping bodies", 3), "sum of masses times centers of sleeping trees on a body"),
        scratch(
            "is_undisturbed", (), "whether nothing but steps has changed the world since trees were looked at", INT
        ),
        scratch(
            "is_unseen", (len(WAKING),), "rows of WAKING that nobody outside of kernels has got hold of, to change", INT
        ),
        scratch("is_settled", (), "whether results of sleeping trees and static bodies are those of this world", INT),
        scratch("has_fallen", (), "whether a tree fell asleep in the last step", INT),
    ),
    "sensor_scratch": (scratch("sensor_value", ("nsensordata",), "readings of sensors, before delays"),),
    "inverse_scratch": (
        scratch("inverse_qacc", ("nv",), "qacc as it was given"),
        scratch("inverse_input", ("nv",), "joint force of all inputs of forward dynamics"),
        scratch("inverse_qfrc_constraint", ("nv",), "qfrc_constraint of forward dynamics"),
        scratch("inverse_efc_force", ("nefc",), "efc_force of forward dynamics", live="nefc"),
    ),
    "energy_scratch": (scratch("energy_momentum", ("nv",), "M qvel"),),
    "runge_kutta_scratch": (
        scratch("rk_qpos0", ("nq",), "position at the start of the step"),
        scratch("rk_qvel0", ("nv",), "velocity at the start of the step"),
        scratch("rk_act0", ("na",), "activation at the start of the step"),
        scratch("rk_actuator_velocity", ("nout",), "velocity of actuators at the start of the step"),
        scratch("rk_ten_length", ("ntendon",), "length of tendons at the start of the step"),
        scratch("rk_ten_J", ("nJten",), "Jacobian of tendons at the start of the step"),
        scratch("rk_rate", ("nv",), "rate of position of the present stage"),
        scratch("rk_increment", ("nv",), "rate that led to the present stage, times its fraction of the step"),
        scratch("rk_velocity", ("nv",), "weighted sum of rates of position"),
        scratch("rk_qacc", ("nv",), "weighted sum of accelerations"),
        scratch("rk_act_dot", ("na",), "weighted sum of activation rates"),
    ),
    "constants_scratch": (
        scratch("constants_size", ("nbody",), "how far each body reaches from its center of mass at qpos0"),
        scratch("constants_vector", ("nv",), "vector that a solve with M at qpos0 is asked for"),
    ),
}
