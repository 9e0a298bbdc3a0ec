"""Every array of a Model, grouped by the object that owns it and in MuJoCo's order inside a group.

The names of a group's rows start with the short name of the object ("jnt_" in "joint"). A row of `real` is a number
of the physics, which a batch may vary by world; user data, keyframes and the geometry of assets are fixed FLOAT64.
"""

from __future__ import annotations

import functools

from phalanx.tables.domain import Among, Anything, Between, Bits, Domain, Index, Inside, Rule, Stretch
from phalanx.tables.enums import (
    BiasType,
    CamLightMode,
    DataType,
    DynType,
    EqType,
    FlexSelf,
    GainType,
    JointType,
    ObjType,
    Projection,
    SensorType,
    SleepPolicy,
    Stage,
    TendonType,
    TrnType,
    WrapType,
)  # fmt: skip
from phalanx.tables.field import BOOL, BYTE, FLOAT32, FLOAT64, INT, REAL, SIZE, Field, Kind, Shape
from phalanx.tables.model_domains import (
    ANCESTOR,
    BITS,
    BODY,
    CONDIM,
    DERIVED,
    DRAWN,
    FLEX_CELLS,
    FLEX_NUMBERS,
    FLEX_PART,
    GEOM_DATA,
    GEOM_TYPE,
    GROUP,
    INERTIA_PATTERN,
    LAYER,
    LAYERS,
    MAXPIXELS,
    NAME,
    ORDER,
    PARENT,
    PARENT_DOF,
    PASSED,
    PATH,
    PLUGIN,
    REFLECTING,
    SAME_FRAME,
    SAMPLES,
    SENSOR_OBJECT,
    SENSOR_WIDTH,
    SIDE,
    SITE_DATA,
    SLOT,
    SQUARE_PATTERN,
    TENDON_PATTERN,
    TEXT,
    count,
    dofs,
    edge_ids_of_flexes,
    element_ids_of_flexes,
    elevations,
    grid_points,
    history_of_controls,
    history_of_sensors,
    one_of,
    optional,
    pixels,
    positions,
    shell_ids_of_flexes,
)  # fmt: skip
from phalanx.tables.plugins import NCONFIG
from phalanx.tables.sizes import MAXTREEDEPTH, NBIAS, NDYN, NEQDATA, NFLUID, NGAIN, NIMP, NPOLY, NREF, NSENS, NTEXROLE


def real(
    name: str, shape: Shape, doc: str, unit: str = "", setconst: bool = False, domain: Domain | None = None
) -> Field:
    """A row of physics numbers; a batch may give each world its own."""
    return Field(name, REAL, shape, doc, unit, per_world=True, setconst=setconst, domain=domain)


def integer(name: str, domain: Domain, shape: Shape, doc: str, setconst: bool = False) -> Field:
    """A row of integers, and what they may be."""
    return Field(name, INT, shape, doc, setconst=setconst, domain=domain)


def _ours(why: str, name: str, kind: Kind | Domain, shape: Shape, doc: str, unit: str = "") -> Field:
    """A row that MuJoCo has not; a domain stands for a row of integers."""
    if isinstance(kind, Domain):
        return Field(name, INT, shape, doc, unit, departs=why, mujoco="-", domain=kind)
    return Field(name, kind, shape, doc, unit, departs=why, mujoco="-")


#: What is known ahead about pairs that may touch.
_broad = functools.partial(_ours, "MuJoCo finds candidates in every step")
#: What is known ahead about plugins.
_plugin = functools.partial(_ours, "MuJoCo asks the library of the plugin")
#: The order of elimination.
_elimination = functools.partial(_ours, "MuJoCo has an order for vertices in the factor of its metric only")
#: A column of the signed distance grids.
_grid = functools.partial(_ours, "MuJoCo has octrees only")


MODEL: dict[str, tuple[Field, ...]] = {
    "pose": (
        real("qpos0", ("nq",), "generalized coordinates at the reference pose", "m or rad"),
        real("qpos_spring", ("nq",), "pose in which the joint springs are at rest", "m or rad"),
    ),
    "body": (
        integer("body_parentid", PARENT, ("nbody",), "body that this body is attached to"),
        integer("body_rootid", ANCESTOR, ("nbody",), "child of the world that the body hangs from"),
        integer(
            "body_weldid", ANCESTOR, ("nbody",), "ancestor it is rigidly welded to, itself if it moves or is mocap"
        ),
        integer("body_mocapid", optional("nmocap"), ("nbody",), "row of the mocap arrays, -1 if the body is not mocap"),
        integer("body_jntnum", count("njnt"), ("nbody",), "how many joints"),
        integer("body_jntadr", Stretch("njnt", "body_jntnum", alone=True), ("nbody",), "first joint, -1 if none"),
        integer("body_dofnum", count("nv"), ("nbody",), "how many degrees of freedom"),
        integer(
            "body_dofadr", Stretch("nv", "body_dofnum", alone=True), ("nbody",), "first degree of freedom, -1 if none"
        ),
        integer(
            "body_treeid",
            optional("ntree"),
            ("nbody",),
            "kinematic tree of the body, -1 if it is static",
            setconst=True,
        ),
        integer("body_geomnum", count("ngeom"), ("nbody",), "how many geoms"),
        integer("body_geomadr", Stretch("ngeom", "body_geomnum", alone=True), ("nbody",), "first geom, -1 if none"),
        Field(
            "body_simple",
            BYTE,
            ("nbody",),
            "inertia block: 0 general, 1 diagonal, 2 diagonal with slides only",
            domain=Among((0, 1, 2)),
        ),
        Field(
            "body_sameframe",
            BYTE,
            ("nbody",),
            "alignment of inertial and body frame (SameFrame)",
            setconst=True,
            domain=SAME_FRAME,
        ),
        real("body_pos", ("nbody", 3), "position of the body frame in its parent", "m"),
        real("body_quat", ("nbody", 4), "orientation of the body frame in its parent"),
        real("body_ipos", ("nbody", 3), "center of mass in the body frame", "m"),
        real("body_iquat", ("nbody", 4), "orientation of the principal axes of inertia in the body frame"),
        real("body_mass", ("nbody",), "mass of the body", "kg"),
        real("body_subtreemass", ("nbody",), "mass of the body and all its descendants", "kg", setconst=True),
        real("body_inertia", ("nbody", 3), "principal moments of inertia about the center of mass", "kg·m²"),
        real("body_invweight0", ("nbody", 2), "mean inverse inertia at qpos0: linear, angular", "mixed", setconst=True),
        real("body_gravcomp", ("nbody",), "fraction of the weight that gravity compensation cancels"),
        real("body_margin", ("nbody",), "largest margin plus gap among the geoms", "m", setconst=True),
        Field("body_user", FLOAT64, ("nbody", "nuser_body"), "user numbers of the body"),
        integer("body_plugin", PLUGIN, ("nbody",), "plugin instance, -1 if none"),
        integer("body_contype", BITS, ("nbody",), "contact types of all geoms, joined by OR", setconst=True),
        integer("body_conaffinity", BITS, ("nbody",), "contact affinities of all geoms, joined by OR", setconst=True),
        integer(
            "body_bvhadr", Stretch("nbvh", "body_bvhnum", alone=True), ("nbody",), "root of the bounding volume tree"
        ),
        integer("body_bvhnum", count("nbvh"), ("nbody",), "how many bounding volumes"),
    ),
    "bvh": (
        integer("bvh_depth", Between(0, MAXTREEDEPTH - 2), ("nbvh",), "depth of the node in its tree"),
        integer("bvh_child", Rule("volume tree"), ("nbvh", 2), "left and right child, -1 if none"),
        integer("bvh_nodeid", Rule("volume leaf"), ("nbvh",), "geom or element in a leaf, -1 for an inner node"),
        Field("bvh_aabb", FLOAT64, ("nbvhstatic", 6), "box in the owner: center, half sizes", "m", setconst=True),
    ),
    "oct": (
        integer("oct_depth", DRAWN, ("noct",), "depth of the octree node"),
        integer("oct_child", Rule("octree"), ("noct", 8), "the eight children, -1 if none"),
        Field("oct_aabb", FLOAT64, ("noct", 6), "bounding box of the octree node: center, half sizes", "m"),
        Field("oct_coeff", FLOAT64, ("noct", 8), "signed distance at the eight corners of the node", "m"),
    ),
    "joint": (
        integer("jnt_type", one_of(JointType), ("njnt",), "kind of joint (JointType)"),
        integer(
            "jnt_qposadr",
            Stretch("nq", positions, none=(), alone=True),
            ("njnt",),
            "first coordinate of the joint in qpos",
        ),
        integer(
            "jnt_dofadr",
            Stretch("nv", dofs, none=(), alone=True),
            ("njnt",),
            "first degree of freedom of the joint in qvel",
        ),
        integer("jnt_bodyid", BODY, ("njnt",), "body that the joint moves"),
        integer(
            "jnt_actuatorid", REFLECTING, ("njnt",), "actuator that reflects inertia to it, -1 if none", setconst=True
        ),
        integer("jnt_group", GROUP, ("njnt",), "visibility group"),
        integer(
            "jnt_plasticadr",
            Stretch("nplastic", positions, optional=True),
            ("njnt",),
            "first number of the joint in plastic, -1 if elastic",
        ),
        Field("jnt_limited", BOOL, ("njnt",), "whether the range is enforced"),
        Field("jnt_actfrclimited", BOOL, ("njnt",), "whether the total actuator force is clamped"),
        Field("jnt_actgravcomp", BOOL, ("njnt",), "whether gravity compensation counts as actuator force"),
        real("jnt_solref", ("njnt", NREF), "solver reference of the limit", "mixed"),
        real("jnt_solimp", ("njnt", NIMP), "solver impedance of the limit", "mixed"),
        real("jnt_pos", ("njnt", 3), "anchor in the body frame", "m"),
        real("jnt_axis", ("njnt", 3), "axis in the body frame"),
        real("jnt_stiffness", ("njnt",), "spring coefficient of the linear term", "N/m or N·m/rad"),
        real("jnt_stiffnesspoly", ("njnt", NPOLY), "spring coefficients of the quadratic and cubic terms", "mixed"),
        real("jnt_springyield", ("njnt",), "spring deflection at which plastic flow starts, 0 for never", "m or rad"),
        real("jnt_range", ("njnt", 2), "lower and upper limit", "m or rad"),
        real("jnt_actfrcrange", ("njnt", 2), "lower and upper bound of the total actuator force", "N or N·m"),
        real("jnt_margin", ("njnt",), "distance from the limit at which the constraint appears", "m or rad"),
        Field("jnt_user", FLOAT64, ("njnt", "nuser_jnt"), "user numbers of the joint"),
    ),
    "dof": (
        integer("dof_bodyid", BODY, ("nv",), "body that the dof moves"),
        integer("dof_jntid", Index("njnt"), ("nv",), "joint that the dof belongs to"),
        integer("dof_parentid", PARENT_DOF, ("nv",), "previous dof on the path to the world, -1 if none"),
        integer("dof_treeid", Index("ntree"), ("nv",), "kinematic tree of the dof"),
        integer("dof_Madr", Index("nM"), ("nv",), "diagonal entry of the dof in the legacy inertia layout (nM)"),
        integer("dof_simplenum", count("nv"), ("nv",), "how many simple dofs in a row that start here"),
        real("dof_solref", ("nv", NREF), "solver reference of the friction loss", "mixed"),
        real("dof_solimp", ("nv", NIMP), "solver impedance of the friction loss", "mixed"),
        real("dof_frictionloss", ("nv",), "dry friction bound", "N or N·m"),
        real("dof_armature", ("nv",), "inertia added to the diagonal of M", "kg or kg·m²"),
        real("dof_damping", ("nv",), "damping coefficient of the linear term", "N·s/m or N·m·s/rad"),
        real("dof_dampingpoly", ("nv", NPOLY), "damping coefficients of the quadratic and cubic terms", "mixed"),
        real("dof_invweight0", ("nv",), "diagonal of the inverse inertia at qpos0", "1/kg or 1/(kg·m²)", setconst=True),
        real("dof_M0", ("nv",), "diagonal of the inertia at qpos0", "kg or kg·m²", setconst=True),
        real("dof_length", ("nv",), "length that makes a velocity linear, 1 for a slide", "1 or m", setconst=True),
    ),
    "tree": (
        integer("tree_bodyadr", Stretch("nbody", "tree_bodynum"), ("ntree",), "first body of the tree", setconst=True),
        integer("tree_bodynum", count("nbody"), ("ntree",), "how many bodies of the tree", setconst=True),
        integer("tree_dofadr", Stretch("nv", "tree_dofnum"), ("ntree",), "first dof of the tree", setconst=True),
        integer("tree_dofnum", count("nv"), ("ntree",), "how many dofs of the tree", setconst=True),
        integer(
            "tree_sleep_policy",
            one_of(SleepPolicy),
            ("ntree",),
            "whether the tree may sleep (SleepPolicy)",
            setconst=True,
        ),
    ),
    "geom": (
        integer("geom_type", GEOM_TYPE, ("ngeom",), "shape (GeomType)"),
        integer("geom_contype", BITS, ("ngeom",), "contact type bits"),
        integer("geom_conaffinity", BITS, ("ngeom",), "contact affinity bits, matched with the other geom's types"),
        integer("geom_condim", CONDIM, ("ngeom",), "dimension of the contact space: 1, 3, 4 or 6"),
        integer("geom_bodyid", BODY, ("ngeom",), "body that carries the geom"),
        integer("geom_dataid", GEOM_DATA, ("ngeom",), "mesh or height field of the geom, -1 if none"),
        integer("geom_matid", optional("nmat"), ("ngeom",), "material, -1 if none"),
        integer("geom_group", GROUP, ("ngeom",), "visibility group"),
        integer("geom_priority", ORDER, ("ngeom",), "whose contact parameters win: the higher one"),
        integer("geom_plugin", PLUGIN, ("ngeom",), "plugin instance, -1 if none"),
        Field(
            "geom_sameframe",
            BYTE,
            ("ngeom",),
            "alignment of geom and body frames (SameFrame)",
            setconst=True,
            domain=SAME_FRAME,
        ),
        Field("geom_castshadow", BOOL, ("ngeom",), "whether the geom casts a shadow"),
        real("geom_solmix", ("ngeom",), "weight of the geom when solver parameters are mixed"),
        real("geom_solref", ("ngeom", NREF), "solver reference of its contacts", "mixed"),
        real("geom_solimp", ("ngeom", NIMP), "solver impedance of its contacts", "mixed"),
        real("geom_size", ("ngeom", 3), "sizes, with a meaning given by the type", "m", setconst=True),
        real("geom_aabb", ("ngeom", 6), "bounding box in the geom frame: center, half sizes", "m", setconst=True),
        real("geom_rbound", ("ngeom",), "radius of the bounding sphere, 0 for a plane", "m", setconst=True),
        real("geom_pos", ("ngeom", 3), "position of the geom frame in the body", "m"),
        real("geom_quat", ("ngeom", 4), "orientation of the geom frame in the body"),
        real("geom_friction", ("ngeom", 3), "friction coefficients: sliding, torsional, rolling", "1, m, m"),
        real("geom_margin", ("ngeom",), "distance below which a contact pushes", "m"),
        real("geom_gap", ("ngeom",), "extra distance at which a contact is detected without force", "m"),
        real("geom_surfacevel", ("ngeom", 6), "surface velocity in the geom frame: linear, angular", "m/s, rad/s"),
        real("geom_adhesion", ("ngeom",), "attraction along the normal of its contacts", "N"),
        real("geom_fluid", ("ngeom", NFLUID), "coefficients of the ellipsoid fluid model", "mixed", setconst=True),
        Field("geom_user", FLOAT64, ("ngeom", "nuser_geom"), "user numbers of the geom"),
        Field("geom_rgba", FLOAT32, ("ngeom", 4), "color when there is no material"),
    ),
    "site": (
        integer("site_type", GEOM_TYPE, ("nsite",), "shape for drawing and for sensor zones (GeomType)"),
        integer("site_bodyid", BODY, ("nsite",), "body that carries the site"),
        integer("site_dataid", SITE_DATA, ("nsite",), "mesh of the site, -1 if none"),
        integer("site_matid", optional("nmat"), ("nsite",), "material, -1 if none"),
        integer("site_group", GROUP, ("nsite",), "visibility group"),
        Field(
            "site_sameframe",
            BYTE,
            ("nsite",),
            "alignment of site and body frames (SameFrame)",
            setconst=True,
            domain=SAME_FRAME,
        ),
        real("site_size", ("nsite", 3), "sizes, with a meaning given by the type", "m"),
        real("site_pos", ("nsite", 3), "position of the site frame in the body", "m"),
        real("site_quat", ("nsite", 4), "orientation of the site frame in the body"),
        Field("site_user", FLOAT64, ("nsite", "nuser_site"), "user numbers of the site"),
        Field("site_rgba", FLOAT32, ("nsite", 4), "color when there is no material"),
    ),
    "camera": (
        integer("cam_mode", one_of(CamLightMode), ("ncam",), "tracking mode (CamLightMode)"),
        integer("cam_bodyid", BODY, ("ncam",), "body that carries the camera"),
        integer("cam_targetbodyid", optional("nbody"), ("ncam",), "body that the camera looks at, -1 if none"),
        real("cam_pos", ("ncam", 3), "position of the camera frame in the body", "m"),
        real("cam_quat", ("ncam", 4), "orientation of the camera frame in the body"),
        real("cam_poscom0", ("ncam", 3), "world offset from the subtree center at qpos0", "m", setconst=True),
        real("cam_pos0", ("ncam", 3), "world offset from the body frame at qpos0", "m", setconst=True),
        real("cam_mat0", ("ncam", 9), "world rotation matrix at qpos0", setconst=True),
        integer("cam_projection", one_of(Projection), ("ncam",), "kind of projection (Projection)"),
        real("cam_fovy", ("ncam",), "vertical field of view, a length if orthographic", "deg or m"),
        real("cam_ipd", ("ncam",), "distance between the eyes in stereo", "m"),
        integer("cam_resolution", Between(0, MAXPIXELS), ("ncam", 2), "image width and height in pixels"),
        integer("cam_output", DRAWN, ("ncam",), "images that the camera produces (CamOutput bits)"),
        Field("cam_sensorsize", FLOAT32, ("ncam", 2), "width and height of the sensor chip", "m"),
        Field("cam_intrinsic", FLOAT32, ("ncam", 4), "focal lengths, then offsets of the principal point", "m"),
        Field("cam_user", FLOAT64, ("ncam", "nuser_cam"), "user numbers of the camera"),
    ),
    "light": (
        integer("light_mode", one_of(CamLightMode), ("nlight",), "tracking mode (CamLightMode)"),
        integer("light_bodyid", BODY, ("nlight",), "body that carries the light"),
        integer("light_targetbodyid", optional("nbody"), ("nlight",), "body that the light points at, -1 if none"),
        integer("light_type", DRAWN, ("nlight",), "kind of light (LightType)"),
        integer("light_texid", optional("ntex"), ("nlight",), "texture of an image light, -1 if none"),
        Field("light_castshadow", BOOL, ("nlight",), "whether the light casts shadows"),
        Field("light_bulbradius", FLOAT32, ("nlight",), "radius of the bulb, for soft shadows", "m"),
        Field("light_intensity", FLOAT32, ("nlight",), "luminous intensity", "cd"),
        Field("light_range", FLOAT32, ("nlight",), "reach of the light", "m"),
        Field("light_active", BOOL, ("nlight",), "whether the light is on"),
        real("light_pos", ("nlight", 3), "position of the light in the body", "m"),
        real("light_dir", ("nlight", 3), "direction of the light in the body"),
        real("light_poscom0", ("nlight", 3), "world offset from the subtree center at qpos0", "m", setconst=True),
        real("light_pos0", ("nlight", 3), "world offset from the body frame at qpos0", "m", setconst=True),
        real("light_dir0", ("nlight", 3), "world direction at qpos0", setconst=True),
        Field("light_attenuation", FLOAT32, ("nlight", 3), "constant, linear and quadratic falloff"),
        Field("light_cutoff", FLOAT32, ("nlight",), "half angle of the spot", "deg"),
        Field("light_softness", FLOAT32, ("nlight",), "blur of the edge of the spot"),
        Field("light_exponent", FLOAT32, ("nlight",), "concentration of the spot"),
        Field("light_ambient", FLOAT32, ("nlight", 3), "ambient color"),
        Field("light_diffuse", FLOAT32, ("nlight", 3), "diffuse color"),
        Field("light_specular", FLOAT32, ("nlight", 3), "specular color"),
    ),
    "flex": (
        integer("flex_contype", BITS, ("nflex",), "contact type bits"),
        integer("flex_conaffinity", BITS, ("nflex",), "contact affinity bits"),
        integer("flex_condim", CONDIM, ("nflex",), "dimension of the contact space: 1, 3, 4 or 6"),
        integer("flex_priority", ORDER, ("nflex",), "whose contact parameters win: the higher one"),
        Field("flex_solmix", FLOAT64, ("nflex",), "weight of the flex when solver parameters are mixed"),
        Field("flex_solref", FLOAT64, ("nflex", NREF), "solver reference of its contacts", "mixed"),
        Field("flex_solimp", FLOAT64, ("nflex", NIMP), "solver impedance of its contacts", "mixed"),
        Field("flex_friction", FLOAT64, ("nflex", 3), "friction coefficients: sliding, torsional, rolling", "1, m, m"),
        Field("flex_margin", FLOAT64, ("nflex",), "distance below which a contact pushes", "m"),
        Field("flex_gap", FLOAT64, ("nflex",), "extra distance at which a contact is detected without force", "m"),
        integer("flex_selfcollide", one_of(FlexSelf), ("nflex",), "how the flex collides with itself (FlexSelf)"),
        integer("flex_activelayers", LAYERS, ("nflex",), "number of outer element layers that collide, solids only"),
        integer("flex_passive", Among((0, 1)), ("nflex",), "whether contacts act as passive forces"),
        integer(
            "flex_dim", Among((1, 2, 3)), ("nflex",), "dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra"
        ),
        integer("flex_matid", optional("nmat"), ("nflexelem",), "material of the element, -1 if none"),
        integer("flex_group", GROUP, ("nflex",), "visibility group"),
        integer(
            "flex_interp",
            Between(-2, 2),
            ("nflex",),
            "order of interpolation: 0 means that the vertices themselves move",
        ),
        integer("flex_cellnum", FLEX_CELLS, ("nflex", 3), "number of finite cells along each axis"),
        integer("flex_nodeadr", Stretch("nflexnode", "flex_nodenum", alone=True), ("nflex",), "first node"),
        integer("flex_nodenum", count("nflexnode"), ("nflex",), "how many nodes"),
        integer("flex_vertadr", Stretch("nflexvert", "flex_vertnum", alone=True), ("nflex",), "first vertex"),
        integer("flex_vertnum", Between(1, "nflexvert"), ("nflex",), "how many vertices"),
        integer("flex_edgeadr", Stretch("nflexedge", "flex_edgenum", alone=True), ("nflex",), "first edge"),
        integer("flex_edgenum", count("nflexedge"), ("nflex",), "how many edges"),
        integer("flex_elemadr", Stretch("nflexelem", "flex_elemnum", alone=True), ("nflex",), "first element"),
        integer("flex_elemnum", count("nflexelem"), ("nflex",), "how many elements"),
        integer(
            "flex_elemdataadr",
            Stretch("nflexelemdata", element_ids_of_flexes, alone=True),
            ("nflex",),
            "first vertex id of the elements in flex_elem",
        ),
        integer("flex_stiffnessadr", FLEX_NUMBERS, ("nflex",), "first number in flex_stiffness"),
        integer(
            "flex_elemedgeadr",
            Stretch("nflexelemedge", edge_ids_of_flexes, alone=True),
            ("nflex",),
            "first edge id of the elements in flex_elemedge",
        ),
        integer("flex_bendingadr", FLEX_NUMBERS, ("nflex",), "first number in flex_bending"),
        integer("flex_plasticadr", FLEX_NUMBERS, ("nflex",), "first number of the flex in plastic, -1 if elastic"),
        integer("flex_plasticmode", Bits(3), ("nflex",), "what can flow plastically, as bits: 1 bending, 2 stretching"),
        integer("flex_shellnum", count("nflexshelldata"), ("nflex",), "how many shell fragments"),
        integer(
            "flex_shelldataadr",
            Stretch("nflexshelldata", shell_ids_of_flexes, alone=True),
            ("nflex",),
            "first vertex id in flex_shell",
        ),
        integer("flex_texcoordadr", optional("nflextexcoord"), ("nflex",), "first row in flex_texcoord, -1 if none"),
        integer("flex_nodebodyid", BODY, ("nflexnode",), "body of the node"),
        integer("flex_vertbodyid", FLEX_CELLS, ("nflexvert",), "body of the vertex"),
        integer("flex_vertcell", FLEX_CELLS, ("nflexvert",), "finite cell that holds the vertex, -1 if none"),
        integer(
            "flex_edge",
            Inside("flex_edgeadr", "flex_edgenum", "flex_vertnum"),
            ("nflexedge", 2),
            "the two vertices of the edge",
        ),
        integer(
            "flex_edgeflap",
            FLEX_PART,
            ("nflexedge", 2),
            "vertices opposite to the edge in its triangles, surfaces only",
        ),
        integer("flex_elem", FLEX_PART, ("nflexelemdata",), "vertices of the elements, dim+1 each"),
        integer("flex_elemtexcoord", FLEX_PART, ("nflexelemdata",), "texture coordinates of the elements, dim+1 each"),
        integer("flex_elemedge", FLEX_PART, ("nflexelemedge",), "edges of the elements"),
        integer(
            "flex_elemlayer", LAYER, ("nflexelem",), "distance of the element from the surface in layers, solids only"
        ),
        integer("flex_shell", FLEX_PART, ("nflexshelldata",), "vertices of the shell fragments, dim each"),
        Field("flex_vert", FLOAT64, ("nflexvert", 3), "vertex in the frame of its body", "m"),
        Field("flex_vert0", FLOAT64, ("nflexvert", 3), "vertex at qpos0, scaled to the unit cube"),
        Field("flex_node", FLOAT64, ("nflexnode", 3), "node in the frame of its body", "m"),
        Field("flex_node0", FLOAT64, ("nflexnode", 3), "node at qpos0 in world coordinates", "m"),
        Field("flexedge_length0", FLOAT64, ("nflexedge",), "length of the edge at qpos0", "m", setconst=True),
        Field("flexedge_invweight0", FLOAT64, ("nflexedge",), "inverse inertia at qpos0", "1/kg", setconst=True),
        Field("flex_radius", FLOAT64, ("nflex",), "thickness around the elements", "m"),
        Field("flex_size", FLOAT64, ("nflex", 3), "half sizes of the box around the vertices at qpos0", "m"),
        Field(
            "flex_stiffness",
            FLOAT64,
            ("nflexstiffness",),
            "stiffness matrices of the finite elements",
            "N/m",
            domain=Rule("strain modes"),
        ),
        Field(
            "flex_bending", FLOAT64, ("nflexbending",), "bending stiffness records", "N·m", domain=Rule("flex records")
        ),
        integer(
            "efm0_dofid", Index("nv"), ("nefm0dof",), "dof of each row of the constant metric factor", setconst=True
        ),
        integer(
            "efm0_L_rownnz",
            count("nefm0dof"),
            ("nefm0dof",),
            "entries in each row of the constant metric factor",
            setconst=True,
        ),
        integer(
            "efm0_L_rowadr",
            Stretch("nefm0L", "efm0_L_rownnz"),
            ("nefm0dof",),
            "first entry of each row of the metric factor",
            setconst=True,
        ),
        integer(
            "efm0_L_colind",
            Index("nefm0dof"),
            ("nefm0L",),
            "column of each entry of the constant metric factor",
            setconst=True,
        ),
        Field("efm0_L", FLOAT64, ("nefm0L",), "factor of inertia plus constant bending metric", "kg^½", setconst=True),
        integer(
            "efmC_perm",
            optional("nv"),
            ("nefmCvert",),
            "elimination order of the metric factor: vertex dofs",
            setconst=True,
        ),
        Field("flex_damping", FLOAT64, ("nflex",), "Rayleigh damping: damping per stiffness", "s"),
        Field("flex_yield", FLOAT64, ("nflex", 2), "yield strain of stretching and bending, 0 for never"),
        Field("flex_edgestiffness", FLOAT64, ("nflex",), "spring coefficient of the edges", "N/m"),
        Field("flex_edgedamping", FLOAT64, ("nflex",), "damping coefficient of the edges", "N·s/m"),
        integer(
            "flex_edgeequality",
            Among((0, 1, 3)),
            ("nflex",),
            "which equality the flex has: 0 none, 1 edge lengths, 3 strain",
        ),
        Field("flex_rigid", BOOL, ("nflex",), "whether all vertices belong to one body"),
        Field("flexedge_rigid", BOOL, ("nflexedge",), "whether both ends of the edge belong to one body"),
        Field("flex_centered", BOOL, ("nflex",), "whether every vertex sits at the origin of its body"),
        Field("flex_flatskin", BOOL, ("nflex",), "whether the skin is drawn with flat shading"),
        integer(
            "flex_bvhadr",
            Stretch("nbvh", "flex_bvhnum", alone=True),
            ("nflex",),
            "root of the bounding volume tree, -1 if none",
        ),
        integer("flex_bvhnum", count("nbvh"), ("nflex",), "how many bounding volumes"),
        integer(
            "flexedge_J_rownnz",
            Rule("edge pattern"),
            ("nflexedge",),
            "entries in each row of the edge Jacobian",
            setconst=True,
        ),
        integer(
            "flexedge_J_rowadr",
            Rule("edge pattern"),
            ("nflexedge",),
            "first entry of each row of the edge Jacobian",
            setconst=True,
        ),
        integer(
            "flexedge_J_colind",
            Rule("edge pattern"),
            ("nJfe",),
            "dof of each entry of the edge Jacobian",
            setconst=True,
        ),
        Field("flex_rgba", FLOAT32, ("nflex", 4), "color when there is no material"),
        Field("flex_texcoord", FLOAT32, ("nflextexcoord", 2), "texture coordinates of the vertices"),
    ),
    "mesh": (
        integer("mesh_vertadr", Stretch("nmeshvert", "mesh_vertnum", alone=True), ("nmesh",), "first vertex"),
        integer("mesh_vertnum", count("nmeshvert"), ("nmesh",), "how many vertices"),
        integer("mesh_faceadr", Stretch("nmeshface", "mesh_facenum", alone=True), ("nmesh",), "first triangle"),
        integer("mesh_facenum", count("nmeshface"), ("nmesh",), "how many triangles"),
        integer(
            "mesh_bvhadr", Stretch("nbvh", "mesh_bvhnum", alone=True), ("nmesh",), "root of the bounding volume tree"
        ),
        integer("mesh_bvhnum", count("nbvh"), ("nmesh",), "how many bounding volumes"),
        integer("mesh_octadr", Stretch("noct", "mesh_octnum", alone=True), ("nmesh",), "root of the octree"),
        integer("mesh_octnum", count("noct"), ("nmesh",), "how many octree nodes"),
        integer("mesh_normaladr", Stretch("nmeshnormal", "mesh_normalnum"), ("nmesh",), "first normal"),
        integer("mesh_normalnum", count("nmeshnormal"), ("nmesh",), "how many normals"),
        integer(
            "mesh_texcoordadr",
            Stretch("nmeshtexcoord", "mesh_texcoordnum"),
            ("nmesh",),
            "first texture coordinate, -1 if none",
        ),
        integer("mesh_texcoordnum", count("nmeshtexcoord"), ("nmesh",), "how many texture coordinates"),
        integer("mesh_graphadr", Rule("hull"), ("nmesh",), "start of the convex hull in mesh_graph, -1 if none"),
        integer(
            "mesh_extrema",
            Rule("hull"),
            ("nmesh", 27),
            "hull vertex farthest in each of the 27 directions of a 3x3x3 grid",
        ),
        Field("mesh_vert", FLOAT32, ("nmeshvert", 3), "vertex in the mesh frame", "m"),
        Field("mesh_normal", FLOAT32, ("nmeshnormal", 3), "vertex normals"),
        Field("mesh_texcoord", FLOAT32, ("nmeshtexcoord", 2), "texture coordinates of the vertices"),
        integer(
            "mesh_face",
            Inside("mesh_faceadr", "mesh_facenum", "mesh_vertnum"),
            ("nmeshface", 3),
            "the three vertices of the triangle",
        ),
        integer(
            "mesh_facenormal",
            Inside("mesh_faceadr", "mesh_facenum", "mesh_normalnum"),
            ("nmeshface", 3),
            "the three normals of the triangle",
        ),
        integer("mesh_facetexcoord", DRAWN, ("nmeshface", 3), "the three texture coordinates of the triangle"),
        integer(
            "mesh_graph",
            Rule("hull"),
            ("nmeshgraph",),
            "convex hulls: counts, edge addresses, vertex ids, edges, faces",
        ),
        Field("mesh_scale", FLOAT64, ("nmesh", 3), "scale that the compiler applied to the asset"),
        Field("mesh_pos", FLOAT64, ("nmesh", 3), "translation that the compiler applied to the asset", "m"),
        Field("mesh_quat", FLOAT64, ("nmesh", 4), "rotation that the compiler applied to the asset"),
        integer("mesh_pathadr", PATH, ("nmesh",), "file name of the asset in paths, -1 if none"),
        integer("mesh_polynum", count("nmeshpoly"), ("nmesh",), "how many hull polygons"),
        integer("mesh_polyadr", Stretch("nmeshpoly", "mesh_polynum", alone=True), ("nmesh",), "first hull polygon"),
        Field("mesh_polynormal", FLOAT64, ("nmeshpoly", 3), "outward normal of the hull polygon"),
        integer(
            "mesh_polyvertadr",
            Stretch("nmeshpolyvert", "mesh_polyvertnum", alone=True),
            ("nmeshpoly",),
            "first vertex of the polygon in mesh_polyvert",
        ),
        integer("mesh_polyvertnum", count("nmeshpolyvert"), ("nmeshpoly",), "how many vertices of the polygon"),
        integer(
            "mesh_polyvert", Rule("polygons"), ("nmeshpolyvert",), "vertices of the polygons, in order around each"
        ),
        integer(
            "mesh_polymapadr",
            Stretch("nmeshpolymap", "mesh_polymapnum", alone=True),
            ("nmeshvert",),
            "first polygon of the vertex in mesh_polymap",
        ),
        integer("mesh_polymapnum", count("nmeshpolymap"), ("nmeshvert",), "how many polygons that meet at the vertex"),
        integer("mesh_polymap", Rule("polygons"), ("nmeshpolymap",), "polygons around each vertex"),
    ),
    "skin": (
        integer("skin_matid", optional("nmat"), ("nskin",), "material, -1 if none"),
        integer("skin_group", GROUP, ("nskin",), "visibility group"),
        Field("skin_rgba", FLOAT32, ("nskin", 4), "color when there is no material"),
        Field("skin_inflate", FLOAT32, ("nskin",), "offset of the skin along its normals", "m"),
        integer("skin_vertadr", Stretch("nskinvert", "skin_vertnum"), ("nskin",), "first vertex"),
        integer("skin_vertnum", count("nskinvert"), ("nskin",), "how many vertices"),
        integer(
            "skin_texcoordadr",
            Stretch("nskintexvert", "skin_vertnum", optional=True),
            ("nskin",),
            "first texture coordinate, -1 if none",
        ),
        integer("skin_faceadr", Stretch("nskinface", "skin_facenum", alone=True), ("nskin",), "first triangle"),
        integer("skin_facenum", count("nskinface"), ("nskin",), "how many triangles"),
        integer("skin_boneadr", Stretch("nskinbone", "skin_bonenum", alone=True), ("nskin",), "first bone"),
        integer("skin_bonenum", count("nskinbone"), ("nskin",), "how many bones"),
        Field("skin_vert", FLOAT32, ("nskinvert", 3), "vertex at the bind pose", "m"),
        Field("skin_texcoord", FLOAT32, ("nskintexvert", 2), "texture coordinates of the vertices"),
        integer(
            "skin_face",
            Inside("skin_faceadr", "skin_facenum", "skin_vertnum"),
            ("nskinface", 3),
            "the three vertices of the triangle",
        ),
        integer(
            "skin_bonevertadr",
            Rule("skin bones"),
            ("nskinbone",),
            "first vertex of the bone in skin_bonevertid",
        ),
        integer("skin_bonevertnum", count("nskinbonevert"), ("nskinbone",), "how many vertices of the bone"),
        Field("skin_bonebindpos", FLOAT32, ("nskinbone", 3), "position of the bone at the bind pose", "m"),
        Field("skin_bonebindquat", FLOAT32, ("nskinbone", 4), "orientation of the bone at the bind pose"),
        integer("skin_bonebodyid", BODY, ("nskinbone",), "body that carries the bone"),
        integer("skin_bonevertid", Rule("skin bones"), ("nskinbonevert",), "vertices that the bones pull"),
        Field("skin_bonevertweight", FLOAT32, ("nskinbonevert",), "how strongly the bone pulls the vertex"),
        integer("skin_pathadr", PATH, ("nskin",), "file name of the asset in paths, -1 if none"),
    ),
    "hfield": (
        real("hfield_size", ("nhfield", 4), "half extents in x and y, highest elevation, depth of the base", "m"),
        integer("hfield_nrow", Between(1, MAXPIXELS), ("nhfield",), "number of grid rows, along y"),
        integer("hfield_ncol", Between(1, MAXPIXELS), ("nhfield",), "number of grid columns, along x"),
        integer(
            "hfield_adr", Stretch("nhfielddata", elevations, none=()), ("nhfield",), "first elevation in hfield_data"
        ),
        Field("hfield_data", FLOAT32, ("nhfielddata",), "elevations scaled to 0..1, row by row"),
        integer("hfield_pathadr", PATH, ("nhfield",), "file name of the asset in paths, -1 if none"),
    ),
    "texture": (
        integer("tex_type", DRAWN, ("ntex",), "kind of texture: 0 flat, 1 cube, 2 sky box"),
        integer("tex_colorspace", DRAWN, ("ntex",), "color space: 0 automatic, 1 linear, 2 sRGB"),
        integer("tex_height", Between(0, MAXPIXELS), ("ntex",), "number of pixel rows"),
        integer("tex_width", Between(0, MAXPIXELS), ("ntex",), "number of pixel columns"),
        integer("tex_nchannel", Between(1, 4), ("ntex",), "number of channels"),
        Field("tex_adr", SIZE, ("ntex",), "first byte in tex_data", domain=Stretch("ntexdata", pixels)),
        Field("tex_data", BYTE, ("ntexdata",), "pixels", domain=TEXT),
        integer("tex_pathadr", PATH, ("ntex",), "file name of the asset in paths, -1 if none"),
        integer("tex_contenttypeadr", PATH, ("ntex",), "content type of the asset in paths, -1 if none"),
    ),
    "material": (
        integer("mat_texid", optional("ntex"), ("nmat", NTEXROLE), "texture for each role, -1 if none"),
        Field("mat_texuniform", BOOL, ("nmat",), "whether a cube texture keeps its scale on every side"),
        Field("mat_texrepeat", FLOAT32, ("nmat", 2), "repetitions of a flat texture along x and y"),
        Field("mat_emission", FLOAT32, ("nmat",), "emitted light, as a factor of the color"),
        Field("mat_specular", FLOAT32, ("nmat",), "specular reflection, as a factor of white"),
        Field("mat_shininess", FLOAT32, ("nmat",), "sharpness of the highlight"),
        Field("mat_reflectance", FLOAT32, ("nmat",), "mirror reflection, 0 for none"),
        Field("mat_metallic", FLOAT32, ("nmat",), "metallic coefficient"),
        Field("mat_roughness", FLOAT32, ("nmat",), "roughness coefficient"),
        Field("mat_rgba", FLOAT32, ("nmat", 4), "color of the material"),
    ),
    "pair": (
        integer("pair_dim", CONDIM, ("npair",), "dimension of the contact space: 1, 3, 4 or 6"),
        integer("pair_geom1", Index("ngeom"), ("npair",), "first geom"),
        integer("pair_geom2", Index("ngeom"), ("npair",), "second geom"),
        integer("pair_signature", Rule("signature"), ("npair",), "key of the body pair: body1 * 65536 + body2"),
        real("pair_solref", ("npair", NREF), "solver reference of the normal direction", "mixed"),
        real("pair_solreffriction", ("npair", NREF), "solver reference of friction, 0 0 to reuse solref", "mixed"),
        real("pair_solimp", ("npair", NIMP), "solver impedance of the contact", "mixed"),
        real("pair_margin", ("npair",), "distance below which a contact pushes", "m"),
        real("pair_gap", ("npair",), "extra distance at which a contact is detected without force", "m"),
        real("pair_adhesion", ("npair",), "attraction along the contact normal", "N"),
        real("pair_friction", ("npair", 5), "friction: two sliding, torsional, two rolling", "1, 1, m, m, m"),
    ),
    "exclude": (
        integer("exclude_signature", Rule("signature"), ("nexclude",), "key of the body pair: body1 * 65536 + body2"),
    ),
    "equality": (
        integer("eq_type", one_of(EqType), ("neq",), "kind of equality (EqType)"),
        integer("eq_obj1id", Rule("ends"), ("neq",), "first object"),
        integer("eq_obj2id", Rule("ends"), ("neq",), "second object, -1 if none"),
        integer("eq_objtype", one_of(ObjType), ("neq",), "type of both objects (ObjType)"),
        Field("eq_active0", BOOL, ("neq",), "whether the equality starts active"),
        real("eq_solref", ("neq", NREF), "solver reference of the equality", "mixed"),
        real("eq_solimp", ("neq", NIMP), "solver impedance of the equality", "mixed"),
        real(
            "eq_data",
            ("neq", NEQDATA),
            "anchors, relative pose or polynomial, by type",
            "mixed",
            setconst=True,
            domain=Rule("strain cells"),
        ),
    ),
    "tendon": (
        integer("tendon_type", one_of(TendonType), ("ntendon",), "kind of tendon (TendonType)"),
        integer(
            "tendon_adr", Stretch("nwrap", "tendon_num"), ("ntendon",), "first element of the path in the wrap arrays"
        ),
        integer("tendon_num", count("nwrap"), ("ntendon",), "how many elements of the path"),
        integer("tendon_matid", optional("nmat"), ("ntendon",), "material, -1 if none"),
        integer(
            "tendon_actuatorid", REFLECTING, ("ntendon",), "actuator that reflects inertia to it, or -1", setconst=True
        ),
        integer("tendon_group", GROUP, ("ntendon",), "visibility group"),
        integer(
            "tendon_plasticadr",
            Stretch("nplastic", 2, optional=True),
            ("ntendon",),
            "first number of the tendon in plastic, -1 if elastic",
        ),
        integer(
            "tendon_treenum",
            Between(0, "ntree"),
            ("ntendon",),
            "how many kinematic trees that the tendon touches",
            setconst=True,
        ),
        integer(
            "tendon_treeid",
            optional("ntree"),
            ("ntendon", 2),
            "first two trees the tendon touches, -1 if none",
            setconst=True,
        ),
        integer(
            "ten_J_rownnz",
            TENDON_PATTERN,
            ("ntendon",),
            "number of entries in each row of the tendon Jacobian",
            setconst=True,
        ),
        integer(
            "ten_J_rowadr",
            TENDON_PATTERN,
            ("ntendon",),
            "first entry of each row of the tendon Jacobian",
            setconst=True,
        ),
        integer(
            "ten_J_colind",
            TENDON_PATTERN,
            ("nJten",),
            "dof of each entry of the tendon Jacobian",
            setconst=True,
        ),
        Field("tendon_limited", BOOL, ("ntendon",), "whether the length range is enforced"),
        Field("tendon_actfrclimited", BOOL, ("ntendon",), "whether the total actuator force is clamped"),
        real("tendon_width", ("ntendon",), "radius for drawing", "m"),
        real("tendon_solref_lim", ("ntendon", NREF), "solver reference of the limit", "mixed"),
        real("tendon_solimp_lim", ("ntendon", NIMP), "solver impedance of the limit", "mixed"),
        real("tendon_solref_fri", ("ntendon", NREF), "solver reference of the friction loss", "mixed"),
        real("tendon_solimp_fri", ("ntendon", NIMP), "solver impedance of the friction loss", "mixed"),
        real("tendon_range", ("ntendon", 2), "shortest and longest length", "m or rad"),
        real("tendon_actfrcrange", ("ntendon", 2), "lower and upper bound of the total actuator force", "N or N·m"),
        real("tendon_margin", ("ntendon",), "distance from the limit at which the constraint appears", "m or rad"),
        real("tendon_stiffness", ("ntendon",), "spring coefficient of the linear term", "N/m or N·m/rad"),
        real("tendon_stiffnesspoly", ("ntendon", NPOLY), "spring coefficients of quadratic and cubic terms", "mixed"),
        real("tendon_damping", ("ntendon",), "damping coefficient of the linear term", "N·s/m or N·m·s/rad"),
        real("tendon_dampingpoly", ("ntendon", NPOLY), "damping coefficients of quadratic and cubic terms", "mixed"),
        real("tendon_armature", ("ntendon",), "inertia that resists a change of length", "kg or kg·m²"),
        real("tendon_frictionloss", ("ntendon",), "dry friction bound", "N or N·m"),
        real("tendon_lengthspring", ("ntendon", 2), "interval of lengths in which the spring is at rest", "m or rad"),
        real("tendon_springyield", ("ntendon",), "deflection at which plastic flow starts, 0 for never", "m or rad"),
        real("tendon_length0", ("ntendon",), "length at qpos0", "m or rad", setconst=True),
        real("tendon_invweight0", ("ntendon",), "inverse inertia at qpos0", "1/kg or 1/(kg·m²)", setconst=True),
        Field("tendon_user", FLOAT64, ("ntendon", "nuser_tendon"), "user numbers of the tendon"),
        Field("tendon_rgba", FLOAT32, ("ntendon", 4), "color when there is no material"),
    ),
    "wrap": (
        integer("wrap_type", one_of(WrapType), ("nwrap",), "kind of path element (WrapType)"),
        integer("wrap_objid", PASSED, ("nwrap",), "joint, site or geom of the element"),
        real(
            "wrap_prm", ("nwrap",), "joint coefficient, pulley divisor, or side site (-1 if none)", "mixed", domain=SIDE
        ),
    ),
    "actuator": (
        integer("actuator_trntype", one_of(TrnType), ("nactuator",), "kind of transmission (TrnType)"),
        integer("actuator_dyntype", one_of(DynType), ("nactuator",), "kind of activation dynamics (DynType)"),
        integer("actuator_gaintype", one_of(GainType), ("nactuator",), "kind of gain (GainType)"),
        integer("actuator_biastype", one_of(BiasType), ("nactuator",), "kind of bias (BiasType)"),
        integer("actuator_ctrladr", Stretch("nu", "actuator_ctrlnum"), ("nactuator",), "first control in ctrl"),
        integer("actuator_ctrlnum", Rule("controls"), ("nactuator",), "how many controls"),
        integer(
            "actuator_ctrlspec",
            Anything("bits that say which inputs there are"),
            ("nactuator",),
            "inputs it takes (CtrlInput bits, CtrlChart for SO3)",
        ),
        integer("actuator_outadr", Stretch("nout", "actuator_outnum", none=()), ("nactuator",), "first force output"),
        integer("actuator_outnum", Rule("outputs"), ("nactuator",), "how many force outputs"),
        integer(
            "actuator_actadr",
            Stretch("na", "actuator_actnum"),
            ("nactuator",),
            "first activation in act, -1 if it has none",
        ),
        integer("actuator_actnum", Rule("activations"), ("nactuator",), "how many activations"),
        integer(
            "actuator_trnid",
            Rule("transmission"),
            ("nactuator", 2),
            "joint, tendon, site or body it drives, and a second site",
        ),
        real("actuator_cranklength", ("nactuator",), "length of the rod of a slider-crank", "m"),
        real("actuator_dynprm", ("nactuator", NDYN), "parameters of the dynamics", "mixed"),
        real("actuator_gainprm", ("nactuator", NGAIN), "parameters of the gain", "mixed"),
        real("actuator_biasprm", ("nactuator", NBIAS), "parameters of the bias", "mixed"),
        Field("actuator_actlimited", BOOL, ("nactuator",), "whether the activation is clamped"),
        real("actuator_actrange", ("nactuator", 2), "lower and upper bound of the activation", "mixed"),
        Field("actuator_actearly", BOOL, ("nactuator",), "whether the force uses the activation of the next step"),
        integer(
            "actuator_history", SAMPLES, ("nactuator", 2), "control history: number of samples, order of interpolation"
        ),
        integer(
            "actuator_historyadr",
            Stretch("nhistory", history_of_controls),
            ("nactuator",),
            "first number in history, -1 if none",
        ),
        real("actuator_delay", ("nactuator",), "delay of the control, 0 for none", "s"),
        real("actuator_damping", ("nactuator",), "linear damping reflected to its target", "N·s/m or N·m·s/rad"),
        real("actuator_dampingpoly", ("nactuator", NPOLY), "reflected damping, quadratic and cubic terms", "mixed"),
        real("actuator_armature", ("nactuator",), "inertia reflected to its target", "kg or kg·m²"),
        integer("actuator_group", GROUP, ("nactuator",), "group for visibility and for switching actuators off"),
        Field("actuator_user", FLOAT64, ("nactuator", "nuser_actuator"), "user numbers of the actuator"),
        integer("actuator_plugin", PLUGIN, ("nactuator",), "plugin instance, -1 if none"),
        Field("actuator_forcelimited", BOOL, ("nactuator",), "whether the force is clamped"),
        real("actuator_forcerange", ("nactuator", 2), "lower and upper bound of the force", "N or N·m"),
        Field("actuator_ctrllimited", BOOL, ("nu",), "whether the control is clamped"),
        real("actuator_ctrlrange", ("nu", 2), "lower and upper bound of the control", "mixed"),
        real("actuator_gear", ("nout", 6), "transmission ratio: scales length, directs force", "mixed"),
        real("actuator_acc0", ("nout",), "acceleration by a unit force at qpos0", "m/s² or rad/s²", setconst=True),
        real("actuator_length0", ("nout",), "length of the actuator at qpos0", "m or rad", setconst=True),
        real("actuator_lengthrange", ("nout", 2), "shortest and longest reachable length", "m or rad"),
    ),
    "sensor": (
        integer("sensor_type", one_of(SensorType), ("nsensor",), "kind of sensor (SensorType)"),
        integer("sensor_datatype", one_of(DataType), ("nsensor",), "kind of number it returns (DataType)"),
        integer("sensor_needstage", one_of(Stage), ("nsensor",), "stage after which it can be evaluated (Stage)"),
        integer("sensor_objtype", one_of(ObjType), ("nsensor",), "type of the measured object (ObjType)"),
        integer("sensor_objid", SENSOR_OBJECT, ("nsensor",), "measured object"),
        integer("sensor_reftype", one_of(ObjType), ("nsensor",), "type of the reference object (ObjType)"),
        integer("sensor_refid", SENSOR_OBJECT, ("nsensor",), "reference object, -1 for the world"),
        integer(
            "sensor_intprm", SENSOR_WIDTH, ("nsensor", NSENS), "integer parameters, with a meaning given by the type"
        ),
        integer("sensor_dim", SENSOR_WIDTH, ("nsensor",), "number of outputs"),
        integer(
            "sensor_adr", Stretch("nsensordata", "sensor_dim", none=()), ("nsensor",), "first output in sensordata"
        ),
        real("sensor_cutoff", ("nsensor",), "bound that the outputs are clamped to, 0 for none", "mixed"),
        real("sensor_noise", ("nsensor",), "standard deviation of the noise; see Data.noisy_sensors", "mixed"),
        integer("sensor_history", SAMPLES, ("nsensor", 2), "sample history: number of samples, order of interpolation"),
        integer(
            "sensor_historyadr",
            Stretch("nhistory", history_of_sensors),
            ("nsensor",),
            "first number in history, -1 if none",
        ),
        real("sensor_delay", ("nsensor",), "delay of the reading, 0 for none", "s"),
        real("sensor_interval", ("nsensor", 2), "sampling period and phase, 0 for every step", "s"),
        Field("sensor_user", FLOAT64, ("nsensor", "nuser_sensor"), "user numbers of the sensor"),
        integer("sensor_plugin", PLUGIN, ("nsensor",), "plugin instance, -1 if none"),
    ),
    "plugin": (
        integer("plugin", SLOT, ("nplugin",), "registered plugin that the instance runs, by MuJoCo's number"),
        integer(
            "plugin_stateadr",
            Stretch("npluginstate", "plugin_statenum", none=()),
            ("nplugin",),
            "first number in plugin_state",
        ),
        integer("plugin_statenum", count("npluginstate"), ("nplugin",), "how many state numbers of the instance"),
        Field("plugin_attr", BYTE, ("npluginattr",), "configuration text of all instances", domain=TEXT),
        integer("plugin_attradr", Index("npluginattr"), ("nplugin",), "start of the instance in plugin_attr"),
        _plugin("plugin_type", DERIVED, ("nplugin",), "plugin that the instance runs (PluginType), -1 if unknown"),
        _plugin("plugin_config", FLOAT64, ("nplugin", NCONFIG), "numbers of the configuration, key by key", "mixed"),
    ),
    "numeric": (
        integer(
            "numeric_adr",
            Stretch("nnumericdata", "numeric_size"),
            ("nnumeric",),
            "first number of the custom field in numeric_data",
        ),
        integer("numeric_size", count("nnumericdata"), ("nnumeric",), "number of numbers in the custom field"),
        Field("numeric_data", FLOAT64, ("nnumericdata",), "all custom numbers"),
    ),
    "text": (
        integer(
            "text_adr",
            Stretch("ntextdata", "text_size"),
            ("ntext",),
            "first character of the custom field in text_data",
        ),
        integer("text_size", count("ntextdata"), ("ntext",), "number of characters, with the closing zero"),
        Field("text_data", BYTE, ("ntextdata",), "all custom texts, each closed by a zero", domain=TEXT),
    ),
    "tuple": (
        integer("tuple_adr", Stretch("ntupledata", "tuple_size"), ("ntuple",), "first element of the tuple"),
        integer("tuple_size", count("ntupledata"), ("ntuple",), "number of elements of the tuple"),
        integer("tuple_objtype", one_of(ObjType), ("ntupledata",), "type of the element (ObjType)"),
        integer("tuple_objid", Anything("for the user"), ("ntupledata",), "object of the element"),
        Field("tuple_objprm", FLOAT64, ("ntupledata",), "number attached to the element"),
    ),
    "key": (
        Field("key_time", FLOAT64, ("nkey",), "time of the keyframe", "s"),
        Field("key_qpos", FLOAT64, ("nkey", "nq"), "qpos of the keyframe", "m or rad"),
        Field("key_qvel", FLOAT64, ("nkey", "nv"), "qvel of the keyframe", "m/s or rad/s"),
        Field("key_act", FLOAT64, ("nkey", "na"), "act of the keyframe", "mixed"),
        Field("key_mpos", FLOAT64, ("nkey", "nmocap*3"), "mocap_pos of the keyframe, flattened", "m"),
        Field("key_mquat", FLOAT64, ("nkey", "nmocap*4"), "mocap_quat of the keyframe, flattened"),
        Field("key_ctrl", FLOAT64, ("nkey", "nu"), "ctrl of the keyframe", "mixed"),
        Field("key_plastic", FLOAT64, ("nkey", "nplastic"), "plastic of the keyframe", "mixed"),
    ),
    "names": (
        integer("name_bodyadr", NAME, ("nbody",), "start of the name of each body in names"),
        integer("name_jntadr", NAME, ("njnt",), "start of the name of each joint in names"),
        integer("name_geomadr", NAME, ("ngeom",), "start of the name of each geom in names"),
        integer("name_siteadr", NAME, ("nsite",), "start of the name of each site in names"),
        integer("name_camadr", NAME, ("ncam",), "start of the name of each camera in names"),
        integer("name_lightadr", NAME, ("nlight",), "start of the name of each light in names"),
        integer("name_flexadr", NAME, ("nflex",), "start of the name of each flex in names"),
        integer("name_meshadr", NAME, ("nmesh",), "start of the name of each mesh in names"),
        integer("name_skinadr", NAME, ("nskin",), "start of the name of each skin in names"),
        integer("name_hfieldadr", NAME, ("nhfield",), "start of the name of each height field in names"),
        integer("name_texadr", NAME, ("ntex",), "start of the name of each texture in names"),
        integer("name_matadr", NAME, ("nmat",), "start of the name of each material in names"),
        integer("name_pairadr", NAME, ("npair",), "start of the name of each pair in names"),
        integer("name_excludeadr", NAME, ("nexclude",), "start of the name of each exclude in names"),
        integer("name_eqadr", NAME, ("neq",), "start of the name of each equality in names"),
        integer("name_tendonadr", NAME, ("ntendon",), "start of the name of each tendon in names"),
        integer("name_actuatoradr", NAME, ("nactuator",), "start of the name of each actuator in names"),
        integer("name_sensoradr", NAME, ("nsensor",), "start of the name of each sensor in names"),
        integer("name_numericadr", NAME, ("nnumeric",), "start of the name of each custom number field in names"),
        integer("name_textadr", NAME, ("ntext",), "start of the name of each custom text in names"),
        integer("name_tupleadr", NAME, ("ntuple",), "start of the name of each tuple in names"),
        integer("name_keyadr", NAME, ("nkey",), "start of the name of each keyframe in names"),
        integer("name_pluginadr", NAME, ("nplugin",), "start of the name of each plugin instance in names"),
        Field(
            "names",
            BYTE,
            ("nnames",),
            "the name of the model, then all object names, each closed by a zero",
            domain=TEXT,
        ),
        integer("names_map", DRAWN, ("nnames_map",), "hash table from names to objects"),
        Field("paths", BYTE, ("npaths",), "file names of the assets, each closed by a zero", domain=TEXT),
    ),
    "sparse": (
        integer("B_rownnz", Between(0, "nv"), ("nbody",), "number of dofs that move each body"),
        integer("B_rowadr", Stretch("nB", "B_rownnz"), ("nbody",), "first entry of each body in B_colind"),
        integer("B_colind", Index("nv"), ("nB",), "dofs that move each body"),
        integer("M_rownnz", INERTIA_PATTERN, ("nv",), "number of entries in each row of the lower triangle of M"),
        integer("M_rowadr", INERTIA_PATTERN, ("nv",), "first entry of each row of M"),
        integer("M_colind", INERTIA_PATTERN, ("nC",), "column of each entry of M, the diagonal last in its row"),
        integer("mapM2M", Index("nM"), ("nC",), "position of each entry of M in the legacy inertia layout"),
        integer("D_rownnz", SQUARE_PATTERN, ("nv",), "number of entries in each row of the square dof-dof pattern"),
        integer("D_rowadr", SQUARE_PATTERN, ("nv",), "first entry of each row of the square pattern"),
        integer("D_diag", SQUARE_PATTERN, ("nv",), "position of the diagonal inside each row of the square pattern"),
        integer("D_colind", SQUARE_PATTERN, ("nD",), "column of each entry of the square pattern"),
        integer("mapM2D", optional("nC"), ("nD",), "entry of M that belongs in each entry of the square pattern"),
        integer("mapD2M", Index("nD"), ("nC",), "entry of the square pattern that belongs in each entry of M"),
        _elimination("place_dof", DERIVED, ("nv",), "dofs in the order of the Hessian: the last is eliminated first"),
        _elimination("dof_place", DERIVED, ("nv",), "place of each dof in that order"),
        _elimination("flg_order", BOOL, (), "whether it is another order than that of the dofs"),
    ),
    "grid": (
        _grid("grid_shape", Between(2, MAXPIXELS), ("ngrid", 3), "number of points along x, y, z"),
        _grid("grid_adr", Stretch("ngriddata", grid_points, none=()), ("ngrid",), "first distance in grid_value"),
        _grid("grid_cell", FLOAT64, ("ngrid", 3), "distance between points along x, y, z", "m"),
        _grid("grid_origin", FLOAT64, ("ngrid", 3), "first point in the geom frame", "m"),
        _grid("grid_aabb", FLOAT64, ("ngrid", 6), "box around the inside: center, half sizes", "m"),
        _grid("grid_value", FLOAT64, ("ngriddata",), "signed distance at the points, z fastest", "m"),
    ),
    "broadphase": (
        _broad(
            "candidate_geom1",
            Index("ngeom"),
            ("ncandidate",),
            "first geom of a pair that may touch: the one of smaller type",
        ),
        _broad("candidate_geom2", Index("ngeom"), ("ncandidate",), "second geom of the pair"),
        _broad(
            "candidate_pair", optional("npair"), ("ncandidate",), "explicit pair that gives the parameters, -1 for none"
        ),
        _broad("flg_sweep", BOOL, (), "whether there are too many pairs to list, so that bodies are swept"),
        _broad(
            "body_sweep",
            Among((0, 1, 2)),
            ("nbody",),
            "in a sweep: 0 it touches nothing, 1 it is swept, 2 all are tested with it",
        ),
    ),
    "flags": (
        Field("flg_gravcomp", BOOL, (), "whether any body has gravity compensation", setconst=True),
        Field("flg_surfacevel", BOOL, (), "whether any geom has a surface velocity", setconst=True),
        Field("flg_adhesion", BOOL, (), "whether any geom or pair has adhesion", setconst=True),
    ),
}

SETCONST_SIZES: tuple[str, ...] = ("ngravcomp", "npolygonmax", "nmeshdegmax")
"""Sizes that are recomputed together with the `setconst` rows."""

_SETCONST_INPUTS = """
    qpos0 qpos_spring
    body_parentid body_rootid body_weldid body_mocapid body_jntnum body_jntadr body_dofnum body_dofadr
    body_geomnum body_geomadr body_simple body_pos body_quat body_ipos body_iquat body_mass body_inertia
    body_gravcomp body_bvhadr body_bvhnum
    bvh_child bvh_nodeid
    jnt_type jnt_qposadr jnt_dofadr jnt_bodyid jnt_pos jnt_axis
    dof_bodyid dof_jntid dof_parentid dof_treeid dof_simplenum dof_armature
    tree_sleep_policy
    geom_type geom_contype geom_conaffinity geom_bodyid geom_dataid geom_size geom_aabb geom_pos geom_quat
    geom_margin geom_gap geom_surfacevel geom_adhesion geom_fluid
    site_bodyid site_pos site_quat
    cam_bodyid cam_targetbodyid cam_pos cam_quat
    light_bodyid light_targetbodyid light_pos light_dir
    flex_passive flex_dim flex_interp flex_cellnum flex_nodeadr flex_nodenum flex_vertadr flex_vertnum
    flex_edgeadr flex_edgenum flex_elemadr flex_elemnum flex_elemdataadr flex_stiffnessadr flex_bendingadr
    flex_nodebodyid flex_vertbodyid flex_vertcell flex_edge flex_edgeflap flex_elem flex_vert flex_vert0 flex_node
    flex_radius flex_stiffness flex_bending flex_damping flex_edgestiffness flex_edgedamping flex_edgeequality
    flex_rigid flexedge_rigid flex_centered flex_bvhadr flex_bvhnum
    mesh_polyvertnum mesh_polymapnum
    hfield_size
    pair_adhesion
    eq_type eq_obj1id eq_obj2id eq_objtype eq_data
    tendon_type tendon_adr tendon_num tendon_stiffness tendon_stiffnesspoly tendon_damping tendon_dampingpoly
    tendon_armature
    wrap_type wrap_objid wrap_prm
    actuator_trntype actuator_outadr actuator_trnid actuator_cranklength actuator_damping actuator_dampingpoly
    actuator_armature actuator_gear
    M_rownnz M_rowadr M_colind
"""

SETCONST_INPUTS: frozenset[str] = frozenset(_SETCONST_INPUTS.split())
"""Rows that mj_setConst reads before it writes them: a change of one asks for the `setconst` rows to be recomputed."""

OMITTED: dict[str, str] = {
    "signature": "fingerprint of the mjSpec that compiled the model; Phalanx has its own compiler",
    "vis": "options of MuJoCo's renderer",
    "buffer": "memory of MuJoCo's own allocation; each of our rows is its own array",
}
"""Members of mjModel that are neither a size nor a row, with the reason."""
