"""How much work a native call gets at a time: Python handles signals, such as Ctrl-C, between calls."""

from __future__ import annotations

#: How long a call should take [s].
SLICE = 0.05
#: How much faster the next call may be given work: the first one knows nothing about the speed.
GROWTH = 8
#: The most work of a call: counts of steps are 32-bit integers.
MOST = 1 << 30


class Pace:
    """The amount of work, such as steps, that takes about as long as a call should.

    Args:
        amount: of the first call.
    """

    __slots__ = ("amount",)

    def __init__(self, amount: int = 1) -> None:
        self.amount = amount

    def note(self, amount: int, seconds: float) -> None:
        """Learn from a call: how much work it was given, and how long it took.

        >>> pace = Pace()
        >>> pace.note(1, 1e-6); pace.amount
        8
        >>> pace.note(8, 1.0); pace.amount
        1
        """
        fitting = int(amount * SLICE / max(seconds, 1e-9))
        if fitting < amount:
            self.amount = max(fitting, 1)
        elif amount >= self.amount:
            self.amount = min(fitting, amount * GROWTH, MOST)
