"""Goals: weights in the places of their sensors, and what does not fit."""

import numpy as np
import pytest

import phalanx
from phalanx.control.goals import Goal, objective_of


@pytest.fixture(scope="module")
def model():
    return phalanx.load("cartpole")


def test_targets_and_weights_stand_where_the_sensor_is(model):
    objective = objective_of(model, [Goal("tip", (1.0, 2.0, 3.0), weight=2.0, final=(0, 0, 5))], 0.5)
    np.testing.assert_array_equal(objective.target, [0, 0, 0, 0, 1, 2, 3])
    np.testing.assert_allclose(objective.running, 0.005 * np.array([0, 0, 0, 0, 2, 2, 2]))
    np.testing.assert_array_equal(objective.final, [0, 0, 0, 0, 0, 0, 5])
    np.testing.assert_allclose(objective.effort, [0.0025])


def test_the_cost_is_half_the_weighted_sum_of_squares(model):
    objective = objective_of(model, Goal("pole_angle", 1.0, weight=2.0, final=3.0), 4.0, around=1.0)
    readings = np.zeros((2, 7))
    readings[:, 1] = 2.0, 3.0
    np.testing.assert_allclose(objective.along(readings, np.array([[1.0], [3.0]])), 0.005 * np.array([1.0, 12.0]))
    np.testing.assert_allclose(objective.at_end(readings), [1.5, 6.0])


@pytest.mark.parametrize(
    ("goals", "effort", "message"),
    [
        ([], 0.0, "at least one Goal"),
        ([Goal("tip", weight=1.0), Goal("tip", weight=1.0)], 0.0, "two goals"),
        ([Goal("tip", (1.0, 2.0), weight=1.0)], 0.0, r"target of goal 'tip' has shape \(2,\), not \(3,\)"),
        ([Goal("tip", weight=-1.0)], 0.0, "not negative"),
        ([Goal("tip", np.nan, weight=1.0)], 0.0, "not finite"),
        ([Goal("tip")], 0.0, "all weights of the goals are zero"),
        ([Goal("tip", weight=1.0)], (1.0, 2.0), r"effort has shape"),
        ([Goal("tip", weight=1.0)], -1.0, "effort is not negative"),
    ],
)
def test_what_does_not_fit_is_told(model, goals, effort, message):
    with pytest.raises(phalanx.FieldError, match=message):
        objective_of(model, goals, effort)


def test_an_unknown_sensor_is_named(model):
    with pytest.raises(phalanx.UnknownNameError, match=r"no sensor is named 'tipp'.*tip"):
        objective_of(model, [Goal("tipp", weight=1.0)], 0.0)
