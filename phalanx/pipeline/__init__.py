"""The pipeline: which stage follows which, the step, and the entries that Python calls."""
