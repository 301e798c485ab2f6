import type { Passage } from './passages.js';
import { TextBorders } from './text-borders.js';

/** How a text is cut. */
export interface ChunkOptions {
  /** Most characters of a chunk, in UTF-16 code units. */
  readonly chunkSize: number;
  /** Most characters that a chunk repeats of the one before it in the same section; less than `chunkSize`. */
  readonly overlap: number;
  /** Language of the document (BCP 47), used to find the ends of sentences. */
  readonly language?: string | undefined;
}

/** A part of a document's text. */
export interface Chunk {
  /** From 0. */
  readonly index: number;
  /** Markdown, exactly as in the document's text, without white space at its ends. */
  readonly text: string;
  /** 1-based pages of its first and last character. */
  readonly pageStart: number;
  readonly pageEnd: number;
  /** Titles of the enclosing headings, outermost first; the chunk's own heading is the last. */
  readonly headingPath: readonly string[];
}

/**
 * However large the overlap is, a chunk's own text may take this part of its size, so that the chunks are never more
 * than a few times the text.
 */
const LEAST_NEW = 0.25;
/** A chunk ends with a block when that leaves it at least so full, else with a sentence or line. */
const FULL = 0.5;

/**
 * Splits passages into chunks. A chunk is within one section (a heading with its text). It ends at the end of a block,
 * otherwise at the end of a sentence or line, otherwise between words; a word is split only if it is longer than a
 * chunk. All text except white space is in a chunk, in order; the same passages always give the same chunks.
 */
export function* chunkText(passages: readonly Passage[], options: ChunkOptions): Generator<Chunk> {
  const path: { readonly level: number; readonly title: string }[] = [];
  let index = 0;
  for (const section of sectionsOf(passages)) {
    for (const { level, title } of section) {
      if (level === undefined) continue;
      while (path.length > 0 && path.at(-1)!.level >= level) path.pop();
      path.push({ level, title: title ?? '' });
    }
    const headingPath = path.map(({ title }) => title);
    for (const piece of cutSection(section, options)) yield { index: index++, ...piece, headingPath };
  }
}

/** A heading begins a section, unless it stands right below another one. */
function* sectionsOf(passages: readonly Passage[]): Generator<readonly Passage[]> {
  let section: Passage[] = [];
  for (const passage of passages) {
    if (passage.level !== undefined && section.length > 0 && section.at(-1)!.level === undefined) {
      yield section;
      section = [];
    }
    section.push(passage);
  }
  if (section.length > 0) yield section;
}

function* cutSection(
  section: readonly Passage[],
  { chunkSize, overlap, language }: ChunkOptions,
): Generator<Omit<Chunk, 'index' | 'headingPath'>> {
  const text = section.map((passage) => passage.text).join('\n\n');
  const borders = new TextBorders(text, section, language);
  const repeated = Math.min(overlap, Math.floor(chunkSize * (1 - LEAST_NEW)));
  let [start, fresh] = [0, 0];
  while (fresh < text.length) {
    const limit = start + chunkSize;
    const end =
      limit >= text.length
        ? text.length
        : (borders.lastBlock(fresh + FULL * (limit - fresh), limit) ??
          borders.lastSentence(fresh, limit) ??
          borders.lastWord(fresh, limit) ??
          borders.lastLetter(fresh, limit));
    const piece = pieceOf(text, start, end, borders);
    if (piece !== undefined) yield piece;
    fresh = end;
    // Never more than the chunk before: that one may be short.
    const least = Math.max(end - repeated, start + 1);
    start =
      repeated === 0 || end === text.length
        ? end
        : (borders.firstSentence(least, end) ?? borders.firstWord(least, end) ?? borders.firstLetter(least, end));
  }
}

function pieceOf(
  text: string,
  start: number,
  end: number,
  borders: TextBorders,
): Omit<Chunk, 'index' | 'headingPath'> | undefined {
  const raw = text.slice(start, end);
  const trimmed = raw.trim();
  if (trimmed === '') return undefined;
  const from = start + raw.indexOf(trimmed);
  const [pageStart, pageEnd] = borders.pages(from, from + trimmed.length - 1);
  return { text: trimmed, pageStart, pageEnd };
}
