"""The kernel language: numbers, lanes, vectors, and the one decorator.

A kernel is a plain Python function decorated with `@kernel`. It sees numbers (a float64, or a lane: W worlds in one
vector register), tuples of numbers, integers, and fields it indexes. The same source runs

* interpreted, on NumPy floats (a debugger stops in it),
* compiled for one world,
* compiled for lanes of any power-of-two width.

Rules: branch on the model (`if`, `for`, `while` on integers), select on the data (`where`, `any_`); vectors are
tuples; nothing raises, nothing allocates. This folder knows nothing of physics tables and imports only NumPy; the
compiler is in `phalanx/native`.
"""
