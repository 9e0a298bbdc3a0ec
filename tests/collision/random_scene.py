"""Random scenes as MJCF: many geoms in little space, with every parameter and rule of the contact machinery.

Only shapes whose colliders are analytic, so that every number can be compared to rounding.
"""

from __future__ import annotations

import mujoco
import numpy as np

SIZES = {"sphere": 1, "capsule": 2, "box": 3}
FLAGS = ("filterparent", "midphase", "override")


class SceneMaker:
    """One scene per seed."""

    def __init__(self, seed: int, bodies: int = 8, geoms: int = 4, size: float = 0.2, **flags: bool):
        self.rng = np.random.default_rng(seed)
        self.size = size
        self.flags = {name: bool(self.rng.integers(4)) for name in FLAGS[:2]} | {"override": self.rng.integers(4) == 0}
        self.flags |= flags
        self.names: list[str] = []
        self.bodies: list[str] = []
        world = "".join(self.geom("world") for _ in range(self.rng.integers(0, geoms)))
        world += '<geom name="floor" type="plane" size="0 0 1" zaxis=".1 .2 1" pos="0 0 -.2" margin=".01"/>'
        world += "".join(self.body(geoms, depth=0) for _ in range(bodies))
        world += f'<body name="held" mocap="true" pos="{self.numbers(3, 0.3)}">{self.geom("held")}</body>'
        world += f'<body name="pedestal" pos="{self.numbers(3, 0.3)}">{self.geom("pedestal")}</body>'
        self.bodies += ["held", "pedestal"]
        self.xml = f"""<mujoco>
          <option o_margin=".02" o_solref="0.03 0.8" o_solimp=".8 .9 .01 .4 3" o_friction="2 .5 .03 .002 .001">
            <flag {" ".join(f'{name}="{"enable" if on else "disable"}"' for name, on in self.flags.items())}/></option>
          <worldbody>{world}</worldbody><contact>{self.contact()}</contact></mujoco>"""

    def numbers(self, count: int, scale: float, center: float = 0.0) -> str:
        return " ".join(repr(float(x)) for x in center + scale * self.rng.normal(size=count))

    def sizes(self, count: int, low: float, high: float) -> str:
        return " ".join(repr(float(x)) for x in self.rng.uniform(low, high, count))

    def parameters(self) -> str:
        """Solver parameters, some in the other of two forms."""
        rng = self.rng
        # with overridden margins MuJoCo's tree of boxes forgets the gap: it misses contacts that its double loop finds
        gap = 0.0 if self.flags["override"] else rng.choice([0.0, rng.uniform(0, 0.02)])
        solref = self.sizes(2, 0.01, 1.0) if rng.integers(3) else f"{-rng.uniform(10, 99)} {-rng.uniform(1, 9)}"
        return (
            f'solref="{solref}" solimp="{self.sizes(2, 0.1, 0.9)} {rng.uniform(0.001, 0.1)} 0.5 2" '
            f'margin="{rng.choice([0.0, rng.uniform(0, 0.03)])}" gap="{gap}" '
            f'condim="{rng.choice([1, 3, 4, 6])}" adhesion="{rng.choice([0.0, 0.5])}"'
        )

    def geom(self, body: str) -> str:
        rng, name = self.rng, f"{body}{len(self.names)}"
        kind = str(rng.choice(list(SIZES)))
        self.names.append(name)
        return (
            f'<geom name="{name}" type="{kind}" size="{self.sizes(SIZES[kind], 0.2 * self.size, 0.6 * self.size)}" '
            f'pos="{self.numbers(3, 0.4 * self.size)}" quat="{self.numbers(4, 1.0)}" {self.parameters()} '
            f'contype="{rng.integers(4)}" conaffinity="{rng.integers(4)}" priority="{rng.choice([0, 0, 0, 1, 2])}" '
            f'friction="{self.sizes(3, 0.0, 1.0)}" solmix="{rng.choice([0.0, 1.0, rng.uniform(0, 2)])}" '
            f'surfacevel="{self.numbers(6, 1.0) if rng.integers(3) == 0 else "0 0 0 0 0 0"}"/>'
        )

    def body(self, geoms: int, depth: int) -> str:
        rng, name = self.rng, f"body{len(self.bodies)}_"
        self.bodies.append(name)
        joint = "<freejoint/>" if depth == 0 else str(rng.choice(['<joint axis="1 2 3"/>', '<joint type="ball"/>', ""]))
        inside = "".join(self.geom(name) for _ in range(rng.integers(1, geoms + 1)))
        children = "".join(self.body(geoms, depth + 1) for _ in range(rng.integers(0, 3) if depth < 2 else 0))
        place = f'pos="{self.numbers(3, self.size * (3 if depth == 0 else 1))}" quat="{self.numbers(4, 1.0)}"'
        inertia = '<inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
        return f'<body name="{name}" {place}>{joint}{inside}{children}{inertia}</body>'

    def contact(self) -> str:
        rng, text = self.rng, ""
        for a, b in {tuple(sorted(rng.choice(self.bodies, 2, replace=False))) for _ in range(4)}:
            text += f'<exclude body1="{a}" body2="{b}"/>'
        owner = {name: name.rstrip("0123456789") for name in self.names}
        for a, b in {tuple(rng.choice(self.names, 2, replace=False)) for _ in range(8)}:
            if owner[a] != owner[b] and {owner[a], owner[b]} - {"world", "held", "pedestal"}:
                friction = f'friction="{self.sizes(5, 0.0, 1.0)}" solreffriction="{self.sizes(2, 0.01, 1.0)}"'
                own = f"{friction} {self.parameters()}" if rng.integers(2) else ""
                text += f'<pair geom1="{a}" geom2="{b}" {own}/>'
        return text

    def model(self) -> mujoco.MjModel:
        return mujoco.MjModel.from_xml_string(self.xml)
