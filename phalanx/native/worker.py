"""A process that compiles units by name: says `ready`, reads lines `origin name`, answers `done` or `failed`."""

from __future__ import annotations

import importlib
import signal
import sys
import traceback

from phalanx.native.build import READY, compile_and_keep


def main() -> None:
    """Serve until there is nothing more to read."""
    # the process that started this one decides when it ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    print(READY, flush=True)
    for line in sys.stdin:
        origin, name = line.split()
        module, _, function = origin.partition(":")
        try:
            compile_and_keep(getattr(importlib.import_module(module), function)(name))
            answer = "done"
        except Exception:
            traceback.print_exc()
            answer = "failed"  # the other process will meet the same mistake and report it
        print(answer, flush=True)
