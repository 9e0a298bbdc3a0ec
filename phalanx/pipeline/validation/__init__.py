"""Proof that a Model is safe: every integer that a kernel may index or count with is what its row allows.

`whole_model.py` runs before a kernel sees a Model that does not come from our own compiler: from a file, a pickle, the
`mujoco` package, or `Model.replace`. The rules are the domains of the table rows (`tables/domain.py`); those that
concern several rows at once are functions in the other files, filed by name in `rules.py`. Each answers with a mask of
the elements that break it.
"""
