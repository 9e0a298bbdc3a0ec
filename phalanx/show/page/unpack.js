// Arrays out of the text of the page: base64, deflated, some of them stored as differences from frame to frame.

const TYPES = { u1: Uint8Array, i1: Int8Array, u2: Uint16Array, i2: Int16Array, u4: Uint32Array, f4: Float32Array };

/** What a text of base64 holds, deflated. */
export async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}

/** Reads the arrays that the manifest of a replay refers to by their place. */
export class Arrays {
  static async from(text) {
    return new Arrays(await inflated(text));
  }

  constructor(buffer) {
    this.buffer = buffer;
  }

  plain({ type, start, count }) {
    return new TYPES[type](this.buffer, start, count);
  }

  /** Rows of several channels, frame by frame: a Float32Array (rows, channels), and where each frame starts. */
  track({ counts, planes, start, scales }) {
    const starts = startsOf(Array.isArray(counts) ? counts : this.plain(counts));
    const rows = starts[starts.length - 1];
    const channels = scales.length;
    const bytes = new Uint8Array(this.buffer, start, planes * channels * rows);
    const values = new Float32Array(rows * channels);
    const whole = new Int32Array(rows);
    for (let channel = 0; channel < channels; channel++) {
      readDifferences(bytes, channel * planes * rows, planes, rows, whole);
      sumOverFrames(whole, starts);
      for (let row = 0; row < rows; row++) values[row * channels + channel] = whole[row] * scales[channel];
    }
    return { values, starts, channels };
  }
}

function startsOf(counts) {
  const starts = new Uint32Array(counts.length + 1);
  for (let frame = 0; frame < counts.length; frame++) starts[frame + 1] = starts[frame] + counts[frame];
  return starts;
}

/** Whole numbers whose bytes are stored apart: all lowest bytes first. The lowest bit is the sign. */
function readDifferences(bytes, start, planes, rows, out) {
  for (let row = 0; row < rows; row++) {
    let code = 0;
    for (let plane = planes - 1; plane >= 0; plane--) code = (code << 8) | bytes[start + plane * rows + row];
    out[row] = (code >>> 1) ^ -(code & 1);
  }
}

/** Each row was stored as its difference to the row of the same rank in the frame before, if that has one. */
function sumOverFrames(whole, starts) {
  for (let frame = 1; frame + 1 < starts.length; frame++) {
    const before = starts[frame - 1];
    const shared = Math.min(starts[frame] - before, starts[frame + 1] - starts[frame]);
    for (let rank = 0; rank < shared; rank++) whole[starts[frame] + rank] += whole[before + rank];
  }
}
