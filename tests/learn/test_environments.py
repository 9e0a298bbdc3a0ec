"""Environments of Gymnasium: its checks, automatic resets, seeds, masks, arrays, and nothing allocated in a step."""

from __future__ import annotations

import copy
import ctypes
import pickle
import subprocess
import sys
import tracemalloc
import urllib.request
import webbrowser

import numpy as np
import pytest

from phalanx import FieldError, Row, Signal
from phalanx.learn import ENVS, task_named
from phalanx.learn.tasks.cart_pole import CartPole
from tests.show.browser import browser
from tests.show.viewer_page import HEIGHT, WIDTH, OpenPage, wait_for

gymnasium = pytest.importorskip("gymnasium")

from gymnasium.utils.env_checker import check_env  # noqa: E402
from gymnasium.vector import AutoresetMode  # noqa: E402

N = 12


class Noted(CartPole):
    """A cart-pole that shows in `info` how far it has come, and ends soon."""

    state = (Row("distance", info=True), Row("pair", 2, info=True))
    max_steps = 15
    force = 20.0

    def info(self, m, d):
        d.task.distance = d.qpos[0]
        d.task.pair[0] = d.episode_steps
        d.task.pair[1] = d.action[0]


ACTIONS = np.random.default_rng(5).uniform(-1, 1, (40, N, 1)).astype(np.float32)


def play(envs, steps=40, seed=9):
    """All that an environment returns, step by step."""
    log = [envs.reset(seed=seed)]
    for k in range(steps):
        log.append(envs.step(ACTIONS[k]))
    return log


# --- one world


def sweep(name):
    """A task that would have to be compiled for this alone."""
    return pytest.param(name, marks=pytest.mark.conformance)


ALL = [name if name == "CartPole-v0" else sweep(name) for name in ENVS]


@pytest.fixture
def pages(monkeypatch):
    """Addresses of pages that would be opened in a browser."""
    found = []
    monkeypatch.setattr(webbrowser, "open", found.append)
    return found


@pytest.mark.filterwarnings("ignore:.*(Box|render method|Overriding environment).*:UserWarning")
@pytest.mark.parametrize("name", ALL)
def test_gymnasium_finds_nothing_wrong(name, pages):
    check_env(gymnasium.make(ENVS[name].id).unwrapped)
    assert pages  # both ways of showing worlds were tried


@pytest.mark.parametrize("name", ALL)
def test_every_environment_can_be_seen(name):
    env = gymnasium.make(ENVS[name].id, render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    picture = env.render()
    assert picture.shape == (48, 64, 3) and picture.dtype == np.uint8 and np.ptp(picture) > 0
    env.close()


@pytest.mark.parametrize("name", ALL)
def test_every_environment_of_the_table_is_known_to_gymnasium(name):
    env = gymnasium.make(ENVS[name].id)
    observation, _ = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert env.unwrapped.task.describe() == task_named(name).describe()
    assert all(env.unwrapped.observation_space.names)


@pytest.mark.parametrize(
    "imports, make",
    [
        ("import phalanx, gymnasium", "gymnasium.spec('phalanx/CartPole-v0')"),
        ("import gymnasium", "gymnasium.make('phalanx.learn:phalanx/CartPole-v0').spec"),
    ],
)
def test_names_are_known_however_phalanx_is_imported(imports, make):
    code = f"{imports}\nprint({make}.id, gymnasium.spec('phalanx/Ant-v5').vector_entry_point)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["phalanx/CartPole-v0", "phalanx.learn.gym_envs:make_vector_env"]


def test_environments_are_made_from_names_with_a_module():
    one = gymnasium.make("phalanx.learn:phalanx/CartPole-v0", force=5.0)
    many = gymnasium.make_vec("phalanx.learn:phalanx/CartPole-v0", num_envs=3, force=5.0)
    alone = gymnasium.make_vec("phalanx/CartPole-v0", num_envs=3, vectorization_mode="sync", force=5.0)
    first, expected = many.reset(seed=4)[0], alone.reset(seed=4)[0]
    assert np.array_equal(first, expected) and np.array_equal(first[0], one.reset(seed=4)[0])
    actions = ACTIONS[0, :3]
    assert np.array_equal(many.step(actions)[0], alone.step(actions)[0])
    assert one.unwrapped.task.force == 5.0 and many.spec.id == "phalanx/CartPole-v0"


def test_arguments_that_nobody_has_are_refused():
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'; did you mean 'frame_skip'"):
        gymnasium.make("phalanx/CartPole-v0", frameskip=3)
    with pytest.raises(TypeError, match="'autoreset'; did you mean 'autoreset_mode'"):
        gymnasium.make_vec("phalanx/CartPole-v0", num_envs=2, autoreset="same_step")


def single_episodes(seed, world):
    """What one world alone returns, begun anew as a vector environment does."""
    env = Noted().make()
    log, is_over = [env.reset(seed=seed + world)], False
    for k in range(40):
        if is_over:
            log.append((*env.reset()[:1], 0.0, False, False))
            is_over = False
            continue
        log.append(env.step(ACTIONS[k, world])[:4])
        is_over = log[-1][2] or log[-1][3]
    return log


def test_one_world_and_many_agree_bit_by_bit():
    many = play(Noted().make_vec(N))
    for world in (0, N - 1):
        alone = single_episodes(9, world)
        for step in range(41):
            assert np.array_equal(alone[step][0], many[step][0][world])
            if step:
                assert [float(x) for x in alone[step][1:4]] == [float(x[world]) for x in many[step][1:4]]


# --- automatic resets


def reference(mode):
    """The vector environment of Gymnasium itself, around single environments."""
    envs = gymnasium.vector.SyncVectorEnv([lambda: Noted().make()] * N, autoreset_mode=mode)
    return play(envs)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_vectors_are_those_of_gymnasium(mode):
    ours, theirs = play(Noted().make_vec(N, autoreset_mode=mode)), reference(mode)
    assert sum(step[2].any() for step in ours[1:]) and sum(step[3].any() for step in ours[1:])
    for mine, other in zip(ours, theirs, strict=True):
        for a, b in zip(mine[:-1], other[:-1], strict=True):
            assert np.array_equal(a, b)
        compare_infos(mine[-1], other[-1])


def compare_infos(mine, other):
    for key, values in other.items():
        if key.startswith("_"):
            assert np.array_equal(mine[key], values), key
        elif isinstance(values, dict):
            compare_infos(mine[key], values)
        else:
            mask = other[f"_{key}"]
            for world in np.flatnonzero(mask):
                assert np.array_equal(mine[key][world], values[world]), key


def test_without_automatic_resets_worlds_go_on_until_they_are_reset():
    envs = Noted().make_vec(N, autoreset_mode="disabled")
    log = play(envs, steps=20)
    done = log[-1][2] | log[-1][3]
    assert done.all() and (envs.worlds.episode_steps == 20).all()
    mask = np.arange(N) % 3 == 0
    before = envs.batch.qpos.copy()
    observation, _ = envs.reset(seed=4, options={"reset_mask": mask})
    assert np.array_equal(observation[~mask], log[-1][0][~mask]) and np.array_equal(
        envs.batch.qpos[~mask], before[~mask]
    )
    fresh, _ = Noted().make_vec(N).reset(seed=4)
    assert np.array_equal(observation[mask], fresh[mask])
    assert np.array_equal(envs.worlds.episode_steps, np.where(mask, 0, 20))


@pytest.mark.parametrize("mask", [np.zeros(N, bool), np.ones(3, bool), np.ones(N)])
def test_wrong_masks_are_refused(mask):
    envs = Noted().make_vec(N)
    envs.reset()
    with pytest.raises(FieldError, match="reset_mask"):
        envs.reset(options={"reset_mask": mask})


def test_seeds_are_per_world():
    envs = Noted().make_vec(3)
    seeded, _ = envs.reset(seed=[5, None, 7])
    again, _ = envs.reset(seed=[7, 6, 5])
    assert np.array_equal(seeded[0], again[2]) and np.array_equal(seeded[2], again[0])
    goes_on, _ = envs.reset()
    assert not np.array_equal(goes_on, again)


def test_states_can_be_given():
    envs = Noted().make_vec(3)
    observation, info = envs.reset(seed=0, options={"qpos": [0.1, 0.05], "qvel": np.zeros((3, 2))})
    assert np.allclose(observation, [0.1, 0.05, 0, 0]) and np.allclose(info["distance"], 0.1)
    observation = envs.set_state([1], qpos=[0.2, 0.0])
    assert np.allclose(observation[:, 0], [0.1, 0.2, 0.1])
    with pytest.raises(FieldError, match="did you mean 'qpos'"):
        envs.set_state(qpso=0)
    with pytest.raises(FieldError, match="shape"):
        envs.set_state(qpos=np.zeros(5))


# --- arrays


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_observations_have_the_asked_precision(dtype):
    envs = Noted().make_vec(3, observation_dtype=dtype, dtype="float32")
    observation, _ = envs.reset(seed=0)
    assert observation.dtype == dtype and envs.single_observation_space.dtype == dtype
    assert envs.batch.qpos.dtype == np.float32
    assert envs.observation_space.contains(observation)


def test_without_copies_two_buffers_take_turns():
    envs = Noted().make_vec(N, copy=False)
    first, _ = envs.reset(seed=1)
    second, reward, *_ = envs.step(ACTIONS[0])
    kept = second.copy()
    third, *_ = envs.step(ACTIONS[1])
    assert np.array_equal(second, kept) and np.shares_memory(first, third)
    assert np.shares_memory(reward, envs.worlds.reward)
    # any library takes them as they are
    assert np.shares_memory(np.from_dlpack(third), third)


class Other:
    """An array of another library."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__()

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


@pytest.mark.parametrize("kind", [Other, np.asarray, list, lambda a: a.astype(np.float64), lambda a: a[:, 0]])
def test_actions_come_from_any_library(kind):
    envs, expected = Noted().make_vec(N), Noted().make_vec(N)
    envs.reset(seed=1)
    expected.reset(seed=1)
    assert np.array_equal(envs.step(kind(ACTIONS[0]))[0], expected.step(ACTIONS[0])[0])


@pytest.mark.parametrize("actions", [np.zeros((N, 2)), np.zeros(N - 1), np.full((N, 1), "a")])
def test_actions_of_wrong_shape_are_refused(actions):
    envs = Noted().make_vec(N)
    envs.reset()
    with pytest.raises(FieldError, match="actions of Noted"):
        envs.step(actions)


def test_torch_shares_memory():
    torch = pytest.importorskip("torch")
    envs = Noted().make_vec(N, copy=False)
    observation, _ = envs.reset(seed=1)
    tensor = torch.from_dlpack(observation)
    assert tensor.data_ptr() == observation.ctypes.data
    envs.step(torch.zeros(N, 1, requires_grad=True))


def allocated():
    """Bytes that the C library has given away in this process."""
    words = ("arena", "ordblks", "smblks", "hblks", "hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")
    kind = type("mallinfo2", (ctypes.Structure,), {"_fields_": [(word, ctypes.c_size_t) for word in words]})
    function = getattr(ctypes.CDLL(None), "mallinfo2", None)
    if function is None:
        return 0
    function.restype = kind
    found = function()
    return found.uordblks + found.hblkhd


def other_arrays(kind):
    """Actions of another library."""
    array = np.full((4096, 1), 0.1, np.float32)
    return array if kind == "numpy" else pytest.importorskip(kind).asarray(array)


@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
@pytest.mark.parametrize("kind", ["numpy", "jax.numpy", "torch"])
def test_a_step_of_many_worlds_allocates_nothing(mode, kind):
    actions = other_arrays(kind)
    envs = Noted(max_steps=6).make_vec(4096, copy=False, autoreset_mode=mode)
    envs.reset(seed=0)
    begun = 0
    for _ in range(8):  # memory of contacts and the like grows in the first steps
        envs.step(actions)
    before = allocated()
    tracemalloc.start()
    for _ in range(40):
        *_, info = envs.step(actions)
        begun += envs.worlds.has_begun
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    # small objects of the interpreter come and go; an array of all worlds would be 4 kB of flags, or 32 kB of numbers,
    # and in forty steps forty of them
    assert most < 9_000
    assert allocated() - before < 64_000
    assert (begun > 0) == (mode != "disabled")
    if mode == "same_step":
        assert {"final_obs", "final_info"} <= info.keys() or begun < 40


# --- spaces, pictures, pickles


class Grouped(CartPole):
    """Signals in two groups, and a discrete action."""

    observation = (Signal("position", 2, group="policy"), Signal("velocity", 2, group="critic", unit="m/s"))
    action_count = 3
    action_low = action_high = None

    def control(self, m, d):
        d.ctrl[0] = 5.0 * (d.action[0] - 1.0)


def test_groups_make_a_dict_and_choices_a_discrete_space():
    envs = Grouped().make_vec(3)
    observation, _ = envs.reset(seed=0)
    assert set(observation) == {"policy", "critic"} and observation["critic"].shape == (3, 2)
    assert envs.observation_space.contains(observation) and envs.single_action_space.n == 3
    envs.step(np.array([0, 1, 2]))
    assert np.array_equal(envs.batch.ctrl[:, 0], [-5, 0, 5])
    env = Grouped().make()
    assert env.observation_space.contains(env.reset()[0]) and env.step(2)
    assert "observation['critic'][1]  velocity[1] [m/s]" in env.describe()
    assert env.describe().endswith("action  one of 3 choices, 0 to 2")


def test_worlds_can_be_looked_at():
    envs = Noted().make_vec(2, render_mode="rgb_array", width=32, height=24)
    envs.reset(seed=0)
    pictures = envs.render()
    assert len(pictures) == 2 and pictures[0].shape == (24, 32, 3) and np.ptp(pictures[0]) > 0
    env = Noted().make(render_mode="rgb_array", width=32, height=24)
    env.reset(seed=0)
    assert np.array_equal(env.render(), pictures[0])
    with pytest.raises(FieldError, match="render_mode"):
        Noted().make(render_mode="ansi")


@pytest.mark.parametrize("n", [1, 3])
def test_a_page_shows_worlds_as_they_are(n, pages):
    pytest.importorskip("viser")
    env = Noted().make(render_mode="human") if n == 1 else Noted().make_vec(n, render_mode="human")
    env.reset(seed=0)
    viewer, frames = env._window._viewer, []
    assert pages == [viewer.url] and env.render() is None
    with urllib.request.urlopen(viewer.url) as page:
        assert page.status == 200 and b"<html" in page.read().lower()
    # a frame for each step, if one is due, of where the worlds are now
    offer = viewer._page.offer
    viewer._page.offer = lambda frame: (frames.append(frame), offer(frame))
    for _ in range(3):
        viewer._due = 0.0
        env.step(np.full(env.action_space.shape, 0.5))
    assert len(frames) == 3 and viewer._page.problem is None
    shown = viewer._session.world
    assert shown.data.time == env.batch.time[0] > 0.0
    np.testing.assert_array_equal(shown.batch.geom_xpos[0], shown.data.geom_xpos)
    env.close()
    assert env._window._viewer is None
    with pytest.raises(OSError):
        urllib.request.urlopen(viewer.url, timeout=2)


@pytest.mark.conformance
def test_a_browser_shows_steps(pages):
    env = Noted().make(render_mode="human")
    env.reset(seed=0)
    with browser() as found:
        page = found.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        shown = OpenPage(page, env._window._viewer)
        wait_for(lambda: np.ptp(shown.picture()) > 50)
        first = shown.picture().astype(int)
        moved = 0.0
        for _ in range(200):
            env.set_state(qpos=[0.3, 0.0])
            env.step(np.ones(1))
            moved = np.mean(np.abs(shown.picture().astype(int) - first).max(2) > 8)
            if moved > 0.005:
                break
        assert moved > 0.005 and shown.complaints == []
        page.close()
    env.close()


def test_tasks_pickle():
    task = pickle.loads(pickle.dumps(Noted(max_steps=3)))
    assert task.max_steps == 3 and repr(task) == "Noted(max_steps=3)"


class Drawn(Noted):
    """Noise, gravity that differs between episodes, and a row that stays."""

    state = (*Noted.state, Row("episodes", lasting=True, info=True))
    vary = ("opt.gravity",)

    def randomize(self, m, d, rng):
        m.opt.gravity[2] = rng.uniform(-12.0, -8.0)

    def before(self, m, d):
        d.qfrc_applied[0] = d.rng.normal()

    def begin(self, m, d):
        d.task.episodes = d.task.episodes + 1.0


def same_outcomes(some, others):
    """Is all that two steps return equal, bit for bit?"""
    return gymnasium.utils.env_checker.data_equivalence(tuple(some), tuple(others), exact=True)


@pytest.mark.parametrize("way", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
@pytest.mark.parametrize("options", [{"autoreset_mode": "next_step"}, {"autoreset_mode": "same_step", "copy": False}])
def test_a_copy_of_an_environment_goes_on_by_itself(way, options):
    envs, env = Drawn().make_vec(N, **options), Drawn().make()
    play(envs, steps=18)
    env.reset(seed=3)
    for action in ACTIONS[:7, 0]:
        env.step(action)
    envs.action_space.seed(4)
    others, other = way(envs), way(env)
    assert others.np_random_seed == envs.np_random_seed and other.np_random_seed == 3
    state = envs.batch.qpos.copy(), env.batch.qpos.copy()
    # first one, then the other: neither is moved by the steps of the other
    theirs = [copy.deepcopy(others.step(actions)) for actions in ACTIONS[:20]]
    alone = [other.step(action) for action in ACTIONS[:20, 0]]
    assert np.array_equal(state[0], envs.batch.qpos) and np.array_equal(state[1], env.batch.qpos)
    for k in range(20):
        assert same_outcomes(envs.step(ACTIONS[k]), theirs[k]) and same_outcomes(env.step(ACTIONS[k, 0]), alone[k])
    assert np.array_equal(envs.action_space.sample(), others.action_space.sample())
    assert same_outcomes(envs.reset(), others.reset())


def test_a_copy_of_an_environment_by_name_has_its_pictures():
    env = gymnasium.make("phalanx/CartPole-v0", render_mode="rgb_array_list", width=16, height=16)
    env.reset(seed=0)
    env.step(np.zeros(1))
    other = copy.deepcopy(env)
    other.step(np.zeros(1))
    assert len(other.render()) == 3 and len(env.render()) == 2
    env.close()
    other.close()


def test_steps_come_after_a_reset():
    with pytest.raises(FieldError, match="call reset"):
        Noted().make_vec(2).step(np.zeros((2, 1)))


def test_the_core_does_not_need_gymnasium():
    code = "import sys; sys.modules['gymnasium'] = None\nimport phalanx\ntry:\n    phalanx.learn.register_envs()\n"
    code += "except phalanx.MissingPackageError as error:\n    print(error)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "phalanx[learn]" in done.stdout
