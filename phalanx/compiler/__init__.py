"""From MJCF to a Model: read, expand, resolve defaults, build, flatten, compute constants.

A `Spec` is the editable tree of elements that a file holds; `Spec.compile` makes the Model. Elements and attributes
are rows of `phalanx.tables.mjcf_schema`. Everything wrong with a file is reported in one `MjcfError`, with the place of
each problem.
"""
