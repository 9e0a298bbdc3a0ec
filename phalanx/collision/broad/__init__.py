"""Which geoms may touch: pairs listed ahead or swept in every step, bounding volumes, filters."""
