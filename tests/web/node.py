"""Node.js, for tests of what runs in JavaScript."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from phalanx.show.replay.page_text import FOLDER
from phalanx.web.export_page import PAGE


def run_node(script: str, folder: Path, *arguments: Any) -> Any:
    """What a module prints last, read as JSON; it finds the modules of pages beside itself. Skips without Node.js.

    Args:
        script: text of a module.
        folder: where it is written to.
        arguments: what it finds in process.argv, from index 2 on.
    """
    program = shutil.which("node")
    if program is None:
        pytest.skip("Node.js is not installed")
    for path in (*FOLDER.glob("*.js"), *PAGE.glob("*.js")):
        (folder / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}')
    main = folder / "test_main.js"
    main.write_text(script, encoding="utf-8")
    words = [program, str(main), *map(str, arguments)]
    done = subprocess.run(words, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


#: The beginning of scripts that simulate a module and an image: the first two arguments.
SIMULATION = """
import { readFileSync } from "node:fs";
import { Simulation } from "./simulation.js";
const [module, image] = process.argv.slice(2, 4).map((path) => readFileSync(path));
const sim = await Simulation.create(module, image);
const say = (value) => console.log(JSON.stringify(value));
"""
