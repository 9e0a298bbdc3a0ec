"""Show: what a picture shows. Its switches are the rows of the tables of decor."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import flag, items
from phalanx.scene.decor import DECOR, LOOKS
from phalanx.scene.decor_frame import FRAMES, LABELS
from phalanx.tables.sizes import NGROUP

#: Kinds of objects that are shown by group, and which of the groups are shown unless asked otherwise.
GROUPS = ("geomgroup", "sitegroup", "jointgroup", "tendongroup", "actuatorgroup", "flexgroup", "skingroup")
DEFAULT_GROUPS = (True, True, True, False, False, False)
#: Settings that are one of several words; "none" for none.
CHOICES = {"labels": ("none", *LABELS), "frames": ("none", *FRAMES)}
#: Setting -> its value unless asked otherwise.
DEFAULTS: dict[str, Any] = {
    **{name: row.default for name, row in DECOR.items()},
    **{name: row.default for name, row in LOOKS.items()},
    **dict.fromkeys(GROUPS, DEFAULT_GROUPS),
    **dict.fromkeys(CHOICES, "none"),
}


class Show:
    """What a picture shows, immutable: `Show(contacts=True, contact_forces=True, geomgroup=(0, 0, 0, 1, 0, 0))`.

    Every setting is a keyword argument and an attribute.

    - A switch for each kind of decor (`contacts`, `joints`, ...) and each look (`shadows`, `transparent`, ...): see the
      page *Decor* of the reference.
    - `geomgroup`, `sitegroup`, `jointgroup`, `tendongroup`, `actuatorgroup`, `flexgroup`, `skingroup`: six flags,
      one a group.
    - `frames`: whose axes are drawn; `labels`: what has its name beside it. One word each, "none" for none.

    >>> Show(contacts=True, labels="body")
    Show(contacts=True, labels='body')
    >>> Show().replace(tendons=False).tendons
    False
    """

    __slots__ = ("_changed",)
    __signature__ = inspect.Signature([
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in DEFAULTS.items()
    ])  # fmt: skip

    def __init__(self, **settings: Any):
        checked = {name: _checked(name, value) for name, value in settings.items()}
        object.__setattr__(
            self, "_changed", {k: checked[k] for k in DEFAULTS if checked.get(k, DEFAULTS[k]) != DEFAULTS[k]}
        )

    @classmethod
    def of(cls, wanted: Show | Mapping[str, Any] | str | Iterable[str] | None = None) -> Show:
        """What the user wants to see.

        Args:
            wanted: a Show; None for the usual; settings by name; or names of switches to be on, as a list or in one
                text: "contacts contact_forces" or "contacts, joints".

        Raises:
            FieldError: a setting that does not exist, or a value that does not fit it.
        """
        if wanted is None:
            return cls()
        if isinstance(wanted, Show):
            return wanted
        if isinstance(wanted, Mapping):
            return cls(**{str(name): value for name, value in wanted.items()})
        given = wanted.replace(",", " ").split() if isinstance(wanted, str) else wanted
        names = items(given)
        if not all(isinstance(name, str) for name in names):
            raise FieldError(f"show takes a Show, settings by name, or names of what is to be shown, not {wanted!r}")
        for name in names:
            if name in GROUPS or name in CHOICES:
                raise FieldError(f"{name} is not a switch: give it a value, as in Show({name}=...)")
        return cls(**dict.fromkeys(names, True))

    def replace(self, **settings: Any) -> Show:
        """The same with other settings."""
        return Show(**{**self._changed, **settings})

    def in_group(self, setting: str, groups: np.ndarray) -> np.ndarray:
        """Whether objects of given groups are shown, (n,).

        Args:
            setting: "geomgroup" and so on.
            groups: group of each object, (n,); beyond the last counts as the last.
        """
        return np.array(getattr(self, setting), bool)[np.clip(groups, 0, NGROUP - 1)]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_changed":
            raise AttributeError(name)
        if name not in DEFAULTS:
            raise FieldError(f"show has no setting {name!r}{suggestion(name, DEFAULTS)}")
        return self._changed.get(name, DEFAULTS[name])

    def __setattr__(self, name: str, value: Any) -> None:
        raise FieldError(f"a Show is immutable: use show.replace({name}=...)")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *DEFAULTS]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Show) and self._changed == other._changed

    def __hash__(self) -> int:
        return hash(tuple(self._changed.items()))

    def __repr__(self) -> str:
        return f"Show({', '.join(f'{name}={value!r}' for name, value in self._changed.items())})"

    def __reduce__(self) -> tuple:
        return _restored, (self._changed,)


def _restored(settings: Mapping[str, Any]) -> Show:
    return Show(**settings)


def _checked(name: str, value: Any) -> Any:
    """The value of a setting, or an error that says what it takes."""
    if name not in DEFAULTS:
        raise FieldError(f"show has no setting {name!r}{suggestion(name, DEFAULTS)}")
    if name in CHOICES:
        word = "none" if value is None else value
        if not isinstance(word, str) or word not in CHOICES[name]:
            hint = suggestion(word, CHOICES[name]) if isinstance(word, str) else ""
            raise FieldError(f"{name} is one of {', '.join(CHOICES[name])}, not {value!r}{hint}")
        return word
    if name in GROUPS:
        try:
            flags = tuple(flag(name, entry) for entry in value)
        except TypeError:
            flags = ()
        if len(flags) != NGROUP:
            raise FieldError(f"{name} is {NGROUP} flags, one for each group, not {value!r}")
        return flags
    if isinstance(value, str):
        raise FieldError(f"{name} is True or False, not {value!r}")
    return flag(name, value)
