"""Hand a simulation around: a trajectory in a file, a film, and a page that replays it in any browser."""

import tempfile
from pathlib import Path

import numpy as np

import phalanx

PUSH = 60.0  # N


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    model = phalanx.load("quadruped")
    data = model.make_data().reset("stand")
    trunk = model.body("trunk").id

    # an arrow that the program draws while it pushes
    marks = phalanx.Marks()
    recorder = phalanx.Trajectory.recorder(data, marks=marks)
    camera = phalanx.Camera(distance=1.6, azimuth=130.0, elevation=-15.0, track="trunk")
    with phalanx.record(folder / "run.webp", data, fps=10, width=160, height=120, camera=camera, marks=marks) as film:
        for step in range(500):
            is_pushed = 200 <= step < 260
            data.xfrc_applied[trunk, 1] = PUSH if is_pushed else 0.0
            if is_pushed:
                marks.arrow("push", start=data.xpos[trunk], direction=(0, 0.4, 0), color=(0.9, 0.2, 0.1), lifetime=0.05)
            data.step()
            film.capture()
            if step % 5 == 0:
                recorder.capture()

    # states, controls and sensors in one file; put back into a Data, a row gives the same forces again
    trajectory = recorder.trajectory
    trajectory.save(folder / "run.npz")
    again = phalanx.Trajectory.load(folder / "run.npz", model)
    print(again)

    # one file that opens offline: time slider, cameras, contacts and forces, plots
    page = phalanx.replay_html(model, again, folder / "run.html", plots=["ncon"], title="A quadruped is pushed")
    print(f"{page}: {page.stat().st_size / 1e6:.2f} MB; {film}")
    sideways = again.qpos[:, 1]
    print(f"pushed {100 * np.abs(sideways).max():.1f} cm to the side")

    assert np.array_equal(again.qpos, trajectory.qpos)
    assert film.frames == 10 and page.stat().st_size < 1e6 and np.abs(sideways).max() > 0.01


if __name__ == "__main__":
    main()
