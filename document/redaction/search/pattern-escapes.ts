import { PatternError } from './pattern-error.js';

/** A pattern that is being read: its code points, and the index of the next one. */
export interface PatternSource {
  readonly text: readonly string[];
  at: number;
}

const control: Readonly<Record<string, number>> = { t: 9, n: 10, r: 13, f: 12, a: 7, e: 27 };

/** Returns the character of an escape whose letter was just read, or undefined if the letter has another meaning. */
export function escapedCharacter(source: PatternSource, letter: string): number | undefined {
  if (letter in control) return control[letter];
  switch (letter) {
    case '0':
      return octal(source);
    case 'x':
      return source.text[source.at] === '{'
        ? parseInt(hexIn(braced(source)), 16)
        : parseInt(hexIn(take(source, 2)), 16);
    case 'u':
      return surrogates(source, parseInt(hexIn(take(source, 4)), 16));
    case 'c':
      return ((source.text[source.at++] ?? '').codePointAt(0) ?? 0) ^ 64;
    default:
      if (!/[A-Za-z0-9]/.test(letter)) return letter.codePointAt(0);
      return undefined;
  }
}

/** Reads the text in braces and moves behind them. */
export function braced(source: PatternSource): string {
  const end = source.text.indexOf('}', source.at);
  if (source.text[source.at] !== '{' || end < 0)
    throw new PatternError(`expected a name or number in braces at character ${source.at + 1}`);
  const inside = source.text.slice(source.at + 1, end).join('');
  source.at = end + 1;
  return inside;
}

function take(source: PatternSource, count: number): string {
  const taken = source.text.slice(source.at, source.at + count).join('');
  source.at += count;
  return taken;
}

function hexIn(digits: string): string {
  if (!/^[0-9a-f]{1,6}$/i.test(digits) || parseInt(digits, 16) > 0x10ffff)
    throw new PatternError(`"${digits.slice(0, 12)}" is not a hexadecimal character code`);
  return digits;
}

/** Java allows one to three digits, at most 377. */
function octal(source: PatternSource): number {
  const digits = /^(?:[0-3][0-7]{2}|[0-7]{1,2})/.exec(source.text.slice(source.at, source.at + 3).join(''))?.[0];
  if (digits === undefined) throw new PatternError('\\0 must be followed by an octal number');
  source.at += digits.length;
  return parseInt(digits, 8);
}

/** Two escapes may write one character as a surrogate pair. */
function surrogates(source: PatternSource, high: number): number {
  const low = /^\\u(d[c-f][0-9a-f]{2})/i.exec(source.text.slice(source.at, source.at + 6).join(''))?.[1];
  if (high < 0xd800 || high > 0xdbff || low === undefined) return high;
  source.at += 6;
  return 0x10000 + ((high - 0xd800) << 10) + (parseInt(low, 16) - 0xdc00);
}
