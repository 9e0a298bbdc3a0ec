"""Every kind of row against MuJoCo: one small scene each, many random states."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import mujoco
import numpy as np
import pytest

from phalanx.tables.enums import ConstraintType, DisableBit
from tests.conformance.states import random_states
from tests.constraint.harness import check
from tests.constraint.scenes import BODIES, EQUALITIES, TENDONS, equalities, feet, scene

STATES = 25


def anywhere(model: Any, count: int = STATES, seed: int = 0) -> Iterator[Any]:
    """Random positions and velocities, forward computed."""
    for data in random_states(model, count, seed):
        mujoco.mj_forward(model, data)
        yield data


def nearby(model: Any, count: int = STATES, seed: int = 0, size: float = 0.05) -> Iterator[Any]:
    """Positions near qpos0 with random velocities: where contacts are."""
    data = mujoco.MjData(model)
    for number in range(count):
        rng = np.random.default_rng([seed, number])
        mujoco.mj_resetData(model, data)
        mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), size)
        data.qvel[:] = rng.normal(size=model.nv)
        mujoco.mj_forward(model, data)
        yield data


def check_kinds(model: Any, states: Iterator[Any], *kinds: ConstraintType) -> None:
    """Check, and see to it that the states had rows of these kinds."""
    counts: dict[int, int] = {}
    check(model, states, counts)
    for kind in kinds:
        assert counts.get(int(kind), 0) > 5, kind


# --- equalities


@pytest.mark.parametrize("name", EQUALITIES)
def test_equality(name: str) -> None:
    check_kinds(equalities(EQUALITIES[name]), anywhere(equalities(EQUALITIES[name])), ConstraintType.EQUALITY)


def test_equalities_together_sparse_and_dense() -> None:
    for jacobian in ("sparse", "dense"):
        model = equalities(*EQUALITIES.values(), option=f'jacobian="{jacobian}"')
        check_kinds(model, anywhere(model), ConstraintType.EQUALITY)


def test_equalities_switched_off_and_on() -> None:
    model = equalities(*EQUALITIES.values())

    def states() -> Iterator[Any]:
        rng = np.random.default_rng(0)
        for data in random_states(model, STATES):
            data.eq_active[:] = rng.integers(0, 2, model.neq)
            mujoco.mj_forward(model, data)
            yield data

    check_kinds(model, states(), ConstraintType.EQUALITY)


def test_an_equality_that_no_dof_feels_has_no_rows() -> None:
    """An anchor on the axis of the only hinge; two fixed bodies."""
    bodies = '<body name="h"><joint axis="0 0 1"/><geom size=".1"/></body><body name="w" pos="1 0 0"/>'
    elements = ('<connect body1="h" anchor="0 0 .5"/>', '<connect body1="w" anchor="0 0 .5"/>', '<weld body1="w"/>')
    for jacobian in ("dense", "sparse"):
        model = equalities(*elements, bodies=bodies, option=f'jacobian="{jacobian}"')
        check(model, anywhere(model))


# --- friction loss, limits, tendons


def test_friction_loss() -> None:
    model = scene(default='<joint frictionloss=".3" solreffriction=".1 .8" solimpfriction=".5 .8 .1"/>')
    model.dof_frictionloss[2] = 0
    check_kinds(model, anywhere(model), ConstraintType.FRICTION_DOF)


@pytest.mark.parametrize("margin", [0.0, 0.3, 4.0])
def test_joint_limits(margin: float) -> None:
    model = scene(default=f'<joint range="-.3 .5" limited="true" margin="{margin}" solimplimit=".8 .9 .3 .4 3"/>')
    check_kinds(model, anywhere(model), ConstraintType.LIMIT_JOINT)


@pytest.mark.parametrize("jacobian", ["sparse", "dense"])
def test_tendons(jacobian: str) -> None:
    tendons = TENDONS.format(t='range=".2 .9" frictionloss=".5" margin=".1" solreflimit="-300 -10"')
    rest = f"""{tendons}<equality>
      <tendon tendon1="t0" polycoef=".1 0 0 0 0"/><tendon tendon1="t0" tendon2="t1" polycoef=".1 .5 -.3 .2 .1"/>
      <tendon tendon1="t2" tendon2="t0" polycoef="0 1 0 0 0"/></equality>"""
    model = scene(rest, option=f'jacobian="{jacobian}"')
    kinds = ConstraintType.EQUALITY, ConstraintType.FRICTION_TENDON, ConstraintType.LIMIT_TENDON
    check_kinds(model, anywhere(model), *kinds)


# --- contacts


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_contacts(condim: int, cone: str) -> None:
    kind = {"pyramidal": ConstraintType.CONTACT_PYRAMIDAL, "elliptic": ConstraintType.CONTACT_ELLIPTIC}[cone]
    foot = f'condim="{condim}" friction=".8 .1 .02" margin=".01"'
    model = feet('condim="1"', foot, option=f'cone="{cone}" impratio="3"')
    check_kinds(model, nearby(model), ConstraintType.CONTACT_FRICTIONLESS if condim == 1 else kind)


PAIRS = """<contact>
  <pair geom1="floor" geom2="g1" condim="6" friction=".9 .4 .1 .03 .02" solreffriction="{friction}" solref="{solref}"/>
  <pair geom1="floor" geom2="g2" condim="4" friction=".2 1.4 .1 .03 .02" solimp=".5 .7 .02 .3 4"/>
</contact>"""
PAIR_BODIES = """<geom name="floor" type="plane" size="5 5 1"/>
  <body pos="0 0 .1"><freejoint/><geom name="g1" type="box" size=".1 .15 .1"/></body>
  <body pos=".5 0 .1"><freejoint/><geom name="g2" type="box" size=".1 .15 .1"/></body>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("refsafe", ["enable", "disable"])
@pytest.mark.parametrize("solref", ["-500 -20", ".001 1.2", ".1 .4", "-1 0"])
def test_anisotropic_friction_and_references(solref: str, refsafe: str, cone: str) -> None:
    for friction in ("0 0", ".003 1", "-30 -4"):
        model = scene(
            PAIRS.format(friction=friction, solref=solref), PAIR_BODIES,
            option=f'cone="{cone}" impratio=".5"', flags=f'refsafe="{refsafe}"',
        )  # fmt: skip
        check(model, nearby(model, 5))


def test_references_of_mixed_signs() -> None:
    model = feet(option='cone="elliptic"')
    model.geom_solref[:] = (0.03, -1)
    check(model, nearby(model, 5))


SOLIMPS = ("0 0 .01", ".9 .9 .01", ".1 .99 0", ".3 .9 .01 .2 1", "-1 2 .02 .5 3.7", "1 1 1 1 1")


@pytest.mark.parametrize("solimp", SOLIMPS)
def test_impedances(solimp: str) -> None:
    model = feet(floor=f'solimp="{solimp}"', foot=f'solimp="{solimp}"')
    check(model, nearby(model, 10))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_surface_velocity(condim: int, cone: str) -> None:
    velocity = 'surfacevel="1 .2 .3 .4 .5 .6"'
    model = feet(velocity + ' condim="1"', f'condim="{condim}" {velocity}', option=f'cone="{cone}"')
    assert model.flg_surfacevel
    check(model, nearby(model, 10))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
def test_adhesion(condim: int, cone: str) -> None:
    model = feet('adhesion="2" gap=".03"', f'adhesion="3" gap=".03" condim="{condim}"', option=f'cone="{cone}"')
    assert model.flg_adhesion
    dims = {int(dim) for data in nearby(model, 10) for dim in data.contact.dim}
    assert dims == {1, max(3, condim)}
    check(model, nearby(model))


def test_adhesion_without_springs_and_dampers() -> None:
    model = feet('adhesion="2" gap=".03"')
    model.opt.disableflags |= int(DisableBit.SPRING | DisableBit.DAMPER)
    check(model, nearby(model, 5))


@pytest.mark.parametrize("jacobian", ["sparse", "dense"])
def test_contacts_that_no_dof_feels(jacobian: str) -> None:
    bodies = PAIR_BODIES + '<body pos="0 0 .01"><geom name="g3" size=".1"/></body>'
    rest = '<contact><pair geom1="floor" geom2="g3"/></contact>'
    model = scene(rest, bodies, option=f'jacobian="{jacobian}"', flags='contact="enable"')
    check(model, nearby(model, 5))


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("jacobian", ["sparse", "dense"])
def test_exact_diagonal(jacobian: str, cone: str) -> None:
    option = f'cone="{cone}" impratio="2" jacobian="{jacobian}"'
    foot = 'condim="4" friction=".8 .1 .02"'
    model = feet(foot=foot, option=option, flags='diagexact="enable"')
    check(model, nearby(model, 10))
    rest = f"<equality>{''.join(EQUALITIES.values())}</equality>"
    limits = '<joint range="-.3 .5" limited="true" margin=".1" frictionloss=".2"/>'
    model = scene(rest, BODIES, option, 'diagexact="enable" contact="disable"', limits)
    check(model, anywhere(model, 10))


@pytest.mark.parametrize("flag", ["CONSTRAINT", "EQUALITY", "FRICTIONLOSS", "LIMIT", "CONTACT"])
def test_flags(flag: str) -> None:
    rest = f"<equality>{EQUALITIES['weld']}</equality>"
    model = scene(rest, flags='energy="enable"', default='<joint range="-.3 .5" limited="true" frictionloss=".2"/>')
    model.opt.disableflags |= int(DisableBit[flag])
    check(model, anywhere(model, 10))
