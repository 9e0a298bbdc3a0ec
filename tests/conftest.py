"""Shared by all tests: a quiet MuJoCo, and the record of what was compared with it.

A test that compares with MuJoCo calls `record(model, group, errors)`. The errors travel with the report of the test
(also from workers of pytest-xdist) and end up in `build/status.json`, from which `tools/write_status.py` writes
`docs/status.md`. Runs of the same kernel sources add to one file; other sources start a new one.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from phalanx.algebra.number_type import NumberType
from phalanx.batch.group import batch_entry
from phalanx.native.key import engine_digest
from phalanx.native.runtime import load as load_entry
from phalanx.pipeline.entries import world_entry

STATUS = Path(__file__).resolve().parent.parent / "build" / "status.json"
#: Key of the user property that carries a record.
PROPERTY = "conformance"

#: Files that take minutes. They begin first, so that no worker ends the run alone.
LONG = ("test_examples.py",)

_records: dict[str, dict[str, Any]] = {}

# shells start commands in the background with interrupts ignored; tests of interrupts would wait for ever
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def record(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Call `record(model, group, errors)` with the largest error of each field.

    Optional: `rounding=True` when some of them are beyond the tolerance but not beyond what rounding does, and what was
    `neutralized` in the model.
    """

    def keep(
        model: str, group: str, errors: Mapping[str, float], rounding: bool = False, neutralized: Iterable[str] = ()
    ) -> None:
        worst = max(errors, key=lambda name: errors[name], default="")
        entry = {
            "model": model, "group": group, "field": worst, "error": float(errors[worst]) if worst else 0.0,
            "rounding": rounding, "neutralized": list(neutralized),
        }  # fmt: skip
        request.node.user_properties.append((PROPERTY, entry))

    return keep


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, then those of most tests."""
    counts = Counter(item.path for item in items)
    items.sort(key=lambda item: (item.path.name not in LONG, -counts[item.path]))


@pytest.hookimpl
def pytest_collection_finish() -> None:
    """Tests that were collected are no garbage: looking through them again and again took a fifth of the run."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


@pytest.hookimpl
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Collect records where all reports arrive: in the only process, or in the controller of workers."""
    if report.when != "call" or os.environ.get("PYTEST_XDIST_WORKER"):
        return
    entries = [entry for key, entry in report.user_properties if key == PROPERTY]
    if entries or hasattr(report, "wasxfail"):
        outcome = "xfail" if hasattr(report, "wasxfail") and report.skipped else report.outcome
        reason = getattr(report, "wasxfail", "")
        _records[report.nodeid] = {"outcome": outcome, "reason": reason, "entries": entries}


def pytest_sessionfinish(session: pytest.Session) -> None:
    if not _records or os.environ.get("PYTEST_XDIST_WORKER"):
        return
    status: dict[str, Any] = {"sources": engine_digest(), "mujoco": metadata.version("mujoco"), "tests": {}}
    if STATUS.exists():
        before = json.loads(STATUS.read_text())
        if before.get("sources") == status["sources"]:
            status["tests"] = before["tests"]
    status["tests"].update(_records)
    STATUS.parent.mkdir(exist_ok=True)
    STATUS.write_text(json.dumps(status, indent=1, sort_keys=True))


def pytest_configure(config: pytest.Config) -> None:
    """Each day the same examples are tried, in the sweeps new ones."""
    is_everyday = config.getoption("-m") == "not conformance"
    settings.register_profile("phalanx", derandomize=is_everyday)
    settings.load_profile("phalanx")


def pytest_sessionstart(session: pytest.Session) -> None:
    """Two workers would wait for each other's compilation of what most tests need: each begins with a part of it."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker == "gw0":
        load_entry(world_entry(NumberType("float64")))
    elif worker == "gw1":
        load_entry(batch_entry(NumberType("float64", 8)))


@pytest.fixture(autouse=True, scope="module")
def _forget(request: pytest.FixtureRequest) -> Iterator[None]:
    """After the tests of a file, what its functions have cached: models and worlds that no other file asks for."""
    yield
    for made in list(vars(request.module).values()):
        clear = getattr(made, "cache_clear", None)
        if callable(clear) and getattr(made, "__module__", "").startswith("tests."):
            clear()


@pytest.fixture(autouse=True, scope="session")
def _quiet_mujoco() -> None:
    """MuJoCo's warnings (bad states, models with deprecated attributes) neither on the terminal nor in a log file."""
    if "mujoco" in sys.modules:
        import mujoco

        mujoco.set_mju_user_warning(lambda message: None)
