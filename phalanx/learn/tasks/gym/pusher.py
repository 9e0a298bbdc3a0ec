"""Push an object to a goal with an arm of seven joints: Pusher-v5."""

from __future__ import annotations

from phalanx.algebra.memory import load3
from phalanx.algebra.number import and_, not_, or_, where
from phalanx.algebra.vector import norm, sub
from phalanx.learn.task_rows import Row, Signal
from phalanx.learn.tasks.gym.gymnasium_task import GymnasiumTask
from phalanx.learn.tasks.signals import position_names, sum_of_squares, velocity_names

#: Joints of the arm.
JOINTS = 7
#: The object begins at least this far from the goal [m].
LEAST_DISTANCE = 0.17
#: How often a place of the object is drawn; all are too near the goal once in 10**10.
DRAWS = 24


class Pusher(GymnasiumTask):
    """The reward is minus the distances of object and goal, and of object and arm, less the cost of controls."""

    xml_file = "pusher_v5.xml"
    frame_skip = 5
    max_steps = 100
    state = (
        Row("reward_dist", info=True, doc="minus the distance of object and goal"),
        Row("reward_near", info=True, doc="minus the distance of object and arm"),
        Row("reward_ctrl", info=True, doc="what controls cost, negative"),
    )
    reward_near_weight = 0.5
    reward_dist_weight = 1.0
    reward_control_weight = 0.1

    def setup(self) -> None:
        """Where tip, object and goal are."""
        self.bodies = tuple(self.model.body(name).id for name in ("tips_arm", "object", "goal"))
        self.observation = (
            Signal("position", JOINTS, names=position_names(self.model)[:JOINTS]),
            Signal("velocity", JOINTS, names=velocity_names(self.model)[:JOINTS]),
            *(Signal(name, 3, names=tuple(f"{name} {axis}" for axis in "xyz"), unit="m")
              for name in ("tip of the arm", "object", "goal")),
        )  # fmt: skip

    def observe(self, m, d, out):
        """The arm, and three places."""
        for i in range(JOINTS):
            out[i] = d.qpos[i]
            out[JOINTS + i] = d.qvel[i]
        for k, body in enumerate(self.bodies):
            for i in range(3):
                out[2 * JOINTS + 3 * k + i] = d.xpos[body, i]

    def reward(self, m, d):
        """Minus distances and effort."""
        tip, piece, goal = load3(d.xpos, self.bodies[0]), load3(d.xpos, self.bodies[1]), load3(d.xpos, self.bodies[2])
        d.task.reward_near = -norm(sub(piece, tip)) * self.reward_near_weight
        d.task.reward_dist = -norm(sub(piece, goal)) * self.reward_dist_weight
        d.task.reward_ctrl = -sum_of_squares(d.action, m.nu) * self.reward_control_weight
        return d.task.reward_dist + d.task.reward_ctrl + d.task.reward_near

    def reset(self, m, d, rng):
        """The object anywhere in a rectangle, but not near the goal."""
        # the first of several places that is far enough; the last one is moved to where all are
        x, y = rng.uniform(-0.3, -LEAST_DISTANCE), rng.uniform(-0.2, 0.2)
        is_found = x > 0.0
        for _ in range(DRAWS):
            new_x, new_y = rng.uniform(-0.3, 0.0), rng.uniform(-0.2, 0.2)
            is_far = new_x * new_x + new_y * new_y > LEAST_DISTANCE * LEAST_DISTANCE
            is_taken = and_(is_far, not_(is_found))
            x, y = where(is_taken, new_x, x), where(is_taken, new_y, y)
            is_found = or_(is_found, is_far)
        d.qpos[m.nq - 4] = x
        d.qpos[m.nq - 3] = y
        d.qpos[m.nq - 2] = 0.0
        d.qpos[m.nq - 1] = 0.0
        for i in range(m.nv - 4):
            d.qvel[i] = d.qvel[i] + rng.uniform(-0.005, 0.005)
