"""Shapes of geoms: one file per type, with everything that depends on its shape.

`table.py` says what a type is asked for besides collision. The tables of the searches (`convex/table.py`), of rays
(`ray/table.py`) and of signed distances (`sdf/table.py`) take their rows from the same files. A row of
`tables/geoms.py` names the file; `docs/adding/geom.md` is the recipe.
"""
