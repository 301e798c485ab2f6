import type { BaseBlock, Constructed } from 'asn1js';

/** The part of ASN.1 that CMS is written with (X.690), DER. Values are bytes of whole elements. */
export const tags = {
  integer: 0x02,
  octets: 0x04,
  nothing: 0x05,
  oid: 0x06,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const;

/** One element: its tag, the length of what follows, and that. */
export function element(tag: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const size = length < 0x80 ? [length] : lengthBytes(length);
  return new Uint8Array(Buffer.concat([Uint8Array.of(tag, ...size), ...parts]));
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

/** The elements within a constructed one; none of a primitive. */
export function inner(block: BaseBlock): readonly BaseBlock[] {
  if (!block.idBlock.isConstructed) return [];
  const { value } = (block as Constructed).valueBlock as { readonly value?: unknown };
  return Array.isArray(value) ? (value as BaseBlock[]) : [];
}

/** The bytes of an element as they were read. */
export function rawOf(block: BaseBlock): Uint8Array {
  return new Uint8Array(block.valueBeforeDecodeView);
}

/** True for a context-specific tag of this number. */
export function hasTag(block: BaseBlock | undefined, number: number): block is BaseBlock {
  return block?.idBlock.tagClass === 3 && block.idBlock.tagNumber === number;
}

function lengthBytes(length: number): number[] {
  const hex = length.toString(16);
  const bytes = [...Buffer.from(hex.padStart(hex.length + (hex.length % 2), '0'), 'hex')];
  return [0x80 | bytes.length, ...bytes];
}

function base128(value: number): number[] {
  const groups = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift(0x80 | (rest % 128));
  return groups;
}

/**
 * Reads the element that bytes begin with, and its length; undefined if it is not ASN.1. The library throws
 * for some of it, and answers for the rest.
 */
export async function readElement(
  bytes: Uint8Array,
): Promise<{ readonly block: BaseBlock; readonly length: number } | undefined> {
  const { fromBER } = await import('asn1js');
  return elementOf(fromBER, bytes);
}

/** As `readElement`, where the library is there already. */
export function elementOf(
  fromBER: (typeof import('asn1js'))['fromBER'],
  bytes: Uint8Array,
): { readonly block: BaseBlock; readonly length: number } | undefined {
  try {
    const { offset, result } = fromBER(new Uint8Array(bytes));
    return offset === -1 || result.error !== '' ? undefined : { block: result, length: offset };
  } catch {
    return undefined;
  }
}
