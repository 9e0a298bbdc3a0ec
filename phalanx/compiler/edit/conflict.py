"""Options and sizes of a model and of one that is attached to it, where they differ: compiler/conflict.

With "warning" the settings of the outer model count. With "error" a setting that both write, and differently, is a
problem. With "merge" the outer model takes what only the other one writes; where both write a setting, the stricter
value counts for settings that have one, flags and groups add up, and everything else is a problem.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from phalanx.compiler.object.options import bytes_of_memory
from phalanx.compiler.text.defaults import Values, overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mjcf_global import DISABLE_FLAGS
from phalanx.tables.mjcf_schema import ELEMENTS

#: `min` or `max`.
Merge = Callable[..., Any]

#: Section -> setting -> which of two values counts; None if they cannot be merged.
SETTINGS: dict[str, dict[str, Merge | None]] = {
    "option": {
        **dict.fromkeys(
            "timestep tolerance ls_tolerance noslip_tolerance ccd_tolerance sleep_tolerance".split(), min
        ),
        **dict.fromkeys(
            "iterations ls_iterations noslip_iterations ccd_iterations sdf_iterations sdf_initpoints".split(), max
        ),
        **dict.fromkeys(
            """impratio density viscosity o_margin integrator cone jacobian solver gravity wind magnetic o_solref
            o_solimp o_friction""".split()
        ),
    },
    "visual/map": {"znear": min, "zfar": max},
    "visual/global": {"realtime": min},
    "size": dict.fromkeys(
        """memory njmax nconmax nuserdata nkey nuser_body nuser_jnt nuser_geom nuser_site nuser_cam nuser_tendon
        nuser_actuator nuser_sensor""".split(), max
    ),
}  # fmt: skip


def resolve(root: Element, other: Element, policy: str) -> None:
    """Let the settings of an attached model count as compiler/conflict says.

    Args:
        root: the outer model; its settings change.
        other: the model that is attached.
        policy: compiler/conflict of the outer model.
    """
    if policy == "warning":
        return
    # everything is compared before anything changes
    problems, changes = [], []
    for key, settings in SETTINGS.items():
        ours, theirs = _values(root, key), _values(other, key)
        complete = dict(ELEMENTS[key].defaults)
        for name, merge in settings.items():
            mine, yours = ours.get(name, complete[name]), theirs.get(name, complete[name])
            if mine == yours or not _is_written(key, theirs, name):
                continue
            if not _is_written(key, ours, name):
                changes.append((key, name, yours))
            elif policy == "merge" and merge is not None:
                changes.append((key, name, _merged(name, merge, mine, yours)))
            else:
                problems.append(f"{name} is {_word(mine)} here and {_word(yours)} in the attached model")
    problems += _flag_problems(root, other) if policy == "error" else []
    if problems:
        raise ElementProblem("; ".join(problems))
    if policy == "merge":
        for key, name, value in changes:
            _last(root, key).attributes[name] = value
        _add_flags(root, other)


def _values(root: Element, key: str) -> Values:
    """What a model writes in the sections of a key, the last value of each setting; vectors are completed."""
    values: Values = {}
    for section in _sections(root, key):
        values = {**values, **section.attributes}
    whole = overlay(dict(ELEMENTS[key].defaults), values, ELEMENTS[key])
    return {name: whole[name] for name in values}


def _sections(root: Element, key: str) -> list[Element]:
    """The elements of a model with a key, "option" or "visual/map" for example."""
    outer, _, inner = key.partition("/")
    found = [section for section in root.children if section.tag == outer]
    return [child for section in found for child in section.children if child.tag == inner] if inner else found


def _last(root: Element, key: str) -> Element:
    """The last section of a key, made if there is none."""
    found = _sections(root, key)
    if found:
        return found[-1]
    outer, _, inner = key.partition("/")
    holder = _last(root, outer) if inner else root
    return holder.append(Element(ELEMENTS[key]))


def _is_written(key: str, values: Values, name: str) -> bool:
    """Sizes count as written if they differ from what they are by default."""
    return name in values and (key != "size" or values[name] != ELEMENTS[key].defaults[name])


def _merged(name: str, merge: Merge, mine: Any, yours: Any) -> Any:
    """The value that counts; sizes of memory are texts such as "100M"."""
    return merge(mine, yours, key=bytes_of_memory) if name == "memory" else merge(mine, yours)


def _word(value: Any) -> str:
    return " ".join(f"{x:g}" for x in value) if isinstance(value, tuple) else str(value)


# --- flags and groups of actuators


def _flags(root: Element) -> dict[str, str]:
    """Flags that a model writes, "enable" or "disable"."""
    return {name: word for section in _sections(root, "option/flag") for name, word in section.attributes.items()}


def _flag_problems(root: Element, other: Element) -> list[str]:
    """Flags that both models write, and differently."""
    ours, theirs = _flags(root), _flags(other)
    return [
        f"flag {name} is {ours[name]} here and {word} in the attached model"
        for name, word in theirs.items()
        if ours.get(name, word) != word
    ]


def _is_set(name: str, word: str) -> bool:
    """Does a flag differ from its default?"""
    return word == ("disable" if name in DISABLE_FLAGS else "enable")


def _add_flags(root: Element, other: Element) -> None:
    """Let the outer model take flags that differ from their defaults, and groups of actuators that are disabled."""
    for name, word in _flags(other).items():
        if _is_set(name, word):
            _last(root, "option/flag").attributes[name] = word
    groups = [g for section in _sections(other, "option") for g in section.attributes.get("actuatorgroupdisable", ())]
    if groups:
        section = _last(root, "option")
        section.attributes["actuatorgroupdisable"] = (*section.attributes.get("actuatorgroupdisable", ()), *groups)
