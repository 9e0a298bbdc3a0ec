"""Contact pairs and exclusions."""

from __future__ import annotations

from typing import Any

from phalanx.compiler.asset import make_thing
from phalanx.compiler.build import Build
from phalanx.compiler.errors import ElementProblem
from phalanx.compiler.geom import check_condim
from phalanx.compiler.scaled_reference import scale_pair
from phalanx.tables.mjcf_schema import ELEMENTS


def collect_contacts(build: Build) -> None:
    """Pairs and exclusions, in the order of the bodies they are about."""
    for kind, work in (("pair", _compile_pair), ("exclude", _compile_exclude)):
        found = [make_thing(build, element) for element in build.sections("contact") if element.tag == kind]
        for thing in found:
            thing.signature = 0  # type: ignore[attr-defined]
        build.each(found, lambda thing, work=work: work(build, thing))  # type: ignore[misc]
        for thing in sorted(found, key=lambda thing: thing.signature):  # type: ignore[attr-defined]
            build.add(kind, thing)


def _compile_pair(build: Build, pair: Any) -> None:
    pair.geom1 = pair.geom2 = None
    build.all_of(pair, check_condim)
    one, two = (_found(build, pair, "geom", f"geom{n}") for n in (1, 2))
    scale_pair(pair, one, two)
    if one.body.id > two.body.id:
        one, two = two, one
    pair.geom1, pair.geom2 = one.id, two.id
    pair.signature = (one.body.id << 16) + two.body.id


def _found(build: Build, thing: Any, kind: str, attribute: str) -> Any:
    name = thing[attribute]
    if name is None:
        raise ElementProblem(f"{attribute} is missing")
    return build.find(kind, name, attribute)


def _compile_exclude(build: Build, exclude: Any) -> None:
    one, two = (_found(build, exclude, "body", f"body{n}").id for n in (1, 2))
    exclude.signature = (min(one, two) << 16) + max(one, two)


def write_contacts(build: Build) -> None:
    pairs, columns = build.things["pair"], build.columns
    if pairs:
        build.copy_plain(ELEMENTS["contact/pair"], pairs)
        for name in ("geom1", "geom2", "signature"):
            columns[f"pair_{name}"] = [getattr(pair, name) for pair in pairs]
    columns["exclude_signature"] = [exclude.signature for exclude in build.things["exclude"]]
