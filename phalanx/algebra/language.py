"""The words of the kernel language in one place: what a function of the user may call (`phalanx.kernels`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from phalanx.algebra import elementary, matrix, memory, number, quaternion, vector
from phalanx.algebra.jit import kernel

_NUMBER = (
    "where", "and_", "or_", "not_", "any_", "all_", "minimum", "maximum", "clamp", "abs_", "sqrt", "copysign", "floor",
    "round_even", "lane_count", "lane_get", "lane_set",
)  # fmt: skip
_ELEMENTARY = ("sin", "cos", "sincos", "tan", "asin", "acos", "atan", "atan2", "exp", "log", "power", "tanh")
_VECTOR = ("add", "sub", "scale", "add_scaled", "dot", "cross", "norm", "normalize")
_QUATERNION = {
    "rotate": "rotate",
    "conjugate": "conjugate",
    "quat_multiply": "multiply",
    "quat_normalize": "normalize4",
    "quat_difference": "difference",
    "quat_from_axis_angle": "from_axis_angle",
}
_MATRIX = {
    "mat_from_quat": "from_quaternion",
    "mat_multiply": "multiply_vector",
    "mat_multiply_transposed": "multiply_transposed",
}

#: Name -> function, as `phalanx.kernels` has them.
WORDS: dict[str, Any] = {
    "kernel": kernel,
    **{name: getattr(number, name) for name in _NUMBER},
    **{name: getattr(elementary, name) for name in _ELEMENTARY},
    **{name: getattr(vector, name) for name in _VECTOR},
    **{name: getattr(quaternion, source) for name, source in _QUATERNION.items()},
    **{name: getattr(matrix, source) for name, source in _MATRIX.items()},
    **{name: getattr(memory, name) for name in (*memory.LOADS, *memory.STORES)},
}

_SHARED: dict[str, Any] = {
    **{name: WORDS[name] for name in ("sin", "cos", "tan", "exp", "log", "sqrt", "floor", "copysign", "tanh")},
    "fabs": WORDS["abs_"],
    "pi": math.pi,
    "e": math.e,
    "inf": math.inf,
    "nan": math.nan,
}
#: Libraries -> what of them a function of the user may use, and what is computed instead.
STAND_INS: Mapping[str, Mapping[str, Any]] = {
    "math": {
        **_SHARED,
        **{name: WORDS[name] for name in ("asin", "acos", "atan", "atan2")},
        "pow": WORDS["power"],
        "tau": math.tau,
    },
    "numpy": {
        **_SHARED,
        **{name: WORDS[name] for name in ("minimum", "maximum", "where")},
        **{f"arc{name[1:]}": WORDS[name] for name in ("asin", "acos", "atan", "atan2")},
        "abs": WORDS["abs_"],
        "absolute": WORDS["abs_"],
        "clip": WORDS["clamp"],
        "power": WORDS["power"],
        "rint": WORDS["round_even"],
    },
    "builtins": {
        "abs": WORDS["abs_"],
        "min": WORDS["minimum"],
        "max": WORDS["maximum"],
        "range": range,
        "len": len,
        "int": int,
        "float": float,
        "bool": bool,
    },
}
