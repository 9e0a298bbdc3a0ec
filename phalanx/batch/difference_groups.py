"""Many nudges of a few worlds, stepped in lane groups: what finite differences are made of.

A job is a world with one number nudged. Jobs of a group differ in the number, or in the world; what they start from is
read where it is, in a Data or in the arrays of a batch, and what comes out is a row of numbers for each job.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from time import perf_counter

import numpy as np

from phalanx.algebra.arrays import aligned_zeros
from phalanx.algebra.jit import is_interpreted, kernel
from phalanx.algebra.number import abs_, lane_get, lane_set, maximum, minimum
from phalanx.algebra.number_type import NumberType, one_world
from phalanx.batch.binding import ADVANCED
from phalanx.batch.group import EACH_STEP as EACH_GROUP
from phalanx.batch.group import IS_WHOLE as IS_INTEGER
from phalanx.batch.group import (
    LANE_ADDRESS,
    LOADED,
    NEVER,
    ONCE,
    STORED,
    TRANSFER_COLUMNS,
    WORLD_ADDRESS,
    load_field,
    store_field,
)
from phalanx.batch.runs import is_whole
from phalanx.hook.hooks import link_hooks, prepare_hooks
from phalanx.memory.growth import lacks_memory
from phalanx.memory.layout import DATA_SCHEMA, shape_of
from phalanx.memory.store import PlainView, Store
from phalanx.native.entry import Entry
from phalanx.native.pace import Pace
from phalanx.native.runtime import load
from phalanx.native.threads import Stop, ThreadPool
from phalanx.pipeline.forward import fwd_position
from phalanx.pipeline.nudged import (
    BACKWARD,
    CENTERED,
    FORWARD,
    KEEP_NOTHING,
    NO_DIFFERENCE,
    NPIECE,
    accelerate_kept,
    advance_kept,
    invert_kept,
    nudge_positions,
    pieces,
    pieces_after,
)
from phalanx.pipeline.parts import letters, link_parts, needed, number_of, relieve, suffix_of
from phalanx.smooth.joint.positions import subtract_positions
from phalanx.tables.data_fields import VARIABLE_SIZES
from phalanx.world.model import Model

#: What is nudged.
NOTHING, CONTROL, ACTIVATION, VELOCITY, POSITION, ACCELERATION = range(6)
#: Operations: a step, inverse dynamics with the forces of actuators subtracted or not, what follows from positions.
STEP, INVERSE, INVERSE_OF_ACTUATED, PLACE = range(4)
#: Added to what a group keeps of the one before: its jobs are of other worlds.
OTHER_WORLDS = 4

#: The board, integers and addresses that a run is made of.
(
    OP, REPORTED, JOB_COUNT, JOBS, AMOUNTS, SOURCES, TARGETS, KEEPING, MODELS, FIELD_COUNT, OUTCOME, OUTCOME_SIZE,
) = range(12)  # fmt: skip
BOARD_SIZE = 12
#: The board of differences: first what changes from call to call.
MOVING = COLUMN_COUNT, COLUMNS, WIDTHS, FINDINGS, SLOPES, STRIDE, ONE_SIDED = tuple(range(7))
FROM, ROW_SIZE, POSITIONS, VELOCITIES, REST, ROOM, SMOOTH = range(7, 14)
SLOPE_BOARD_SIZE = 14
#: Differences to both sides that differ by more than this part of them, and by more than rounding explains, are a jump.
JUMP, JUMP_NOISE = 0.05, 1e-9


# --- kernels


@kernel
def add_to_lane(field, index, world, amount):
    """One number of one world, changed."""
    field[index] = lane_set(field[index], world, lane_get(field[index], world) + amount)


@kernel
def nudge(m, d, jobs, amounts, first, njob, width):
    """The number that each job of a group is about, changed by its amount."""
    moves = False
    for w in range(width):
        job = minimum(first + w, njob - 1)
        kind, index, amount, step = jobs[job, 0], jobs[job, 1], amounts[job], 0.0
        if kind == POSITION:
            d.vector_in[index] = lane_set(d.vector_in[index], w, 1.0)
            moves, step = True, amount
        elif kind == VELOCITY:
            add_to_lane(d.qvel, index, w, amount)
        elif kind == ACTIVATION:
            add_to_lane(d.act, index, w, amount)
        elif kind == CONTROL:
            add_to_lane(d.ctrl, index, w, amount)
        elif kind == ACCELERATION:
            add_to_lane(d.qacc, index, w, amount)
        d.asked_step = lane_set(d.asked_step, w, step)
    if moves:
        nudge_positions(m, d)
        for w in range(width):
            job = minimum(first + w, njob - 1)
            if jobs[job, 0] == POSITION:
                d.vector_in[jobs[job, 1]] = lane_set(d.vector_in[jobs[job, 1]], w, 0.0)


@kernel
def run_jobs(m, d, op, kept, is_reported):
    """What the jobs of a group are run for. Returns the pieces of the physics that they were on."""
    if op == STEP:
        accelerate_kept(m, d, kept, is_reported)
    elif op == PLACE:
        fwd_position(m, d)
    else:
        invert_kept(m, d, op == INVERSE_OF_ACTUATED)
    before = pieces(m, d)
    if op != STEP or lacks_memory(d):
        return before
    advance_kept(m, d)
    return pieces_after(m, d, before)


@kernel
def changed_pieces(first, second, place):
    """A bit for each number of the pieces that differ between two outcomes."""
    bits = 0
    for k in range(NPIECE):
        if first[place + k] != second[place + k]:
            bits = bits + (1 << k)
    return bits


@kernel
def difference(m, first, second, width, counts, slopes, column, stride, room):
    """The difference of two outcomes over the width, a column of slopes; positions along velocities."""
    nq, nv, rest = counts
    if nq > 0:
        subtract_positions(m, first, second, room, width)
    for k in range(nv):
        slopes[k * stride + column] = room[k]
    scale = 1.0 / width
    for k in range(rest):
        slopes[(nv + k) * stride + column] = scale * (second[nq + k] - first[nq + k])


def build_groups(number: NumberType, varied: bool) -> Callable[..., int]:
    """The function that runs lane groups of jobs: load, nudge, run, store. Returns the group it came to."""
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    width = number.worlds
    model_at = view_at("model", number if varied else number.one_world, constant=True)
    data_at = view_at("data", number, constant=False)
    board_at = array_at("int64", alias="difference.board", constant=True)
    integers_at = array_at("int64", alias="difference.integers", constant=True)
    jobs_at = array_at("int64", (2,), "difference.jobs", constant=True)
    amounts_at = array_at("float64", alias="difference.amounts", constant=True)
    transfer_at = array_at("int64", (TRANSFER_COLUMNS,), "difference.transfer", constant=True)
    numbers_at, integers32_at = array_at(number.base), array_at("int32")
    wholes_at = array_at(number.base if number.width > 1 else "int32")

    @kernel
    def load_fields(transfer, nfield, is_all, sources, first, njob):
        """State and inputs of the worlds that the jobs of a group start from."""
        for row in range(nfield):
            when = transfer[row, LOADED]
            if when == EACH_GROUP or (when == ONCE and is_all):
                world, lane = transfer[row, WORLD_ADDRESS], transfer[row, LANE_ADDRESS]
                if transfer[row, IS_INTEGER] != 0:
                    source = integers32_at(world)
                    load_field(source, wholes_at(lane), transfer, row, 0, sources, first, njob, width)
                else:
                    load_field(numbers_at(world), numbers_at(lane), transfer, row, 0, sources, first, njob, width)

    @kernel
    def store_fields(transfer, nfield, targets, first, njob):
        """What the jobs of a group have come to."""
        for row in range(nfield):
            if transfer[row, STORED] != NEVER:
                world, lane = transfer[row, WORLD_ADDRESS], transfer[row, LANE_ADDRESS]
                store_field(numbers_at(world), numbers_at(lane), transfer, row, 0, targets, first, njob, width)

    @kernel
    def store_pieces(d, outcome, size, found, targets, first, njob):
        """The last numbers of an outcome: pieces of the physics, and what stopped the world."""
        for w in range(minimum(width, njob - first)):
            place = targets[first + w] * size + size - NPIECE - 1
            for k in range(NPIECE):
                outcome[place + k] = lane_get(found[k], w)
            outcome[place + NPIECE] = lane_get(d.error_code, w)

    def groups(board, data, transfers, group, last):
        board, d, transfer = board_at(board), data_at(data), transfer_at(transfers)
        njob, nfield, size = board[JOB_COUNT], board[FIELD_COUNT], board[OUTCOME_SIZE]
        jobs, amounts = jobs_at(board[JOBS]), amounts_at(board[AMOUNTS])
        sources, targets = integers_at(board[SOURCES]), integers_at(board[TARGETS])
        keeping, models = integers_at(board[KEEPING]), integers_at(board[MODELS])
        outcome, op, is_reported = numbers_at(board[OUTCOME]), board[OP], board[REPORTED] != 0
        is_first = True
        while group < last:
            m, begin, kept = model_at(models[group]), group * width, keeping[group]
            d.error_code = 0.0
            d.absent_part = 0
            load_fields(transfer, nfield, is_first or kept >= OTHER_WORLDS, sources, begin, njob)
            nudge(m, d, jobs, amounts, begin, njob, width)
            # the workspace may hold anything before the first group
            found = run_jobs(m, d, op, KEEP_NOTHING if is_first else kept % OTHER_WORLDS, is_reported)
            if lacks_memory(d):
                return group
            store_fields(transfer, nfield, targets, begin, njob)
            store_pieces(d, outcome, size, found, targets, begin, njob)
            is_first = False
            group = group + 1
        return group

    return groups


def build_slopes() -> Callable[..., int]:
    """The function that takes differences of outcomes."""
    from phalanx.memory.view import view_at
    from phalanx.native.number import array_at

    double = one_world("float64")
    model_at = view_at("model", double, constant=True)
    board_at = array_at("int64", alias="slopes.board", constant=True)
    columns_at = array_at("int64", (3,), "slopes.columns", constant=True)
    widths_at = array_at("float64", alias="slopes.widths", constant=True)
    row_at = array_at("float64", alias="slopes.rows", constant=True)
    slopes_at = array_at("float64", alias="slopes.slopes")
    room_at = array_at("float64", alias="slopes.room")
    findings_at = array_at("int64", (3,), "slopes.findings")

    def slopes(model, board):
        m, board = model_at(model), board_at(board)
        columns, widths = columns_at(board[COLUMNS]), widths_at(board[WIDTHS])
        slopes, findings, room = slopes_at(board[SLOPES]), findings_at(board[FINDINGS]), room_at(board[ROOM])
        counts, size = (board[POSITIONS], board[VELOCITIES], board[REST]), board[ROW_SIZE]
        for column in range(board[COLUMN_COUNT]):
            plus, minus, base = columns[column, 0], columns[column, 1], columns[column, 2]
            # a job that is not there is that without a nudge
            rows = (
                row_at(board[FROM] + 8 * size * plus),
                row_at(board[FROM] + 8 * size * minus),
                row_at(board[FROM] + 8 * size * base),
            )
            has_sides = plus != base, minus != base
            jumps = has_sides[0] and has_sides[1] and has_jump(rows, counts[0], board[SMOOTH])
            taken = choose_side(rows, has_sides, size, board[ONE_SIDED] != 0, jumps, findings, column)
            put_column(m, rows, taken, widths[column], counts, slopes, column, board[STRIDE], room)
        return 0

    return slopes


@kernel
def has_jump(rows, first, last):
    """Do the differences to both sides have nothing in common? Not seen in pieces of the physics, but in numbers.

    The second difference of a smooth function is smaller than the first by the size of the nudge.
    """
    plus, minus, base = rows
    bend, slope, size = 0.0, 0.0, 1.0
    for k in range(first, last):
        bend = maximum(bend, abs_(plus[k] - 2.0 * base[k] + minus[k]))
        slope = maximum(slope, abs_(plus[k] - minus[k]))
        size = maximum(size, abs_(base[k]))
    return bend > JUMP * slope and bend > JUMP_NOISE * size


@kernel
def choose_side(rows, has_sides, size, is_one_sided, jumps, findings, column):
    """Which difference to take: where one side is on other pieces of the physics than the middle, the other side."""
    plus, minus, base = rows
    has_plus, has_minus = has_sides
    place = size - NPIECE - 1
    can_add = has_plus and plus[size - 1] == 0.0 and base[size - 1] == 0.0
    can_take = has_minus and minus[size - 1] == 0.0 and base[size - 1] == 0.0
    above, below = changed_pieces(base, plus, place), changed_pieces(base, minus, place)
    if is_one_sided and can_add and can_take:
        # both at once say nothing about a side
        if above != 0 and below == 0:
            can_add = False
        elif below != 0 and above == 0:
            can_take = False
    taken = NO_DIFFERENCE
    if can_add and can_take:
        taken = CENTERED
    elif can_add:
        taken = FORWARD
    elif can_take:
        taken = BACKWARD
    # a jump that no piece explains
    bit = (1 << NPIECE) if jumps and above == 0 and below == 0 else 0
    findings[column, 0] = above + bit
    findings[column, 1] = below + bit
    findings[column, 2] = taken
    return taken


@kernel
def put_column(m, rows, taken, width, counts, slopes, column, stride, room):
    """The difference that was chosen; zero if there is none."""
    plus, minus, base = rows
    if taken == CENTERED:
        difference(m, minus, plus, 2.0 * width, counts, slopes, column, stride, room)
    elif taken == FORWARD:
        difference(m, base, plus, width, counts, slopes, column, stride, room)
    elif taken == BACKWARD:
        difference(m, minus, base, width, counts, slopes, column, stride, room)
    else:
        for k in range(counts[1] + counts[2]):
            slopes[k * stride + column] = 0.0


@functools.cache
def groups_entry(number: NumberType, varied: bool = False) -> Entry:
    """The entry that runs lane groups of jobs."""
    return Entry(
        f"differences_{suffix_of(number, varied)}",
        functools.partial(build_groups, number, varied),
        arity=5,
        letters=functools.partial(letters, number, varied),
        origin="phalanx.batch.difference_groups:entry_named",
    )


@functools.cache
def slopes_entry() -> Entry:
    """The entry that takes differences."""
    return Entry("slopes_f64", build_slopes, arity=2, origin="phalanx.batch.difference_groups:entry_named")


def entry_named(name: str) -> Entry:
    """The entry of this name, in a process that compiles."""
    kind, _, suffix = name.partition("_")
    return slopes_entry() if kind == "slopes" else groups_entry(*number_of(suffix))


# --- runs


class DifferenceGroups:
    """Jobs of a few worlds: memory, and the way to run them again and again.

    Args:
        model: the model.
        base: what jobs start from: arrays (nworld, ...) by field, read in each run where they are.
        jobs: (njob, 2), what is nudged and its index.
        sources: (njob,), the world of each job.
        keeping: what each lane group keeps of the one before.
        outputs: fields that are an outcome, side by side.
        number: of the lanes, double precision.
        threads: how many threads share the groups.
        op: STEP, INVERSE, INVERSE_OF_ACTUATED or PLACE.
        is_reported: are sensors computed?
        models: Model memory of each lane group, if worlds differ in it.

    Attributes:
        amounts: (njob,), how much each job is nudged, to be written before a run.
        outcome: (njob, size), what came out: `outputs`, then numbers of pieces, then the error.
        places: where each output is in an outcome.
    """

    def __init__(
        self,
        model: Model,
        base: Mapping[str, np.ndarray],
        jobs: np.ndarray,
        sources: np.ndarray,
        keeping: np.ndarray,
        outputs: Sequence[str],
        *,
        number: NumberType,
        threads: int = 1,
        op: int = STEP,
        is_reported: bool = True,
        models: Sequence[Store] | None = None,
    ):
        self.model, self.number, self._base = model, number, base
        self._is_varied = models is not None and number.width > 1
        njob = len(jobs)
        ngroup = -(-njob // number.worlds)
        self._models = list(models) if models is not None else [model._store] * ngroup
        self._sizes = {**model._store.sizes, **dict.fromkeys(VARIABLE_SIZES, 0)}
        self.places: dict[str, slice] = {}
        size = 0
        for name in outputs:
            count = int(np.prod(shape_of(DATA_SCHEMA.fields[name], self._sizes), dtype=int))
            self.places[name] = slice(size, size + count)
            size += count
        self.numbers = size
        # compiled code gets addresses: this object holds what they point to
        self.amounts = np.zeros(njob)
        self.outcome = aligned_zeros((njob, size + NPIECE + 1), np.dtype(np.float64))
        self._jobs, self._sources = np.ascontiguousarray(jobs, np.int64), np.ascontiguousarray(sources, np.int64)
        self._targets, self._keeping = np.arange(njob, dtype=np.int64), np.ascontiguousarray(keeping, np.int64)
        self._addresses = np.array([store.address for store in self._models], np.int64)
        self._op, self._is_reported = op, is_reported
        self._pool, self._workspaces = ThreadPool(threads), list[Store]()
        self._calls: list[Callable[[int, int], int]] = []
        self._held: list[np.ndarray] = []
        self._pace = Pace(16)
        held = (self._jobs, self.amounts, self._sources, self._targets, self._keeping, self._addresses)
        self._board = np.zeros(BOARD_SIZE, np.int64)
        self._board[:FIELD_COUNT] = [op, is_reported, njob, *(array.ctypes.data for array in held)]
        self._board[FIELD_COUNT:] = [0, self.outcome.ctypes.data, self.outcome.shape[1]]
        split = min(threads, max(ngroup, 1))
        self._stretches = [(ngroup * k // split, ngroup * (k + 1) // split) for k in range(split)]

    def set_sources(self, sources: np.ndarray) -> None:
        """Let jobs start from other worlds."""
        self._sources[:] = sources

    def set_models(self, models: Sequence[Store]) -> None:
        """Give lane groups other memory of the Model."""
        self._models[:] = models
        self._addresses[:] = [store.address for store in models]

    def run(self) -> np.ndarray:
        """The outcomes of all jobs, in memory that the next run writes over."""
        if is_interpreted():
            self._interpret()
        elif len(self._stretches) == 1:
            self._run_stretch(0, Stop())
        else:
            stop = Stop()
            for thread in range(len(self._stretches)):
                self._call(thread)
            tasks = [functools.partial(self._run_stretch, k, stop) for k in range(len(self._stretches))]
            self._pool.run(tasks, stop)
        return self.outcome

    def _run_stretch(self, thread: int, stop: Stop) -> None:
        """The groups of one thread, some at a time, so that signals are handled in between."""
        call, (group, last) = self._call(thread), self._stretches[thread]
        while group < last and not stop.is_asked:
            until, began = min(last, group + self._pace.amount), perf_counter()
            reached = call(group, until)
            if reached < until:
                relieve(self._workspaces[thread], self._is_varied)
            elif thread == 0:
                self._pace.note(until - group, perf_counter() - began)
            group = reached

    def _call(self, thread: int) -> Callable[[int, int], int]:
        """The compiled function of (first group, last group) for a thread."""
        while len(self._calls) <= thread:
            workspace, entry = self._workspace(len(self._calls)), groups_entry(self.number, self._is_varied)
            link_hooks(workspace, self._is_varied)
            link_parts(workspace, self._is_varied, needed(self._models[0]), [entry, slopes_entry()])
            transfer = self._transfers(workspace)
            self._held.append(transfer)
            self._board[FIELD_COUNT] = len(transfer)
            addresses = int(self._board.ctypes.data), workspace.address, int(transfer.ctypes.data)
            self._calls.append(load(entry).bound(*addresses))
        return self._calls[thread]

    def _workspace(self, thread: int) -> Store:
        while len(self._workspaces) <= thread:
            store = Store(DATA_SCHEMA, self._sizes, self.number)
            store.allocate_all()
            prepare_hooks(store, self.model._hooks, self._is_varied)
            self._workspaces.append(store)
        return self._workspaces[thread]

    def _transfers(self, workspace: Store) -> np.ndarray:
        """What is loaded and stored for each group; a step of a model with hooks may change its inputs, too."""
        rows, size = [], self.outcome.shape[1]
        for name, array in self._base.items():
            changes = name in ADVANCED or name in ("ctrl", "qacc") or bool(self.model._hooks)
            count = array[0].size
            columns = (count, count, 0, EACH_GROUP if changes else ONCE, NEVER, is_whole(name))
            rows.append((array.ctypes.data, workspace.arrays[name].ctypes.data, *columns))
        for name, place in self.places.items():
            address, count = self.outcome.ctypes.data + 8 * place.start, place.stop - place.start
            columns = (count, size, 0, NEVER, ONCE, False)
            rows.append((address, workspace.arrays[name].ctypes.data, *columns))
        table = [row for row in rows if row[2]]
        return np.array(table, np.int64).reshape(len(table), TRANSFER_COLUMNS)

    def _interpret(self) -> None:
        """All jobs as plain Python, one after another."""
        store = self._workspace(0)
        d, arrays = PlainView(store), store.arrays
        for job in range(len(self._jobs)):
            m, world = PlainView(self._models[job]), self._sources[job]
            found, is_short = (0.0,) * NPIECE, True
            with np.errstate(all="ignore"):
                while is_short:
                    arrays["error_code"][...] = 0
                    for name, array in self._base.items():
                        arrays[name][...] = array[world]
                    nudge(m, d, self._jobs, self.amounts, job, len(self._jobs), 1)
                    found = run_jobs(m, d, self._op, KEEP_NOTHING, self._is_reported)
                    is_short = bool(lacks_memory(d))
                    if is_short:
                        store.grow()
            for name, place in self.places.items():
                self.outcome[job, place] = arrays[name].ravel()
            self.outcome[job, self.numbers :] = (*found, float(arrays["error_code"]))


class Slopes:
    """Differences of the outcomes of jobs: columns of slopes, each from up to three jobs.

    Args:
        groups: the jobs.
        columns: (ncolumn, 3), the jobs after a nudge forwards, backwards, and without; may be changed between runs.
            Where there is no nudge to a side, the job without one stands for it.
        has_positions: does an outcome begin with positions, to be subtracted along velocities?
    """

    def __init__(self, groups: DifferenceGroups, columns: np.ndarray, has_positions: bool = True):
        self._groups, self.columns = groups, np.ascontiguousarray(columns, np.int64)
        sizes = groups.model._store.sizes
        self._nq: int = sizes["nq"] if has_positions else 0
        self._nv: int = sizes["nv"] if has_positions else 0
        self.rows = self._nv + groups.numbers - self._nq
        # sensors may count, or point along the shorter of two ways: jumps are looked for in the state
        self._smooth = max((groups.places[name].stop for name in ("qvel", "act") if name in groups.places), default=0)
        self.widths = np.ones(len(columns))
        self.findings = np.zeros((len(columns), 3), np.int64)
        self._room = np.zeros(max(self._nv, 1))
        self._board = np.zeros(SLOPE_BOARD_SIZE, np.int64)
        # arrays stay where they are: asking for their addresses takes longer than a small difference
        self._places = tuple(int(array.ctypes.data) for array in (self.columns, self.widths, self.findings))
        self._board[len(MOVING) :] = [
            groups.outcome.ctypes.data, groups.outcome.shape[1], self._nq, self._nv, groups.numbers - self._nq,
            self._room.ctypes.data, self._smooth,
        ]  # fmt: skip
        self._call: Callable[..., int] | None = None

    def take(self, slopes: np.ndarray, first: int, last: int, stride: int, one_sided: bool) -> None:
        """Write columns first to last into a flat array of slopes, row by row, so many numbers apart."""
        if is_interpreted():
            self._interpret(slopes, first, last, stride, one_sided)
            return
        if self._call is None:
            self._call = load(slopes_entry()).bound(self._groups.model._store.address, int(self._board.ctypes.data))
        columns, widths, findings = self._places
        self._board[: len(MOVING)] = (
            last - first, columns + 24 * first, widths + 8 * first, findings + 24 * first, slopes.ctypes.data, stride,
            one_sided,
        )  # fmt: skip
        self._call()

    def _interpret(self, slopes: np.ndarray, first: int, last: int, stride: int, one_sided: bool) -> None:
        m, outcome = PlainView(self._groups.model._store), self._groups.outcome
        counts = self._nq, self._nv, self._groups.numbers - self._nq
        for column in range(first, last):
            rows = tuple(outcome[job] for job in self.columns[column])
            has_plus, has_minus = self.columns[column, :2] != self.columns[column, 2]
            jumps = has_plus and has_minus and has_jump(rows, self._nq, self._smooth)
            sides, findings = (has_plus, has_minus), self.findings
            taken = choose_side(rows, sides, outcome.shape[1], one_sided, jumps, findings, column)
            put_column(
                m, rows, taken, self.widths[column], counts, slopes.reshape(-1), column - first, stride, self._room
            )
