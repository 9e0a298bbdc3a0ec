"""An interrupt at any place of `reset` and `restore` leaves what was there before, or what is there afterwards."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import numpy as np
import pytest

import phalanx
from phalanx.native import runtime

XML = """<mujoco><worldbody><geom type="plane" size="5 5 .1"/>
<body pos="0 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
<body pos="1 0 .09"><freejoint/><geom size=".1"/></body></worldbody>
<keyframe><key name="high" qpos="0 0 2 1 0 0 0 1 0 2 1 0 0 0"/></keyframe></mujoco>"""

#: Where Python raises no interrupt, as there is no call: see `memory/exclusive.py`.
NEVER_INTERRUPTED = ("exclusive.py",)


def model() -> phalanx.Model:
    return phalanx.Model.from_xml_string(XML)


def interrupt_at(place: int, call: Callable[[], Any], each: str = "line") -> bool:
    """Run a call, and raise KeyboardInterrupt when it has come to so many lines, or instructions; False if it ended."""
    left = place

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        name = frame.f_code.co_filename
        if "/phalanx/" not in name or name.endswith(NEVER_INTERRUPTED):
            return trace if name.endswith(NEVER_INTERRUPTED) else None
        frame.f_trace_opcodes = each == "opcode"
        # between the end of a `with` and its exit there is no call, either: a lock is given back
        if event == each and not _begins_with(name, frame.f_lineno):
            left -= 1
            if left < 0:
                raise KeyboardInterrupt
        return trace

    sys.settrace(trace)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(None)
    return False


def _begins_with(name: str, line: int | None) -> bool:
    """Is it the line of a `with`? Instructions that Python adds to go on with a loop or an exception have no line."""
    return line is not None and linecache.getline(name, line).lstrip().startswith("with ")


def contents(data: phalanx.Data) -> dict[str, bytes]:
    return {name: array.tobytes() for name, array in data.snapshot().items()}


def changes_of_data() -> dict[str, Callable[[phalanx.Data], Any]]:
    """Each brings a Data with contacts to another state, of more or fewer contacts."""
    far = model().make_data().reset("high").step(3).snapshot()
    near = model().make_data().step(60).forward().snapshot()
    return {
        "reset": lambda data: data.reset(),
        "keyframe": lambda data: data.reset("high"),
        "restore fewer contacts": lambda data: data.restore(far),
        "restore more contacts": lambda data: data.reset("high").restore(near),
    }


def check_everywhere(name: str, each: str, stride: int) -> int:
    """Interrupt at places some way apart, until one comes after the end; how many there were."""
    change, count, data = changes_of_data()[name], 0, model().make_data()
    start = model().make_data().step(50).forward().snapshot()
    before, after = contents(data.restore(start)), contents(change(data.restore(start)) or data)
    allowed = [before, after]
    if name == "restore more contacts":
        allowed.append(contents(data.reset("high")))
    while True:
        data.restore(start)
        was_interrupted = interrupt_at(stride * count, lambda: change(data), each)
        assert contents(data) in allowed, f"{name}, {each} {stride * count}"
        assert data.step().time > 0  # it is free, and works
        count += 1
        if not was_interrupted:
            assert not runtime._lock._is_owned()
            return count


@pytest.mark.parametrize("name", list(changes_of_data()))
def test_an_interrupt_leaves_the_old_or_the_new_contents(name: str) -> None:
    strides = {"restore fewer contacts": 7, "restore more contacts": 41}
    assert check_everywhere(name, "line", strides.get(name, 1)) > 20


@pytest.mark.conformance
@pytest.mark.parametrize("name", list(changes_of_data()))
def test_an_interrupt_at_any_instruction(name: str) -> None:
    assert check_everywhere(name, "opcode", 1 if name in ("reset", "keyframe") else 17) > 50


@pytest.mark.parametrize("is_varied", [False, True])
@pytest.mark.parametrize("keyframe", [None, "high"])
def test_an_interrupted_reset_of_a_batch_is_whole(is_varied: bool, keyframe: str | None) -> None:
    vary = {"body_mass": np.linspace(1, 2, 20)[:, None] * model().body_mass} if is_varied else None
    batch = phalanx.BatchSim(model(), 20, vary=vary, threads=2)
    mask = np.arange(20) % 3 == 0
    batch.step(30)
    state = {name: array.copy() for name, array in batch._arrays.items()}

    def set_back() -> None:
        for name, array in state.items():
            batch._arrays[name][...] = array

    batch.reset_where(mask, keyframe)
    after = batch.fingerprint()
    set_back()
    before, place = batch.fingerprint(), 0
    while interrupt_at(place, lambda: batch.reset_where(mask, keyframe)):
        assert batch.fingerprint() in (before, after), place
        set_back()
        place += 3
    assert place > 30 and batch.fingerprint() == after
    batch.step()


def test_an_interrupted_new_data_does_not_spoil_the_model() -> None:
    shared = model()
    for place in range(0, 400, 23):
        interrupt_at(place, shared.make_data)
    assert contents(shared.make_data()) == contents(model().make_data())
