import { endsToken } from '../file/reader/index.js';
import { ContentLexer } from './lexer.js';
import { ContentName, type Operand, type Operator } from './operands.js';

/** Content to be put in place of content bytes `start` up to `end`; empty to remove them. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly with: string | Uint8Array;
}

const SPACE = Buffer.from(' ');

/**
 * Returns content with some ranges replaced and all other bytes unchanged; the same object if there is nothing to
 * replace. Splices may be in any order and must not overlap (RangeError). Tokens that a splice would join are separated
 * by a space.
 */
export function splice(content: Uint8Array, splices: readonly Splice[]): Uint8Array {
  if (splices.length === 0) return content;
  const sorted = [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: Uint8Array[] = [];
  let last: number | undefined;
  const push = (part: Uint8Array): void => {
    if (part.length === 0) return;
    if (last !== undefined && !endsToken(last) && !endsToken(part[0])) parts.push(SPACE);
    parts.push(part);
    last = part[part.length - 1];
  };
  let at = 0;
  for (const { start, end, with: put } of sorted) {
    if (start < at || end < start || end > content.length) throw new RangeError('splices overlap');
    push(content.subarray(at, start));
    push(typeof put === 'string' ? Buffer.from(put, 'latin1') : put);
    at = end;
  }
  push(content.subarray(at));
  return Buffer.concat(parts);
}

/**
 * Returns content with operators replaced: `decide` returns the replacement of an operator with its operands, empty to
 * remove it, undefined to keep it byte for byte. Returns the same object if nothing changed.
 */
export function rewriteContent(
  content: Uint8Array,
  decide: (operator: Operator) => string | Uint8Array | undefined,
): Uint8Array {
  const splices: Splice[] = [];
  for (const operator of new ContentLexer(content)) {
    const put = decide(operator);
    if (put !== undefined) splices.push({ start: operator.start, end: operator.end, with: put });
  }
  return splice(content, splices);
}

/** Writes operands and an operator, such as `[(a) -20 (b)] TJ`; one byte a character (latin1). */
export function operatorText(name: string, ...operands: readonly Operand[]): string {
  return [...operands.map((operand) => operandText(operand)), name].join(' ');
}

/** Writes one operand; one byte a character (latin1). Strings of other than printable characters are written as hex. */
export function operandText(operand: Operand): string {
  if (typeof operand === 'number') return numberText(operand);
  if (operand === null || typeof operand === 'boolean') return String(operand);
  if (operand instanceof Uint8Array) return stringText(operand);
  if (operand instanceof ContentName) return nameText(operand.text);
  if (operand instanceof Map)
    return `<<${[...(operand as ReadonlyMap<string, Operand>)]
      .map(([key, value]) => `${nameText(key)} ${operandText(value)}`)
      .join(' ')}>>`;
  return `[${(operand as readonly Operand[]).map((element) => operandText(element)).join(' ')}]`;
}

/** Formats a real without exponent (ISO 32000-1, 7.3.3), to six places; other values than finite numbers become 0. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '0';
  if (Number.isInteger(value)) return Math.abs(value) < 1e15 ? String(value) : value.toFixed(0);
  const text = value.toFixed(6).replace(/\.?0+$/, '');
  return text === '-0' ? '0' : text;
}

function stringText(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  if (/^[\x20-\x7e]*$/.test(text)) return `(${text.replaceAll(/[\\()]/g, '\\$&')})`;
  return `<${Buffer.from(text, 'latin1').toString('hex')}>`;
}

function nameText(name: string): string {
  const escaped = name.replaceAll(
    /[^!-~]|[#()<>[\]{}/%]/g,
    (character) => `#${(character.charCodeAt(0) & 0xff).toString(16).padStart(2, '0')}`,
  );
  return `/${escaped}`;
}
