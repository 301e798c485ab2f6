import type { Link, Run } from '../model.js';
import type { PlacedLink, Ruling, Word } from '../page-content.js';
import { isParted, type Line } from './line.js';
import type { WordList } from './word-list.js';

export interface RunContext {
  readonly words: WordList;
  readonly linkAt: (word: Word) => Link | undefined;
  readonly lineUnder: (word: Word) => 'under' | 'through' | undefined;
  /** The id of the footnote of this mark. */
  readonly footnote: (mark: string) => string | undefined;
}

const CJK_END = /[\u2e80-\u2fdf\u3000-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uff65]$/u;
const CJK_START = /^[\u2e80-\u2fdf\u3000-\u30ff\u31f0-\u9fff\uf900-\ufaff\uff00-\uff65]/u;
const HYPHEN_END = /[\p{L}\p{N}][-\u2010]$/u;
/** Longest text that may be the mark of a footnote. */
const MARK = /^\[?(?:\d{1,3}|[*\u2020\u2021\u00a7\u00b6]{1,3}|[a-z])\]?$/u;

/**
 * Converts lines to runs: lines joined by spaces (or line feeds if they are kept), hyphenated words joined. `skip`
 * words at the beginning are left out (markers).
 */
export function runsOf(
  lines: readonly Line[],
  context: RunContext,
  options: { readonly skip?: number; readonly keepsLines?: boolean } = {},
): Run[] {
  const runs: Mutable[] = [];
  let before: Word | undefined;
  let lineBefore: Line | undefined;
  let skip = options.skip ?? 0;
  for (const line of lines) {
    for (const word of line.words) {
      if (skip-- > 0) continue;
      const run = lookOf(word, line, context);
      let gap = '';
      if (before !== undefined)
        gap =
          lineBefore === line
            ? isParted(before, word)
              ? ' '
              : ''
            : betweenLines(before, word, runs, context.words, options.keepsLines === true);
      // A hyphen in the middle of a line divides nothing.
      if (before?.divided === true && lineBefore === line) runs.at(-1)!.text += '-';
      put(runs, run, gap, word.text);
      before = word;
      lineBefore = line;
    }
  }
  if (before?.divided === true && runs.length > 0) runs.at(-1)!.text += '-';
  return runs;
}

type Mutable = { -readonly [K in keyof Run]: Run[K] };

function put(runs: Mutable[], run: Mutable, gap: string, text: string): void {
  const last = runs.at(-1);
  if (last === undefined) {
    runs.push({ ...run, text });
    return;
  }
  if (sameLook(last, run)) {
    last.text += gap + text;
    return;
  }
  // A blank between two looks goes to the plainer one.
  const toLast = gap === '' || weight(last) <= weight(run);
  if (toLast) last.text += gap;
  runs.push({ ...run, text: (toLast ? '' : gap) + text });
}

function weight({ bold, italic, underline, strike, link, position, monospace }: Run): number {
  return (
    Number(bold) +
    Number(italic) +
    Number(underline) +
    Number(strike) +
    Number(monospace) +
    (link === undefined ? 0 : 4) +
    (position === 'normal' ? 0 : 4)
  );
}

/** True for runs that differ only in their text. */
export function sameLook(a: Run, b: Run): boolean {
  return (
    a.bold === b.bold &&
    a.italic === b.italic &&
    a.monospace === b.monospace &&
    a.underline === b.underline &&
    a.strike === b.strike &&
    a.position === b.position &&
    a.size === b.size &&
    a.family === b.family &&
    a.colour === b.colour &&
    a.footnote === b.footnote &&
    sameLink(a.link, b.link)
  );
}

function sameLink(a: Link | undefined, b: Link | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return 'uri' in a ? 'uri' in b && a.uri === b.uri : 'page' in b && a.page === b.page;
}

function lookOf(word: Word, line: Line, context: RunContext): Mutable {
  const { style } = word;
  const small = style.size < 0.92 * line.size;
  const lift = (line.baseline - word.baseline) / (line.size || 1);
  const position = small && lift > 0.12 ? 'superscript' : small && lift < -0.04 ? 'subscript' : 'normal';
  const drawn = context.lineUnder(word);
  const mark =
    position === 'superscript' && MARK.test(word.text) ? context.footnote(word.text.replace(/[[\]]/g, '')) : undefined;
  return {
    text: '',
    bold: style.bold,
    italic: style.italic,
    monospace: style.monospace,
    underline: drawn === 'under',
    strike: drawn === 'through',
    position,
    size: style.size,
    family: style.family,
    colour: style.colour,
    link: context.linkAt(word),
    footnote: mark,
  };
}

/**
 * Returns the separator between the last word of a line and the first of the next; a hyphen of a divided word is
 * dropped.
 */
function betweenLines(before: Word, after: Word, runs: Mutable[], words: WordList, keeps: boolean): string {
  const last = runs.at(-1);
  if (last === undefined) return '';
  if (keeps) {
    if (before.divided) last.text += '-';
    return '\n';
  }
  const printed = HYPHEN_END.test(last.text);
  if (before.divided || printed) {
    const text = printed && !before.divided ? last.text.slice(0, -1) : last.text;
    const how = words.divided(text, after.text);
    if (how === 'joined') last.text = text;
    else if (before.divided) last.text += '-';
    return how === 'apart' ? ' ' : '';
  }
  return CJK_END.test(last.text) && CJK_START.test(after.text) ? '' : ' ';
}

/** Finds links by the centre of words. Areas are sorted into rows, so that thousands of links on a page stay fast. */
export function linkFinder(links: readonly PlacedLink[]): (word: Word) => Link | undefined {
  if (links.length === 0) return () => undefined;
  const ROW = 24;
  const rows = new Map<number, PlacedLink[]>();
  for (const link of links) {
    for (
      let row = Math.floor(link.box.top / ROW);
      row <= Math.min(Math.floor(link.box.bottom / ROW), Math.floor(link.box.top / ROW) + 200);
      row++
    ) {
      const list = rows.get(row);
      if (list === undefined) rows.set(row, [link]);
      else if (list.length < 500) list.push(link);
    }
  }
  return ({ box }) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return rows
      .get(Math.floor(y / ROW))
      ?.find((one) => x >= one.box.left && x <= one.box.right && y >= one.box.top && y <= one.box.bottom)?.link;
  };
}

/** Finds thin lines right below words, or through them, that do not reach far beyond the text. */
export function underlineFinder(rulings: readonly Ruling[]): (word: Word) => 'under' | 'through' | undefined {
  const level = rulings
    .filter(({ direction, thickness }) => direction === 'horizontal' && thickness <= 2.5)
    .sort((a, b) => a.at - b.at);
  if (level.length === 0) return () => undefined;
  return ({ box, baseline, style: { size }, angle }) => {
    if (angle !== 0) return undefined;
    let [low, high] = [0, level.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (level[middle]!.at < baseline - 0.45 * size) low = middle + 1;
      else high = middle;
    }
    for (let i = low, seen = 0; i < level.length && level[i]!.at <= baseline + 0.3 * size && seen < 200; i++, seen++) {
      const { at, from, to, thickness } = level[i]!;
      const covered = Math.min(to, box.right) - Math.max(from, box.left);
      if (covered < 0.85 * (box.right - box.left) || thickness > 0.14 * size) continue;
      const lift = (baseline - at) / (size || 1);
      if (lift > 0.18 && lift < 0.42) return 'through';
      if (lift <= 0.03 && lift >= -0.28) return 'under';
    }
    return undefined;
  };
}
