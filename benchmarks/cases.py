"""The rows of the benchmark: which scene is measured in which regime, with which solver, cones and noslip pass."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchmarks.laws import Law, proportional, servos, trot
from benchmarks.regimes import Start, make_start
from benchmarks.scenes import BY_NAME

SOLVERS = {"PGS": 0, "CG": 1, "Newton": 2}
CONES = {"pyramidal": 0, "elliptic": 1}
#: Where solvers and cones are compared.
COMPARED = ("own_humanoid", "lying")
#: Iterations of the noslip pass, in rows that have one.
NOSLIP = 5


@dataclass(frozen=True)
class Case:
    """One row: a scene in a regime.

    Attributes:
        scene: name of the scene.
        regime: name of the regime.
        law: the control law of a standing or walking robot.
        gait: what it does if it does not just stand.
        solver, cone: in place of the model's own.
        noslip: whether a noslip pass follows the solver.
        quick: measured by a quick run, too.
    """

    scene: str
    regime: str
    law: Law | None = None
    gait: str = ""
    solver: str = ""
    cone: str = ""
    noslip: bool = False
    quick: bool = False

    @property
    def key(self) -> str:
        """What tells the row from all others."""
        return " ".join(filter(None, (self.scene, self.gait or self.regime, *self.variant)))

    @property
    def variant(self) -> tuple[str, ...]:
        """What the row has in place of the model's own."""
        return tuple(filter(None, (self.solver, self.cone, "noslip" if self.noslip else "")))

    @property
    def label(self) -> str:
        """How tables call the row."""
        scene = BY_NAME[self.scene]
        return ", ".join(filter(None, (scene.label or scene.name, self.gait, *self.variant)))

    @property
    def manner(self) -> str:
        """The regime, as tables that have several of them call it."""
        return "walking" if self.gait else self.regime

    def load(self) -> Any:
        """MuJoCo's model with the solver, cones and noslip pass of the row, or None when its file is not there."""
        mjmodel = BY_NAME[self.scene].load_whole()
        if mjmodel is not None:
            mjmodel.opt.solver = SOLVERS.get(self.solver, mjmodel.opt.solver)
            mjmodel.opt.cone = CONES.get(self.cone, mjmodel.opt.cone)
            mjmodel.opt.noslip_iterations = NOSLIP if self.noslip else mjmodel.opt.noslip_iterations
        return mjmodel

    def start(self, mjmodel: Any) -> Start:
        """States and controls of all worlds; the model's own solver prepares them, so that all solvers start alike."""
        own = BY_NAME[self.scene].load_whole() if self.variant else mjmodel
        return make_start(own, self.regime, self.law)


#: Control laws of those that stand, in the order of the table.
_STANDING = (
    Case("humanoid", "standing", proportional(100, 10), quick=True),
    Case("humanoid_mujoco", "standing", proportional(100, 10)),
    Case("humanoid_gym", "standing", proportional(100, 10)),
    Case("ant", "standing", proportional(20, 2)),
    Case("half_cheetah", "standing", proportional(100, 5)),
    Case("hopper", "standing", proportional(200, 10)),
    Case("walker", "standing", proportional(300, 10)),
    Case("quadruped", "standing", servos()),
    Case("own_humanoid", "standing", servos()),
    Case("own_humanoid_mesh", "standing", servos()),
    Case("own_quadruped", "standing", servos()),
    Case("own_quadruped", "standing", trot(), gait="trotting"),
    Case("own_quadruped_mesh", "standing", servos(), quick=True),
    Case("own_quadruped_mesh", "standing", trot(), gait="trotting"),
    Case("own_quadruped_dry", "standing", servos()),
    Case("barkour", "standing", servos()),
)
_FALLING = (
    "humanoid humanoid_mujoco humanoid_gym ant half_cheetah hopper walker quadruped own_humanoid own_humanoid_mesh "
    "own_quadruped own_quadruped_mesh own_quadruped_dry barkour shadow_hand 22_humanoids 100_humanoids "
    "own_100_humanoids 1000_boxes cloth rope elastic_cloth own_cloth soft_gripper"
)
# without dm_control's quadruped: on its back MuJoCo takes a millisecond for the rays of its range finders
_LYING = (
    "humanoid humanoid_mujoco humanoid_gym ant hopper walker own_humanoid own_humanoid_mesh own_quadruped "
    "own_quadruped_mesh own_quadruped_dry barkour"
)
_QUICK = ("humanoid falling", "humanoid_gym falling", "half_cheetah falling", "own_quadruped_dry lying")

CASES = (
    *_STANDING,
    *(Case(name, "falling", quick=f"{name} falling" in _QUICK) for name in _FALLING.split()),
    *(Case(name, "lying", quick=f"{name} lying" in _QUICK) for name in _LYING.split()),
    *(Case(*COMPARED, solver=solver, cone=cone) for solver in reversed(SOLVERS) for cone in CONES),
    *(Case(*COMPARED, solver="Newton", cone=cone, noslip=True) for cone in CONES),
    *(Case("humanoid_gym", "lying", solver="PGS", cone=cone, noslip=True) for cone in CONES),
)
#: All rows by key.
BY_KEY = {case.key: case for case in CASES}


@dataclass(frozen=True)
class Bar:
    """What we ask of ourselves: at least so many times MuJoCo's speed in each of some rows."""

    text: str
    way: str
    ratio: float
    scenes: str = ""
    regimes: str = "standing falling lying"
    noslip: bool = False

    def covers(self, case: Case) -> bool:
        """Is the row one of those? Other variants than those with a noslip pass count only where all rows do."""
        is_own = case.noslip if self.noslip else not case.variant
        is_named = case.scene in self.scenes.split() and is_own
        return case.regime in self.regimes.split() and (is_named or not self.scenes)


_HUMANOIDS = "humanoid humanoid_mujoco"
_OWN = "own_humanoid own_humanoid_mesh own_quadruped own_quadruped_mesh"
_FALLEN = f"{_OWN} own_quadruped_dry"

BARS = (
    Bar("every row", "one", 1.0),
    Bar("humanoids, falling", "one", 1.5, f"{_HUMANOIDS} humanoid_gym 22_humanoids 100_humanoids", "falling"),
    Bar("every row", "f64", 1.3),
    Bar("humanoid, falling", "f64", 4.0, _HUMANOIDS, "falling"),
    Bar("humanoid, falling", "f32", 7.0, _HUMANOIDS, "falling"),
    Bar("ours, standing", "f64", 4.0, _OWN, "standing"),
    Bar("ours, standing", "f32", 8.0, _OWN, "standing"),
    Bar("ours, lying", "f64", 2.5, _FALLEN, "lying"),
    Bar("ours, lying", "f32", 4.0, _FALLEN, "lying"),
    Bar("ant, falling", "f64", 5.0, "ant", "falling"),
    Bar("ant, falling", "f32", 9.0, "ant", "falling"),
    Bar("quadruped (dm_control), falling", "f64", 6.0, "quadruped", "falling"),
    Bar("quadruped (dm_control), falling", "f32", 9.0, "quadruped", "falling"),
    Bar("humanoid (gymnasium), in all regimes", "f64", 2.0, "humanoid_gym"),
    Bar("humanoid (gymnasium), lying, noslip", "f64", 2.0, "humanoid_gym", "lying", noslip=True),
    Bar("flexes, falling", "f64", 2.0, "cloth rope elastic_cloth own_cloth soft_gripper", "falling"),
    Bar("humanoid (gymnasium), in all regimes", "f32", 2.0, "humanoid_gym"),
    Bar("humanoid (gymnasium), lying, noslip", "f32", 2.0, "humanoid_gym", "lying", noslip=True),
)
