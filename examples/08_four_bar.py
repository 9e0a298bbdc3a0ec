"""A four-bar linkage: closed by a connect, assembled at any crank angle, driven by a motor, saved as plain MJCF."""

import numpy as np

import phalanx
from phalanx import mechanism

LINKS = {"ground": 0.30, "crank": 0.10, "coupler": 0.25, "rocker": 0.20}


def rocker_angle(crank: float) -> float:
    """The rocker in closed form: circles of coupler and rocker cut."""
    gap = LINKS["ground"] - LINKS["crank"] * np.exp(1j * crank)
    length = abs(gap)
    cosine = (length**2 + LINKS["coupler"] ** 2 - LINKS["rocker"] ** 2) / (2 * length * LINKS["coupler"])
    end = LINKS["coupler"] * np.exp(1j * (np.angle(gap) + np.arccos(cosine))) - gap
    return float(np.angle(end))


def main() -> None:
    spec = phalanx.Spec()
    spec.option.gravity = 0, -9.81, 0
    mechanism.add(spec, "fourbar", name="bar", angle=60.0, damping=0.002, **LINKS)
    motor = mechanism.Motor("velocity", kd=0.5, max_torque=2.0)
    motor.attach(spec, "bar_crank", name="drive")
    model = spec.compile()

    # start poses: the crank is held, the loop closes near the pose before
    start, error, qpos = np.radians(60.0), 0.0, np.zeros(3)
    for angle in np.radians([80, 140, 200, 260]):
        pose = phalanx.assemble(model, [angle - start, *qpos[1:]], joints=["bar_coupler", "bar_rocker"])
        qpos = pose.qpos
        rocker = qpos[2] + rocker_angle(start)
        error = max(error, abs(np.angle(np.exp(1j * (rocker - rocker_angle(angle))))))
        print(f"crank {np.degrees(angle):5.1f}°  rocker {np.degrees(rocker):6.2f}°  {pose}")

    # two seconds of motion: the crank goes round, the rocker swings
    data = model.make_data()
    data.ctrl[0] = 2 * np.pi
    swing = []
    for _ in range(1000):
        data.step()
        swing.append(data.qpos[2] + rocker_angle(start))
    print(f"the rocker swings from {np.degrees(min(swing)):.1f}° to {np.degrees(max(swing)):.1f}°")

    assert error < 1e-8
    assert abs(data.qvel[0] - 2 * np.pi) < 0.5


if __name__ == "__main__":
    main()
