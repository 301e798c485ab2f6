// oxlint-disable-next-line typescript/triple-slash-reference -- the test program would not see the declaration
/// <reference path="./bidi-js.d.ts" />
import type { Bidi } from 'bidi-js';
import { DocumentError } from '../errors.js';
import type { Alphabet, FontFile } from './families.js';
import { faceFor, type Weight } from './face.js';
import type { Face, ShapedGlyph } from './shaped-glyph.js';

/** A line of glyphs from left to right, in painting order. */
export interface ShapedLine {
  readonly glyphs: readonly ShapedGlyph[];
  /** Sum of the advances in thousandths of the font size. */
  readonly width: number;
}

interface Item {
  /** The character as given. */
  readonly written: string;
  /** The character as drawn: mirrored in right-to-left text. */
  readonly shown: string;
  readonly face: Face;
  readonly level: number;
}

/**
 * Characters that only control layout; they are left out where the font has no glyph for them (Unicode,
 * Default_Ignorable_Code_Point).
 */
const ignorable = /^\p{Default_Ignorable_Code_Point}$/u;
/** Characters are mirrored beforehand (UAX 9, rule L4); a font's mirrored forms would mirror brackets twice. */
const features = { rtlm: false };
const mark = /^\p{M}$/u;
const marks = /^\p{M}+$/u;

/**
 * Shapes one line: writing direction (UAX 9), joined Arabic letters, ligatures, kerning, Thai marks. Control characters
 * become blanks. `own`: a font that is tried before the built-in ones. Throws INPUT_INVALID with `field` and the
 * characters that no font has.
 */
export async function shapeLine(
  text: string,
  alphabet: Alphabet,
  field = 'text',
  own?: FontFile,
  weight?: Weight,
): Promise<ShapedLine> {
  const clean = toneAboveVowel(text.normalize('NFC').replace(/\p{Cc}/gu, ' '));
  const glyphs: ShapedGlyph[] = [];
  for (const run of await runsOf(clean, alphabet, field, own, weight)) glyphs.push(...shapeRun(run));
  return { glyphs, width: glyphs.reduce((sum, glyph) => sum + glyph.advance, 0) };
}

/**
 * Returns the text with a question mark for each character that no built-in font has; for text from a document or a
 * file name, which the caller cannot change.
 */
export async function drawableText(text: string, alphabet: Alphabet, own?: FontFile): Promise<string> {
  const parts = await Promise.all(
    [...text.normalize('NFC')].map(async (character) =>
      /^\p{Cc}$/u.test(character) ||
      ignorable.test(character) ||
      (await faceFor(character.codePointAt(0) ?? 0, alphabet, own)) !== undefined
        ? character
        : '?',
    ),
  );
  return parts.join('');
}

interface PlacedOutline {
  readonly id: number;
  text: string;
  readonly advance: number;
  readonly xOffset: number;
  readonly yOffset: number;
}

/**
 * Words, digits and blanks: in left-to-right text, shapes do not depend on neighbouring segments, and segments recur
 * from line to line.
 */
const segments = /[0-9](?!\p{M})|\u0020(?!\p{M})|(?:[^0-9\u0020]|[0-9\u0020](?=\p{M}))+/gu;
/**
 * Scripts whose letters are painted in a different order than written, split into syllables, which letters never leave
 * (Unicode Standard, 12.1).
 */
const reordered = new RegExp(
  `[${['Devanagari', 'Tamil', 'Bengali', 'Telugu', 'Kannada', 'Malayalam', 'Gujarati', 'Gurmukhi', 'Sinhala', 'Khmer']
    .map((script) => `\\p{Script=${script}}`)
    .join('')}]`,
  'u',
);
/** Letters that a virama or a coeng ties to the next one, that one, and its marks; a nukta may precede the virama. */
const syllables = new RegExp(
  String.raw`(?:\p{L}[\u093c\u09bc\u0a3c\u0abc]?\u200d?` +
    String.raw`[\u094d\u09cd\u0a4d\u0acd\u0bcd\u0c4d\u0ccd\u0d4d\u0dca\u17d2][\u200c\u200d]?)*[\s\S]\p{M}*`,
  'gu',
);
/** Segments that a face caches; then the cache is emptied. */
const MAX_CACHED_SEGMENTS = 2000;

function shapeRun(run: readonly Item[]): readonly ShapedGlyph[] {
  const { face, level } = run[0]!;
  const shown = run.map((item) => item.shown).join('');
  if (level % 2 === 1) return shapeText(face, shown, new Map(run.map((item) => [item.shown, item.written])));
  return (shown.match(segments) ?? []).flatMap((segment) => {
    const known = face.shaped.get(segment);
    if (known !== undefined) return known;
    if (face.shaped.size >= MAX_CACHED_SEGMENTS) face.shaped.clear();
    const glyphs = reordered.test(segment)
      ? (segment.match(syllables) ?? []).flatMap((syllable) => shapeSyllable(face, syllable))
      : shapeText(face, segment);
    face.shaped.set(segment, glyphs);
    return glyphs;
  });
}

/**
 * A syllable whose parts would be extracted in another order, or are stacked as Khmer's letters are, becomes one glyph,
 * so that the extracted text equals the written one.
 */
function shapeSyllable(face: Face, syllable: string): ShapedGlyph[] {
  const outlines = outlinesOf(face, syllable);
  const glyphs = clustersOf(outlines, false).map((cluster) => joinCluster(cluster, face));
  const isRead = glyphs.every(({ advance }) => advance > 0) && glyphs.map(({ text }) => text).join('') === syllable;
  if (outlines.length === 0 || isRead) return glyphs;
  return [{ ...joinCluster(outlines, face), text: syllable }];
}

/**
 * `written` is for right-to-left text: readers reverse it but do not mirror it, so brackets keep the written character.
 */
function shapeText(face: Face, text: string, written?: ReadonlyMap<string, string>): ShapedGlyph[] {
  const rightToLeft = written !== undefined;
  const outlines = outlinesOf(face, text, written);
  rejoinSaraAm(outlines);
  return clustersOf(outlines, rightToLeft).map((cluster) => joinCluster(cluster, face));
}

function outlinesOf(face: Face, text: string, written?: ReadonlyMap<string, string>): PlacedOutline[] {
  const shaped = face.font.layout(text, features, undefined, undefined, written === undefined ? 'ltr' : 'rtl');
  return shaped.glyphs.map((glyph, i): PlacedOutline => {
    const position = shaped.positions[i]!;
    const characters = String.fromCodePoint(...glyph.codePoints);
    return {
      id: glyph.id,
      text: written?.get(characters) ?? characters,
      advance: position.xAdvance * face.scale,
      xOffset: position.xOffset * face.scale,
      yOffset: position.yOffset * face.scale,
    };
  });
}

/**
 * Groups each outline without a character, and each mark, with its letter: before it, or after it when read from the
 * right. A mark as a separate glyph would be extracted at its painted position: on a separate line, or after the next
 * letter. The texts of a group stay in painting order, since readers reverse right-to-left text character by character.
 */
function clustersOf(outlines: readonly PlacedOutline[], rightToLeft: boolean): PlacedOutline[][] {
  const clusters: PlacedOutline[][] = [];
  let waiting: PlacedOutline[] = [];
  for (const outline of outlines) {
    const last = clusters.at(-1);
    if (!leans(outline)) {
      clusters.push([...waiting, outline]);
      waiting = [];
    } else if (rightToLeft || last === undefined) waiting.push(outline);
    else last.push(outline);
  }
  if (waiting.length > 0) clusters.push(waiting);
  return clusters;
}

/** True for an outline without a character, and for a mark over or under the letter beside it. */
function leans({ text, advance }: PlacedOutline): boolean {
  return text === '' || (advance === 0 && marks.test(text));
}

/** Joins a cluster into one glyph with the letter's origin. */
function joinCluster(cluster: readonly PlacedOutline[], face: Face): ShapedGlyph {
  const pens: number[] = [];
  let pen = 0;
  for (const outline of cluster) {
    pens.push(pen);
    pen += outline.advance;
  }
  const hostIndex = Math.max(
    0,
    cluster.findIndex((outline) => !leans(outline)),
  );
  const host = cluster[hostIndex]!;
  const originX = (pens[hostIndex] ?? 0) + host.xOffset;
  const parts = cluster.map(({ id, xOffset, yOffset }, i) => ({
    face,
    id,
    x: (pens[i] ?? 0) + xOffset - originX,
    y: yOffset - host.yOffset,
  }));
  return {
    parts,
    text: cluster.map((outline) => outline.text).join(''),
    advance: pen,
    xOffset: originX,
    yOffset: host.yOffset,
  };
}

/**
 * Thai SARA AM after a tone mark is written as NIKHAHIT below the tone followed by SARA AA; the font's decomposition
 * would put the tone below (Unicode Standard, 16.1, Thai).
 */
function toneAboveVowel(text: string): string {
  return text.replace(/([\u0e48-\u0e4b]+)\u0e33/gu, '\u0e4d$1\u0e32');
}

/** Maps those two glyphs to the one character again, so that the extracted text equals the written one. */
function rejoinSaraAm(outlines: readonly PlacedOutline[]): void {
  outlines.forEach((outline, i) => {
    if (outline.text !== '\u0e4d') return;
    let end = i + 1;
    while (/^[\u0e48-\u0e4b]$/.test(outlines[end]?.text ?? '')) end++;
    const last = outlines[end];
    if (last?.text !== '\u0e32') return;
    outline.text = '';
    last.text = '\u0e33';
  });
}

/** The bidi tables: loading them takes longer than a line. */
let bidiTables: Promise<Bidi> | undefined;

const fromRight = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** True for a line that begins at its right-hand end (UAX 9, rules P2 and P3). */
export async function beginsAtRight(text: string): Promise<boolean> {
  if (!fromRight.test(text)) return false;
  return ((await tables()).getEmbeddingLevels(text).paragraphs[0]?.level ?? 0) % 2 === 1;
}

/** Returns letters in visual order from left to right (UAX 9), for letters that are placed one by one. */
export async function lettersFromLeft(letters: readonly string[]): Promise<string[]> {
  const text = letters.join('');
  if (!fromRight.test(text)) return [...letters];
  const { levels } = (await tables()).getEmbeddingLevels(text);
  let index = 0;
  const placed = letters.map((letter): Leveled & { readonly letter: string } => ({
    letter,
    level: levels[(index += letter.length) - letter.length] ?? 0,
  }));
  return paintOrder(placed.map((one) => [one]))
    .flat()
    .map(({ letter }) => letter);
}

function tables(): Promise<Bidi> {
  return (bidiTables ??= import('bidi-js').then(({ default: createBidi }) => createBidi()));
}

/** Runs of one face and one direction, in painting order. */
async function runsOf(
  text: string,
  alphabet: Alphabet,
  field: string,
  own?: FontFile,
  weight?: Weight,
): Promise<Item[][]> {
  const bidi = await tables();
  const levels = bidi.getEmbeddingLevels(text);
  const mirrored = bidi.getMirroredCharactersMap(text, levels.levels);
  const items: Item[] = [];
  const missing = new Set<string>();
  let index = 0;
  for (const character of text) {
    const level = levels.levels[index] ?? 0;
    const shown = mirrored.get(index) ?? character;
    index += character.length;
    const codePoint = shown.codePointAt(0) ?? 0;
    const previous = items.at(-1)?.face;
    const stays =
      previous !== undefined &&
      previous.font.hasGlyphForCodePoint(codePoint) &&
      (keepsFace(shown) || sameFamily(previous, codePoint));
    const face = stays ? previous : await faceFor(codePoint, alphabet, own, weight);
    if (face !== undefined) items.push({ written: character, shown, face, level });
    else if (!ignorable.test(shown)) missing.add(shown);
  }
  if (missing.size > 0) throw undrawable([...missing], field);
  return paintOrder(splitRuns(items));
}

/** Blanks, digits, marks and punctuation use the face of the surrounding text. */
function keepsFace(character: string): boolean {
  return mark.test(character) || /^[\p{P}\p{S}\p{Z}\p{N}\u200c\u200d]$/u.test(character);
}

/**
 * A letter stays with its neighbour's face only where that file covers the script; stray Latin letters in other files
 * do not count.
 */
function sameFamily(face: Face, codePoint: number): boolean {
  return codePoint > 0x24f || /latin|-\d+-wght/.test(face.key);
}

function splitRuns(items: readonly Item[]): Item[][] {
  const runs: Item[][] = [];
  for (const item of items) {
    const run = runs.at(-1);
    if (run !== undefined && run[0]!.face === item.face && run[0]!.level === item.level) run.push(item);
    else runs.push([item]);
  }
  return runs;
}

/** An item with an embedding level (UAX 9). */
interface Leveled {
  readonly level: number;
}

/**
 * UAX 9, rule L2, on whole runs: from the highest level down to the lowest odd one, every sequence of that level or
 * higher is reversed.
 */
function paintOrder<T extends Leveled>(runs: readonly T[][]): T[][] {
  const ordered = [...runs];
  const levelAt = (i: number): number => ordered[i]?.[0]?.level ?? -1;
  for (let level = Math.max(0, ...runs.map((run) => run[0]!.level)); level > 0; level--) {
    for (let start = 0; start < ordered.length; start++) {
      if (levelAt(start) < level) continue;
      let end = start;
      while (levelAt(end + 1) >= level) end++;
      ordered.splice(start, end - start + 1, ...ordered.slice(start, end + 1).reverse());
      start = end;
    }
  }
  return ordered;
}

function undrawable(characters: string[], field: string): DocumentError {
  const listed = characters
    .slice(0, 8)
    .map((character) => `${character} (U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')})`);
  const detail = `"${field}" contains characters that no built-in font can draw: ${listed.join(', ')}`;
  return new DocumentError('INPUT_INVALID', { detail }, [{ pointer: `/${field}`, detail }]);
}
