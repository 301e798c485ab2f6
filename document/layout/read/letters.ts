/**
 * Presentation forms, ligatures, radicals and vertical forms: other shapes of the same letters. Full-width forms are
 * what East Asian text is written with.
 */
const SHAPES = /[\u2f00-\u2fdf\ufb00-\ufdff\ufe30-\ufe4f\ufe70-\ufefc]/g;
/** Marks of direction, byte order marks, soft hyphens: nothing of the text. Joiners are. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\ufffc]/g;
// What PDFium gives for codes without a character
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\ufffe\uffff]/g;
/** Letters of symbol fonts that have no character of their own (Symbol and Wingdings as office programs write them). */
const SYMBOLS: Readonly<Record<string, string>> = {
  '\uf0b7': '\u2022',
  '\uf0a7': '\u25aa',
  '\uf0a8': '\u25fb',
  '\uf076': '\u2756',
  '\uf0d8': '\u27a2',
  '\uf0fc': '\u2713',
  '\uf0fb': '\u2717',
  '\uf06c': '\u25cf',
  '\uf06e': '\u25a0',
  '\uf06f': '\u25a1',
  '\uf071': '\u2751',
  '\uf0e0': '\u2192',
  '\uf0df': '\u2190',
  '\uf02d': '-',
  '\uf0be': '\u2014',
  '\uf0b0': '\u00b0',
  '\uf0b1': '\u00b1',
  '\uf0b4': '\u00d7',
  '\uf0d7': '\u22c5',
  '\uf020': ' ',
};
const SYMBOL = /[\uf000-\uf0ff]/g;

/** Text as it is meant: composed, one shape for each letter, nothing invisible. */
export function cleanLetters(text: string): string {
  if (/^[\u0020-\u007e]*$/.test(text)) return text;
  return text
    .replace(CONTROLS, '')
    .replace(INVISIBLE, '')
    .replace(SHAPES, (shape) => shape.normalize('NFKC'))
    .replace(SYMBOL, (letter) => SYMBOLS[letter] ?? letter)
    .normalize('NFC');
}
