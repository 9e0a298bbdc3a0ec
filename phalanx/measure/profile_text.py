"""A profile as text: tables with aligned columns, largest first where the order is free."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from phalanx.measure.step_stages import PHASES, REST, phase_of

if TYPE_CHECKING:
    from phalanx.measure.profile import Profile, StepTimes

#: Rows of a table that may be long.
MOST_ROWS = 8
#: Letters of the longest bar.
BAR = 24


def text_of(profile: Profile) -> str:
    """All tables, one below the other."""
    parts = (times_text, work_text, pairs_text, memory_text)
    return "\n\n".join("\n".join(part(profile)) for part in parts)


def aligned(rows: Sequence[Sequence[str]], left: Iterable[int] = (0,)) -> list[str]:
    """Rows of cells as lines; numbers end at the same column, words begin there.

    >>> aligned([("a", "1"), ("bcd", "10")])
    ['a     1', 'bcd  10']
    """
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    words = set(left)
    return [
        "  ".join(
            cell.ljust(width) if k in words else cell.rjust(width) for k, (cell, width) in enumerate(cells)
        ).rstrip()
        for cells in (list(zip(row, widths, strict=True)) for row in rows)
    ]


# --- time


def times_text(profile: Profile) -> Iterator[str]:
    """Phases with their stages: microseconds of a step of one world, and shares."""
    yield profile.title
    yield f"{profile.steps:,} steps, {profile.simulated:g} s of simulated time, random controls"
    yield ""
    times = [profile.world, *([profile.batch] if profile.batch is not None else [])]
    names = ["one world", *(f"{each.worlds} in lanes" for each in times[1:]), *(["MuJoCo"] if profile.mujoco else [])]
    rows = [["us per step of a world", *(cell for name in names for cell in (name, "%"))]]
    # a phase of one stage needs no further row
    for phase, stages in _tree(profile.world).items():
        rows.append([phase, *_cells([_phase(each, phase) for each in times], times), *_mujoco(profile, phase)])
        if len(stages) > 1:
            rows += [
                [f"  {stage}", *_cells([each.stages.get(stage, 0.0) for each in times], times), *_blank(profile)]
                for stage in stages
            ]
    rows.append([REST, *_cells([each.rest for each in times], times), *_mujoco(profile, REST)])
    rows.append(["step", *_cells([each.step for each in times], times), *_mujoco(profile, "step")])
    yield from aligned(rows)
    batch = profile.throughput
    yield ""
    yield (
        f"batch of {batch.worlds} worlds on {batch.threads} thread{'s' * (batch.threads > 1)}: "
        f"{1e6 * batch.step:.2f} us per step of a world, {1 / batch.step:,.0f} steps/s"
    )
    if profile.batch is None:
        yield "worlds of this batch are not in lanes: one world tells where their time goes"


def _tree(times: StepTimes) -> dict[str, list[str]]:
    """Phases in the order of the table, with their stages."""
    stages = list(times.stages)
    tree = {phase: [stage for stage in stages if phase_of(stage) == phase] for phase in (*PHASES, REST)}
    return {phase: found for phase, found in tree.items() if found}


def _phase(times: StepTimes, phase: str) -> float:
    return times.phases.get(phase, 0.0)


def _cells(seconds: Sequence[float], times: Sequence[StepTimes]) -> list[str]:
    """Microseconds and share of the step, for each column."""
    return [
        cell
        for value, each in zip(seconds, times, strict=True)
        for cell in (f"{1e6 * value:.2f}", f"{100.0 * value / max(each.step, 1e-12):.0f}")
    ]


def _mujoco(profile: Profile, phase: str) -> list[str]:
    if not profile.mujoco:
        return []
    if phase not in profile.mujoco:
        return ["", ""]
    value = profile.mujoco[phase]
    return [f"{1e6 * value:.2f}", f"{100.0 * value / max(profile.mujoco['step'], 1e-12):.0f}"]


def _blank(profile: Profile) -> list[str]:
    return ["", ""] if profile.mujoco else []


# --- work


def work_text(profile: Profile) -> Iterator[str]:
    """Contacts, rows, and how many iterations the solver took."""
    yield from aligned(
        [
            ("in a step", "mean", "most"),
            ("contacts", f"{profile.contacts[0]:.1f}", f"{profile.contacts[1]:,}"),
            ("constraint rows", f"{profile.rows[0]:.1f}", f"{profile.rows[1]:,}"),
        ]
    )
    if set(profile.iterations) == {0}:
        yield "solver iterations: none, as there were no constraints"
        return
    yield ""
    largest = max(profile.iterations.values())
    rows = [("solver iterations", "steps", "%", "")]
    rows += [
        (words, f"{count:,}", f"{100.0 * count / profile.steps:.0f}", "#" * round(BAR * count / largest))
        for words, count in binned(profile.iterations).items()
    ]
    yield from aligned(rows, left=(3,))


def binned(iterations: Mapping[int, int]) -> dict[str, int]:
    """The histogram, with counts joined where there are many.

    >>> binned({0: 5, 1: 3})
    {'0': 5, '1': 3}
    """
    most = max(iterations)
    width = max(1, -(-(most + 1) // 12))
    bins: dict[str, int] = {}
    for count, steps in sorted(iterations.items()):
        first = count // width * width
        words = f"{first}" if width == 1 else f"{first} to {first + width - 1}"
        bins[words] = bins.get(words, 0) + steps
    return bins


# --- pairs


def pairs_text(profile: Profile) -> Iterator[str]:
    """Bodies that could be excluded from collision."""
    looked_at, touched = profile.pairs
    yield f"pairs of geoms: {looked_at:,} may touch, {touched:,} did"
    if not profile.untouched:
        return
    yield "never touched; if they never will, <exclude body1=... body2=.../>, contype or conaffinity saves their test:"
    rows = [("  body1", "body2", "pairs of geoms", "near, % of samples")]
    rows += [
        (f"  {row.body1}", row.body2, f"{row.pairs:,}", f"{100.0 * row.near:.0f}")
        for row in profile.untouched[:MOST_ROWS]
    ]
    yield from aligned(rows, left=(0, 1))
    if len(profile.untouched) > MOST_ROWS:
        yield f"  and {len(profile.untouched) - MOST_ROWS:,} more pairs of bodies"


# --- memory


def memory_text(profile: Profile) -> Iterator[str]:
    """Bytes of each part, and of its largest fields."""
    rows = [("memory", "kB", "largest fields, kB")]
    for part, fields in profile.memory.items():
        largest = ", ".join(f"{name} {size / 1e3:,.1f}" for name, size in list(fields.items())[:4])
        rows.append((part, f"{sum(fields.values()) / 1e3:,.1f}", largest))
    yield from aligned(rows, left=(0, 2))
