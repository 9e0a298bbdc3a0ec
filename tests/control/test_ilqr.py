"""iLQR: on a linear system it is the exact regulator; limits hold; plans are what happens; mistakes are named."""

import numpy as np
import pytest

import phalanx

MASS = """<mujoco><option timestep="0.02" gravity="0 0 0"/><worldbody><body name="block">
  <joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body></worldbody>
  <actuator><motor name="push" joint="x" {limits}/></actuator>
  <sensor><jointpos name="x" joint="x"/><jointvel name="v" joint="x"/></sensor></mujoco>"""
GOALS = [phalanx.Goal("x", 1.0, weight=1.0, final=50.0), phalanx.Goal("v", final=10.0)]


def block(limits: str = "") -> phalanx.Data:
    return phalanx.Model.from_xml_string(MASS.format(limits=limits)).make_data()


def exact_plan(steps: int, effort: float) -> tuple[np.ndarray, float]:
    """Controls of the block by least squares on the whole plan, and their cost: the obvious way."""
    h = 0.02
    A, B = np.array([[1.0, h], [0.0, 1.0]]), np.array([[h * h], [h]])
    response = np.zeros((steps + 1, 2, steps))
    for step in range(steps):
        response[step + 1] = A @ response[step]
        response[step + 1, :, step] += B[:, 0]
    rows = [np.sqrt(h) * response[:-1, 0], np.sqrt(50.0) * response[-1:, 0], np.sqrt(10.0) * response[-1:, 1]]
    matrix = np.concatenate([*rows, np.sqrt(h * effort) * np.eye(steps)])
    wanted = np.concatenate([np.full(steps, np.sqrt(h)), [np.sqrt(50.0), 0.0], np.zeros(steps)])
    controls, *_ = np.linalg.lstsq(matrix, wanted, rcond=None)
    return controls, 0.5 * float(np.sum((matrix @ controls - wanted) ** 2))


def test_a_linear_system_has_the_plan_of_least_squares_at_once():
    controls, cost = exact_plan(60, 0.01)
    plan = phalanx.ilqr(block(), GOALS, steps=60, effort=0.01, tolerance=1e-9)
    assert plan.converged and len(plan.costs) <= 4
    np.testing.assert_allclose(plan.ctrl[:, 0], controls, atol=1e-5 * np.abs(controls).max())
    assert plan.cost == pytest.approx(cost, rel=1e-8)


def test_limits_of_controls_hold_and_are_used():
    plan = phalanx.ilqr(block('ctrlrange="-1 1" ctrllimited="true"'), GOALS, steps=60, effort=0.01, tolerance=1e-9)
    assert plan.converged and np.abs(plan.ctrl).max() == 1.0
    # pushing is best at the limit first, and braking later
    assert plan.ctrl[0, 0] == 1.0 and plan.ctrl.min() < 0
    assert (plan.gains[plan.ctrl[:, 0] == 1.0] == 0.0).all()


def test_the_costs_fall_and_the_start_is_left_alone():
    start = phalanx.load("cartpole").make_data().reset("upright")
    start.qpos[:] = 0.3, 0.2
    before = start.fingerprint()
    goals = [phalanx.Goal("cart_position", weight=1.0), phalanx.Goal("pole_angle", weight=1.0, final=10.0)]
    plan = phalanx.ilqr(start, goals, steps=150)
    assert start.fingerprint() == before
    assert plan.converged and (np.diff(plan.costs) < 0).all() and plan.cost < 0.1 * plan.costs[0]
    assert repr(plan).startswith("<Plan of 150 steps, converged in")
    # the plan is what happens, and its feedback does nothing where nothing is off
    data = start.copy()
    for step, ctrl in enumerate(plan.ctrl):
        np.testing.assert_allclose(plan.control(step, data), ctrl, atol=1e-6)
        data.ctrl[:] = ctrl
        data.step()
    np.testing.assert_allclose(data.qpos, plan.qpos[-1], atol=1e-9)


def test_the_number_of_threads_changes_nothing():
    plans = [phalanx.ilqr(block(), GOALS, steps=20, threads=threads) for threads in (1, 2)]
    np.testing.assert_array_equal(plans[0].ctrl, plans[1].ctrl)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "Give steps="),
        ({"steps": 0}, "steps"),
        ({"ctrl": np.zeros((3, 2))}, r"ctrl has shape \(3, 2\), not \(steps, 1\)"),
        ({"ctrl": np.zeros((3, 1)), "steps": 4}, r"ctrl has shape \(3, 1\), not \(4, 1\)"),
        ({"ctrl": np.full((3, 1), np.nan)}, "not finite"),
        ({"steps": 5, "tolerance": 0.0}, "tolerance"),
        ({"steps": 5, "method": "magic"}, "method"),
        ({"steps": 5, "effort": [1, 2]}, "effort"),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises(phalanx.FieldError, match=message):
        phalanx.ilqr(block(), GOALS, **arguments)


def test_a_start_that_blows_up_is_told():
    start = block()
    start.qvel[:] = 9e9
    with pytest.raises(phalanx.FieldError, match="do not work: world 0: "):
        phalanx.ilqr(start, GOALS, ctrl=np.full((500, 1), 9e9))


def test_a_plan_can_be_drawn(tmp_path):
    plan = phalanx.ilqr(block(), GOALS, steps=20)
    plan.plot(tmp_path / "plan.png", sensors=("x",))
    assert (tmp_path / "plan.png").stat().st_size > 5000
