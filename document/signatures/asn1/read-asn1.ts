import { type BaseBlock, BmpString, type Constructed, fromBER, Integer, ObjectIdentifier, OctetString } from 'asn1js';

/** No keystore, key or certificate of this size is real. */
export const MAX_BYTES = 8 * 1024 * 1024;
const limits = { maxDepth: 50, maxNodes: 100_000, maxContentLength: MAX_BYTES, parseEmbedded: false };

/** Reads the first element of bytes (X.690, BER too); what follows it is left alone. Throws RangeError. */
export function parseAsn1(bytes: Uint8Array): BaseBlock {
  if (bytes.length > MAX_BYTES) throw new RangeError(`longer than ${MAX_BYTES} bytes`);
  try {
    const { offset, result } = fromBER(new Uint8Array(bytes), limits);
    if (offset >= 0) return result;
  } catch (cause) {
    // The library throws for values that it converts, such as a date that is none.
    throw new RangeError('not ASN.1', { cause });
  }
  throw new RangeError('not ASN.1');
}

/**
 * Reads the element that bytes begin with (X.690, BER too), and its length; undefined if it is not ASN.1. Without the
 * limits of `parseAsn1`: revocation lists in a CMS can be large.
 */
export function readElement(bytes: Uint8Array): { readonly block: BaseBlock; readonly length: number } | undefined {
  try {
    const { offset, result } = fromBER(new Uint8Array(bytes));
    return offset === -1 || result.error !== '' ? undefined : { block: result, length: offset };
  } catch {
    return undefined;
  }
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

/** The object identifier that an element is, in dots. Throws RangeError. */
export function oidOf(block: BaseBlock | undefined): string {
  if (!(block instanceof ObjectIdentifier)) throw new RangeError('an object identifier is missing');
  return block.getValue();
}

/**
 * The bytes of an OCTET STRING, or of one behind an implicit tag; the parts of a constructed one are joined. Throws
 * RangeError.
 */
export function octetsOf(block: BaseBlock | undefined): Uint8Array {
  if (block instanceof OctetString) return new Uint8Array(block.getValue());
  if (block?.idBlock.tagClass !== 3) throw new RangeError('an octet string is missing');
  const parts = inner(block);
  if (parts.length > 0) return new Uint8Array(Buffer.concat(parts.map(octetsOf)));
  const { valueHexView } = block.valueBlock as { readonly valueHexView?: Uint8Array };
  return valueHexView === undefined ? new Uint8Array() : new Uint8Array(valueHexView);
}

/** A small number that is not negative. Throws RangeError. */
export function numberOf(block: BaseBlock | undefined): number {
  const value = block instanceof Integer ? block.toBigInt() : -1n;
  if (value < 0n || value > 0x7fff_ffffn) throw new RangeError('a number is missing or too large');
  return Number(value);
}

/** Text of a BMPString; undefined for anything else. */
export function bmpTextOf(block: BaseBlock | undefined): string | undefined {
  return block instanceof BmpString ? block.getValue() : undefined;
}
