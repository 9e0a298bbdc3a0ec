"""Equalities: one file each, named by its row in `tables/equalities.py`, and what several of them share."""
