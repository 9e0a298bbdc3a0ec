"""Attributes of Model, Data and BatchSim. Written by `python -m tools.write_stubs` from the tables; do not edit."""

from typing import Any

import numpy as np

from phalanx.memory.names import NamedObject

class Array:
    """A read-only array."""

    def __get__(self, owner: Any, kind: Any = ...) -> np.ndarray: ...

class LiveArray:
    """An array that is written in place, or by assignment of a number or an array of the same shape."""

    def __get__(self, owner: Any, kind: Any = ...) -> np.ndarray: ...
    def __set__(self, owner: Any, value: Any) -> None: ...

class Integer:
    """A read-only integer."""

    def __get__(self, owner: Any, kind: Any = ...) -> int: ...

class Number:
    """A read-only number."""

    def __get__(self, owner: Any, kind: Any = ...) -> float: ...

class LiveInteger:
    """An integer that can be assigned."""

    def __get__(self, owner: Any, kind: Any = ...) -> int: ...
    def __set__(self, owner: Any, value: int) -> None: ...

class LiveNumber:
    """A number that can be assigned."""

    def __get__(self, owner: Any, kind: Any = ...) -> float: ...
    def __set__(self, owner: Any, value: float) -> None: ...

class OptionFields:
    """The options of the physics."""

    timestep: Number
    """length of a step [s]"""
    impratio: Number
    """impedance of friction relative to the normal direction"""
    tolerance: Number
    """scaled improvement at which the solver stops"""
    ls_tolerance: Number
    """relative slope at which the line search stops"""
    noslip_tolerance: Number
    """scaled improvement at which the noslip pass stops"""
    ccd_tolerance: Number
    """accuracy of the convex collision search [m]"""
    sleep_tolerance: Number
    """speed below which a tree may fall asleep [m/s]"""
    gravity: Array
    """(3,) acceleration of gravity [m/s²]"""
    wind: Array
    """(3,) velocity of the fluid [m/s]"""
    magnetic: Array
    """(3,) magnetic flux density [T]"""
    density: Number
    """density of the fluid [kg/m³]"""
    viscosity: Number
    """viscosity of the fluid [Pa·s]"""
    o_margin: Number
    """margin of all contacts, overridden [m]"""
    o_solref: Array
    """(2,) solref of all contacts, overridden [mixed]"""
    o_solimp: Array
    """(5,) solimp of all contacts, overridden [mixed]"""
    o_friction: Array
    """(5,) friction of all contacts, overridden [mixed]"""
    integrator: Integer
    """how the state is advanced (Integrator)"""
    cone: Integer
    """shape of the friction cone (Cone)"""
    jacobian: Integer
    """layout of the constraint Jacobian (Jacobian)"""
    solver: Integer
    """algorithm of the constraint solver (Solver)"""
    iterations: Integer
    """most iterations of the constraint solver"""
    ls_iterations: Integer
    """most evaluations of one line search"""
    noslip_iterations: Integer
    """most iterations of the noslip pass, 0 for none"""
    ccd_iterations: Integer
    """most iterations of the convex collision search"""
    disableflags: Integer
    """standard features that are off (DisableBit)"""
    enableflags: Integer
    """optional features that are on (EnableBit)"""
    disableactuator: Integer
    """actuator groups that are off, one bit per group"""
    sdf_initpoints: Integer
    """starting points of the signed distance descent"""
    sdf_iterations: Integer
    """most iterations of the signed distance descent"""

class StatisticFields:
    """The statistics of a model."""

    meaninertia: Number
    """mean of the diagonal of M at qpos0 [kg or kg·m²]"""
    meanmass: Number
    """mean mass of the bodies [kg]"""
    meansize: Number
    """mean size of the bodies [m]"""
    extent: Number
    """half size of the model [m]"""
    center: Array
    """(3,) center of the model [m]"""

class ModelFields:
    """Sizes, fields and named objects of a Model."""

    opt: OptionFields
    """Options of the physics."""
    stat: StatisticFields
    """Statistics of the model."""
    nq: Integer
    """count of generalized coordinates: length of qpos"""
    nv: Integer
    """count of degrees of freedom: length of qvel"""
    nu: Integer
    """count of controls: length of ctrl"""
    nactuator: Integer
    """count of actuators"""
    nout: Integer
    """count of force outputs of all actuators"""
    na: Integer
    """count of activations: length of act"""
    nbody: Integer
    """count of bodies, the world included"""
    nbvh: Integer
    """count of bounding volumes"""
    nbvhstatic: Integer
    """count of bounding volumes whose box is fixed in its owner"""
    nbvhdynamic: Integer
    """count of bounding volumes whose box moves (flexes)"""
    noct: Integer
    """count of octree nodes of all meshes"""
    njnt: Integer
    """count of joints"""
    ntree: Integer
    """count of kinematic trees: branches of the world that can move"""
    nM: Integer
    """count of entries of the inertia matrix in the legacy layout"""
    nB: Integer
    """count of entries of the body-dof pattern"""
    nC: Integer
    """count of entries of M: the lower triangle, simple dofs reduced to the diagonal"""
    nD: Integer
    """count of entries of the square dof-dof pattern"""
    ngeom: Integer
    """count of geoms"""
    nsite: Integer
    """count of sites"""
    ncam: Integer
    """count of cameras"""
    nlight: Integer
    """count of lights"""
    nflex: Integer
    """count of flexes"""
    nflexnode: Integer
    """count of nodes of all flexes"""
    nflexvert: Integer
    """count of vertices of all flexes"""
    nflexedge: Integer
    """count of edges of all flexes"""
    nflexelem: Integer
    """count of elements of all flexes"""
    nflexelemdata: Integer
    """count of element vertices of all flexes"""
    nflexstiffness: Integer
    """count of stiffness numbers of all flexes"""
    nflexbending: Integer
    """count of bending numbers of all flexes"""
    nefm0dof: Integer
    """count of dofs in the constant metric factor"""
    nefm0L: Integer
    """count of entries of the constant metric factor"""
    nefmCvert: Integer
    """count of places in the elimination order of the metric factor"""
    nflexelemedge: Integer
    """count of element edges of all flexes"""
    nflexshelldata: Integer
    """count of shell fragment vertices of all flexes"""
    nflextexcoord: Integer
    """count of texture coordinates of all flexes"""
    nJfe: Integer
    """count of entries of the flex edge Jacobian"""
    nmesh: Integer
    """count of meshes"""
    nmeshvert: Integer
    """count of vertices of all meshes"""
    nmeshnormal: Integer
    """count of normals of all meshes"""
    nmeshtexcoord: Integer
    """count of texture coordinates of all meshes"""
    nmeshface: Integer
    """count of triangles of all meshes"""
    nmeshgraph: Integer
    """count of integers in mesh_graph"""
    nmeshpoly: Integer
    """count of hull polygons of all meshes"""
    nmeshpolyvert: Integer
    """count of polygon vertices of all meshes"""
    nmeshpolymap: Integer
    """count of entries in the vertex to polygon map"""
    nskin: Integer
    """count of skins"""
    nskinvert: Integer
    """count of vertices of all skins"""
    nskintexvert: Integer
    """count of texture coordinates of all skins"""
    nskinface: Integer
    """count of triangles of all skins"""
    nskinbone: Integer
    """count of bones of all skins"""
    nskinbonevert: Integer
    """count of bone vertices of all skins"""
    nhfield: Integer
    """count of height fields"""
    nhfielddata: Integer
    """count of elevations of all height fields"""
    ntex: Integer
    """count of textures"""
    ntexdata: Integer
    """count of bytes of all textures"""
    nmat: Integer
    """count of materials"""
    npair: Integer
    """count of geom pairs declared by the user"""
    nexclude: Integer
    """count of excluded body pairs"""
    neq: Integer
    """count of equality constraints"""
    ntendon: Integer
    """count of tendons"""
    nJten: Integer
    """count of entries of the tendon Jacobian"""
    nwrap: Integer
    """count of path elements of all tendons"""
    nsensor: Integer
    """count of sensors"""
    nnumeric: Integer
    """count of custom number fields"""
    nnumericdata: Integer
    """count of custom numbers"""
    ntext: Integer
    """count of custom texts"""
    ntextdata: Integer
    """count of characters of all custom texts"""
    ntuple: Integer
    """count of custom tuples"""
    ntupledata: Integer
    """count of elements of all tuples"""
    nkey: Integer
    """count of keyframes"""
    nmocap: Integer
    """count of mocap bodies"""
    nplugin: Integer
    """count of plugin instances"""
    npluginattr: Integer
    """count of characters of all plugin configurations"""
    nuser_body: Integer
    """count of user numbers per body"""
    nuser_jnt: Integer
    """count of user numbers per joint"""
    nuser_geom: Integer
    """count of user numbers per geom"""
    nuser_site: Integer
    """count of user numbers per site"""
    nuser_cam: Integer
    """count of user numbers per camera"""
    nuser_tendon: Integer
    """count of user numbers per tendon"""
    nuser_actuator: Integer
    """count of user numbers per actuator"""
    nuser_sensor: Integer
    """count of user numbers per sensor"""
    nnames: Integer
    """count of characters of all names"""
    npaths: Integer
    """count of characters of all file names"""
    nplastic: Integer
    """count of plastic state numbers"""
    nnames_map: Integer
    """count of slots in the hash table of names"""
    nJmom: Integer
    """count of entries of the actuator moment matrix"""
    ngravcomp: Integer
    """count of bodies with gravity compensation"""
    nemax: Integer
    """most equality rows that are possible"""
    njmax: Integer
    """requested count of constraint rows, -1 for automatic"""
    nconmax: Integer
    """requested count of contacts, -1 for automatic"""
    npolygonmax: Integer
    """most vertices of a hull polygon"""
    nmeshdegmax: Integer
    """most edges at a hull vertex"""
    nuserdata: Integer
    """count of user numbers in Data"""
    nsensordata: Integer
    """count of sensor outputs"""
    npluginstate: Integer
    """count of plugin state numbers"""
    nhistory: Integer
    """count of numbers in the history buffer"""
    narena: Integer
    """bytes of the work area that MuJoCo reserves in its Data"""
    nbuffer: Integer
    """bytes of the main buffer of MuJoCo's Model"""
    ngrid: Integer
    """count of signed distance grids"""
    ngriddata: Integer
    """count of distances of all grids"""
    ncandidate: Integer
    """count of geom pairs that may touch, listed ahead"""
    nsleep: Integer
    """1 if trees can fall asleep, else 0"""
    qpos0: Array
    """(nq,) generalized coordinates at the reference pose [m or rad]"""
    qpos_spring: Array
    """(nq,) pose in which the joint springs are at rest [m or rad]"""
    body_parentid: Array
    """(nbody,) body that this body is attached to"""
    body_rootid: Array
    """(nbody,) child of the world that the body hangs from"""
    body_weldid: Array
    """(nbody,) ancestor it is rigidly welded to, itself if it moves or is mocap"""
    body_mocapid: Array
    """(nbody,) row of the mocap arrays, -1 if the body is not mocap"""
    body_jntnum: Array
    """(nbody,) how many joints"""
    body_jntadr: Array
    """(nbody,) first joint, -1 if none"""
    body_dofnum: Array
    """(nbody,) how many degrees of freedom"""
    body_dofadr: Array
    """(nbody,) first degree of freedom, -1 if none"""
    body_treeid: Array
    """(nbody,) kinematic tree of the body, -1 if it is static"""
    body_geomnum: Array
    """(nbody,) how many geoms"""
    body_geomadr: Array
    """(nbody,) first geom, -1 if none"""
    body_simple: Array
    """(nbody,) inertia block: 0 general, 1 diagonal, 2 diagonal with slides only"""
    body_sameframe: Array
    """(nbody,) alignment of inertial and body frame (SameFrame)"""
    body_pos: Array
    """(nbody, 3) position of the body frame in its parent [m]"""
    body_quat: Array
    """(nbody, 4) orientation of the body frame in its parent"""
    body_ipos: Array
    """(nbody, 3) center of mass in the body frame [m]"""
    body_iquat: Array
    """(nbody, 4) orientation of the principal axes of inertia in the body frame"""
    body_mass: Array
    """(nbody,) mass of the body [kg]"""
    body_subtreemass: Array
    """(nbody,) mass of the body and all its descendants [kg]"""
    body_inertia: Array
    """(nbody, 3) principal moments of inertia about the center of mass [kg·m²]"""
    body_invweight0: Array
    """(nbody, 2) mean inverse inertia at qpos0: linear, angular [mixed]"""
    body_gravcomp: Array
    """(nbody,) fraction of the weight that gravity compensation cancels"""
    body_margin: Array
    """(nbody,) largest margin plus gap among the geoms [m]"""
    body_user: Array
    """(nbody, nuser_body) user numbers of the body"""
    body_plugin: Array
    """(nbody,) plugin instance, -1 if none"""
    body_contype: Array
    """(nbody,) contact types of all geoms, joined by OR"""
    body_conaffinity: Array
    """(nbody,) contact affinities of all geoms, joined by OR"""
    body_bvhadr: Array
    """(nbody,) root of the bounding volume tree"""
    body_bvhnum: Array
    """(nbody,) how many bounding volumes"""
    bvh_depth: Array
    """(nbvh,) depth of the node in its tree"""
    bvh_child: Array
    """(nbvh, 2) left and right child, -1 if none"""
    bvh_nodeid: Array
    """(nbvh,) geom or element in a leaf, -1 for an inner node"""
    bvh_aabb: Array
    """(nbvhstatic, 6) box in the owner: center, half sizes [m]"""
    oct_depth: Array
    """(noct,) depth of the octree node"""
    oct_child: Array
    """(noct, 8) the eight children, -1 if none"""
    oct_aabb: Array
    """(noct, 6) bounding box of the octree node: center, half sizes [m]"""
    oct_coeff: Array
    """(noct, 8) signed distance at the eight corners of the node [m]"""
    jnt_type: Array
    """(njnt,) kind of joint (JointType)"""
    jnt_qposadr: Array
    """(njnt,) first coordinate of the joint in qpos"""
    jnt_dofadr: Array
    """(njnt,) first degree of freedom of the joint in qvel"""
    jnt_bodyid: Array
    """(njnt,) body that the joint moves"""
    jnt_actuatorid: Array
    """(njnt,) actuator that reflects inertia to it, -1 if none"""
    jnt_group: Array
    """(njnt,) visibility group"""
    jnt_plasticadr: Array
    """(njnt,) first number of the joint in plastic, -1 if elastic"""
    jnt_limited: Array
    """(njnt,) whether the range is enforced"""
    jnt_actfrclimited: Array
    """(njnt,) whether the total actuator force is clamped"""
    jnt_actgravcomp: Array
    """(njnt,) whether gravity compensation counts as actuator force"""
    jnt_solref: Array
    """(njnt, 2) solver reference of the limit [mixed]"""
    jnt_solimp: Array
    """(njnt, 5) solver impedance of the limit [mixed]"""
    jnt_pos: Array
    """(njnt, 3) anchor in the body frame [m]"""
    jnt_axis: Array
    """(njnt, 3) axis in the body frame"""
    jnt_stiffness: Array
    """(njnt,) spring coefficient of the linear term [N/m or N·m/rad]"""
    jnt_stiffnesspoly: Array
    """(njnt, 2) spring coefficients of the quadratic and cubic terms [mixed]"""
    jnt_springyield: Array
    """(njnt,) spring deflection at which plastic flow starts, 0 for never [m or rad]"""
    jnt_range: Array
    """(njnt, 2) lower and upper limit [m or rad]"""
    jnt_actfrcrange: Array
    """(njnt, 2) lower and upper bound of the total actuator force [N or N·m]"""
    jnt_margin: Array
    """(njnt,) distance from the limit at which the constraint appears [m or rad]"""
    jnt_user: Array
    """(njnt, nuser_jnt) user numbers of the joint"""
    dof_bodyid: Array
    """(nv,) body that the dof moves"""
    dof_jntid: Array
    """(nv,) joint that the dof belongs to"""
    dof_parentid: Array
    """(nv,) previous dof on the path to the world, -1 if none"""
    dof_treeid: Array
    """(nv,) kinematic tree of the dof"""
    dof_Madr: Array
    """(nv,) diagonal entry of the dof in the legacy inertia layout (nM)"""
    dof_simplenum: Array
    """(nv,) how many simple dofs in a row that start here"""
    dof_solref: Array
    """(nv, 2) solver reference of the friction loss [mixed]"""
    dof_solimp: Array
    """(nv, 5) solver impedance of the friction loss [mixed]"""
    dof_frictionloss: Array
    """(nv,) dry friction bound [N or N·m]"""
    dof_armature: Array
    """(nv,) inertia added to the diagonal of M [kg or kg·m²]"""
    dof_damping: Array
    """(nv,) damping coefficient of the linear term [N·s/m or N·m·s/rad]"""
    dof_dampingpoly: Array
    """(nv, 2) damping coefficients of the quadratic and cubic terms [mixed]"""
    dof_invweight0: Array
    """(nv,) diagonal of the inverse inertia at qpos0 [1/kg or 1/(kg·m²)]"""
    dof_M0: Array
    """(nv,) diagonal of the inertia at qpos0 [kg or kg·m²]"""
    dof_length: Array
    """(nv,) length that makes a velocity linear, 1 for a slide [1 or m]"""
    tree_bodyadr: Array
    """(ntree,) first body of the tree"""
    tree_bodynum: Array
    """(ntree,) how many bodies of the tree"""
    tree_dofadr: Array
    """(ntree,) first dof of the tree"""
    tree_dofnum: Array
    """(ntree,) how many dofs of the tree"""
    tree_sleep_policy: Array
    """(ntree,) whether the tree may sleep (SleepPolicy)"""
    geom_type: Array
    """(ngeom,) shape (GeomType)"""
    geom_contype: Array
    """(ngeom,) contact type bits"""
    geom_conaffinity: Array
    """(ngeom,) contact affinity bits, matched with the other geom's types"""
    geom_condim: Array
    """(ngeom,) dimension of the contact space: 1, 3, 4 or 6"""
    geom_bodyid: Array
    """(ngeom,) body that carries the geom"""
    geom_dataid: Array
    """(ngeom,) mesh or height field of the geom, -1 if none"""
    geom_matid: Array
    """(ngeom,) material, -1 if none"""
    geom_group: Array
    """(ngeom,) visibility group"""
    geom_priority: Array
    """(ngeom,) whose contact parameters win: the higher one"""
    geom_plugin: Array
    """(ngeom,) plugin instance, -1 if none"""
    geom_sameframe: Array
    """(ngeom,) alignment of geom and body frames (SameFrame)"""
    geom_castshadow: Array
    """(ngeom,) whether the geom casts a shadow"""
    geom_solmix: Array
    """(ngeom,) weight of the geom when solver parameters are mixed"""
    geom_solref: Array
    """(ngeom, 2) solver reference of its contacts [mixed]"""
    geom_solimp: Array
    """(ngeom, 5) solver impedance of its contacts [mixed]"""
    geom_size: Array
    """(ngeom, 3) sizes, with a meaning given by the type [m]"""
    geom_aabb: Array
    """(ngeom, 6) bounding box in the geom frame: center, half sizes [m]"""
    geom_rbound: Array
    """(ngeom,) radius of the bounding sphere, 0 for a plane [m]"""
    geom_pos: Array
    """(ngeom, 3) position of the geom frame in the body [m]"""
    geom_quat: Array
    """(ngeom, 4) orientation of the geom frame in the body"""
    geom_friction: Array
    """(ngeom, 3) friction coefficients: sliding, torsional, rolling [1, m, m]"""
    geom_margin: Array
    """(ngeom,) distance below which a contact pushes [m]"""
    geom_gap: Array
    """(ngeom,) extra distance at which a contact is detected without force [m]"""
    geom_surfacevel: Array
    """(ngeom, 6) surface velocity in the geom frame: linear, angular [m/s, rad/s]"""
    geom_adhesion: Array
    """(ngeom,) attraction along the normal of its contacts [N]"""
    geom_fluid: Array
    """(ngeom, 12) coefficients of the ellipsoid fluid model [mixed]"""
    geom_user: Array
    """(ngeom, nuser_geom) user numbers of the geom"""
    geom_rgba: Array
    """(ngeom, 4) color when there is no material"""
    site_type: Array
    """(nsite,) shape for drawing and for sensor zones (GeomType)"""
    site_bodyid: Array
    """(nsite,) body that carries the site"""
    site_dataid: Array
    """(nsite,) mesh of the site, -1 if none"""
    site_matid: Array
    """(nsite,) material, -1 if none"""
    site_group: Array
    """(nsite,) visibility group"""
    site_sameframe: Array
    """(nsite,) alignment of site and body frames (SameFrame)"""
    site_size: Array
    """(nsite, 3) sizes, with a meaning given by the type [m]"""
    site_pos: Array
    """(nsite, 3) position of the site frame in the body [m]"""
    site_quat: Array
    """(nsite, 4) orientation of the site frame in the body"""
    site_user: Array
    """(nsite, nuser_site) user numbers of the site"""
    site_rgba: Array
    """(nsite, 4) color when there is no material"""
    cam_mode: Array
    """(ncam,) tracking mode (CamLightMode)"""
    cam_bodyid: Array
    """(ncam,) body that carries the camera"""
    cam_targetbodyid: Array
    """(ncam,) body that the camera looks at, -1 if none"""
    cam_pos: Array
    """(ncam, 3) position of the camera frame in the body [m]"""
    cam_quat: Array
    """(ncam, 4) orientation of the camera frame in the body"""
    cam_poscom0: Array
    """(ncam, 3) world offset from the subtree center at qpos0 [m]"""
    cam_pos0: Array
    """(ncam, 3) world offset from the body frame at qpos0 [m]"""
    cam_mat0: Array
    """(ncam, 9) world rotation matrix at qpos0"""
    cam_projection: Array
    """(ncam,) kind of projection (Projection)"""
    cam_fovy: Array
    """(ncam,) vertical field of view, a length if orthographic [deg or m]"""
    cam_ipd: Array
    """(ncam,) distance between the eyes in stereo [m]"""
    cam_resolution: Array
    """(ncam, 2) image width and height in pixels"""
    cam_output: Array
    """(ncam,) images that the camera produces (CamOutput bits)"""
    cam_sensorsize: Array
    """(ncam, 2) width and height of the sensor chip [m]"""
    cam_intrinsic: Array
    """(ncam, 4) focal lengths, then offsets of the principal point [m]"""
    cam_user: Array
    """(ncam, nuser_cam) user numbers of the camera"""
    light_mode: Array
    """(nlight,) tracking mode (CamLightMode)"""
    light_bodyid: Array
    """(nlight,) body that carries the light"""
    light_targetbodyid: Array
    """(nlight,) body that the light points at, -1 if none"""
    light_type: Array
    """(nlight,) kind of light (LightType)"""
    light_texid: Array
    """(nlight,) texture of an image light, -1 if none"""
    light_castshadow: Array
    """(nlight,) whether the light casts shadows"""
    light_bulbradius: Array
    """(nlight,) radius of the bulb, for soft shadows [m]"""
    light_intensity: Array
    """(nlight,) luminous intensity [cd]"""
    light_range: Array
    """(nlight,) reach of the light [m]"""
    light_active: Array
    """(nlight,) whether the light is on"""
    light_pos: Array
    """(nlight, 3) position of the light in the body [m]"""
    light_dir: Array
    """(nlight, 3) direction of the light in the body"""
    light_poscom0: Array
    """(nlight, 3) world offset from the subtree center at qpos0 [m]"""
    light_pos0: Array
    """(nlight, 3) world offset from the body frame at qpos0 [m]"""
    light_dir0: Array
    """(nlight, 3) world direction at qpos0"""
    light_attenuation: Array
    """(nlight, 3) constant, linear and quadratic falloff"""
    light_cutoff: Array
    """(nlight,) half angle of the spot [deg]"""
    light_softness: Array
    """(nlight,) blur of the edge of the spot"""
    light_exponent: Array
    """(nlight,) concentration of the spot"""
    light_ambient: Array
    """(nlight, 3) ambient color"""
    light_diffuse: Array
    """(nlight, 3) diffuse color"""
    light_specular: Array
    """(nlight, 3) specular color"""
    flex_contype: Array
    """(nflex,) contact type bits"""
    flex_conaffinity: Array
    """(nflex,) contact affinity bits"""
    flex_condim: Array
    """(nflex,) dimension of the contact space: 1, 3, 4 or 6"""
    flex_priority: Array
    """(nflex,) whose contact parameters win: the higher one"""
    flex_solmix: Array
    """(nflex,) weight of the flex when solver parameters are mixed"""
    flex_solref: Array
    """(nflex, 2) solver reference of its contacts [mixed]"""
    flex_solimp: Array
    """(nflex, 5) solver impedance of its contacts [mixed]"""
    flex_friction: Array
    """(nflex, 3) friction coefficients: sliding, torsional, rolling [1, m, m]"""
    flex_margin: Array
    """(nflex,) distance below which a contact pushes [m]"""
    flex_gap: Array
    """(nflex,) extra distance at which a contact is detected without force [m]"""
    flex_selfcollide: Array
    """(nflex,) how the flex collides with itself (FlexSelf)"""
    flex_activelayers: Array
    """(nflex,) number of outer element layers that collide, solids only"""
    flex_passive: Array
    """(nflex,) whether contacts act as passive forces"""
    flex_dim: Array
    """(nflex,) dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra"""
    flex_matid: Array
    """(nflexelem,) material of the element, -1 if none"""
    flex_group: Array
    """(nflex,) visibility group"""
    flex_interp: Array
    """(nflex,) order of interpolation: 0 means that the vertices themselves move"""
    flex_cellnum: Array
    """(nflex, 3) number of finite cells along each axis"""
    flex_nodeadr: Array
    """(nflex,) first node"""
    flex_nodenum: Array
    """(nflex,) how many nodes"""
    flex_vertadr: Array
    """(nflex,) first vertex"""
    flex_vertnum: Array
    """(nflex,) how many vertices"""
    flex_edgeadr: Array
    """(nflex,) first edge"""
    flex_edgenum: Array
    """(nflex,) how many edges"""
    flex_elemadr: Array
    """(nflex,) first element"""
    flex_elemnum: Array
    """(nflex,) how many elements"""
    flex_elemdataadr: Array
    """(nflex,) first vertex id of the elements in flex_elem"""
    flex_stiffnessadr: Array
    """(nflex,) first number in flex_stiffness"""
    flex_elemedgeadr: Array
    """(nflex,) first edge id of the elements in flex_elemedge"""
    flex_bendingadr: Array
    """(nflex,) first number in flex_bending"""
    flex_plasticadr: Array
    """(nflex,) first number of the flex in plastic, -1 if elastic"""
    flex_plasticmode: Array
    """(nflex,) what can flow plastically, as bits: 1 bending, 2 stretching"""
    flex_shellnum: Array
    """(nflex,) how many shell fragments"""
    flex_shelldataadr: Array
    """(nflex,) first vertex id in flex_shell"""
    flex_texcoordadr: Array
    """(nflex,) first row in flex_texcoord, -1 if none"""
    flex_nodebodyid: Array
    """(nflexnode,) body of the node"""
    flex_vertbodyid: Array
    """(nflexvert,) body of the vertex"""
    flex_vertcell: Array
    """(nflexvert,) finite cell that holds the vertex, -1 if none"""
    flex_edge: Array
    """(nflexedge, 2) the two vertices of the edge"""
    flex_edgeflap: Array
    """(nflexedge, 2) vertices opposite to the edge in its triangles, surfaces only"""
    flex_elem: Array
    """(nflexelemdata,) vertices of the elements, dim+1 each"""
    flex_elemtexcoord: Array
    """(nflexelemdata,) texture coordinates of the elements, dim+1 each"""
    flex_elemedge: Array
    """(nflexelemedge,) edges of the elements"""
    flex_elemlayer: Array
    """(nflexelem,) distance of the element from the surface in layers, solids only"""
    flex_shell: Array
    """(nflexshelldata,) vertices of the shell fragments, dim each"""
    flex_vert: Array
    """(nflexvert, 3) vertex in the frame of its body [m]"""
    flex_vert0: Array
    """(nflexvert, 3) vertex at qpos0, scaled to the unit cube"""
    flex_node: Array
    """(nflexnode, 3) node in the frame of its body [m]"""
    flex_node0: Array
    """(nflexnode, 3) node at qpos0 in world coordinates [m]"""
    flexedge_length0: Array
    """(nflexedge,) length of the edge at qpos0 [m]"""
    flexedge_invweight0: Array
    """(nflexedge,) inverse inertia at qpos0 [1/kg]"""
    flex_radius: Array
    """(nflex,) thickness around the elements [m]"""
    flex_size: Array
    """(nflex, 3) half sizes of the box around the vertices at qpos0 [m]"""
    flex_stiffness: Array
    """(nflexstiffness,) stiffness matrices of the finite elements [N/m]"""
    flex_bending: Array
    """(nflexbending,) bending stiffness records [N·m]"""
    efm0_dofid: Array
    """(nefm0dof,) dof of each row of the constant metric factor"""
    efm0_L_rownnz: Array
    """(nefm0dof,) entries in each row of the constant metric factor"""
    efm0_L_rowadr: Array
    """(nefm0dof,) first entry of each row of the metric factor"""
    efm0_L_colind: Array
    """(nefm0L,) column of each entry of the constant metric factor"""
    efm0_L: Array
    """(nefm0L,) factor of inertia plus constant bending metric [kg^½]"""
    efmC_perm: Array
    """(nefmCvert,) elimination order of the metric factor: vertex dofs"""
    flex_damping: Array
    """(nflex,) Rayleigh damping: damping per stiffness [s]"""
    flex_yield: Array
    """(nflex, 2) yield strain of stretching and bending, 0 for never"""
    flex_edgestiffness: Array
    """(nflex,) spring coefficient of the edges [N/m]"""
    flex_edgedamping: Array
    """(nflex,) damping coefficient of the edges [N·s/m]"""
    flex_edgeequality: Array
    """(nflex,) which equality the flex has: 0 none, 1 edge lengths, 3 strain"""
    flex_rigid: Array
    """(nflex,) whether all vertices belong to one body"""
    flexedge_rigid: Array
    """(nflexedge,) whether both ends of the edge belong to one body"""
    flex_centered: Array
    """(nflex,) whether every vertex sits at the origin of its body"""
    flex_flatskin: Array
    """(nflex,) whether the skin is drawn with flat shading"""
    flex_bvhadr: Array
    """(nflex,) root of the bounding volume tree, -1 if none"""
    flex_bvhnum: Array
    """(nflex,) how many bounding volumes"""
    flexedge_J_rownnz: Array
    """(nflexedge,) entries in each row of the edge Jacobian"""
    flexedge_J_rowadr: Array
    """(nflexedge,) first entry of each row of the edge Jacobian"""
    flexedge_J_colind: Array
    """(nJfe,) dof of each entry of the edge Jacobian"""
    flex_rgba: Array
    """(nflex, 4) color when there is no material"""
    flex_texcoord: Array
    """(nflextexcoord, 2) texture coordinates of the vertices"""
    mesh_vertadr: Array
    """(nmesh,) first vertex"""
    mesh_vertnum: Array
    """(nmesh,) how many vertices"""
    mesh_faceadr: Array
    """(nmesh,) first triangle"""
    mesh_facenum: Array
    """(nmesh,) how many triangles"""
    mesh_bvhadr: Array
    """(nmesh,) root of the bounding volume tree"""
    mesh_bvhnum: Array
    """(nmesh,) how many bounding volumes"""
    mesh_octadr: Array
    """(nmesh,) root of the octree"""
    mesh_octnum: Array
    """(nmesh,) how many octree nodes"""
    mesh_normaladr: Array
    """(nmesh,) first normal"""
    mesh_normalnum: Array
    """(nmesh,) how many normals"""
    mesh_texcoordadr: Array
    """(nmesh,) first texture coordinate, -1 if none"""
    mesh_texcoordnum: Array
    """(nmesh,) how many texture coordinates"""
    mesh_graphadr: Array
    """(nmesh,) start of the convex hull in mesh_graph, -1 if none"""
    mesh_extrema: Array
    """(nmesh, 27) hull vertex farthest in each of the 27 directions of a 3x3x3 grid"""
    mesh_vert: Array
    """(nmeshvert, 3) vertex in the mesh frame [m]"""
    mesh_normal: Array
    """(nmeshnormal, 3) vertex normals"""
    mesh_texcoord: Array
    """(nmeshtexcoord, 2) texture coordinates of the vertices"""
    mesh_face: Array
    """(nmeshface, 3) the three vertices of the triangle"""
    mesh_facenormal: Array
    """(nmeshface, 3) the three normals of the triangle"""
    mesh_facetexcoord: Array
    """(nmeshface, 3) the three texture coordinates of the triangle"""
    mesh_graph: Array
    """(nmeshgraph,) convex hulls: counts, edge addresses, vertex ids, edges, faces"""
    mesh_scale: Array
    """(nmesh, 3) scale that the compiler applied to the asset"""
    mesh_pos: Array
    """(nmesh, 3) translation that the compiler applied to the asset [m]"""
    mesh_quat: Array
    """(nmesh, 4) rotation that the compiler applied to the asset"""
    mesh_pathadr: Array
    """(nmesh,) file name of the asset in paths, -1 if none"""
    mesh_polynum: Array
    """(nmesh,) how many hull polygons"""
    mesh_polyadr: Array
    """(nmesh,) first hull polygon"""
    mesh_polynormal: Array
    """(nmeshpoly, 3) outward normal of the hull polygon"""
    mesh_polyvertadr: Array
    """(nmeshpoly,) first vertex of the polygon in mesh_polyvert"""
    mesh_polyvertnum: Array
    """(nmeshpoly,) how many vertices of the polygon"""
    mesh_polyvert: Array
    """(nmeshpolyvert,) vertices of the polygons, in order around each"""
    mesh_polymapadr: Array
    """(nmeshvert,) first polygon of the vertex in mesh_polymap"""
    mesh_polymapnum: Array
    """(nmeshvert,) how many polygons that meet at the vertex"""
    mesh_polymap: Array
    """(nmeshpolymap,) polygons around each vertex"""
    skin_matid: Array
    """(nskin,) material, -1 if none"""
    skin_group: Array
    """(nskin,) visibility group"""
    skin_rgba: Array
    """(nskin, 4) color when there is no material"""
    skin_inflate: Array
    """(nskin,) offset of the skin along its normals [m]"""
    skin_vertadr: Array
    """(nskin,) first vertex"""
    skin_vertnum: Array
    """(nskin,) how many vertices"""
    skin_texcoordadr: Array
    """(nskin,) first texture coordinate, -1 if none"""
    skin_faceadr: Array
    """(nskin,) first triangle"""
    skin_facenum: Array
    """(nskin,) how many triangles"""
    skin_boneadr: Array
    """(nskin,) first bone"""
    skin_bonenum: Array
    """(nskin,) how many bones"""
    skin_vert: Array
    """(nskinvert, 3) vertex at the bind pose [m]"""
    skin_texcoord: Array
    """(nskintexvert, 2) texture coordinates of the vertices"""
    skin_face: Array
    """(nskinface, 3) the three vertices of the triangle"""
    skin_bonevertadr: Array
    """(nskinbone,) first vertex of the bone in skin_bonevertid"""
    skin_bonevertnum: Array
    """(nskinbone,) how many vertices of the bone"""
    skin_bonebindpos: Array
    """(nskinbone, 3) position of the bone at the bind pose [m]"""
    skin_bonebindquat: Array
    """(nskinbone, 4) orientation of the bone at the bind pose"""
    skin_bonebodyid: Array
    """(nskinbone,) body that carries the bone"""
    skin_bonevertid: Array
    """(nskinbonevert,) vertices that the bones pull"""
    skin_bonevertweight: Array
    """(nskinbonevert,) how strongly the bone pulls the vertex"""
    skin_pathadr: Array
    """(nskin,) file name of the asset in paths, -1 if none"""
    hfield_size: Array
    """(nhfield, 4) half extents in x and y, highest elevation, depth of the base [m]"""
    hfield_nrow: Array
    """(nhfield,) number of grid rows, along y"""
    hfield_ncol: Array
    """(nhfield,) number of grid columns, along x"""
    hfield_adr: Array
    """(nhfield,) first elevation in hfield_data"""
    hfield_data: Array
    """(nhfielddata,) elevations scaled to 0..1, row by row"""
    hfield_pathadr: Array
    """(nhfield,) file name of the asset in paths, -1 if none"""
    tex_type: Array
    """(ntex,) kind of texture: 0 flat, 1 cube, 2 sky box"""
    tex_colorspace: Array
    """(ntex,) color space: 0 automatic, 1 linear, 2 sRGB"""
    tex_height: Array
    """(ntex,) number of pixel rows"""
    tex_width: Array
    """(ntex,) number of pixel columns"""
    tex_nchannel: Array
    """(ntex,) number of channels"""
    tex_adr: Array
    """(ntex,) first byte in tex_data"""
    tex_data: Array
    """(ntexdata,) pixels"""
    tex_pathadr: Array
    """(ntex,) file name of the asset in paths, -1 if none"""
    tex_contenttypeadr: Array
    """(ntex,) content type of the asset in paths, -1 if none"""
    mat_texid: Array
    """(nmat, 10) texture for each role, -1 if none"""
    mat_texuniform: Array
    """(nmat,) whether a cube texture keeps its scale on every side"""
    mat_texrepeat: Array
    """(nmat, 2) repetitions of a flat texture along x and y"""
    mat_emission: Array
    """(nmat,) emitted light, as a factor of the color"""
    mat_specular: Array
    """(nmat,) specular reflection, as a factor of white"""
    mat_shininess: Array
    """(nmat,) sharpness of the highlight"""
    mat_reflectance: Array
    """(nmat,) mirror reflection, 0 for none"""
    mat_metallic: Array
    """(nmat,) metallic coefficient"""
    mat_roughness: Array
    """(nmat,) roughness coefficient"""
    mat_rgba: Array
    """(nmat, 4) color of the material"""
    pair_dim: Array
    """(npair,) dimension of the contact space: 1, 3, 4 or 6"""
    pair_geom1: Array
    """(npair,) first geom"""
    pair_geom2: Array
    """(npair,) second geom"""
    pair_signature: Array
    """(npair,) key of the body pair: body1 * 65536 + body2"""
    pair_solref: Array
    """(npair, 2) solver reference of the normal direction [mixed]"""
    pair_solreffriction: Array
    """(npair, 2) solver reference of friction, 0 0 to reuse solref [mixed]"""
    pair_solimp: Array
    """(npair, 5) solver impedance of the contact [mixed]"""
    pair_margin: Array
    """(npair,) distance below which a contact pushes [m]"""
    pair_gap: Array
    """(npair,) extra distance at which a contact is detected without force [m]"""
    pair_adhesion: Array
    """(npair,) attraction along the contact normal [N]"""
    pair_friction: Array
    """(npair, 5) friction: two sliding, torsional, two rolling [1, 1, m, m, m]"""
    exclude_signature: Array
    """(nexclude,) key of the body pair: body1 * 65536 + body2"""
    eq_type: Array
    """(neq,) kind of equality (EqType)"""
    eq_obj1id: Array
    """(neq,) first object"""
    eq_obj2id: Array
    """(neq,) second object, -1 if none"""
    eq_objtype: Array
    """(neq,) type of both objects (ObjType)"""
    eq_active0: Array
    """(neq,) whether the equality starts active"""
    eq_solref: Array
    """(neq, 2) solver reference of the equality [mixed]"""
    eq_solimp: Array
    """(neq, 5) solver impedance of the equality [mixed]"""
    eq_data: Array
    """(neq, 12) anchors, relative pose or polynomial, by type [mixed]"""
    tendon_type: Array
    """(ntendon,) kind of tendon (TendonType)"""
    tendon_adr: Array
    """(ntendon,) first element of the path in the wrap arrays"""
    tendon_num: Array
    """(ntendon,) how many elements of the path"""
    tendon_matid: Array
    """(ntendon,) material, -1 if none"""
    tendon_actuatorid: Array
    """(ntendon,) actuator that reflects inertia to it, or -1"""
    tendon_group: Array
    """(ntendon,) visibility group"""
    tendon_plasticadr: Array
    """(ntendon,) first number of the tendon in plastic, -1 if elastic"""
    tendon_treenum: Array
    """(ntendon,) how many kinematic trees that the tendon touches"""
    tendon_treeid: Array
    """(ntendon, 2) first two trees the tendon touches, -1 if none"""
    ten_J_rownnz: Array
    """(ntendon,) number of entries in each row of the tendon Jacobian"""
    ten_J_rowadr: Array
    """(ntendon,) first entry of each row of the tendon Jacobian"""
    ten_J_colind: Array
    """(nJten,) dof of each entry of the tendon Jacobian"""
    tendon_limited: Array
    """(ntendon,) whether the length range is enforced"""
    tendon_actfrclimited: Array
    """(ntendon,) whether the total actuator force is clamped"""
    tendon_width: Array
    """(ntendon,) radius for drawing [m]"""
    tendon_solref_lim: Array
    """(ntendon, 2) solver reference of the limit [mixed]"""
    tendon_solimp_lim: Array
    """(ntendon, 5) solver impedance of the limit [mixed]"""
    tendon_solref_fri: Array
    """(ntendon, 2) solver reference of the friction loss [mixed]"""
    tendon_solimp_fri: Array
    """(ntendon, 5) solver impedance of the friction loss [mixed]"""
    tendon_range: Array
    """(ntendon, 2) shortest and longest length [m or rad]"""
    tendon_actfrcrange: Array
    """(ntendon, 2) lower and upper bound of the total actuator force [N or N·m]"""
    tendon_margin: Array
    """(ntendon,) distance from the limit at which the constraint appears [m or rad]"""
    tendon_stiffness: Array
    """(ntendon,) spring coefficient of the linear term [N/m or N·m/rad]"""
    tendon_stiffnesspoly: Array
    """(ntendon, 2) spring coefficients of quadratic and cubic terms [mixed]"""
    tendon_damping: Array
    """(ntendon,) damping coefficient of the linear term [N·s/m or N·m·s/rad]"""
    tendon_dampingpoly: Array
    """(ntendon, 2) damping coefficients of quadratic and cubic terms [mixed]"""
    tendon_armature: Array
    """(ntendon,) inertia that resists a change of length [kg or kg·m²]"""
    tendon_frictionloss: Array
    """(ntendon,) dry friction bound [N or N·m]"""
    tendon_lengthspring: Array
    """(ntendon, 2) interval of lengths in which the spring is at rest [m or rad]"""
    tendon_springyield: Array
    """(ntendon,) deflection at which plastic flow starts, 0 for never [m or rad]"""
    tendon_length0: Array
    """(ntendon,) length at qpos0 [m or rad]"""
    tendon_invweight0: Array
    """(ntendon,) inverse inertia at qpos0 [1/kg or 1/(kg·m²)]"""
    tendon_user: Array
    """(ntendon, nuser_tendon) user numbers of the tendon"""
    tendon_rgba: Array
    """(ntendon, 4) color when there is no material"""
    wrap_type: Array
    """(nwrap,) kind of path element (WrapType)"""
    wrap_objid: Array
    """(nwrap,) joint, site or geom of the element"""
    wrap_prm: Array
    """(nwrap,) joint coefficient, pulley divisor, or side site (-1 if none) [mixed]"""
    actuator_trntype: Array
    """(nactuator,) kind of transmission (TrnType)"""
    actuator_dyntype: Array
    """(nactuator,) kind of activation dynamics (DynType)"""
    actuator_gaintype: Array
    """(nactuator,) kind of gain (GainType)"""
    actuator_biastype: Array
    """(nactuator,) kind of bias (BiasType)"""
    actuator_ctrladr: Array
    """(nactuator,) first control in ctrl"""
    actuator_ctrlnum: Array
    """(nactuator,) how many controls"""
    actuator_ctrlspec: Array
    """(nactuator,) inputs it takes (CtrlInput bits, CtrlChart for SO3)"""
    actuator_outadr: Array
    """(nactuator,) first force output"""
    actuator_outnum: Array
    """(nactuator,) how many force outputs"""
    actuator_actadr: Array
    """(nactuator,) first activation in act, -1 if it has none"""
    actuator_actnum: Array
    """(nactuator,) how many activations"""
    actuator_trnid: Array
    """(nactuator, 2) joint, tendon, site or body it drives, and a second site"""
    actuator_cranklength: Array
    """(nactuator,) length of the rod of a slider-crank [m]"""
    actuator_dynprm: Array
    """(nactuator, 10) parameters of the dynamics [mixed]"""
    actuator_gainprm: Array
    """(nactuator, 10) parameters of the gain [mixed]"""
    actuator_biasprm: Array
    """(nactuator, 10) parameters of the bias [mixed]"""
    actuator_actlimited: Array
    """(nactuator,) whether the activation is clamped"""
    actuator_actrange: Array
    """(nactuator, 2) lower and upper bound of the activation [mixed]"""
    actuator_actearly: Array
    """(nactuator,) whether the force uses the activation of the next step"""
    actuator_history: Array
    """(nactuator, 2) control history: number of samples, order of interpolation"""
    actuator_historyadr: Array
    """(nactuator,) first number in history, -1 if none"""
    actuator_delay: Array
    """(nactuator,) delay of the control, 0 for none [s]"""
    actuator_damping: Array
    """(nactuator,) linear damping reflected to its target [N·s/m or N·m·s/rad]"""
    actuator_dampingpoly: Array
    """(nactuator, 2) reflected damping, quadratic and cubic terms [mixed]"""
    actuator_armature: Array
    """(nactuator,) inertia reflected to its target [kg or kg·m²]"""
    actuator_group: Array
    """(nactuator,) group for visibility and for switching actuators off"""
    actuator_user: Array
    """(nactuator, nuser_actuator) user numbers of the actuator"""
    actuator_plugin: Array
    """(nactuator,) plugin instance, -1 if none"""
    actuator_forcelimited: Array
    """(nactuator,) whether the force is clamped"""
    actuator_forcerange: Array
    """(nactuator, 2) lower and upper bound of the force [N or N·m]"""
    actuator_ctrllimited: Array
    """(nu,) whether the control is clamped"""
    actuator_ctrlrange: Array
    """(nu, 2) lower and upper bound of the control [mixed]"""
    actuator_gear: Array
    """(nout, 6) transmission ratio: scales length, directs force [mixed]"""
    actuator_acc0: Array
    """(nout,) acceleration by a unit force at qpos0 [m/s² or rad/s²]"""
    actuator_length0: Array
    """(nout,) length of the actuator at qpos0 [m or rad]"""
    actuator_lengthrange: Array
    """(nout, 2) shortest and longest reachable length [m or rad]"""
    sensor_type: Array
    """(nsensor,) kind of sensor (SensorType)"""
    sensor_datatype: Array
    """(nsensor,) kind of number it returns (DataType)"""
    sensor_needstage: Array
    """(nsensor,) stage after which it can be evaluated (Stage)"""
    sensor_objtype: Array
    """(nsensor,) type of the measured object (ObjType)"""
    sensor_objid: Array
    """(nsensor,) measured object"""
    sensor_reftype: Array
    """(nsensor,) type of the reference object (ObjType)"""
    sensor_refid: Array
    """(nsensor,) reference object, -1 for the world"""
    sensor_intprm: Array
    """(nsensor, 3) integer parameters, with a meaning given by the type"""
    sensor_dim: Array
    """(nsensor,) number of outputs"""
    sensor_adr: Array
    """(nsensor,) first output in sensordata"""
    sensor_cutoff: Array
    """(nsensor,) bound that the outputs are clamped to, 0 for none [mixed]"""
    sensor_noise: Array
    """(nsensor,) standard deviation of the noise; see Data.noisy_sensors [mixed]"""
    sensor_history: Array
    """(nsensor, 2) sample history: number of samples, order of interpolation"""
    sensor_historyadr: Array
    """(nsensor,) first number in history, -1 if none"""
    sensor_delay: Array
    """(nsensor,) delay of the reading, 0 for none [s]"""
    sensor_interval: Array
    """(nsensor, 2) sampling period and phase, 0 for every step [s]"""
    sensor_user: Array
    """(nsensor, nuser_sensor) user numbers of the sensor"""
    sensor_plugin: Array
    """(nsensor,) plugin instance, -1 if none"""
    plugin_stateadr: Array
    """(nplugin,) first number in plugin_state"""
    plugin_statenum: Array
    """(nplugin,) how many state numbers of the instance"""
    plugin_attr: Array
    """(npluginattr,) configuration text of all instances"""
    plugin_attradr: Array
    """(nplugin,) start of the instance in plugin_attr"""
    plugin_type: Array
    """(nplugin,) plugin that the instance runs (PluginType), -1 if unknown"""
    plugin_config: Array
    """(nplugin, 6) numbers of the configuration, key by key [mixed]"""
    numeric_adr: Array
    """(nnumeric,) first number of the custom field in numeric_data"""
    numeric_size: Array
    """(nnumeric,) number of numbers in the custom field"""
    numeric_data: Array
    """(nnumericdata,) all custom numbers"""
    text_adr: Array
    """(ntext,) first character of the custom field in text_data"""
    text_size: Array
    """(ntext,) number of characters, with the closing zero"""
    text_data: Array
    """(ntextdata,) all custom texts, each closed by a zero"""
    tuple_adr: Array
    """(ntuple,) first element of the tuple"""
    tuple_size: Array
    """(ntuple,) number of elements of the tuple"""
    tuple_objtype: Array
    """(ntupledata,) type of the element (ObjType)"""
    tuple_objid: Array
    """(ntupledata,) object of the element"""
    tuple_objprm: Array
    """(ntupledata,) number attached to the element"""
    key_time: Array
    """(nkey,) time of the keyframe [s]"""
    key_qpos: Array
    """(nkey, nq) qpos of the keyframe [m or rad]"""
    key_qvel: Array
    """(nkey, nv) qvel of the keyframe [m/s or rad/s]"""
    key_act: Array
    """(nkey, na) act of the keyframe [mixed]"""
    key_mpos: Array
    """(nkey, nmocap*3) mocap_pos of the keyframe, flattened [m]"""
    key_mquat: Array
    """(nkey, nmocap*4) mocap_quat of the keyframe, flattened"""
    key_ctrl: Array
    """(nkey, nu) ctrl of the keyframe [mixed]"""
    key_plastic: Array
    """(nkey, nplastic) plastic of the keyframe [mixed]"""
    name_bodyadr: Array
    """(nbody,) start of the name of each body in names"""
    name_jntadr: Array
    """(njnt,) start of the name of each joint in names"""
    name_geomadr: Array
    """(ngeom,) start of the name of each geom in names"""
    name_siteadr: Array
    """(nsite,) start of the name of each site in names"""
    name_camadr: Array
    """(ncam,) start of the name of each camera in names"""
    name_lightadr: Array
    """(nlight,) start of the name of each light in names"""
    name_flexadr: Array
    """(nflex,) start of the name of each flex in names"""
    name_meshadr: Array
    """(nmesh,) start of the name of each mesh in names"""
    name_skinadr: Array
    """(nskin,) start of the name of each skin in names"""
    name_hfieldadr: Array
    """(nhfield,) start of the name of each height field in names"""
    name_texadr: Array
    """(ntex,) start of the name of each texture in names"""
    name_matadr: Array
    """(nmat,) start of the name of each material in names"""
    name_pairadr: Array
    """(npair,) start of the name of each pair in names"""
    name_excludeadr: Array
    """(nexclude,) start of the name of each exclude in names"""
    name_eqadr: Array
    """(neq,) start of the name of each equality in names"""
    name_tendonadr: Array
    """(ntendon,) start of the name of each tendon in names"""
    name_actuatoradr: Array
    """(nactuator,) start of the name of each actuator in names"""
    name_sensoradr: Array
    """(nsensor,) start of the name of each sensor in names"""
    name_numericadr: Array
    """(nnumeric,) start of the name of each custom number field in names"""
    name_textadr: Array
    """(ntext,) start of the name of each custom text in names"""
    name_tupleadr: Array
    """(ntuple,) start of the name of each tuple in names"""
    name_keyadr: Array
    """(nkey,) start of the name of each keyframe in names"""
    name_pluginadr: Array
    """(nplugin,) start of the name of each plugin instance in names"""
    names_map: Array
    """(nnames_map,) hash table from names to objects"""
    paths: Array
    """(npaths,) file names of the assets, each closed by a zero"""
    B_rownnz: Array
    """(nbody,) number of dofs that move each body"""
    B_rowadr: Array
    """(nbody,) first entry of each body in B_colind"""
    B_colind: Array
    """(nB,) dofs that move each body"""
    M_rownnz: Array
    """(nv,) number of entries in each row of the lower triangle of M"""
    M_rowadr: Array
    """(nv,) first entry of each row of M"""
    M_colind: Array
    """(nC,) column of each entry of M, the diagonal last in its row"""
    mapM2M: Array
    """(nC,) position of each entry of M in the legacy inertia layout"""
    D_rownnz: Array
    """(nv,) number of entries in each row of the square dof-dof pattern"""
    D_rowadr: Array
    """(nv,) first entry of each row of the square pattern"""
    D_diag: Array
    """(nv,) position of the diagonal inside each row of the square pattern"""
    D_colind: Array
    """(nD,) column of each entry of the square pattern"""
    mapM2D: Array
    """(nD,) entry of M that belongs in each entry of the square pattern"""
    mapD2M: Array
    """(nC,) entry of the square pattern that belongs in each entry of M"""
    place_dof: Array
    """(nv,) dofs in the order of the Hessian: the last is eliminated first"""
    dof_place: Array
    """(nv,) place of each dof in that order"""
    flg_order: Integer
    """whether it is another order than that of the dofs"""
    grid_shape: Array
    """(ngrid, 3) number of points along x, y, z"""
    grid_adr: Array
    """(ngrid,) first distance in grid_value"""
    grid_cell: Array
    """(ngrid, 3) distance between points along x, y, z [m]"""
    grid_origin: Array
    """(ngrid, 3) first point in the geom frame [m]"""
    grid_aabb: Array
    """(ngrid, 6) box around the inside: center, half sizes [m]"""
    grid_value: Array
    """(ngriddata,) signed distance at the points, z fastest [m]"""
    candidate_geom1: Array
    """(ncandidate,) first geom of a pair that may touch: the one of smaller type"""
    candidate_geom2: Array
    """(ncandidate,) second geom of the pair"""
    candidate_pair: Array
    """(ncandidate,) explicit pair that gives the parameters, -1 for none"""
    flg_sweep: Integer
    """whether there are too many pairs to list, so that bodies are swept"""
    body_sweep: Array
    """(nbody,) in a sweep: 0 it touches nothing, 1 it is swept, 2 all are tested with it"""
    flg_gravcomp: Integer
    """whether any body has gravity compensation"""
    flg_surfacevel: Integer
    """whether any geom has a surface velocity"""
    flg_adhesion: Integer
    """whether any geom or pair has adhesion"""
    def body(self, key: str | int, /) -> NamedObject:
        """The fields of one body, by name or id."""
    def joint(self, key: str | int, /) -> NamedObject:
        """The fields of one joint, by name or id."""
    def geom(self, key: str | int, /) -> NamedObject:
        """The fields of one geom, by name or id."""
    def site(self, key: str | int, /) -> NamedObject:
        """The fields of one site, by name or id."""
    def camera(self, key: str | int, /) -> NamedObject:
        """The fields of one camera, by name or id."""
    def light(self, key: str | int, /) -> NamedObject:
        """The fields of one light, by name or id."""
    def flex(self, key: str | int, /) -> NamedObject:
        """The fields of one flex, by name or id."""
    def mesh(self, key: str | int, /) -> NamedObject:
        """The fields of one mesh, by name or id."""
    def skin(self, key: str | int, /) -> NamedObject:
        """The fields of one skin, by name or id."""
    def hfield(self, key: str | int, /) -> NamedObject:
        """The fields of one hfield, by name or id."""
    def texture(self, key: str | int, /) -> NamedObject:
        """The fields of one texture, by name or id."""
    def material(self, key: str | int, /) -> NamedObject:
        """The fields of one material, by name or id."""
    def pair(self, key: str | int, /) -> NamedObject:
        """The fields of one pair, by name or id."""
    def exclude(self, key: str | int, /) -> NamedObject:
        """The fields of one exclude, by name or id."""
    def equality(self, key: str | int, /) -> NamedObject:
        """The fields of one equality, by name or id."""
    def tendon(self, key: str | int, /) -> NamedObject:
        """The fields of one tendon, by name or id."""
    def actuator(self, key: str | int, /) -> NamedObject:
        """The fields of one actuator, by name or id."""
    def sensor(self, key: str | int, /) -> NamedObject:
        """The fields of one sensor, by name or id."""
    def numeric(self, key: str | int, /) -> NamedObject:
        """The fields of one numeric, by name or id."""
    def text(self, key: str | int, /) -> NamedObject:
        """The fields of one text, by name or id."""
    def tuple(self, key: str | int, /) -> NamedObject:
        """The fields of one tuple, by name or id."""
    def key(self, key: str | int, /) -> NamedObject:
        """The fields of one key, by name or id."""
    def plugin(self, key: str | int, /) -> NamedObject:
        """The fields of one plugin, by name or id."""

class DataFields:
    """Fields and named objects of a Data."""

    time: LiveNumber
    """simulated time [s]"""
    qpos: LiveArray
    """(nq,) generalized coordinates [m or rad]"""
    qvel: LiveArray
    """(nv,) generalized velocities [m/s or rad/s]"""
    act: LiveArray
    """(na,) activations of the actuators [mixed]"""
    history: LiveArray
    """(nhistory,) past controls and readings, timed [mixed]"""
    plugin_state: LiveArray
    """(npluginstate,) state numbers of the plugins [mixed]"""
    plastic: LiveArray
    """(nplastic,) plastic rest positions of springs [mixed]"""
    qacc_warmstart: LiveArray
    """(nv,) acceleration the solver starts from [m/s² or rad/s²]"""
    ctrl: LiveArray
    """(nu,) controls [mixed]"""
    qfrc_applied: LiveArray
    """(nv,) generalized force applied by the user [N or N·m]"""
    xfrc_applied: LiveArray
    """(nbody, 6) force and torque applied at center of mass [N, N·m]"""
    eq_active: LiveArray
    """(neq,) whether each equality is switched on"""
    mocap_pos: LiveArray
    """(nmocap, 3) positions of the mocap bodies [m]"""
    mocap_quat: LiveArray
    """(nmocap, 4) orientations of the mocap bodies"""
    userdata: LiveArray
    """(nuserdata,) numbers of the user that the engine never touches"""
    tree_asleep: LiveArray
    """(ntree,) awake if < 0, and then how soon it may sleep; else the next tree of the island that sleeps with it"""
    asleep_qpos: LiveArray
    """(sleeping positions,) position in which a tree fell asleep, zero while it is awake [m or rad]"""
    asleep_reading: LiveArray
    """(sleeping readings,) last readings of sensors, before delays: those of objects that sleep stay [mixed]"""
    asleep_act_dot: LiveArray
    """(sleeping activations,) last rates of activations: those of actuators that pull on sleeping trees stay [mixed]"""
    asleep_mocap: LiveArray
    """(sleeping mocaps, 7) position and orientation of the mocap bodies in the last step [mixed]"""
    tree_awake: LiveArray
    """(ntree,) whether the tree is awake"""
    body_awake: LiveArray
    """(nbody,) sleep state of the body (SleepState)"""
    body_awake_ind: LiveArray
    """(nbody,) bodies that are awake or static"""
    parent_awake_ind: LiveArray
    """(nbody,) bodies whose parent is awake or static"""
    dof_awake_ind: LiveArray
    """(nv,) dofs that are awake"""
    ntree_awake: LiveInteger
    """how many trees are awake"""
    nbody_awake: LiveInteger
    """count of bodies in body_awake_ind"""
    nparent_awake: LiveInteger
    """count of bodies in parent_awake_ind"""
    nv_awake: LiveInteger
    """count of dofs in dof_awake_ind"""
    xpos: LiveArray
    """(nbody, 3) position of the body frame [m]"""
    xquat: LiveArray
    """(nbody, 4) orientation of the body frame"""
    xmat: LiveArray
    """(nbody, 9) rotation matrix of the body frame"""
    xipos: LiveArray
    """(nbody, 3) position of the center of mass [m]"""
    xiquat: LiveArray
    """(nbody, 4) orientation of the inertial frame"""
    ximat: LiveArray
    """(nbody, 9) rotation matrix of the inertial frame"""
    xanchor: LiveArray
    """(njnt, 3) position of the joint anchor [m]"""
    xaxis: LiveArray
    """(njnt, 3) direction of the joint axis"""
    geom_xpos: LiveArray
    """(ngeom, 3) position of the geom frame [m]"""
    geom_xquat: LiveArray
    """(ngeom, 4) orientation of the geom frame"""
    geom_xmat: LiveArray
    """(ngeom, 9) rotation matrix of the geom frame"""
    site_xpos: LiveArray
    """(nsite, 3) position of the site frame [m]"""
    site_xquat: LiveArray
    """(nsite, 4) orientation of the site frame"""
    site_xmat: LiveArray
    """(nsite, 9) rotation matrix of the site frame"""
    subtree_com: LiveArray
    """(nbody, 3) center of mass of the body and its descendants [m]"""
    cdof: LiveArray
    """(nv, 6) motion axis about the center of the tree: angular, linear [mixed]"""
    cinert: LiveArray
    """(nbody, 10) inertia about the center of the tree, and mass [mixed]"""
    cam_xpos: LiveArray
    """(ncam, 3) position of the camera [m]"""
    cam_xmat: LiveArray
    """(ncam, 9) rotation matrix of the camera"""
    light_xpos: LiveArray
    """(nlight, 3) position of the light [m]"""
    light_xdir: LiveArray
    """(nlight, 3) direction of the light"""
    flexvert_xpos: LiveArray
    """(nflexvert, 3) position of the flex vertex [m]"""
    flexelem_aabb: LiveArray
    """(nflexelem, 6) box around the flex element: center, half sizes [m]"""
    flexedge_J: LiveArray
    """(nJfe,) Jacobian of the edge lengths [mixed]"""
    flexedge_length: LiveArray
    """(nflexedge,) length of the edge [m]"""
    bvh_aabb_dyn: LiveArray
    """(nbvhdynamic, 6) world box of a moving volume: center, half sizes [m]"""
    flexvert_lambda: LiveArray
    """(nflexvert,) contact multiplier, kept between steps [N]"""
    flexvert_conage: LiveArray
    """(nflexvert,) contact age: negative if loaded, else steps since"""
    ten_wrapadr: LiveArray
    """(ntendon,) first point of the tendon in the wrap arrays"""
    ten_wrapnum: LiveArray
    """(ntendon,) count of points of the tendon"""
    ten_J: LiveArray
    """(nJten,) Jacobian of the tendon lengths [mixed]"""
    ten_length: LiveArray
    """(ntendon,) length of the tendon [m or rad]"""
    wrap_obj: LiveArray
    """(nwrap, 2) geom of the path point, -1 for a site, -2 for a pulley"""
    wrap_xpos: LiveArray
    """(nwrap, 6) position of the path points, two per wrap element [m]"""
    crb: LiveArray
    """(nbody, 10) inertia of the subtree as one rigid body, and mass [mixed]"""
    M: LiveArray
    """(nC,) inertia matrix, lower triangle in CSR [kg or kg·m²]"""
    qLD: LiveArray
    """(nC,) factors L and D of M = LᵀDL [mixed]"""
    qLDiagInv: LiveArray
    """(nv,) inverse of the diagonal D [1/kg or 1/(kg·m²)]"""
    ncon: LiveInteger
    """count of contacts"""
    bvh_active: LiveArray
    """(nbvh,) whether the bounding volume was visited by the last collision pass"""
    contact_dist: LiveArray
    """(ncon,) distance between the surfaces, negative when they overlap [m]"""
    contact_pos: LiveArray
    """(ncon, 3) contact point, midway between the surfaces [m]"""
    contact_frame: LiveArray
    """(ncon, 9) contact axes as rows; the first is the normal, from geom[0] to geom[1]"""
    contact_includemargin: LiveArray
    """(ncon,) distance below which the contact pushes [m]"""
    contact_friction: LiveArray
    """(ncon, 5) friction: two sliding, torsional, two rolling [1, 1, m, m, m]"""
    contact_solref: LiveArray
    """(ncon, 2) solver reference of the normal direction [mixed]"""
    contact_solreffriction: LiveArray
    """(ncon, 2) solver reference of the friction directions [mixed]"""
    contact_solimp: LiveArray
    """(ncon, 5) solver impedance of the contact [mixed]"""
    contact_adhesion: LiveArray
    """(ncon,) attraction along the normal [N]"""
    contact_surfacevel: LiveArray
    """(ncon, 3) relative velocity of the surfaces: two tangents, spin [m/s, m/s, rad/s]"""
    contact_mu: LiveArray
    """(ncon,) friction coefficient of the regularized cone"""
    contact_H: LiveArray
    """(ncon, 36) Hessian of the elliptic cone, dim x dim [mixed]"""
    contact_dim: LiveArray
    """(ncon,) dimension of the contact space: 1, 3, 4 or 6"""
    contact_geom1: LiveArray
    """(ncon,) first geom; the same as geom[0]"""
    contact_geom2: LiveArray
    """(ncon,) second geom; the same as geom[1]"""
    contact_geom: LiveArray
    """(ncon, 2) both geoms, -1 on the side of a flex"""
    contact_flex: LiveArray
    """(ncon, 2) both flexes, -1 on the side of a geom"""
    contact_elem: LiveArray
    """(ncon, 2) elements of the flexes, -1 for a geom or a vertex"""
    contact_vert: LiveArray
    """(ncon, 2) vertices of the flexes, -1 for a geom or an element"""
    contact_exclude: LiveArray
    """(ncon,) why it has no rows: 0 it has, 1 in the gap, 2 fused, 3 no dofs, 4 passive"""
    contact_efc_address: LiveArray
    """(ncon,) first constraint row of the contact, -1 if none"""
    ne: LiveInteger
    """count of equality rows"""
    nf: LiveInteger
    """count of friction loss rows"""
    nl: LiveInteger
    """count of limit rows"""
    nefc: LiveInteger
    """count of constraint rows"""
    nJ: LiveInteger
    """count of entries of the constraint Jacobian"""
    efc_type: LiveArray
    """(nefc,) kind of row (ConstraintType)"""
    efc_id: LiveArray
    """(nefc,) equality, dof, joint, tendon or contact that the row belongs to"""
    efc_J_rownnz: LiveArray
    """(nefc,) count of entries in each row of the Jacobian"""
    efc_J_rowadr: LiveArray
    """(nefc,) first entry of each row of the Jacobian"""
    efc_J_rowsuper: LiveArray
    """(nefc,) count of following rows with the same columns"""
    efc_J_colind: LiveArray
    """(nJ,) dof of each entry of the Jacobian"""
    efc_J: LiveArray
    """(nJ,) Jacobian of the constraints [mixed]"""
    efc_pos: LiveArray
    """(nefc,) violation (equality) or distance (limit, contact) [m or rad]"""
    efc_margin: LiveArray
    """(nefc,) distance at which the row starts to push [m or rad]"""
    efc_frictionloss: LiveArray
    """(nefc,) bound of a friction loss row [N or N·m]"""
    efc_diagA: LiveArray
    """(nefc,) diagonal of J M⁻¹ Jᵀ, or its estimate [1/kg or 1/(kg·m²)]"""
    efc_KBIP: LiveArray
    """(nefc, 4) stiffness, damping, impedance and its derivative [mixed]"""
    efc_D: LiveArray
    """(nefc,) inverse of the regularization: mass of the row [kg or kg·m²]"""
    efc_R: LiveArray
    """(nefc,) regularization of the row [1/kg or 1/(kg·m²)]"""
    tendon_efcadr: LiveArray
    """(ntendon,) first row that involves the tendon, -1 if none"""
    nisland: LiveInteger
    """count of constraint islands"""
    nidof: LiveInteger
    """count of dofs that belong to an island"""
    tree_island: LiveArray
    """(ntree,) island of the tree, -1 if unconstrained"""
    island_ntree: LiveArray
    """(nisland,) count of trees of the island"""
    island_itreeadr: LiveArray
    """(nisland,) first tree of the island in map_itree2tree"""
    map_itree2tree: LiveArray
    """(ntree,) trees sorted by island"""
    dof_island: LiveArray
    """(nv,) island of the dof, -1 if unconstrained"""
    island_nv: LiveArray
    """(nisland,) count of dofs of the island"""
    island_idofadr: LiveArray
    """(nisland,) first dof of the island in island order"""
    island_dofadr: LiveArray
    """(nisland,) smallest dof of the island"""
    map_dof2idof: LiveArray
    """(nv,) place of the dof in island order"""
    map_idof2dof: LiveArray
    """(nv,) dofs sorted by island, the unconstrained ones after nidof"""
    efc_island: LiveArray
    """(nefc,) island of the row"""
    island_ne: LiveArray
    """(nisland,) count of equality rows of the island"""
    island_nf: LiveArray
    """(nisland,) count of friction loss rows of the island"""
    island_nefc: LiveArray
    """(nisland,) count of rows of the island"""
    island_iefcadr: LiveArray
    """(nisland,) first row of the island in island order"""
    map_efc2iefc: LiveArray
    """(nefc,) place of the row in island order"""
    map_iefc2efc: LiveArray
    """(nefc,) rows sorted by island"""
    iefc_type: LiveArray
    """(nefc,) efc_type in island order"""
    iefc_id: LiveArray
    """(nefc,) efc_id in island order"""
    iefc_frictionloss: LiveArray
    """(nefc,) efc_frictionloss in island order [N or N·m]"""
    iefc_D: LiveArray
    """(nefc,) efc_D in island order [kg or kg·m²]"""
    iefc_R: LiveArray
    """(nefc,) efc_R in island order [1/kg or 1/(kg·m²)]"""
    nY: LiveInteger
    """count of entries of Y"""
    nA: LiveInteger
    """count of entries of AR"""
    efc_Y_rownnz: LiveArray
    """(nefc,) count of entries in each row of Y"""
    efc_Y_rowadr: LiveArray
    """(nefc,) first entry of each row of Y"""
    efc_Y_colind: LiveArray
    """(nY,) dof of each entry of Y"""
    efc_Y: LiveArray
    """(nY,) Jacobian whitened by the inertia: Y = J M^(-1/2) [mixed]"""
    efc_AR_rownnz: LiveArray
    """(nefc,) count of entries in each row of AR"""
    efc_AR_rowadr: LiveArray
    """(nefc,) first entry of each row of AR"""
    efc_AR_colind: LiveArray
    """(nA,) column of each entry of AR"""
    efc_AR: LiveArray
    """(nA,) matrix of the dual problem: J M⁻¹ Jᵀ + R [mixed]"""
    actuator_length: LiveArray
    """(nout,) length of each force output [m or rad]"""
    moment_rownnz: LiveArray
    """(nout,) count of entries in each row of the moment matrix"""
    moment_rowadr: LiveArray
    """(nout,) first entry of each row of the moment matrix"""
    moment_colind: LiveArray
    """(nJmom,) dof of each entry of the moment matrix"""
    actuator_moment: LiveArray
    """(nJmom,) moment arms: Jacobian of the actuator lengths [mixed]"""
    flexedge_velocity: LiveArray
    """(nflexedge,) rate of change of the edge length [m/s]"""
    ten_velocity: LiveArray
    """(ntendon,) rate of change of the tendon length [m/s or rad/s]"""
    actuator_velocity: LiveArray
    """(nout,) rate of change of the actuator length [m/s or rad/s]"""
    cvel: LiveArray
    """(nbody, 6) velocity at the center of the tree: angular, linear [rad/s, m/s]"""
    cdof_dot: LiveArray
    """(nv, 6) rate of change of cdof [mixed]"""
    qfrc_spring: LiveArray
    """(nv,) force of springs [N or N·m]"""
    qfrc_damper: LiveArray
    """(nv,) force of dampers [N or N·m]"""
    qfrc_gravcomp: LiveArray
    """(nv,) force of gravity compensation [N or N·m]"""
    qfrc_fluid: LiveArray
    """(nv,) force of the surrounding fluid [N or N·m]"""
    qfrc_adhesion: LiveArray
    """(nv,) force of contact adhesion [N or N·m]"""
    qfrc_passive: LiveArray
    """(nv,) sum of the passive forces [N or N·m]"""
    efc_vel: LiveArray
    """(nefc,) velocity in constraint space: J qvel [m/s or rad/s]"""
    efc_aref: LiveArray
    """(nefc,) acceleration that the row asks for [m/s² or rad/s²]"""
    qfrc_bias: LiveArray
    """(nv,) Coriolis, centrifugal and gravitational force (subtracted) [N or N·m]"""
    subtree_linvel: LiveArray
    """(nbody, 3) velocity of the subtree center of mass [m/s]"""
    subtree_angmom: LiveArray
    """(nbody, 3) angular momentum about the subtree center of mass [kg·m²/s]"""
    flg_subtreevel: LiveInteger
    """whether the subtree velocities are up to date"""
    act_dot: LiveArray
    """(na,) rate of change of the activations [mixed]"""
    actuator_force: LiveArray
    """(nout,) force of each output [N or N·m]"""
    qfrc_actuator: LiveArray
    """(nv,) generalized force of all actuators [N or N·m]"""
    qfrc_smooth: LiveArray
    """(nv,) sum of all forces except the constraints [N or N·m]"""
    qacc_smooth: LiveArray
    """(nv,) acceleration that would follow without constraints [m/s² or rad/s²]"""
    qacc: LiveArray
    """(nv,) generalized acceleration [m/s² or rad/s²]"""
    qfrc_constraint: LiveArray
    """(nv,) generalized force of the constraints [N or N·m]"""
    efc_b: LiveArray
    """(nefc,) linear term of the cost: J qacc_smooth - aref [m/s² or rad/s²]"""
    efc_state: LiveArray
    """(nefc,) which piece of the cost the row is on (ConstraintState)"""
    efc_force: LiveArray
    """(nefc,) force of the row [N or N·m]"""
    ifrc_smooth: LiveArray
    """(nidof,) qfrc_smooth in island order [N or N·m]"""
    iacc_smooth: LiveArray
    """(nidof,) qacc_smooth in island order [m/s² or rad/s²]"""
    iacc: LiveArray
    """(nidof,) qacc in island order [m/s² or rad/s²]"""
    iefc_aref: LiveArray
    """(nefc,) efc_aref in island order [m/s² or rad/s²]"""
    iefc_state: LiveArray
    """(nefc,) efc_state in island order"""
    iefc_force: LiveArray
    """(nefc,) efc_force in island order [N or N·m]"""
    ifrc_constraint: LiveArray
    """(nidof,) qfrc_constraint in island order [N or N·m]"""
    solver_niter: LiveArray
    """(20,) count of solver iterations of each island"""
    solver_nnz: LiveArray
    """(20,) count of entries of the solver's matrix for each island"""
    solver_converged: LiveArray
    """(20,) whether the solve of the island ended before its limit of iterations"""
    solver_unsolved: LiveNumber
    """first tree of the first island whose solve did not converge, -1 if all did"""
    solver_improvement: LiveArray
    """(4000,) decrease of the cost, scaled"""
    solver_gradient: LiveArray
    """(4000,) norm of the gradient, scaled; primal solvers only"""
    solver_lineslope: LiveArray
    """(4000,) slope at the end of the line search"""
    solver_nactive: LiveArray
    """(4000,) count of active rows"""
    solver_nchange: LiveArray
    """(4000,) count of rows that changed their state"""
    solver_neval: LiveArray
    """(4000,) count of cost evaluations of the line search"""
    solver_nupdate: LiveArray
    """(4000,) count of updates of the Cholesky factor"""
    qfrc_inverse: LiveArray
    """(nv,) external force that would produce qacc [N or N·m]"""
    cacc: LiveArray
    """(nbody, 6) acceleration at the center of the tree: angular, linear [rad/s², m/s²]"""
    cfrc_int: LiveArray
    """(nbody, 6) force between the body and its parent: torque, force [N·m, N]"""
    cfrc_ext: LiveArray
    """(nbody, 6) external force on the body, contacts included: torque, force [N·m, N]"""
    flg_rnepost: LiveInteger
    """whether the three rows above are up to date"""
    sensordata: LiveArray
    """(nsensordata,) outputs of all sensors [mixed]"""
    energy: LiveArray
    """(2,) potential and kinetic energy [J]"""
    flg_energypos: LiveInteger
    """whether a sensor has computed the potential energy in this pass"""
    flg_energyvel: LiveInteger
    """whether the kinetic energy is up to date"""
    qH: LiveArray
    """(nC,) factors L and D of the modified inertia matrix [mixed]"""
    qHDiagInv: LiveArray
    """(nv,) inverse of the diagonal D of qH [1/kg or 1/(kg·m²)]"""
    qDeriv: LiveArray
    """(nD,) derivative of the smooth force by qvel, square pattern [mixed]"""
    qLU: LiveArray
    """(nD,) LU factors of M - timestep * qDeriv [mixed]"""
    efm_active: LiveInteger
    """whether the metric M + K is used: 0 no, 1 yes, 2 yes with a general flex part"""
    nefmT: LiveInteger
    """count of tendons in the metric"""
    nefmA: LiveInteger
    """count of actuators in the metric"""
    efm_c: LiveArray
    """(nv,) shift of the smooth force by springs: -timestep * K qvel [N or N·m]"""
    efm_diag: LiveArray
    """(nv,) diagonal that joint damping and stiffness add to the metric [kg or kg·m²]"""
    efm_ck: LiveArray
    """(nv,) timestep * diagonal stiffness, for the shift [N·s/m or N·m·s/rad]"""
    efm_sdiag: LiveArray
    """(nv,) additions to the diagonal of M in the factored part [kg or kg·m²]"""
    efm_fluid: LiveArray
    """(nC,) drag of the fluid in the pattern of M [kg or kg·m²]"""
    efm_tid: LiveArray
    """(ntendon,) tendons in the metric"""
    efm_ts: LiveArray
    """(ntendon,) weight of the tendon in the metric [kg or kg·m²]"""
    efm_tk: LiveArray
    """(ntendon,) timestep * stiffness of the tendon [N·s/m or N·m·s/rad]"""
    efm_aid: LiveArray
    """(nactuator,) actuators in the metric"""
    efm_as: LiveArray
    """(nactuator,) weight of the actuator in the metric [kg or kg·m²]"""
    efm_ak: LiveArray
    """(nactuator,) timestep * gain of the actuator [N·s/m or N·m·s/rad]"""
    efm_ca: LiveArray
    """(nv,) shift of the smooth force by actuators [N or N·m]"""
    flexelem_krot: LiveArray
    """(nflexstiffness,) rotated stiffness of the element (implicit only) [N/m]"""
    flex_hessian_valid: LiveArray
    """(nflex,) whether the stored stretch Hessian is up to date"""
    flexvert_hessian: LiveArray
    """(nflexvert, 6) diagonal blocks of the stretch Hessian [N/m]"""
    flexedge_hessian: LiveArray
    """(nflexedge, 9) off-diagonal blocks of the stretch Hessian [N/m]"""
    nefmK: LiveInteger
    """count of entries of the flex stiffness matrix"""
    nefmcon: LiveInteger
    """length of the packed contact rows"""
    nefmdof: LiveInteger
    """count of vertices that the metric factor covers"""
    nefmL: LiveInteger
    """length of efm_L"""
    efm_K_rownnz: LiveArray
    """(nv,) count of entries in each row of the flex stiffness matrix"""
    efm_K_rowadr: LiveArray
    """(nv,) first entry of each row of the flex stiffness matrix"""
    efm_K_colind: LiveArray
    """(nefmK,) column of each entry of the flex stiffness matrix"""
    efm_K_val: LiveArray
    """(nefmK,) values of the flex stiffness matrix [kg]"""
    efm_dofid: LiveArray
    """(nefmdof,) first dof of each vertex that the metric factor covers"""
    efm_con_ind: LiveArray
    """(nefmcon,) contact rows, packed: count, contact, dofs"""
    efm_con_val: LiveArray
    """(nefmcon,) packed contact rows: weight, force, values [mixed]"""
    efm_L: LiveArray
    """(nefmL,) packed Cholesky factor of M + K, or lists of islands [mixed]"""
    solver_fwdinv: LiveArray
    """(2,) norm of forward minus inverse: joint, constraint space [mixed]"""
    warning_lastinfo: LiveArray
    """(7,) detail of the last warning of this kind, such as an index"""
    warning_number: LiveArray
    """(7,) how often the warning was raised"""
    error_code: LiveNumber
    """why the world stopped: 0 while it runs, else 1 + its WarningType, or UNSOLVED"""
    error_id: LiveNumber
    """index of the number that stopped the world, or the tree that was not solved"""
    error_policy: LiveInteger
    """what a failing world does (ErrorPolicy)"""
    is_strict: LiveInteger
    """whether a world stops when its constraint solver does not converge"""
    requests: LiveInteger
    """what a step computes beyond the rest (Request)"""
    def body(self, key: str | int, /) -> NamedObject:
        """The fields of one body, by name or id."""
    def joint(self, key: str | int, /) -> NamedObject:
        """The fields of one joint, by name or id."""
    def geom(self, key: str | int, /) -> NamedObject:
        """The fields of one geom, by name or id."""
    def site(self, key: str | int, /) -> NamedObject:
        """The fields of one site, by name or id."""
    def camera(self, key: str | int, /) -> NamedObject:
        """The fields of one camera, by name or id."""
    def light(self, key: str | int, /) -> NamedObject:
        """The fields of one light, by name or id."""
    def flex(self, key: str | int, /) -> NamedObject:
        """The fields of one flex, by name or id."""
    def mesh(self, key: str | int, /) -> NamedObject:
        """The fields of one mesh, by name or id."""
    def skin(self, key: str | int, /) -> NamedObject:
        """The fields of one skin, by name or id."""
    def hfield(self, key: str | int, /) -> NamedObject:
        """The fields of one hfield, by name or id."""
    def texture(self, key: str | int, /) -> NamedObject:
        """The fields of one texture, by name or id."""
    def material(self, key: str | int, /) -> NamedObject:
        """The fields of one material, by name or id."""
    def pair(self, key: str | int, /) -> NamedObject:
        """The fields of one pair, by name or id."""
    def exclude(self, key: str | int, /) -> NamedObject:
        """The fields of one exclude, by name or id."""
    def equality(self, key: str | int, /) -> NamedObject:
        """The fields of one equality, by name or id."""
    def tendon(self, key: str | int, /) -> NamedObject:
        """The fields of one tendon, by name or id."""
    def actuator(self, key: str | int, /) -> NamedObject:
        """The fields of one actuator, by name or id."""
    def sensor(self, key: str | int, /) -> NamedObject:
        """The fields of one sensor, by name or id."""
    def numeric(self, key: str | int, /) -> NamedObject:
        """The fields of one numeric, by name or id."""
    def text(self, key: str | int, /) -> NamedObject:
        """The fields of one text, by name or id."""
    def tuple(self, key: str | int, /) -> NamedObject:
        """The fields of one tuple, by name or id."""
    def key(self, key: str | int, /) -> NamedObject:
        """The fields of one key, by name or id."""
    def plugin(self, key: str | int, /) -> NamedObject:
        """The fields of one plugin, by name or id."""

class BatchFields:
    """State and inputs of a BatchSim, and outputs that can be bound."""

    time: LiveArray
    """(n,) simulated time [s]"""
    qpos: LiveArray
    """(n, nq) generalized coordinates [m or rad]"""
    qvel: LiveArray
    """(n, nv) generalized velocities [m/s or rad/s]"""
    act: LiveArray
    """(n, na) activations of the actuators [mixed]"""
    history: LiveArray
    """(n, nhistory) past controls and readings, timed [mixed]"""
    plugin_state: LiveArray
    """(n, npluginstate) state numbers of the plugins [mixed]"""
    plastic: LiveArray
    """(n, nplastic) plastic rest positions of springs [mixed]"""
    qacc_warmstart: LiveArray
    """(n, nv) acceleration the solver starts from [m/s² or rad/s²]"""
    ctrl: LiveArray
    """(n, nu) controls [mixed]"""
    qfrc_applied: LiveArray
    """(n, nv) generalized force applied by the user [N or N·m]"""
    xfrc_applied: LiveArray
    """(n, nbody, 6) force and torque applied at center of mass [N, N·m]"""
    eq_active: LiveArray
    """(n, neq) whether each equality is switched on"""
    mocap_pos: LiveArray
    """(n, nmocap, 3) positions of the mocap bodies [m]"""
    mocap_quat: LiveArray
    """(n, nmocap, 4) orientations of the mocap bodies"""
    userdata: LiveArray
    """(n, nuserdata) numbers of the user that the engine never touches"""
    tree_asleep: LiveArray
    """(n, ntree) awake if < 0, and then how soon it may sleep; else the next tree of the island that sleeps with it"""
    asleep_qpos: LiveArray
    """(n, sleeping positions) position in which a tree fell asleep, zero while it is awake [m or rad]"""
    asleep_reading: LiveArray
    """(n, sleeping readings) last readings of sensors, before delays: those of objects that sleep stay [mixed]"""
    asleep_act_dot: LiveArray
    """
    (n, sleeping activations) last rates of activations: those of actuators that pull on sleeping trees stay [mixed]
    """
    asleep_mocap: LiveArray
    """(n, sleeping mocaps, 7) position and orientation of the mocap bodies in the last step [mixed]"""
    xpos: LiveArray
    """(n, nbody, 3) position of the body frame [m]; after bind"""
    xquat: LiveArray
    """(n, nbody, 4) orientation of the body frame; after bind"""
    xmat: LiveArray
    """(n, nbody, 9) rotation matrix of the body frame; after bind"""
    xipos: LiveArray
    """(n, nbody, 3) position of the center of mass [m]; after bind"""
    xiquat: LiveArray
    """(n, nbody, 4) orientation of the inertial frame; after bind"""
    ximat: LiveArray
    """(n, nbody, 9) rotation matrix of the inertial frame; after bind"""
    xanchor: LiveArray
    """(n, njnt, 3) position of the joint anchor [m]; after bind"""
    xaxis: LiveArray
    """(n, njnt, 3) direction of the joint axis; after bind"""
    geom_xpos: LiveArray
    """(n, ngeom, 3) position of the geom frame [m]; after bind"""
    geom_xquat: LiveArray
    """(n, ngeom, 4) orientation of the geom frame; after bind"""
    geom_xmat: LiveArray
    """(n, ngeom, 9) rotation matrix of the geom frame; after bind"""
    site_xpos: LiveArray
    """(n, nsite, 3) position of the site frame [m]; after bind"""
    site_xquat: LiveArray
    """(n, nsite, 4) orientation of the site frame; after bind"""
    site_xmat: LiveArray
    """(n, nsite, 9) rotation matrix of the site frame; after bind"""
    subtree_com: LiveArray
    """(n, nbody, 3) center of mass of the body and its descendants [m]; after bind"""
    cdof: LiveArray
    """(n, nv, 6) motion axis about the center of the tree: angular, linear [mixed]; after bind"""
    cinert: LiveArray
    """(n, nbody, 10) inertia about the center of the tree, and mass [mixed]; after bind"""
    cam_xpos: LiveArray
    """(n, ncam, 3) position of the camera [m]; after bind"""
    cam_xmat: LiveArray
    """(n, ncam, 9) rotation matrix of the camera; after bind"""
    light_xpos: LiveArray
    """(n, nlight, 3) position of the light [m]; after bind"""
    light_xdir: LiveArray
    """(n, nlight, 3) direction of the light; after bind"""
    flexvert_xpos: LiveArray
    """(n, nflexvert, 3) position of the flex vertex [m]; after bind"""
    flexelem_aabb: LiveArray
    """(n, nflexelem, 6) box around the flex element: center, half sizes [m]; after bind"""
    flexedge_J: LiveArray
    """(n, nJfe) Jacobian of the edge lengths [mixed]; after bind"""
    flexedge_length: LiveArray
    """(n, nflexedge) length of the edge [m]; after bind"""
    bvh_aabb_dyn: LiveArray
    """(n, nbvhdynamic, 6) world box of a moving volume: center, half sizes [m]; after bind"""
    ten_wrapadr: Array
    """(n, ntendon) first point of the tendon in the wrap arrays; after bind"""
    ten_wrapnum: Array
    """(n, ntendon) count of points of the tendon; after bind"""
    ten_J: LiveArray
    """(n, nJten) Jacobian of the tendon lengths [mixed]; after bind"""
    ten_length: LiveArray
    """(n, ntendon) length of the tendon [m or rad]; after bind"""
    wrap_obj: Array
    """(n, nwrap, 2) geom of the path point, -1 for a site, -2 for a pulley; after bind"""
    wrap_xpos: LiveArray
    """(n, nwrap, 6) position of the path points, two per wrap element [m]; after bind"""
    crb: LiveArray
    """(n, nbody, 10) inertia of the subtree as one rigid body, and mass [mixed]; after bind"""
    M: LiveArray
    """(n, nC) inertia matrix, lower triangle in CSR [kg or kg·m²]; after bind"""
    qLD: LiveArray
    """(n, nC) factors L and D of M = LᵀDL [mixed]; after bind"""
    qLDiagInv: LiveArray
    """(n, nv) inverse of the diagonal D [1/kg or 1/(kg·m²)]; after bind"""
    actuator_length: LiveArray
    """(n, nout) length of each force output [m or rad]; after bind"""
    actuator_moment: LiveArray
    """(n, nJmom) moment arms: Jacobian of the actuator lengths [mixed]; after bind"""
    flexedge_velocity: LiveArray
    """(n, nflexedge) rate of change of the edge length [m/s]; after bind"""
    ten_velocity: LiveArray
    """(n, ntendon) rate of change of the tendon length [m/s or rad/s]; after bind"""
    actuator_velocity: LiveArray
    """(n, nout) rate of change of the actuator length [m/s or rad/s]; after bind"""
    cvel: LiveArray
    """(n, nbody, 6) velocity at the center of the tree: angular, linear [rad/s, m/s]; after bind"""
    cdof_dot: LiveArray
    """(n, nv, 6) rate of change of cdof [mixed]; after bind"""
    qfrc_spring: LiveArray
    """(n, nv) force of springs [N or N·m]; after bind"""
    qfrc_damper: LiveArray
    """(n, nv) force of dampers [N or N·m]; after bind"""
    qfrc_gravcomp: LiveArray
    """(n, nv) force of gravity compensation [N or N·m]; after bind"""
    qfrc_fluid: LiveArray
    """(n, nv) force of the surrounding fluid [N or N·m]; after bind"""
    qfrc_adhesion: LiveArray
    """(n, nv) force of contact adhesion [N or N·m]; after bind"""
    qfrc_passive: LiveArray
    """(n, nv) sum of the passive forces [N or N·m]; after bind"""
    qfrc_bias: LiveArray
    """(n, nv) Coriolis, centrifugal and gravitational force (subtracted) [N or N·m]; after bind"""
    subtree_linvel: LiveArray
    """(n, nbody, 3) velocity of the subtree center of mass [m/s]; after bind"""
    subtree_angmom: LiveArray
    """(n, nbody, 3) angular momentum about the subtree center of mass [kg·m²/s]; after bind"""
    act_dot: LiveArray
    """(n, na) rate of change of the activations [mixed]; after bind"""
    actuator_force: LiveArray
    """(n, nout) force of each output [N or N·m]; after bind"""
    qfrc_actuator: LiveArray
    """(n, nv) generalized force of all actuators [N or N·m]; after bind"""
    qfrc_smooth: LiveArray
    """(n, nv) sum of all forces except the constraints [N or N·m]; after bind"""
    qacc_smooth: LiveArray
    """(n, nv) acceleration that would follow without constraints [m/s² or rad/s²]; after bind"""
    qacc: LiveArray
    """(n, nv) generalized acceleration [m/s² or rad/s²]; after bind"""
    qfrc_constraint: LiveArray
    """(n, nv) generalized force of the constraints [N or N·m]; after bind"""
    solver_niter: Array
    """(n, 20) count of solver iterations of each island; after bind"""
    solver_converged: Array
    """(n, 20) whether the solve of the island ended before its limit of iterations; after bind"""
    solver_unsolved: LiveArray
    """(n,) first tree of the first island whose solve did not converge, -1 if all did; after bind"""
    solver_improvement: LiveArray
    """(n, 4000) decrease of the cost, scaled; after bind"""
    solver_gradient: LiveArray
    """(n, 4000) norm of the gradient, scaled; primal solvers only; after bind"""
    solver_lineslope: LiveArray
    """(n, 4000) slope at the end of the line search; after bind"""
    solver_nactive: Array
    """(n, 4000) count of active rows; after bind"""
    solver_nchange: Array
    """(n, 4000) count of rows that changed their state; after bind"""
    solver_neval: Array
    """(n, 4000) count of cost evaluations of the line search; after bind"""
    solver_nupdate: Array
    """(n, 4000) count of updates of the Cholesky factor; after bind"""
    qfrc_inverse: LiveArray
    """(n, nv) external force that would produce qacc [N or N·m]; after bind"""
    cacc: LiveArray
    """(n, nbody, 6) acceleration at the center of the tree: angular, linear [rad/s², m/s²]; after bind"""
    cfrc_int: LiveArray
    """(n, nbody, 6) force between the body and its parent: torque, force [N·m, N]; after bind"""
    cfrc_ext: LiveArray
    """(n, nbody, 6) external force on the body, contacts included: torque, force [N·m, N]; after bind"""
    sensordata: LiveArray
    """(n, nsensordata) outputs of all sensors [mixed]; after bind"""
    energy: LiveArray
    """(n, 2) potential and kinetic energy [J]; after bind"""
    qH: LiveArray
    """(n, nC) factors L and D of the modified inertia matrix [mixed]; after bind"""
    qHDiagInv: LiveArray
    """(n, nv) inverse of the diagonal D of qH [1/kg or 1/(kg·m²)]; after bind"""
    qDeriv: LiveArray
    """(n, nD) derivative of the smooth force by qvel, square pattern [mixed]; after bind"""
    qLU: LiveArray
    """(n, nD) LU factors of M - timestep * qDeriv [mixed]; after bind"""
    efm_c: LiveArray
    """(n, nv) shift of the smooth force by springs: -timestep * K qvel [N or N·m]; after bind"""
    efm_diag: LiveArray
    """(n, nv) diagonal that joint damping and stiffness add to the metric [kg or kg·m²]; after bind"""
    efm_ck: LiveArray
    """(n, nv) timestep * diagonal stiffness, for the shift [N·s/m or N·m·s/rad]; after bind"""
    efm_sdiag: LiveArray
    """(n, nv) additions to the diagonal of M in the factored part [kg or kg·m²]; after bind"""
    efm_fluid: LiveArray
    """(n, nC) drag of the fluid in the pattern of M [kg or kg·m²]; after bind"""
    efm_ca: LiveArray
    """(n, nv) shift of the smooth force by actuators [N or N·m]; after bind"""
    flexelem_krot: LiveArray
    """(n, nflexstiffness) rotated stiffness of the element (implicit only) [N/m]; after bind"""
    flexvert_hessian: LiveArray
    """(n, nflexvert, 6) diagonal blocks of the stretch Hessian [N/m]; after bind"""
    flexedge_hessian: LiveArray
    """(n, nflexedge, 9) off-diagonal blocks of the stretch Hessian [N/m]; after bind"""
    solver_fwdinv: LiveArray
    """(n, 2) norm of forward minus inverse: joint, constraint space [mixed]; after bind"""
    warning_lastinfo: LiveArray
    """(n, 7) detail of the last warning of this kind, such as an index; after bind"""
    warning_number: LiveArray
    """(n, 7) how often the warning was raised; after bind"""
    error_code: Array
    """(n,) why the world stopped: 0 while it runs, else 1 + its WarningType, or UNSOLVED"""
    error_id: Array
    """(n,) index of the number that stopped the world, or the tree that was not solved"""
