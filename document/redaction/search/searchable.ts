/**
 * Other forms of the same letters: presentation forms, ligatures, full-width and half-width forms, radicals,
 * mathematical letters.
 */
const SHAPES = /[\u2f00-\u2fdf\ufb00-\ufdff\ufe30-\ufe4f\ufe70-\ufeff\uff01-\uffef\u{1d400}-\u{1d7ff}]/gu;
/** Characters without width: joiners, direction marks, byte order marks. */
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;
const QUOTES: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u02bc': "'",
  '\u2032': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u2033': '"',
};

function isAscii(text: string): boolean {
  return /^[\u0000-\u007f]*$/.test(text);
}

/**
 * Returns a text in the form that patterns search: composed, with plain letter forms and without invisible characters.
 * White space stays.
 */
export function searchable(text: string): string {
  if (isAscii(text)) return text;
  return text
    .replace(INVISIBLE, '')
    .replace(SHAPES, (shape) => shape.normalize('NFKC'))
    .normalize('NFC');
}

/**
 * Returns a text in the form for comparing plain terms: compatibility forms, case, quotes and dashes are unified (full
 * case folding, so ß becomes ss), soft hyphens are removed. White space stays.
 */
export function folded(text: string): string {
  if (isAscii(text)) return text.toLowerCase();
  const marks = unified(text);
  // ı and İ become i in every language; an additional dot is not visible.
  return marks.toUpperCase().toLowerCase().replaceAll('\u03c2', '\u03c3').replaceAll('i\u0307', 'i').normalize('NFC');
}

/** Returns a text as `folded` does, but in its own case. */
export function unified(text: string): string {
  if (isAscii(text)) return text;
  return text
    .replace(INVISIBLE, '')
    .replaceAll('\u00ad', '')
    .normalize('NFKC')
    .replace(/[\u2018-\u201f\u02bc\u2032\u2033]/g, (quote) => QUOTES[quote] ?? quote)
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}
