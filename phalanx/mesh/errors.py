"""What is wrong with a mesh."""

from __future__ import annotations

from phalanx.memory.errors import PhalanxError


class MeshError(PhalanxError, ValueError):
    """A mesh file that cannot be read, or vertices and faces that make no body.

    Attributes:
        messages: everything that is wrong.
    """

    def __init__(self, *messages: str):
        super().__init__("\n".join(messages))
        self.messages = messages

    def __reduce__(self) -> tuple:
        return type(self), self.messages
