"""Objects of a model, one file for each kind: elements with their defaults resolved, checked, and as Model rows."""
