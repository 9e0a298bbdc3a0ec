"""A cloth falls on a ball and drapes over it: forces, contacts and pictures of a deformable body."""

from __future__ import annotations

import numpy as np

import phalanx

model = phalanx.load("cloth")
data = model.make_data().reset("home")
print(f"{model.nflexvert} vertices, {model.nflexelem} triangles, {model.nv} dofs")

# vertices are bodies with three sliders; their places are a field of Data
for moment in range(4):
    data.step(250)
    low, high = data.flexvert_xpos[:, 2].min(), data.flexvert_xpos[:, 2].max()
    print(f"{data.time:.1f} s: from {low:.2f} m to {high:.2f} m above the floor, {data.ncon} contacts")

# edges keep their length: they are constraints, one row each
stretch = data.flexedge_length / model.flexedge_length0 - 1
print(f"edges are stretched by at most {100 * np.abs(stretch).max():.1f} %")

# a ray from above meets the cloth before the ball
hit = data.flex_rays([(0, 0, 1)], [(0, 0, -1)], flex="cloth")
print(f"the cloth lies {1 - hit.dist[0]:.3f} m above the floor, at vertex {hit.vertex[0]}")

assert high < 0.45 and low < high - 0.1
assert np.abs(stretch).max() < 0.05
assert abs((1 - hit.dist[0]) - 0.42) < 0.03
