"""The package for JavaScript: packed by npm, installed, and used in Node.js."""

from __future__ import annotations

import json
import re
import shutil
import subprocess

import pytest

import phalanx
from phalanx.memory.errors import ModelError
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA
from phalanx.web.javascript_package import types_text, write_package
from phalanx.world.fingerprint import PHYSICS
from tests.web.web_scenes import VARIANTS, scene

USE = """
import { load } from "phalanx-physics";
import { readFile } from "node:fs/promises";
const found = {};
for (const name of process.argv.slice(2)) {
  const sim = await load(await readFile(`${name}.phx`));
  sim.step(1000);
  found[name] = [await sim.fingerprint(), sim.time, sim.shape("xpos"), [...sim.data.qpos], sim.model.body_mass[1]];
}
console.log(JSON.stringify(found));
"""

#: What a program in TypeScript says, and what the compiler must refuse.
TYPED = """
import { load, phalanxModule, Simulation, SimulationError } from "./package/index.js";
import type { DataFields, ModelFields, Operation } from "./package/index.js";
export async function use(image: Uint8Array): Promise<string> {
  const simulation: Simulation = await load(image, await phalanxModule(false));
  simulation.data.ctrl[0] = 0.5;
  simulation.step(1000).forward().reset("home").restart();
  const data: DataFields = simulation.data, model: ModelFields = simulation.model, operation: Operation = "forward";
  const numbers: number[] = [simulation.run(operation), data.ncon, ...data.qpos, ...simulation.shape("xpos")];
  numbers.push(model.body_mass[1]!, model["opt.timestep"], simulation.time, simulation.sizes["nq"]!);
  return `${numbers} ${await simulation.fingerprint()} ${SimulationError.name}`;
}
export async function misuse(simulation: Simulation): Promise<void> {
  // @ts-expect-error
  simulation.data.qposs;
  // @ts-expect-error
  simulation.data.ncon = 3;
  // @ts-expect-error
  simulation.run("fly");
  // @ts-expect-error
  await load("cartpole.phx");
}
"""


def test_types_have_all_fields():
    text = types_text()
    assert "  /** position of the body frame [m], (nbody, 3) */" in text
    assert "  xpos: Float64Array;" in text and "  readonly ncon: number;" in text
    assert '  readonly "opt.timestep": number;' in text and "efc_J" in text
    # each field once, with a line about it; no comment ends early; braces in pairs
    fields = [name for name, row in DATA_SCHEMA.fields.items() if not row.scratch]
    fields += [name for name in MODEL_SCHEMA.fields if name in PHYSICS and not MODEL_SCHEMA.fields[name].scratch]
    rows = re.findall(r"^  /\*\* [^\n]*[^/ ] \*/\n  (?:readonly )?\"?([\w.]+)\"?: \w+;$", text, re.MULTILINE)
    assert [name for name in rows if name not in ("sizes", "title", "time", "timestep")] == [
        name for name in fields if name != "time"
    ]
    assert text.count("{") == text.count("}")


@pytest.mark.conformance
def test_programs_in_typescript_are_checked(tmp_path):
    tsc = shutil.which("tsc")
    if tsc is None:
        pytest.skip("TypeScript is not installed: npm install --global typescript")
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "index.d.ts").write_text(types_text())
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "use.ts").write_text(TYPED)
    options = "--strict --noEmit --target es2022 --module nodenext --lib es2022,dom --noUncheckedIndexedAccess use.ts"
    done = subprocess.run(
        [tsc, *options.split()], cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "there").write_text("")
    with pytest.raises(ModelError, match="is a file, not a folder"):
        write_package(tmp_path / "there")


@pytest.mark.conformance
def test_the_package_simulates_any_model(tmp_path):
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        pytest.skip("Node.js is not installed")

    def run(*words: str) -> str:
        done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=600, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    write_package(tmp_path / "package")
    (packed,) = json.loads(run(npm, "pack", "./package", "--json"))
    assert {row["path"] for row in packed["files"]} == {
        "README.md", "index.d.ts", "index.js", "package.json", "phalanx.wasm", "phalanx_sleep.wasm", "simulation.js",
    }  # fmt: skip
    assert packed["size"] < 2_000_000
    (tmp_path / "package.json").write_text('{"type": "module", "private": true}')
    run(npm, "install", "--offline", "--no-audit", "--no-fund", f"./{packed['filename']}")
    (tmp_path / "use.js").write_text(USE)
    worlds = {name: scene(name) for name in VARIANTS}
    for name, data in worlds.items():
        phalanx.export_image(data.model, tmp_path / f"{name}.phx", data=data)
    found = json.loads(run(node, "use.js", *worlds))
    for name, data in worlds.items():
        fingerprint, time, shape, qpos, mass = found[name]
        assert fingerprint == data.step(1000).fingerprint(), name
        assert (time, shape, qpos) == (data.time, list(data.xpos.shape), data.qpos.tolist())
        assert mass == data.model.body_mass[1]
