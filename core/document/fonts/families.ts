import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** The alphabets that text can be drawn in; each names the typeface that is asked first for every character. */
export const alphabets = ['roman', 'arabic', 'japanese', 'korean', 'chinese', 'thai'] as const;
/** One of `alphabets`. */
export type Alphabet = (typeof alphabets)[number];

/** The alphabet of this name; an unknown name acts as roman. */
export function alphabetOf(name: string): Alphabet {
  return alphabets.find((one) => one === name) ?? 'roman';
}

const require = createRequire(import.meta.url);

/** npm packages of fonts under the SIL Open Font License; each is split into files by ranges of characters. */
const familyOf: Readonly<Record<Alphabet, string>> = {
  roman: 'noto-sans',
  arabic: 'noto-naskh-arabic',
  japanese: 'noto-sans-jp',
  korean: 'noto-sans-kr',
  chinese: 'noto-sans-sc',
  thai: 'noto-sans-thai',
};

/** A part of a family: the file that holds some of its characters. */
export interface FontFile {
  /** Unique over all families. */
  readonly key: string;
  readonly path: string;
}

interface Range {
  readonly first: number;
  readonly last: number;
  readonly file: FontFile;
}

const tables = new Map<string, readonly Range[]>();

/** The families to ask for a character, in order: the alphabet's own, then all others, so that mixed text is drawn as well. */
function familiesFor(alphabet: Alphabet): string[] {
  return [...new Set([familyOf[alphabet], ...alphabets.map((other) => familyOf[other])])];
}

/** Every font file that claims the character, best first. */
export function* filesFor(codePoint: number, alphabet: Alphabet): Generator<FontFile> {
  for (const family of familiesFor(alphabet)) {
    const file = fileIn(rangesOf(family), codePoint);
    if (file !== undefined) yield file;
  }
}

/** Reads a font file as it ships in its package (WOFF 2). */
export function readFontFile(file: FontFile): Promise<Uint8Array> {
  return readFile(file.path);
}

/** Ranges of one family, sorted; where two files hold a character the narrower, more special one comes first. */
function rangesOf(family: string): readonly Range[] {
  const known = tables.get(family);
  if (known !== undefined) return known;
  const table = require.resolve(`@fontsource-variable/${family}/unicode.json`);
  const ranges: Range[] = [];
  for (const [subset, text] of Object.entries(JSON.parse(readFileSync(table, 'utf8')) as Record<string, string>)) {
    const name = `${family}-${subset.replace(/[[\]]/g, '')}-wght-normal`;
    const file = { key: name, path: join(dirname(table), 'files', `${name}.woff2`) };
    for (const part of text.split(',')) {
      const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-');
      ranges.push({ first: parseInt(first, 16), last: parseInt(last, 16), file });
    }
  }
  ranges.sort((a, b) => a.first - b.first || a.last - b.last);
  tables.set(family, ranges);
  return ranges;
}

function fileIn(ranges: readonly Range[], codePoint: number): FontFile | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.first ?? Infinity) <= codePoint) low = middle + 1;
    else high = middle;
  }
  // Ranges may overlap a little, so a few before the nearest start are looked at too.
  for (let i = low - 1; i >= 0 && i >= low - 12; i--) {
    const range = ranges[i];
    if (range !== undefined && range.last >= codePoint) return range.file;
  }
  return undefined;
}
