"""A process that compiles units by name: says `ready`, reads lines `origin name`, answers each of them.

The answer is `done` when the image is in the cache, `failed` when there is none. Started with `SEND`, as the cache
cannot be written, it keeps nothing: the answer is `image` and a count of bytes, and the bytes follow.
"""

from __future__ import annotations

import importlib
import signal
import sys
import traceback

from phalanx.native.build import READY, SEND, WEB, compile_and_keep, has_checks, image_of
from phalanx.native.entry import Unit
from phalanx.native.target import WASM, Target, host_target


def main() -> None:
    """Serve until there is nothing more to read."""
    # the process that started this one decides when it ends
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    answer = send if SEND in sys.argv[1:] else keep
    target = WASM if WEB in sys.argv[1:] else host_target()
    print(READY, flush=True)
    for line in sys.stdin:
        origin, name = line.split()
        module, _, function = origin.partition(":")
        try:
            words = answer(getattr(importlib.import_module(module), function)(name), target)
        except Exception:
            traceback.print_exc()
            words = b"failed\n"  # the other process will meet the same mistake and report it
        sys.stdout.buffer.write(words)
        sys.stdout.buffer.flush()


def keep(unit: Unit, target: Target) -> bytes:
    """Compile a unit into the cache."""
    compile_and_keep(unit, target)
    return b"done\n"


def send(unit: Unit, target: Target) -> bytes:
    """Compile a unit, and send its image."""
    image = image_of(unit, target, has_checks(target))
    return f"image {len(image)}\n".encode() + image
