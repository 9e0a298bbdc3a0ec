"""Phalanx: a MuJoCo-compatible physics engine written in Python.

>>> import phalanx
>>> xml = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
>>> model = phalanx.Model.from_xml_string(xml)
>>> data = model.make_data().step(100)
>>> round(data.time, 3)
0.2
"""

from __future__ import annotations

from phalanx import learn, mechanism, transforms
from phalanx.batch.batch import BatchSim
from phalanx.batch.contact_list import WorldContactTable
from phalanx.batch.rollout import Rollout, rollout
from phalanx.batch.snapshots import BatchSnapshot
from phalanx.batch.world_answers import BodyForces
from phalanx.collision.ray.hits import FlexHit, RayHit
from phalanx.collision.sdf.grid import SDF
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import MjcfError, Problem
from phalanx.compiler.text.limits import Limits
from phalanx.compiler.text.notes import Note
from phalanx.control.goals import Goal
from phalanx.control.identify import Identification, Recording, identify
from phalanx.control.ilqr import Plan, ilqr
from phalanx.control.sampling import PredictiveSampling
from phalanx.control.unknowns import Unknown
from phalanx.derivative.linearized import Gradient, LinearizedRollout, Tangent, linearize_rollout
from phalanx.learn.task import Task
from phalanx.learn.task_rows import Row, Signal
from phalanx.measure.profile import Profile, profile
from phalanx.mechanism.assembly import Assembly, assemble
from phalanx.mechanism.ik_problems import IkSolution, ik
from phalanx.memory.errors import (
    AwakeWarning,
    BadControlWarning,
    BusyError,
    ContactStiffnessWarning,
    ConvergenceError,
    FieldError,
    HookError,
    MissingPackageError,
    MjcfWarning,
    ModelError,
    OutOfMemoryError,
    PhalanxError,
    TaskError,
    UnknownNameError,
    UnsupportedFeatureWarning,
    WorldError,
)
from phalanx.native.errors import CacheWarning, CheckError, NativeError
from phalanx.render.renderer import Renderer
from phalanx.scene.camera import Camera
from phalanx.scene.marks import Marks
from phalanx.scene.perturb import Perturbation
from phalanx.scene.show import Show
from phalanx.show.film.record import Film, record
from phalanx.show.replay.write_page import replay_html
from phalanx.show.rerun_file import export_rerun
from phalanx.show.trajectory import Trajectory
from phalanx.show.viewer.errors import ViewerError
from phalanx.show.viewer.viewer import Viewer, view
from phalanx.smooth.actuator.hill_parameters import HillMuscle
from phalanx.tables import enums
from phalanx.world.builtin import models
from phalanx.world.contact_origin import ContactOrigin, ParameterOrigin
from phalanx.world.contacts import ContactTable, Wrench
from phalanx.world.data import Data, Snapshot
from phalanx.world.model import Model
from phalanx.world.parameter_result import ParameterDerivatives
from phalanx.world.spec import Spec, load
from phalanx.world.transition_result import Crossing, Transition

__version__ = "0.1.0"

__all__ = [
    "SDF",
    "Assembly",
    "AwakeWarning",
    "BadControlWarning",
    "BatchSim",
    "BatchSnapshot",
    "BodyForces",
    "BusyError",
    "CacheWarning",
    "Camera",
    "CheckError",
    "ContactOrigin",
    "ContactStiffnessWarning",
    "ContactTable",
    "ConvergenceError",
    "Crossing",
    "Data",
    "Element",
    "FieldError",
    "Film",
    "FlexHit",
    "Goal",
    "Gradient",
    "HillMuscle",
    "HookError",
    "Identification",
    "IkSolution",
    "Limits",
    "LinearizedRollout",
    "Marks",
    "MissingPackageError",
    "MjcfError",
    "MjcfWarning",
    "Model",
    "ModelError",
    "NativeError",
    "Note",
    "OutOfMemoryError",
    "ParameterDerivatives",
    "ParameterOrigin",
    "Perturbation",
    "PhalanxError",
    "Plan",
    "PredictiveSampling",
    "Problem",
    "Profile",
    "RayHit",
    "Recording",
    "Renderer",
    "Rollout",
    "Row",
    "Show",
    "Signal",
    "Snapshot",
    "Spec",
    "Tangent",
    "Task",
    "TaskError",
    "Trajectory",
    "Transition",
    "Unknown",
    "UnknownNameError",
    "UnsupportedFeatureWarning",
    "Viewer",
    "ViewerError",
    "WorldContactTable",
    "WorldError",
    "Wrench",
    "__version__",
    "assemble",
    "enums",
    "export_rerun",
    "identify",
    "ik",
    "ilqr",
    "learn",
    "linearize_rollout",
    "load",
    "mechanism",
    "models",
    "profile",
    "record",
    "replay_html",
    "rollout",
    "transforms",
    "view",
]
