"""Files of results: one for each machine and target, with what was measured there.

`benchmarks/results/<machine>.json` holds the machine, the rows of whole steps (`cases.py`) with the times of each run,
and the tables of the other sections. A run of a part replaces that part.
"""

from __future__ import annotations

import datetime
import json
import os
import platform
import re
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.sheet import Sheet, sheets_of

FOLDER = Path(__file__).resolve().parent / "results"
#: Level of the CPU in the name of a target -> what it is known for.
LEVELS = {"v3": "AVX2", "v4": "AVX-512", "aarch64": "NEON"}


def cpu_name() -> str:
    """What the system calls the processor."""
    try:
        found = re.search(r"model name\s*:\s*(.+)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    except OSError:
        found = None
    return found.group(1).strip() if found else platform.processor() or platform.machine()


def this_machine() -> dict[str, Any]:
    """Where and with what is measured."""
    import llvmlite
    import mujoco
    import numpy

    import phalanx
    from phalanx.native.target import host_target
    from phalanx.native.threads import available_threads

    target = host_target().name
    return {
        "cpu": cpu_name(), "target": target, "vectors": LEVELS.get(target.rpartition("-")[2], target),
        "threads": available_threads(), "system": f"{platform.system()} {platform.release()}",
        "python": platform.python_version(), "numpy": numpy.__version__, "llvmlite": llvmlite.__version__,
        "mujoco": mujoco.__version__, "phalanx": phalanx.__version__, "date": f"{datetime.date.today():%Y-%m-%d}",
        "load": round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
    }  # fmt: skip


def slug(machine: dict[str, Any]) -> str:
    """The machine as part of the name of a file."""
    words = f"{machine['cpu']} {machine['vectors']} {machine['threads']} threads"
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


@dataclass
class Results:
    """What was measured on a machine.

    Attributes:
        machine: processor, target, threads, versions, date, and the load before the run by other work.
        steps: rows of whole steps by key.
        tables: tables of the other sections.
    """

    machine: dict[str, Any]
    steps: dict[str, dict[str, Any]] = field(default_factory=dict)
    tables: dict[str, list[Sheet]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Results:
        """What a file says."""
        stored = json.loads(path.read_text(encoding="utf-8"))
        tables = {name: sheets_of(rows) for name, rows in stored["tables"].items()}
        return cls(stored["machine"], stored["steps"], tables)

    def keep(self, section: str, sheets: list[Sheet], is_part: bool) -> None:
        """Take the tables of a section; those of a part of its rows leave the other rows as they were."""
        old = self.tables.get(section, [])
        if is_part and len(old) == len(sheets):
            sheets = [before.updated(after) for before, after in zip(old, sheets, strict=True)]
        self.tables[section] = sheets

    def text(self) -> str:
        """The file: a line for each row, so that versions can be compared line by line."""
        tables = {name: [asdict(sheet) for sheet in sheets] for name, sheets in self.tables.items()}
        parts = {"machine": self.machine, "steps": self.steps, "tables": tables}
        return "{\n" + ",\n".join(f" {json.dumps(name)}: {_lines(part)}" for name, part in parts.items()) + "\n}\n"

    def write(self, path: Path) -> None:
        """Write the file, at once."""
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_suffix(".part")
        partial.write_text(self.text(), encoding="utf-8")
        partial.replace(path)


def _lines(part: dict[str, Any]) -> str:
    rows = [f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in part.items()]
    return "{\n" + ",\n".join(rows) + "\n }"


def all_results(folder: Path | None = None) -> list[Results]:
    """Every machine and target that was measured: first the one with the most rows and tables, the newest of those."""
    found = [Results.read(path) for path in sorted((folder or FOLDER).glob("*.json"))]
    return sorted(found, key=lambda r: (len(r.steps), len(r.tables), r.machine["date"]), reverse=True)
