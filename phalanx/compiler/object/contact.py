"""Contact pairs and exclusions."""

from __future__ import annotations

from phalanx.compiler.asset.asset import make_object
from phalanx.compiler.model_build import Build
from phalanx.compiler.model_object import ModelObject
from phalanx.compiler.object.geom import check_condim
from phalanx.compiler.scale.scaled_reference import scale_pair
from phalanx.compiler.text.errors import ElementProblem
from phalanx.tables.mjcf_schema import ELEMENTS


class BodyPair(ModelObject):
    """Something about contacts of two bodies."""

    #: ids of both bodies, the lower one first, in 16 bits each
    signature: int = 0


class Exclude(BodyPair):
    """Two bodies whose geoms do not collide."""


class Pair(BodyPair):
    """Two geoms that collide whatever their masks say; the first belongs to the body with the lower id."""

    geom1: int = -1
    geom2: int = -1


def collect_contacts(build: Build) -> None:
    """Pairs and exclusions, sorted by the bodies they are about, as the collision filter needs them."""
    pairs = [make_object(build, element, Pair) for element in build.sections("contact") if element.tag == "pair"]
    build.each(pairs, lambda pair: _compile_pair(build, pair))
    for pair in sorted(pairs, key=_signature):
        build.add("pair", pair)
    sections = build.sections("contact")
    excludes = [make_object(build, element, Exclude) for element in sections if element.tag == "exclude"]
    build.each(excludes, lambda exclude: _compile_exclude(build, exclude))
    for exclude in sorted(excludes, key=_signature):
        build.add("exclude", exclude)


def _signature(pair: BodyPair) -> int:
    return pair.signature


def _compile_pair(build: Build, pair: Pair) -> None:
    build.all_of(pair, check_condim)
    one, two = (build.find("geom", _named(pair, attribute), attribute) for attribute in ("geom1", "geom2"))
    scale_pair(pair, one, two)
    if one.body.id > two.body.id:
        one, two = two, one
    pair.geom1, pair.geom2 = one.id, two.id
    pair.signature = (one.body.id << 16) + two.body.id


def _compile_exclude(build: Build, exclude: Exclude) -> None:
    one, two = (build.find("body", _named(exclude, attribute), attribute).id for attribute in ("body1", "body2"))
    exclude.signature = (min(one, two) << 16) + max(one, two)


def _named(obj: ModelObject, attribute: str) -> str:
    """The name that an attribute holds, which must be written."""
    name: str | None = obj[attribute]
    if name is None:
        raise ElementProblem(f"{attribute} is missing")
    return name


def write_contacts(build: Build) -> None:
    """Columns of pairs and exclusions."""
    pairs, columns = build.pairs, build.columns
    if pairs:
        build.copy_plain(ELEMENTS["contact/pair"], pairs)
        columns["pair_geom1"] = [pair.geom1 for pair in pairs]
        columns["pair_geom2"] = [pair.geom2 for pair in pairs]
        columns["pair_signature"] = [pair.signature for pair in pairs]
    columns["exclude_signature"] = [exclude.signature for exclude in build.excludes]
