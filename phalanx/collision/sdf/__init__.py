"""Signed distance fields: of shapes with a formula, of octrees, grids and height fields, and their contacts."""
