"""Plan with derivatives: an arm of six joints moves its tool to a point, smoothly, and is at rest there."""

from importlib.util import find_spec

import numpy as np

import phalanx

POINT = np.array([0.35, 0.4, 0.45])


def plan_reach() -> phalanx.Plan:
    """A second; what the servos are told is planned, and their own dynamics are part of the plan."""
    # a servo at the limit of its force does not answer, so that a plan could not feel it: plan without these limits
    free = {"actuator_forcelimited": np.zeros(6, bool), "opt": {"timestep": 0.005}}
    home = phalanx.load("arm").replace(**free).make_data().reset("home")
    goals = [
        phalanx.Goal("tool_position", POINT, weight=20.0, final=1000.0),
        phalanx.Goal("tool_velocity", weight=5.0, final=5.0),
    ]
    return phalanx.ilqr(home, goals, steps=200, effort=0.1, around=home.ctrl, tolerance=1e-3)


def main() -> None:
    plan = plan_reach()
    print(plan)
    if find_spec("matplotlib"):
        plan.plot("reach.png", sensors=("tool_position", "tool_velocity"))
    end = plan.sensordata[-1]
    distance, speed = np.linalg.norm(end[:3] - POINT), np.linalg.norm(end[7:10])
    print(f"planned: the tool ends {1000 * distance:.1f} mm from the point, at {1000 * speed:.0f} mm/s")

    # feedback makes up for a tool that is 0.3 kg heavier than planned
    heavier = plan.model.replace(body_mass=plan.model.body_mass + 0.3 * (np.arange(plan.model.nbody) == 6))
    data = heavier.make_data().reset("home")
    for step in range(len(plan.ctrl)):
        data.ctrl[:] = plan.control(step, data)
        data.step()
    missed = np.linalg.norm(data.forward().site("tool").xpos - POINT)
    print(f"with a heavier tool, followed with feedback: {1000 * missed:.1f} mm")

    assert plan.converged and distance < 2e-3 and speed < 0.05
    assert missed < 0.01


if __name__ == "__main__":
    main()
