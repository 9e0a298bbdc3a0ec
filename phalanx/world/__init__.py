"""What users hold: Model, Data and Spec, with names, contacts, rays and files.

`model.py` and `data.py` run the pipeline on the memory of `phalanx/memory`; `spec.py` is a model before it is compiled.
"""
