import { tags } from './tags.js';

/** One element: its tag, the length of what follows, and that. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  return new Uint8Array(Buffer.concat([Uint8Array.of(tag, ...lengthBytes(length)), ...parts]));
}

/** SEQUENCE of elements. */
export function sequence(...parts: readonly Uint8Array[]): Uint8Array {
  return element(tags.sequence, ...parts);
}

/** SET OF elements, in the order that DER asks for (X.690, 11.6). */
export function setOf(...parts: readonly Uint8Array[]): Uint8Array {
  return element(tags.set, ...parts.toSorted((a, b) => Buffer.compare(a, b)));
}

/** Constructed element of a context-specific tag. */
export function tagged(number: number, ...parts: readonly Uint8Array[]): Uint8Array {
  return element(0xa0 | number, ...parts);
}

/** INTEGER that is not negative; of bytes in the order of the network. */
export function integer(value: number | Uint8Array): Uint8Array {
  const bytes =
    typeof value === 'number'
      ? Buffer.from(
          value.toString(16).padStart(value.toString(16).length + (value.toString(16).length % 2), '0'),
          'hex',
        )
      : Buffer.from(value);
  const first = bytes.findIndex((byte) => byte !== 0);
  const significant = first < 0 ? Buffer.of(0) : bytes.subarray(first);
  return element(tags.integer, (significant[0] ?? 0) >= 0x80 ? Uint8Array.of(0) : new Uint8Array(), significant);
}

/** OCTET STRING. */
export function octets(bytes: Uint8Array): Uint8Array {
  return element(tags.octets, bytes);
}

/** OBJECT IDENTIFIER. */
export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return element(tags.oid, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)));
}

/** NULL. */
export function nothing(): Uint8Array {
  return element(tags.nothing);
}

/** A length in its shortest form. */
export function lengthBytes(length: number): readonly number[] {
  if (length < 0x80) return [length];
  const hex = length.toString(16);
  const bytes = [...Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')];
  return [0x80 | bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const groups = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift(0x80 | (rest % 128));
  return groups;
}
