"""A process that compiles units by name: says `ready`, reads lines `origin name`, answers each of them.

The answer is `done` when the image is in the cache, `failed` when there is none. Started with `SEND`, as the cache
cannot be written, it keeps nothing: the answer is `image` and a count of bytes, and the bytes follow.
"""

from __future__ import annotations

import importlib
import signal
import sys
import traceback

from phalanx.native.build import READY, SEND, compile_and_keep, image_of
from phalanx.native.entry import Unit
from phalanx.native.runtime_checks import is_checked
from phalanx.native.target import host_target


def main() -> None:
    """Serve until there is nothing more to read."""
    # the process that started this one decides when it ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer = send if sys.argv[1:] == [SEND] else keep
    print(READY, flush=True)
    for line in sys.stdin:
        origin, name = line.split()
        module, _, function = origin.partition(":")
        try:
            words = answer(getattr(importlib.import_module(module), function)(name))
        except Exception:
            traceback.print_exc()
            words = b"failed\n"  # the other process will meet the same mistake and report it
        sys.stdout.buffer.write(words)
        sys.stdout.buffer.flush()


def keep(unit: Unit) -> bytes:
    """Compile a unit into the cache."""
    compile_and_keep(unit)
    return b"done\n"


def send(unit: Unit) -> bytes:
    """Compile a unit, and send its image."""
    image = image_of(unit, host_target(), is_checked())
    return f"image {len(image)}\n".encode() + image
