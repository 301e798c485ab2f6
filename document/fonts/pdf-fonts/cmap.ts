import { ContentLexer } from '../../content/lexer.js';
import { ContentName, type Operand } from '../../content/operands.js';

/** The most codes in one map; no real font has more. */
const MAX_ENTRIES = 300_000;
const MAX_RANGE = 0x10000;

interface CodeSpace {
  readonly low: Uint8Array;
  readonly high: Uint8Array;
}

/**
 * A parsed CMap (ISO 32000-1, 9.7.5 and 9.10.3): the byte lengths of codes, and the characters (ToUnicode) or CIDs of
 * codes. Read with the content lexer, since the syntax is the same.
 */
export class CMap {
  readonly spaces: CodeSpace[] = [];
  readonly texts = new Map<number, string>();
  readonly cids = new Map<number, number>();
  vertical = false;
  /** Number of codes entered, including repeated ones. */
  work = 0;
  /** Returns the text of a code, in a map that is named after a character set. */
  textOf: ((code: Uint8Array) => string) | undefined;
  /** Every code is its CID (Identity-H and Identity-V). */
  identity = false;

  /**
   * Reads the code at this position: its number and length. A code outside of all ranges takes as many bytes as the
   * shortest (ISO 32000-1, 9.7.6.3).
   */
  codeAt(bytes: Uint8Array, at: number): { readonly code: number; readonly length: number } {
    let code = 0;
    for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
      code = code * 256 + bytes[at + length - 1]!;
      if (this.spaces.some((space) => space.low.length === length && within(bytes, at, space))) return { code, length };
    }
    const shortest = this.spaces.reduce((least, { low }) => Math.min(least, low.length), 4);
    const length = Math.max(1, Math.min(this.spaces.length === 0 ? 1 : shortest, bytes.length - at));
    return { code: numberOf(bytes.subarray(at, at + length)), length };
  }

  /** The length in bytes of a code in the map; 1 where no range contains it. */
  lengthOf(code: number): number {
    for (const { low, high } of this.spaces) {
      const bytes = bytesOf(code, low.length);
      if (bytes !== undefined && within(bytes, 0, { low, high })) return low.length;
    }
    return this.spaces[0]?.low.length ?? 1;
  }

  /** The CID of a code: 0 when it is not in the map. */
  cid(code: number): number {
    return this.identity ? code : (this.cids.get(code) ?? 0);
  }

  /** Adds the entries of another map (`usecmap`). */
  extend(other: CMap): void {
    this.spaces.push(...other.spaces);
    this.identity ||= other.identity;
    this.textOf ??= other.textOf;
    for (const [code, cid] of other.cids) this.cids.set(code, cid);
    for (const [code, text] of other.texts) this.texts.set(code, text);
  }
}

/** Identity-H or Identity-V. */
export function identityMap(vertical: boolean): CMap {
  const map = new CMap();
  map.spaces.push({ low: Uint8Array.of(0, 0), high: Uint8Array.of(255, 255) });
  map.identity = true;
  map.vertical = vertical;
  return map;
}

/** Parses a CMap file; `named` returns the map that it builds on. Never throws: invalid content is skipped. */
export function parseCMap(data: Uint8Array, named: (name: string) => CMap | undefined = () => undefined): CMap {
  const map = new CMap();
  for (const { name, operands } of new ContentLexer(data)) {
    switch (name) {
      case 'endcodespacerange':
        for (const [low, high] of groups(operands, 2)) {
          if (
            low instanceof Uint8Array &&
            high instanceof Uint8Array &&
            low.length === high.length &&
            low.length > 0 &&
            low.length <= 4 &&
            map.spaces.length < 1000
          )
            map.spaces.push({ low, high });
        }
        break;
      case 'endbfchar':
        for (const [code, text] of groups(operands, 2))
          if (code instanceof Uint8Array) setText(map, numberOf(code), text);
        break;
      case 'endbfrange':
        for (const [low, high, text] of groups(operands, 3)) bfRange(map, low, high, text);
        break;
      case 'endcidchar':
        for (const [code, cid] of groups(operands, 2))
          if (code instanceof Uint8Array && typeof cid === 'number' && map.work++ < MAX_ENTRIES)
            map.cids.set(numberOf(code), cid);
        break;
      case 'endcidrange':
        for (const [low, high, cid] of groups(operands, 3)) cidRange(map, low, high, cid);
        break;
      case 'usecmap': {
        const base = operands.at(-1);
        const other = base instanceof ContentName ? named(base.text) : undefined;
        if (other !== undefined) map.extend(other);
        break;
      }
      case 'def':
        if (isWMode(operands)) map.vertical = operands.at(-1) === 1;
        break;
      default:
    }
  }
  return map;
}

function isWMode(operands: readonly Operand[]): boolean {
  const key = operands.at(-2);
  return key instanceof ContentName && key.text === 'WMode';
}

function bfRange(map: CMap, low: Operand | undefined, high: Operand | undefined, text: Operand | undefined): void {
  if (!(low instanceof Uint8Array) || !(high instanceof Uint8Array)) return;
  const [first, last] = [numberOf(low), numberOf(high)];
  if (last < first || last - first >= MAX_RANGE) return;
  for (let code = first; code <= last && map.work < MAX_ENTRIES; code++) {
    if (text instanceof Uint8Array) setText(map, code, nextText(text, code - first));
    else if (Array.isArray(text)) setText(map, code, (text as readonly Operand[])[code - first]);
  }
}

function cidRange(map: CMap, low: Operand | undefined, high: Operand | undefined, cid: Operand | undefined): void {
  if (!(low instanceof Uint8Array) || !(high instanceof Uint8Array) || typeof cid !== 'number') return;
  const [first, last] = [numberOf(low), numberOf(high)];
  if (last < first || last - first >= MAX_RANGE) return;
  if (first === 0 && cid === 0 && last === 0xffff) {
    map.identity = true;
    return;
  }
  for (let code = first; code <= last && map.work++ < MAX_ENTRIES; code++) map.cids.set(code, cid + code - first);
}

function setText(map: CMap, code: number, text: Operand | undefined): void {
  if (text instanceof Uint8Array && map.work++ < MAX_ENTRIES) map.texts.set(code, utf16(text));
}

/** In a range, the last unit of the first text is incremented. */
function nextText(text: Uint8Array, by: number): Uint8Array {
  if (by === 0 || text.length === 0) return text;
  const next = Uint8Array.from(text);
  const at = text.length - (text.length > 1 ? 2 : 1);
  const value = numberOf(text.subarray(at)) + by;
  if (text.length > 1) next[at] = (value >> 8) & 0xff;
  next[text.length - 1] = value & 0xff;
  return next;
}

function utf16(bytes: Uint8Array): string {
  if (bytes.length === 1) return String.fromCharCode(bytes[0]!);
  let text = '';
  for (let i = 0; i + 1 < bytes.length; i += 2) text += String.fromCharCode((bytes[i]! << 8) | bytes[i + 1]!);
  return text;
}

function within(bytes: Uint8Array, at: number, { low, high }: CodeSpace): boolean {
  for (let i = 0; i < low.length; i++) if (bytes[at + i]! < low[i]! || bytes[at + i]! > high[i]!) return false;
  return true;
}

function* groups(operands: readonly Operand[], size: number): Generator<readonly Operand[]> {
  // The count before `begin…` belongs to that operator and is not among these operands.
  for (let i = 0; i + size <= operands.length; i += size) yield operands.slice(i, i + size);
}

/** Bytes as a big-endian number. */
function numberOf(bytes: Uint8Array): number {
  return bytes.reduce((sum, byte) => sum * 256 + byte, 0);
}

/** A number as this many bytes; undefined when it does not fit. */
export function bytesOf(value: number, length: number): Uint8Array | undefined {
  if (value >= 256 ** length) return undefined;
  return Uint8Array.from({ length }, (_unused, i) => Math.floor(value / 256 ** (length - 1 - i)) % 256);
}
