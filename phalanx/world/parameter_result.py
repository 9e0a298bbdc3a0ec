"""What derivatives by numbers of a Model are handed over in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from phalanx.memory.declared import arguments_checked
from phalanx.memory.errors import FieldError, suggestion
from phalanx.world.transition_result import Crossing, Label, crossings


class ParameterDerivatives:
    """Derivatives of the next state and of the sensors of a step by numbers p of the Model: dx' = P dp, ds = S dp.

    x is (change of position, velocity, activation), s `sensordata`, as in `Transition`. `P, S = result` works.

    Attributes:
        matrix: (P, S), one below the other; a column for each number.
        fields: of the Model, for each column.
        indices: of the element of that field, for each column.
    """

    def __init__(
        self,
        matrix: np.ndarray,
        nx: int,
        fields: Sequence[str],
        indices: Sequence[tuple[int, ...]],
        findings: np.ndarray,
        labels: Callable[[], list[Label]],
    ):
        self.matrix, self.fields, self.indices = matrix, tuple(fields), tuple(indices)
        self._nx, self._findings, self._labels = nx, findings, labels

    @property
    def P(self) -> np.ndarray:
        """Next state by parameters, (2 nv + na, number of parameters)."""
        return self.matrix[: self._nx]

    @property
    def S(self) -> np.ndarray:
        """Sensors by parameters, (nsensordata, number of parameters); no rows without sensors."""
        return self.matrix[self._nx :]

    def __iter__(self) -> object:
        return iter((self.P, self.S))

    @arguments_checked
    def of(self, field: str) -> np.ndarray:
        """Columns of one field: ((2 nv + na) + nsensordata, numbers of it that were asked for)."""
        chosen = [column for column, name in enumerate(self.fields) if name == field]
        if not chosen:
            raise FieldError(f"derivatives by {field!r} were not asked for{suggestion(str(field), set(self.fields))}")
        return self.matrix[:, chosen]

    @property
    def columns(self) -> list[str]:
        """What each column is by, such as "body_mass[3]"."""
        return [label.name for label in self._labels()]

    @property
    def crossed(self) -> list[Crossing]:
        """Columns whose differences reach beyond a kink of the physics, as in `Transition`."""
        return list(crossings(self._findings, self._labels))

    def report(self) -> str:
        """The crossed columns, one in a line; says so if there are none."""
        found = self.crossed
        head = f"{len(found)} of {len(self.fields)} columns reach beyond a kink of the physics"
        return "\n".join([head + (":" if found else ""), *map(str, found)])

    def __repr__(self) -> str:
        names = ", ".join(dict.fromkeys(self.fields))
        return f"<ParameterDerivatives by {len(self.fields)} numbers of {names}: P {self.P.shape}, S {self.S.shape}>"
