"""What derivatives of a step are handed over in."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from phalanx.pipeline.nudged import BACKWARD, CENTERED, FORWARD

#: What lies between the two sides of a kink, in the order of the bits that kernels find.
CAUSES = ("contact", "contact force", "limit", "friction loss", "clamp", "dead band", "jump")
_SIDES = {CENTERED: "both sides", FORWARD: "forward side", BACKWARD: "backward side"}


class Label(NamedTuple):
    """What a column is by."""

    kind: str
    name: str

    def __str__(self) -> str:
        return f"{self.kind} of {self.name}"


class Crossing(NamedTuple):
    """A column whose differences reach beyond a kink of the physics.

    Attributes:
        column: its index, in (A B) from left to right.
        kind: "position", "velocity", "activation", "control" or "parameter".
        name: of the dof, the actuator or the parameter.
        causes: what is another than without the nudge: "contact", "contact force", "limit", "friction loss", "clamp",
            "dead band"; "jump" if differences to both sides do not agree for another reason.
        side: what the derivative was taken from: "forward side", "backward side", "both sides", "none".
        world: of a batch, 0 of a Data.
    """

    column: int
    kind: str
    name: str
    causes: tuple[str, ...]
    side: str
    world: int = 0

    def __str__(self) -> str:
        return f"{self.kind} of {self.name}: {', '.join(self.causes)}; {self.side}"


def crossings(findings: np.ndarray, labels: Callable[[], list[Label]], world: int = 0) -> Iterator[Crossing]:
    """The columns where a nudge changed the piece of the physics, from what kernels found (ncolumn, 3)."""
    changed = findings[:, 0] | findings[:, 1]
    for column in np.flatnonzero(changed).tolist():
        label, bits = labels()[column], int(changed[column])
        causes = tuple(cause for k, cause in enumerate(CAUSES) if bits >> k & 1)
        side = _SIDES.get(int(findings[column, 2]), "none")
        yield Crossing(column, label.kind, label.name, causes, side, world)


class Transition:
    """Derivatives of the next state and of the sensors of a step: dx' = A dx + B du, ds = C dx + D du.

    x is (change of position along velocities, velocity, activation): 2 nv + na numbers; u the controls, s `sensordata`
    as the step reports it. `A, B, C, D = result` works. Of a batch, all arrays have an axis of worlds in front.

    Attributes:
        matrix: ((A, B), (C, D)) as one array; A, B, C and D are views of it.
        method: how it was computed.
        next_qpos, next_qvel, next_act, sensordata: what the step itself comes to.
        failed: of a batch, which worlds could not take the step: their derivatives are zero.
        remaining: what exact derivatives leave out or know less exactly, by name; empty of differences.
    """

    def __init__(
        self,
        matrix: np.ndarray,
        nx: int,
        method: str,
        findings: np.ndarray,
        labels: Callable[[], list[Label]],
        outcome: dict[str, np.ndarray],
        failed: np.ndarray,
        remaining: tuple[str, ...] = (),
    ):
        self.matrix, self.method, self.failed, self.remaining = matrix, method, failed, remaining
        self._nx, self._findings, self._labels, self._outcome = nx, findings, labels, outcome

    @property
    def A(self) -> np.ndarray:
        """Next state by state, (2 nv + na, 2 nv + na)."""
        return self.matrix[..., : self._nx, : self._nx]

    @property
    def B(self) -> np.ndarray:
        """Next state by controls, (2 nv + na, nu)."""
        return self.matrix[..., : self._nx, self._nx :]

    @property
    def C(self) -> np.ndarray:
        """Sensors by state, (nsensordata, 2 nv + na); no rows without sensors."""
        return self.matrix[..., self._nx :, : self._nx]

    @property
    def D(self) -> np.ndarray:
        """Sensors by controls, (nsensordata, nu); no rows without sensors."""
        return self.matrix[..., self._nx :, self._nx :]

    @property
    def next_qpos(self) -> np.ndarray:
        """Positions after the step, (nq,)."""
        return self._outcome["qpos"]

    @property
    def next_qvel(self) -> np.ndarray:
        """Velocities after the step, (nv,)."""
        return self._outcome["qvel"]

    @property
    def next_act(self) -> np.ndarray:
        """Activations after the step, (na,)."""
        return self._outcome["act"]

    @property
    def sensordata(self) -> np.ndarray:
        """What sensors report in the step, (nsensordata,); empty without sensors."""
        return self._outcome["sensordata"]

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter((self.A, self.B, self.C, self.D))

    @property
    def columns(self) -> list[str]:
        """What the columns of A and then of B are by, in words."""
        return [str(label) for label in self._labels()]

    @property
    def crossed(self) -> list[Crossing]:
        """Columns whose differences reach beyond a kink: a contact, a limit, friction or a clamp changed in between.

        Where only one side changed, the derivative is that of the other side.
        """
        if self._findings.ndim == 2:
            return list(crossings(self._findings, self._labels))
        worlds = np.flatnonzero((self._findings[..., :2] != 0).any(axis=(1, 2))).tolist()
        return [crossing for world in worlds for crossing in crossings(self._findings[world], self._labels, world)]

    def report(self) -> str:
        """The crossed columns, one in a line; says so if there are none."""
        found, is_batch = self.crossed, self._findings.ndim == 3
        lines = [f"{f'world {crossing.world}, ' if is_batch else ''}{crossing}" for crossing in found]
        count = int(np.prod(self._findings.shape[:-1]))
        head = f"{len(found)} of {count} columns reach beyond a kink of the physics"
        return "\n".join([head + (":" if found else ""), *lines])

    def __repr__(self) -> str:
        count = int(np.count_nonzero((self._findings[..., :2] != 0).any(axis=-1)))
        note = f", {count} columns crossed" if count else ""
        note += f", except for {', '.join(self.remaining)}" if self.remaining else ""
        return f"<Transition by {self.method}: A {self.A.shape}, B {self.B.shape}, C {self.C.shape}{note}>"
