"""Every member of a Data, grouped by the stage that writes it, in the order of the pipeline.

Rows whose first axis is a count (one of `VARIABLE_SIZES`) are as long as the last step needed, like MuJoCo's arena
arrays; `live` names the count of valid leading rows. MuJoCo's arrays of structs are one flat row per member here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from phalanx.tables.contact_fields import CONTACT
from phalanx.tables.field import BOOL, INT, REAL, RULE, WHOLE, Field, Kind, rows
from phalanx.tables.scratch_fields import SCRATCH
from phalanx.tables.sizes import NISLAND, NSOLVER, NWARNING, triangle_ahead

VARIABLE_SIZES: tuple[str, ...] = (
    "nsweep",
    "nclose",
    "ncon",
    "ne",
    "nf",
    "nl",
    "nefc",
    "nJ",
    "nY",
    "nA",
    "nH",
    "nfill",
    "nheap",
    "ndual",
    "ncompact",
    "nisland",
    "nidof",
    "nefmK",
    "nefmcon",
    "nefmdof",
    "nefmL",
    "nray",
    "nlisted",
    "nsolution",
)
"""Counts that a step or a caller decides: scalars of DATA, used as sizes in its shapes."""

AHEAD: dict[str, Callable[[Mapping[str, int]], int]] = {
    "nisland": lambda sizes: sizes["ntree"],
    "nidof": lambda sizes: sizes["nv"],
    "nH": lambda sizes: triangle_ahead(sizes["nv"]),
}
"""Counts that there is memory for from the start: what a model cannot exceed, where that is not much."""


def _contact_rows() -> tuple[Field, ...]:
    """One array per member of a contact, as long as the list of contacts."""
    return tuple(
        replace(
            row,
            name=f"contact_{row.name}",
            shape=("ncon", *row.shape),
            live="ncon",
            departs="one array per member instead of an array of structs",
            mujoco=f"contact.{row.name}",
        )
        for row in rows(CONTACT)
    )


def _solver_row(member: str, kind: Kind, doc: str) -> Field:
    """A statistic of each solver iteration, island by island."""
    return Field(
        f"solver_{member}",
        kind,
        (NISLAND * NSOLVER,),
        doc,
        departs="one array per member instead of an array of structs",
        mujoco=f"solver.{member}",
    )


def _warning_row(member: str, doc: str) -> Field:
    """A property of each kind of warning (WarningType)."""
    return Field(
        f"warning_{member}",
        REAL,
        (NWARNING,),
        doc,
        departs="kept as numbers so that each world of a lane group counts its own",
        mujoco=f"warning.{member}",
    )


CONTACTS = _contact_rows()

SOLVER_STATISTICS = (
    _solver_row("improvement", REAL, "decrease of the cost, scaled"),
    _solver_row("gradient", REAL, "norm of the gradient, scaled; primal solvers only"),
    _solver_row("lineslope", REAL, "slope at the end of the line search"),
    _solver_row("nactive", WHOLE, "count of active rows"),
    _solver_row("nchange", WHOLE, "count of rows that changed their state"),
    _solver_row("neval", WHOLE, "count of cost evaluations of the line search"),
    _solver_row("nupdate", WHOLE, "count of updates of the Cholesky factor"),
)

WARNINGS = (
    _warning_row("lastinfo", "detail of the last warning of this kind, such as an index"),
    _warning_row("number", "how often the warning was raised"),
)

DATA: dict[str, tuple[Field, ...]] = {
    "state": (
        Field("time", REAL, (), "simulated time", "s", state=True),
        Field("qpos", REAL, ("nq",), "generalized coordinates", "m or rad", state=True, initial="qpos0"),
        Field("qvel", REAL, ("nv",), "generalized velocities", "m/s or rad/s", state=True),
        Field("act", REAL, ("na",), "activations of the actuators", "mixed", state=True),
        Field("history", REAL, ("nhistory",), "past controls and readings, timed", "mixed", state=True, initial=RULE),
        Field("plugin_state", REAL, ("npluginstate",), "state numbers of the plugins", "mixed", state=True),
        Field("plastic", REAL, ("nplastic",), "plastic rest positions of springs", "mixed", state=True, initial=RULE),
        Field("qacc_warmstart", REAL, ("nv",), "acceleration the solver starts from", "m/s² or rad/s²", state=True),
    ),
    "input": (
        Field("ctrl", REAL, ("nu",), "controls", "mixed", state=True, initial=RULE),
        Field("qfrc_applied", REAL, ("nv",), "generalized force applied by the user", "N or N·m", state=True),
        Field("xfrc_applied", REAL, ("nbody", 6), "force and torque applied at center of mass", "N, N·m", state=True),
        Field("eq_active", WHOLE, ("neq",), "whether each equality is switched on", state=True, initial="eq_active0"),
        Field("mocap_pos", REAL, ("nmocap", 3), "positions of the mocap bodies", "m", state=True, initial=RULE),
        Field("mocap_quat", REAL, ("nmocap", 4), "orientations of the mocap bodies", state=True, initial=RULE),
        Field("userdata", REAL, ("nuserdata",), "numbers of the user that the engine never touches", state=True),
    ),
    "sleep": (
        Field(
            "tree_asleep",
            WHOLE,
            ("ntree",),
            "awake if < 0, and then how soon it may sleep; else the next tree of the island that sleeps with it",
            state=True,
            default=-11,
            initial=RULE,
        ),
        Field(
            "asleep_qpos",
            REAL,
            ("sleeping positions",),
            "position in which a tree fell asleep, zero while it is awake",
            "m or rad",
            state=True,
            initial=RULE,
            departs="MuJoCo compares frames of bodies with those of the last step to see that qpos was changed",
            mujoco="-",
        ),
        Field(
            "asleep_reading",
            REAL,
            ("sleeping readings",),
            "last readings of sensors, before delays: those of objects that sleep stay",
            "mixed",
            state=True,
            initial=RULE,
            departs="MuJoCo has them in sensordata",
            mujoco="-",
        ),
        Field(
            "asleep_act_dot",
            REAL,
            ("sleeping activations",),
            "last rates of activations: those of actuators that pull on sleeping trees stay",
            "mixed",
            state=True,
            initial=RULE,
            departs="MuJoCo has them in act_dot",
            mujoco="-",
        ),
        Field(
            "asleep_mocap",
            REAL,
            ("sleeping mocaps", 7),
            "position and orientation of the mocap bodies in the last step",
            "mixed",
            state=True,
            initial=RULE,
            departs="MuJoCo compares frames of bodies with those of the last step to see that mocap bodies were moved",
            mujoco="-",
        ),
    ),
    "update_awake": (
        Field("tree_awake", INT, ("ntree",), "whether the tree is awake"),
        Field("body_awake", INT, ("nbody",), "sleep state of the body (SleepState)"),
        Field("body_awake_ind", INT, ("nbody",), "bodies that are awake or static", live="nbody_awake"),
        Field("parent_awake_ind", INT, ("nbody",), "bodies whose parent is awake or static", live="nparent_awake"),
        Field("dof_awake_ind", INT, ("nv",), "dofs that are awake", live="nv_awake"),
        Field("ntree_awake", INT, (), "how many trees are awake"),
        Field("nbody_awake", INT, (), "count of bodies in body_awake_ind"),
        Field("nparent_awake", INT, (), "count of bodies in parent_awake_ind"),
        Field("nv_awake", INT, (), "count of dofs in dof_awake_ind"),
    ),
    "kinematics": (
        Field("xpos", REAL, ("nbody", 3), "position of the body frame", "m"),
        Field("xquat", REAL, ("nbody", 4), "orientation of the body frame"),
        Field("xmat", REAL, ("nbody", 9), "rotation matrix of the body frame"),
        Field("xipos", REAL, ("nbody", 3), "position of the center of mass", "m"),
        Field("xiquat", REAL, ("nbody", 4), "orientation of the inertial frame"),
        Field("ximat", REAL, ("nbody", 9), "rotation matrix of the inertial frame"),
        Field("xanchor", REAL, ("njnt", 3), "position of the joint anchor", "m"),
        Field("xaxis", REAL, ("njnt", 3), "direction of the joint axis"),
        Field("geom_xpos", REAL, ("ngeom", 3), "position of the geom frame", "m"),
        Field("geom_xquat", REAL, ("ngeom", 4), "orientation of the geom frame"),
        Field("geom_xmat", REAL, ("ngeom", 9), "rotation matrix of the geom frame"),
        Field("site_xpos", REAL, ("nsite", 3), "position of the site frame", "m"),
        Field("site_xquat", REAL, ("nsite", 4), "orientation of the site frame"),
        Field("site_xmat", REAL, ("nsite", 9), "rotation matrix of the site frame"),
    ),
    "com_pos": (
        Field("subtree_com", REAL, ("nbody", 3), "center of mass of the body and its descendants", "m"),
        Field("cdof", REAL, ("nv", 6), "motion axis about the center of the tree: angular, linear", "mixed"),
        Field("cinert", REAL, ("nbody", 10), "inertia about the center of the tree, and mass", "mixed"),
    ),
    "camera_light": (
        Field("cam_xpos", REAL, ("ncam", 3), "position of the camera", "m"),
        Field("cam_xmat", REAL, ("ncam", 9), "rotation matrix of the camera"),
        Field("light_xpos", REAL, ("nlight", 3), "position of the light", "m"),
        Field("light_xdir", REAL, ("nlight", 3), "direction of the light"),
    ),
    "flex": (
        Field("flexvert_xpos", REAL, ("nflexvert", 3), "position of the flex vertex", "m"),
        Field("flexelem_aabb", REAL, ("nflexelem", 6), "box around the flex element: center, half sizes", "m"),
        Field("flexedge_J", REAL, ("nJfe",), "Jacobian of the edge lengths", "mixed"),
        Field("flexedge_length", REAL, ("nflexedge",), "length of the edge", "m"),
        Field("bvh_aabb_dyn", REAL, ("nbvhdynamic", 6), "world box of a moving volume: center, half sizes", "m"),
        Field("flexvert_lambda", REAL, ("nflexvert",), "contact multiplier, kept between steps", "N", state=True),
        Field("flexvert_conage", INT, ("nflexvert",), "contact age: negative if loaded, else steps since", state=True),
    ),
    "tendon": (
        Field("ten_wrapadr", WHOLE, ("ntendon",), "first point of the tendon in the wrap arrays"),
        Field("ten_wrapnum", WHOLE, ("ntendon",), "count of points of the tendon"),
        Field("ten_J", REAL, ("nJten",), "Jacobian of the tendon lengths", "mixed"),
        Field("ten_length", REAL, ("ntendon",), "length of the tendon", "m or rad"),
        Field("wrap_obj", WHOLE, ("nwrap", 2), "geom of the path point, -1 for a site, -2 for a pulley"),
        Field("wrap_xpos", REAL, ("nwrap", 6), "position of the path points, two per wrap element", "m"),
    ),
    "make_m": (
        Field("crb", REAL, ("nbody", 10), "inertia of the subtree as one rigid body, and mass", "mixed"),
        Field("M", REAL, ("nC",), "inertia matrix, lower triangle in CSR", "kg or kg·m²"),
    ),
    "factor_m": (
        Field("qLD", REAL, ("nC",), "factors L and D of M = LᵀDL", "mixed"),
        Field("qLDiagInv", REAL, ("nv",), "inverse of the diagonal D", "1/kg or 1/(kg·m²)"),
    ),
    "collision": (
        Field("ncon", INT, (), "count of contacts"),
        Field("bvh_active", BOOL, ("nbvh",), "whether the bounding volume was visited by the last collision pass"),
        *CONTACTS,
    ),
    "make_constraint": (
        Field("ne", INT, (), "count of equality rows"),
        Field("nf", INT, (), "count of friction loss rows"),
        Field("nl", INT, (), "count of limit rows"),
        Field("nefc", INT, (), "count of constraint rows"),
        Field("nJ", INT, (), "count of entries of the constraint Jacobian"),
        Field("efc_type", INT, ("nefc",), "kind of row (ConstraintType)", live="nefc"),
        Field("efc_id", INT, ("nefc",), "equality, dof, joint, tendon or contact that the row belongs to", live="nefc"),
        Field("efc_J_rownnz", INT, ("nefc",), "count of entries in each row of the Jacobian", live="nefc"),
        Field("efc_J_rowadr", INT, ("nefc",), "first entry of each row of the Jacobian", live="nefc"),
        Field("efc_J_rowsuper", INT, ("nefc",), "count of following rows with the same columns", live="nefc"),
        Field("efc_J_colind", INT, ("nJ",), "dof of each entry of the Jacobian", live="nJ"),
        Field("efc_J", REAL, ("nJ",), "Jacobian of the constraints", "mixed", live="nJ"),
        Field("efc_pos", REAL, ("nefc",), "violation (equality) or distance (limit, contact)", "m or rad", live="nefc"),
        Field("efc_margin", REAL, ("nefc",), "distance at which the row starts to push", "m or rad", live="nefc"),
        Field("efc_frictionloss", REAL, ("nefc",), "bound of a friction loss row", "N or N·m", live="nefc"),
        Field("efc_diagA", REAL, ("nefc",), "diagonal of J M⁻¹ Jᵀ, or its estimate", "1/kg or 1/(kg·m²)", live="nefc"),
        Field("efc_KBIP", REAL, ("nefc", 4), "stiffness, damping, impedance and its derivative", "mixed", live="nefc"),
        Field("efc_D", REAL, ("nefc",), "inverse of the regularization: mass of the row", "kg or kg·m²", live="nefc"),
        Field("efc_R", REAL, ("nefc",), "regularization of the row", "1/kg or 1/(kg·m²)", live="nefc"),
        Field("tendon_efcadr", INT, ("ntendon",), "first row that involves the tendon, -1 if none"),
    ),
    "island": (
        Field("nisland", INT, (), "count of constraint islands"),
        Field("nidof", INT, (), "count of dofs that belong to an island"),
        Field("tree_island", INT, ("ntree",), "island of the tree, -1 if unconstrained"),
        Field("island_ntree", INT, ("nisland",), "count of trees of the island", live="nisland"),
        Field("island_itreeadr", INT, ("nisland",), "first tree of the island in map_itree2tree", live="nisland"),
        Field("map_itree2tree", INT, ("ntree",), "trees sorted by island"),
        Field("dof_island", INT, ("nv",), "island of the dof, -1 if unconstrained"),
        Field("island_nv", INT, ("nisland",), "count of dofs of the island", live="nisland"),
        Field("island_idofadr", INT, ("nisland",), "first dof of the island in island order", live="nisland"),
        Field("island_dofadr", INT, ("nisland",), "smallest dof of the island", live="nisland"),
        Field("map_dof2idof", INT, ("nv",), "place of the dof in island order"),
        Field("map_idof2dof", INT, ("nv",), "dofs sorted by island, the unconstrained ones after nidof"),
        Field("efc_island", INT, ("nefc",), "island of the row", live="nefc"),
        Field("island_ne", INT, ("nisland",), "count of equality rows of the island", live="nisland"),
        Field("island_nf", INT, ("nisland",), "count of friction loss rows of the island", live="nisland"),
        Field("island_nefc", INT, ("nisland",), "count of rows of the island", live="nisland"),
        Field("island_iefcadr", INT, ("nisland",), "first row of the island in island order", live="nisland"),
        Field("map_efc2iefc", INT, ("nefc",), "place of the row in island order", live="nefc"),
        Field("map_iefc2efc", INT, ("nefc",), "rows sorted by island", live="nefc"),
        Field("iefc_type", INT, ("nefc",), "efc_type in island order", live="nefc"),
        Field("iefc_id", INT, ("nefc",), "efc_id in island order", live="nefc"),
        Field("iefc_frictionloss", REAL, ("nefc",), "efc_frictionloss in island order", "N or N·m", live="nefc"),
        Field("iefc_D", REAL, ("nefc",), "efc_D in island order", "kg or kg·m²", live="nefc"),
        Field("iefc_R", REAL, ("nefc",), "efc_R in island order", "1/kg or 1/(kg·m²)", live="nefc"),
    ),
    "project_constraint": (
        Field("nY", INT, (), "count of entries of Y"),
        Field("nA", INT, (), "count of entries of AR"),
        Field("efc_Y_rownnz", INT, ("nefc",), "count of entries in each row of Y", live="nefc"),
        Field("efc_Y_rowadr", INT, ("nefc",), "first entry of each row of Y", live="nefc"),
        Field("efc_Y_colind", INT, ("nY",), "dof of each entry of Y", live="nY"),
        Field("efc_Y", REAL, ("nY",), "Jacobian whitened by the inertia: Y = J M^(-1/2)", "mixed", live="nY"),
        Field("efc_AR_rownnz", INT, ("nefc",), "count of entries in each row of AR", live="nefc"),
        Field("efc_AR_rowadr", INT, ("nefc",), "first entry of each row of AR", live="nefc"),
        Field("efc_AR_colind", INT, ("nA",), "column of each entry of AR", live="nA"),
        Field("efc_AR", REAL, ("nA",), "matrix of the dual problem: J M⁻¹ Jᵀ + R", "mixed", live="nA"),
    ),
    "transmission": (
        Field("actuator_length", REAL, ("nout",), "length of each force output", "m or rad"),
        Field("moment_rownnz", INT, ("nout",), "count of entries in each row of the moment matrix"),
        Field("moment_rowadr", INT, ("nout",), "first entry of each row of the moment matrix"),
        Field("moment_colind", INT, ("nJmom",), "dof of each entry of the moment matrix"),
        Field("actuator_moment", REAL, ("nJmom",), "moment arms: Jacobian of the actuator lengths", "mixed"),
    ),
    "velocity": (
        Field("flexedge_velocity", REAL, ("nflexedge",), "rate of change of the edge length", "m/s"),
        Field("ten_velocity", REAL, ("ntendon",), "rate of change of the tendon length", "m/s or rad/s"),
        Field("actuator_velocity", REAL, ("nout",), "rate of change of the actuator length", "m/s or rad/s"),
    ),
    "com_vel": (
        Field("cvel", REAL, ("nbody", 6), "velocity at the center of the tree: angular, linear", "rad/s, m/s"),
        Field("cdof_dot", REAL, ("nv", 6), "rate of change of cdof", "mixed"),
    ),
    "passive": (
        Field("qfrc_spring", REAL, ("nv",), "force of springs", "N or N·m"),
        Field("qfrc_damper", REAL, ("nv",), "force of dampers", "N or N·m"),
        Field("qfrc_gravcomp", REAL, ("nv",), "force of gravity compensation", "N or N·m"),
        Field("qfrc_fluid", REAL, ("nv",), "force of the surrounding fluid", "N or N·m"),
        Field("qfrc_adhesion", REAL, ("nv",), "force of contact adhesion", "N or N·m"),
        Field("qfrc_passive", REAL, ("nv",), "sum of the passive forces", "N or N·m"),
    ),
    "reference_constraint": (
        Field("efc_vel", REAL, ("nefc",), "velocity in constraint space: J qvel", "m/s or rad/s", live="nefc"),
        Field("efc_aref", REAL, ("nefc",), "acceleration that the row asks for", "m/s² or rad/s²", live="nefc"),
    ),
    "rne": (
        Field("qfrc_bias", REAL, ("nv",), "Coriolis, centrifugal and gravitational force (subtracted)", "N or N·m"),
    ),
    "subtree_vel": (
        Field("subtree_linvel", REAL, ("nbody", 3), "velocity of the subtree center of mass", "m/s"),
        Field("subtree_angmom", REAL, ("nbody", 3), "angular momentum about the subtree center of mass", "kg·m²/s"),
        Field("flg_subtreevel", BOOL, (), "whether the subtree velocities are up to date"),
    ),
    "fwd_actuation": (
        Field("act_dot", REAL, ("na",), "rate of change of the activations", "mixed"),
        Field("actuator_force", REAL, ("nout",), "force of each output", "N or N·m"),
        Field("qfrc_actuator", REAL, ("nv",), "generalized force of all actuators", "N or N·m"),
    ),
    "fwd_acceleration": (
        Field("qfrc_smooth", REAL, ("nv",), "sum of all forces except the constraints", "N or N·m"),
        Field("qacc_smooth", REAL, ("nv",), "acceleration that would follow without constraints", "m/s² or rad/s²"),
    ),
    "fwd_constraint": (
        Field("qacc", REAL, ("nv",), "generalized acceleration", "m/s² or rad/s²"),
        Field("qfrc_constraint", REAL, ("nv",), "generalized force of the constraints", "N or N·m"),
        Field("efc_b", REAL, ("nefc",), "linear term of the cost: J qacc_smooth - aref", "m/s² or rad/s²", live="nefc"),
        Field("efc_state", WHOLE, ("nefc",), "which piece of the cost the row is on (ConstraintState)", live="nefc"),
        Field("efc_force", REAL, ("nefc",), "force of the row", "N or N·m", live="nefc"),
        Field("ifrc_smooth", REAL, ("nidof",), "qfrc_smooth in island order", "N or N·m", live="nidof"),
        Field("iacc_smooth", REAL, ("nidof",), "qacc_smooth in island order", "m/s² or rad/s²", live="nidof"),
        Field("iacc", REAL, ("nidof",), "qacc in island order", "m/s² or rad/s²", live="nidof"),
        Field("iefc_aref", REAL, ("nefc",), "efc_aref in island order", "m/s² or rad/s²", live="nefc"),
        Field("iefc_state", WHOLE, ("nefc",), "efc_state in island order", live="nefc"),
        Field("iefc_force", REAL, ("nefc",), "efc_force in island order", "N or N·m", live="nefc"),
        Field("ifrc_constraint", REAL, ("nidof",), "qfrc_constraint in island order", "N or N·m", live="nidof"),
        Field("solver_niter", WHOLE, (NISLAND,), "count of solver iterations of each island"),
        Field("solver_nnz", INT, (NISLAND,), "count of entries of the solver's matrix for each island"),
        Field(
            "solver_converged",
            WHOLE,
            (NISLAND,),
            "whether the solve of the island ended before its limit of iterations",
            departs="MuJoCo does not say",
            mujoco="-",
        ),
        Field(
            "solver_unsolved",
            REAL,
            (),
            "first tree of the first island whose solve did not converge, -1 if all did",
            default=-1,
            departs="MuJoCo does not say",
            mujoco="-",
        ),
        *SOLVER_STATISTICS,
    ),
    "inverse": (Field("qfrc_inverse", REAL, ("nv",), "external force that would produce qacc", "N or N·m"),),
    "rne_post_constraint": (
        Field("cacc", REAL, ("nbody", 6), "acceleration at the center of the tree: angular, linear", "rad/s², m/s²"),
        Field("cfrc_int", REAL, ("nbody", 6), "force between the body and its parent: torque, force", "N·m, N"),
        Field("cfrc_ext", REAL, ("nbody", 6), "external force on the body, contacts included: torque, force", "N·m, N"),
        Field("flg_rnepost", BOOL, (), "whether the three rows above are up to date"),
    ),
    "sensor": (Field("sensordata", REAL, ("nsensordata",), "outputs of all sensors", "mixed"),),
    "energy": (
        Field("energy", REAL, (2,), "potential and kinetic energy", "J"),
        Field("flg_energypos", BOOL, (), "whether a sensor has computed the potential energy in this pass"),
        Field("flg_energyvel", BOOL, (), "whether the kinetic energy is up to date"),
    ),
    "implicit": (
        Field("qH", REAL, ("nC",), "factors L and D of the modified inertia matrix", "mixed"),
        Field("qHDiagInv", REAL, ("nv",), "inverse of the diagonal D of qH", "1/kg or 1/(kg·m²)"),
        Field("qDeriv", REAL, ("nD",), "derivative of the smooth force by qvel, square pattern", "mixed"),
        Field("qLU", REAL, ("nD",), "LU factors of M - timestep * qDeriv", "mixed"),
    ),
    "effective_metric": (
        Field("efm_active", INT, (), "whether the metric M + K is used: 0 no, 1 yes, 2 yes with a general flex part"),
        Field("nefmT", INT, (), "count of tendons in the metric"),
        Field("nefmA", INT, (), "count of actuators in the metric"),
        Field("efm_c", REAL, ("nv",), "shift of the smooth force by springs: -timestep * K qvel", "N or N·m"),
        Field("efm_diag", REAL, ("nv",), "diagonal that joint damping and stiffness add to the metric", "kg or kg·m²"),
        Field("efm_ck", REAL, ("nv",), "timestep * diagonal stiffness, for the shift", "N·s/m or N·m·s/rad"),
        Field("efm_sdiag", REAL, ("nv",), "additions to the diagonal of M in the factored part", "kg or kg·m²"),
        Field("efm_fluid", REAL, ("nC",), "drag of the fluid in the pattern of M", "kg or kg·m²"),
        Field("efm_tid", INT, ("ntendon",), "tendons in the metric", live="nefmT"),
        Field("efm_ts", REAL, ("ntendon",), "weight of the tendon in the metric", "kg or kg·m²", live="nefmT"),
        Field("efm_tk", REAL, ("ntendon",), "timestep * stiffness of the tendon", "N·s/m or N·m·s/rad", live="nefmT"),
        Field("efm_aid", INT, ("nactuator",), "actuators in the metric", live="nefmA"),
        Field("efm_as", REAL, ("nactuator",), "weight of the actuator in the metric", "kg or kg·m²", live="nefmA"),
        Field("efm_ak", REAL, ("nactuator",), "timestep * gain of the actuator", "N·s/m or N·m·s/rad", live="nefmA"),
        Field("efm_ca", REAL, ("nv",), "shift of the smooth force by actuators", "N or N·m"),
    ),
    "flex_stiffness": (
        Field("flexelem_krot", REAL, ("nflexstiffness",), "rotated stiffness of the element (implicit only)", "N/m"),
        Field("flex_hessian_valid", BOOL, ("nflex",), "whether the stored stretch Hessian is up to date"),
        Field("flexvert_hessian", REAL, ("nflexvert", 6), "diagonal blocks of the stretch Hessian", "N/m"),
        Field("flexedge_hessian", REAL, ("nflexedge", 9), "off-diagonal blocks of the stretch Hessian", "N/m"),
    ),
    "flex_metric": (
        Field("nefmK", INT, (), "count of entries of the flex stiffness matrix"),
        Field("nefmcon", INT, (), "length of the packed contact rows"),
        Field("nefmdof", INT, (), "count of vertices that the metric factor covers"),
        Field("nefmL", INT, (), "length of efm_L"),
        Field("efm_K_rownnz", INT, ("nv",), "count of entries in each row of the flex stiffness matrix"),
        Field("efm_K_rowadr", INT, ("nv",), "first entry of each row of the flex stiffness matrix"),
        Field("efm_K_colind", INT, ("nefmK",), "column of each entry of the flex stiffness matrix", live="nefmK"),
        Field("efm_K_val", REAL, ("nefmK",), "values of the flex stiffness matrix", "kg", live="nefmK"),
        Field("efm_dofid", INT, ("nefmdof",), "first dof of each vertex that the metric factor covers", live="nefmdof"),
        Field("efm_con_ind", INT, ("nefmcon",), "contact rows, packed: count, contact, dofs", live="nefmcon"),
        Field("efm_con_val", REAL, ("nefmcon",), "packed contact rows: weight, force, values", "mixed", live="nefmcon"),
        Field("efm_L", REAL, ("nefmL",), "packed Cholesky factor of M + K, or lists of islands", "mixed", live="nefmL"),
    ),
    "compare_fwd_inv": (
        Field("solver_fwdinv", REAL, (2,), "norm of forward minus inverse: joint, constraint space", "mixed"),
    ),
    "diagnostics": (
        *WARNINGS,
        Field(
            "error_code",
            REAL,
            (),
            "why the world stopped: 0 while it runs, else 1 + its WarningType, or UNSOLVED",
            departs="MuJoCo resets or goes on; here a world can stop and say so",
            mujoco="-",
        ),
        Field(
            "error_id",
            REAL,
            (),
            "index of the number that stopped the world, or the tree that was not solved",
            departs="MuJoCo resets or goes on; here a world can stop and say so",
            mujoco="-",
        ),
        Field(
            "steps_done",
            INT,
            (),
            "steps that the last call has completed",
            scratch=True,
            departs="lets a call go on after memory has grown",
            mujoco="-",
        ),
        Field(
            "error_policy",
            INT,
            (),
            "what a failing world does (ErrorPolicy)",
            departs="a choice MuJoCo does not offer",
            mujoco="-",
        ),
        Field(
            "is_strict",
            BOOL,
            (),
            "whether a world stops when its constraint solver does not converge",
            departs="a choice MuJoCo does not offer",
            mujoco="-",
        ),
        Field(
            "requests",
            INT,
            (),
            "what a step computes beyond the rest (Request)",
            departs="MuJoCo computes it when a function is called",
            mujoco="-",
        ),
    ),
    **SCRATCH,
}

FULL_PHYSICS: tuple[str, ...] = tuple(row.name for row in DATA["state"] if row.name != "qacc_warmstart")
"""The full physics state, in the order of MuJoCo's mjSTATE_FULLPHYSICS: the state without the solver's start."""

WATCHED: tuple[str, ...] = (
    "time",
    "act",
    "plastic",
    "qacc_warmstart",
    "qfrc_applied",
    "xfrc_applied",
    "mocap_pos",
    "mocap_quat",
)
"""State and inputs without a limit of MuJoCo's: a step begins only where they are finite (`pipeline/checks.py`)."""

OMITTED: dict[str, str] = {
    "contact": "flat rows contact_*; the property `contact` of a Data shows them together",
    "solver": "flat rows solver_*",
    "warning": "flat rows warning_*",
    "timer": "wall-clock times of MuJoCo's own stages",
    "narena": "bytes of MuJoCo's work area",
    "nbuffer": "bytes of MuJoCo's main buffer",
    "arena": "memory of MuJoCo's own allocation",
    "buffer": "memory of MuJoCo's own allocation",
    "pstack": "stack pointer of MuJoCo's work area",
    "pbase": "stack frame of MuJoCo's work area",
    "parena": "fill level of MuJoCo's work area",
    "threadpool": "thread pool of MuJoCo",
    "threadlock": "lock of MuJoCo's thread pool",
    "maxuse_stack": "memory statistics of MuJoCo",
    "maxuse_arena": "memory statistics of MuJoCo",
    "maxuse_con": "memory statistics of MuJoCo; our buffers grow",
    "maxuse_efc": "memory statistics of MuJoCo; our buffers grow",
    "nplugin": "copy of the size of the Model",
    "plugin": "copy of the row of the Model, which MuJoCo needs to free plugins",
    "plugin_data": "pointers to the memory of C plugins",
    "signature": "fingerprint of the mjSpec that compiled the model; Phalanx has its own compiler",
    "model": "the Model itself: a reference, not a number",
}
"""Members of mjData that are no row, with the reason."""
