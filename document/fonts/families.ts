import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, isAbsolute, join } from 'node:path';

/** Alphabets that text can be drawn in; each names the font family that is tried first for every character. */
export const alphabets = ['roman', 'arabic', 'japanese', 'korean', 'chinese', 'thai'] as const;
/** One of `alphabets`. */
export type Alphabet = (typeof alphabets)[number];

/** Returns the alphabet of this name; roman for an unknown name. */
export function alphabetOf(name: string): Alphabet {
  return alphabets.find((one) => one === name) ?? 'roman';
}

const require = createRequire(import.meta.url);

/** An npm package of a font family under the SIL Open Font License, split into files by ranges of characters. */
interface Family {
  readonly name: string;
  /** Variable fonts hold all weights in one file; a family with a single weight is not variable. */
  readonly variable: boolean;
}

const variable = (name: string): Family => ({ name, variable: true });

const familyOf: Readonly<Record<Alphabet, Family>> = {
  roman: variable('noto-sans'),
  arabic: variable('noto-naskh-arabic'),
  japanese: variable('noto-sans-jp'),
  korean: variable('noto-sans-kr'),
  chinese: variable('noto-sans-sc'),
  thai: variable('noto-sans-thai'),
};

/** Scripts of South and South-East Asia, except Devanagari, which the first family has. */
const southern: readonly Family[] = [
  variable('noto-sans-tamil'),
  variable('noto-sans-bengali'),
  variable('noto-sans-telugu'),
  variable('noto-sans-kannada'),
  variable('noto-sans-malayalam'),
  variable('noto-sans-gujarati'),
  variable('noto-sans-gurmukhi'),
  variable('noto-sans-sinhala'),
  variable('noto-sans-khmer'),
  variable('noto-sans-lao'),
];

/**
 * Scripts outside of all alphabets: those, check marks, crosses, boxes and other symbols, Hebrew, and monochrome emoji.
 */
const others: readonly Family[] = [
  ...southern,
  variable('noto-sans-hebrew'),
  variable('noto-sans-symbols'),
  { name: 'noto-sans-symbols-2', variable: false },
  variable('noto-emoji'),
];

/** A file that holds some of a family's characters. */
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

/**
 * The families to try for a character, in order: the alphabet's first, then all others, so that mixed text can be
 * drawn.
 */
function familiesFor(alphabet: Alphabet): Set<Family> {
  return new Set([familyOf[alphabet], ...alphabets.map((other) => familyOf[other]), ...others]);
}

/** Yields every font file that claims the character, best first. */
export function* filesFor(codePoint: number, alphabet: Alphabet): Generator<FontFile> {
  for (const family of familiesFor(alphabet)) {
    yield* filesIn(rangesOf(family), codePoint);
  }
}

/** A TrueType font file of the operator; undefined without an absolute path. */
export function ownFontFile(path: string | undefined): FontFile | undefined {
  return path !== undefined && isAbsolute(path) ? { key: `file:${path}`, path } : undefined;
}

/** Reads a font file: as shipped in its package (WOFF 2), or one of the operator (TrueType). */
export function readFontFile(file: FontFile): Promise<Uint8Array> {
  return readFile(file.path);
}

/** Ranges of one family, sorted; where two files hold a character the one with the narrower range comes first. */
function rangesOf(family: Family): readonly Range[] {
  const known = tables.get(family.name);
  if (known !== undefined) return known;
  const table = require.resolve(
    `@${family.variable ? 'fontsource-variable' : 'fontsource'}/${family.name}/unicode.json`,
  );
  const ranges: Range[] = [];
  for (const [subset, text] of Object.entries(JSON.parse(readFileSync(table, 'utf8')) as Record<string, string>)) {
    const name = `${family.name}-${subset.replace(/[[\]]/g, '')}-${family.variable ? 'wght' : '400'}-normal`;
    const file = { key: name, path: join(dirname(table), 'files', `${name}.woff2`) };
    for (const part of text.split(',')) {
      const [first = '', last = first] = part.trim().replace(/^U\+/i, '').split('-');
      ranges.push({ first: parseInt(first, 16), last: parseInt(last, 16), file });
    }
  }
  ranges.sort((a, b) => a.first - b.first || a.last - b.last);
  tables.set(family.name, ranges);
  return ranges;
}

function* filesIn(ranges: readonly Range[], codePoint: number): Generator<FontFile> {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ranges[middle]?.first ?? Infinity) <= codePoint) low = middle + 1;
    else high = middle;
  }
  // Ranges may overlap a little, so a few before the nearest start are checked too.
  for (let i = low - 1; i >= 0 && i >= low - 12; i--) {
    const range = ranges[i];
    if (range !== undefined && range.last >= codePoint) yield range.file;
  }
}
