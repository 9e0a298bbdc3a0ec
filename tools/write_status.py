"""Write docs/status.md from build/status.json, which the tests leave behind: what agrees with MuJoCo, and how well.

make test            # or make conformance, for the long sweeps
python -m tools.write_status
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE, TARGET = ROOT / "build" / "status.json", ROOT / "docs" / "status.md"

#: Column -> groups of fields that it joins.
COLUMNS = {
    "kinematics": ("kinematics", "camera_light"),
    "inertia": ("com_pos", "make_m", "inertia_product"),
    "factor": ("factor_m",),
    "residual": ("solve_residual",),
    "transmission": ("transmission", "moments", "velocity"),
    "velocity": ("com_vel", "subtree_vel"),
    "passive": ("passive",),
    "bias": ("rne",),
    "actuation": ("fwd_actuation",),
    "acceleration": ("fwd_acceleration", "fwd_constraint"),
    "energy": ("energy",),
    "Jacobians": ("jacobian",),
    "contacts": ("contacts",),
    "convex depth": ("convex depth",),
    "contact set": ("contact set",),
    "Newton": ("Newton",),
    "CG": ("CG",),
    "PGS": ("PGS",),
    "default": ("default settings",),
    "sensors": ("sensors",),
    "Euler": ("step Euler", "after Euler"),
    "RK4": ("step RK4", "after RK4"),
    "implicit": ("step implicit", "after implicit"),
    "implicitfast": ("step implicitfast", "after implicitfast"),
}
INTRODUCTION = """# What agrees with MuJoCo

Written by `python -m tools.write_status` from the results of a test run; do not edit.

Each number is the largest relative error of the fields in its column over all states and steps that were compared with
`mujoco` {mujoco}: the largest difference, divided by the largest magnitude of the field. Bold: a known gap. A star: in
some state the error is beyond 1e-12, but not beyond what MuJoCo's own numbers change when its state changes in the last
bit. A dash: not compared in this run. Steps start from MuJoCo's state each time.

Contacts are compared along MuJoCo's own trajectories, constraints in effect. "contacts": numbers of contacts whose
colliders are analytic, and parameters of all. "convex depth": depth of those found by a search, in sizes of the geom;
both engines search to 1e-6, if their 35 steps are enough, and a larger difference is proven to be within what both are
off, or has another reason (`tests/conformance/test_contacts.py`). "contact set": share of contacts that only one of the
two engines has, where the number of contacts of a pair differs.

"Newton", "CG", "PGS": accelerations and constraint forces with all constraints, along MuJoCo's trajectories, with our
contacts and with MuJoCo's; Newton and CG at the minimum, PGS after 30 sweeps. "default": accelerations at the settings
of the model, as a part of what `opt.tolerance` allows. "sensors": readings, and forces between bodies, with MuJoCo's
contacts at the minimum.

In the other columns constraints and sensors are off on both sides. The last column says
what was switched off in a model.
"""


def entries(tests: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every comparison of every test, with the outcome of its test."""
    for result in tests.values():
        for entry in result["entries"]:
            yield entry | {"outcome": result["outcome"]}


def cell(found: list[dict[str, Any]]) -> str:
    """One cell of the table."""
    if not found:
        return "–"
    worst = max(found, key=lambda entry: entry["error"])
    text = f"{worst['error']:.0e}" if worst["error"] else "0"
    if any(entry["rounding"] for entry in found):
        text += "\\*"
    return f"**{text}**" if any(entry["outcome"] != "passed" for entry in found) else text


def matrix(tests: dict[str, Any]) -> list[str]:
    """The table of models and groups of fields."""
    cells: dict[str, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    neutralized: dict[str, list[str]] = {}
    for entry in entries(tests):
        cells[entry["model"]][entry["group"]].append(entry)
        if entry["neutralized"]:
            neutralized[entry["model"]] = entry["neutralized"]
    known = {group for groups in COLUMNS.values() for group in groups}
    lines = [f"| model | {' | '.join(COLUMNS)} | switched off |", "|---|" + "---|" * (len(COLUMNS) + 1)]
    for model in sorted(model for model, groups in cells.items() if groups.keys() & known):
        row = [cell([e for group in groups for e in cells[model][group]]) for groups in COLUMNS.values()]
        lines.append(f"| {model} | {' | '.join(row)} | {', '.join(neutralized.get(model, []))} |")
    return lines


def others(tests: dict[str, Any]) -> list[str]:
    """Comparisons that are not part of the matrix."""
    known = {group for groups in COLUMNS.values() for group in groups} | {"state"}
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for entry in entries(tests):
        if entry["group"] not in known and entry["group"] != "gap":
            found[entry["group"], entry["model"]].append(entry)
    lines = ["| comparison | model | error |", "|---|---|---|"]
    return lines + [f"| {group} | {model} | {cell(found[group, model])} |" for group, model in sorted(found)]


def gaps(tests: dict[str, Any]) -> list[str]:
    """Reasons of expected failures, with the count of tests of each."""
    count: dict[str, int] = defaultdict(int)
    for result in tests.values():
        if result["outcome"] == "xfail":
            count[result["reason"].removeprefix("reason: ").removeprefix("GAP: ")] += 1
    return [f"- {reason} ({num} test{'s' * (num > 1)})" for reason, num in sorted(count.items())]


def page(status: dict[str, Any]) -> str:
    """The whole page."""
    tests = status["tests"]
    failed = sorted(name for name, result in tests.items() if result["outcome"] == "failed")
    parts = [INTRODUCTION.format(mujoco=status["mujoco"]), "## Models\n", *matrix(tests), "", "## Gaps\n", *gaps(tests)]
    parts += ["", "## Other comparisons\n", *others(tests)]
    if failed:
        parts += ["", "## Failures\n", *(f"- `{name}`" for name in failed)]
    parts += ["", f"Kernel sources {status['sources']}, {len(tests)} comparisons.", ""]
    return "\n".join(parts)


def main() -> int:
    """The command: read build/status.json, write docs/status.md."""
    if not SOURCE.exists():
        print(f"{SOURCE} does not exist: run the tests first", file=sys.stderr)
        return 1
    TARGET.parent.mkdir(exist_ok=True)
    TARGET.write_text(page(json.loads(SOURCE.read_text())))
    print(f"wrote {TARGET.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
