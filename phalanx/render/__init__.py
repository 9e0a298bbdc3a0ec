"""Pictures of worlds, computed by kernels with neighboring pixels in lanes.

    scene (`phalanx/scene`) ── stage.py ──▶ Frame ── picture_entry.py ──▶ arrays

A picture is cut into blocks of 64 x 64 pixels, which threads take one after another, and those into tiles of 8 x 8. For
the rays of a tile (`tile.py`)

- `bundle.py` lists the shapes that they may meet,
- `trace.py` finds what they meet first: shapes by formula (`entering.py`), triangles in a tree (`triangles.py`),
- `seen_surface.py` tells normal, color and finish there, with textures (`texture.py`),
- `lighting.py` adds up light, with rays to the lights that cast shadows,
- `coloring.py` goes on behind see-through surfaces, and into a mirror; `sky.py` is behind everything.

All numbers are double precision, and no result depends on how many pixels are in a lane or which thread draws them.
"""
