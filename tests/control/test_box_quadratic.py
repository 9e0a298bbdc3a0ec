"""The least of a quadratic function in a box, against trying all combinations of bounds."""

from itertools import product

import numpy as np
import pytest

from phalanx.control.box_quadratic import minimize_in_box


def least_of_all_faces(H, g, lower, upper):
    """The obvious way: on every face of the box, the stationary point if it lies in the box."""
    best, best_value = None, np.inf
    for held in product((-1, 0, 1), repeat=len(g)):
        held = np.array(held)
        x = np.where(held < 0, lower, upper)
        free = held == 0
        x[free] = np.linalg.solve(H[np.ix_(free, free)], -(g[free] + H[np.ix_(free, ~free)] @ x[~free]))
        if (x < lower - 1e-12).any() or (x > upper + 1e-12).any():
            continue
        value = 0.5 * x @ H @ x + g @ x
        if value < best_value:
            best, best_value = x, value
    return best


@pytest.mark.parametrize("seed", range(40))
def test_the_minimum_is_that_of_all_faces(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    root = rng.standard_normal((n, n))
    H, g = root @ root.T + 0.1 * np.eye(n), 3 * rng.standard_normal(n)
    lower, upper = -rng.uniform(0, 1, n), rng.uniform(0, 1, n)
    found = minimize_in_box(H, g, lower, upper, rng.standard_normal(n))
    np.testing.assert_allclose(found.x, least_of_all_faces(H, g, lower, upper), atol=1e-9)
    slope = g + H @ found.x
    np.testing.assert_allclose(slope[found.is_free], 0.0, atol=1e-8)


def test_a_function_without_a_minimum_is_told():
    assert minimize_in_box(-np.eye(2), np.zeros(2), -np.ones(2), np.ones(2), np.zeros(2)) is None
