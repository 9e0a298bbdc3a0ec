"""Where the parameters of a contact come from: `Data.explain_contact(i)`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from phalanx.collision import contact as mixing
from phalanx.collision.contact_sides import Sides, name_of
from phalanx.compiler.edit.resolve import origin_of
from phalanx.memory.errors import FieldError, suggestion
from phalanx.memory.fill import MOST, whole
from phalanx.memory.named import Named
from phalanx.memory.store import PlainView
from phalanx.tables.enums import EnableBit

if TYPE_CHECKING:
    from phalanx.compiler.text.element import Element
    from phalanx.world.answers import Answers
    from phalanx.world.model import Model
    from phalanx.world.spec import Spec


@dataclass(frozen=True)
class ParameterRow:
    """How two geoms come to a parameter of their contact.

    Attributes:
        column: the field of a contact.
        geom, pair: the attribute of geoms and of pairs; "" if they have none.
        override: the option that replaces it in all contacts; "" if there is none.
        mix: what becomes of the values of two geoms of the same priority.
        has_priority: does a geom of higher priority decide alone?
    """

    column: str
    geom: str
    pair: str
    override: str
    mix: str
    has_priority: bool = True


#: A geom or a flex: its kind and id.
_Side = tuple[str, int]

#: What the mixing of solver parameters is called.
WEIGHTED = "mean weighted by solmix"

#: Parameters by name, in the order in which they are told; the rules are those of collision/contact.py.
PARAMETERS: dict[str, ParameterRow] = {
    "condim": ParameterRow("dim", "condim", "condim", "", "the larger of the two"),
    "friction": ParameterRow("friction", "friction", "friction", "o_friction", "the larger one of each coefficient"),
    "solref": ParameterRow("solref", "solref", "solref", "o_solref", WEIGHTED),
    "solreffriction": ParameterRow("solreffriction", "", "solreffriction", "o_solref", "as solref"),
    "solimp": ParameterRow("solimp", "solimp", "solimp", "o_solimp", WEIGHTED),
    "margin": ParameterRow("includemargin", "margin", "margin", "o_margin", "sum of both", has_priority=False),
    "adhesion": ParameterRow("adhesion", "adhesion", "adhesion", "", "sum of both"),
}


class Source(NamedTuple):
    """A value that a parameter was made of.

    Attributes:
        owner: the geom, the flex, the pair, or the option that has it.
        value: the value.
        share: its weight, where values are mixed by weight; else 1.
        written: where it is written, with a Spec: on the element, in a default class, or nowhere (MJCF's default).
    """

    owner: str
    value: Any
    share: float
    written: str


@dataclass(frozen=True, eq=False)
class ParameterOrigin:
    """A parameter of a contact: its value, the rule that gave it, and the values it was made of."""

    name: str
    value: Any
    rule: str
    sources: tuple[Source, ...]

    def __str__(self) -> str:
        lines = [f"{self.name} {_shown(self.value)}: {self.rule}"]
        for source in self.sources:
            share = "" if source.share == 1.0 else f", share {source.share:.3g}"
            written = f", {source.written}" if source.written else ""
            lines.append(f"  {source.owner}: {_shown(source.value)}{share}{written}")
        return "\n".join(lines)


class ContactOrigin(Named[ParameterOrigin]):
    """What the parameters of a contact are, and why: `origin["friction"].rule`. Prints as a list.

    Attributes:
        geoms: both geoms, by name or id; of a flex, what of it touches.
        pair: the explicit pair that they form, "" if none.
    """

    def __init__(self, geoms: tuple[str, str], pair: str, parameters: dict[str, ParameterOrigin]):
        self.geoms, self.pair = geoms, pair
        self._parameters = parameters

    def __getitem__(self, name: str) -> ParameterOrigin:
        if name not in self:
            words = repr(name) if isinstance(name, str) else type(name).__name__
            raise FieldError(f"contacts have no parameter {words}{suggestion(str(words), self._parameters)}")
        return self._parameters[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._parameters)

    def __len__(self) -> int:
        return len(self._parameters)

    def __repr__(self) -> str:
        heading = f"<contact of {self.geoms[0]} and {self.geoms[1]}"
        return "\n".join([heading, *(f"  {line}" for p in self.values() for line in str(p).split("\n"))]) + ">"


def explain_contact(data: Answers, contact: int, spec: Spec | None = None) -> ContactOrigin:
    """The origin of the parameters of a contact; see `Data.explain_contact`."""
    contact = whole("the index of a contact", contact, -MOST)
    if not -data.ncon <= contact < data.ncon:
        raise FieldError(f"contact {contact} does not exist: there are {data.ncon}")
    contact %= data.ncon
    ids = tuple(data.contact_geom[contact].tolist())
    values = {name: getattr(data, f"contact_{row.column}")[contact] for name, row in PARAMETERS.items()}
    if min(ids) >= 0:
        return explain_pair(data.model, ids, values, spec)
    sides, model = Sides.of(data, slice(contact, contact + 1)), data.model
    labels = tuple(model.names.label("geom", k) if k >= 0 else name_of(model, sides, 0, i) for i, k in enumerate(ids))
    owners = tuple(("geom", k) if k >= 0 else ("flex", int(sides.flex[0, i])) for i, k in enumerate(ids))
    return _explain(model, labels, owners, -1, values, spec)


def explain_pair(model: Model, ids: tuple[int, int], values: Mapping[str, Any], spec: Spec | None) -> ContactOrigin:
    """The origin of the parameters of a contact of two geoms that has these values."""
    labels = tuple(model.names.label("geom", k) for k in ids)
    return _explain(model, labels, tuple(("geom", k) for k in ids), pair_of(model, *ids), values, spec)


def _explain(
    model: Model, geoms: tuple[str, ...], sides: tuple[_Side, ...], pair: int, values: Mapping[str, Any],
    spec: Spec | None,
) -> ContactOrigin:  # fmt: skip
    """The origin of the parameters of a contact of two geoms or flexes."""
    found = {}
    for name, row in PARAMETERS.items():
        rule, owners = _rule(model, row, sides, pair)
        sources = tuple(_source(model, row, *owner, spec) for owner in owners)
        found[name] = ParameterOrigin(name, values[name], rule, sources)
    return ContactOrigin(geoms, model.names.label("pair", pair) if pair >= 0 else "", found)  # type: ignore[arg-type]


def parameters_of(model: Model, geom1: int, geom2: int) -> dict[str, Any]:
    """The parameters that a contact of two geoms, by id, would have: dim, friction, solref, solimp."""
    m, pair = PlainView(model._store), pair_of(model, geom1, geom2)
    return {
        "dim": int(mixing.contact_dim(m, geom1, geom2, pair)),
        "friction": np.array(mixing.contact_friction(m, geom1, geom2, pair), float),
        "solref": np.array(mixing.contact_solref(m, geom1, geom2, pair), float),
        "solimp": np.array(mixing.contact_solimp(m, geom1, geom2, pair), float),
    }


def pair_of(model: Model, geom1: int, geom2: int) -> int:
    """The explicit pair of two geoms, -1 if there is none."""
    first, second = model.pair_geom1, model.pair_geom2
    found = np.flatnonzero(((first == geom1) & (second == geom2)) | ((first == geom2) & (second == geom1)))
    return int(found[0]) if len(found) else -1


# --- rules

#: A source before its value is looked up: kind of owner, id, share.
_Owner = tuple[str, int, float]


def _of(model: Model, side: _Side, attribute: str) -> Any:
    """A parameter of a geom or a flex."""
    return getattr(model, f"{side[0]}_{attribute}")[side[1]]


def _rule(model: Model, row: ParameterRow, sides: tuple[_Side, ...], pair: int) -> tuple[str, list[_Owner]]:
    """What decided a parameter, in words, and whose values count."""
    if row.override and model.opt.enableflags & EnableBit.OVERRIDE:
        return f"option {row.override}, which overrides all contacts", [("option", 0, 1.0)]
    if pair >= 0:
        return f"{model.names.label('pair', pair)}, whatever its geoms say", [("pair", pair, 1.0)]
    if not row.geom:
        return row.mix, []
    one, two = (_of(model, side, "priority") for side in sides)
    if row.has_priority and one != two:
        leader = sides[0] if one > two else sides[1]
        owners = [(*leader, 1.0)] if leader[0] == "geom" or row.geom != "adhesion" else []
        return f"{model.names.label(*leader)} alone, which has the higher priority", owners
    # flexes have no adhesion
    both = [(*side, 1.0) for side in sides if side[0] == "geom" or row.geom != "adhesion"]
    if row.mix != WEIGHTED:
        return row.mix, both
    if row.geom == "solref" and not all(_of(model, side, "solref")[0] > 0 for side in sides):
        return "the smaller of the two, because one is stiffness and damping (not positive)", both
    weight = float(mixing.share_of_first(*(_of(model, side, "solmix") for side in sides)))
    return row.mix, [(*sides[0], weight), (*sides[1], 1.0 - weight)]


def _source(model: Model, row: ParameterRow, kind: str, objid: int, share: float, spec: Spec | None) -> Source:
    """A value that counts, and where it is written."""
    if kind == "option":
        return Source(f"option {row.override}", getattr(model.opt, row.override), share, "")
    attribute = row.pair if kind == "pair" else row.geom
    field = "pair_dim" if (kind, attribute) == ("pair", "condim") else f"{kind}_{attribute}"
    written = ""
    name = model.names.names[kind][objid]
    # what a flex has is written in an element of its own, or made by a flexcomp
    if spec is not None and name and kind != "flex":
        element: Element | None = next((e for e in getattr(spec, f"{kind}s") if e.name == name), None)
        written = origin_of(element, attribute) if element is not None else ""
    return Source(model.names.label(kind, objid), getattr(model, field)[objid], share, written)


def _shown(value: Any) -> str:
    """A number, or numbers with spaces between them."""
    return " ".join(f"{number:.6g}" for number in np.atleast_1d(value).tolist())
