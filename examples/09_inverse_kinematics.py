"""Inverse kinematics: one pose, a path, and thousands of poses at once."""

from time import perf_counter

import numpy as np

import phalanx

#: Orientation of the tool at home, where it points down: half a revolution about y.
DOWN = (0.0, 0.0, 1.0, 0.0)


def main() -> None:
    model = phalanx.load("arm")

    # one pose: the stylus points down at a place on the table
    solution = phalanx.ik(model, "tool", (0.45, 0.3, 0.2, *DOWN), start=model.key_qpos[0])
    print(solution, np.degrees(solution.qpos).round(1))

    # a circle: each point begins where the last one ended, so that the arm does not jump
    qpos, path = model.key_qpos[0], []
    for angle in np.linspace(0.0, 2.0 * np.pi, 60):
        point = (0.45 + 0.1 * np.cos(angle), 0.1 * np.sin(angle), 0.25)
        qpos = phalanx.ik(model, "tool", (*point, *DOWN), start=qpos, restarts=0).qpos
        path.append(qpos)
    jump = np.abs(np.diff(path, axis=0)).max()
    print(f"along the circle no joint moves by more than {np.degrees(jump):.1f}° from point to point")

    # many poses: which part of the table can be reached with the stylus down?
    y, x = np.mgrid[-0.9:0.9:31j, -0.9:0.9:61j]
    poses = np.stack([x, y, np.full_like(x, 0.15), *(np.full_like(x, q) for q in DOWN)], axis=-1).reshape(-1, 7)
    began = perf_counter()
    many = phalanx.ik(model, "tool", poses, start=model.key_qpos[0])
    print(f"{len(poses)} poses in {perf_counter() - began:.2f} s, {many.converged.mean():.0%} can be reached")
    for row in np.where(many.converged, "#", ".").reshape(x.shape):
        print("".join(row))

    # two targets: tool and wrist together, where another pose has them
    other = model.make_data().reset("reach").forward()
    goals = [other.site("tool").xpos, other.body("wrist").xpos]
    both = phalanx.ik(model, ["tool", model.body("wrist")], goals, start=model.key_qpos[0])
    print(both)

    assert solution.converged and both.converged and jump < 0.5
    assert 0.1 < many.converged.mean() < 0.9


if __name__ == "__main__":
    main()
