import { InputError } from '@quire/registry';

/** Offsets of the first and last byte, both inclusive. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the range that a GET asks for (RFC 9110, 14.2), or undefined for the whole content: no Range header, another
 * unit, a malformed range, several ranges (14.2 allows the whole content then), or an If-Range that does not match.
 * Throws RANGE_INVALID if the range is outside the content.
 */
export function byteRange(
  { range, 'if-range': condition }: Readonly<Record<string, string | undefined>>,
  size: number,
  etag: string,
): ByteRange | undefined {
  if (range === undefined || (condition !== undefined && condition.trim() !== etag)) return undefined;
  const [, first, last] = /^\s*bytes\s*=\s*(\d{0,15})\s*-\s*(\d{0,15})\s*$/i.exec(range) ?? [];
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined;
  const [from, to] = [Number(first), Number(last)];
  if (first === '') {
    if (to === 0 || size === 0) throw new InputError('RANGE_INVALID', { size });
    return { start: Math.max(0, size - to), end: size - 1 };
  }
  if (last !== '' && to < from) return undefined;
  if (from >= size) throw new InputError('RANGE_INVALID', { size });
  return { start: from, end: last === '' ? size - 1 : Math.min(to, size - 1) };
}
