import { lengthBytes } from './write-der.js';

/** An element of BER: its identifier, its content or the elements within, and where it ends. */
interface Element {
  readonly identifier: Uint8Array;
  readonly content: Uint8Array;
  readonly inner?: readonly Element[];
  readonly end: number;
}

const OCTETS = 0x04;
const SET = 0x31;
const CONSTRUCTED = 0x20;
/** No structure of a signature is nested as deep. */
const MAX_DEPTH = 50;

/**
 * Encodes the element that bytes begin with again by the rules of DER (X.690, 10 and 11): definite and shortest
 * lengths, octet strings in one piece, the elements of sets in order. Values of primitive types stay as they are.
 * Throws RangeError for bytes that are not BER.
 */
export function toDer(bytes: Uint8Array): Uint8Array {
  return encode(readBer(bytes, 0, bytes.length, 0));
}

function readBer(bytes: Uint8Array, start: number, limit: number, depth: number): Element {
  if (depth > MAX_DEPTH) throw new RangeError('elements are nested too deep');
  const constructed = ((bytes[start] ?? 0) & CONSTRUCTED) !== 0;
  let at = start + 1;
  if (((bytes[start] ?? 0) & 0x1f) === 0x1f) while (at < limit && bytes[at++]! >= 0x80);
  const identifier = bytes.subarray(start, at);
  const first = bytes[at++];
  if (first === undefined || at > limit) throw new RangeError('an element is cut off');
  if (first === 0x80) {
    if (!constructed) throw new RangeError('a primitive element has no length');
    return indefinite(bytes, identifier, at, limit, depth);
  }
  let length = first;
  if (first > 0x80) {
    const size = first & 0x7f;
    if (size > 6) throw new RangeError('a length is too long');
    length = 0;
    for (let i = 0; i < size; i++) length = length * 256 + (bytes[at++] ?? 0);
  }
  const end = at + length;
  if (end > limit) throw new RangeError('an element is longer than what holds it');
  const content = bytes.subarray(at, end);
  if (!constructed) return { identifier, content, end };
  const inner: Element[] = [];
  for (let next = at; next < end; next = inner.at(-1)!.end) inner.push(readBer(bytes, next, end, depth + 1));
  return { identifier, content, inner, end };
}

/** Elements up to the end-of-contents octets (X.690, 8.1.5). */
function indefinite(bytes: Uint8Array, identifier: Uint8Array, start: number, limit: number, depth: number): Element {
  const inner: Element[] = [];
  let at = start;
  while (bytes[at] !== 0 || bytes[at + 1] !== 0) {
    if (at + 2 > limit) throw new RangeError('an element has no end');
    inner.push(readBer(bytes, at, limit, depth + 1));
    at = inner.at(-1)!.end;
  }
  if (at + 2 > limit) throw new RangeError('an element has no end');
  return { identifier, content: bytes.subarray(start, at), inner, end: at + 2 };
}

function encode({ identifier, content, inner }: Element): Uint8Array {
  if (inner === undefined) return element(identifier, content);
  if (identifier[0] === (OCTETS | CONSTRUCTED)) return element(Uint8Array.of(OCTETS), joined(inner));
  const encoded = inner.map(encode);
  if (identifier[0] === SET) encoded.sort((a, b) => Buffer.compare(a, b));
  return element(identifier, Buffer.concat(encoded));
}

/** The bytes of an octet string in pieces, which may be in pieces themselves. */
function joined(pieces: readonly Element[]): Uint8Array {
  return Buffer.concat(pieces.map(({ content, inner }) => (inner === undefined ? content : joined(inner))));
}

function element(identifier: Uint8Array, content: Uint8Array): Uint8Array {
  return new Uint8Array(Buffer.concat([identifier, Uint8Array.from(lengthBytes(content.length)), content]));
}
