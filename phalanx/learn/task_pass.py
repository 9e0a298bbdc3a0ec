"""The pass of a task over a lane group: physics, observation, reward, termination, time limit, resets.

A world that begins anew is computed beside its neighbors: the functions of the user run in all lanes, and then the
worlds where no episode begins get back what they had. So functions are written as for one world, and what a world does
never depends on its neighbors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from phalanx.algebra.generated import define
from phalanx.algebra.jit import Kernel, kernel
from phalanx.algebra.number import and_, any_, lane_count, lane_get, not_, or_, where
from phalanx.algebra.number_type import NumberType
from phalanx.algebra.sharing import shared_set
from phalanx.batch.binding import KEPT
from phalanx.batch.board import DATA, DONE, FIELDS, FOUND, OP, ORDER, TRANSFER, WORLDS
from phalanx.batch.group import group_loop, has_bad_control, load_field, store_field
from phalanx.batch.pattern import note_pattern
from phalanx.learn.task_functions import FrozenTask
from phalanx.learn.task_models import derives, kept_rows
from phalanx.learn.task_rows import TaskLayout
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.pipeline.constants import constants_at_qpos0, constants_fixed, constants_inertia
from phalanx.pipeline.forward import forward, move
from phalanx.pipeline.initial_state import initial_state_where
from phalanx.pipeline.requested import requested_rows
from phalanx.pipeline.step import steps
from phalanx.tables.field import Field
from phalanx.tables.sizes import extent_of

#: Operations.
STEP, RESET, LOOK = range(3)
#: When episodes begin anew: at the next step, in the same one, or when the user says so.
NEXT_STEP, SAME_STEP, DISABLED = range(3)
#: What `outcome.bad` says: nothing, or what was not a number; from BAD_OBSERVATION on, which number of it.
FINE, BAD_REWARD, BAD_ACTION, BAD_OBSERVATION = range(4)
#: What is computed at the new state before rewards and observations.
STALE, POSITION_VELOCITY, FORWARD = range(3)

#: Columns of the transfer table, the first as those of a batch; strides count numbers of the array outside. When a row
#: is stored is told for each operation, in their order.
WORLD_ADDRESS, LANE_ADDRESS, NUMBERS, WORLD_STRIDE, LOADED, STORED, RESET_STORED, LOOK_STORED, ELEMENT = range(9)
#: Which lanes are stored: none, all, or those where an episode begins.
NEVER, ALL, CHOSEN = range(3)
#: Elements of the array outside, and of the lane field; MODEL: doubles outside, of a row of the Model.
NUMBER, WHOLE, SINGLE, DOUBLE, BYTE, LONG, MODEL = range(7)


class PassOptions(NamedTuple):
    """What decides the code of a pass, beside the functions.

    Attributes:
        refresh: STALE, POSITION_VELOCITY or FORWARD.
        requests: rows that functions read and a step does not always compute (`tables/requests.py`).
    """

    refresh: int
    requests: int


class Pass(NamedTuple):
    """Kernels of (m, d, t, nominal, pose), and of (m, d, t) what they are made of.

    `t` is `d` with the rows of the task; `nominal` is the Model without changes, `pose` a Data for constants of `m`.

    Attributes:
        step, reset, look: the operations.
        act: one action, and what comes of it.
        begin: a new episode in the chosen worlds.
        choose: of (t), before worlds are reset that the caller has chosen.
        keep, undo: note a world, and bring it back: for worlds that are changed in place and may lack memory.
    """

    step: Kernel
    reset: Kernel
    look: Kernel
    act: Kernel
    begin: Kernel
    choose: Kernel
    keep: Kernel
    undo: Kernel


# --- a world that may be reset


def _elements(layout: TaskLayout) -> Iterator[tuple[list[str], str, str]]:
    """Loops over the elements of each row that is restored, the element, and the indentation inside."""
    kept = [("d", DATA_SCHEMA.fields[name]) for name in KEPT]
    for owner, row in (*kept, *(("t", row) for row in layout.restored)):
        lines, element = _loops(owner, row)
        yield lines, element, "    " * (len(row.shape) + 1)


def _loops(owner: str, row: Field, prefix: str = "") -> tuple[list[str], str]:
    extents = [extent_of(axis) for axis in row.shape]
    lines = [f"{'    ' * (axis + 1)}for i{axis} in range({extent}):" for axis, extent in enumerate(extents)]
    indices = ", ".join(f"i{axis}" for axis in range(len(row.shape)))
    return lines, f"{owner}.{prefix}{row.name}[{indices}]" if indices else f"{owner}.{prefix}{row.name}"


def _model_elements(layout: TaskLayout) -> Iterator[tuple[list[str], str, str]]:
    """The same of fields of the Model that differ by world; they are kept behind the others."""
    for row in layout.varied.values():
        lines, element = _loops("m", row, prefix="opt." if _is_option(layout, row) else "")
        yield lines, element, "    " * (len(row.shape) + 1)


def _save_source(layout: TaskLayout) -> Iterator[str]:
    yield "def save(m, d, t):"
    yield '    """Keep state, inputs, rows and the model of all worlds."""'
    yield "    k = 0"
    for lines, element, indent in (*_elements(layout), *_model_elements(layout)):
        yield from lines
        yield f"{indent}t.outcome.saved[k] = {element}"
        yield f"{indent}k = k + 1"


def _nominal_source(layout: TaskLayout) -> Iterator[str]:
    yield "def to_nominal(m, nominal, chosen):"
    yield '    """Numbers of the model as they are without changes, where an episode begins."""'
    yield "    nothing = 0"
    for lines, element, indent in _model_elements(layout):
        yield from lines
        yield f"{indent}{element} = where(chosen, nominal{element[1:]}, {element})"


def _restore_model_source(layout: TaskLayout) -> Iterator[str]:
    yield "def restore_model(m, t, chosen):"
    yield '    """Give back the models that were kept, where no episode begins."""'
    yield f"    k = {layout.saved} - ({_count_of_models(layout) or 0})"
    for lines, element, indent in _model_elements(layout):
        yield from lines
        yield f"{indent}{element} = where(chosen, {element}, t.outcome.saved[k])"
        yield f"{indent}k = k + 1"


def _kept_source(layout: TaskLayout) -> Iterator[str]:
    yield "def to_nominal_inputs(m, nominal):"
    yield '    """Rows that constants are computed into and from, as the model has them."""'
    yield "    nothing = 0"
    for name in kept_rows(tuple(layout.varied)):
        row = MODEL_SCHEMA.fields[name]
        lines, element = _loops("m", row)
        yield from lines
        yield f"{'    ' * (len(row.shape) + 1)}{element} = nominal{element[1:]}"


def _count_of_models(layout: TaskLayout) -> str:
    """How many numbers of the Model differ by world, as an expression."""
    shapes = [[axis if isinstance(axis, int) else f"m.{axis}" for axis in row.shape] for row in layout.varied.values()]
    return " + ".join(" * ".join(map(str, shape)) or "1" for shape in shapes)


def _is_option(layout: TaskLayout, row: Field) -> bool:
    return any(name.startswith("opt.") for name, field in layout.varied.items() if field is row)


def _restore_source(layout: TaskLayout) -> Iterator[str]:
    yield "def restore(m, d, t, chosen):"
    yield '    """Give back what was kept, where no episode begins."""'
    yield "    k = 0"
    for lines, element, indent in _elements(layout):
        yield from lines
        yield f"{indent}{element} = where(chosen, {element}, t.outcome.saved[k])"
        yield f"{indent}k = k + 1"


def _begin_source(layout: TaskLayout) -> Iterator[str]:
    yield "def begin_rows(t, chosen):"
    yield '    """Rows of the task as an episode begins."""'
    defaults = {f"task.{row.name}": row.default for row in layout.rows}
    lasting = {f"task.{row.name}" for row in layout.rows if row.lasting}
    rows = [row for row in layout.restored if row.name not in lasting and not row.name.startswith("outcome.")]
    for row in rows:
        lines, element = _loops("t", row)
        yield from lines
        indent = "    " * (len(row.shape) + 1)
        yield f"{indent}{element} = where(chosen, {float(defaults.get(row.name, 0.0))!r}, {element})"


def _final_source(layout: TaskLayout) -> Iterator[str]:
    yield "def keep_final(t):"
    yield '    """What is shown of an episode that ends."""'
    yield f"    for i in range({layout.nobs}):"
    yield "        t.outcome.final_observation[i] = t.outcome.observation[i]"
    yield "    t.outcome.final_steps = t.episode_steps"
    yield "    t.outcome.final_total = t.episode_return"
    for row in layout.rows:
        if row.info:
            lines, element = _loops("t", layout.fields[f"task.{row.name}"])
            yield from lines
            yield f"{'    ' * (len(row.extents) + 1)}{element.replace('t.task.', 't.final.', 1)} = {element}"


def _written(lines: Iterator[str], name: str) -> Kernel:
    return kernel(define("\n".join(lines) + "\n", {"where": where}, name))


# --- the pass


@kernel
def absent(m, d):
    """Stands for a function that the task does not have; never called."""


def build_pass(frozen: FrozenTask, layout: TaskLayout, options: PassOptions) -> Pass:
    """The kernels of a task. Interpreted they run as they are."""
    save, restore = _written(_save_source(layout), "save"), _written(_restore_source(layout), "restore")
    begin_rows, keep_final = (
        _written(_begin_source(layout), "begin_rows"),
        _written(_final_source(layout), "keep_final"),
    )
    # which functions there are is known when compiling: those that are not leave nothing behind
    user = frozen.kernels
    has_before, has_control, has_after = "before" in user, "control" in user, "after" in user
    has_terminated, has_info, has_reset = "terminated" in user, "info" in user, "reset" in user
    has_begin, has_randomize, has_derived = "begin" in user, "randomize" in user, derives(tuple(layout.varied))
    before, control, after, info, terminated, reset, begin, randomize = (
        user.get(name, absent)
        for name in ("before", "control", "after", "info", "terminated", "reset", "begin", "randomize")
    )
    to_nominal = _written(_nominal_source(layout), "to_nominal")
    restore_model = _written(_restore_model_source(layout), "restore_model")
    to_nominal_inputs = _written(_kept_source(layout), "to_nominal_inputs")
    reward, observe = user["reward"], user["observe"]
    refresh, requests = options
    nobs, naction = layout.nobs, layout.naction

    @kernel
    def compute_requests(m, d):
        """Rows that steps do not always compute, of what was computed last."""
        if requests != 0:
            former = d.requests
            d.requests = former | requests
            requested_rows(m, d)
            d.requests = former

    @kernel
    def simulate(m, d, t):
        """The physics of one action. Returns whether it lacks memory or code."""
        if has_before:
            before(m, t)
        if has_control:
            for _ in range(t.outcome.frame_skip):
                control(m, t)
                steps(m, d, 1)
                if lacks_memory(d):
                    return True
        else:
            # one action for all substeps
            for i in range(m.nu):
                t.ctrl[i] = t.action[i]
            steps(m, d, t.outcome.frame_skip)
            if lacks_memory(d):
                return True
        note_pattern(d)
        if refresh == POSITION_VELOCITY:
            move(m, d, m.nsensor > 0, False)
        elif refresh == FORWARD:
            forward(m, d)
        if lacks_memory(d):
            return True
        compute_requests(m, d)
        if has_after:
            after(m, t)
        return lacks_memory(d)

    @kernel
    def look(m, t, is_trusted):
        """The observation; a number of it that is none is noted, except in worlds that are not trusted."""
        observe(m, t)
        for i in range(nobs):
            x = t.outcome.observation[i]
            is_number = x - x == 0.0
            is_first = and_(and_(is_trusted, not_(is_number)), t.outcome.bad == 0.0)
            t.outcome.bad = where(is_first, float(BAD_OBSERVATION + i), t.outcome.bad)
            t.outcome.observation[i] = where(is_number, x, 0.0)

    @kernel
    def assess(m, t):
        """Reward, end of the episode, observation."""
        is_sound = t.error_code == 0.0
        gain = reward(m, t) + 0.0 * t.rng.zero
        is_number = gain - gain == 0.0
        # an action that is no number is the cause, not the reward that was computed from it
        is_first = and_(and_(is_sound, not_(is_number)), t.outcome.bad == 0.0)
        t.outcome.bad = where(is_first, float(BAD_REWARD), t.outcome.bad)
        gain = where(is_number, gain, 0.0)
        is_end = not_(is_sound)
        if has_terminated:
            is_end = or_(is_end, terminated(m, t))
        if has_info:
            info(m, t)
        t.episode_steps = t.episode_steps + 1.0
        t.episode_return = t.episode_return + gain
        is_late = and_(t.episode_steps >= float(t.outcome.most_steps), t.outcome.most_steps > 0)
        look(m, t, is_sound)
        t.outcome.reward = gain
        t.outcome.failed = t.error_code + 0.0 * t.rng.zero
        t.outcome.terminated = where(is_end, 1.0, 0.0)
        t.outcome.truncated = where(is_late, 1.0, 0.0)
        for i in range(naction):
            t.last_action[i] = t.action[i]

    @kernel
    def keep_counters(t):
        """Note how far the random streams are."""
        count = lane_count(t.rng.zero)
        for world in range(count):
            t.rng.state[2 * count + world] = t.rng.state[count + world]

    @kernel
    def restore_counters(t, chosen):
        """Put the random streams back where no episode begins."""
        count = lane_count(t.rng.zero)
        for world in range(count):
            if not lane_get(chosen, world):
                t.rng.state[count + world] = t.rng.state[2 * count + world]

    @kernel
    def observe_anew(m, d, t, chosen):
        """Forward dynamics and the observation of it where `chosen` holds; other worlds get back what was saved."""
        forward(m, d)
        if lacks_memory(d):
            return True
        compute_requests(m, d)
        if lacks_memory(d):
            return True
        if has_begin:
            begin(m, t)
        if has_info:
            info(m, t)
        look(m, t, chosen)
        restore(m, d, t, chosen)
        restore_counters(t, chosen)
        return False

    @kernel
    def change_models(m, t, nominal, pose, chosen):
        """Other numbers of the Model where an episode begins, and what follows from them."""
        to_nominal(m, nominal, chosen)
        randomize(m, t)
        restore_model(m, t, chosen)
        derive_models(m, nominal, pose)

    @kernel
    def derive_models(m, nominal, pose):
        """Constants of models; the same inputs give the same ones again where nothing has changed."""
        if has_derived:
            to_nominal_inputs(m, nominal)
            constants_fixed(m, m, pose)
            constants_at_qpos0(m, m, pose)
            constants_inertia(m, m, pose)

    @kernel
    def begin_episodes(m, d, t, nominal, pose):
        """A new episode where `outcome.chosen` says so. Returns whether it lacks memory or code."""
        chosen = t.outcome.chosen != 0.0
        keep(m, d, t)
        if has_randomize:
            change_models(m, t, nominal, pose, chosen)
        d.is_reset = t.outcome.chosen
        initial_state_where(m, d)
        begin_rows(t, chosen)
        d.error_code = where(chosen, 0.0, d.error_code + 0.0)
        if has_reset:
            reset(m, t)
        is_short = observe_anew(m, d, t, chosen)
        if has_randomize and is_short:
            # the pass is repeated, with the models that it began with
            restore_model(m, t, t.rng.zero != 0.0)
            derive_models(m, nominal, pose)
        return is_short

    @kernel
    def keep(m, d, t):
        """Note all worlds as they are."""
        save(m, d, t)
        keep_counters(t)

    @kernel
    def undo(m, d, t):
        """All worlds as they were noted, except for their models."""
        nowhere = t.rng.zero != 0.0
        restore(m, d, t, nowhere)
        restore_counters(t, nowhere)

    @kernel
    def look_pass(m, d, t, nominal, pose):
        """The observation at the present state, in the chosen worlds. Returns whether it lacks memory or code."""
        t.outcome.bad = float(FINE)
        if not any_(t.outcome.chosen != 0.0):
            return False
        keep(m, d, t)
        return observe_anew(m, d, t, t.outcome.chosen != 0.0)

    @kernel
    def check_actions(t):
        """Note actions that are no numbers."""
        t.outcome.bad = float(FINE)
        for i in range(naction):
            x = t.action[i]
            t.outcome.bad = where(x - x == 0.0, t.outcome.bad, float(BAD_ACTION))

    @kernel
    def clear(t):
        """No outcome where an episode begins."""
        chosen = t.outcome.chosen != 0.0
        t.outcome.reward = where(chosen, 0.0, t.outcome.reward)
        t.outcome.terminated = where(chosen, 0.0, t.outcome.terminated)
        t.outcome.truncated = where(chosen, 0.0, t.outcome.truncated)
        t.outcome.failed = where(chosen, 0.0, t.outcome.failed)
        t.outcome.bad = where(chosen, float(FINE), t.outcome.bad)

    @kernel
    def act(m, d, t):
        """One action in all worlds, and in which an episode begins then. Returns whether it lacks memory or code."""
        autoreset = t.outcome.autoreset
        check_actions(t)
        # worlds whose episode is over do not act: what they did beside the others is forgotten
        has_ended = False
        if autoreset == NEXT_STEP:
            has_ended = any_(t.outcome.done != 0.0)
        if has_ended:
            keep(m, d, t)
        if simulate(m, d, t):
            return True
        assess(m, t)
        t.outcome.chosen = where(t.outcome.done != 0.0, 1.0, 0.0) if autoreset == NEXT_STEP else 0.0 * t.rng.zero
        if has_ended:
            acted = t.outcome.chosen == 0.0
            restore(m, d, t, acted)
            restore_counters(t, acted)
        if autoreset == NEXT_STEP:
            clear(t)
        is_done = or_(t.outcome.terminated != 0.0, t.outcome.truncated != 0.0)
        t.outcome.done = where(is_done, 1.0, 0.0)
        if autoreset == SAME_STEP:
            t.outcome.chosen = t.outcome.done
            if any_(t.outcome.chosen != 0.0):
                keep_final(t)
        return False

    @kernel
    def step_pass(m, d, t, nominal, pose):
        """One action in all worlds of a group. Returns whether it lacks memory or code."""
        if act(m, d, t):
            return True
        if not any_(t.outcome.chosen != 0.0):
            return False
        return begin_episodes(m, d, t, nominal, pose)

    @kernel
    def choose(t):
        """No outcome of the episodes that are cut off."""
        t.outcome.bad = float(FINE)
        clear(t)
        t.outcome.done = where(t.outcome.chosen != 0.0, 0.0, t.outcome.done)

    @kernel
    def reset_pass(m, d, t, nominal, pose):
        """A new episode in the chosen worlds of a group. Returns whether it lacks memory or code."""
        choose(t)
        if not any_(t.outcome.chosen != 0.0):
            return False
        return begin_episodes(m, d, t, nominal, pose)

    return Pass(step_pass, reset_pass, look_pass, act, begin_episodes, choose, keep, undo)


# --- lane groups


def build_entry(passes: Pass, layout: TaskLayout, number: NumberType, varied: bool) -> Callable[..., int]:
    """The function of an entry that runs a task in lane groups."""
    from phalanx.learn.task_view import task_data_at
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    # arrays of the user and of the lane group, which the transfer table points to
    width = number.worlds
    # a Model that is changed in the pass must not be taken as constant
    has_randomize = bool(layout.varied)
    model_at = view_at("model", number if varied else number.one_world, constant=not has_randomize)
    data_at, task_at = view_at("data", number, constant=False), task_data_at(layout, number)
    integers_at = array_at("int64", alias="batch.models", constant=True)
    transfer_at = array_at("int64", (ELEMENT + 1,), "batch.transfer", constant=True)
    numbers_at, longs_at, bytes_at = array_at(number.base), array_at("int64"), array_at("uint8")
    singles_at, doubles_at, integers32_at = array_at("float32"), array_at("float64"), array_at("int32")
    wholes_at = array_at(number.base if number.width > 1 else "int32")
    step_pass, reset_pass, look_pass = passes.step, passes.reset, passes.look

    @kernel
    def store_lane(world, lane, transfer, row, order, first, nworld, t):
        """A lane field into the worlds of a group, all of them or those where an episode begins."""
        numbers, stride = transfer[row, NUMBERS], transfer[row, WORLD_STRIDE]
        chosen = t.outcome.chosen != 0.0
        for w in range(min(width, nworld - first)):
            if lane_get(chosen, w):
                target = order[first + w] * stride
                for k in range(numbers):
                    world[target + k] = lane[k * width + w]

    @kernel
    def load_rows(transfer, nfield, order, first, nworld):
        """What goes in."""
        for row in range(nfield):
            if transfer[row, LOADED] != NEVER:
                world, lane, element = transfer[row, WORLD_ADDRESS], transfer[row, LANE_ADDRESS], transfer[row, ELEMENT]
                place = (transfer, row, 0, order, first, nworld, width)
                if element == WHOLE:
                    load_field(integers32_at(world), wholes_at(lane), *place)
                elif element == LONG:
                    load_field(longs_at(world), longs_at(lane), *place)
                elif element == BYTE:
                    load_field(bytes_at(world), numbers_at(lane), *place)
                else:
                    load_field(numbers_at(world), numbers_at(lane), *place)

    @kernel
    def store_all(transfer, row, order, first, nworld):
        """A row of all worlds of the group."""
        world, lane, element = transfer[row, WORLD_ADDRESS], transfer[row, LANE_ADDRESS], transfer[row, ELEMENT]
        place = (transfer, row, 0, order, first, nworld, width)
        if element == NUMBER:
            store_field(numbers_at(world), numbers_at(lane), *place)
        elif element == SINGLE:
            store_field(singles_at(world), numbers_at(lane), *place)
        elif element == DOUBLE:
            store_field(doubles_at(world), numbers_at(lane), *place)
        elif element == BYTE:
            store_field(bytes_at(world), numbers_at(lane), *place)
        elif element == WHOLE:
            store_field(integers32_at(world), wholes_at(lane), *place)
        else:
            store_field(longs_at(world), longs_at(lane), *place)

    @kernel
    def store_chosen(transfer, row, lane, order, first, nworld, t):
        """A row of the worlds where an episode begins."""
        world, element = transfer[row, WORLD_ADDRESS], transfer[row, ELEMENT]
        place = (transfer, row, order, first, nworld, t)
        if element == NUMBER:
            store_lane(numbers_at(world), numbers_at(lane), *place)
        elif element == SINGLE:
            store_lane(singles_at(world), numbers_at(lane), *place)
        elif element in (DOUBLE, MODEL):
            store_lane(doubles_at(world), numbers_at(lane), *place)
        elif element == BYTE:
            store_lane(bytes_at(world), numbers_at(lane), *place)
        elif element == WHOLE:
            store_lane(integers32_at(world), wholes_at(lane), *place)
        else:
            store_lane(longs_at(world), longs_at(lane), *place)

    @kernel
    def run_group(models, t, board, place, group, until):
        """Load, run and store one lane group. Returns whether it lacks memory or code; then nothing was stored."""
        transfer, order = transfer_at(board[place + TRANSFER]), integers_at(board[place + ORDER])
        nfield, nworld, op = board[place + FIELDS], board[place + WORLDS], board[OP]
        m, d, first = model_at(models[group]), data_at(board[place + DATA]), group * width
        nominal, pose = m, d
        if has_randomize:
            nominal, pose = model_at(t.outcome.nominal_address), data_at(t.outcome.pose_address)
        d.error_code = 0.0
        d.absent_part = 0
        load_rows(transfer, nfield, order, first, nworld)
        if op == STEP:
            is_short = step_pass(m, d, t, nominal, pose)
        elif op == RESET:
            is_short = reset_pass(m, d, t, nominal, pose)
        else:
            is_short = look_pass(m, d, t, nominal, pose)
        if is_short:
            return True
        # from here on nothing can be missing
        column = STORED + op
        has_chosen = any_(t.outcome.chosen != 0.0)
        for row in range(nfield):
            if transfer[row, column] == ALL:
                store_all(transfer, row, order, first, nworld)
            elif transfer[row, column] == CHOSEN and has_chosen:
                lane = transfer[row, LANE_ADDRESS]
                if transfer[row, ELEMENT] == MODEL:
                    # a row of the Model of the group, by its slot
                    lane = integers_at(models[group])[lane]
                store_chosen(transfer, row, lane, order, first, nworld, t)
        if any_(t.outcome.bad != 0.0):
            shared_set(board, FOUND, 1)
        board[place + DONE] = until
        return False

    return group_loop(task_at, run_group, (-1,), has_bad_control)
