/** The predictor parameters of a Flate or LZW stream (ISO 32000-1, table 8). */
export interface Prediction {
  readonly predictor: number;
  readonly colors: number;
  readonly bitsPerComponent: number;
  readonly columns: number;
}

/** Reverses a predictor: 1 none, 2 TIFF, 10 to 15 PNG (ISO 32000-1, 7.4.4.4). A truncated last row is kept. */
export function undoPrediction(data: Uint8Array, prediction: Prediction): Uint8Array {
  const { predictor, colors, bitsPerComponent, columns } = prediction;
  if (predictor !== 2 && predictor < 10) return data;
  const sample = Math.max(1, Math.ceil((colors * bitsPerComponent) / 8));
  const row = Math.ceil((colors * bitsPerComponent * columns) / 8);
  if (!(row > 0) || row > data.length + 1)
    return predictor === 2 ? data : undoPng(data, Math.max(1, Math.min(row, data.length)), sample);
  return predictor === 2 ? undoTiff(data, row, prediction) : undoPng(data, row, sample);
}

function undoPng(data: Uint8Array, row: number, sample: number): Uint8Array {
  const rows = Math.ceil(data.length / (row + 1));
  const out = new Uint8Array(data.length - rows);
  let to = 0;
  for (let from = 0; from < data.length; from += row + 1) {
    const kind = data[from] ?? 0;
    const length = Math.min(row, data.length - from - 1);
    for (let i = 0; i < length; i++) {
      const left = i >= sample ? (out[to + i - sample] ?? 0) : 0;
      const up = to >= row ? (out[to + i - row] ?? 0) : 0;
      const corner = to >= row && i >= sample ? (out[to + i - row - sample] ?? 0) : 0;
      out[to + i] = (data[from + 1 + i] ?? 0) + predicted(kind, left, up, corner);
    }
    to += length;
  }
  return out;
}

function predicted(kind: number, left: number, up: number, corner: number): number {
  switch (kind) {
    case 1:
      return left;
    case 2:
      return up;
    case 3:
      return (left + up) >> 1;
    case 4:
      return paeth(left, up, corner);
    default:
      return 0;
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const a = Math.abs(guess - left);
  const b = Math.abs(guess - up);
  const c = Math.abs(guess - corner);
  if (a <= b && a <= c) return left;
  return b <= c ? up : corner;
}

function undoTiff(data: Uint8Array, row: number, { colors, bitsPerComponent, columns }: Prediction): Uint8Array {
  const out = Uint8Array.from(data);
  for (let from = 0; from < out.length; from += row) {
    const line = out.subarray(from, from + row);
    if (bitsPerComponent === 8)
      for (let i = colors; i < line.length; i++) line[i] = (line[i] ?? 0) + (line[i - colors] ?? 0);
    else if (bitsPerComponent === 16) addWords(line, colors * 2);
    else addBits(line, colors, bitsPerComponent, columns);
  }
  return out;
}

function addWords(line: Uint8Array, step: number): void {
  for (let i = step; i + 1 < line.length; i += 2) {
    const sum = (((line[i] ?? 0) + (line[i - step] ?? 0)) << 8) + (line[i + 1] ?? 0) + (line[i + 1 - step] ?? 0);
    line[i] = sum >> 8;
    line[i + 1] = sum;
  }
}

function addBits(line: Uint8Array, colors: number, bits: number, columns: number): void {
  const mask = (1 << bits) - 1;
  const shiftOf = (at: number): number => 8 - bits - (at & 7);
  const end = Math.min(columns * colors * bits, line.length * 8);
  for (let at = colors * bits; at < end; at += bits) {
    const before = at - colors * bits;
    const sum = (((line[at >> 3] ?? 0) >> shiftOf(at)) + ((line[before >> 3] ?? 0) >> shiftOf(before))) & mask;
    line[at >> 3] = ((line[at >> 3] ?? 0) & ~(mask << shiftOf(at))) | (sum << shiftOf(at));
  }
}
