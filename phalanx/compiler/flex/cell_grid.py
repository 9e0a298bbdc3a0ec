"""The cells of an interpolated flex."""

from __future__ import annotations

import numpy as np

from phalanx.compiler.text.errors import ElementProblem


class CellGrid:
    def __init__(self, counts, order, low, high):
        raise ElementProblem("interpolated flexes are not supported", "dof")
