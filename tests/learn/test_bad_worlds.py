"""Worlds whose physics fails are reset and counted, and their files replay in one world with the cause named."""

from __future__ import annotations

import os

import numpy as np
import pytest

from phalanx import FieldError, ModelError, Row, Signal, Task
from phalanx import Model as ModelOf
from phalanx.learn import replay_bad
from phalanx.learn.failure_causes import causes_of

pytest.importorskip("gymnasium")

#: What is wrong with a model -> its XML.
HEAD = '<mujoco><option timestep="0.01"/><worldbody>'
HINGE = '<joint name="hinge" axis="0 1 0" {joint}/><geom type="capsule" size=".02" fromto="0 0 0 0 0 -.5"/>'
MOTOR = "</worldbody><actuator>{motor}</actuator></mujoco>"


def pendulum(joint="", motor='<motor joint="hinge"/>', more=""):
    body = f'<body name="bob">{HINGE.format(joint=joint)}{more}</body>'
    return ModelOf.from_xml_string(HEAD + body + MOTOR.format(motor=motor))


LIGHT = '<body pos="0 0 -.5"><joint name="tip" axis="0 1 0"/><geom size=".001" density="10"/></body>'
CASES = {
    "huge control": pendulum(motor='<motor joint="hinge" gear="1e9"/>'),
    "stiffness": pendulum(motor='<position joint="hinge" kp="1e7"/>'),
}


class Fails(Task):
    """Some worlds fail at the third action, by their own number."""

    observation = (Signal("position"), Signal("velocity"))
    state = (Row("draw"),)
    model = CASES["huge control"]

    def control(self, m, d):
        d.ctrl[0] = where_late(d) * d.action[0]

    def observe(self, m, d, out):
        out[0] = d.qpos[0]
        out[1] = d.qvel[0]

    def reward(self, m, d):
        d.task.draw = d.rng.uniform(0.0, 1.0)
        return d.qvel[0]

    def reset(self, m, d, rng):
        d.qpos[0] = rng.uniform(-0.1, 0.1)


def where_late(d):
    """Nothing happens in the first two actions."""
    from_third = d.episode_steps - 1.5
    return (from_third + abs(from_third)) / (2.0 * abs(from_third))


@pytest.mark.parametrize("mode", ["next_step", "same_step", "disabled"])
def test_a_world_that_fails_is_reset_and_counted(mode):
    envs = Fails().make_vec(9, autoreset_mode=mode)
    envs.reset(seed=0)
    actions = np.zeros((9, 1))
    actions[4] = 10.0
    for _ in range(3):
        observation, reward, terminated, _, info = envs.step(actions)
    assert np.array_equal(np.flatnonzero(info["failed"]), [4]) and np.array_equal(np.flatnonzero(terminated), [4])
    assert np.isfinite(observation).all() and np.isfinite(reward).all() and envs.worlds.failures == 1
    if mode == "disabled":
        assert "qacc" in str(envs.batch.errors[4])
        envs.reset(options={"reset_mask": np.arange(9) == 4})
    for _ in range(2):
        *_, info = envs.step(np.zeros((9, 1)))
    assert "failed" not in info and (np.abs(envs.batch.qpos) < 1).all()


def test_one_world_tells_what_failed():
    env = Fails().make()
    env.reset(seed=0)
    for _ in range(3):
        *_, terminated, _, info = env.step(np.array([10.0]))
    assert terminated and "hinge" in info["failed"] and "bad_files" not in info


def test_files_are_told_world_by_world_and_stay(tmp_path):
    wrappers = pytest.importorskip("gymnasium.wrappers.vector")
    found = []
    for _ in range(2):
        envs = wrappers.DictInfoToList(Fails().make_vec(3, dump_bad=tmp_path, autoreset_mode="same_step"))
        env = Fails().make(dump_bad=tmp_path)
        envs.reset(seed=0)
        env.reset(seed=0)
        for _ in range(3):
            *_, infos = envs.step(np.array([[0.0], [10.0], [0.0]]))
            *_, info = env.step(np.array([10.0]))
        assert "bad_files" not in infos[0] and "world1" in infos[1]["bad_files"].name and infos[1]["failed"]
        found += [infos[1]["bad_files"], info["bad_files"]]
    # a second run does not overwrite those of the first
    assert len({*found}) == 4 and all(replay_bad(path).causes[0].name == "huge control" for path in found)


@pytest.mark.parametrize("cause", CASES)
def test_a_file_replays_and_names_the_cause(tmp_path, cause):
    task = Fails(model=CASES[cause])
    envs = task.make_vec(9, autoreset_mode="same_step", dump_bad=tmp_path, bad_ring=2)
    envs.reset(seed=1)
    actions = np.zeros((9, 1))
    actions[6] = 10.0 if cause == "huge control" else 0.0
    for _ in range(40):
        *_, info = envs.step(actions)
        if "failed" in info:
            break
    path = info["bad_files"][info["failed"]][-1]
    assert path.parent == tmp_path and (cause != "huge control" or "world6" in path.name)
    bad = replay_bad(path, task=task)
    assert bad.error.world == 0 and len(bad.states["action"]) <= 2
    assert bad.causes[0].name == cause and bad.causes[0].score > 1, str(bad)
    assert "hinge" in bad.causes[0].words and "possible causes" in str(bad)


#: What is wrong -> a model in which it is, at rest.
MEASURED = {
    "initial overlap": ModelOf.from_xml_string(
        f'{HEAD}<geom name="floor" type="plane" size="1 1 1"/>'
        '<body pos="0 0 -.1"><freejoint/><geom name="ball" size=".1"/></body></worldbody></mujoco>'
    ),
    "stiffness": pendulum(joint='stiffness="1e6"'),
    "mass ratio": pendulum(more='<body><joint axis="0 1 0" armature="1"/><geom size=".1" mass="1e6"/></body>'),
    "missing armature": pendulum(joint='armature="1"', more=LIGHT),
}


@pytest.mark.parametrize("cause", MEASURED)
def test_causes_are_ranked_by_measurement(cause):
    data = MEASURED[cause].make_data().forward()
    causes = causes_of(MEASURED[cause], data, data)
    assert causes[0].name == cause and causes[0].score > 1, "\n".join(map(str, causes))


class Kicked(Task):
    """A world is hit at the third action, so hard that any model fails."""

    observation = (Signal("position"),)
    action_size = 1
    model = MEASURED["stiffness"]

    def control(self, m, d):
        d.qfrc_applied[0] = 1e19 * where_late(d) * d.action[0]

    def observe(self, m, d, out):
        out[0] = d.qpos[0]

    def reward(self, m, d):
        return 0.0


@pytest.mark.parametrize("cause", MEASURED)
def test_a_file_of_any_model_replays_and_names_what_is_wrong_with_it(tmp_path, cause):
    task = Kicked(model=MEASURED[cause])
    envs = task.make_vec(3, dump_bad=tmp_path, bad_ring=4)
    envs.reset(seed=0)
    for _ in range(4):
        *_, info = envs.step(np.array([[0.0], [1.0], [0.0]]))
        if "failed" in info:
            break
    (path,) = (file for file in info["bad_files"] if file is not None and "world1" in file.name)
    bad = replay_bad(path, task=task)
    assert bad.error.world == 0 and len(bad.states["action"]) == 3
    assert bad.causes[0].name == cause and bad.causes[0].score > 1, str(bad)
    scores = [found.score for found in bad.causes]
    assert scores == sorted(scores, reverse=True) and len(scores) == 5


def test_a_sound_model_has_no_likely_cause():
    model = pendulum()
    data = model.make_data().forward()
    assert all(cause.score < 1 for cause in causes_of(model, data, data))


def test_files_that_do_not_fit_are_refused(tmp_path):
    task = Fails()
    envs = task.make_vec(2, dump_bad=tmp_path)
    envs.reset(seed=1)
    for _ in range(3):
        *_, info = envs.step(np.full((2, 1), 10.0))
    path = info["bad_files"][0]
    assert info["_bad_files"].tolist() == info["failed"].tolist() == [True, True]
    assert replay_bad(path).causes[0].name == "huge control"
    with np.load(path) as file:
        content = dict(file)
    content["about"] = np.array(str(content["about"]).replace(":Fails", ":NoSuchTask"))
    np.savez(tmp_path / "moved.npz", **content)
    with pytest.raises(FieldError, match="task="):
        replay_bad(tmp_path / "moved.npz")
    with pytest.raises(ModelError, match="another model"):
        replay_bad(path, task=Fails(model=CASES["stiffness"]))
    whole = path.read_bytes()
    for cut in (0, 100, len(whole) // 2, len(whole) - 20):
        (tmp_path / "cut.npz").write_bytes(whole[:cut])
        with pytest.raises(ModelError, match="no file of a world"):
            replay_bad(tmp_path / "cut.npz")
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    (tmp_path / "text.npz").write_bytes(b"no file of NumPy")
    with pytest.raises(ModelError, match="it is not readable"):
        replay_bad(tmp_path / "text.npz")
    os.mkfifo(tmp_path / "pipe.npz")
    for name in ("other.npz", "pipe.npz", "missing.npz"):
        with pytest.raises(ModelError, match="no file of a world"):
            replay_bad(tmp_path / name)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dump_bad": 3}, "dump_bad is a folder, not int"),
        ({"dump_bad": "/dev/null/files"}, "cannot be made"),
        ({"dump_bad": ".", "bad_ring": 0}, "bad_ring"),
        ({"dump_bad": ".", "bad_ring": "8"}, "bad_ring"),
    ],
)
def test_a_ring_that_cannot_be_kept_is_refused(options, words):
    with pytest.raises(FieldError, match=words):
        Fails().make_vec(2, **options)
