"""Elements that stand for others: replicate and attach."""

from __future__ import annotations

from phalanx.compiler.element import Element
from phalanx.compiler.errors import Problem
from phalanx.compiler.scope import Scope


def expand(root: Element, scope: Scope, problems: list[Problem]) -> None:
    """Replace every replicate and attach by what it stands for."""
