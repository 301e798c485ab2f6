/** Letters by their bidirectional class (UAX 9, table 4), as far as their order depends on it. */
export type Kind =
  | 'left'
  | 'hebrew'
  | 'arabic'
  | 'digit'
  | 'arabicDigit'
  | 'separator'
  | 'sign'
  | 'terminator'
  | 'neutral';

const ARABIC = /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
const HEBREW = /[\p{Script=Hebrew}\p{Script=Nko}]/u;
const ARABIC_PUNCTUATION = /[\u061b\u061e\u061f\u06d4]/;
const HEBREW_PUNCTUATION = /[\u05be\u05c0\u05c3\u05c6\u05f3\u05f4]/;
const LETTER = /[\p{L}\p{Nl}]/u;
const DIGIT = /[0-9\u00b2\u00b3\u00b9\u06f0-\u06f9\u2070-\u2079\u2080-\u2089\uff10-\uff19]/;
const ARABIC_DIGIT = /[\u0660-\u0669\u066b\u066c]/;
const SEPARATOR = /[,./:\u00a0\u060c\u202f\uff0c\uff0e]/;
const SIGN = /[-+\u2212\u207a\u207b\u208a\u208b]/;
const TERMINATOR = /[#$%\p{Sc}\u00b0\u00b1\u066a\u2030-\u2034\u2213]/u;
const JOINED = /^[\p{M}\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+$/u;

/** True for codes of scripts that are written from right to left, and their presentation forms. */
export function isRightToLeftCode(code: number): boolean {
  return (code >= 0x590 && code <= 0x8ff) || (code >= 0xfb1d && code <= 0xfdff) || (code >= 0xfe70 && code <= 0xfefc);
}

/** True for marks and invisible letters, which belong to the letter before them. */
export function isJoined(text: string): boolean {
  return JOINED.test(text);
}

/** The kind of the first letter of a text. */
export function kindOf(text: string): Kind {
  const letter = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  if (letter < '\u0590') {
    if (/[0-9\u00b2\u00b3\u00b9]/.test(letter)) return 'digit';
    if (LETTER.test(letter)) return 'left';
  } else {
    if (ARABIC_DIGIT.test(letter)) return 'arabicDigit';
    if (DIGIT.test(letter)) return 'digit';
    if (HEBREW_PUNCTUATION.test(letter)) return 'hebrew';
    if (ARABIC_PUNCTUATION.test(letter)) return 'arabic';
    if (LETTER.test(letter)) return HEBREW.test(letter) ? 'hebrew' : ARABIC.test(letter) ? 'arabic' : 'left';
  }
  if (SEPARATOR.test(letter)) return 'separator';
  if (SIGN.test(letter)) return 'sign';
  return TERMINATOR.test(letter) ? 'terminator' : 'neutral';
}
