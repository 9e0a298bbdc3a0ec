"""Settings of pictures, `model.vis`: the visual section of a model file. Viewers read them, the physics does not."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, ModelError, suggestion
from phalanx.tables.mjcf_row import Attribute, ElementRow, Holds, Value
from phalanx.tables.mjcf_schema import ELEMENTS

#: Group -> its settings.
GROUPS: dict[str, ElementRow] = {
    row.tag: row for key, row in ELEMENTS.items() if key.startswith("visual/") and key.count("/") == 1
}

Written = Mapping[str, Mapping[str, Value]]


def _stored(row: Attribute, value: Value) -> Value:
    """A value as MuJoCo's struct holds it: a keyword is an integer there."""
    return row.keywords[value] if row.holds is Holds.KEYWORD and isinstance(value, str) else value


def _fits(row: Attribute, value: Any) -> bool:
    """Has a stored value the count and the kind of numbers that its row says?"""
    several = value if isinstance(value, tuple) else (value,)
    if isinstance(value, tuple) == row.is_scalar or not row.least <= len(several) <= row.most:
        return False
    if row.holds is Holds.BOOL:
        return all(one in (0, 1) for one in several)
    kinds = (int, float) if row.holds is Holds.REAL else int
    most = sys.float_info.max if row.holds is Holds.REAL else 2**31 - 1
    return all(isinstance(one, kinds) and not isinstance(one, bool) and abs(one) <= most for one in several)


class VisualGroup:
    """One group of settings, such as `model.vis.map`, read-only."""

    __slots__ = ("_name", "_values")

    def __init__(self, name: str, values: Mapping[str, Value]):
        object.__setattr__(self, "_name", name)
        defaults = {key: _stored(row, row.default) for key, row in GROUPS[name].attributes.items()}
        object.__setattr__(self, "_values", {**defaults, **values})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return self._values[name]
        except KeyError:
            raise FieldError(f"vis.{self._name} has no setting {name!r}{suggestion(name, self._values)}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        raise FieldError("a Model is immutable: change the visual section of its file or Spec")

    def __dir__(self) -> list[str]:
        return list(self._values)

    def __repr__(self) -> str:
        return "\n".join([f"<vis.{self._name}>", *(f"  {name}: {value}" for name, value in self._values.items())])


class Visual:
    """All settings of pictures: `vis.global_`, `vis.quality`, `vis.headlight`, `vis.map`, `vis.scale`, `vis.rgba`.

    >>> Visual({"map": {"znear": 0.02}}).map.znear
    0.02
    >>> Visual().headlight.diffuse
    (0.4, 0.4, 0.4)

    Args:
        written: group -> setting -> value, where it is not the default.
    """

    __slots__ = ("written",)

    def __init__(self, written: Written | None = None):
        kept = {
            group: {name: _stored(GROUPS[group].attributes[name], value) for name, value in values.items()}
            for group, values in (written or {}).items() if values
        }  # fmt: skip
        object.__setattr__(self, "written", kept)

    @classmethod
    def from_mujoco(cls, vis: Any) -> Visual:
        """Copy `mjModel.vis`."""
        written: dict[str, dict[str, Value]] = {}
        for group, row in GROUPS.items():
            values = getattr(vis, "global_" if group == "global" else group)
            for name, attribute in row.attributes.items():
                found = np.asarray(getattr(values, name))
                # MuJoCo keeps them in single precision; its bindings show the colors bv and bvactive as empty
                default = np.asarray(_stored(attribute, attribute.default), np.float32)
                if found.size and not np.array_equal(found.astype(np.float32), default):
                    plain = found.tolist()
                    value = bool(plain) if attribute.holds is Holds.BOOL else plain
                    written.setdefault(group, {})[name] = tuple(value) if isinstance(value, list) else value
        return cls(written)

    def __getattr__(self, name: str) -> VisualGroup:
        if name.startswith("__"):
            raise AttributeError(name)
        group = "global" if name == "global_" else name
        if group not in GROUPS:
            raise FieldError(f"vis has no group {name!r}{suggestion(name, dir(self))}")
        return VisualGroup(group, self.written.get(group, {}))

    def __setattr__(self, name: str, value: Any) -> None:
        raise FieldError("a Model is immutable: change the visual section of its file or Spec")

    def __dir__(self) -> list[str]:
        return ["global_" if name == "global" else name for name in GROUPS]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Visual) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __repr__(self) -> str:
        return "\n".join(repr(getattr(self, name)) for name in dir(self))

    def __reduce__(self) -> Any:
        return Visual, (self.written,)

    def check(self) -> None:
        """Refuse settings from outside that no picture could be made with.

        Raises:
            ModelError: names the setting and its value.
        """
        for group, values in self.written.items():
            for name, value in values.items():
                if not _fits(GROUPS[group].attributes[name], value):
                    raise ModelError(f"vis.{group}.{name} is {value!r:.60}; it cannot be")

    def to_json(self) -> str:
        """What is written, as text."""
        return json.dumps(self.written, sort_keys=True)

    @classmethod
    def from_json(cls, text: str) -> Visual:
        """What `to_json` wrote."""
        return cls({
            group: {name: tuple(value) if isinstance(value, list) else value for name, value in values.items()}
            for group, values in json.loads(text).items()
        })  # fmt: skip
