"""Inverse kinematics: goals reached, limits kept, equal bits in all ways."""

import numpy as np
import pytest

import phalanx
from phalanx.algebra.jit import interpreted
from phalanx.batch.ik_groups import GIVEN, IkGroups
from phalanx.transforms import mat2quat

#: Seven hinges in the manner of common arms, with limits.
ARM7 = (
    "<mujoco><compiler angle='radian'/><worldbody>"
    + "".join(
        f"<body name='b{k}' pos='0 0 .2'><joint name='j{k}' axis='{'0 0 1' if k % 2 == 0 else '0 1 0'}' range='-2 2'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 .2' size='.03'/>"
        for k in range(7)
    )
    + "<site name='tool' pos='0 0 .2'/>"
    + "</body>" * 7
    + "</worldbody></mujoco>"
)


@pytest.fixture(scope="module")
def arm() -> phalanx.Model:
    return phalanx.Model.from_xml_string(ARM7)


def poses_of(model: phalanx.Model, qpos: np.ndarray, site: str = "tool") -> np.ndarray:
    """Poses (n, 7) of a site at joint positions (n, nq)."""
    data, found = model.make_data(), []
    for position in qpos:
        data.qpos[:] = position
        data.run("kinematics")
        found.append(np.concatenate([data.site(site).xpos, mat2quat(data.site(site).xmat)]))
    return np.array(found)


def random_goals(model: phalanx.Model, n: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return poses_of(model, rng.uniform(model.jnt_range[:, 0], model.jnt_range[:, 1], (n, model.nq)))


def test_goals_are_reached_within_the_limits(arm):
    goals = random_goals(arm, 64)
    solution = phalanx.ik(arm, "tool", goals, threads=1)
    assert solution.converged.all()
    assert (solution.qpos >= arm.jnt_range[:, 0]).all() and (solution.qpos <= arm.jnt_range[:, 1]).all()
    # what it says about the errors is what forward kinematics says
    reached = poses_of(arm, solution.qpos)
    distance = np.linalg.norm(reached[:, :3] - goals[:, :3], axis=1)
    np.testing.assert_allclose(solution.position_error[:, 0], distance, atol=1e-14)
    assert (np.abs(np.sum(reached[:, 3:] * goals[:, 3:], axis=1)) > 1.0 - 1e-12).all()


def test_lanes_threads_and_single_problems_have_equal_bits(arm):
    goals = random_goals(arm, 21)
    reference = phalanx.ik(arm, "tool", goals, lanes=1, threads=1)
    for lanes, threads in ((8, 1), (8, 2)):
        other = phalanx.ik(arm, "tool", goals, lanes=lanes, threads=threads)
        for name in ("qpos", "converged", "position_error", "rotation_error", "iterations"):
            np.testing.assert_array_equal(getattr(other, name), getattr(reference, name))
    alone = phalanx.ik(arm, "tool", goals[0])
    np.testing.assert_array_equal(alone.qpos, reference.qpos[0])
    assert isinstance(alone.converged, bool) and alone.iterations == reference.iterations[0]


def test_interpreted_kernels_have_equal_bits(arm):
    goals = random_goals(arm, 2)
    compiled = phalanx.ik(arm, "tool", goals, iterations=6, restarts=0)
    with interpreted():
        plain = phalanx.ik(arm, "tool", goals, iterations=6, restarts=0)
    np.testing.assert_array_equal(plain.qpos, compiled.qpos)
    np.testing.assert_array_equal(plain.position_error, compiled.position_error)


def test_a_pose_out_of_reach_is_approached_and_reported(arm):
    solution = phalanx.ik(arm, "tool", [0.0, 0.0, 5.0], restarts=2)
    assert not solution.converged
    assert solution.position_error[0] == pytest.approx(5.0 - 1.6, abs=1e-6)
    assert "0 of 1 converged" in repr(solution)


def test_positions_alone_leave_the_orientation_free(arm):
    solution = phalanx.ik(arm, "tool", [[0.4, 0.2, 0.8], [0.1, -0.3, 0.9]])
    assert solution.converged.all()
    assert (solution.rotation_error == 0.0).all()


def test_joints_that_may_not_move_stay(arm):
    start, other = np.full(7, 0.3), np.array([0.3, 0.8, -0.4, 1.1, 0.6, 0.3, 0.3])
    goal = poses_of(arm, other[None])[0, :3]
    solution = phalanx.ik(arm, "tool", goal, start=start, joints=["j1", "j2", "j3", "j4"])
    assert solution.converged
    np.testing.assert_array_equal(solution.qpos[[0, 5, 6]], start[[0, 5, 6]])


def test_several_targets_are_reached_together():
    text = """<mujoco><worldbody><body name="base" pos="0 0 1"><freejoint/><geom size=".1"/>
      <body name="left"><joint name="l1" axis="0 1 0"/><joint name="l2" axis="1 0 0"/>
        <geom size=".05" pos="0 .1 -.4"/><site name="left" pos="0 .1 -.4"/></body>
      <body name="right"><joint name="r1" axis="0 1 0"/><joint name="r2" axis="1 0 0"/>
        <geom size=".05" pos="0 -.1 -.4"/><site name="right" pos="0 -.1 -.4"/></body>
    </body></worldbody></mujoco>"""
    model = phalanx.Model.from_xml_string(text)
    data = model.make_data()
    data.qpos[:] = 0.1, 0.2, 0.9, 1, 0, 0, 0.05, 0.3, -0.2, -0.4, 0.1
    data.forward()
    goals = [data.site("left").xpos.copy(), data.site("right").xpos.copy(), [0.1, 0.2, 0.9, 1, 0, 0, 0.05]]
    solution = phalanx.ik(model, ["left", "right", model.body("base")], goals)
    assert solution.converged
    assert solution.labels == ("site 'left'", "site 'right'", "body 'base'")
    data.qpos[:] = solution.qpos
    data.forward()
    np.testing.assert_allclose(data.site("left").xpos, goals[0], atol=2e-6)
    np.testing.assert_allclose(data.body("base").xpos, goals[2][:3], atol=2e-6)


def test_ball_joints_keep_their_cones():
    text = """<mujoco><compiler angle="radian"/><worldbody><body><joint type="ball" range="0 0.5"/><geom size=".1"/>
      <site name="tip" pos="0 0 1"/></body></worldbody></mujoco>"""
    model = phalanx.Model.from_xml_string(text)
    near = phalanx.ik(model, "tip", [np.sin(0.4), 0.0, np.cos(0.4)])
    far = phalanx.ik(model, "tip", [1.0, 0.0, 0.0], restarts=3)
    assert near.converged and not far.converged
    assert 2.0 * np.arccos(far.qpos[0]) == pytest.approx(0.5, abs=1e-6)


FOUR_BAR = """<mujoco><worldbody>
  <body name="crank"><joint name="crank" axis="0 1 0"/><geom size=".02"/>
    <body name="coupler" pos="0 0 .1"><joint name="knee" axis="0 1 0"/><geom size=".02"/>
      <site name="end" pos=".3 0 0"/></body></body>
  <body name="rocker" pos=".3 0 0"><joint name="rocker" axis="0 1 0"/><geom size=".02"/>
    <site name="tip" pos="0 0 .15"/></body></worldbody>
  <equality><connect name="loop" site1="end" site2="tip"/></equality></mujoco>"""


def test_loops_stay_closed():
    model = phalanx.Model.from_xml_string(FOUR_BAR)
    goal = phalanx.ik(model, "tip", [0.35, 0.0, 0.1], iterations=200)
    assert goal.labels == ("site 'tip'", "connect loop")
    assert goal.position_error[1] < 0.1
    # the rocker can reach a point of its circle, and the loop closes there
    angle = 0.3
    point = [0.3 + 0.15 * np.sin(angle), 0.0, 0.15 * np.cos(angle)]
    closed = phalanx.ik(model, "tip", point)
    assert closed.converged and closed.qpos[2] == pytest.approx(angle, abs=1e-5)
    open_loop = phalanx.ik(model, "tip", point, loops=False)
    assert open_loop.labels == ("site 'tip'",) and open_loop.qpos[1] == 0.0


def test_coupled_joints_stay_coupled():
    text = """<mujoco><worldbody><body><joint name="a" axis="0 1 0"/><geom size=".1"/>
      <body pos=".5 0 0"><joint name="b" axis="0 1 0"/><geom size=".1"/><site name="tip" pos=".5 0 0"/></body></body>
      </worldbody><equality><joint name="tie" joint1="b" joint2="a" polycoef="0.1 2 0 0 0"/></equality></mujoco>"""
    model = phalanx.Model.from_xml_string(text)
    data = model.make_data()
    data.qpos[:] = 0.3, 0.7
    goal = data.forward().site("tip").xpos.copy()
    solution = phalanx.ik(model, "tip", goal)
    assert solution.converged
    np.testing.assert_allclose(solution.qpos[1], 0.1 + 2.0 * solution.qpos[0], atol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        (("tol", [0, 0, 1]), phalanx.UnknownNameError, "did you mean 'tool'"),
        (("tool", [0, 0]), phalanx.FieldError, "has shape"),
        (("tool", [0, 0, np.nan]), phalanx.FieldError, "finite"),
        (("tool", [0, 0, 1, 0, 0, 0, 0]), phalanx.FieldError, "quaternion"),
        ((["tool"], [[0, 0, 1], [0, 0, 1]]), phalanx.FieldError, "1 targets, 2 poses"),
    ],
)
def test_bad_targets_are_named(arm, arguments, error, words):
    with pytest.raises(error, match=words):
        phalanx.ik(arm, *arguments)


def test_bad_settings_are_named(arm):
    for settings, words in (
        ({"start": [0, 0]}, "start has shape"),
        ({"weights": (0, 0)}, "not all zero"),
        ({"tolerance": 0.1}, "tolerance is two numbers"),
        ({"lanes": 3}, "lanes is 1, 2"),
        ({"joints": "j1"}, "a list of names"),
    ):
        with pytest.raises(phalanx.FieldError, match=words):
            phalanx.ik(arm, "tool", [0, 0, 1], **settings)


def test_rows_that_are_given_and_found_do_not_share_memory(arm):
    goals = random_goals(arm, 3)
    start = np.zeros((3, 7))
    phalanx.ik(arm, "tool", goals, start=start)
    assert (start == 0.0).all()
    assert set(GIVEN) == {"qpos", "goal_pos", "goal_quat"} and IkGroups.__doc__
