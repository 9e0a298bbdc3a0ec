"""Composite joints and couplings as plain elements: a file for each row of `tables/mechanisms.py`."""
