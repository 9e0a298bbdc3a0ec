"""A model with each composite joint and coupling."""

from __future__ import annotations

from phalanx.tables.mechanisms import MECHANISMS


def body(name: str, inside: str, place: str = "0 0 0") -> str:
    """A body with a mass that is not symmetric."""
    return f'<body name="{name}" pos="{place}">{inside}<geom type="box" size=".05 .08 .11" pos=".02 .01 .03"/></body>'


def hinges(count: int) -> str:
    """Bodies with hinges a, b, c about z, side by side."""
    return "".join(body(name, f'<joint name="{name}"/>', f"{k} 0 0") for k, name in enumerate("abc"[:count]))


_ROD = '<geom type="capsule" size=".02" fromto="0 0 0 .2 0 0"/>'
_RACK = body("rack", '<joint name="x" type="slide" axis="1 0 0"/>', "0 1 0")

#: Kind -> what a model holds in its world, and among its equalities.
PARTS: dict[str, tuple[str, str]] = {
    "universal": (body("b", '<universal name="u" pos="0 0 .1" range="-50 50" damping=".1" armature=".01"/>'), ""),
    "cylindrical": (body("b", '<cylindrical name="c" axis="0 1 1" range="-.1 .2" frictionloss=".1"/>'), ""),
    "planar": (body("b", '<planar name="p" axis="0 1 0" axis2="1 1 0" stiffness="3" range3="-90 90"/>'), ""),
    "screw": (body("b", '<screw name="s" axis="1 0 1" pitch=".2" damping=".01"/>'), ""),
    "fourbar": ('<fourbar name="f" ground=".3" crank=".1" coupler=".25" rocker=".2" angle="60" pos="0 0 .5"/>', ""),
    "loop": (
        f'<body name="a"><joint name="a" axis="0 1 0"/>{_ROD}</body>'
        f'<body name="b" pos=".2 0 0"><joint type="ball"/>{_ROD}</body>',
        '<loop name="l" body1="a" body2="b" anchor=".2 0 0" axis="0 1 0" span=".05"/>',
    ),
    "gear": (hinges(2), '<gear name="g" joint1="a" joint2="b" teeth1="40" teeth2="16"/>'),
    "worm": (hinges(2), '<worm name="w" joint1="a" joint2="b" teeth="30" starts="2" left="true"/>'),
    "rack": (hinges(1) + _RACK, '<rack name="r" joint1="x" joint2="a" radius=".04" solref=".01 1"/>'),
    "belt": (hinges(2), '<belt joint1="a" joint2="b" radius1=".1" radius2=".03" crossed="true"/>'),
    "cable": (hinges(2) + _RACK, '<cable name="c" joint1="a" joint2="b" joint3="x" radius1=".1" radius2="-.2"/>'),
    "differential": (hinges(3), '<differential name="d" joint1="a" joint2="b" drive="c" ratio="4"/>'),
    "planetary": (hinges(3), '<planetary name="p" sun="a" ring="b" carrier="c" teeth_sun="20" teeth_ring="64"/>'),
}
assert set(PARTS) == set(MECHANISMS)


def sample(kind: str, option: str = "") -> str:
    """A model with a mechanism."""
    world, equality = PARTS[kind]
    return (
        f"<mujoco><option {option}><flag contact='disable'/></option><worldbody>{world}</worldbody>"
        f"<equality>{equality}</equality></mujoco>"
    )
