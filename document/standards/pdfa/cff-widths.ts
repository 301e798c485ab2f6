import { createRequire } from 'node:module';

/** The parts of fontkit's CFF table with glyph names that are used here. */
interface Cff {
  readonly topDict: {
    readonly CharStrings: readonly { readonly offset: number; readonly length: number }[];
    readonly Private?: {
      readonly nominalWidthX?: number;
      readonly defaultWidthX?: number;
      readonly Subrs?: readonly { readonly offset: number; readonly length: number }[];
    };
  };
  getGlyphName(glyph: number): string | null;
}

interface Width {
  readonly stated: boolean;
  readonly value: number;
  /** Bytes of the operand. */
  readonly length: number;
}

/** Operators of dictionaries (Adobe technical note 5176, table 9), and of charstrings. */
const [VERSION, CHAR_STRINGS] = [0, 17];
const [CALL, RETURN] = [10, 11];
/**
 * Operators of Type 2 charstrings that clear the stack, with the number of operands without a width (Adobe technical
 * note 5177, 3.1): `even` for stems and masks.
 */
const CLEARING: Readonly<Record<number, number | 'even'>> = {
  1: 'even',
  3: 'even',
  18: 'even',
  23: 'even',
  19: 'even',
  20: 'even',
  4: 1,
  22: 1,
  21: 2,
  14: 0,
};

/**
 * Returns a bare CFF program (Adobe technical note 5176) in which these glyphs have these widths, in units of the font;
 * outlines stay. Glyphs whose charstring does not state its width directly stay unchanged, and so does a program that
 * cannot be rewritten.
 */
export function withWidths(program: Uint8Array, widthOf: (glyph: string) => number | undefined): Uint8Array {
  const cff = readCff(program);
  if (cff === undefined) return program;
  const { nominalWidthX = 0, defaultWidthX = 0, Subrs = [] } = cff.topDict.Private ?? {};
  const dataOf = ({ offset, length }: { readonly offset: number; readonly length: number }): Uint8Array =>
    program.subarray(offset - WRAPPER_BYTES, offset - WRAPPER_BYTES + length);
  const subroutines = (Subrs ?? []).map(dataOf);
  let changed = false;
  const strings = cff.topDict.CharStrings.map((entry, glyph) => {
    const own = dataOf(entry);
    const wanted = widthOf(cff.getGlyphName(glyph) ?? '');
    const width = wanted === undefined ? undefined : widthIn(own, subroutines);
    if (
      wanted === undefined ||
      width === undefined ||
      (width.stated ? nominalWidthX + width.value : defaultWidthX) === wanted
    )
      return own;
    changed = true;
    return Buffer.concat([shortNumber(wanted - nominalWidthX), own.subarray(width.stated ? width.length : 0)]);
  });
  // The new index follows the program; the old one is unused.
  const head = changed ? withCharStringsAt(program, program.length) : undefined;
  return head === undefined ? program : Buffer.concat([head, indexOf(strings)]);
}

/** Length of the wrapper around the only table; fontkit's offsets include it. */
const WRAPPER_BYTES = 28;

function readCff(program: Uint8Array): Cff | undefined {
  const header = Buffer.alloc(WRAPPER_BYTES);
  header.write('OTTO', 0, 'latin1');
  header.writeUInt16BE(1, 4);
  header.write('CFF ', 12, 'latin1');
  header.writeUInt32BE(WRAPPER_BYTES, 20);
  header.writeUInt32BE(program.length, 24);
  try {
    const fontkit = createRequire(import.meta.url)('fontkit') as typeof import('fontkit');
    return (fontkit.create(Buffer.concat([header, program])) as unknown as Record<string, Cff>)['CFF '];
  } catch {
    return undefined;
  }
}

/**
 * Points the top dictionary to moved charstrings without making it longer, since all other offsets would change: the
 * font's version entry is dropped for that. Undefined where this is impossible.
 */
function withCharStringsAt(program: Uint8Array, offset: number): Buffer | undefined {
  const data = Buffer.from(program);
  const names = endOfIndex(data, data[2] ?? 4);
  const [count, size] = [data.readUInt16BE(names), data[names + 2] ?? 1];
  const from = names + 3 + (count + 1) * size;
  const to = from + data.readUIntBE(names + 3 + size, size) - 1;
  const entries: { readonly operator: number; readonly bytes: Buffer }[] = [];
  for (let at = from, start = from; at < to;) {
    const byte = data[at] ?? 0;
    if (byte > 21) {
      at += byte === 30 ? lengthOfReal(data, at) : byte === 28 ? 3 : byte === 29 ? 5 : byte >= 247 ? 2 : 1;
      continue;
    }
    at += byte === 12 ? 2 : 1;
    entries.push({ operator: byte, bytes: data.subarray(start, at) });
    start = at;
  }
  const longNumber = Buffer.alloc(5, 29);
  longNumber.writeInt32BE(offset, 1);
  for (const number of offset > 0x7fff ? [longNumber] : [shortNumber(offset), longNumber]) {
    for (const dropped of [undefined, VERSION]) {
      const dictionary = Buffer.concat(
        entries.flatMap(({ operator, bytes }) =>
          operator === CHAR_STRINGS ? [number, Buffer.from([CHAR_STRINGS])] : operator === dropped ? [] : [bytes],
        ),
      );
      if (dictionary.length === to - from)
        return Buffer.concat([data.subarray(0, from), dictionary, data.subarray(to)]);
    }
  }
  return undefined;
}

function lengthOfReal(data: Buffer, from: number): number {
  let at = from + 1;
  while (at < data.length && ((data[at] ?? 0xff) & 0x0f) !== 0x0f && (data[at] ?? 0xff) >> 4 !== 0x0f) at++;
  return at + 1 - from;
}

function endOfIndex(data: Buffer, at: number): number {
  const count = data.readUInt16BE(at);
  if (count === 0) return at + 2;
  const size = data[at + 2] ?? 1;
  return at + 2 + (count + 1) * size + data.readUIntBE(at + 3 + count * size, size);
}

/**
 * Finds the width of a charstring, which is its first operand if present, and its length. The operands before the first
 * operator that clears the stack count, also those in subroutines; undefined where the width itself is in a subroutine.
 */
function widthIn(charString: Uint8Array, subroutines: readonly Uint8Array[]): Width | undefined {
  const stack: number[] = [];
  let length = 0;
  const run = (bytes: Uint8Array, depth: number): Width | 'returned' | undefined => {
    for (let at = 0; at < bytes.length;) {
      const byte = bytes[at] ?? 0;
      if (byte >= 32 || byte === 28) {
        const size = byte === 28 ? 3 : byte === 255 ? 5 : byte >= 247 ? 2 : 1;
        if (depth === 0 && at === 0) length = size;
        stack.push(numberAt(bytes, at));
        at += size;
        continue;
      }
      at += 1;
      if (byte === RETURN) return 'returned';
      if (byte === CALL) {
        const called = subroutines[(stack.pop() ?? 0) + (subroutines.length < 1240 ? 107 : 1131)];
        if (stack.length === 0) length = 0;
        const inside = called === undefined || depth > 10 ? undefined : run(called, depth + 1);
        if (inside !== 'returned') return inside;
        continue;
      }
      const bare = CLEARING[byte];
      if (bare === undefined) return undefined;
      const stated = bare === 'even' ? stack.length % 2 === 1 : stack.length > bare;
      return stated && length === 0 ? undefined : { stated, value: stack[0] ?? 0, length };
    }
    return undefined;
  };
  const found = run(charString, 0);
  return found === 'returned' ? undefined : found;
}

function numberAt(bytes: Uint8Array, at: number): number {
  const [first = 0, second = 0] = bytes.subarray(at, at + 2);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (first === 28) return view.getInt16(at + 1);
  if (first === 255) return view.getInt32(at + 1) / 65_536;
  if (first < 247) return first - 139;
  return first < 251 ? (first - 247) * 256 + second + 108 : -(first - 251) * 256 - second - 108;
}

/** A number in three bytes, as both dictionaries and charstrings encode it. */
function shortNumber(value: number): Buffer {
  const bytes = Buffer.from([28, 0, 0]);
  bytes.writeInt16BE(value, 1);
  return bytes;
}

function indexOf(items: readonly Uint8Array[]): Buffer {
  const head = Buffer.alloc(3 + (items.length + 1) * 3);
  head.writeUInt16BE(items.length, 0);
  head.writeUInt8(3, 2);
  let offset = 1;
  head.writeUIntBE(offset, 3, 3);
  items.forEach((item, i) => head.writeUIntBE((offset += item.length), 3 + (i + 1) * 3, 3));
  return Buffer.concat([head, ...items]);
}
