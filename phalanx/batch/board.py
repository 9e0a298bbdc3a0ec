"""The board: memory through which the threads of a batch share the lane groups of a run.

The thread that calls is the leader, number 0; the others help. The leader opens a run on the board, all of them take
groups, first of their own stretch and then of others, and the leader waits until no helper is at work. A helper that is
done watches the board for a moment: if the next run is opened soon, no thread has to be woken up. Waking one takes
longer than a step of a few hundred small worlds.

    | run: what is asked of all | how many help now | thread 0: its stretch | its memory | its work | thread 1 ...

Each of these has cache lines of its own, so that a thread that takes a group does not slow down the others.
A helper works between two counts of `ACTIVE`; the leader closes a run (RUN = 0), then waits for ACTIVE to be 0, so that
a helper which comes late finds the run closed, or is waited for.
"""

from __future__ import annotations

from phalanx.algebra.jit import kernel
from phalanx.algebra.sharing import pause, shared_add, shared_get, shared_set

#: 64-bit integers between places that different threads write: two cache lines, since processors fetch them in pairs.
LINE = 16

# --- what all threads see

#: Number of the run that is open; 0 if none is.
RUN = 0
#: What the run is, written before it is opened: the operation and the integer that it takes, how many steps of groups a
#: thread does before it comes back, and how many threads share the work. How many runs there were.
OP, N, AMOUNT, THREADS, COUNT_OF_RUNS = range(1, 6)
#: Written while a run is open, seldom: whether to end early, and whether a control was bad.
STOP, FOUND = 6, 7
#: How many helpers are at work.
ACTIVE = LINE
#: Where the places of threads begin, and how many integers each has.
FIRST, SIZE = 2 * LINE, 3 * LINE

# --- of each thread

#: The stretch of groups that it takes first: the next, which all threads change, and where it ends.
NEXT, END = 0, 1
#: What it works with, as the leader wrote it: addresses, and counts of fields and worlds. GROUPS is a list of groups, 0
#: if they are taken in order; STRETCH is where the stretch begins.
MODELS, DATA, TRANSFER, FIELDS, ORDER, WORLDS, GROUPS, STRETCH, LAST = (LINE + k for k in range(9))
#: What it is at: the last run that it took part in and whether it still does, its group (NONE if it has none), how many
#: steps of it are done, and how much work it has done in the call.
SEEN, AT_WORK, GROUP, DONE, WORKED = (2 * LINE + k for k in range(5))
#: Whether it sleeps: who opens a run must wake it up.
ASLEEP = 2 * LINE + 5

NONE = -1

# --- what a thread does, and what it comes back with

#: The leader begins a run, or goes on with it; a helper looks for work.
BEGIN, GO_ON, HELP = range(3)
#: The run is complete; and a control was bad; the group lacks memory or code; time for signals; helpers are still at
#: work; helpers sleep; this one goes to sleep.
COMPLETE, BAD_CONTROL, LACKING, SLICE, WAITING, SLEEPERS, IDLE = range(7)


@kernel
def place_of(thread):
    """Where the places of a thread begin."""
    return FIRST + thread * SIZE


@kernel
def open_run(board, op, n, amount):
    """Begin a run of all groups. Returns whether a helper sleeps."""
    board[OP], board[N], board[AMOUNT] = op, n, amount
    board[STOP], board[FOUND] = 0, 0
    board[COUNT_OF_RUNS] = board[COUNT_OF_RUNS] + 1
    threads = board[THREADS]
    for thread in range(threads):
        place = place_of(thread)
        board[place + NEXT], board[place + END] = board[place + STRETCH], board[place + LAST]
    board[place_of(0) + GROUP] = NONE
    shared_set(board, RUN, board[COUNT_OF_RUNS])
    sleeps = False
    for thread in range(1, threads):
        sleeps = sleeps or shared_get(board, place_of(thread) + ASLEEP) != 0
    return sleeps


@kernel
def close_run(board, patience):
    """End a run: no helper may come any more. Waits for those at work, not too long; returns whether all are done."""
    shared_set(board, RUN, 0)
    for _ in range(patience):
        if shared_get(board, ACTIVE) == 0:
            return True
        pause()
    return shared_get(board, ACTIVE) == 0


@kernel
def enter_run(board, thread):
    """A helper begins to work, if there is a run in which it has not been; otherwise it returns False."""
    place = place_of(thread)
    run = shared_get(board, RUN)
    if run == 0 or run == board[place + SEEN]:
        return False
    shared_add(board, ACTIVE, 1)
    if shared_get(board, RUN) != run or thread >= board[THREADS]:
        shared_add(board, ACTIVE, -1)
        return False
    board[place + SEEN], board[place + AT_WORK], board[place + GROUP] = run, 1, NONE
    return True


@kernel
def leave_run(board, thread):
    """A helper has no more to do in a run."""
    board[place_of(thread) + AT_WORK] = 0
    shared_add(board, ACTIVE, -1)


@kernel
def await_run(board, thread, patience):
    """A helper waits for a run, not too long. Returns whether it takes part in one; else it is asleep."""
    asleep = place_of(thread) + ASLEEP
    shared_set(board, asleep, 0)
    for _ in range(patience):
        if enter_run(board, thread):
            return True
        pause()
    # the last look comes after the word that it sleeps: who opens a run writes first, and looks for sleepers then
    shared_set(board, asleep, 1)
    if enter_run(board, thread):
        shared_set(board, asleep, 0)
        return True
    return False


@kernel
def take_group(board, thread):
    """The next group of a thread: of its own stretch, then of those of others; NONE if there is no more."""
    threads = board[THREADS]
    for k in range(threads):
        place = place_of((thread + k) % threads)
        if shared_get(board, place + NEXT) < board[place + END]:
            taken = shared_add(board, place + NEXT, 1)
            if taken < board[place + END]:
                return taken
    return NONE
