import { inflateSync, type ZlibOptions } from 'node:zlib';
import { endsToken, isWhite, LONG_FILTERS } from '../file/reader/index.js';
import { ContentName, type ContentDict, type Operand } from './operands.js';

/** How many implausible `EI` are skipped before the first one is used after all. */
const MAX_CANDIDATES = 64;
/** So much of what follows `EI` is looked at. */
const LOOKAHEAD = 24;
const [E, I] = [0x45, 0x49];

/** Short forms of keys and values in inline images (ISO 32000-1, tables 93 and 94). */
const LONG_KEYS: Readonly<Record<string, string>> = {
  BPC: 'BitsPerComponent',
  CS: 'ColorSpace',
  D: 'Decode',
  DP: 'DecodeParms',
  F: 'Filter',
  H: 'Height',
  IM: 'ImageMask',
  I: 'Interpolate',
  W: 'Width',
  L: 'Length',
};
const LONG_SPACES: Readonly<Record<string, string>> = {
  G: 'DeviceGray',
  RGB: 'DeviceRGB',
  CMYK: 'DeviceCMYK',
  I: 'Indexed',
};
const COMPONENTS: Readonly<Record<string, number>> = { DeviceGray: 1, DeviceRGB: 3, DeviceCMYK: 4, Indexed: 1 };

/** The value of a key of an inline image's dictionary by its long name, written long or short. */
export function imageEntry(dict: ContentDict, key: string): Operand | undefined {
  const own = dict.get(key);
  if (own !== undefined) return own;
  for (const [short, long] of Object.entries(LONG_KEYS)) if (long === key) return dict.get(short);
  return undefined;
}

/** Long names of an inline image's filters, in order of decoding. */
export function imageFilters(dict: ContentDict): string[] {
  const value = imageEntry(dict, 'Filter');
  const names = Array.isArray(value) ? (value as readonly Operand[]) : [value];
  return names.flatMap((name) => (name instanceof ContentName ? [LONG_FILTERS.get(name.text) ?? name.text] : []));
}

/**
 * Long name of a colour space given by name alone or as the first element of an array; a name of the resources stays as
 * it is.
 */
export function imageColourSpace(dict: ContentDict): string | undefined {
  const value = imageEntry(dict, 'ColorSpace');
  const name = Array.isArray(value) ? (value as readonly Operand[])[0] : value;
  return name instanceof ContentName ? (LONG_SPACES[name.text] ?? name.text) : undefined;
}

/** Size of an inline image's samples in bytes without filters; undefined if its dictionary does not determine it. */
export function rawImageSize(dict: ContentDict): number | undefined {
  const [width, height] = [imageEntry(dict, 'Width'), imageEntry(dict, 'Height')];
  if (typeof width !== 'number' || typeof height !== 'number') return undefined;
  const mask = imageEntry(dict, 'ImageMask') === true;
  const bits = mask ? 1 : imageEntry(dict, 'BitsPerComponent');
  const components = mask ? 1 : COMPONENTS[imageColourSpace(dict) ?? ''];
  if (typeof bits !== 'number' || components === undefined) return undefined;
  const size = Math.ceil((width * bits * components) / 8) * height;
  return Number.isSafeInteger(size) && size >= 0 ? size : undefined;
}

/**
 * Finds where the data of an inline image ends, and where its `EI` does. Data may hold the letters EI: what the
 * dictionary or the data itself says of its length is believed where EI really follows; else an EI is looked for after
 * which content goes on. Without any, the image is all the rest.
 */
export function endOfImageData(
  data: Uint8Array,
  start: number,
  dict: ContentDict,
  allowance: { left: number },
): { dataEnd: number; end: number } {
  for (const end of claimedEnds(data, start, dict, allowance)) {
    const after = afterEnd(data, end);
    if (after !== undefined) return { dataEnd: end, end: after };
  }
  let first: { dataEnd: number; end: number } | undefined;
  let candidates = 0;
  for (let at = data.indexOf(E, start); at >= 0; at = data.indexOf(E, at + 1)) {
    if (data[at + 1] !== I || !endsToken(data[at + 2]) || (at > start && !isWhite(data[at - 1]))) continue;
    const found = { dataEnd: Math.max(start, at - 1), end: at + 2 };
    if (continues(data, at + 2)) return found;
    first ??= found;
    if (++candidates === MAX_CANDIDATES) break;
  }
  return first ?? { dataEnd: data.length, end: data.length };
}

/**
 * Where the data could end: by its length (ISO 32000-2, table 91), by the number of its samples, by what its first
 * filter says.
 */
function* claimedEnds(
  data: Uint8Array,
  start: number,
  dict: ContentDict,
  allowance: { left: number },
): Generator<number> {
  const length = imageEntry(dict, 'Length');
  if (typeof length === 'number' && length >= 0) yield start + Math.floor(length);
  const [filter] = imageFilters(dict);
  if (filter === undefined) {
    const size = rawImageSize(dict);
    if (size !== undefined) yield start + size;
  } else if (filter === 'FlateDecode') {
    const used = inflatedLength(data.subarray(start), allowance);
    if (used !== undefined) yield start + used;
  } else if (filter === 'ASCIIHexDecode') {
    yield afterByte(data, start, 0x3e, 0);
  } else if (filter === 'ASCII85Decode') {
    yield afterByte(data, start, 0x7e, 1);
  } else if (filter === 'RunLengthDecode') {
    yield afterRuns(data, start);
  }
}

function afterByte(data: Uint8Array, start: number, byte: number, more: number): number {
  const at = data.indexOf(byte, start);
  return at < 0 ? data.length : at + 1 + more;
}

function afterRuns(data: Uint8Array, start: number): number {
  let at = start;
  while (at < data.length && data[at] !== 128) at += data[at]! < 128 ? data[at]! + 2 : 2;
  return at + 1;
}

/** How many bytes a zlib stream takes; undefined when it is broken or the work on them is spent. */
function inflatedLength(data: Uint8Array, allowance: { left: number }): number | undefined {
  if (allowance.left <= 0) return undefined;
  try {
    // With `info` Node gives the engine beside the bytes, which its types do not say.
    const options: ZlibOptions & { info: true } = {
      info: true,
      maxOutputLength: Math.min(allowance.left, 64 * 1024 * 1024),
    };
    const { buffer, engine } = inflateSync(data, options) as unknown as {
      buffer: Buffer;
      engine: { bytesWritten: number };
    };
    allowance.left -= buffer.length + 1024;
    return engine.bytesWritten;
  } catch (error) {
    allowance.left -= (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 64 * 1024 * 1024 : 65_536;
    return undefined;
  }
}

/** Returns the end of an `EI` that follows, with or without white space before it; undefined if there is none. */
function afterEnd(data: Uint8Array, end: number): number | undefined {
  if (end > data.length) return undefined;
  let at = end;
  while (at < end + 4 && isWhite(data[at])) at++;
  return data[at] === E && data[at + 1] === I && endsToken(data[at + 2]) ? at + 2 : undefined;
}

/** True where what follows could be content: printable characters and white space. */
function continues(data: Uint8Array, from: number): boolean {
  for (let at = from; at < Math.min(data.length, from + LOOKAHEAD); at++) {
    const byte = data[at]!;
    if (byte === 0x28) return true;
    if (byte > 0x7e || (byte < 0x20 && !isWhite(byte)) || byte === 0) return false;
  }
  return true;
}
