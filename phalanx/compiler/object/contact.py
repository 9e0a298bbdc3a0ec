"""Contact pairs and exclusions."""

from __future__ import annotations

from typing import Any

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.model_build import Build
from phalanx.compiler.object.geom import check_condim
from phalanx.compiler.scale.scaled_reference import scale_pair
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mjcf_schema import ELEMENTS


def collect_contacts(build: Build) -> None:
    """Pairs and exclusions, in the order of the bodies they are about."""
    for kind, work in (("pair", _compile_pair), ("exclude", _compile_exclude)):
        found = [make_object(build, element) for element in build.sections("contact") if element.tag == kind]
        for obj in found:
            obj.signature = 0  # type: ignore[attr-defined]
        build.each(found, lambda obj, work=work: work(build, obj))  # type: ignore[misc]
        for obj in sorted(found, key=lambda obj: obj.signature):  # type: ignore[attr-defined]
            build.add(kind, obj)


def _compile_pair(build: Build, pair: Any) -> None:
    pair.geom1 = pair.geom2 = None
    build.all_of(pair, check_condim)
    one, two = (_found(build, pair, "geom", f"geom{n}") for n in (1, 2))
    scale_pair(pair, one, two)
    if one.body.id > two.body.id:
        one, two = two, one
    pair.geom1, pair.geom2 = one.id, two.id
    pair.signature = (one.body.id << 16) + two.body.id


def _found(build: Build, obj: Any, kind: str, attribute: str) -> Any:
    name = obj[attribute]
    if name is None:
        raise ElementProblem(f"{attribute} is missing")
    return build.find(kind, name, attribute)


def _compile_exclude(build: Build, exclude: Any) -> None:
    one, two = (_found(build, exclude, "body", f"body{n}").id for n in (1, 2))
    exclude.signature = (min(one, two) << 16) + max(one, two)


def write_contacts(build: Build) -> None:
    pairs, columns = build.objects["pair"], build.columns
    if pairs:
        build.copy_plain(ELEMENTS["contact/pair"], pairs)
        for name in ("geom1", "geom2", "signature"):
            columns[f"pair_{name}"] = [getattr(pair, name) for pair in pairs]
    columns["exclude_signature"] = [exclude.signature for exclude in build.objects["exclude"]]
