"""Model predictive control without derivatives: 64 plans at a time, as worlds of a batch, swing a pole up."""

from time import perf_counter

import phalanx

GOALS = [
    phalanx.Goal("tip", (0.0, -0.13, 2.1), weight=1.0, final=1.0),
    phalanx.Goal("cart_position", weight=0.2),
    phalanx.Goal("cart_velocity", weight=0.02),
    phalanx.Goal("pole_velocity", weight=0.02),
]


def main() -> None:
    model = phalanx.load("cartpole")
    data = model.make_data().reset("home")
    controller = phalanx.PredictiveSampling(model, GOALS, horizon=0.7, knots=7, samples=63, noise=0.25, effort=1e-4)
    controller.plan(data)  # compiles, the first time
    controller.reset()

    recorder, began = phalanx.Trajectory.recorder(data), perf_counter()
    while data.time < 4.0:
        # a new plan every 20 ms, from where the cart really is
        controller.plan(data)
        for _ in range(4):
            data.ctrl[:] = controller.control(data.time)
            data.step()
        recorder.capture()
    print(f"{data.time / (perf_counter() - began):.1f} times as fast as real time; {controller}")
    height = data.forward().site("tip").xpos[2]
    print(f"cart at {data.qpos[0]:+.2f} m, tip of the pole at {height:.2f} of 2.1 m")
    phalanx.replay_html(model, recorder.trajectory, "predictive_sampling.html")

    assert height > 2.05


if __name__ == "__main__":
    main()
