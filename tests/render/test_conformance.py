"""Pictures next to those of MuJoCo's own renderer, where OSMesa lets it draw without a display."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import phalanx
from benchmarks.scenes import models_folder
from tests.render.worlds import EVERY_KIND

pytestmark = pytest.mark.conformance

WIDTH, HEIGHT = 320, 240
#: Takes a picture with MuJoCo: arguments are a model, a camera, the file of the results, height and width.
PROGRAM = """
import sys, mujoco, numpy as np
model = mujoco.MjModel.from_xml_path(sys.argv[1])
data = mujoco.MjData(model)
if model.nkey:
    mujoco.mj_resetDataKeyframe(model, data, 0)
mujoco.mj_forward(model, data)
found = {}
for mode in ("rgb", "depth", "segmentation"):
    with mujoco.Renderer(model, int(sys.argv[4]), int(sys.argv[5])) as renderer:
        if mode != "rgb":
            getattr(renderer, f"enable_{mode}_rendering")()
        renderer.update_scene(data, camera=int(sys.argv[2]))
        found[mode] = renderer.render().copy()
np.savez(sys.argv[3], **found)
"""
ROBOTS = Path(phalanx.__file__).parent / "robots"
#: Model, camera (-1: the free one), and how much colors may differ on average [of 255].
CASES = {
    "humanoid": (ROBOTS / "humanoid.xml", -1, 0.5),
    "arm": (ROBOTS / "arm.xml", 0, 1.0),
    "gripper": (ROBOTS / "gripper.xml", 0, 1.0),
    "every kind": (None, 0, None),
    "cassie": (models_folder() / "menagerie/agility_cassie/scene.xml", -1, 3.0),
    "shadow hand": (models_folder() / "menagerie/shadow_hand/scene_left.xml", -1, 2.0),
    "barkour": (models_folder() / "menagerie/google_barkour_vb/scene.xml", -1, 3.0),
}


def reference(path: Path, camera: int, folder: Path) -> dict[str, np.ndarray]:
    """MuJoCo's picture, from a process of its own: a driver that fails takes the process with it."""
    file, environment = folder / "picture.npz", {**os.environ, "MUJOCO_GL": "osmesa"}
    command = [sys.executable, "-c", PROGRAM, str(path), str(camera), str(file), str(HEIGHT), str(WIDTH)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if not file.exists():
        pytest.skip(f"MuJoCo cannot draw here: {done.stderr.strip().splitlines()[-1:]}")
    return dict(np.load(file))


def near_silhouettes(*objects: np.ndarray) -> np.ndarray:
    """Pixels next to which another object is seen, in one picture or the other."""
    edges = np.zeros(objects[0].shape[:2], bool)
    for seen in objects:
        for down in (-1, 0, 1):
            for right in (-1, 0, 1):
                edges |= (np.roll(seen, (down, right), (0, 1)) != seen).any(-1)
    return edges


@pytest.mark.parametrize("name", CASES)
def test_a_picture_is_that_of_mujoco(name: str, tmp_path: Path) -> None:
    path, camera, tolerance = CASES[name]
    if path is None:
        path = tmp_path / "every_kind.xml"
        path.write_text(EVERY_KIND)
    if not path.exists():
        pytest.skip("no model")
    theirs = reference(path, camera, tmp_path)
    data = phalanx.load(str(path)).make_data()
    data = (data.reset(0) if data.model.nkey else data).forward()
    ours = data.render(WIDTH, HEIGHT, camera=None if camera < 0 else camera, output=tuple(theirs))
    differs = (ours["segmentation"] != theirs["segmentation"]).any(-1)
    edges = near_silhouettes(ours["segmentation"], theirs["segmentation"])
    # round shapes have corners in MuJoCo's pictures
    assert not (differs & ~edges).any()
    assert differs.sum() <= 0.03 * edges.sum() + 3
    # single precision in its buffer of depths; corners again, and edges between parts of one object
    inside = ~differs & ~edges
    error = np.abs(ours["depth"] - theirs["depth"])[inside] / ours["depth"][inside]
    assert np.median(error) < 1e-6
    assert np.quantile(error, 0.999) < 2e-3
    if tolerance is not None:
        assert np.abs(ours["rgb"].astype(int) - theirs["rgb"]).mean() <= tolerance
