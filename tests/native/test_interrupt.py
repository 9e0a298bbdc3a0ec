"""Ctrl-C while code is compiled: heard at once, nothing is left behind, and the next call compiles again."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from phalanx.native.interruptible import interruptible

ROOT = Path(__file__).resolve().parent.parent.parent
#: How soon an interrupt is heard [s], with room for a busy machine.
SOON = 1.5
ON_LINUX = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

#: Compiles large units; argument: in processes of its own, in this one, or without a cache.
SCRIPT = """
import os, sys, time
from pathlib import Path
from phalanx.batch.units import all_units
from phalanx.native import build, cache, runtime
units = {unit.name: unit for unit in all_units()}
if sys.argv[1] == "here":
    build.sys.executable = "/bin/false"
print("ready", flush=True)
try:
    build.ensure([units[name] for name in ("world_f64", "core_f64", "sensor_f64")])
    sys.exit("was not interrupted")
except KeyboardInterrupt:
    print("heard", flush=True)
time.sleep(0.2)
print("children", Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(), flush=True)
folder = Path(os.environ[cache.CACHE_VARIABLE])
print("temporary", *(path.name for path in folder.rglob("*.tmp")) if folder.is_dir() else (), flush=True)
runtime.prepare([units["absent"]])
print("usable", flush=True)
"""


@ON_LINUX
@pytest.mark.parametrize(
    ("way", "to_all"), [("elsewhere", False), ("elsewhere", True), ("here", False), ("unkept", True)]
)
def test_an_interrupt_of_compiling_is_heard(way: str, to_all: bool, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    place = tmp_path / ("file" if way == "unkept" else "cache")
    environment = {**os.environ, "PHALANX_CACHE_DIR": str(place), "PYTHONPATH": str(ROOT), "PHALANX_QUIET": "1"}
    command = [sys.executable, "-W", "ignore", "-c", SCRIPT, way]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(1.2)
        began = time.monotonic()
        # a terminal sends the signal to all processes of the program
        os.killpg(process.pid, signal.SIGINT) if to_all else process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "heard\n"
        assert time.monotonic() - began < SOON
        assert [process.stdout.readline().split() for _ in range(3)] == [["children"], ["temporary"], ["usable"]]
        assert process.wait(60) == 0


# --- work in a thread


def test_the_result_and_the_error_of_the_work_come_back() -> None:
    assert interruptible(lambda: threading.current_thread().name) == "phalanx"

    def fail() -> None:
        raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        interruptible(fail)


def test_another_thread_works_itself() -> None:
    names: queue.SimpleQueue[str] = queue.SimpleQueue()
    thread = threading.Thread(
        target=lambda: names.put(interruptible(lambda: threading.current_thread().name)), name="x"
    )
    thread.start()
    thread.join()
    assert names.get() == "x"


def test_an_interrupt_ends_the_wait() -> None:
    import _thread

    end = threading.Event()
    threading.Timer(0.1, _thread.interrupt_main).start()
    began = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        interruptible(lambda: end.wait(20.0))
    assert time.monotonic() - began < SOON
    end.set()
