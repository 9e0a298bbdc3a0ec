"""Plan with derivatives: iLQR swings a pole up, and its feedback keeps it there when the world is not as planned."""

from importlib.util import find_spec

import numpy as np

import phalanx

GOALS = [
    # the tip of the pole above the middle of the rail, at rest in the end
    phalanx.Goal("tip", (0.0, -0.13, 2.1), weight=0.2, final=200.0),
    phalanx.Goal("cart_position", final=200.0),
    phalanx.Goal("cart_velocity", final=20.0),
    phalanx.Goal("pole_velocity", weight=1e-3, final=20.0),
]


def plan_swing() -> phalanx.Plan:
    """Two seconds from hanging to standing; the motor has 20 N."""
    model = phalanx.load("cartpole").replace(opt={"timestep": 0.01})
    hanging = model.make_data().reset("home")
    # rocking is a good beginning: a plan that does nothing has no slope
    rocking = 10.0 * np.sin(0.035 * np.arange(200))[:, None]
    return phalanx.ilqr(hanging, GOALS, ctrl=rocking, effort=1e-3, tolerance=1e-3)


def follow(plan: phalanx.Plan, mass: float, is_closed: bool) -> phalanx.Data:
    """The plan, followed with or without feedback by a cart whose pole has another mass."""
    model = plan.model.replace(body_mass=plan.model.body_mass * [1.0, 1.0, mass])
    data = model.make_data().reset("home")
    for step, ctrl in enumerate(plan.ctrl):
        data.ctrl[:] = plan.control(step, data) if is_closed else ctrl
        data.step()
    return data


def main() -> None:
    plan = plan_swing()
    print(plan)
    if find_spec("matplotlib"):
        plan.plot("swing_up.png", sensors=("cart_position", "pole_angle"))

    # a pole that is 5 % heavier than the plan thinks
    for is_closed in (False, True):
        angle = float(follow(plan, 1.05, is_closed).qpos[1])
        print(f"{'with' if is_closed else 'without'} feedback the pole ends {angle:+.2f} rad from upright")

    assert plan.converged and abs(plan.qpos[-1, 1]) < 0.02
    assert abs(angle) < 0.2


if __name__ == "__main__":
    main()
