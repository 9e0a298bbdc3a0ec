"""Options, sizes and statistics."""

from __future__ import annotations

from phalanx.compiler.model_build import Build
from phalanx.compiler.text.defaults import Values, overlay
from phalanx.compiler.text.element import Element
from phalanx.compiler.text.errors import ElementProblem, quoted
from phalanx.memory.visual import Visual
from phalanx.tables.mjcf_global import DISABLE_FLAGS, ENABLE_FLAGS
from phalanx.tables.mjcf_row import Holds
from phalanx.tables.mjcf_schema import ELEMENTS

_UNITS = {"K": 10, "M": 20, "G": 30, "T": 40, "P": 50, "E": 60}


def compile_options(build: Build) -> None:
    """opt.*: the last value written counts. Options do not depend on each other: one that cannot be read hides none."""
    row = ELEMENTS["option"]
    values: Values = dict(row.defaults)
    sections = [section for section in build.root.children if section.tag == "option"]
    for section in sections:
        values = overlay(values, section.attributes, row)
        if section.attributes.get("timestep", 1.0) <= 0:
            problem = f"timestep is {values['timestep']:g}; it must be positive"
            build.problems.append(section.problem(problem, "timestep"))
    for attribute in row.attributes.values():
        if attribute.field:
            value = values[attribute.name]
            build.columns[attribute.field] = attribute.keywords[value] if attribute.holds is Holds.KEYWORD else value
    build.columns["opt.disableflags"], build.columns["opt.enableflags"] = _flags(sections)
    build.columns["opt.disableactuator"] = _disabled_groups(build, sections)


def _flags(sections: list[Element]) -> tuple[int, int]:
    """disableflags and enableflags; of a flag that is written several times the last counts."""
    disabled = enabled = 0
    for section in sections:
        for flags in section.children:
            for name, word in flags.attributes.items():
                if name in DISABLE_FLAGS:
                    bit = DISABLE_FLAGS[name]
                    disabled = disabled & ~bit if word == "enable" else disabled | bit
                else:
                    bit = ENABLE_FLAGS[name]
                    enabled = enabled | bit if word == "enable" else enabled & ~bit
    return disabled, enabled


def _disabled_groups(build: Build, sections: list[Element]) -> int:
    """Groups of actuators that are disabled, as bits; those of all sections together."""
    groups = 0
    for section in sections:
        for group in section.attributes.get("actuatorgroupdisable", ()):
            if 0 <= group <= 30:
                groups |= 1 << group
            else:
                problem = f"actuator group {group} is not between 0 and 30"
                build.problems.append(section.problem(problem, "actuatorgroupdisable"))
    return groups


#: Settings of pictures that must be positive.
_POSITIVE = {"map": ("znear",), "global": ("realtime",)}


def check_visual(build: Build) -> None:
    """The few settings of pictures that are not free."""
    for group in build.sections("visual"):
        for name in _POSITIVE.get(group.tag, ()):
            if group.attributes.get(name, 1.0) <= 0:
                build.report(group, f"{name} must be positive", name)


def check_statistic(build: Build) -> None:
    """Statistics that are written instead of being computed."""
    for section in build.root.children:
        if section.tag == "statistic" and section.attributes.get("extent", 1.0) <= 0:
            build.report(section, "extent must be positive", "extent")


def visual_settings(build: Build) -> Visual:
    """Settings of pictures from the visual sections; the last value written counts."""
    written: dict[str, Values] = {}
    for group in build.sections("visual"):
        written.setdefault(group.tag, {}).update(group.attributes)
    return Visual(written)


def bytes_of_memory(text: str) -> int:
    """Bytes that a size such as "100M" stands for, -1 for automatic."""
    word = text.strip()
    if word == "-1":
        return -1
    digits, unit = (word[:-1], word[-1].upper()) if word[-1:].upper() in _UNITS else (word, "")
    if not digits.isdigit() or not digits.isascii() or int(digits) << _UNITS.get(unit, 0) >= 2**63:
        raise ElementProblem(f"memory={quoted(text)} is not a number of bytes such as 100M", "memory")
    return int(digits) << _UNITS.get(unit, 0)


def compile_sizes(build: Build) -> None:
    """Sizes that the user asks for."""
    sizes = build.sizes
    sizes["narena"] = -1
    for section in build.root.children:
        if section.tag == "size":
            with build.at(section):
                # njmax and nstack are older ways to ask for memory
                if "memory" in section and {"njmax", "nstack"} & {*section.attributes, *section.bad}:
                    raise ElementProblem("memory cannot be given together with njmax or nstack", "memory")
                if "memory" in section:
                    sizes["narena"] = bytes_of_memory(section.attributes["memory"])
    sizes["njmax"], sizes["nconmax"] = build.size_setting("njmax"), build.size_setting("nconmax")
    sizes["nuserdata"] = max(build.size_setting("nuserdata"), 0)
