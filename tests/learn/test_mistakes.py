"""What is wrong with a task is told with its name, the function and the line."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

from phalanx import FieldError, Row, Signal, Task, TaskError
from phalanx.kernels import sqrt, where
from phalanx.learn.task_worlds import TaskWorlds


class Right(Task):
    """A task without mistakes."""

    model = "cartpole"
    observation = (Signal("position", 2, low=-10.0, high=10.0),)
    state = (Row("goal"),)

    def observe(self, m, d, out):
        for i in range(2):
            out[i] = d.qpos[i]

    def reward(self, m, d):
        return 1.0


class MisspelledRow(Right):
    def reward(self, m, d):
        return d.task.gaol  # here


class UnknownAttribute(Right):
    def reward(self, m, d):
        return self.wieght  # here


class TooMany(Right):
    def observe(self, m, d, out):
        for i in range(3):
            out[i] = d.qpos[0]  # here


class Negative(Right):
    def observe(self, m, d, out):
        out[0] = d.qpos[0]
        out[-1] = d.qpos[1]  # here


class TooFew(Right):
    def observe(self, m, d, out):  # here
        out[0] = d.qpos[0]


class OutOfBounds(Right):
    def reward(self, m, d):
        return d.qpos[7]  # here


class Branches(Right):
    def reward(self, m, d):
        if d.qpos[0] > 0.0:  # here
            return 1.0
        return 0.0


class NoResult(Right):
    def reward(self, m, d):  # here
        d.task.goal = 1.0


class Assigns(Right):
    def reward(self, m, d):
        self.last = d.qpos[0]  # here
        return 0.0


class TooEarly(Right):
    def control(self, m, d):
        d.ctrl[0] = d.xpos[1, 0]  # here


class Parameters(Right):
    def reward(self, d):  # here
        return 1.0


class Lists(Right):
    def reward(self, m, d):
        return sum([d.qpos[0], 1.0])  # here


class NoCondition(Right):
    def terminated(self, m, d):  # here
        d.task.goal = 1.0


class Tuples(Right):
    def reward(self, m, d):  # here
        return d.qpos[0], 1.0


class StoredTuple(Right):
    def observe(self, m, d, out):
        out[0] = d.qpos[0], 1.0  # here
        out[1] = 0.0


class NoControl(Right):
    def control(self, m, d):
        d.ctrl[1] = d.action[0]  # here


class NoAction(Right):
    def control(self, m, d):
        d.ctrl[0] = d.action[3]  # here


class RowTooLong(Right):
    state = (Row("pair", 2),)

    def after(self, m, d):
        d.task.pair[2] = 1.0  # here


class WholeRow(Right):
    state = (Row("pair", 2),)

    def begin(self, m, d):
        d.task.pair = 1.0  # here


class NumberOfRow(Right):
    def info(self, m, d):
        d.task.goal[0] = 1.0  # here


class InHelper(Right):
    def cost(self, d):
        return d.qpos.sum()  # here

    def reward(self, m, d):
        return self.cost(d)


class OtherLibrary(Right):
    def reward(self, m, d):
        return np.linalg.norm(d.qpos)  # here


class Draws(Right):
    def reset(self, m, d, rng):
        d.qpos[0] = rng.unifrom(0.0, 1.0)  # here


class NoBody(Right):
    vary = ("body_mass", "opt.gravity")

    def randomize(self, m, d, rng):
        m.opt.gravity[2] = -9.0
        m.body_mass[7] = m.body_mass[1] * rng.uniform(0.5, 1.0)  # here


class BeforeTheFirst(Right):
    vary = ("body_mass",)

    def randomize(self, m, d, rng):
        m.body_mass[-1] = 2.0  # here


class CallsItself(Right):
    def deeper(self, d):
        return self.deeper(d)

    def reward(self, m, d):  # here
        return self.deeper(d)


class Awaits(Right):
    async def reward(self, m, d):  # here
        return 1.0


class Tries(Right):
    def before(self, m, d):
        try:  # here
            d.task.goal = 1.0
        except ValueError:
            d.task.goal = 2.0


class Undeclared(Right):
    state = ()

    def reward(self, m, d):
        return d.task.speed  # here


class Elsewhere(Right):
    def reward(self, m, d):
        return rng.uniform(0.0, 1.0)  # here  # noqa: F821


class DrawsAsNumpy(Right):
    def reward(self, m, d):
        return d.rng.random()  # here


class ChangesTheModel(Right):
    def reset(self, m, d, rng):
        m.body_mass[1] = 2.0  # here


class NamesJoints(Right):
    def reward(self, m, d):
        return d.joint("hinge").qpos[0]  # here


class AsksAbove(Right):
    def reward(self, m, d):
        return super().reward(m, d)  # here


class AsksByName(Right):
    def reward(self, m, d):  # here
        return Right.reward(self, m, d)


@pytest.mark.parametrize(
    "task, function, words",
    [
        (Undeclared, "reward", r'no row \'speed\': declare it, state = \(Row\("speed"\), ...\)'),
        (Elsewhere, "reward", "rng is given to reset and randomize only: write d.rng"),
        (DrawsAsNumpy, "reward", "a random stream has uniform, normal, integer, chance"),
        (ChangesTheModel, "reset", "named in `vary` and changed in `randomize`"),
        (NamesJoints, "reward", r"in `setup`: self.tip = self.model.joint\(...\).id"),
        (AsksAbove, "reward", "`base_reward = Base.reward`"),
        (AsksByName, "reward", "`base_reward = Base.reward`"),
        (NoCondition, "terminated", "must return True or False"),
        (Tuples, "reward", "a tuple of 2 stands where a number is needed"),
        (StoredTuple, "observe", "tuple"),
        (NoControl, "control", "index 1 is out of bounds"),
        (NoAction, "control", "index 3 is out of bounds"),
        (RowTooLong, "after", "index 2 is out of bounds"),
        (WholeRow, "begin", "task.pair is a field"),
        (NumberOfRow, "info", "a number has no elements"),
        (InHelper, "reward", "has no .sum"),
        (OtherLibrary, "reward", "numpy.linalg is not available"),
        (Draws, "reset", "rng.unifrom"),
        (NoBody, "randomize", "index 7 is out of bounds"),
        (BeforeTheFirst, "randomize", "no negative indices"),
        (Tries, "before", "cannot contain try"),
        (MisspelledRow, "reward", "did you mean 'task.goal'"),
        (UnknownAttribute, "reward", "no attribute 'wieght'"),
        (TooMany, "observe", "out has 2 numbers"),
        (Negative, "observe", "negative"),
        (TooFew, "observe", r"does not write out\[1\] \(position\[1\]\)"),
        (OutOfBounds, "reward", "index 7 is out of bounds"),
        (Branches, "reward", "where"),
        (NoResult, "reward", "must return a number"),
        (Assigns, "reward", "is a constant"),
        (TooEarly, "control", "xpos is not computed yet"),
        (Parameters, "reward", r"must take \(self, m, d\)"),
        (Lists, "reward", "a list"),
        (CallsItself, "reward", "calls itself"),
        (Awaits, "reward", "define it with def"),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_a_mistake_is_found_when_worlds_are_made(task, function, words):
    with pytest.raises(TaskError, match=words) as caught:
        TaskWorlds(task(), 9)
    error = caught.value
    assert error.hook == f"{task.__name__}.{function}" and error.file == __file__
    assert "# here" in error.text
    # one who writes a task need not know of hooks
    assert "hook" not in str(error)


class Adds(Right):
    right_reward = Right.reward

    def reward(self, m, d):
        return 2.0 + self.right_reward(m, d)


def test_a_function_of_a_base_class_is_called_by_another_name():
    worlds = TaskWorlds(Adds(), 3)
    worlds.reset()
    worlds.step()
    assert (worlds.reward == 3.0).all()


class Misspelled(Right):
    def randomise(self, m, d, rng):  # here
        d.task.goal = 1.0


class Helped(Right):
    """Methods with names like those of functions, that others call, and one for subclasses."""

    def rewards(self, m, d):
        return 1.0

    def control_cost(self, m, d):
        return 0.0

    def reward(self, m, d):
        return self.rewards(m, d)


def test_a_function_with_a_misspelled_name_is_told():
    with pytest.raises(TaskError, match=r"nothing calls it; did you mean 'randomize'") as caught:
        Misspelled()
    assert caught.value.hook == "Misspelled.randomise" and "# here" in caught.value.text
    Helped()


@pytest.mark.parametrize(
    "attributes, words",
    [
        ({"observation": ()}, "needs `observation`"),
        ({"observation": ("qpos",)}, "Signal"),
        ({"observation": (Signal("a", 2, names=("b",)),)}, "2 numbers, 1 names"),
        ({"state": (Row("a"), Row("a"))}, "Wrong: .* different names"),
        ({"model": "quadruped", "action_count": 3}, "Wrong has action_count: .* set action_size = 1"),
        ({"observe": Task.observe, "state": (Row("x", -1),)}, "Wrong: row x"),
        ({"state": (Row("not a name"),)}, "identifier"),
        ({"frame_skip": 0}, "at least 1"),
        ({"refresh": "all"}, "refresh"),
        ({"action_low": np.zeros(3)}, "has 1 numbers"),
        ({"action_low": 2.5, "action_high": 1.0}, r"action_low \[2.5\] must not be above action_high"),
        ({"action_high": np.nan}, "must not be above"),
        ({"action_size": 2}, "needs a function control"),
        ({"model": None}, "needs a model"),
        ({"model": mujoco.MjModel.from_xml_string("<mujoco/>")}, "not to MjModel: phalanx.Model.from_mujoco takes it"),
        ({"vary": ("body_mas",), "randomize": Right.reward}, "`vary` of Wrong: .* did you mean 'body_mass'"),
        ({"observe": Task.observe}, "needs a function observe"),
        ({"vary": ("body_mass",)}, "randomize"),
        ({"reward": 3.0}, "Wrong.reward must be a function of .* not float"),
        ({"reset": len}, "Wrong.reset must be a function"),
        ({"observation": (Signal("a", 2, low=1.0, high=-1.0),)}, "signal 'a' of Wrong is from 1.0 to -1.0"),
        ({"observation": (Signal("a", 2, low=np.nan),)}, "from nan to inf"),
        ({"observation": (Signal("a", 2, low=[0.0, 1.0]),)}, "two numbers"),
        ({"observation": (Signal("a", 2, high="x"),)}, "bounds of signal 'a' of Wrong takes numbers"),
        ({"observation": (Signal("a", "2"),)}, "signal 'a' of Wrong"),
        ({"observation": (Signal("a", 1.0),)}, "signal 'a' of Wrong"),
        ({"observation": (Signal(3, 2),)}, "are words"),
        ({"observation": (Signal("a", 2, names=(1, 2)),)}, "names of signal 'a' of Wrong"),
        ({"state": (Row(3),)}, "identifier"),
        ({"state": (Row("class"),)}, "identifier"),
        ({"state": (Row("goal", "x"),)}, "shape of whole numbers"),
        ({"state": (Row("goal", (2, 1.5)),)}, "every extent"),
        ({"state": (Row("goal", 10**9),)}, "more than 16777216 numbers"),
        ({"state": (Row("goal", default=np.nan),)}, "default of row goal must be a number"),
        ({"state": (Row("goal", default="x"),)}, "default of row goal must be a number"),
        ({"state": (Row("qpos"),)}, "cannot be called qpos"),
        ({"state": (Row("final_obs", info=True),)}, "cannot be called final_obs"),
        ({"state": (Row("_goal", info=True),)}, "cannot be called _goal"),
    ],
)
def test_declarations_that_do_not_fit_are_refused(attributes, words):
    with pytest.raises(FieldError, match=words):
        _ = type("Wrong", (Right,), attributes)().layout


def test_a_function_without_source_is_told():
    scope = {"Right": Right}
    exec("class Typed(Right):\n    def reward(self, m, d):\n        return 1.0\n", scope)
    with pytest.raises(TaskError, match=r"Typed\.reward: the source of reward is not at hand"):
        TaskWorlds(scope["Typed"](), 2)


def test_an_unknown_parameter_is_refused():
    with pytest.raises(FieldError, match="did you mean 'max_steps'"):
        Right(max_step=3)


class BadNumbers(Right):
    """Becomes NaN where the cart is to the right."""

    observation = (Signal("position", 2), Signal("root"))

    def observe(self, m, d, out):
        for i in range(2):
            out[i] = d.qpos[i]
        out[2] = sqrt(where(d.qpos[0] > 2.0, -1.0, 1.0))

    def reward(self, m, d):
        return 1.0 / where(d.qpos[0] > 1.0, 0.0, 1.0)


@pytest.fixture(scope="module")
def bad():
    return TaskWorlds(BadNumbers(), 9)


@pytest.mark.parametrize(
    "position, words",
    [(1.5, "BadNumbers.reward: returned a number that is NaN or infinite in world 5"), (3.0, "in world 5")],
)
def test_rewards_that_are_no_numbers_are_told(bad, position, words):
    bad.reset()
    bad.step()
    bad.batch.qpos[5, 0] = position
    with pytest.raises(TaskError, match=words) as caught:
        bad.step()
    assert "def reward" in caught.value.text
    bad.reset()
    bad.step()


def test_observations_that_are_no_numbers_are_told(bad):
    bad.reset()
    bad.batch.qpos[3, 0] = 3.0
    with pytest.raises(TaskError, match=r"BadNumbers.observe: wrote NaN or infinity into out\[2\] \(root\) in world 3"):
        bad.look([3])
    bad.reset()


class BadStart(Right):
    """Begins at a place that is no number."""

    def reset(self, m, d, rng):
        d.qpos[1] = sqrt(0.0 - 1.0 - rng.uniform(0.0, 1.0))


def test_beginnings_that_are_no_numbers_are_told():
    with pytest.raises(TaskError, match=r"BadStart.reset: set qpos\[1\] to nan in world 0 at step 0") as caught:
        TaskWorlds(BadStart(), 9).reset()
    assert "def reset" in caught.value.text and caught.value.file == __file__


def test_actions_that_are_no_numbers_are_told(bad):
    bad.reset()
    bad.action[...] = 0
    bad.action[2, 0] = np.nan
    with pytest.raises(FieldError, match=r"action\[0\] is nan in world 2"):
        bad.step()
    # what was caused by it is not told after another step
    bad.action[...] = 0
    bad.reset()
    bad.step()


def test_first_observations_must_be_in_their_space():
    pytest.importorskip("gymnasium")
    task = type("Outside", (Right,), {"observation": (Signal("position", 2, low=1.0, high=2.0),)})
    with pytest.raises(TaskError, match=r"Outside.observe: position\[0\] .* between 1 and 2"):
        task().make_vec(9).reset()
