import type { Random } from './random.js';

/** Numbers that often break readers. */
const NUMBERS = [
  '0',
  '1',
  '-1',
  '2',
  '7',
  '65535',
  '65536',
  '99999',
  '8388607',
  '8388608',
  '2147483647',
  '2147483648',
  '4294967295',
  '4294967296',
  '9007199254740993',
  '99999999999999999999',
  '0.5',
  '-0',
  '1e9',
  '.',
  '--3',
];
/** Pieces of syntax that change the meaning of the text around them. */
const TOKENS = [
  '[',
  ']',
  '<<',
  '>>',
  '(',
  ')',
  '<',
  '>',
  '/',
  '%',
  '{',
  '}',
  '\\',
  ' R',
  ' 0 R',
  ' 0 obj\n',
  'endobj',
  'stream\n',
  'endstream',
  'xref\n',
  'trailer\n',
  'startxref\n',
  '%%EOF',
  'null',
  'true',
  '[['.repeat(300),
  '<<'.repeat(300),
  '<</A'.repeat(300),
  '('.repeat(400),
  '1 0 R',
  '2 0 R',
  '3 0 R',
  '0 0 R',
  '/Kids',
  '/Kids[2 0 R 2 0 R]',
  '/Length 5 0 R',
  '/Length -1',
  '/Prev 0',
  '/Prev 9',
  '/XRefStm 9',
  '/Type/ObjStm',
  '/Type/XRef',
  '/Type/Pages',
  '/Filter/FlateDecode',
  '/Filter[/ASCIIHexDecode/LZWDecode]',
  '/Filter/LZWDecode',
  '/Filter/RunLengthDecode',
  '/Filter/ASCII85Decode',
  '/Filter null',
  '/DecodeParms<</Predictor 15/Columns 999999999>>',
  '/DecodeParms<</Predictor 2/Colors 99999/BitsPerComponent 3/Columns 7>>',
  '/DecodeParms<</Predictor 12/Columns -5>>',
  '/W[1 2 1]',
  '/W[0 0 0]',
  '/W[8 8 8]',
  '/Index[0 99999999]',
  '/Index[-5 3]',
  '/Size 99999999',
  '/N 999999',
  '/First 0',
  '/First 99999',
  '/Extends 3 0 R',
  '/Encrypt 3 0 R',
  '/Encrypt<<>>',
  '/Root 2 0 R',
  '/Parent 3 0 R',
  '#',
  '#00',
  '\0',
  '\r',
];
/** Words near which a mutation has the largest effect. */
const WORDS = [
  'obj',
  'xref',
  'trailer',
  'startxref',
  'stream',
  'endobj',
  '/Length',
  '/Kids',
  '/Prev',
  '/Size',
  '/W',
  '/Index',
  '/Filter',
  '/DecodeParms',
  '/Root',
  '/N ',
  '/First',
  '/Type',
  ' R',
  '<<',
  '[',
  '/Encrypt',
  '/Parent',
  '/Count',
];
/** A mutated file does not grow beyond this size in bytes. */
const MAX_SIZE = 400_000;

type Mutation = (bytes: Buffer, random: Random, other: () => Buffer) => Buffer;

const put = (bytes: Buffer, from: number, to: number, piece: Uint8Array | string): Buffer =>
  Buffer.concat([
    bytes.subarray(0, from),
    typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece,
    bytes.subarray(to),
  ]);

/** Returns an offset in the file: anywhere, or at a word that is essential to the structure. */
function place(bytes: Buffer, random: Random): number {
  const anywhere = random.below(bytes.length + 1);
  if (random.oneIn(3)) return anywhere;
  const found = bytes.indexOf(random.pick(WORDS), anywhere, 'latin1');
  return found < 0 ? anywhere : Math.min(bytes.length, found + random.below(14));
}

/** Returns the digits at or after an offset. */
function digitsAt(bytes: Buffer, from: number): { readonly from: number; readonly to: number } | undefined {
  const isDigit = (at: number): boolean => (bytes[at] ?? 0) >= 0x30 && (bytes[at] ?? 0) <= 0x39;
  let start = from;
  while (start < bytes.length && start < from + 2000 && !isDigit(start)) start++;
  if (!isDigit(start)) return undefined;
  let end = start;
  while (isDigit(end)) end++;
  return { from: start, to: end };
}

function chunk(bytes: Buffer, random: Random): { readonly from: number; readonly to: number } {
  const from = place(bytes, random);
  return { from, to: Math.min(bytes.length, from + 1 + random.below(random.oneIn(3) ? 4000 : 60)) };
}

const mutations: readonly Mutation[] = [
  function flipBit(bytes, random) {
    const at = place(bytes, random);
    const out = Buffer.from(bytes);
    out[at] = (out[at] ?? 0) ^ (1 << random.below(8));
    return out;
  },
  function setByte(bytes, random) {
    const out = Buffer.from(bytes);
    out[place(bytes, random)] = random.oneIn(2)
      ? random.below(256)
      : random.pick([0, 255, 0x20, 0x0a, 0x2f, 0x3e, 0x3c, 0x5b, 0x5d, 0x28, 0x29, 0x25]);
    return out;
  },
  function truncate(bytes, random) {
    return bytes.subarray(0, place(bytes, random));
  },
  function dropFront(bytes, random) {
    return random.oneIn(4)
      ? bytes.subarray(place(bytes, random))
      : put(bytes, 0, 0, Buffer.alloc(random.below(1500), 0x20));
  },
  function setNumber(bytes, random) {
    const digits = digitsAt(bytes, place(bytes, random));
    return digits === undefined ? bytes : put(bytes, digits.from, digits.to, random.pick(NUMBERS));
  },
  function nudgeNumber(bytes, random) {
    const digits = digitsAt(bytes, place(bytes, random));
    if (digits === undefined) return bytes;
    const width = digits.to - digits.from;
    const value = Number(bytes.toString('latin1', digits.from, digits.to)) + random.below(11) - 5;
    return put(bytes, digits.from, digits.to, String(Math.max(0, value)).padStart(width, '0'));
  },
  function swapNumbers(bytes, random) {
    const [one, two] = [digitsAt(bytes, place(bytes, random)), digitsAt(bytes, place(bytes, random))];
    if (one === undefined || two === undefined || one.from === two.from) return bytes;
    const [a, b] = one.from < two.from ? [one, two] : [two, one];
    return Buffer.concat([
      bytes.subarray(0, a.from),
      bytes.subarray(b.from, b.to),
      bytes.subarray(a.to, b.from),
      bytes.subarray(a.from, a.to),
      bytes.subarray(b.to),
    ]);
  },
  function removeChunk(bytes, random) {
    const { from, to } = chunk(bytes, random);
    return put(bytes, from, to, '');
  },
  function repeatChunk(bytes, random) {
    const { from, to } = chunk(bytes, random);
    const times = random.oneIn(6) ? 1 + random.below(200) : 1;
    return put(bytes, to, to, Buffer.concat(Array.from({ length: times }, () => bytes.subarray(from, to))));
  },
  function moveChunk(bytes, random) {
    const { from, to } = chunk(bytes, random);
    const at = place(bytes, random);
    return put(bytes, at, at, bytes.subarray(from, to));
  },
  function splice(bytes, random, other) {
    const second = other();
    if (random.oneIn(3))
      return Buffer.concat([bytes.subarray(0, place(bytes, random)), second.subarray(place(second, random))]);
    const { from, to } = chunk(second, random);
    const at = place(bytes, random);
    return put(bytes, at, random.oneIn(2) ? at : at + to - from, second.subarray(from, to));
  },
  function insertToken(bytes, random) {
    const at = place(bytes, random);
    return put(bytes, at, random.oneIn(3) ? at + random.below(12) : at, random.pick(TOKENS));
  },
  function breakWord(bytes, random) {
    const word = random.pick(WORDS);
    const at = bytes.indexOf(word, random.below(bytes.length + 1), 'latin1');
    return at < 0 ? bytes : put(bytes, at, at + word.length, random.oneIn(3) ? random.pick(WORDS) : '');
  },
  function fill(bytes, random) {
    const { from, to } = chunk(bytes, random);
    const out = Buffer.from(bytes);
    return out.fill(random.pick([0, 0x20, 0x28, 0x5b, 0x30, 0xff]), from, to);
  },
];

/** Returns one of the seeds with one to eight mutations; the same for the same state of `random`. */
export function mutated(seeds: readonly Buffer[], random: Random): Buffer {
  let bytes = random.pick(seeds);
  for (let left = 1 + random.below(random.oneIn(3) ? 8 : 3); left > 0; left--) {
    const next = random.pick(mutations)(bytes, random, () => random.pick(seeds));
    if (next.length <= MAX_SIZE) bytes = next;
  }
  return bytes;
}
