"""Constraints that contradict or repeat each other, extreme masses: finite numbers and a minimum all the same."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from tests.solver.harness import Problem
from tests.solver.reference import cost, violations

BALL = '<body name="{0}" pos="{1}"><freejoint/><geom size=".1" mass="{2}" condim="{3}" friction="{4} .01 .001"/></body>'
FLOOR = '<geom type="plane" size="9 9 1"/>'


def scene(bodies: str, equality: str = "", option: str = "") -> str:
    return f"""<mujoco><option {option}/><worldbody>{FLOOR}{bodies}</worldbody>
    <equality>{equality}</equality></mujoco>"""


def ball(name: str, pos: str, mass: float = 1.0, condim: int = 3, friction: float = 1.0) -> str:
    return BALL.format(name, pos, mass, condim, friction)


CONNECT = '<connect body1="a" anchor="{}"/>'
WELD = '<weld body1="a" body2="b" solimp=".9999 .9999 .001"/>'
SCENES = {
    "duplicate welds": scene(ball("a", "0 0 1") + ball("b", "0 0 2"), WELD * 5),
    "contradictory anchors": scene(ball("a", "0 0 1"), CONNECT.format("0 0 1") + CONNECT.format("1 0 0")
                                   + '<connect body1="a" body2="b" anchor="5 0 0"/>'
                                   + '<weld body1="b" relpose="3 0 0 1 0 0 0"/>'
                                   ).replace("</worldbody>", ball("b", "3 3 3") + "</worldbody>"),
    "heavy on light": scene(ball("a", "0 0 .099", 1e-6) + ball("b", "0 0 .298", 1e4)),
    "light on heavy": scene(ball("a", "0 0 .099", 1e4) + ball("b", "0 0 .298", 1e-6)),
    "no friction at all": scene(ball("a", "0 0 .099", 1, 3, 0) + ball("b", ".1 0 .099", 1, 6, 0)),
    "rolling, elliptic": scene(ball("a", "0 0 .05", 1, 6, 2), option='cone="elliptic" impratio="1e6"'),
    "deep overlap": scene(ball("a", "0 0 -5") + ball("b", "0 0 -5.0001")),
    "equal centers": scene(ball("a", "0 0 3") + ball("b", "0 0 3")),
}  # fmt: skip


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("noslip", [0, 10], ids=["", "noslip"])
@pytest.mark.parametrize("solver", [0, 2], ids=["pgs", "newton"])
@pytest.mark.parametrize("name", SCENES)
def test_dual_solvers_give_finite_forces_within_their_limits(name, solver, noslip, cone):
    model = mujoco.MjModel.from_xml_string(SCENES[name])
    model.opt.solver, model.opt.cone, model.opt.noslip_iterations = solver, cone, noslip
    problem = Problem(model)
    for noise in (0.0, 10.0):
        for d in problem.states(3, every=2, noise=noise):
            ours = problem.solve([d])[0]
            for field in ("qacc", "efc_force", "qfrc_constraint"):
                assert np.isfinite(ours[field]).all(), field
            assert violations(model, d, ours)["outside"] < 1e-9


@pytest.mark.parametrize("cone", [0, 1], ids=["pyramidal", "elliptic"])
@pytest.mark.parametrize("solver", [2, 1], ids=["newton", "cg"])
@pytest.mark.parametrize("name", SCENES)
def test_degenerate_constraints_give_finite_forces(name, solver, cone):
    model = mujoco.MjModel.from_xml_string(SCENES[name])
    model.opt.solver, model.opt.cone = solver, cone
    problem = Problem(model)
    for noise in (0.0, 10.0):
        for d in problem.states(3, every=2, noise=noise):
            ours = problem.solve([d])[0]
            for field in ("qacc", "efc_force", "qfrc_constraint"):
                assert np.isfinite(ours[field]).all(), field
            start, theirs, mine = (cost(model, d, a) for a in (d.qacc_smooth, d.qacc, ours["qacc"]))
            # as deep as MuJoCo goes, to a millionth of the whole descent
            assert mine <= theirs + 1e-6 * max(start - theirs, abs(theirs))
