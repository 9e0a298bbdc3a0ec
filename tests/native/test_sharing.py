"""Words for shared memory: what several threads add is counted once each, and what one writes another finds."""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from phalanx.algebra.sharing import pause, shared_add, shared_get, shared_set
from phalanx.native import sharing  # noqa: F401  (gives the words their meaning)
from phalanx.native.entry import Entry
from phalanx.native.intrinsics import INTRINSICS
from phalanx.native.llvm import object_code
from phalanx.native.number import array_at
from phalanx.native.runtime import load
from phalanx.native.target import TARGETS

COUNT = 200_000


def build_counting() -> Callable[..., int]:
    at = array_at("int64", alias="sharing.counter")

    def count(address, count, turn):
        array = at(address)
        for _ in range(count):
            shared_add(array, 0, 1)
        # threads take turns: each waits for its number
        while shared_get(array, 8) != turn:
            pause()
        array[16 + turn] = turn + 1
        shared_set(array, 8, turn + 1)
        return shared_add(array, 9, 2)

    return count


ENTRY = Entry("sharing_test", build_counting, 3)


def test_nothing_that_threads_add_is_lost() -> None:
    call, memory, results = load(ENTRY).call, np.zeros(32, np.int64), []
    threads = [
        threading.Thread(target=lambda turn=turn: results.append(call(memory.ctypes.data, COUNT, turn)))
        for turn in (2, 1, 0)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert memory[0] == 3 * COUNT
    assert memory[8] == 3 and memory[16:19].tolist() == [1, 2, 3]
    assert sorted(results) == [0, 2, 4] and memory[9] == 6


def test_interpreted_they_are_what_they_look_like() -> None:
    memory = np.array([5, 7])
    assert shared_add(memory, 0, 3) == 5 and shared_get(memory, 0) == 8
    shared_set(memory, 1, -1)
    pause()
    assert memory.tolist() == [8, -1]
    assert {shared_add, shared_get, shared_set, pause} <= set(INTRINSICS)


def test_every_target_has_them() -> None:
    """No target calls a library for them."""
    text = ENTRY.text(False)
    for target in TARGETS.values():
        assert b"outline_atomic" not in object_code(text, target) and object_code(text, target)
