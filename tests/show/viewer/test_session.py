"""What the user can do with a world, without a page."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx
from phalanx.memory.errors import FieldError, UnknownNameError
from phalanx.show.viewer.arrangement import Layout
from phalanx.show.viewer.batch_world import ManyWorlds
from phalanx.show.viewer.one_world import OneWorld
from phalanx.show.viewer.session import Session
from phalanx.tables.enums import ObjType


@pytest.fixture(scope="module")
def cartpole() -> phalanx.Model:
    return phalanx.load("cartpole")


@pytest.fixture
def session(cartpole) -> Session:
    return Session(OneWorld(cartpole.make_data()))


def run(session: Session, seconds: float, start: float = 0.0) -> float:
    """Let the clock of the wall go on, with frames."""
    now = start
    session.advance(now)
    while now < start + seconds:
        now += 0.01
        while session.advance(now):
            pass
        session.frame()
    return now


def test_a_world_runs_in_real_time_times_the_speed(session):
    run(session, 1.0)
    assert session.world.data.time == pytest.approx(1.0, abs=0.02)
    session.set_speed(0.5)
    run(session, 1.0, 10.0)
    assert session.world.data.time == pytest.approx(1.5, abs=0.04)


def test_a_paused_world_stands_still_and_steps_singly(session):
    session.pause(True)
    run(session, 0.5)
    assert session.world.data.time == 0
    session.single_step(3)
    run(session, 0.1)
    assert session.world.data.time == pytest.approx(3 * session.clock.timestep)
    assert session.is_paused
    session.toggle()
    assert not session.is_paused


def test_reset_and_keyframes(session, cartpole):
    run(session, 0.2)
    session.reset()
    assert session.world.data.time == 0
    name = cartpole.names.names["key"][1]
    session.reset(name)
    np.testing.assert_array_equal(session.world.data.qpos, cartpole.key_qpos[1])
    with pytest.raises(UnknownNameError, match="nokey"):
        session.reset("nokey")


def test_going_back_restores_the_state_of_that_time_exactly(session):
    session.world.data.qpos[1] = 0.3
    session.world.forward()
    run(session, 0.5)
    states = [(session.past.at(t)[0], session.past.at(t)[1]) for t in (0.1, 0.2, 0.4)]
    session.go_to(0.2)
    assert session.is_paused
    time, state = states[1]
    assert session.world.data.time == time == pytest.approx(0.2, abs=0.02)
    np.testing.assert_array_equal(session.world.get_state(), state)
    # going on from there forgets what came after, and repeats it
    session.pause(False)
    run(session, 0.3, 20.0)
    np.testing.assert_array_equal(session.past.at(states[0][0])[1], states[0][1])
    assert session.past.span[1] == session.world.data.time


def test_controls_act_on_the_world(session):
    session.set_control(0, 0.5)
    assert session.world.data.ctrl[0] == 0.5
    run(session, 0.3)
    assert session.world.data.qpos[0] != 0
    session.clear_controls()
    assert session.world.data.ctrl[0] == 0
    with pytest.raises(FieldError, match="control"):
        session.set_control(7, 0.0)
    with pytest.raises(FieldError, match="ctrl"):
        session.set_control(0, float("nan"))


def test_joints_are_set_only_while_the_world_stands_still(session):
    with pytest.raises(FieldError, match="paused"):
        session.set_joint(0, 0.2)
    session.pause(True)
    session.set_joint(1, 0.7)
    assert session.world.data.qpos[1] == 0.7
    # what follows from it is computed
    assert np.abs(session.world.data.xmat[2].reshape(3, 3) - np.eye(3)).max() > 0.1


def test_joints_with_several_coordinates_have_no_slider():
    xml = "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    session = Session(OneWorld(phalanx.Model.from_xml_string(xml).make_data()), is_paused=True)
    with pytest.raises(FieldError, match="several coordinates"):
        session.set_joint(0, 1.0)


def test_a_world_that_blows_up_pauses_and_tells_why(session):
    session.world.data.qvel[0] = 1e9
    for k in range(2000):
        session.advance(0.01 * k)
        session.frame()
        if session.is_paused:
            break
    assert session.is_paused
    assert "qpos" in session.problem or "qvel" in session.problem or "qacc" in session.problem
    # and goes on after a reset
    session.reset()
    assert not session.problem
    session.pause(False)
    run(session, 0.1, 100.0)
    assert session.world.data.time > 0


def test_a_state_that_is_not_finite_is_told_and_shown_after_a_reset(session):
    session.world.data.qpos[0] = np.nan
    session.pause(True)
    session.world.data._store.arrays["geom_xpos"][:] = np.nan
    with pytest.raises(FieldError, match=r"qpos\[0\] is nan"):
        session.frame()
    session.reset()
    assert session.frame().time == 0


def test_cameras(session, cartpole):
    for name in cartpole.names.names["camera"]:
        session.look_through(name)
        assert session.frame().view is not None
    session.look_through("tracking")
    frame = session.frame()
    assert frame.view is None
    assert frame.anchor is not None
    with pytest.raises(UnknownNameError, match="there is no camera 'nowhere'"):
        session.look_through("nowhere")


def test_switches_change_what_is_shown(session):
    before = session.frame()
    session.set_show({"joints": True})
    assert len(session.frame().passing) == len(before.passing) + 2
    session.set_show({"labels": "geom"})
    assert [text for text in session.frame().passing.labels if text]
    with pytest.raises(FieldError, match="did you mean 'joints'"):
        session.set_show({"jionts": True})


def test_plots_are_sampled_with_frames(session):
    session.add_plot("qpos")
    run(session, 0.3)
    ((field, columns),) = session.frame().curves
    assert field.labels == ("qpos[0]", "qpos[1]")
    assert len(columns) == 3
    assert np.all(np.diff(columns[0]) > 0)
    session.clear_plots()
    assert not session.frame().curves
    for _ in range(8):
        session.add_plot("time")
    with pytest.raises(FieldError, match="remove some"):
        session.add_plot("time")


def test_marks_are_drawn(session):
    session.marks.arrow("push", (0, 0, 0), direction=(0, 0, 1))
    assert len(session.frame().passing) == 1


def test_about_the_selected_body(session):
    assert session.frame().about == {}
    session.select(1)
    about = session.frame().about
    assert about["id"] == "1"
    assert about["parent"] == "world"
    with pytest.raises(FieldError, match="body"):
        session.select(99)


FREE = """<mujoco><option gravity="0 0 0"/><worldbody>
  <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  <body name="ghost" mocap="true" pos="1 0 1"><geom size=".1" contype="0" conaffinity="0"/></body>
</worldbody></mujoco>"""


@pytest.fixture
def free() -> Session:
    return Session(OneWorld(phalanx.Model.from_xml_string(FREE).make_data()))


def test_a_spring_pulls_the_body_to_the_mouse(free):
    data = free.world.data
    data.xfrc_applied[1] = 0.001, 0, 0, 0, 0, 0
    free.grab(1, 0, data.xpos[1].copy(), False)
    free.pull(np.array([0.0, 0.5, 1.0]), np.array([1.0, 0, 0]))
    run(free, 4.0)
    assert data.xpos[1, 1] == pytest.approx(0.5, abs=0.02)
    free.release()
    # what the user had applied is back, and nothing else
    np.testing.assert_array_equal(data.xfrc_applied[1], [0.001, 0, 0, 0, 0, 0])
    assert free.handle.body == 1


def test_a_paused_body_moves_with_the_mouse(free):
    data = free.world.data
    free.pause(True)
    free.grab(1, 0, data.xpos[1].copy(), False)
    free.pull(np.array([0.2, 0.3, 1.4]), np.array([1.0, 0, 0]))
    np.testing.assert_allclose(data.qpos[:3], [0.2, 0.3, 1.4], atol=1e-12)


def test_a_paused_body_rotates_with_the_mouse(free):
    data = free.world.data
    free.pause(True)
    free.grab(1, 0, data.xpos[1] + [0.1, 0, 0], True)
    # seen along -x, the mouse goes to +y: a rotation about z
    free.pull(data.xpos[1] + [0.1, 0.05, 0], np.array([1.0, 0, 0]))
    quat = data.qpos[3:7]
    assert quat[3] > 0.1
    np.testing.assert_allclose(quat[1:3], 0, atol=1e-12)


def test_a_mocap_body_is_moved_while_the_world_runs(free):
    data = free.world.data
    free.grab(2, 0, data.xpos[2].copy(), False)
    free.pull(np.array([1.0, 0.7, 1.0]), np.array([1.0, 0, 0]))
    run(free, 0.1)
    np.testing.assert_allclose(data.mocap_pos[0], [1.0, 0.7, 1.0], atol=1e-12)


@pytest.fixture
def many(cartpole) -> Session:
    batch = phalanx.BatchSim(cartpole, 5)
    batch.qpos[:, 1] = np.linspace(-0.2, 0.2, 5)
    return Session(ManyWorlds(batch, 4, Layout.GRID), is_paused=True)


def test_worlds_of_a_batch_stand_side_by_side(many):
    frame = many.frame()
    assert frame.pos.shape[0] == 4
    assert [text for text in frame.passing.labels if text] == ["0", "1", "2", "3"]
    single = many.world.batch.env(2)
    shapes, offset = frame.cast.shapes, many.world.offsets[2]
    row = int(np.flatnonzero(shapes.objtype == ObjType.GEOM)[-1])
    np.testing.assert_allclose(frame.pos[2, row] - offset, single.geom_xpos[shapes.objid[row]], atol=1e-12)


def test_a_click_follows_a_world_and_sliders_act_on_it_alone(many):
    many.select(1, 3)
    assert many.world.followed == 3
    many.set_control(0, 0.4)
    np.testing.assert_array_equal(many.world.batch.ctrl[:, 0], [0, 0, 0, 0.4, 0])
    many.set_joint(1, 0.05)
    np.testing.assert_allclose(many.world.batch.qpos[:, 1], [-0.2, -0.1, 0, 0.05, 0.2])
    with pytest.raises(FieldError, match="world"):
        many.select(1, 4)


def test_all_worlds_go_back_in_time_together(many):
    many.pause(False)
    many.frame()
    run(many, 0.3)
    after = many.world.get_state()
    many.go_to(0.0)
    np.testing.assert_allclose(many.world.batch.time, 0)
    many.pause(False)
    many.single_step(round(after[0] / many.clock.timestep))
    while many.advance(0.0):
        pass
    np.testing.assert_array_equal(many.world.get_state(), after)


def test_an_overlay_is_in_one_place(many):
    many.lay_out(Layout.OVERLAY)
    frame = many.frame()
    assert frame.cast.is_overlay
    assert not many.world.offsets.any()
    assert not [text for text in frame.passing.labels if text]


def test_a_world_of_a_batch_that_blows_up_is_named(many):
    many.world.batch.qvel[2, 0] = 1e12
    many.single_step(50)
    for k in range(50):
        many.advance(0.01 * k)
    assert "world 2" in many.problem
