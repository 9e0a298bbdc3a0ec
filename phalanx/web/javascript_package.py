"""The JavaScript package: a module with all parts, the program that runs it, and types of all fields."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path

from phalanx.algebra.number_type import NumberType
from phalanx.memory.errors import ModelError
from phalanx.memory.layout import DATA_SCHEMA, MODEL_SCHEMA, dtype_of
from phalanx.memory.whole_file import write_whole
from phalanx.show.replay.page_text import read_source
from phalanx.tables.data_domains import is_settable
from phalanx.tables.field import Field
from phalanx.tables.parts import PARTS
from phalanx.web.export_page import PAGE
from phalanx.web.model_image import type_name
from phalanx.web.web_units import OPERATIONS, module_of
from phalanx.world.fingerprint import PHYSICS

#: Name of the package, and of the module in it.
NAME, MODULE, SLEEP_MODULE = "phalanx-physics", "phalanx.wasm", "phalanx_sleep.wasm"
#: Parts that only batches call.
_OF_BATCHES = ("requested", "queries")
#: Types of arrays, by the type of their elements.
_ARRAYS = {"f8": "Float64Array", "f4": "Float32Array", "i8": "BigInt64Array", "i4": "Int32Array", "u1": "Uint8Array"}

_INDEX = """// Phalanx: a physics engine for robots, as WebAssembly. See README.md.

import { Simulation, needsSleep } from "./simulation.js";

export { Simulation, SimulationError } from "./simulation.js";

const compiled = {};

/** The module of this package, with all parts, read and compiled once. Models with the flag sleep have their own. */
export function phalanxModule(sleeps = false) {
  compiled[sleeps] ??= readModule(new URL(sleeps ? "./phalanx_sleep.wasm" : "./phalanx.wasm", import.meta.url));
  return compiled[sleeps];
}

async function readModule(url) {
  if (url.protocol !== "file:") return WebAssembly.compile(await (await fetch(url)).arrayBuffer());
  const { readFile } = await import("node:fs/promises");
  return WebAssembly.compile(await readFile(url));
}

/** A simulation of an image that `phalanx.export_image` wrote; `module` if it came with one of its own. */
export async function load(image, module = null) {
  return Simulation.create(module ?? (await phalanxModule(needsSleep(image))), image);
}
"""

_README = """# {name}

The physics engine Phalanx as WebAssembly. A state has the same bits after as many steps as in Python.

An image of a model is written in Python:

```python
import phalanx

model = phalanx.load("humanoid")
phalanx.export_image(model, "humanoid.phx")
```

and simulated in JavaScript, in a browser or in Node.js:

```js
import {{ load }} from "{name}";
import {{ readFile }} from "node:fs/promises";

const simulation = await load(await readFile("humanoid.phx"));
simulation.data.ctrl[simulation.id("actuator", "knee_left")] = -0.3;
simulation.step(1000);
console.log(simulation.time, simulation.data.qpos, await simulation.fingerprint());
```

- `simulation.data` and `simulation.model` have the fields of Data and Model by name, as typed arrays that show the
  memory of the simulation; ask for them again after a step, as memory may have moved. `simulation.shape("xpos")` tells
  the shape, `simulation.sizes.nbody` a size, `simulation.names.body` the names of objects.
- `step(n)`, `forward()`, `reset(keyframe)`, `restart()` (the state of the image), `run(operation)`.
- A number that becomes NaN, infinite or huge throws a `SimulationError`; the state is then the last good one.
- `fingerprint()` is that of `Data.fingerprint()` in Python.
"""


def write_package(folder: str | Path) -> Path:
    """Write the package into a folder, ready for `npm pack`.

    Args:
        folder: it is made if there is none.

    Returns:
        the folder.

    Raises:
        ModelError: there is a file of that name.
    """
    folder = Path(folder)
    if folder.exists() and not folder.is_dir():
        raise ModelError(f"{folder} is a file, not a folder")
    folder.mkdir(parents=True, exist_ok=True)
    # what only batches call is of no use to one world
    parts = [name for name in PARTS if name not in _OF_BATCHES]
    files = {
        MODULE: module_of([name for name in parts if name != "sleep"]),
        SLEEP_MODULE: module_of(parts),
        "simulation.js": read_source("simulation.js", (PAGE,)).encode(),
        "index.js": _INDEX.encode(),
        "index.d.ts": types_text().encode(),
        "README.md": _README.format(name=NAME).encode(),
        "package.json": (json.dumps(_about(), indent=2) + "\n").encode(),
    }
    for name, content in files.items():
        write_whole(folder / name, content)
    return folder


def _about() -> dict[str, object]:
    """package.json."""
    return {
        "name": NAME, "version": metadata.version("phalanx"), "type": "module", "license": "Apache-2.0",
        "description": "A MuJoCo-compatible physics engine for robots, as WebAssembly", "main": "index.js",
        "types": "index.d.ts", "exports": {
            ".": {"types": "./index.d.ts", "default": "./index.js"}, "./phalanx.wasm": "./phalanx.wasm",
            "./phalanx_sleep.wasm": "./phalanx_sleep.wasm",
        },
        "files": ["index.js", "index.d.ts", "simulation.js", MODULE, SLEEP_MODULE, "README.md"],
        "engines": {"node": ">=18"}, "sideEffects": False,
    }  # fmt: skip


# --- types


def types_text() -> str:
    """The declarations of the package, with all fields from the tables."""
    physics = frozenset(PHYSICS)
    data = {name: row for name, row in DATA_SCHEMA.fields.items() if not row.scratch}
    model = {name: row for name, row in MODEL_SCHEMA.fields.items() if name in physics and not row.scratch}
    operations = " | ".join(f'"{name}"' for name in OPERATIONS)
    return "\n".join((
        "/** Fields of a Data. Arrays show the memory of the simulation; ask for them again after a step. */",
        "export interface DataFields {", *_fields(data, is_model=False), "}", "",
        "/** Fields of a Model that kernels read. */",
        "export interface ModelFields {", *_fields(model, is_model=True), "}", "",
        _CLASSES.format(operations=operations),
    ))  # fmt: skip


def _fields(rows: Mapping[str, Field], is_model: bool) -> Iterator[str]:
    for name, row in rows.items():
        shape = f", ({', '.join(str(axis) for axis in row.shape)})" if row.shape else ""
        unit = f" [{row.unit}]" if row.unit else ""
        yield f"  /** {row.doc}{unit}{shape} */".replace("*/ */", "*/")
        kind = _ARRAYS[type_name(dtype_of(row, NumberType("float64")))] if row.shape else "number"
        mark = "readonly " if is_model or not is_settable(row) else ""
        yield f"  {mark}{json.dumps(name) if '.' in name else name}: {kind};"


_CLASSES = """/** Something that cannot be done: a wrong name, an image that does not fit, a world that has stopped. */
export class SimulationError extends Error {{
  /** The field whose number is bad, if the world has stopped. */
  readonly field?: string;
  readonly index?: number;
  readonly time?: number;
}}

export type Operation = {operations};

/** A world that is simulated. */
export class Simulation {{
  /** Make a simulation of a module and an image. */
  static create(module: WebAssembly.Module | BufferSource, image: Uint8Array): Promise<Simulation>;
  readonly data: DataFields;
  readonly model: ModelFields;
  /** Sizes by name: nq, nv, nbody, ... */
  readonly sizes: Readonly<Record<string, number>>;
  /** Names of objects by kind; "" for one without a name. */
  readonly names: Readonly<Record<string, readonly string[]>>;
  /** Names of the numbers of qpos, qvel, qacc, act, ctrl and sensordata. */
  readonly columns: Readonly<Record<string, readonly string[]>>;
  readonly title: string;
  /** Simulated time [s]. */
  readonly time: number;
  /** Length of a step [s]. */
  readonly timestep: number;
  /** Advance by n steps. Throws SimulationError if a number becomes NaN, infinite or huge. */
  step(n?: number): this;
  /** Compute everything that follows from the present state and inputs; the state does not change. */
  forward(): this;
  /** Back to the initial state of the model, or to a keyframe given by name or id. */
  reset(keyframe?: string | number | null): this;
  /** Back to the state of the image. */
  restart(): this;
  /** Run an operation by name. */
  run(operation: Operation, n?: number): number;
  /** A field by name. */
  field(name: string): number | Float64Array | Float32Array | BigInt64Array | Int32Array | Uint8Array;
  /** Sizes of a field now. */
  shape(name: string): number[];
  /** The id of an object by its name. */
  id(kind: string, name: string | number): number;
  /** Whether the step calls a function of the model, such as hook_control. */
  useHook(name: string, isOn: boolean): void;
  /** A hash of the complete state, that of `Data.fingerprint` in Python. */
  fingerprint(): Promise<string>;
}}

/** The module of this package, with all parts; it is read and compiled once. */
export function phalanxModule(sleeps?: boolean): Promise<WebAssembly.Module>;

/** A simulation of an image that `phalanx.export_image` wrote; `module` if it came with one of its own. */
export function load(image: Uint8Array, module?: WebAssembly.Module | BufferSource | null): Promise<Simulation>;
"""
