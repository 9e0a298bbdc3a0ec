"""docs/performance.md and its picture, written from the files of results.

python -m benchmarks.page            write them
python -m benchmarks.page --check    say whether they are up to date

`benchmarks/performance.md` is the page with holes: `{{name}}` or `{{table section}}`, filled by the functions here.
Every number that a run measures comes through a hole; numbers in the text itself are of experiments that are over.
"""

from __future__ import annotations

import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks import learning, plot
from benchmarks.cases import CASES, NOSLIP, Case
from benchmarks.contestants import WAYS
from benchmarks.ratios import OURS, bars, best_of_mujoco, measured, ratio, seconds, slower, spread
from benchmarks.regimes import FEW, LARGE, REGIMES, TIMED, WORLDS
from benchmarks.results import Results, all_results
from benchmarks.sheet import Sheet

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "benchmarks" / "performance.md"
PAGE, PICTURE = ROOT / "docs" / "performance.md", ROOT / "docs" / "pictures" / "performance.png"
HEAD = "<!-- written by `python -m benchmarks.page`; edit benchmarks/performance.md or run `make bench` -->\n\n"
#: Longest lines of prose.
WIDTH = 125
#: From this load on a machine was busy with other work.
BUSY = 0.5
#: What bars are asked of; with AVX-512 more would be due.
BAR_VECTORS = "AVX2"
#: Models may take so many times as long to compile as in MuJoCo.
COMPILE_BAR = 3.0
#: Environments are to be so many times faster than those of others, on one core.
LEARNING_BARS = {"Gymnasium": 10.0, "EnvPool": 2.0}

Fill = Callable[[Results, list[Results]], str]


# --- cells


def microseconds(value: float) -> str:
    """Three digits."""
    value *= 1e6
    return f"{value:.2f}" if value < 9.995 else f"{value:.1f}" if value < 99.95 else f"{value:.0f}"


def times(value: float) -> str:
    """A ratio; bold where MuJoCo is faster."""
    text = f"{value:.2f}x" if value < 9.995 else f"{value:.1f}x"
    return f"**{text}**" if value < 1 else text


def percent(value: float) -> str:
    """A part of a whole."""
    return f"{100 * value:.0f} %"


def cell(record: dict[str, Any], way: str) -> str:
    """Microseconds of a way, and for ours the ratio."""
    text = microseconds(seconds(record, way))
    return f"{text} ({times(ratio(record, way))})" if WAYS[way].against else text


# --- whole steps


def step_sheet(results: Results, title: str, wanted: Callable[[Case], bool]) -> Sheet:
    """Rows on one thread."""
    ways = ("mj_step", "rollout", "batch", "one", "f64", "f32")
    sheet = Sheet(title, ["model", "nv", "contacts", *(WAYS[way].label for way in ways)])
    for case, record in measured(results):
        if wanted(case):
            sizes = [str(record["nv"]), f"{record['contacts']:.1f}"]
            sheet.rows.append([case.label, *sizes, *(cell(record, way) for way in ways)])
    return sheet


def thread_sheet(results: Results) -> Sheet:
    """Rows on all threads, and what these gain over one."""
    ways = [name for name, way in WAYS.items() if way.on_all]
    threads = results.machine["threads"]
    gains = ["gain of MuJoCo", "gain of f64", "gain of f32"]
    sheet = Sheet(f"{threads} threads", ["model", "regime", *(WAYS[way].label for way in ways), *gains])
    for case, record in measured(results):
        if not case.variant:
            theirs = median(best_of_mujoco(run, "f64") / best_of_mujoco(run, "f64_all") for run in record["runs"])
            ours = [seconds(record, way) / seconds(record, f"{way}_all") for way in ("f64", "f32")]
            gained = [f"{gain:.2f}x" for gain in (theirs, *ours)]
            sheet.rows.append([case.label, case.manner, *(cell(record, way) for way in ways), *gained])
    return sheet


def step_sheets(results: Results) -> list[Sheet]:
    """All tables of whole steps, as the terminal shows them."""
    return [
        *(regime_sheet(results, name) for name in REGIMES),
        step_sheet(results, "Solvers, cones and noslip, lying", lambda case: bool(case.variant)),
        thread_sheet(results),
    ]


def regime_sheet(results: Results, name: str) -> Sheet:
    """Rows of a regime."""
    title = f"{REGIMES[name].title}: microseconds per step of one world (times faster than MuJoCo)"
    return step_sheet(results, title, lambda case: case.regime == name and not case.variant)


def law_sheet() -> Sheet:
    """Which law holds which robot."""
    sheet = Sheet("control laws", ["control law", "models"])
    held: dict[str, list[str]] = {}
    for case in CASES:
        if case.law is not None:
            held.setdefault(case.law.text, []).append(case.label)
    sheet.rows = [[text, "; ".join(labels)] for text, labels in held.items()]
    return sheet


def ratio_sheet(results: Results) -> Sheet:
    """Only ratios, for machines beside the first."""
    sheet = Sheet("ratios", ["model", "regime", *(f"{WAYS[way].label}{_on(results, way)}" for way in OURS)])
    for case, record in measured(results):
        sheet.rows.append([case.label, case.manner, *(times(ratio(record, way)) for way in OURS)])
    return sheet


def _on(results: Results, way: str) -> str:
    return f", {results.machine['threads']} threads" if WAYS[way].on_all else ""


# --- sentences


def machine_text(results: Results) -> str:
    """Where it was measured."""
    m = results.machine
    busy = (
        f" The machine was busy with other work (load {m['load']:g} before the run), which hits all threads most."
        if m["load"] and m["load"] >= BUSY
        else ""
    )
    runs = max((len(record["runs"]) for _, record in measured(results)), default=1)
    count = f"medians of {runs} runs" if runs > 1 else "one run"
    return (
        f"{m['cpu']} with {m['vectors']} (`{m['target']}`), {m['threads']} threads, {m['system'].split('-')[0]}; "
        f"Python {m['python']}, `mujoco` {m['mujoco']}, Phalanx {m['phalanx']}; {m['date']}, {count}.{busy}"
    )


def summary(results: Results) -> str:
    """For each of our ways: the middle, and both ends."""
    lines = []
    for way in OURS:
        found = sorted(((ratio(record, way), case) for case, record in measured(results)), key=lambda row: row[0])
        low, high = found[0], found[-1]
        lines.append(
            f"- {WAYS[way].label}{_on(results, way)}: {times(median(value for value, _ in found))} in the median row; "
            f"lowest {times(low[0])}, {_place(low[1])}; highest {times(high[0])}, {_place(high[1])}."
        )
    return "\n".join(lines)


def _place(case: Case) -> str:
    return f"{case.label}, {case.regime}" if not case.gait else case.label


def losses(results: Results) -> str:
    """All rows in which MuJoCo is faster."""
    lines = []
    for way in OURS:
        rows = slower(results, way)
        if rows:
            listed = "; ".join(f"{_place(case)} {value:.2f}x" for case, value in rows)
            lines.append(f"- {WAYS[way].label}{_on(results, way)}, {len(rows)} of {len(measured(results))}: {listed}.")
    return "\n".join(lines) or f"None of the {len(measured(results))} rows."


def like_with_like(results: Results) -> str:
    """One world against the fastest way of MuJoCo on one thread."""
    rows = measured(results)
    ways = WAYS["f64"].against
    against = {
        case: median(min(run[way] for way in ways) / run["one"] for run in record["runs"]) for case, record in rows
    }
    found = [case for case, value in against.items() if value < 1]
    named = f": {'; '.join(map(_place, found))}" if found else ""
    return (
        f"Against the fastest of those, which do not call from Python for each world, one world is "
        f"{times(median(against.values()))} in the median row, and slower in {len(found)} of {len(rows)} rows{named}."
    )


def same_work(results: Results) -> str:
    """How far both engines are apart after the timed steps."""
    rows = [record for _, record in measured(results)]
    ends = {way: max(record["apart"][way] for record in rows) for way in ("f64", "f32")}
    middles = {way: median(record["apart"][way] for record in rows) for way in ("f64", "f32")}
    stand = min((record["standing"] for record in rows if "standing" in record), default=1.0)
    return (
        f"After the {TIMED} steps, joint positions of the median world differ from MuJoCo's by {middles['f64']:.0e} in "
        f"f64 and by {middles['f32']:.0e} in f32 (median of all rows; at most {ends['f64']:.0e} and "
        f"{ends['f32']:.0e}). In every row at least {percent(stand)} of the robots that are to stand do so when the "
        f"measurement begins."
    )


def run_spread(results: Results) -> str:
    """How far runs are apart."""
    rows = [record for _, record in measured(results) if len(record["runs"]) > 1]
    if not rows:
        return "There was one run, so this page cannot tell how far runs are apart."
    found = {way: [spread(record, way) for record in rows] for way in OURS}
    middle = median(value for values in found.values() for value in values)
    most = max(map(max, found.values()))
    return f"Ratios of the runs differ by {percent(middle)} in the median, by {percent(most)} at most."


def bar_text(results: Results, others: list[Results]) -> str:
    """What we ask of ourselves, of the machine that the bars are for if it was measured."""
    asked = next((found for found in (results, *others) if found.machine["vectors"] == BAR_VECTORS), results)
    where = f"{asked.machine['cpu']} with {asked.machine['vectors']}"
    return (
        f"What we ask of one core with {BAR_VECTORS}, and the row that comes out lowest, measured on {where}:"
        f"\n\n{bar_sheet(asked).markdown()}"
    )


def bar_sheet(results: Results) -> Sheet:
    """Bars, and the row that comes out lowest."""
    sheet = Sheet("bars", ["bar", "way", "asked", "lowest row", "where", "met"])
    for bar, case, value in bars(results):
        is_met = "yes" if value >= bar.ratio else "**no**"
        row = [bar.text, WAYS[bar.way].label, f"{bar.ratio:g}x", times(value), _place(case), is_met]
        sheet.rows.append(row)
    return sheet


def other_machines(results: Results, others: list[Results]) -> str:
    """Ratios of the files beside the first."""
    parts = [f"{machine_text(other)}\n\n{ratio_sheet(other).markdown()}" for other in others]
    return "\n\n".join(parts) or "None was measured yet."


def compile_bar(results: Results) -> str:
    """Models beyond the bar of compile times."""
    found = []
    for sheet in results.tables.get("compile", []):
        for name, *cells in sheet.rows:
            for case, text in zip(sheet.columns[1:], cells, strict=True):
                value = float(text.rpartition("(")[2].rstrip("x)"))
                if case != "cold" and value > COMPILE_BAR:
                    found.append(f"{name} {case} {value:.1f}x")
    missed = f"is missed by {', '.join(found)}" if found else "holds in all rows"
    return f"The bar is {COMPILE_BAR:g}x with meshes on disk or in memory, and {missed}."


def learning_bars(results: Results) -> str:
    """How environments come out beside the bars, on one core."""
    sheets = results.tables.get("learning", [])
    if not sheets:
        return ""
    sheet, parts = sheets[0], []
    for rival, bar in LEARNING_BARS.items():
        places = [k for k, column in enumerate(sheet.columns[1:]) if column.startswith(rival)]
        for way in ("f64", "f32") if places else ():
            cells = {row[0]: row[sheet.columns.index(way)] for row in sheet.rows}
            ratios = {task: float(re.findall(r"([\d.]+)x", cell)[places[0]]) for task, cell in cells.items()}
            missed = [f"{task} {value:.1f}x" for task, value in ratios.items() if value < bar]
            found = f"missed by {', '.join(missed)}" if missed else f"met by all (lowest {min(ratios.values()):.1f}x)"
            parts.append(f"{bar:g}x {rival} on one core in {way} is {found}")
    return f"What we ask: {'; '.join(parts)}." if parts else ""


# --- the page

FILLS: dict[str, Fill] = {
    "machine": lambda results, others: machine_text(results),
    "worlds": lambda results, others: str(WORLDS),
    "few": lambda results, others: str(FEW),
    "large": lambda results, others: str(LARGE),
    "timed": lambda results, others: str(TIMED),
    "threads": lambda results, others: str(results.machine["threads"]),
    "summary": lambda results, others: summary(results),
    "laws": lambda results, others: law_sheet().markdown(),
    "solvers": lambda results, others: step_sheet(results, "", lambda case: bool(case.variant)).markdown(),
    "noslip": lambda results, others: str(NOSLIP),
    "all_threads": lambda results, others: thread_sheet(results).markdown(),
    "losses": lambda results, others: losses(results),
    "like_with_like": lambda results, others: like_with_like(results),
    "same_work": lambda results, others: same_work(results),
    "run_spread": lambda results, others: run_spread(results),
    "bars": bar_text,
    "other_machines": other_machines,
    "learning_bars": lambda results, others: learning_bars(results),
    "env_worlds": lambda results, others: str(learning.WORLDS),
    "env_few": lambda results, others: str(learning.FEW),
    "compile_bar": lambda results, others: compile_bar(results),
}


def filled(hole: str, results: Results, others: list[Results]) -> str:
    """What comes into a hole."""
    kind, _, name = hole.partition(" ")
    if kind == "table":
        sheets = results.tables.get(name, [])
        return "\n\n".join(sheet.markdown() for sheet in sheets) or "Not measured yet."
    if kind == "regime":
        return f"{REGIMES[name].text}\n\n{regime_sheet(results, name).markdown()}"
    return FILLS[kind](results, others)


def page(found: list[Results], template: str) -> str:
    """The whole page."""
    results, *others = found
    text = re.sub(r"{{([\w ]+)}}", lambda hole: filled(hole[1], results, others), template)
    return HEAD + "\n\n".join(map(wrapped, text.strip().split("\n\n"))) + "\n"


def wrapped(block: str) -> str:
    """A paragraph or a list in lines that can be read; tables, headings and pictures stay as they are."""
    if block.startswith(("|", "#", "!")):
        return block
    # an item of a list begins where a line has a dash
    items = [" ".join(item.split()) for item in re.split(r"\n(?=- )", block)]
    indents = ["  " if item.startswith("- ") else "" for item in items]
    return "\n".join(
        textwrap.fill(item, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
        for item, indent in zip(items, indents, strict=True)
    )


def picture_source(path: Path) -> str:
    """The fingerprint of the results that a picture was drawn from, "" if there is none."""
    from PIL import Image

    if not path.exists():
        return ""
    with Image.open(path) as image:
        return str(image.info.get(plot.SOURCE_KEY, ""))


def write(found: list[Results], page_path: Path = PAGE, picture_path: Path = PICTURE) -> None:
    """Write the page, and the picture if its numbers have changed."""
    page_path.parent.mkdir(parents=True, exist_ok=True)
    page_path.write_text(page(found, TEMPLATE.read_text(encoding="utf-8")), encoding="utf-8")
    if picture_source(picture_path) != plot.fingerprint(found[0]):
        plot.draw(found[0], picture_path)


def stale(found: list[Results]) -> list[str]:
    """What is not as it would be written now."""
    old = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
    reasons = []
    if old != page(found, TEMPLATE.read_text(encoding="utf-8")):
        reasons.append(f"{PAGE.relative_to(ROOT)} is stale")
    if picture_source(PICTURE) != plot.fingerprint(found[0]):
        reasons.append(f"{PICTURE.relative_to(ROOT)} is stale")
    return reasons


def main(arguments: list[str] | None = None) -> int:
    """Write or check."""
    arguments = sys.argv[1:] if arguments is None else arguments
    if arguments not in ([], ["--check"]):
        print("usage: python -m benchmarks.page [--check]")
        return 2
    found = all_results()
    if not arguments:
        write(found)
        return 0
    reasons = stale(found)
    for reason in reasons:
        print(f"{reason}: run python -m benchmarks.page")
    return 1 if reasons else 0


if __name__ == "__main__":
    sys.exit(main())
