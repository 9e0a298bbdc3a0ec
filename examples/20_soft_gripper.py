"""A gripper with elastic pads picks up an egg: how far the pads give way, and how hard they press."""

from __future__ import annotations

import numpy as np

import phalanx

model = phalanx.load("soft_gripper")
data = model.make_data().reset("home")
pads = [model.names.id_of("flex", name) for name in ("pad_left", "pad_right")]
egg = model.names.id_of("body", "egg")


def thickness(pad: int) -> float:
    """How thick a pad is where it is thinnest, across the fingers [m]."""
    first, count = model.flex_vertadr[pad], model.flex_vertnum[pad]
    layers = data.flexvert_xpos[first : first + count].reshape(4, 3, 5, 3)
    return float(np.abs(layers[:, 2, :, 1] - layers[:, 0, :, 1]).min())


data.forward()
before = [thickness(pad) for pad in pads]

# height and opening of the gripper over time
for height, opening, steps in ((-0.07, 0.08, 1200), (-0.07, 0.02, 800), (0.1, 0.02, 1500)):
    data.ctrl[:] = 0, 0, height, 0, opening
    data.step(steps)
    print(f"{data.time:.1f} s: egg at {data.xpos[egg, 2]:.3f} m, {data.ncon} contacts")

for pad, start in zip(pads, before, strict=True):
    print(f"{model.names.label('flex', pad)}: {1000 * thickness(pad):.1f} of {1000 * start:.1f} mm thick")

assert data.xpos[egg, 2] > 0.55
assert all(thickness(pad) < 0.95 * start for pad, start in zip(pads, before, strict=True))
