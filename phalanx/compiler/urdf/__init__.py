"""URDF files: read with the table of `tables/urdf_schema.py`, translated to elements of MJCF, and written."""
