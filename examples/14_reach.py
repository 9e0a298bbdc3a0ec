"""Plan with derivatives: an arm of six joints moves its tool to a point, smoothly, and is at rest there."""

import numpy as np

import phalanx

POINT = np.array([0.35, 0.4, 0.45])


def plan_reach() -> phalanx.Plan:
    """0.6 seconds; what the servos are told is planned, and their own dynamics are part of the plan."""
    home = phalanx.load("arm").make_data().reset("home")
    goals = [phalanx.Goal("tool_position", POINT, final=2e4), phalanx.Goal("tool_velocity", weight=0.02, final=100.0)]
    # what is costly is to move away from the pose at home: servos that are told 0 would not hold it
    return phalanx.ilqr(home, goals, steps=300, effort=1e-2, around=home.ctrl, tolerance=1e-4)


def main() -> None:
    plan = plan_reach()
    print(plan)
    plan.plot("reach.png", sensors=("tool_position", "tool_velocity"))  # pip install "phalanx[demo]"
    end = plan.sensordata[-1]
    distance, speed = np.linalg.norm(end[:3] - POINT), np.linalg.norm(end[7:10])
    print(f"the tool ends {1000 * distance:.2f} mm from the point, at {1000 * speed:.1f} mm/s")

    # the plan is what happens: a Data that is given the controls arrives at the same place
    data = plan.model.make_data().reset("home")
    for ctrl in plan.ctrl:
        data.ctrl[:] = ctrl
        data.step()
    difference = np.abs(data.forward().site("tool").xpos - end[:3]).max()

    assert difference < 1e-6
    assert distance < 2e-3 and speed < 0.05


if __name__ == "__main__":
    main()
