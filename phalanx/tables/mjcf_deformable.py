"""MJCF rows of deformable bodies. Phalanx knows their names, and refuses them with a message; skins are kept."""

from __future__ import annotations

from phalanx.tables.mjcf_row import Attribute, Holds, element, name_of

FLEX = "deformable bodies (flex) are not supported"


def _any(names: str) -> tuple[Attribute, ...]:
    """Attributes of refused elements: their text is not looked at."""
    return tuple(Attribute(name, Holds.TEXT, "part of a flex", inherits=False) for name in names.split())


_CONTACT = (
    "contype conaffinity condim priority friction solmix solref solimp margin gap selfcollide activelayers passive"
)
_ELASTICITY = "young poisson shear damping thickness yield elastic2d section sectionsize"

DEFORMABLE = (
    element("deformable", "deformable bodies and skins", many="deformable/flex asset/skin"),
    element("flexcomp", "a deformable body made of a pattern",
            Attribute("name", Holds.NAME, "name of the flex", kind="flex", inherits=False),
            _any("type group dim dof count cellcount spacing radius rigid mass inertiabox scale file mesh point "
                 "element "
                 "texcoord material rgba flatskin pos quat axisangle xyaxes zaxis euler origin"),
            once="flexcomp/edge flexcomp/elasticity flexcomp/contact", many="flexcomp/pin plugin", unsupported=FLEX),
    element("flexcomp/edge", "springs along edges", _any("equality solref solimp stiffness damping")),
    element("flexcomp/elasticity", "elastic constants", _any(_ELASTICITY)),
    element("flexcomp/contact", "contact parameters", _any(_CONTACT)),
    element("flexcomp/pin", "points that do not move", _any("id range grid gridrange")),
    element("deformable/flex", "a deformable body",
            name_of("flex"),
            _any("group dim radius material rgba flatskin body vertex element texcoord elemtexcoord node nodecoord "
                 "cellcount dof"),
            once="flexcomp/contact deformable/flex/edge flexcomp/elasticity", unsupported=FLEX),
    element("deformable/flex/edge", "springs along edges", _any("stiffness damping")),
)  # fmt: skip
