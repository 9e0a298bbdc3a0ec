"""MJCF rows of equalities, from their table."""

from __future__ import annotations

from phalanx.tables.equalities import EQUALITIES, EqualityRow
from phalanx.tables.mjcf_row import CLASS, ElementRow, element, flag, name_of, solimp, solref

EQUALITY_BASE = (
    flag("active", "whether it starts active", True, "eq_active0"),
    solref("solref", "eq_solref", "solver reference"),
    solimp("solimp", "eq_solimp", "solver impedance"),
)


def _element(row: EqualityRow) -> ElementRow:
    base = (name_of("equality"), CLASS, *EQUALITY_BASE)
    return element(f"equality/{row.tag}", row.doc, base, row.attributes, unsupported=row.unsupported)


_MEMBERS = tuple(_element(row) for row in EQUALITIES.values() if row.tag)

EQUALITY = (
    element("equality", "constraints that hold parts together", many=" ".join(row.key for row in _MEMBERS)),
    *_MEMBERS,
)
