"""Work in which Python cannot hear Ctrl-C, such as a pass of LLVM: a thread does it, while the main thread listens."""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def interruptible(work: Callable[[], T]) -> T:
    """The result of a call of foreign code that releases the GIL; an interrupt ends the wait for it at once.

    The call itself goes on to its end, in a thread whose result nobody takes; Python does not exit before.
    """
    if threading.current_thread() is not threading.main_thread():
        return work()  # signals are handled elsewhere
    answers: queue.SimpleQueue[tuple[list[T], BaseException | None]] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(([work()], None))
        except BaseException as error:  # handed to the thread that waits
            answers.put(([], error))

    threading.Thread(target=run, name="phalanx").start()
    while True:
        # a wait without end is deaf where the system does not wake it up for a signal
        with contextlib.suppress(queue.Empty):
            found, error = answers.get(timeout=0.1)
            break
    if error is not None:
        raise error
    return found[0]
