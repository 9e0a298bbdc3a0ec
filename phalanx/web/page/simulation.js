// A world that is simulated: memory of a Model and a Data in a WebAssembly module, operations on it, fields by name.
// Results have the same bits as those of Phalanx in Python.

const MAGIC = "PHXIMG\0\x01";
const ALIGNMENT = 64;
const PAGE = 65536;
const ARRAYS = {
  f8: Float64Array,
  f4: Float32Array,
  i8: BigInt64Array,
  i4: Int32Array,
  u1: Uint8Array,
};
/** Steps of one call; in between, nothing else can happen in the page. */
const MOST_STEPS = 1000000;

/** Something that cannot be done: a wrong name, an image that does not fit, a world that has stopped. */
export class SimulationError extends Error {
  constructor(message, details = {}) {
    super(message);
    this.name = "SimulationError";
    Object.assign(this, details);
  }
}

const aligned = (size) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;
const product = (shape) => shape.reduce((a, b) => a * b, 1);

/** The text of an image, and where memory begins in it. */
function readImage(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const magic = bytes.length > 12 ? String.fromCharCode(...bytes.subarray(0, 8)) : "";
  if (magic !== MAGIC) throw new SimulationError("this is no image of a Phalanx model");
  const size = view.getUint32(8, true);
  if (bytes.length < 12 + size) throw new SimulationError("the image of the model is cut off");
  const about = JSON.parse(new TextDecoder().decode(bytes.subarray(12, 12 + size)));
  const start = aligned(12 + size);
  if (bytes.length < start + about.model.bytes + about.data.bytes)
    throw new SimulationError("the image of the model is cut off");
  return { about, start };
}

/** Does the model of an image have the flag sleep? It needs a module that was compiled for that. */
export function needsSleep(image) {
  return readImage(image).about.model.sizes.nsleep[1] > 0;
}

/** What a module says about itself. */
function aboutModule(module) {
  const [section] = WebAssembly.Module.customSections(module, "phalanx");
  if (!section) throw new SimulationError("this is no module of Phalanx");
  return JSON.parse(new TextDecoder().decode(section));
}

/** Fields of a Model or a Data by name: numbers, and arrays that show the memory of the simulation itself. */
class Fields {
  constructor(simulation, rows, isWritable) {
    for (const [name, row] of Object.entries(rows)) {
      if (row.access === "hidden") continue;
      const get = () => simulation.value(row);
      const set = (value) => {
        if (!isWritable || row.access !== "written") throw new SimulationError(`${name} cannot be assigned`);
        simulation.assign(name, row, value);
      };
      Object.defineProperty(this, name, { get, set, enumerable: true });
    }
    Object.freeze(this);
  }
}

export class Simulation {
  /** Make a simulation of a module (bytes, or a compiled WebAssembly.Module) and an image of a model (Uint8Array). */
  static async create(module, image) {
    const compiled = module instanceof WebAssembly.Module ? module : await WebAssembly.compile(module);
    const instance = await WebAssembly.instantiate(compiled, {});
    return new Simulation(aboutModule(compiled), instance.exports, image);
  }

  constructor(module, exports, image) {
    const { about, start } = readImage(image);
    if (about.layout !== module.layout)
      throw new SimulationError("the image and the module come from different versions of Phalanx: export both again");
    if (needsSleep(image) !== module.sleeps)
      throw new SimulationError(`the module is for models ${module.sleeps ? "with" : "without"} the flag sleep`);
    this.about = about;
    this.title = about.title;
    this.names = about.names;
    this.columns = about.columns;
    this.exports = exports;
    this.entry = exports[module.entry];
    this.memory = exports.memory;
    this.operations = Object.fromEntries(module.operations.map((name, k) => [name, BigInt(k)]));
    this.free = exports.heap_base.value;
    this.pieces = [];
    this.capacity = { ...about.capacity };
    this.#place(image, start);
    this.#link();
    this.model = new Fields(this, this.modelRows, false);
    this.data = new Fields(this, this.dataRows, true);
    this.sizes = Object.fromEntries(Object.entries(about.model.sizes).map(([name, [, size]]) => [name, size]));
  }

  // --- memory

  /** Memory that holds zeros; a piece that was given back is used again. */
  #allocate(bytes) {
    const size = Math.max(aligned(bytes), ALIGNMENT);
    const k = this.pieces.findIndex((piece) => piece.size >= size);
    if (k >= 0) {
      const [piece] = this.pieces.splice(k, 1);
      if (piece.size > size) this.pieces.push({ at: piece.at + size, size: piece.size - size });
      new Uint8Array(this.memory.buffer, piece.at, size).fill(0);
      return piece.at;
    }
    const at = this.free,
      lacking = at + size - this.memory.buffer.byteLength;
    if (lacking > 0) {
      try {
        this.memory.grow(Math.ceil(lacking / PAGE));
      } catch {
        throw new SimulationError(`there is not enough memory: ${Math.round((at + size) / 2 ** 20)} MB are needed`);
      }
    }
    this.free = at + size;
    return at;
  }

  /** Put Model and Data into memory, and their tables of sizes and addresses. */
  #place(image, start) {
    const { model, data } = this.about;
    this.modelTable = this.#allocate(8 * model.slots);
    const modelBase = this.#allocate(model.bytes);
    this.dataTable = this.#allocate(8 * data.slots);
    this.fixedBase = this.#allocate(data.fixed);
    new Uint8Array(this.memory.buffer).set(image.subarray(start, start + model.bytes), modelBase);
    // kept for `restart`
    this.first = image.slice(start + model.bytes, start + model.bytes + data.bytes);
    this.modelRows = {};
    for (const [name, [slot, type, shape, at]] of Object.entries(model.fields)) {
      this.modelRows[name] = { slot, type, shape, at: modelBase + at, live: "", access: "read" };
      this.#setSlot(this.modelTable, slot, modelBase + at);
    }
    for (const [slot, size] of Object.values(model.sizes)) this.#setSlot(this.modelTable, slot, size);
    this.dataRows = {};
    for (const [name, [slot, type, shape, from, live, access]] of Object.entries(data.fields)) {
      const isFixed = shape.every((axis) => typeof axis === "number");
      const row = { slot, type, shape, from, live, access, isFixed, at: isFixed ? this.fixedBase + from : 0 };
      this.dataRows[name] = row;
      if (isFixed) this.#setSlot(this.dataTable, slot, row.at);
      else this.#attach(row, this.#bytes(row));
    }
    this.#restoreFirst();
  }

  #setSlot(table, slot, value) {
    new DataView(this.memory.buffer).setBigInt64(table + 8 * slot, BigInt(value), true);
  }

  /** Bytes of a field, for the sizes that there is memory for. */
  #bytes({ type, shape }, capacity = this.capacity) {
    return product(shape.map((axis) => capacity[axis] ?? axis)) * ARRAYS[type].BYTES_PER_ELEMENT;
  }

  #attach(row, bytes) {
    row.at = this.#allocate(bytes);
    row.room = Math.max(aligned(bytes), ALIGNMENT);
    this.#setSlot(this.dataTable, row.slot, row.at);
  }

  /** All fields as they are in the image, with the memory that there is by now. */
  #restoreFirst() {
    const { data, capacity } = this.about;
    const memory = new Uint8Array(this.memory.buffer);
    memory.set(this.first.subarray(0, data.fixed), this.fixedBase);
    for (const row of Object.values(this.dataRows))
      if (!row.isFixed) memory.set(this.first.subarray(row.from, row.from + this.#bytes(row, capacity)), row.at);
    this.#tellCapacity();
  }

  #tellCapacity() {
    for (const [size, [capacity]] of Object.entries(this.about.growth))
      this.#array(this.dataRows[capacity])[0] = this.#cell(this.dataRows[capacity], this.capacity[size]);
  }

  #cell({ type }, value) {
    return type === "i8" ? BigInt(value) : value;
  }

  /** All elements that a field has memory for. */
  #array({ type, shape, at }) {
    const count = product(shape.map((axis) => this.capacity[axis] ?? axis));
    return new ARRAYS[type](this.memory.buffer, at, count);
  }

  /** Make room for the counts that the last operation found, and half as much again. */
  #grow() {
    const { growth, most } = this.about;
    for (const [size, [, words]] of Object.entries(growth)) {
      const needed = Number(this.#array(this.dataRows[size])[0]);
      if (needed <= this.capacity[size]) continue;
      if (needed === most) throw new SimulationError(`the scene is too large: too many ${words}`);
      this.capacity[size] = Math.min(needed + Math.floor(needed / 2), most);
      for (const row of Object.values(this.dataRows)) {
        if (!row.shape.includes(size)) continue;
        this.pieces.push({ at: row.at, size: row.room });
        this.#attach(row, this.#bytes(row));
      }
    }
    this.#tellCapacity();
  }

  // --- code

  /** Give each part and each hook a number in the table of functions, and write it where the step finds it. */
  #link() {
    const { exports, about } = this;
    const functions = about.parts.map(([slot, name, stub]) => [slot, exports[name] ?? exports[stub]]);
    for (const [name, slot] of Object.entries(about.hooks)) {
      if (!exports[name]) throw new SimulationError(`the module lacks a function of the model: ${name}`);
      functions.push([slot, exports[name]]);
    }
    this.functions = new Map();
    let index = exports.table.grow(functions.length);
    for (const [slot, code] of functions) {
      exports.table.set(index, code);
      this.functions.set(slot, index);
      this.#setSlot(this.dataTable, slot, index++);
    }
  }

  /** Whether the step calls a function of the model: useHook("hook_control", false) leaves controls to you. */
  useHook(name, isOn) {
    const slot = this.about.hooks[name];
    if (slot === undefined) throw new SimulationError(`the model has no function "${name}"`);
    this.#setSlot(this.dataTable, slot, isOn ? this.functions.get(slot) : 0);
  }

  /** Run an operation by name; n is the integer that it takes. */
  run(operation, n = 0) {
    const number = this.operations[operation];
    if (number === undefined)
      throw new SimulationError(`there is no operation "${operation}"; there are ${Object.keys(this.operations)}`);
    let left = n;
    for (;;) {
      const code = Number(
        this.entry(number, BigInt(this.modelTable), BigInt(this.dataTable), BigInt(left)),
      );
      // memory or code is missing
      if (code !== this.about.status.short) return code;
      // nothing of the state has changed in the step that ran out of memory
      if (operation === "step") left -= this.#scalar("steps_done");
      this.#relieve();
    }
  }

  #relieve() {
    const absent = this.#scalar("absent_part");
    if (!absent) this.#grow();
    else throw new SimulationError(`the module lacks the part "${this.about.parts[absent - 1][3]}" of the model`);
  }

  #scalar(name) {
    return Number(this.#array(this.dataRows[name])[0]);
  }

  // --- simulation

  get time() {
    return this.#scalar("time");
  }

  get timestep() {
    return this.value(this.modelRows["opt.timestep"]);
  }

  /** Advance by n steps. Throws SimulationError if a number becomes NaN, infinite or huge: then the state is the last
   *  good one. */
  step(n = 1) {
    if (!Number.isInteger(n) || n < 0 || n > MOST_STEPS)
      throw new SimulationError(`step takes a count of steps from 0 to ${MOST_STEPS}, not ${n}`);
    this.#clearError();
    if (this.run("step", n) === this.about.status.stopped) throw this.#fault();
    return this;
  }

  /** Compute everything that follows from the present state and inputs; the state does not change. */
  forward() {
    this.#clearError();
    if (this.run("forward") === this.about.status.stopped) throw this.#fault();
    return this;
  }

  #clearError() {
    this.#array(this.dataRows.error_code)[0] = 0;
  }

  /** What stopped the world, in words. */
  #fault() {
    const code = this.#scalar("error_code"),
      index = this.#scalar("error_id");
    const field = this.about.faults[code] ?? `error ${code}`;
    const name = this.columns[field]?.[index] ?? `${field}[${index}]`;
    const words = field === "constraints" ? "were not solved" : "is NaN, infinite or huge";
    return new SimulationError(`${field === "constraints" ? field : name} ${words} at time ${this.time.toFixed(4)} s`, {
      field,
      index,
      time: this.time,
    });
  }

  /** Back to the state of the image. */
  restart() {
    this.#restoreFirst();
    return this;
  }

  /** Back to the initial state of the model, or to a keyframe given by name or id. */
  reset(keyframe = null) {
    const { begin, keyframes } = this.about;
    const key = keyframe === null ? -1 : this.id("key", keyframe);
    new Uint8Array(this.memory.buffer, this.fixedBase, this.about.data.fixed).fill(0);
    this.#tellCapacity();
    for (const [name, values] of Object.entries(begin.defaults)) {
      const row = this.dataRows[name],
        array = this.#array(row);
      for (let k = 0; k < array.length; k++) array[k] = this.#cell(row, values[k % values.length]);
    }
    this.run("initial_state");
    if (begin.sleeps) this.run("begin_asleep");
    if (key < 0) return this;
    this.#array(this.dataRows.time)[0] = this.#array(this.modelRows.key_time)[key];
    for (const [name, source] of Object.entries(keyframes)) {
      const array = this.#array(this.dataRows[name]);
      array.set(this.#array(this.modelRows[source]).subarray(key * array.length, (key + 1) * array.length));
    }
    return this;
  }

  // --- fields

  /** The row of a field of the Data, or else of the Model. */
  #row(name) {
    const row = this.dataRows[name] ?? this.modelRows[name];
    if (!row) throw new SimulationError(`there is no field "${name}"`);
    return row;
  }

  /** A field by name: a number, or an array that shows the memory itself; it is valid until the next step. */
  field(name) {
    return this.value(this.#row(name));
  }

  /** Sizes of a field now. */
  shape(name) {
    const { shape, live } = this.#row(name);
    const sizes = shape.map((axis) => this.capacity[axis] ?? axis);
    if (live) sizes[0] = this.#scalar(live);
    return sizes;
  }

  /** The value of a row. */
  value(row) {
    const array = this.#array(row);
    if (!row.shape.length) return Number(array[0]);
    if (!row.live) return array;
    const rows = Math.max(this.#array({ ...row, shape: row.shape.slice(0, 1) }).length, 1);
    return array.subarray(0, (array.length / rows) * this.#scalar(row.live));
  }

  /** Set a field: a number for a field of one, numbers for all elements otherwise. */
  assign(name, row, value) {
    const array = this.#array(row);
    if (typeof value === "number") array.fill(this.#cell(row, value));
    else if (value.length === array.length) array.set(value);
    else throw new SimulationError(`${name} has ${array.length} numbers, not ${value.length}`);
  }

  /** The id of an object: sim.id("joint", "knee"). */
  id(kind, name) {
    const names = this.names[kind] ?? [];
    const id = typeof name === "number" ? name : names.indexOf(name);
    if (!(id >= 0 && id < names.length))
      throw new SimulationError(`no ${kind} is named "${name}"; there are ${names.join(", ") || "none"}`);
    return id;
  }

  /** A hash of the complete state: that of `Data.fingerprint` in Python, wherever every bit is the same. */
  async fingerprint() {
    const parts = [],
      titles = [];
    for (const name of this.about.state) {
      const row = this.dataRows[name],
        array = this.#array(row);
      if (!array.length) continue;
      const shape = row.shape.length === 1 ? `(${row.shape[0]},)` : `(${row.shape.join(", ")})`;
      titles.push(`${name} ${PYTHON_TYPES[row.type]} ${shape};`);
      const copy = array.slice();
      if (row.type[0] === "f") for (let k = 0; k < copy.length; k++) if (Number.isNaN(copy[k])) copy[k] = NaN;
      parts.push(new Uint8Array(copy.buffer));
    }
    if (!globalThis.crypto?.subtle)
      throw new SimulationError("fingerprints need a page from a file, or one that came over https");
    const all = new Blob([titles.join(""), ...parts]);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", await all.arrayBuffer()));
    return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  }
}

/** How Python writes types of elements. */
const PYTHON_TYPES = { f8: "<f8", f4: "<f4", i8: "<i8", i4: "<i4", u1: "|u1" };
