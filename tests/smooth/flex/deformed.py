"""Flex models for both engines, at random deformed states."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import mujoco
import numpy as np
import pytest

import phalanx
from tests.compiler.flexes import MODELS
from tests.quiet import quiet

#: A few that have every kind of vertex, element and force between them, for the default run.
FEW = ("pin to free", "both", "solid", "rod", "rod ring", "trilinear cells", "quadratic pinned", "raw vertices")
OTHERS = tuple(name for name in MODELS if name not in FEW)


def with_gaps(names: Iterable[Any], gaps: dict[Any, str]) -> list[Any]:
    """Names or seeds of models as parameters; those with a known gap are expected to fail."""
    marks = {name: pytest.mark.xfail(strict=True, reason=f"GAP: {reason}") for name, reason in gaps.items()}
    return [pytest.param(name, marks=marks[name]) if name in marks else name for name in names]


#: An equality of edges before one of strain: MuJoCo takes modes of strain for stiffness, and pushes out of nothing.
MODES_AS_STIFFNESS = {"strain and edges": "modes of strain are taken for stiffness, transposed: 60 % of the force"}


@lru_cache(maxsize=4)
def load(name: str, **options: Any) -> tuple[Any, phalanx.Model]:
    """A model for both engines, with options such as `integrator=1`."""
    return pair(MODELS[name], **options)


def pair(text: str, **options: Any) -> tuple[Any, phalanx.Model]:
    """The same model for both engines; energy is computed, so that it can be compared."""
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    for option, value in options.items():
        setattr(model.opt, option, value)
    return model, phalanx.Model.from_mujoco(model)


def deform(model: Any, data: Any, rng: np.random.Generator, size: float = 0.1) -> None:
    """A random state; `size` is how far dofs are from the reference."""
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), size)
    data.qvel[:] = rng.normal(size=model.nv)
    if model.nplastic:
        data.plastic[:] *= 1 + 0.1 * rng.normal(size=model.nplastic)


@quiet()
def twin(model: phalanx.Model, data: Any, **options: Any) -> phalanx.Data:
    """A Data in the state of MuJoCo's."""
    ours = model.make_data(**options)
    for name in ("qpos", "qvel", "plastic", "qacc_warmstart", "ctrl", "act"):
        ours._store.arrays[name][...] = getattr(data, name)
    ours.time = data.time
    return ours


def assert_near(ours: Any, theirs: Any, tolerance: float, what: str, least: float = 1e-6) -> None:
    """Equal relative to the largest number of the field, but at least to `least`."""
    a, b = np.asarray(ours, float), np.asarray(theirs, float).reshape(np.shape(ours))
    if a.size:
        np.testing.assert_allclose(a, b, rtol=0, atol=tolerance * max(float(np.abs(b).max()), least), err_msg=what)
