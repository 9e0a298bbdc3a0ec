"""What there is to see in a world: shapes with poses and colors, views of cameras, lights. No pixels yet.

Everything that shows a world reads the same Scene: the renderer (`phalanx/render`), the viewer in the browser, replays
and recordings (`phalanx/show`). A Scene is made of

- `Shapes`: geoms, sites, tendons, skins, and decor (contacts, forces, frames, joint axes, marks of the user);
- a `View`: where a camera is and how it projects;
- `Lights`.

What can be shown beside geoms is a row of a table (`decor.py`), so that the switches of renders, viewer and replays are
the same by construction.
"""
