"""Phalanx: a MuJoCo-compatible physics engine written in Python.

>>> import phalanx
>>> xml = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
>>> model = phalanx.Model.from_xml_string(xml)
>>> data = model.make_data().step(100)
>>> round(data.time, 3)
0.2
"""

from __future__ import annotations

from phalanx.batch.batch import BatchSim
from phalanx.batch.rollout import Rollout, rollout
from phalanx.compiler.element import Element
from phalanx.compiler.errors import MjcfError, Problem
from phalanx.compiler.spec import MjcfCompiler as _MjcfCompiler
from phalanx.compiler.spec import Spec, load
from phalanx.model.contacts import ContactTable, Wrench
from phalanx.model.data import Data, Snapshot
from phalanx.model.errors import (
    ConvergenceError,
    FieldError,
    HookError,
    ModelError,
    PhalanxError,
    UnknownNameError,
    UnsupportedFeatureWarning,
    WorldError,
)
from phalanx.model.hill_muscle import HillMuscle
from phalanx.model.model import Model
from phalanx.model.rays import RayHit
from phalanx.model.runner import install as _install
from phalanx.model.runner import install_compiler as _install_compiler
from phalanx.model.sdf import SDF
from phalanx.native.errors import CheckError, NativeError
from phalanx.pipeline.runner import PipelineRunner as _PipelineRunner
from phalanx.tables import enums

__version__ = "0.1.0"

__all__ = [
    "SDF",
    "BatchSim",
    "CheckError",
    "ContactTable",
    "ConvergenceError",
    "Data",
    "Element",
    "FieldError",
    "HillMuscle",
    "HookError",
    "MjcfError",
    "Model",
    "ModelError",
    "NativeError",
    "PhalanxError",
    "Problem",
    "RayHit",
    "Rollout",
    "Snapshot",
    "Spec",
    "UnknownNameError",
    "UnsupportedFeatureWarning",
    "WorldError",
    "Wrench",
    "__version__",
    "enums",
    "load",
    "rollout",
]

_install(_PipelineRunner())
_install_compiler(_MjcfCompiler())
