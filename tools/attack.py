"""Attacks on the engine, one area after the other, for some minutes: quiet when nothing is found.

Usage: python -m tools.attack [--minutes N] [--seed S] [area ...]

Each area is a module of `tools/attacks` with a function `attack(seed, seconds)` that returns what it found.
"""

from __future__ import annotations

import argparse
import importlib
import pkgutil
import sys

from tools import attacks

#: Areas, by the modules that are there.
AREAS = tuple(sorted(module.name for module in pkgutil.iter_modules(attacks.__path__)))


def run(areas: tuple[str, ...], seed: int, seconds: float) -> list[str]:
    """Attack each area for an equal part of the time; prints and returns what was found, a line each."""
    found = []
    for area in areas:
        module = importlib.import_module(f"tools.attacks.{area}")
        lines = module.attack(seed, seconds / len(areas))
        # at once: a run of half an hour may be ended before its end
        print("\n".join(lines), end="\n" if lines else "", flush=True)
        found += lines
    return found


def main(arguments: list[str]) -> int:
    """Print what is found; 1 if anything is."""
    parser = argparse.ArgumentParser(prog="python -m tools.attack", description="Try to break the engine.")
    parser.add_argument("areas", nargs="*", metavar="area", help=f"some of: {', '.join(AREAS)}; all without")
    parser.add_argument("--minutes", type=float, default=5.0, help="how long, in all")
    parser.add_argument("--seed", type=int, default=0, help="other seeds, other attacks")
    options = parser.parse_args(arguments)
    unknown = sorted(set(options.areas) - set(AREAS))
    if unknown:
        parser.error(f"there is no area {unknown[0]!r}; there are {', '.join(AREAS)}")
    found = run(tuple(options.areas) or AREAS, options.seed, 60.0 * options.minutes)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
