"""What `d` is inside the compiled functions of a task: the view of a Data, with the rows of the task behind it."""

from __future__ import annotations

import functools
import hashlib
from typing import Any

from phalanx.algebra.number_type import NumberType
from phalanx.learn.task_rows import INTEGERS, RECORDS, TaskLayout, method_of
from phalanx.memory.errors import suggestion
from phalanx.memory.view import view_type
from phalanx.native.intrinsics import At
from phalanx.native.number import number_type
from phalanx.native.types import INT64_ELEMENT, Member, number_element, view
from phalanx.tables.field import SIZE


class TaskSchema:
    """The attributes of `d` in functions of a task: see `native/types.py`.

    Args:
        layout: rows of the task.
        number: type of real elements.
    """

    name = "data"

    def __init__(self, layout: TaskLayout, number: NumberType):
        self.base = view_type("data", number, constant=False).schema
        self._layout = layout
        self._element = number_element(number_type(number))
        self.is_spread = number.spread
        self._members = {path: self._member(path) for path in layout.slot}

    def _member(self, path: str) -> Member:
        slot = self._layout.slot[path]
        if path in INTEGERS:
            return Member(slot)
        field = self._layout.fields[path]
        element, alias = INT64_ELEMENT if field.kind is SIZE else self._element, f"data.{path}"
        if not field.shape:
            return Member(slot, element, alias=alias, is_spread=self.is_spread)
        inner: tuple[Any, ...] = field.shape[1:]
        # of random streams each world of a group has its own
        extent = "" if field.kind is SIZE else field.shape[0]
        return Member(slot, element, inner, extent, alias, self.is_spread)

    def member(self, path: str) -> Member | None:
        """A row of the task, or of the Data."""
        return self._members.get(path) or self.base.member(path)

    @functools.cached_property
    def digest(self) -> str:
        """The whole layout, for the keys of compiled code."""
        return hashlib.sha256((self.base.digest + self._layout.text()).encode()).hexdigest()

    def is_record(self, path: str) -> bool:
        """Is it `d.task`, `d.rng` or a record of the Data?"""
        return path in RECORDS or self.base.is_record(path)

    def method(self, path: str) -> Any:
        """`d.rng.uniform` and the like."""
        return method_of(path)

    def explain(self, path: str) -> str:
        """Why there is no such attribute."""
        if path.startswith("task."):
            known = [row.name for row in self._layout.rows]
            name = path.partition(".")[2]
            return f"the task has no row {name!r}: declare it in `state`{suggestion(name, known)}"
        return self.base.explain(path)


def task_data_at(layout: TaskLayout, number: NumberType) -> At:
    """The intrinsic that makes a view of an address, in the entry of a task."""
    return At(view(TaskSchema(layout, number), False))
