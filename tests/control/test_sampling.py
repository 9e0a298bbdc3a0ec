"""Predictive sampling: plans get better, time passes for them, results do not depend on threads."""

import numpy as np
import pytest

import phalanx
from phalanx.control.sampling import lines_at

GOALS = [phalanx.Goal("cart_position", weight=1.0), phalanx.Goal("pole_angle", weight=10.0)]


def controller(**arguments) -> phalanx.PredictiveSampling:
    model = phalanx.load("cartpole")
    settings = {"horizon": 0.4, "samples": 31, "noise": 0.1} | arguments
    return phalanx.PredictiveSampling(model, GOALS, **settings)


def start() -> phalanx.Data:
    data = phalanx.load("cartpole").make_data().reset("upright")
    data.qpos[1] = 0.1
    return data


def test_a_pole_is_kept_upright():
    data, sampler = start(), controller(samples=63)
    for _ in range(60):
        sampler.plan(data)
        for _ in range(4):
            data.ctrl[:] = sampler.control(float(data.time))
            data.step()
    assert abs(data.qpos[1]) < 0.1


def test_planning_again_at_the_same_moment_never_costs_more():
    data, sampler, costs = start(), controller(), []
    for _ in range(8):
        sampler.plan(data)
        costs.append(sampler.cost)
    assert (np.diff(costs) <= 0).all() and costs[-1] < costs[0]
    assert "cost" in repr(sampler)


def test_planning_changes_nothing_but_the_plan():
    data = start()
    before = data.fingerprint()
    controller().plan(data)
    assert data.fingerprint() == before


def test_the_same_seed_gives_the_same_plan_on_any_number_of_threads():
    plans = [controller(seed=3, threads=threads).plan(start()) for threads in (1, 2, 1)]
    np.testing.assert_array_equal(plans[0], plans[1])
    np.testing.assert_array_equal(plans[0], plans[2])


def test_controls_stay_within_their_limits():
    sampler = controller(noise=5.0)
    sampler.plan(start())
    assert np.abs(sampler.knots).max() <= 20.0


def test_the_plan_moves_with_time():
    sampler = controller(knots=5)
    sampler.plan(start())
    sampler.knots = np.arange(5.0)[:, None]
    # half of the horizon later its middle is its beginning, and its end is held
    sampler._move_to(0.2)
    np.testing.assert_allclose(sampler.knots[:, 0], [2, 3, 4, 4, 4], atol=1e-12)
    sampler.reset()
    assert (sampler.knots == 0.0).all() and sampler.cost == np.inf


def test_lines_pass_through_the_knots():
    np.testing.assert_array_equal(lines_at(np.linspace(0, 1, 4), 4), np.eye(4))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"horizon": -1.0}, "horizon"),
        ({"knots": 1}, "knots"),
        ({"samples": 0}, "samples"),
        ({"noise": [1, 2]}, "noise"),
    ],
)
def test_mistakes_are_named(arguments, message):
    with pytest.raises(phalanx.FieldError, match=message):
        controller(**arguments)


def test_a_model_without_actuators_is_refused():
    model = phalanx.Model.from_xml_string("<mujoco/>")
    with pytest.raises(phalanx.FieldError, match="no actuators"):
        phalanx.PredictiveSampling(model, GOALS, horizon=1.0)
