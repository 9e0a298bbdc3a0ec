"""Memory of a Model and a Data, below all physics.

`layout.py` turns table rows and sizes into shapes and types; `store.py` owns the arrays; `view.py` is the only file
that knows how a kernel addresses a field; `names.py` finds objects by name.
"""
