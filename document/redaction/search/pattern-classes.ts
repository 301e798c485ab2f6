import { PatternError } from './pattern-error.js';

/** Writes a character as a literal in an expression with the `v` flag, inside or outside of a class. */
export function literal(code: number): string {
  const text = String.fromCodePoint(code);
  return /[\p{L}\p{Nd}]/u.test(text) ? text : `\\u{${code.toString(16)}}`;
}

/** Word characters: letters, marks, digits and connectors of all scripts. */
export const WORD = '[\\p{L}\\p{M}\\p{N}\\p{Pc}]';
const LINE_ENDS = '[\\n\\u{b}\\f\\r\\u{85}\\u{2028}\\u{2029}]';

/**
 * Escapes of one letter that denote a set of characters, inside and outside of classes. Capital letters negate the set.
 */
const sets: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  w: WORD,
  s: '\\s',
  h: '[\\t\\p{Zs}\\u{180e}]',
  v: LINE_ENDS,
};

/** Returns the set of `\d \D \w \W \s \S \h \H \v \V`, or undefined for another letter. */
export function setOf(letter: string): string | undefined {
  const set = sets[letter.toLowerCase()];
  if (set === undefined) return undefined;
  return letter === letter.toLowerCase() ? set : `[^${set}]`;
}

/** POSIX and Java names of character classes (java.util.regex.Pattern), extended to all of Unicode. */
const named: Readonly<Record<string, string>> = {
  lower: '\\p{Lowercase}',
  upper: '\\p{Uppercase}',
  ascii: '[\\u{0}-\\u{7f}]',
  alpha: '\\p{Alphabetic}',
  digit: '\\p{Nd}',
  alnum: '[\\p{Alphabetic}\\p{Nd}]',
  punct: '[\\p{P}$+<=>\\^`\\|~]',
  graph: '[^\\s\\p{Cc}\\p{Cs}\\p{Cn}]',
  print: '[^\\p{Cc}\\p{Cs}\\p{Cn}\\p{Zl}\\p{Zp}]',
  blank: '[\\t\\p{Zs}]',
  cntrl: '\\p{Cc}',
  xdigit: '[0-9A-Fa-f]',
  space: '\\s',
  l1: '[\\u{0}-\\u{ff}]',
  all: '[\\s\\S]',
  javalowercase: '\\p{Lowercase}',
  javauppercase: '\\p{Uppercase}',
  javaalphabetic: '\\p{Alphabetic}',
  javaletter: '\\p{L}',
  javadigit: '\\p{Nd}',
  javaletterordigit: '[\\p{L}\\p{Nd}]',
  javawhitespace: '\\s',
  javaspacechar: '\\p{Z}',
  javamirrored: '\\p{Bidi_Mirrored}',
  javatitlecase: '\\p{Lt}',
  javaisocontrol: '\\p{Cc}',
  javadefined: '\\P{Cn}',
  javaideographic: '\\p{Ideographic}',
};

/**
 * Returns the set of `\p{name}`. Supports the prefixes `Is` and `In`, `script=`, `block=` and `general_category=`; a
 * block is treated as the script of that name.
 */
export function propertySet(name: string, negated: boolean): string {
  const set = named[name.toLowerCase()] ?? named[name.toLowerCase().replace(/^is/, '')] ?? unicodeSet(name);
  if (set === undefined) throw new PatternError(`\\p{${name.slice(0, 40)}} is not a known character class`);
  return negated ? `[^${set}]` : set;
}

function unicodeSet(name: string): string | undefined {
  const [, key, value = ''] = /^(?:(sc|script|blk|block|gc|general_category)=|Is|In)?(.+)$/i.exec(name) ?? [];
  const kind = key?.toLowerCase();
  const spelt = [value, titled(value), value.toUpperCase()];
  const forms = kind === undefined || kind.startsWith('g') ? spelt.map((one) => `\\p{${one}}`) : [];
  if (kind === undefined || !kind.startsWith('g')) forms.push(...spelt.map((one) => `\\p{Script=${one}}`));
  return forms.find(isSet);
}

function titled(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replaceAll(/(^|_)([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase());
}

function isSet(expression: string): boolean {
  try {
    return new RegExp(expression, 'v').flags === 'v';
  } catch {
    return false;
  }
}
