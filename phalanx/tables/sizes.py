"""The sizes that shapes refer to, in MuJoCo's order, and the fixed numbers of the engine."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping

from phalanx.tables.field import Size

MAXVAL = 1e10
"""Largest magnitude accepted in qpos, qvel and qacc."""
EPSILON = 1e-14
"""Differences, lengths and masses below it count as zero when a model is compiled (mjEPS)."""
MINMU = 1e-5
"""Smallest friction coefficient."""
MINIMP = 0.0001
"""Smallest constraint impedance."""
MAXIMP = 0.9999
"""Largest constraint impedance."""
MAXCONPAIR = 50
"""Most contacts of one geom pair."""
MAXTREEDEPTH = 50
"""Largest depth of a bounding volume tree."""
MAXFLEXNODES = 27
"""Most nodes of a finite cell."""
NGROUP = 6
"""Groups of geoms; a group beyond the last counts as the last."""
MINAWAKE = 10
"""Steps that a tree stays awake at least."""
SAMPLE_SLACK = 1e-12
"""A sample that is due this little after a step, relative to the count of steps, is due at the step."""

FACE_CORNERS = 64
"""Corners of a face that there is always memory for; there is more if a hull polygon has more (npolygonmax)."""
CLIP_SLACK = 2
"""Corners that a cut may write beyond those of both polygons."""

NREF = 2
"""Numbers of a solver reference (solref)."""
NIMP = 5
"""Numbers of a solver impedance (solimp)."""
NPOLY = 2
"""Higher coefficients of a spring or damper polynomial."""
NEQDATA = 12
"""Numbers of an equality (eq_data)."""
NDYN = 10
"""Parameters of actuator dynamics."""
NGAIN = 10
"""Parameters of an actuator gain."""
NBIAS = 10
"""Parameters of an actuator bias."""
NFLUID = 12
"""Parameters of the ellipsoid fluid model."""
NSENS = 3
"""Integer parameters of a sensor."""
NTEXROLE = 10
"""Roles of a texture in a material."""
NSOLVER = 200
"""Solver iterations that are recorded per island."""
NISLAND = 20
"""Islands whose solver iterations are recorded."""
NWARNING = 7
"""Kinds of warning."""

LARGEST_INT = 2**31 - 1
"""Largest count that a row of integers can hold."""
MANY_TREES = 12
"""An island of so many trees is a heap: Newton's method eliminates them in an order of their own."""
TRIANGLE_AHEAD = 1 << 14
"""Entries of a dense factor that there is memory for ahead; a larger one grows with what it needs."""

SIZES: tuple[Size, ...] = (
    Size("nq", "count of generalized coordinates: length of qpos"),
    Size("nv", "count of degrees of freedom: length of qvel"),
    Size("nu", "count of controls: length of ctrl"),
    Size("nactuator", "count of actuators"),
    Size("nout", "count of force outputs of all actuators"),
    Size("na", "count of activations: length of act"),
    Size("nbody", "count of bodies, the world included"),
    Size("nbvh", "count of bounding volumes"),
    Size("nbvhstatic", "count of bounding volumes whose box is fixed in its owner"),
    Size("nbvhdynamic", "count of bounding volumes whose box moves (flexes)"),
    Size("noct", "count of octree nodes of all meshes"),
    Size("njnt", "count of joints"),
    Size("ntree", "count of kinematic trees: branches of the world that can move"),
    Size("nM", "count of entries of the inertia matrix in the legacy layout"),
    Size("nB", "count of entries of the body-dof pattern"),
    Size("nC", "count of entries of M: the lower triangle, simple dofs reduced to the diagonal"),
    Size("nD", "count of entries of the square dof-dof pattern"),
    Size("ngeom", "count of geoms"),
    Size("nsite", "count of sites"),
    Size("ncam", "count of cameras"),
    Size("nlight", "count of lights"),
    Size("nflex", "count of flexes"),
    Size("nflexnode", "count of nodes of all flexes"),
    Size("nflexvert", "count of vertices of all flexes"),
    Size("nflexedge", "count of edges of all flexes"),
    Size("nflexelem", "count of elements of all flexes"),
    Size("nflexelemdata", "count of element vertices of all flexes"),
    Size("nflexstiffness", "count of stiffness numbers of all flexes"),
    Size("nflexbending", "count of bending numbers of all flexes"),
    Size("nefm0dof", "count of dofs in the constant metric factor"),
    Size("nefm0L", "count of entries of the constant metric factor"),
    Size("nefmCvert", "count of places in the elimination order of the metric factor"),
    Size("nflexelemedge", "count of element edges of all flexes"),
    Size("nflexshelldata", "count of shell fragment vertices of all flexes"),
    Size("nflextexcoord", "count of texture coordinates of all flexes"),
    Size("nJfe", "count of entries of the flex edge Jacobian"),
    Size("nmesh", "count of meshes"),
    Size("nmeshvert", "count of vertices of all meshes"),
    Size("nmeshnormal", "count of normals of all meshes"),
    Size("nmeshtexcoord", "count of texture coordinates of all meshes"),
    Size("nmeshface", "count of triangles of all meshes"),
    Size("nmeshgraph", "count of integers in mesh_graph"),
    Size("nmeshpoly", "count of hull polygons of all meshes"),
    Size("nmeshpolyvert", "count of polygon vertices of all meshes"),
    Size("nmeshpolymap", "count of entries in the vertex to polygon map"),
    Size("nskin", "count of skins"),
    Size("nskinvert", "count of vertices of all skins"),
    Size("nskintexvert", "count of texture coordinates of all skins"),
    Size("nskinface", "count of triangles of all skins"),
    Size("nskinbone", "count of bones of all skins"),
    Size("nskinbonevert", "count of bone vertices of all skins"),
    Size("nhfield", "count of height fields"),
    Size("nhfielddata", "count of elevations of all height fields"),
    Size("ntex", "count of textures"),
    Size("ntexdata", "count of bytes of all textures"),
    Size("nmat", "count of materials"),
    Size("npair", "count of geom pairs declared by the user"),
    Size("nexclude", "count of excluded body pairs"),
    Size("neq", "count of equality constraints"),
    Size("ntendon", "count of tendons"),
    Size("nJten", "count of entries of the tendon Jacobian"),
    Size("nwrap", "count of path elements of all tendons"),
    Size("nsensor", "count of sensors"),
    Size("nnumeric", "count of custom number fields"),
    Size("nnumericdata", "count of custom numbers"),
    Size("ntext", "count of custom texts"),
    Size("ntextdata", "count of characters of all custom texts"),
    Size("ntuple", "count of custom tuples"),
    Size("ntupledata", "count of elements of all tuples"),
    Size("nkey", "count of keyframes"),
    Size("nmocap", "count of mocap bodies"),
    Size("nplugin", "count of plugin instances"),
    Size("npluginattr", "count of characters of all plugin configurations"),
    Size("nuser_body", "count of user numbers per body"),
    Size("nuser_jnt", "count of user numbers per joint"),
    Size("nuser_geom", "count of user numbers per geom"),
    Size("nuser_site", "count of user numbers per site"),
    Size("nuser_cam", "count of user numbers per camera"),
    Size("nuser_tendon", "count of user numbers per tendon"),
    Size("nuser_actuator", "count of user numbers per actuator"),
    Size("nuser_sensor", "count of user numbers per sensor"),
    Size("nnames", "count of characters of all names"),
    Size("npaths", "count of characters of all file names"),
    Size("nplastic", "count of plastic state numbers"),
    Size("nnames_map", "count of slots in the hash table of names"),
    Size("nJmom", "count of entries of the actuator moment matrix"),
    Size("ngravcomp", "count of bodies with gravity compensation"),
    Size("nemax", "most equality rows that are possible"),
    Size("njmax", "requested count of constraint rows, -1 for automatic"),
    Size("nconmax", "requested count of contacts, -1 for automatic"),
    Size("npolygonmax", "most vertices of a hull polygon"),
    Size("nmeshdegmax", "most edges at a hull vertex"),
    Size("nuserdata", "count of user numbers in Data"),
    Size("nsensordata", "count of sensor outputs"),
    Size("npluginstate", "count of plugin state numbers"),
    Size("nhistory", "count of numbers in the history buffer"),
    Size("narena", "bytes of the work area that MuJoCo reserves in its Data"),
    Size("nbuffer", "bytes of the main buffer of MuJoCo's Model"),
    Size("ngrid", "count of signed distance grids", departs="MuJoCo has octrees only"),
    Size("ngriddata", "count of distances of all grids", departs="MuJoCo has octrees only"),
    Size("ncandidate", "count of geom pairs that may touch, listed ahead", departs="MuJoCo finds them in every step"),
    Size("nsleep", "1 if trees can fall asleep, else 0", departs="MuJoCo looks at the flag in every stage"),
)


def face_corners(npolygonmax: int) -> int:
    """Most corners of a face of any shape."""
    return max(FACE_CORNERS, npolygonmax)


#: Sizes that are products of others, zero where nothing can sleep.
PRODUCTS: dict[str, tuple[str, str]] = {
    "sleeping positions": ("nsleep", "nq"),
    "sleeping mocaps": ("nsleep", "nmocap"),
    "sleeping readings": ("nsleep", "nsensordata"),
    "sleeping activations": ("nsleep", "na"),
    "sleeping bodies": ("nsleep", "nbody"),
    "sleeping trees": ("nsleep", "ntree"),
}


def _product(factors: tuple[str, str], sizes: Mapping[str, int]) -> int:
    return sizes[factors[0]] * sizes[factors[1]]


def extent_of(axis: str | int) -> str:
    """The length of an axis of a row as an expression of a kernel that has the Model as `m`.

    >>> extent_of("nq"), extent_of(3), extent_of("sleeping positions")
    ('m.nq', '3', 'm.nsleep * m.nq')
    """
    return str(axis) if isinstance(axis, int) else " * ".join(f"m.{name}" for name in PRODUCTS.get(axis, (axis,)))


DERIVED_SIZES: dict[str, Callable[[Mapping[str, int]], int]] = {
    "nmocap*3": lambda sizes: 3 * sizes["nmocap"],
    "nmocap*4": lambda sizes: 4 * sizes["nmocap"],
    "nbody*2": lambda sizes: 2 * sizes["nbody"],
    "nbody*4": lambda sizes: 4 * sizes["nbody"],
    "nflexelem*2": lambda sizes: 2 * sizes["nflexelem"],
    **{name: functools.partial(_product, factors) for name, factors in PRODUCTS.items()},
    "stretches of trees": lambda sizes: 1 + sizes["nsleep"] * sizes["ntree"],
    "stretches of bodies": lambda sizes: 1 + sizes["nsleep"] * sizes["nbody"],
    "stretches of joints": lambda sizes: 1 + sizes["nsleep"] * sizes["njnt"],
    "stretches of dofs": lambda sizes: 1 + sizes["nsleep"] * sizes["nv"],
    "stretches of geoms": lambda sizes: 1 + sizes["nsleep"] * sizes["ngeom"],
    "stretches of sites": lambda sizes: 1 + sizes["nsleep"] * sizes["nsite"],
    "face corners*2": lambda sizes: 2 * face_corners(sizes["npolygonmax"]),
    "clip corners*2": lambda sizes: 2 * (2 * face_corners(sizes["npolygonmax"]) + CLIP_SLACK),
}
"""Sizes computed from others that appear as one axis of a shape."""


def triangle_ahead(nv: int) -> int:
    """Entries of a dense lower triangle over all dofs, or zero where that is too much to have ahead."""
    triangle = nv * (nv + 1) // 2
    return triangle if triangle <= TRIANGLE_AHEAD else 0


def extent(axis: str | int, sizes: Mapping[str, int]) -> int:
    """Length of one axis of a shape: a plain integer, the name of a size, or a derived size."""
    if isinstance(axis, int):
        return axis
    return DERIVED_SIZES[axis](sizes) if axis in DERIVED_SIZES else sizes[axis]
