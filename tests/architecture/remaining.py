"""What the checkers of this folder still find in the package, by folder: counts that may only shrink."""

from __future__ import annotations

#: Words that the glossary rules out.
RULED_OUT_WORDS = {
    "collision": 19, "compiler": 32, "constraint": 12, "integrator": 6, "mesh": 16, "pipeline": 11, "sensor": 11,
    "smooth": 31, "solver": 3,
}  # fmt: skip
#: Public functions and classes without a docstring.
WITHOUT_DOCSTRING = {
    "batch": 1, "collision": 111, "compiler": 59, "constraint": 11, "integrator": 7, "mesh": 9, "pipeline": 8,
    "sensor": 48, "smooth": 34, "solver": 5, "world": 1,
}  # fmt: skip
#: Long functions without a comment; marks for tools are no comments.
WITHOUT_COMMENT = {
    "batch": 4, "collision": 11, "compiler": 28, "constraint": 3, "integrator": 1, "mesh": 12, "pipeline": 3,
    "sensor": 1, "smooth": 3, "solver": 8, "world": 2,
}  # fmt: skip
#: Named files that do not exist.
MISSING_FILES = {"collision": 3, "smooth": 1}
#: Folders whose `table.py` chooses among kernels by hand, without a `Table`.
WITHOUT_TABLES = {"integrator"}
#: Files that share a name and should not -> what each means.
NAMES_OF_TWO_MEANINGS = {
    "entries": "pipeline: operations of compiled code; batch: everything that is compiled ahead",
    "kernels": "top: words for functions of the user; collision/shape: loops over poses",
    "rows": "constraint: memory of constraint rows; solver: sums over the rows of an island",
    "support": "collision/convex: support functions; pipeline: what this version simulates",
}
