"""MJCF rows of the sections that hold settings: compiler, option, size, statistic, visual, default, extension."""

from __future__ import annotations

from phalanx.tables.enums import Cone, DisableBit, EnableBit, Jacobian, LRMode
from phalanx.tables.integrators import KEYWORDS as INTEGRATORS
from phalanx.tables.mjcf_row import (
    AUTO,
    Attribute,
    Holds,
    element,
    flag,
    integer,
    keyword,
    real,
    refers,
    solimp,
    solref,
    text,
    words,
)
from phalanx.tables.solvers import KEYWORDS as SOLVERS

#: How an element says which plugin it has.
PLUGIN_REFERENCE = (
    text("plugin", "name of the plugin, for an instance of its own"),
    refers("instance", "plugin", "name of a shared instance"),
)
SWITCH = {"disable": 0, "enable": 1}


def _off(name: str, doc: str) -> Attribute:
    return keyword(name, doc, SWITCH, "enable")


def _on(name: str, doc: str) -> Attribute:
    return keyword(name, doc, SWITCH, "disable")


def _rgba(name: str, default: tuple[float, ...]) -> Attribute:
    return real(name, f"color of {name}", default, count=4)


DISABLE_FLAGS: dict[str, int] = {member.name.lower(): int(member) for member in DisableBit if member.name}
ENABLE_FLAGS: dict[str, int] = {member.name.lower(): int(member) for member in EnableBit if member.name}

GLOBAL = (
    element(
        "compiler",
        "how the XML becomes a model",
        flag("autolimits", "a range that is written is enforced", True),
        real("boundmass", "lower bound of the mass of bodies", 0.0, lowest=0),
        real("boundinertia", "lower bound of the moments of inertia of bodies", 0.0, lowest=0),
        real("settotalmass", "masses are scaled to this sum if it is positive", -1.0),
        flag("balanceinertia", "replace impossible moments of inertia by their mean"),
        flag("strippath", "drop folders from file names"),
        keyword("coordinate", "only local coordinates are understood", {"local": 0, "global": 1}, "local"),
        keyword("angle", "unit of angles", {"radian": 0, "degree": 1}, "degree"),
        flag("fitaabb", "primitives are fitted to boxes of meshes instead of their inertia"),
        text("eulerseq", "axes of euler angles in order; capital letters are fixed axes", default="xyz"),
        text("meshdir", "folder of mesh and height field files"),
        text("texturedir", "folder of texture files"),
        flag("discardvisual", "drop what only serves pictures"),
        flag("usethread", "compile with several threads; no effect here", True),
        flag("fusestatic", "merge bodies without joints into their parents"),
        keyword("inertiafromgeom", "whether bodies take their inertia from their geoms", AUTO, "auto"),
        integer("inertiagrouprange", "groups of geoms that have mass", (0, 5), count=2),
        flag("saveinertial", "write inertials when saving; no effect here"),
        flag("savecompiled", "write compiled values when saving; no effect here", True),
        flag("savecanonical", "write canonical values when saving; no effect here", True),
        text("assetdir", "folder of all asset files"),
        flag("alignfree", "free bodies without children take their inertial frame as body frame"),
        keyword("conflict", "what to do when attached models disagree", {"warning": 0, "merge": 1, "error": 2},
            "warning"),
        keyword("passthrough", "assets that are not decoded", {"none": 0, "textures": 1}, "none"),
        once="compiler/lengthrange",
    ),
    element(
        "compiler/lengthrange",
        "how length ranges of actuators are found",
        keyword("mode", "which actuators", words(LRMode), "muscle"),
        flag("useexisting", "keep ranges that are written", True),
        flag("uselimit", "take the limits of joints and tendons"),
        real("accel", "acceleration that the pull aims at", 20.0),
        real("maxforce", "largest force of the pull, 0 for no bound", 0.0),
        real("timeconst", "time in which velocities fade", 1.0),
        real("timestep", "time step of the search", 0.01),
        real("inttotal", "duration of the search", 10.0),
        real("interval", "duration at the end over which the length is watched", 2.0),
        real("tolrange", "largest change of length over the interval, relative to the range", 0.05),
    ),
    element(
        "option",
        "options of the physics",
        real("timestep", "length of a step", 0.002, "opt.timestep"),
        real("impratio", "impedance of friction relative to the normal direction", 1.0, "opt.impratio"),
        real("tolerance", "scaled improvement at which the solver stops", 1e-8, "opt.tolerance"),
        real("ls_tolerance", "relative slope at which the line search stops", 0.01, "opt.ls_tolerance"),
        real("noslip_tolerance", "scaled improvement at which the noslip pass stops", 1e-6, "opt.noslip_tolerance"),
        real("ccd_tolerance", "accuracy of the convex collision search", 1e-6, "opt.ccd_tolerance"),
        real("sleep_tolerance", "speed below which a tree may fall asleep", 1e-3, "opt.sleep_tolerance"),
        real("gravity", "acceleration of gravity", (0.0, 0.0, -9.81), "opt.gravity", 3),
        real("wind", "velocity of the fluid", (0.0, 0.0, 0.0), "opt.wind", 3),
        real("magnetic", "magnetic flux density", (0.0, -0.5, 0.0), "opt.magnetic", 3),
        real("density", "density of the fluid", 0.0, "opt.density"),
        real("viscosity", "viscosity of the fluid", 0.0, "opt.viscosity"),
        real("o_margin", "margin of all contacts when overridden", 0.0, "opt.o_margin"),
        solref("o_solref", "opt.o_solref", "solref of all contacts when overridden"),
        solimp("o_solimp", "opt.o_solimp", "solimp of all contacts when overridden"),
        real("o_friction", "friction of all contacts when overridden", (1.0, 1.0, 0.005, 0.0001, 0.0001),
            "opt.o_friction", (1, 5)),
        keyword("integrator", "how the state is advanced", INTEGRATORS, "Euler", "opt.integrator"),
        keyword("cone", "shape of friction cones", words(Cone), "pyramidal", "opt.cone"),
        keyword("jacobian", "layout of the constraint Jacobian", words(Jacobian), "auto", "opt.jacobian"),
        keyword("solver", "algorithm of the constraint solver", SOLVERS, "Newton", "opt.solver"),
        integer("iterations", "most iterations of the solver", 100, "opt.iterations"),
        integer("ls_iterations", "most evaluations of one line search", 50, "opt.ls_iterations"),
        integer("noslip_iterations", "most iterations of the noslip pass", 0, "opt.noslip_iterations"),
        integer("ccd_iterations", "most iterations of the convex collision search", 35, "opt.ccd_iterations"),
        integer("sdf_iterations", "most iterations of the signed distance descent", 10, "opt.sdf_iterations"),
        integer("sdf_initpoints", "starting points of the signed distance descent", 40, "opt.sdf_initpoints"),
        integer("actuatorgroupdisable", "groups of actuators that are off", (), count=(0, 31)),
        once="option/flag",
    ),
    element(
        "option/flag",
        "parts of the physics that are switched off or on",
        tuple(_off(name, f"{name} is part of the physics") for name in DISABLE_FLAGS),
        tuple(_on(name, f"{name} is added to the physics") for name in ENABLE_FLAGS),
    ),
    element(
        "size",
        "sizes of arrays",
        text("memory", "bytes of work memory of MuJoCo, with an ending K, M, G", default="-1"),
        integer("njmax", "requested constraint rows, -1 for automatic", -1, lowest=-1),
        integer("nconmax", "requested contacts, -1 for automatic", -1, lowest=-1),
        integer("nstack", "numbers of stack memory of MuJoCo", -1, lowest=-1),
        integer("nuserdata", "user numbers in Data", 0, lowest=-1, highest=2**24),
        integer("nkey", "least number of keyframes", 0, lowest=-1, highest=100_000),
        *(integer(f"nuser_{kind}", f"user numbers per {kind}, -1 for automatic", -1, lowest=-1, highest=10_000)
          for kind in ("body", "jnt", "geom", "site", "cam", "tendon", "actuator", "sensor")),
    ),
    element(
        "statistic",
        "statistics of the model, instead of computed ones",
        real("meaninertia", "mean diagonal inertia"),
        real("meanmass", "mean mass of bodies"),
        real("meansize", "mean size of bodies"),
        real("extent", "size of the model"),
        real("center", "center of the model", count=3),
    ),
    element("visual", "options of pictures; kept, without effect on the physics",
            once="visual/global visual/quality visual/headlight visual/map visual/scale visual/rgba"),
    element(
        "visual/global", "options of the picture",
        integer("cameraid", "camera to start with", -1),
        flag("orthographic", "parallel projection of the free camera"),
        real("fovy", "vertical field of view of the free camera", 45.0),
        real("ipd", "distance between the eyes in stereo", 0.068),
        real("azimuth", "direction of the free camera", 90.0),
        real("elevation", "height angle of the free camera", -45.0),
        real("linewidth", "width of lines", 1.0),
        real("glow", "glow of the selected body", 0.3),
        integer("offwidth", "width of pictures off screen", 640),
        integer("offheight", "height of pictures off screen", 480),
        real("realtime", "speed relative to real time", 1.0),
        flag("ellipsoidinertia", "inertias are drawn as ellipsoids"),
        flag("bvactive", "mark touched bounding volumes"),
    ),
    element(
        "visual/quality", "quality of the picture",
        integer("shadowsize", "pixels of the shadow map", 4096),
        integer("offsamples", "samples per pixel off screen", 4),
        integer("numslices", "slices of round shapes", 28),
        integer("numstacks", "stacks of round shapes", 16),
        integer("numquads", "quads per side of boxes", 4),
    ),
    element(
        "visual/headlight", "light at the camera",
        real("ambient", "ambient color", (0.1, 0.1, 0.1), count=3),
        real("diffuse", "diffuse color", (0.4, 0.4, 0.4), count=3),
        real("specular", "specular color", (0.5, 0.5, 0.5), count=3),
        keyword("active", "whether it is on; in auto the viewer decides",
                {"false": 0, "true": 1, "auto": 2, "0": 0, "1": 1, "2": 2}, "auto"),
    ),
    element(
        "visual/map", "scales of the picture",
        *(real(name, doc, default) for name, doc, default in (
            ("stiffness", "translation by mouse", 100.0), ("stiffnessrot", "rotation by mouse", 500.0),
            ("force", "length of force arrows", 0.005), ("torque", "length of torque arrows", 0.1),
            ("alpha", "opacity of see-through bodies", 0.3), ("fogstart", "start of fog", 3.0),
            ("fogend", "end of fog", 10.0), ("znear", "near plane", 0.01), ("zfar", "far plane", 50.0),
            ("haze", "amount of haze", 0.3), ("shadowclip", "reach of directional shadows", 1.0),
            ("shadowscale", "opening of spot shadows", 0.6), ("actuatortendon", "width of actuated tendons", 2.0))),
    ),
    element(
        "visual/scale", "sizes of decorations, relative to meansize",
        *(real(name, f"size of {name}", default) for name, default in (
            ("forcewidth", 0.1), ("contactwidth", 0.3), ("contactheight", 0.1), ("connect", 0.2), ("com", 0.4),
            ("camera", 0.3), ("light", 0.3), ("selectpoint", 0.2), ("jointlength", 1.0), ("jointwidth", 0.1),
            ("actuatorlength", 0.7), ("actuatorwidth", 0.2), ("framelength", 1.0), ("framewidth", 0.1),
            ("constraint", 0.1), ("slidercrank", 0.2), ("frustum", 10.0))),
    ),
    element(
        "visual/rgba", "colors of decorations",
        *(_rgba(name, default) for name, default in (
            ("fog", (0.0, 0.0, 0.0, 1.0)), ("haze", (1.0, 1.0, 1.0, 1.0)), ("force", (1.0, 0.5, 0.5, 1.0)),
            ("inertia", (0.8, 0.2, 0.2, 0.6)), ("joint", (0.2, 0.6, 0.8, 1.0)), ("actuator", (0.2, 0.25, 0.2, 1.0)),
            ("actuatornegative", (0.2, 0.6, 0.9, 1.0)), ("actuatorpositive", (0.9, 0.4, 0.2, 1.0)),
            ("com", (0.9, 0.9, 0.9, 1.0)), ("camera", (0.6, 0.9, 0.6, 1.0)), ("light", (0.6, 0.6, 0.9, 1.0)),
            ("selectpoint", (0.9, 0.9, 0.1, 1.0)), ("connect", (0.2, 0.2, 0.8, 1.0)),
            ("contactpoint", (0.9, 0.6, 0.2, 1.0)), ("contactforce", (0.7, 0.9, 0.9, 1.0)),
            ("contactfriction", (0.9, 0.8, 0.4, 1.0)), ("contacttorque", (0.9, 0.7, 0.9, 1.0)),
            ("contactgap", (0.5, 0.8, 0.9, 1.0)), ("rangefinder", (1.0, 1.0, 0.1, 1.0)),
            ("constraint", (0.9, 0.0, 0.0, 1.0)), ("slidercrank", (0.5, 0.3, 0.8, 1.0)),
            ("crankbroken", (0.9, 0.0, 0.0, 1.0)), ("frustum", (1.0, 1.0, 0.0, 0.2)), ("bv", (0.0, 1.0, 0.0, 0.5)),
            ("bvactive", (1.0, 0.0, 0.0, 0.5)))),
    ),
    element(
        "extension", "plugins that the model uses",
        many="extension/plugin",
    ),
    element("extension/plugin", "a plugin that the model needs", text("plugin", "name of the plugin", required=True),
            many="extension/plugin/instance"),
    element("extension/plugin/instance", "a shared instance of a plugin",
            Attribute("name", Holds.NAME, "name of the instance", kind="plugin", required=True, inherits=False),
            many="config"),
    element("config", "a setting of a plugin", text("key", "name of the setting", required=True), text("value",
        "its value")),
    element("plugin", "the plugin of this object", PLUGIN_REFERENCE, many="config"),
)  # fmt: skip
