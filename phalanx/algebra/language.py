"""The words of the kernel language in one place: what a function of the user may call (`phalanx.kernels`)."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from phalanx.algebra.elementary import acos, asin, atan, atan2, cos, exp, log, power, sin, sincos, tan, tanh
from phalanx.algebra.jit import kernel
from phalanx.algebra.matrix import from_quaternion as mat_from_quat
from phalanx.algebra.matrix import multiply_transposed as mat_multiply_transposed
from phalanx.algebra.matrix import multiply_vector as mat_multiply
from phalanx.algebra.memory import load2, load3, load4, load6, load9, store2, store3, store4, store6, store9
from phalanx.algebra.number import (
    abs_,
    all_,
    and_,
    any_,
    clamp,
    copysign,
    floor,
    lane_count,
    lane_get,
    lane_set,
    maximum,
    minimum,
    not_,
    or_,
    round_even,
    sqrt,
    where,
)
from phalanx.algebra.quaternion import conjugate, rotate
from phalanx.algebra.quaternion import difference as quat_difference
from phalanx.algebra.quaternion import from_axis_angle as quat_from_axis_angle
from phalanx.algebra.quaternion import multiply as quat_multiply
from phalanx.algebra.quaternion import normalize4 as quat_normalize
from phalanx.algebra.vector import add, add_scaled, cross, dot, norm, normalize, scale, sub

__all__ = [
    "abs_", "acos", "add", "add_scaled", "all_", "and_", "any_", "asin", "atan", "atan2", "clamp", "conjugate",
    "copysign", "cos", "cross", "dot", "exp", "floor", "kernel", "lane_count", "lane_get", "lane_set", "load2", "load3",
    "load4", "load6", "load9", "log", "mat_from_quat", "mat_multiply", "mat_multiply_transposed", "maximum", "minimum",
    "norm", "normalize", "not_", "or_", "power", "quat_difference", "quat_from_axis_angle", "quat_multiply",
    "quat_normalize", "rotate", "round_even", "scale", "sin", "sincos", "sqrt", "store2", "store3", "store4", "store6",
    "store9", "sub", "tan", "tanh", "where",
]  # fmt: skip

#: Name -> function.
WORDS: dict[str, Any] = {name: globals()[name] for name in __all__}

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
        "tuple": tuple,
        "sum": sum,
        "enumerate": enumerate,
        "zip": zip,
        "reversed": reversed,
    },
}
