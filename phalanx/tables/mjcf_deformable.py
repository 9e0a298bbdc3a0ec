"""MJCF rows of deformable bodies: `deformable/flex`, and `flexcomp`, which makes one with its bodies."""

from __future__ import annotations

from phalanx.tables.enums import FlexSelf
from phalanx.tables.mjcf_row import (
    MANY,
    ORIENTATION,
    RGBA,
    Attribute,
    Holds,
    element,
    file,
    flag,
    integer,
    keyword,
    name_of,
    real,
    refers,
    refers_all,
    solimp,
    solref,
    words,
)

ZERO3 = (0.0, 0.0, 0.0)
#: Patterns of points and elements that a flexcomp can be made of.
PATTERNS = ("grid", "box", "cylinder", "ellipsoid", "square", "disc", "circle", "mesh", "gmsh", "direct")
#: How the points of a flexcomp move.
MOTIONS = ("full", "radial", "trilinear", "quadratic", "2d")
#: Which elastic forces a surface has, as bits: 1 bending, 2 stretching.
ELASTIC2D = {"none": 0, "bend": 1, "stretch": 2, "both": 3}
#: Which equality the edges of a flexcomp get.
EDGE_EQUALITY = {"false": 0, "true": 1, "strain": 3}

_LOOK = (
    integer("group", "visibility group", 0, "flex_group", inherits=False),
    integer("dim", "dimension of the elements: 1 lines, 2 triangles, 3 tetrahedra", 2, inherits=False),
    real("radius", "thickness around the elements", 0.005, inherits=False),
    refers_all("material", "material", "how it looks: one material, or one of each element", optional=True),
    real("rgba", "color without a material", RGBA, "flex_rgba", 4, inherits=False),
    flag("flatskin", "whether surfaces are drawn with flat shading", False, "flex_flatskin", inherits=False),
)

_CONTACT = (
    integer("contype", "contact type bits", 1, inherits=False),
    integer("conaffinity", "contact affinity bits", 1, inherits=False),
    integer("condim", "dimension of contacts: 1, 3, 4 or 6", 3, inherits=False),
    integer("priority", "whose contact parameters win", 0, inherits=False),
    real("friction", "sliding, torsional, rolling friction", (1.0, 0.005, 0.0001), "", (1, 3), inherits=False),
    real("solmix", "weight when solver parameters are mixed", 1.0, inherits=False),
    solref("solref", "", "solver reference of contacts"),
    solimp("solimp", "", "solver impedance of contacts"),
    real("margin", "distance below which a contact pushes", 0.0, inherits=False),
    real("gap", "extra distance at which a contact is seen", 0.0, inherits=False),
    keyword("selfcollide", "how elements of the flex that collide with one another are found", words(FlexSelf), "auto",
            inherits=False),
    integer("activelayers", "number of outer layers of tetrahedra that collide", 1, inherits=False),
    flag("passive", "whether contacts act as passive forces", inherits=False),
)  # fmt: skip

_ELASTICITY = (
    real("young", "Young's modulus", 0.0, inherits=False),
    real("poisson", "Poisson's ratio", 0.0, inherits=False),
    real("shear", "shear modulus of rods; 0 for that of an isotropic material", 0.0, inherits=False),
    real("damping", "Rayleigh damping: damping per stiffness", 0.0, inherits=False),
    real("thickness", "thickness of a shell", -1.0, inherits=False),
    real("yield", "strain at which plastic flow starts: stretching, bending; 0 for never", (0.0, 0.0), count=(1, 2),
         inherits=False),
    keyword("elastic2d", "elastic forces of surfaces", ELASTIC2D, "none", inherits=False),
    keyword("section", "cross-section of rods", {"circle": 0, "box": 1}, "circle", inherits=False),
    real("sectionsize", "half sizes of the box of a cross-section", (0.0, 0.0), count=2, inherits=False),
)  # fmt: skip

_SPRINGS = (
    real("stiffness", "spring coefficient of each edge, lines only", 0.0, inherits=False),
    real("damping", "damping coefficient of each edge", 0.0, inherits=False),
)

DEFORMABLE = (
    element("deformable", "deformable bodies and skins", many="deformable/flex asset/skin"),
    element("flexcomp", "a deformable body made of a pattern",
            Attribute("name", Holds.NAME, "name of the flex, and start of the names of its bodies", kind="flexcomp",
                      required=True, inherits=False),
            keyword("type", "pattern of its points and elements; grid, or mesh if a mesh is named", {
                word: code for code, word in enumerate(PATTERNS)
            }, inherits=False),
            _LOOK,
            keyword("dof", "how its points move", {word: code for code, word in enumerate(MOTIONS)}, "full",
                    inherits=False),
            integer("count", "number of points along each axis", (10, 10, 10), count=3, inherits=False),
            integer("cellcount", "number of cells along each axis, for dof trilinear and quadratic", (1, 1, 1), count=3,
                    inherits=False),
            real("spacing", "distance of neighboring points along each axis", (0.02, 0.02, 0.02), count=3,
                 inherits=False),
            flag("rigid", "whether all points belong to the body around it", inherits=False),
            real("mass", "mass of all points", 1.0, inherits=False),
            real("inertiabox", "side of the cube whose inertia each point has", 0.005, inherits=False),
            real("scale", "factors of the coordinates of files and of type direct", (1.0, 1.0, 1.0), count=3,
                 inherits=False),
            file("file", "mesh or GMSH file"),
            refers("mesh", "mesh", "mesh asset, instead of a file"),
            real("point", "coordinates of the points, type direct", None, count=(1, MANY), inherits=False),
            integer("element", "points of each element, dim+1 each, type direct", None, count=(1, MANY),
                    inherits=False),
            real("texcoord", "texture coordinates of the points", None, count=(1, MANY), inherits=False),
            real("pos", "position of the pattern in the body", ZERO3, count=3),
            ORIENTATION,
            real("origin", "inner point of the tetrahedra that a surface mesh is filled with", None, count=3,
                 inherits=False),
            once="flexcomp/edge flexcomp/elasticity flexcomp/contact", many="flexcomp/pin plugin"),
    element("flexcomp/edge", "springs and constraints along edges",
            keyword("equality", "whether edges keep their lengths, or cells their shapes", EDGE_EQUALITY, "false",
                    inherits=False),
            solref("solref", "", "solver reference of the equality"),
            solimp("solimp", "", "solver impedance of the equality"),
            _SPRINGS),
    element("flexcomp/elasticity", "elastic constants", _ELASTICITY),
    element("flexcomp/contact", "contact parameters", _CONTACT),
    element("flexcomp/pin", "points, or nodes of cells, that belong to the body around the flexcomp",
            integer("id", "points", None, count=(1, MANY), inherits=False),
            integer("range", "first and last of points in a row, pairs", None, count=(1, MANY), inherits=False),
            integer("grid", "coordinates of points in a grid", None, count=(1, MANY), inherits=False),
            integer("gridrange", "lowest and highest coordinates of points in a grid", None, count=(1, MANY),
                    inherits=False)),
    element("deformable/flex", "a deformable body",
            name_of("flex"),
            _LOOK,
            refers_all("body", "body", "body of each vertex, or one body of all", required=True),
            real("vertex", "vertices in the frames of their bodies; at the origins if absent", None, count=(1, MANY),
                 inherits=False),
            integer("element", "vertices of each element, dim+1 each", None, count=(1, MANY), required=True,
                    inherits=False),
            real("texcoord", "texture coordinates", None, count=(1, MANY), inherits=False),
            integer("elemtexcoord", "texture coordinates of the vertices of each element", None, count=(1, MANY),
                    inherits=False),
            refers_all("node", "body", "body of each node of the cells"),
            real("nodecoord", "nodes in the frames of their bodies; at the origins if absent", None, count=(1, MANY),
                 inherits=False),
            integer("cellcount", "number of cells along each axis", (1, 1, 1), count=3, inherits=False),
            keyword("dof", "order of interpolation in cells; full or absent for none", {
                "full": 0, "radial": 0, "trilinear": 1, "quadratic": 2, "2d": 0,
            }, inherits=False),
            once="flexcomp/contact deformable/flex/edge flexcomp/elasticity"),
    element("deformable/flex/edge", "springs along edges", _SPRINGS),
)  # fmt: skip
