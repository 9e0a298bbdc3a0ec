"""Small URDF robots, one for each feature of the language."""

# ruff: noqa: E501 : a robot is easier to read in few lines

from __future__ import annotations

INERTIAL = '<inertial><origin xyz=".1 0 .2" rpy=".3 .5 .7"/><mass value="2"/><inertia ixx=".3" iyy=".4" izz=".35" ixy=".02" ixz="-.03" iyz=".01"/></inertial>'
SHAPE = '<collision><geometry><box size=".1 .2 .3"/></geometry></collision>'
MUJOCO = '<mujoco><compiler discardvisual="false" fusestatic="false"/></mujoco>'


def link(name: str, inside: str = INERTIAL) -> str:
    """A link, with mass unless something else is given."""
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", inside: str = "") -> str:
    """A joint between two links."""
    frame = '<origin xyz=".1 .2 .3" rpy=".4 -.2 .9"/>'
    return f'<joint name="{name}" type="{kind}">{frame}<parent link="{parent}"/><child link="{child}"/>{inside}</joint>'


def robot(*parts: str) -> str:
    """A robot of links and joints."""
    return f'<robot name="r">{"".join(parts)}</robot>'


def arm(kind: str, inside: str = "") -> str:
    """A base and two links, the first of which moves in the way to be tried."""
    return robot(
        link("base"), link("a", INERTIAL + SHAPE), link("b"), joint("j", "base", "a", kind, inside),
        joint("k", "a", "b", "continuous", '<axis xyz="0 1 1"/>'),
    )  # fmt: skip


LIMITS = {
    "both": 'lower="-1" upper="2" effort="5" velocity="3"', "lower": 'lower="-1"', "upper": 'upper="1"',
    "crossed": 'lower="2" upper="1"', "equal": 'lower="1" upper="1"', "zero": 'lower="0" upper="0"',
    "effort": 'effort="-3"', "none": "",
}  # fmt: skip
DYNAMICS = '<dynamics damping=".3" friction=".2"/>'
AXIS = '<axis xyz="1 2 -3"/>'
CHAIN = [link(name) for name in ("base", "a", "b", "c")] + [
    joint("j1", "base", "a"),
    joint("j3", "b", "c", "prismatic", '<mimic joint="j2" multiplier="-2" offset=".1"/>'),
]

ROBOTS: dict[str, str] = {
    **{f"{kind} {name}": arm(kind, f"{AXIS}{DYNAMICS}<limit {limit}/>")
       for kind in ("revolute", "continuous", "prismatic", "planar") for name, limit in LIMITS.items()},
    "spherical": arm("spherical", f"{AXIS}{DYNAMICS}"),
    "fixed": arm("fixed", f"{AXIS}{DYNAMICS}<limit {LIMITS['both']}/>"),
    "no axis": arm("planar"),
    "z axis": arm("planar", '<axis xyz="0 0 1"/>'),
    "floating": robot(link("world", ""), link("a"), link("b"), joint("f", "world", "a", "floating", DYNAMICS), joint("j", "a", "b")),
    "several roots": robot(link("b"), link("a"), link("c", SHAPE), joint("j", "a", "b")),
    "world": robot(link("world", SHAPE), link("a"), joint("j", "world", "a")),
    "nested fixed": robot(link("base", SHAPE), link("a", SHAPE), link("b"), link("c"), link("d", ""), joint("f", "base", "a", "fixed"), joint("j", "a", "b"), joint("g", "b", "c", "fixed"), joint("h", "c", "d", "fixed")),
    "no inertial": robot(link("base", ""), link("a", SHAPE), joint("j", "base", "a")),
    "point mass": robot(link("base"), link("a"), link("b", '<inertial><mass value=".1"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>'), joint("j", "base", "a"), joint("f", "a", "b", "fixed")),
    "shapes": robot(link("base", "".join(
        f'<collision name="c{k}"><origin xyz="0 0 {k}" rpy="{k} 1 2"/><geometry>{shape}</geometry></collision>'
        for k, shape in enumerate(('<box size=".1 .2 .3"/>', '<sphere radius=".1"/>', '<cylinder radius=".1" length=".5"/>', '<capsule radius=".1" length=".5"/>'))))),
    "looks": robot('<material name="red"><color rgba="1 0 0 1"/></material>', MUJOCO, link("base",
        '<visual name="n"><geometry><sphere radius=".1"/></geometry><material name="red"/></visual><collision name="n"><geometry><sphere radius=".2"/></geometry></collision>'
        '<visual><geometry><box size="1 1 1"/></geometry><material name="blue"><color rgba="0 0 1 .5"/></material></visual><collision name="m"><geometry><sphere radius=".2"/></geometry></collision>'
        '<visual name="m"><geometry><box size="1 1 1"/></geometry><material name="unknown"/></visual>'),
        link("a", '<visual><geometry><box size="1 1 1"/></geometry><material name="blue"/></visual><collision><geometry><sphere radius=".3"/></geometry></collision>')),
    "settings": robot('<mujoco><compiler fusestatic="false" balanceinertia="true" boundmass=".1"/><option timestep=".005" gravity="0 0 -1"><flag contact="disable"/></option><size nuserdata="3"/><visual/></mujoco>',
        link("base"), link("a"), joint("f", "base", "a", "fixed")),
    "mimic": robot(*CHAIN, joint("j2", "a", "b", "revolute", '<mimic joint="j1" multiplier="3" offset=".2"/>')),
    "mimic of an unknown joint": robot(*CHAIN[:3], joint("j1", "base", "a"), joint("j2", "a", "b", "revolute", '<mimic joint="jj"/>')),
    "mimic of a planar joint": robot(*CHAIN[:3], joint("j1", "base", "a", "planar"), joint("j2", "a", "b", "revolute", '<mimic joint="j1"/>')),
    "round inertias": robot(link("base"), *(link(f"l{k}", f'<inertial><origin rpy="{k} .2 .3"/><mass value="1"/><inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" iyz="0"/></inertial>') + joint(f"j{k}", "base", f"l{k}", "continuous")
        for k, (x, y, z) in enumerate(((1, 1, 1), (1, 1, 1.5), (1.5, 1, 1), (1, 1.5, 1))))),
    "bounded inertia": robot('<mujoco><compiler boundinertia="1e-3" balanceinertia="true"/></mujoco>', link("base"), link("a", '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>'), joint("j", "base", "a")),
    "empty name": robot(link("base")).replace('name="r"', 'name=""'),
    "two shapes": robot(link("base", '<collision><geometry><sphere radius="1"/><box size="1 1 1"/></geometry></collision>')),
    "links in another order": robot(joint("k", "b", "c"), link("c", SHAPE), joint("j", "a", "b"), link("b"), link("d"), link("a"), joint("l", "a", "d")),
}  # fmt: skip
