"""Tree-sparse factorization against dense linear algebra."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx.algebra.tree import MIN_PIVOT, factor_tree, multiply_tree, solve_tree


def random_tree(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """CSR pattern of a random forest: row i holds the ancestors of i, then i."""
    parent = [int(rng.integers(-1, i)) if i else -1 for i in range(n)]
    chains = []
    for i in range(n):
        chain = [i]
        while parent[chain[-1]] >= 0:
            chain.append(parent[chain[-1]])
        chains.append(chain[::-1])
    rownnz = np.array([len(c) for c in chains], np.int32)
    return rownnz, (np.cumsum(rownnz) - rownnz).astype(np.int32), np.concatenate(chains).astype(np.int32)


def random_matrix(pattern: tuple, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A positive definite matrix with the pattern: (CSR values, dense)."""
    rownnz, _, colind = pattern
    n = len(rownnz)
    rows = np.repeat(np.arange(n), rownnz)
    lower = np.zeros((n, n))
    lower[rows, colind] = rng.normal(size=len(colind))
    lower[np.arange(n), np.arange(n)] += 3.0
    dense = lower.T @ lower  # L' L has the pattern of the tree
    return dense[rows, colind].copy(), dense


@pytest.mark.parametrize("seed", range(5))
def test_factor_solve_and_multiply_agree_with_dense_algebra(seed):
    rng = np.random.default_rng(seed)
    n = 17
    rownnz, rowadr, colind = pattern = random_tree(n, rng)
    values, dense = random_matrix(pattern, rng)
    x = rng.normal(size=n)
    product = np.zeros(n)
    multiply_tree(product, values, x, n, rownnz, rowadr, colind)
    np.testing.assert_allclose(product, dense @ x, rtol=1e-12, atol=1e-12)
    factor, inverse = values.copy(), np.zeros(n)
    assert factor_tree(factor, inverse, n, rownnz, rowadr, colind) == -1
    lower = np.eye(n)
    rows = np.repeat(np.arange(n), rownnz)
    strict = rows != colind
    lower[rows[strict], colind[strict]] = factor[strict]
    np.testing.assert_allclose(lower.T @ np.diag(1 / inverse) @ lower, dense, rtol=1e-12, atol=1e-12)
    solution = x.copy()
    solve_tree(solution, factor, inverse, n, rownnz, rowadr, colind)
    np.testing.assert_allclose(dense @ solution, x, rtol=1e-11, atol=1e-11)


def test_a_pivot_that_is_not_positive_is_replaced_and_reported():
    rownnz, rowadr, colind = np.array([1, 2]), np.array([0, 1]), np.array([0, 0, 1])
    factor, inverse = np.array([1.0, 0.0, -4.0]), np.zeros(2)
    assert factor_tree(factor, inverse, 2, rownnz, rowadr, colind) == 1
    assert factor[2] == MIN_PIVOT and inverse[1] == 1 / MIN_PIVOT
