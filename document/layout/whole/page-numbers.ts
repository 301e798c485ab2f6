const WORD = '(?:page|seite|p\\.|pg\\.?|pagina|p\u00e1gina|strana|\u7b2c)';
const OF = '(?:of|von|\\/|de|sur|di|van|z)';
const AROUND = '[\\s\\-\u2013\u2014|\u2022.()[\\]]*';

/** A line that is nothing but a page number, in lower case, with its digits as #. */
export const PAGE_NUMBER = new RegExp(
  `^${AROUND}${WORD}?\\s*(?:#|[ivxlc]{1,7})\\s*(?:\u9875|\u30da\u30fc\u30b8)?(?:\\s*${OF}\\s*#)?${AROUND}$`,
  'iu',
);
/** The number names itself one ("page 3"). */
const AFTER_WORD = new RegExp(`(?<!\\p{L})${WORD}\\s*$`, 'iu');
const AT_START = /^[\s\p{P}|]*$/u;
const AT_END = new RegExp(`^[\\s\\p{P}|]*$|^\\s*${OF}\\s*\\p{Nd}+[\\s\\p{P}|]*$`, 'iu');
/** A part of an amount: 12.50. */
const FRACTION_BEFORE = /\p{Nd}[.,]$/u;
const FRACTION_AFTER = /^[.,]\p{Nd}/u;
const ROMAN = /^[^\p{L}]*(m{0,3}(?:c[md]|d?c{0,3})(?:x[cl]|l?x{0,3})(?:i[xv]|v?i{0,3}))[^\p{L}]*$/u;
const ROMAN_DIGITS: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100, d: 500, m: 1000 };

/** A line near the edge of a page, with its page's number. */
interface NumberedLine {
  readonly page: number;
  readonly text: string;
  readonly shape: string;
  readonly line: { readonly gappy: boolean };
}

/** True for two lines in which nothing differs but a number that grows with the pages. */
export function numberFollows(one: NumberedLine, other: NumberedLine): boolean {
  const pages = other.page - one.page;
  const [a, b] = [romanValue(one.text), romanValue(other.text)];
  if (a !== undefined && b !== undefined) return b - a === pages;
  if (one.shape !== other.shape) return false;
  const [own, others] = [[...one.text.matchAll(/\p{Nd}+/gu)], [...other.text.matchAll(/\p{Nd}+/gu)]];
  const changed = own.flatMap((_, i) => (own[i]![0] === others[i]![0] ? [] : [i]));
  // "Page 3 of 12" is a page number also where the next one belongs to a part of another length, or pages are missing.
  const named = own.length > 0 && AFTER_WORD.test(one.text.slice(0, own[0]!.index));
  if (named && PAGE_NUMBER.test(one.shape)) return true;
  if (changed.length !== 1) return false;
  const [number, otherNumber] = [own[changed[0]!]!, others[changed[0]!]!];
  if (value(otherNumber[0]) - value(number[0]) !== pages) return false;
  const [before, after] = [one.text.slice(0, number.index), one.text.slice(number.index + number[0].length)];
  if (FRACTION_BEFORE.test(before) || FRACTION_AFTER.test(after)) return false;
  return AT_START.test(before) || AT_END.test(after) || AFTER_WORD.test(before) || one.line.gappy;
}

/** The value of a line that is nothing but a number; undefined for others. */
export function pageNumberOf(text: string): number | undefined {
  const digits = /^[^\p{L}\p{Nd}]*(\p{Nd}+)[^\p{L}\p{Nd}]*$/u.exec(text)?.[1];
  return digits === undefined ? romanValue(text) : value(digits);
}

/** The number in digits of any script. */
function value(digits: string): number {
  let sum = 0;
  for (const digit of digits.slice(0, 12)) {
    const code = digit.codePointAt(0)!;
    let zero = code;
    while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--;
    sum = sum * 10 + (code - zero);
  }
  return sum;
}

/** The value of a line that is a Roman number. */
function romanValue(text: string): number | undefined {
  const letters = ROMAN.exec(text)?.[1];
  if (letters === undefined || letters === '') return undefined;
  const digits = [...letters].map((letter) => ROMAN_DIGITS[letter]!);
  return digits.reduce((sum, digit, i) => sum + (digit < (digits[i + 1] ?? 0) ? -digit : digit), 0);
}
