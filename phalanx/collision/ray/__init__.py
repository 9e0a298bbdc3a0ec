"""Rays against every type of geom."""
