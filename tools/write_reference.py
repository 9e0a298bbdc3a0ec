"""Write pages: `docs/reference/*.md`, `docs/mujoco_functions.md`, and the generated part of `docs/differences.md`.

Fields, options, elements and words come from the tables, classes and functions from their docstrings.

Usage: python -m tools.write_reference [--check]
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum, IntFlag
from pathlib import Path

from phalanx.learn.env_table import ENVS
from phalanx.scene.decor import DECOR, LOOKS, DecorRow, LookRow
from phalanx.scene.show import CHOICES, GROUPS
from phalanx.tables import data_fields, enums, model_fields
from phalanx.tables.actuators import BIASES, DYNAMICS, GAINS, TRANSMISSIONS
from phalanx.tables.data_fields import DATA
from phalanx.tables.field import Field, Kind, rows
from phalanx.tables.glossary import FIELD_PARTS, RULED_OUT, WORDS
from phalanx.tables.mechanisms import MECHANISMS
from phalanx.tables.mjcf_kinds import KINDS, SETTINGS
from phalanx.tables.mjcf_row import MANY, Attribute, Holds
from phalanx.tables.mjcf_schema import ELEMENTS
from phalanx.tables.model_fields import MODEL, SETCONST_INPUTS
from phalanx.tables.option_fields import OPTION, STATISTIC
from phalanx.tables.sensors import SENSORS, SensorRow
from phalanx.tables.sizes import SIZES
from phalanx.tables.urdf_schema import JOINTS as URDF_JOINTS
from phalanx.tables.urdf_schema import URDF
from tools import method_reference
from tools.mujoco_functions import SECTIONS

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
COMMAND = "python -m tools.write_reference"
NOTE = f"<!-- written by `{COMMAND}`; do not edit -->"

#: Between these lines a hand-written page has a generated part.
BEGIN, END = f"<!-- begin: written by `{COMMAND}` -->", "<!-- end -->"

#: Groups of Data that no stage of the step writes.
OWNERS_OF_DATA = {
    "state": "The state: what a step advances.",
    "input": "Inputs: what you set before a step.",
    "diagnostics": "Counters and errors.",
}


# --- Markdown


def table(head: Iterable[str], body: Iterable[Iterable[str]]) -> Iterator[str]:
    """A Markdown table."""
    head = tuple(head)
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for cells in body:
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
    yield ""


def page(title: str, *parts: Iterable[str]) -> str:
    """A page with a title; parts are lines."""
    lines = [NOTE, "", f"# {title}", ""]
    for part in parts:
        lines += part
    return "\n".join(lines).rstrip() + "\n"


def shape(row: Field) -> str:
    """The shape of a row in names of sizes."""
    return ", ".join(str(axis) for axis in row.shape) if row.shape else "scalar"


def default(row: Field) -> str:
    """The default of a row, its numbers in short form."""
    values = row.default if isinstance(row.default, tuple) else (row.default,)
    return ", ".join(f"{value:g}" for value in values)


# --- pages


def model_notes(row: Field) -> str:
    """What is special about a Model row: per world, derived, departs."""
    notes = []
    if row.per_world and row.kind is Kind.REAL and (not row.setconst or row.name in SETCONST_INPUTS):
        notes.append("per world")
    if row.setconst:
        notes.append("derived")
    if row.departs:
        notes.append(f"departs: {row.departs}")
    return "; ".join(notes)


def data_notes(row: Field) -> str:
    """What is special about a Data row: state, live length, departs."""
    notes = []
    if row.state:
        notes.append("state")
    if row.live:
        notes.append(f"first {row.live} rows valid")
    if row.departs:
        where = f", MuJoCo's `{row.mujoco}`" if row.mujoco not in ("", "-") else ""
        notes.append(f"departs{where}: {row.departs}")
    return "; ".join(notes)


def field_row(row: Field, notes: str) -> tuple[str, ...]:
    """A line of a table of fields."""
    return f"`{row.name}`", row.kind.value, shape(row), row.unit, row.doc, notes


FIELD_HEAD = ("field", "kind", "shape", "unit", "meaning", "notes")


def model_page() -> str:
    """Sizes, then rows of the Model by the object that owns them."""
    intro = [
        "A Model is immutable: change it with `model.replace(...)`. Rows are grouped by the object that owns them.",
        "",
        "*per world*: a batch may give each world its own numbers (`BatchSim(..., vary={...})`). *derived*: computed",
        "from other rows; `replace` recomputes it. Kind `real` is a number of the physics, in the precision of the",
        "simulation.",
        "",
        "## Sizes",
        "",
    ]
    sizes = table(("size", "meaning"), ((f"`{size.name}`", size.doc) for size in SIZES))
    groups = []
    for owner, members in MODEL.items():
        body = (field_row(row, model_notes(row)) for row in members)
        groups.append([f"## {owner}", "", *table(FIELD_HEAD, body)])
    return page("Fields of a Model", intro, sizes, *groups)


def data_page() -> str:
    """Rows of the Data by the stage that writes them, without scratch memory."""
    intro = [
        "Rows are grouped by the stage that writes them, in the order of the pipeline. A stage that this version does",
        "not have yet leaves its rows as `reset` made them.",
        "",
        "*state*: what must be kept to go on exactly. *first n rows valid*: the length varies from step to step.",
        "",
    ]
    groups = []
    for stage, members in DATA.items():
        public = [row for row in members if not row.scratch]
        if public:
            about = [OWNERS_OF_DATA[stage], ""] if stage in OWNERS_OF_DATA else []
            body = (field_row(row, data_notes(row)) for row in public)
            groups.append([f"## {stage}", "", *about, *table(FIELD_HEAD, body)])
    return page("Fields of a Data", intro, *groups)


def option_page() -> str:
    """Options with their defaults, then statistics."""
    head = ("field", "kind", "shape", "unit", "default", "meaning")

    def body(source: Iterable[Field]) -> Iterator[tuple[str, ...]]:
        for row in source:
            yield f"`{row.name}`", row.kind.value, shape(row), row.unit, default(row), row.doc

    intro = ["Options are `model.opt.<field>`; change them with `model.replace(opt={...})`.", ""]
    statistic = ["## Statistics", "", "`model.stat.<field>`, computed when a model is compiled.", ""]
    statistics = table(
        ("field", "shape", "unit", "meaning"),
        ((f"`{row.name}`", shape(row), row.unit, row.doc) for row in rows(STATISTIC)),
    )
    return page("Options", intro, table(head, body(rows(OPTION))), statistic, statistics)


def enum_classes() -> list[type[IntEnum] | type[IntFlag]]:
    """The enums, in the order of their file."""
    found = [value for value in vars(enums).values() if inspect.isclass(value) and value.__module__ == enums.__name__]
    return [value for value in found if issubclass(value, (IntEnum, IntFlag))]


def enums_page() -> str:
    """Every enum with its values."""
    intro = ["MuJoCo's enums with the same values, names without prefix. They live in `phalanx.tables.enums`.", ""]
    groups = []
    for kind in enum_classes():
        body = ((f"`{name}`", str(int(member))) for name, member in kind.__members__.items())
        groups.append([f"## {kind.__name__}", "", inspect.getdoc(kind) or "", "", *table(("name", "value"), body)])
    return page("Enums", intro, *groups)


def glossary_page() -> str:
    """Our words, words that we avoid, and the parts of field names."""
    words = ((f"*{word}*", meaning) for word, meaning in WORDS.items())
    ruled_out = ((", ".join(row.forms), row.instead, "; ".join(row.true_uses)) for row in RULED_OUT)
    parts = ((f"`{part}`", meaning) for part, meaning in FIELD_PARTS.items())
    return page(
        "Glossary",
        ["One word, one meaning: in names, comments, docstrings and on these pages.", ""],
        table(("word", "meaning"), words),
        ["## Words that we do not use", "", "A test looks for them.", ""],
        table(("word", "instead", "except"), ruled_out),
        ["## Parts of field names", "", "Field names are MuJoCo's; they are built from these parts.", ""],
        table(("part", "meaning"), parts),
    )


def sensor_numbers(row: SensorRow) -> str:
    """How many numbers a sensor gives, in words."""
    if row.dim == 0:
        return "as it asks"
    return f"{row.dim} per output" if row.of == "actuator" else str(row.dim)


def sensors_page() -> str:
    """One line per sensor."""
    intro = [
        "Every sensor: what it is of, how many numbers it gives and of which kind, the stage after which it is",
        "computed (an element of type `contact` or `user` can tell otherwise), and its file in `phalanx/sensor`.",
        "[MJCF](mjcf.md) has the attributes of each.",
        "",
    ]
    head = ("sensor", "of", "numbers", "kind", "after", "what is measured", "file")
    body = (
        (f"`{row.tag}`", row.of, sensor_numbers(row), row.datatype.name.lower(), row.stage.name.lower(), row.doc,
         f"`{row.module}.py`")
        for row in SENSORS.values()
    )  # fmt: skip
    return page("Sensors", intro, table(head, body))


def decor_page() -> str:
    """One line per switch of what pictures show."""
    intro = [
        "Every setting of [`phalanx.Show`](scene.md), which pictures, the viewer and replays take:",
        '`Show(contacts=True, labels="body")`. Defaults, sizes and colors are those of MuJoCo: `model.vis.scale`,',
        "`model.vis.rgba`, `model.vis.map` and `stat.meansize`.",
        "",
    ]

    def switches(rows: Mapping[str, DecorRow] | Mapping[str, LookRow]) -> Iterator[str]:
        return table(("switch", "default", "what it does"), (
            (f"`{name}`", "on" if row.default else "off", row.doc) for name, row in rows.items()
        ))  # fmt: skip

    choices = table(("setting", "one of"), (
        (f"`{name}`", ", ".join(f'`"{word}"`' for word in words)) for name, words in CHOICES.items()
    ))  # fmt: skip
    groups = [f"Six flags each, one for each group of objects: {', '.join(f'`{name}`' for name in GROUPS)}."]
    return page(
        "Decor", intro, ["## What is drawn besides geoms", ""], switches(DECOR), ["## How objects look", ""],
        switches(LOOKS), ["## Frames and labels", ""], choices, ["## Groups", ""], groups,
    )  # fmt: skip


def environments_page() -> str:
    """One line per environment."""
    intro = [
        "Every environment that comes with Phalanx: `gymnasium.make(id)`, `phalanx.learn.task_named(id)`.",
        "[Environments](../environments.md) explains them.",
        "",
    ]
    head = ("id", "what is to be done", "task", "parameters")
    body = (
        (f"`{row.id}`", row.doc, f"`{row.task.partition(':')[2]}`",
         ", ".join(f"`{name}={value!r}`" for name, value in row.parameters.items()))
        for row in ENVS.values()
    )  # fmt: skip
    return page("Environments", intro, table(head, body))


def actuators_page() -> str:
    """Transmissions, dynamics, gains and biases, with the meaning of their parameters."""
    intro = [
        "An actuator combines a transmission, activation dynamics, a gain and a bias; its force is the driven part, of",
        "the gain, plus the bias. Files are those of the kernels, in `phalanx/smooth/actuator`.",
        "[MJCF](mjcf.md) has the shortcuts that stand for common combinations.",
        "",
    ]
    targets = (
        (f"`{row.target}`" if row.target else f"none: `{row.kind.name.lower()}`", row.of, row.doc, f"`{row.module}.py`")
        for row in TRANSMISSIONS.values()
    )
    parts: list[Iterable[str]] = [
        ["## Transmissions", ""],
        table(("attribute", "of", "what is driven", "file"), targets),
    ]
    for title, prm, kinds in (
        ("Activation dynamics", "dynprm", DYNAMICS), ("Gains", "gainprm", GAINS), ("Biases", "biasprm", BIASES),
    ):  # fmt: skip
        rows_of_kind = list(kinds.values())
        body = ((f"`{row.tag}`", row.doc, f"`{row.module}.py`" if row.module else "") for row in rows_of_kind)
        meaning = (
            (f"`{row.tag}`", str(column), name, doc)
            for row in rows_of_kind
            for column, (name, doc) in enumerate(row.parameters.items())
        )
        parts += [[f"## {title}", ""], table(("keyword", "what it does", "file"), body)]
        parts += [[f"Parameters, in {prm}:", ""], table(("keyword", "column", "name", "meaning"), meaning)]
    return page("Actuators", intro, *parts)


def differences_part() -> list[str]:
    """Rows that differ from MuJoCo's, and members of MuJoCo's structs that have no row."""
    departing: dict[str, list[Field]] = {}
    for row in (*rows(MODEL), *rows(DATA), *rows(OPTION)):
        if row.departs and not row.scratch:
            departing.setdefault(row.departs, []).append(row)

    def names(fields: list[Field]) -> Iterator[tuple[str, str]]:
        for row in fields:
            yield f"`{row.name}`", f"`{row.mujoco}`" if row.mujoco not in ("", "-") else "none"

    lines = []
    for reason, fields in departing.items():
        lines += [f"**{reason[0].upper()}{reason[1:]}.**", "", *table(("here", "MuJoCo"), names(fields))]
    for struct, omitted in (("MjModel", model_fields.OMITTED), ("MjData", data_fields.OMITTED)):
        body = ((f"`{name}`", reason) for name, reason in omitted.items())
        lines += [f"**Members of `{struct}` that are no field here.**", "", *table(("member", "reason"), body)]
    return lines


# --- MJCF


def mjcf_value(attribute: Attribute) -> str:
    """What an attribute holds, in words."""
    if attribute.holds in (Holds.KEYWORD, Holds.KEYWORDS):
        return f"{attribute.holds.value} {', '.join(attribute.keywords)}"
    if attribute.holds is Holds.REFERENCES:
        return f"names, each of a {attribute.kind}"
    if attribute.kind:
        return f"name of a {attribute.kind}" if attribute.holds is Holds.REFERENCE else "name"
    if attribute.most >= MANY:
        return f"{attribute.holds.value}s"
    counts = {attribute.least, attribute.most}
    return attribute.holds.value if counts == {1} else f"{'-'.join(map(str, sorted(counts)))} {attribute.holds.value}s"


def mjcf_default(attribute: Attribute) -> str:
    """The default of an attribute as a file would have it."""
    if attribute.required:
        return "required"
    if attribute.default is None or attribute.default == ():
        return ""
    value = attribute.default
    if isinstance(value, bool):
        return str(value).lower()
    return " ".join(
        f"{v:g}" if isinstance(v, float) else str(v) for v in (value if isinstance(value, tuple) else (value,))
    )


def mjcf_page() -> str:
    """Every element with its attributes."""
    lines = [
        "Every element and attribute of the model language, as MuJoCo 4.0 has it. *In the Model* is the field that",
        "takes the value as it is; where it is empty, the compiler computes with it. `include` may stand anywhere.",
        "",
    ]
    for key, row in ELEMENTS.items():
        if key.startswith("default/"):
            continue
        lines += [f"## {key}", "", f"{row.doc[0].upper()}{row.doc[1:]}.", ""]
        if row.unsupported:
            lines += [f"**Refused:** {row.unsupported}.", ""]
        if row.children:
            inside = ", ".join(f"`{tag}`" for tag in row.children)
            lines += [f"Holds {inside}.", ""]
        if row.attributes:
            body = (
                (f"`{a.name}`", mjcf_value(a), mjcf_default(a), a.doc, f"`{a.field}`" if a.field else "")
                for a in row.attributes.values()
            )
            lines += table(("attribute", "value", "default", "meaning", "in the Model"), body)
    return page("MJCF", lines, mechanism_lines())


def mechanism_lines() -> Iterable[str]:
    """Composite joints and couplings with their attributes."""
    yield from (
        "## Beyond MJCF: composite joints and couplings",
        "",
        "Our own elements; a reader replaces them by plain ones at once, so that `Spec.to_xml` and MuJoCo know nothing",
        "of them. [Mechanisms](../mechanisms.md) explains them; `phalanx.mechanism.add` has them in Python.",
        "",
    )
    for row in MECHANISMS.values():
        holders = ", ".join(f"`{tag}`" for tag in row.inside)
        becomes = row.makes.replace("{name}", "*name*").replace("_", "\\_")
        yield from (f"### {row.tag}", "", f"{row.doc[0].upper()}{row.doc[1:]}. In {holders}. Becomes {becomes}.", "")
        body = ((f"`{a.name}`", mjcf_value(a), mjcf_default(a), a.doc) for a in row.attributes)
        yield from table(("attribute", "value", "default", "meaning"), body)


def urdf_page() -> str:
    """Every element of URDF with its attributes."""
    lines = [
        "Every element and attribute of URDF that is read; [Robots in URDF and USD](../urdf.md) tells what becomes of",
        "them. Others have no effect, and are noted in the report of the model.",
        "",
    ]
    for key, row in URDF.items():
        lines += [f"## {key.removeprefix('urdf/')}", "", f"{row.doc[0].upper()}{row.doc[1:]}.", ""]
        if row.children:
            lines += [f"Holds {', '.join(f'`{tag}`' for tag in row.children)}.", ""]
        if row.attributes:
            body = ((f"`{a.name}`", mjcf_value(a), mjcf_default(a), a.doc) for a in row.attributes.values())
            lines += table(("attribute", "value", "default", "meaning"), body)
    lines += ["## Types of joints", ""]
    parts = (
        (f"`{row.type}`", ", ".join(f"`{kind}`" for _, kind, _ in row.parts) or "none", "yes" if row.has_limits else "")
        for row in URDF_JOINTS.values()
    )
    lines += table(("type", "joints of MJCF", "limits"), parts)
    return page("URDF", lines)


def functions_page() -> str:
    """What stands here for each function of MuJoCo."""
    count = sum(len(section) for section in SECTIONS.values())
    intro = [
        f"All {count} functions `mj_`, `mju_` and `mjd_` of the `mujoco` package (version 4.0), and what does the same",
        "here, or why nothing does. `model`, `data` and `batch` are a `Model`, a `Data` and a `BatchSim`; results are",
        "returned, never written into arguments, and objects are given by name or id. `mjData` and `mjModel` have the",
        "same members here ([Data](reference/data.md), [Model](reference/model.md)), `mjSpec` is `phalanx.Spec`,",
        "callbacks are [hooks](hooks.md).",
        "",
    ]
    parts: list[Iterable[str]] = []
    for title, section in SECTIONS.items():
        body = ((f"`{row.name}`", f"`{row.here}`" if row.here else "", row.note) for row in section)
        parts += [[f"## {title}", ""], table(("MuJoCo", "here", "note"), body)]
    return page("From MuJoCo's functions", intro, *parts)


def spec_page() -> str:
    """Kinds of elements, as a Spec lists, finds and adds them."""
    intro = [
        "What a `Spec` lists, finds by name and adds, by kind of element. Attributes of each element are those of",
        "[MJCF](mjcf.md). See [Editing models](../spec.md).",
        "",
    ]
    body = []
    for row in KINDS.values():
        types = ", ".join(f"`{tag}`" for tag in row.keys) if row.has_types else ""
        first = "type, " if row.has_types and row.section else ""
        adder = f"`spec.add_{row.name}({first}...)`" if row.section else ""
        holders = "" if row.section else " ".join(f"`body.add_{tag}(...)`" for tag in row.keys)
        body.append((f"`spec.{row.plural}`", f"`spec.{row.name}(name)`", adder or holders, types))
    head = ("list", "by name", "added by", "types")
    sections = ", ".join(f"`spec.{name}`" for name in SETTINGS)
    settings = [f"Settings are attributes of their sections: {sections}.", ""]
    return page("Kinds of elements", intro, table(head, body), settings)


def with_generated_part(text: str, lines: list[str]) -> str:
    """A hand-written page with the part between the marks replaced."""
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page lacks the lines {BEGIN!r} and {END!r}")
    return "\n".join([head + BEGIN, "", *lines]).rstrip() + f"\n\n{END}{tail}"


def pages() -> dict[Path, str]:
    """Every file this tool writes, with its text."""
    reference, differences = DOCS / "reference", DOCS / "differences.md"
    return {
        reference / "model.md": model_page(),
        reference / "data.md": data_page(),
        reference / "option.md": option_page(),
        reference / "enums.md": enums_page(),
        reference / "mjcf.md": mjcf_page(),
        reference / "urdf.md": urdf_page(),
        reference / "spec.md": spec_page(),
        reference / "sensors.md": sensors_page(),
        reference / "actuators.md": actuators_page(),
        reference / "decor.md": decor_page(),
        reference / "environments.md": environments_page(),
        reference / "glossary.md": glossary_page(),
        DOCS / "mujoco_functions.md": functions_page(),
        **{
            reference / f"{name}.md": page(row.title, method_reference.page_lines(row))
            for name, row in method_reference.PAGES.items()
        },
        differences: with_generated_part(differences.read_text(encoding="utf-8"), differences_part()),
    }


def stale() -> list[str]:
    """The files that do not hold what the tables say."""
    current = {path: path.read_text(encoding="utf-8") if path.exists() else "" for path in pages()}
    return [path.relative_to(ROOT).as_posix() for path, text in pages().items() if current[path] != text]


def main(arguments: list[str]) -> int:
    """The command; with --check it writes nothing and fails if a page is stale."""
    if arguments == ["--check"]:
        found = stale()
        for path in found:
            print(f"{path} is stale: run {COMMAND}")
        return 1 if found else 0
    if arguments:
        print(f"usage: {COMMAND} [--check]")
        return 2
    for path, text in pages().items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
