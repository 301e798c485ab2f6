import { closeSync, openSync, readSync, writeSync } from 'node:fs';

/** Start and length of both stretches that a signature covers: all but its own value (ISO 32000-2, 12.8.1). */
export type ByteRange = readonly [number, number, number, number];

/** Place for a signature in a file that is written already, but for the signature's value. */
export interface SignatureSlot {
  readonly path: string;
  readonly byteRange: ByteRange;
  /** Bytes of signature for which there is place. */
  readonly capacity: number;
}

/** A number of as many digits as a position in any file may have. */
export const PLACEHOLDER = 9_999_999_999;

const PIECE = 1024 * 1024;
/** Small enough for the processor's cache: what was read is digested at once. */
const DIGESTED_PIECE = 256 * 1024;
const RANGE = new RegExp(`\\[\\s*0\\s+${PLACEHOLDER}\\s+${PLACEHOLDER}\\s+${PLACEHOLDER}\\s*\\]`);

/**
 * Finds the value that begins with `marker` (hexadecimal digits) behind position `from`, and writes the byte range that
 * leaves out just that value. The dictionary must stand in the file as such, not in an object stream. Throws RangeError
 * when it is not there.
 */
export function openSlot(path: string, from: number, marker: string): SignatureSlot {
  const fd = openSync(path, 'r+');
  try {
    const at = find(fd, from, Buffer.from(`<${marker}`, 'latin1'));
    const value = at === undefined ? Buffer.alloc(0) : read(fd, at, 4 * PIECE);
    const end = value.indexOf('>');
    if (at === undefined || end < 0) throw new RangeError('the place of the signature was not found');
    const last = at + end + 1;
    // The range is in the same dictionary, before or after the value.
    const [front, behind] = [Math.max(from, at - 4096), 4096];
    const range = [
      { start: front, text: read(fd, front, at - front) },
      { start: last, text: read(fd, last, behind) },
    ].flatMap(({ start, text }) =>
      [...text.toString('latin1').matchAll(new RegExp(RANGE, 'g'))].map((match) => ({
        position: start + match.index,
        length: match[0].length,
      })),
    );
    const [place] = range;
    if (place === undefined) throw new RangeError('the byte range of the signature was not found');
    const size = sizeOf(fd, last);
    const byteRange: ByteRange = [0, at, last, size - last];
    writeSync(
      fd,
      Buffer.from(`[${byteRange.join(' ')}`.padEnd(place.length - 1).concat(']'), 'latin1'),
      0,
      place.length,
      place.position,
    );
    return { path, byteRange, capacity: (end - 1) / 2 };
  } finally {
    closeSync(fd);
  }
}

/**
 * The bytes that the signature covers, of those at positions `from` to `to` of the file, piece by piece; each piece is
 * valid until the next is asked for.
 */
export function* coveredBytes(
  { path, byteRange }: Pick<SignatureSlot, 'path' | 'byteRange'>,
  from = 0,
  to = Infinity,
): Generator<Uint8Array, void, void> {
  const [firstStart, firstLength, secondStart, secondLength] = byteRange;
  const fd = openSync(path, 'r');
  const buffer = Buffer.allocUnsafe(DIGESTED_PIECE);
  try {
    for (const [start, length] of [
      [firstStart, firstLength],
      [secondStart, secondLength],
    ] as const) {
      const end = Math.min(to, start + length);
      for (let at = Math.max(from, start); at < end;) {
        const count = readSync(fd, buffer, 0, Math.min(buffer.length, end - at), at);
        if (count === 0) throw new RangeError('the byte range goes beyond the file');
        at += count;
        yield buffer.subarray(0, count);
      }
    }
  } finally {
    closeSync(fd);
  }
}

/** Writes the signature into its place, zeros behind it. Throws RangeError for one that is too long. */
export function fillSlot({ path, byteRange, capacity }: SignatureSlot, signature: Uint8Array): void {
  if (signature.length > capacity)
    throw new RangeError(`the signature has ${signature.length} bytes, its place ${capacity}`);
  const fd = openSync(path, 'r+');
  try {
    const digits = Buffer.from(
      Buffer.from(signature)
        .toString('hex')
        .padEnd(capacity * 2, '0'),
      'latin1',
    );
    writeSync(fd, digits, 0, digits.length, byteRange[1] + 1);
  } finally {
    closeSync(fd);
  }
}

function find(fd: number, from: number, wanted: Buffer): number | undefined {
  for (let at = from; ;) {
    const piece = read(fd, at, PIECE);
    const found = piece.indexOf(wanted);
    if (found >= 0) return at + found;
    if (piece.length < PIECE) return undefined;
    at += PIECE - wanted.length;
  }
}

function read(fd: number, position: number, length: number): Buffer {
  const piece = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const count = readSync(fd, piece, done, length - done, position + done);
    if (count === 0) break;
    done += count;
  }
  return piece.subarray(0, done);
}

function sizeOf(fd: number, from: number): number {
  let at = from;
  for (;;) {
    const { length } = read(fd, at, PIECE);
    at += length;
    if (length < PIECE) return at;
  }
}
