import { comparable, type MarkedContent, type TextRun, type TextUnit } from '@quire/document/content';
import type { TextEdit } from './text-edits.js';

/** A piece of the page's text while it is edited: the text of a glyph, a gap between glyphs, or inserted text. */
export interface Piece {
  readonly text: string;
  readonly kind: 'glyph' | 'gap' | 'inserted';
  /** The index of the glyph, or of the one next to inserted text; -1 for a gap. */
  readonly run: number;
  readonly glyph: number;
  /** For inserted text: true if it follows that glyph, which stays; otherwise it replaces the glyph. */
  readonly after?: boolean | undefined;
  readonly actual?: MarkedContent | undefined;
  /** True for a glyph whose text is already in the piece before it. */
  readonly carried?: boolean | undefined;
}

/** A removed glyph, and the text inserted in its place. */
export interface Removal {
  readonly run: number;
  readonly glyph: number;
  readonly flow: number;
}

/** The text of a page after some edits. */
export interface EditedText {
  readonly pieces: readonly Piece[];
  readonly removed: readonly Removal[];
  /** Number of replacements. */
  readonly count: number;
}

const WORD = /[A-Za-z0-9_]/;
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** The pieces of an unedited text. */
function piecesOf(units: readonly TextUnit[]): Piece[] {
  return units.map(({ text, run, glyph, actual, carried }) =>
    run === undefined || glyph === undefined
      ? { text, kind: 'gap', run: -1, glyph: -1 }
      : { text, kind: 'glyph', run, glyph, actual, carried },
  );
}

/** Applies the edits in order, each on the result of the ones before it. */
export function replacePieces(
  units: readonly TextUnit[],
  runs: readonly TextRun[],
  edits: readonly TextEdit[],
  wholeWord: boolean,
): EditedText {
  let joined = units.map(({ text, run }) => (run === undefined ? ' ' : text)).join('');
  // Later edits may match text that earlier ones inserted, but the first match must be in the page's own text.
  if (!edits.some(({ find }) => occurrences(joined, find, wholeWord).length > 0))
    return { pieces: [], removed: [], count: 0 };
  let pieces: readonly Piece[] = piecesOf(units);
  const removed: Removal[] = [];
  let count = 0;
  for (const edit of edits) {
    const hits = occurrences(joined, edit.find, wholeWord);
    if (hits.length === 0) continue;
    const replaced = replaceAll(pieces, runs, hits, comparable(edit.replace));
    if (replaced.count === 0) continue;
    ({ pieces } = replaced);
    for (const one of replaced.removed) removed.push(one);
    count += replaced.count;
    joined = joinedText(pieces);
  }
  return { pieces, removed, count };
}

/** The whole text as it is searched: a line end counts as a space. */
export function joinedText(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (piece.kind === 'gap' ? ' ' : piece.text)).join('');
}

/** Matches of a text, from left to right, without overlaps. Words in right-to-left scripts are in painting order. */
export function occurrences(
  text: string,
  find: string,
  wholeWord: boolean,
): { readonly start: number; readonly end: number }[] {
  const wanted = comparable(find);
  const forms = rightToLeft.test(wanted) ? [...new Set([wanted, [...wanted].reverse().join('')])] : [wanted];
  const hits: { readonly start: number; readonly end: number }[] = [];
  for (let at = 0; at < text.length;) {
    const next = forms
      .map((form) => ({ start: text.indexOf(form, at), length: form.length }))
      .filter(({ start }) => start >= 0)
      .sort((a, b) => a.start - b.start)[0];
    if (next === undefined) break;
    const end = next.start + next.length;
    const whole = !wholeWord || (!WORD.test(text[next.start - 1] ?? '') && !WORD.test(text[end] ?? ''));
    if (whole) hits.push({ start: next.start, end });
    at = whole ? end : next.start + 1;
  }
  return hits;
}

function replaceAll(
  pieces: readonly Piece[],
  runs: readonly TextRun[],
  hits: readonly { readonly start: number; readonly end: number }[],
  put: string,
): EditedText {
  const out: Piece[] = [];
  const removed: Removal[] = [];
  let count = 0;
  let hit = 0;
  let offset = 0;
  for (let i = 0; i < pieces.length; i++) {
    const piece = pieces[i]!;
    const next = hits[hit];
    const end = offset + piece.text.length;
    if (next === undefined || piece.text === '' || end <= next.start) {
      out.push(piece);
      offset = end;
      continue;
    }
    // All pieces that a group of matches touches; a ligature may end one match and begin the next.
    let last = i;
    let stretchEnd = end;
    const touched = [next];
    for (;;) {
      const current = touched.at(-1)!;
      while (stretchEnd < current.end) stretchEnd += pieces[++last]!.text.length;
      const following = hits[hit + touched.length];
      if (following === undefined || following.start >= stretchEnd) break;
      touched.push(following);
    }
    while (pieces[last + 1]?.carried === true) last++;
    hit += touched.length;
    const stretch = pieces.slice(i, last + 1);
    const edited = replaceStretch(stretch, runs, textAfter(stretch, offset, touched, put));
    for (const one of edited.pieces) out.push(one);
    for (const one of edited.removed) removed.push(one);
    count += edited.count * touched.length;
    offset = stretchEnd;
    i = last;
  }
  return { pieces: out, removed, count };
}

/** The text of a stretch with the matches in it replaced. */
function textAfter(
  stretch: readonly Piece[],
  offset: number,
  hits: readonly { readonly start: number; readonly end: number }[],
  put: string,
): string {
  const before = joinedText(stretch);
  let text = '';
  let at = 0;
  for (const { start, end } of hits) {
    text += before.slice(at, Math.max(at, start - offset)) + put;
    at = end - offset;
  }
  return text + before.slice(at);
}

/** Replaces a stretch; equal text at its two ends keeps its glyphs if the font has the rest. */
function replaceStretch(stretch: readonly Piece[], runs: readonly TextRun[], text: string): EditedText {
  // Spaces that nothing paints cannot be removed.
  if (!stretch.some(({ kind }) => kind !== 'gap')) return { pieces: stretch, removed: [], count: 0 };
  const [front, back] = sameEnds(stretch, runs, text);
  const middle = stretch.slice(front, stretch.length - back);
  const head = joinedText(stretch.slice(0, front));
  const tail = joinedText(stretch.slice(stretch.length - back));
  const put = text.slice(head.length, text.length - tail.length);
  const anchor = anchorOf(stretch, front, back);
  const flow = runs[anchor.run]?.flow ?? -1;
  const removed = middle.filter(({ kind }) => kind === 'glyph').map(({ run, glyph }) => ({ run, glyph, flow }));
  const inserted: Piece[] =
    put === ''
      ? []
      : [
          {
            text: put,
            kind: 'inserted',
            run: anchor.run,
            glyph: anchor.glyph,
            after: anchor.after,
            actual: anchor.actual,
          },
        ];
  return {
    pieces: [...stretch.slice(0, front), ...inserted, ...stretch.slice(stretch.length - back)],
    removed,
    count: 1,
  };
}

/**
 * How many pieces may stay at the front and at the back: all that are equal, or whole words if the font lacks a
 * character of the rest.
 */
function sameEnds(stretch: readonly Piece[], runs: readonly TextRun[], text: string): [number, number] {
  let front = 0;
  let at = 0;
  while (front < stretch.length && text.startsWith(shown(stretch[front]!), at)) at += shown(stretch[front++]!).length;
  let back = 0;
  let end = text.length;
  while (
    back < stretch.length - front &&
    stretch[stretch.length - 1 - back]!.carried !== true &&
    end - shown(stretch[stretch.length - 1 - back]!).length >= at &&
    text.slice(0, end).endsWith(shown(stretch[stretch.length - 1 - back]!))
  )
    end -= shown(stretch[stretch.length - 1 - back++]!).length;
  if (rightToLeft.test(text) || !isTight(stretch, front, back)) return [0, 0];
  const put = text.slice(at, end);
  const { font } = runs[anchorOf(stretch, front, back).run] ?? {};
  if (put.trim() === '' || put.split(' ').every((word) => font?.encode(word) !== undefined)) return [front, back];
  while (front > 0 && shown(stretch[front - 1]!).trim() !== '') front--;
  while (back > 0 && shown(stretch[stretch.length - back]!).trim() !== '') back--;
  return isTight(stretch, front, back) ? [front, back] : [0, 0];
}

/** False if a gap next to a glyph that stays would have to be removed or changed. */
function isTight(stretch: readonly Piece[], front: number, back: number): boolean {
  return stretch[front]?.kind !== 'gap' && stretch[stretch.length - 1 - back]?.kind !== 'gap';
}

/** Where inserted text belongs: in place of the first removed piece, or after the last one that stays. */
function anchorOf(stretch: readonly Piece[], front: number, back: number): Piece {
  const first = stretch.slice(front, stretch.length - back).find(({ kind }) => kind !== 'gap');
  if (first !== undefined) return first;
  const before = stretch.slice(0, front).findLast(({ kind }) => kind !== 'gap');
  if (before !== undefined) return before.kind === 'glyph' ? { ...before, after: true } : before;
  return stretch.find(({ kind }) => kind !== 'gap')!;
}

function shown({ kind, text }: Piece): string {
  return kind === 'gap' ? ' ' : text;
}
