"""Containers: Model, Data, their memory and their views.

`layout.py` turns table rows and sizes into shapes and types; `store.py` owns the arrays; `view.py` is the only file
that knows how a kernel addresses a field; `model.py` and `data.py` are what users hold.
"""
