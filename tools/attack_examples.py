"""One of each class that users hold, made when it is needed, and a value that fits each parameter of what they call."""

from __future__ import annotations

import itertools
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import phalanx
from phalanx import learn, mechanism
from phalanx.learn.gym_env import TaskEnv
from phalanx.learn.vector_env import TaskVectorEnv
from tools.attacks.task import Swing

MODEL = """
<mujoco><option timestep=".005"/><asset><mesh name="cube" vertex="0 0 0 .1 0 0 0 .1 0 0 0 .1 .1 .1 .1"/></asset>
<worldbody><geom name="floor" type="plane" size="5 5 .1"/><camera name="eye" pos="0 -2 1" xyaxes="1 0 0 0 1 2"/>
<body name="target" mocap="true" pos="0 0 2"/>
<body name="crate" pos="0 0 .09"><freejoint name="free"/><geom name="box" type="box" size=".1 .1 .1"/></body>
<body name="arm" pos="1 0 .4"><joint name="hinge" axis="0 1 0" range="-2 2"/><geom name="rod" type="capsule" size=".05"
fromto="0 0 0 .3 0 0"/><geom name="stone" type="mesh" mesh="cube"/><site name="tip" pos=".3 0 0"/></body></worldbody>
<actuator><motor name="motor" joint="hinge" ctrlrange="-1 1"/>
<general name="slow" joint="hinge" dyntype="filter" dynprm=".1"/></actuator>
<sensor><jointpos name="angle" joint="hinge"/><framepos name="place" objtype="site" objname="tip"/></sensor>
<keyframe><key name="home" qvel="0 0 0 0 0 0 1"/></keyframe></mujoco>"""

ENDINGS = (".npz", ".gif", ".html", ".xml", ".webp", ".csv", "_%d.png", ".phx", ".mjb", ".zip", ".rrd", ".usda", "")


class Things:
    """Examples, by class."""

    def __init__(self, folder: Path):
        self.folder, self.made = folder, dict[type, Any]()
        # files of each kind in turn, so that no writer is passed over
        self.endings = itertools.cycle(ENDINGS)

    def example(self, kind: type) -> Any:
        """The example of a class."""
        if kind not in self.made:
            self.made[kind] = EXAMPLES[kind](self)
        return self.made[kind]

    @property
    def model(self) -> phalanx.Model:
        """The example of a Model."""
        model: phalanx.Model = self.example(phalanx.Model)
        return model

    @property
    def data(self) -> phalanx.Data:
        """The example of a Data."""
        data: phalanx.Data = self.example(phalanx.Data)
        return data

    def usual(self, name: str) -> Any:
        """A value that fits a parameter, None if none is known."""
        value = USUAL.get(name)
        return value(self) if isinstance(value, types.FunctionType) else value

    def forget(self) -> None:
        """Make anew what a call may have changed: all but the Model."""
        for thing in self.made.values():
            if isinstance(thing, (phalanx.Viewer, phalanx.Film)):
                thing.close()
        self.made = {kind: thing for kind, thing in self.made.items() if kind is phalanx.Model}


def _recording(t: Things) -> phalanx.Recording:
    rolled = t.example(phalanx.Rollout)
    qpos, qvel = (rolled[name][0, 0] for name in ("qpos", "qvel"))
    return phalanx.Recording(qpos, qvel, np.zeros((3, t.model.nu)), rolled["sensordata"][0])


def _sampling(t: Things) -> phalanx.PredictiveSampling:
    planner = phalanx.PredictiveSampling(t.model, t.example(phalanx.Goal), horizon=0.02, samples=3, threads=1)
    planner.plan(t.data)
    return planner


def _started(env: Any) -> Any:
    env.reset(seed=1)
    return env


#: How an example of each class is made.
EXAMPLES: dict[type, Callable[[Things], Any]] = {
    phalanx.Model: lambda t: phalanx.Model.from_xml_string(MODEL),
    phalanx.Data: lambda t: t.model.make_data().step(2),
    phalanx.BatchSim: lambda t: phalanx.BatchSim(t.model, 3, threads=2),
    phalanx.GpuBatchSim: lambda t: phalanx.GpuBatchSim(t.model, 3, device="emulated"),
    phalanx.Spec: lambda t: phalanx.Spec.from_string(MODEL),
    phalanx.Element: lambda t: t.example(phalanx.Spec).find("body", "arm"),
    phalanx.Rollout: lambda t: phalanx.rollout(
        t.model, None, np.zeros((1, 3, t.model.nu)), outputs=("qpos", "qvel", "sensordata")
    ),
    phalanx.Recording: _recording,
    phalanx.Goal: lambda t: phalanx.Goal("angle", weight=1.0),
    phalanx.Unknown: lambda t: phalanx.Unknown("body_mass", "arm"),
    phalanx.Trajectory: lambda t: phalanx.Trajectory.from_rollout(t.example(phalanx.Rollout)),
    phalanx.SDF: lambda t: phalanx.SDF.from_function(lambda p: np.linalg.norm(p, axis=-1) - 0.06, -0.1, 0.1, 0.05),
    phalanx.LinearizedRollout: lambda t: phalanx.linearize_rollout(t.model, None, np.zeros((1, 2, t.model.nu))),
    phalanx.PredictiveSampling: _sampling,
    phalanx.Camera: lambda t: phalanx.Camera(),
    phalanx.Marks: lambda t: phalanx.Marks(),
    phalanx.Show: lambda t: phalanx.Show(),
    phalanx.Limits: lambda t: phalanx.Limits(),
    phalanx.Renderer: lambda t: phalanx.Renderer(t.model, 8, 6),
    phalanx.Snapshot: lambda t: t.data.snapshot(),
    phalanx.BatchSnapshot: lambda t: t.example(phalanx.BatchSim).snapshot(),
    phalanx.ContactTable: lambda t: t.data.contacts(),
    phalanx.WorldContactTable: lambda t: t.example(phalanx.BatchSim).contact_table(),
    phalanx.Transition: lambda t: t.data.transition(),
    phalanx.ParameterDerivatives: lambda t: t.data.parameter_derivatives("body_mass"),
    phalanx.Perturbation: lambda t: phalanx.Perturbation(t.data, "arm"),
    phalanx.HillMuscle: lambda t: phalanx.HillMuscle.preset("biceps"),
    phalanx.ContactOrigin: lambda t: t.data.forward().explain_contact(0),
    phalanx.Note: lambda t: phalanx.Note("a"),
    phalanx.Problem: lambda t: phalanx.Problem("a"),
    phalanx.Plan: lambda t: phalanx.ilqr(t.data, t.example(phalanx.Goal), steps=2, iterations=1),
    phalanx.Profile: lambda t: phalanx.profile(t.model, steps=1, worlds=1),
    phalanx.Identification: lambda t: phalanx.identify(
        t.model, [t.example(phalanx.Unknown)], t.example(phalanx.Recording), iterations=1
    ),
    phalanx.Viewer: lambda t: phalanx.Viewer(t.model, port=0),
    phalanx.Film: lambda t: phalanx.record(t.folder / "a.gif", t.data, width=8, height=6),
    phalanx.Task: lambda t: Swing(),
    TaskEnv: lambda t: _started(Swing().make()),
    TaskVectorEnv: lambda t: _started(Swing().make_vec(3)),
    learn.TaskWorlds: lambda t: learn.TaskWorlds(Swing(), 2),
    learn.EnvRow: lambda t: next(iter(learn.ENVS.values())),
    mechanism.Motor: lambda t: mechanism.Motor(max_torque=1.0),
    mechanism.JointStop: lambda t: mechanism.JointStop(-1.0, 1.0),
    mechanism.Noise: lambda t: mechanism.Noise(),
    mechanism.NoisySensors: lambda t: mechanism.NoisySensors(t.model, {"angle": mechanism.Noise(0.1)}),
    mechanism.MuscleGroup: lambda t: mechanism.MuscleGroup(("motor",), ("slow",)),
    mechanism.ContactSettings: lambda t: mechanism.ContactSettings(1e4, 10.0, 1.0),
    type(phalanx.models()): lambda t: phalanx.models(),
}  # fmt: skip

_POINTS = ("pos", "pos1", "pos2", "vec", "vel", "axis", "direction", "directions", "end", "force", "torque", "oldpos",
           "newpos", "point", "origin", "origins", "euler", "lower")  # fmt: skip
_SMALL = ("angle", "dt", "cell", "length", "velocity", "speed", "restitution", "ratio", "friction", "time", "density",
          "drive", "arm", "low", "optimal_fiber_length", "tendon_slack_length")  # fmt: skip
_LARGE = ("mass", "load", "rate", "damping", "high", "max_isometric_force", "torque_constant", "resistance", "voltage")
#: Values that fit, by name of the parameter; functions make them of the examples.
USUAL: dict[str, Any] = {
    **dict.fromkeys(("quat", "quat1", "quat2"), (1.0, 0.0, 0.0, 0.0)),
    **dict.fromkeys(_POINTS, (0.0, 0.0, 1.0)),
    **dict.fromkeys(_SMALL, 0.1),
    **dict.fromkeys(_LARGE, 1.0),
    **dict.fromkeys(("n", "num_envs", "i", "seed", "iterations", "samples", "restarts", "steps"), 2),
    **dict.fromkeys(("k", "contact", "row", "index", "step", "world"), 0),
    "upper": (0.1, 0.1, 1.1), "points": np.ones((2, 3)), "seq": "xyz", "mat": np.eye(3), "flg_force": False, "width": 8,
    "height": 6, "body": "arm", "geom": "rod", "site": "tip", "geom1": "rod", "geom2": "box", "objtype": "body",
    "obj": "arm", "mask": [1, 0, 0], "name": "arm", "operation": "kinematics", "target": "arm", "wrt": "body_mass",
    "values": -np.ones((2, 2, 2)), "vertices": np.eye(4)[:, :3], "faces": [[0, 2, 1], [0, 1, 3], [1, 2, 3], [2, 0, 3]],
    "function": lambda t: lambda p: np.linalg.norm(p, axis=-1) - 0.06, "tag": "body", "message": "a", "text": MODEL,
    "sensor": "angle", "size": (0.1, 0.1, 0.1), "field": "body_mass", "fields": "body_mass", "xml": MODEL,
    "srcsig": "INTEGRATION", "dstsig": "PHYSICS", "horizon": 0.02, "pose": (1.0, 0.0, 0.5), "joint": "hinge",
    "timestep": 0.005, "condim": 3, "solref": (0.02, 1.0), "solimp": (0.9, 0.95, 0.001, 0.5, 2.0), "kind": "universal",
    "phases": {}, "setting": "geomgroup", "action": np.zeros(1), "actions": np.zeros((3, 1)), "key": "qpos",
    "stiffness": 1e4, "flexors": ("motor",), "extensors": ("slow",), "worlds": None, "to": None, "jar": 0.0,
    "mjmodel": None,
    "sizes": lambda t: t.model._store.sizes, "arrays": lambda t: t.model._store.arrays,
    "model": lambda t: t.model, "data": lambda t: t.data, "start": lambda t: t.data, "source": lambda t: t.data,
    "spec": lambda t: t.example(phalanx.Spec).copy(), "holder": lambda t: t.example(phalanx.Spec).copy(),
    "other": lambda t: phalanx.Spec.from_string("<mujoco><worldbody><body name='b'/></worldbody></mujoco>"),
    "element": lambda t: t.example(phalanx.Element), "child": lambda t: t.example(phalanx.Element).copy(),
    "x": lambda t: np.ones(t.model.nv), "qacc": lambda t: np.ones((3, t.model.nv)),
    **dict.fromkeys(("qpos", "qpos1", "qpos2"), lambda t: t.model.qpos0), "qvel": lambda t: np.ones(t.model.nv),
    "state": lambda t: t.data.get_state(), "snapshot": lambda t: t.data.snapshot(),
    "path": lambda t: t.folder / f"a{next(t.endings)}", "file": lambda t: t.folder / "a.zip",
    "muscles": lambda t: {"motor": t.example(phalanx.HillMuscle)}, "grids": lambda t: {"rod": t.example(phalanx.SDF)},
    "goals": lambda t: t.example(phalanx.Goal), "unknowns": lambda t: [t.example(phalanx.Unknown)],
    "recordings": lambda t: t.example(phalanx.Recording), "recording": lambda t: t.example(phalanx.Recording),
    "rollout": lambda t: t.example(phalanx.Rollout), "trajectory": lambda t: t.example(phalanx.Trajectory),
    "task": lambda t: t.example(phalanx.Task), "groups": lambda t: [t.example(mechanism.MuscleGroup)],
    "noise": lambda t: {"angle": t.example(mechanism.Noise)}, "motor": lambda t: t.example(mechanism.Motor),
}  # fmt: skip
