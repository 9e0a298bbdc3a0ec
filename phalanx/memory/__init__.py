"""Memory of a Model and a Data, below all physics.

`layout.py` finds shapes and types from table rows and sizes; `store.py` owns the arrays; `view.py` is the only file
that knows how a kernel addresses a field; `names.py` finds objects by name.
"""
