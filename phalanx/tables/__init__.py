"""Declarative tables: the one place where a field, a size or an enum is typed.

Contract of this folder:
- `field` has the row types; `sizes`, `enums`, `model_fields`, `data_fields`, `option_fields` and `contact_fields`
  are plain data. Nothing here allocates, computes physics, or imports NumPy or another folder of the package.
- Names, order, shapes and meaning are MuJoCo 4.0's. A row that differs says why (`departs`) and where the same value
  is found in MuJoCo (`mujoco`); a member of MuJoCo without a row stands in an `OMITTED` dict with a reason.
- Allocation, reset, copy, files, stubs, reference pages, kernel views and tests derive from the rows.
- `tests/tables/test_fields.py` compares every row with the official bindings.
"""
