import {
  actualTextOf,
  besideContent,
  ContentEditor,
  ContentReader,
  dropUnusedXObjects,
  type Insertion,
  readPageText,
  rewriteShow,
  type TextRun,
  writeActualText,
} from '@quire/document/content';
import { inOurFont, inOwnFont } from '@quire/document/content/editor';
import { TextFont } from '@quire/document/fonts';
import { setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { editTagTexts } from './edit-tag-texts.js';
import { type EditedText, joinedText, type Piece, replacePieces } from './replace-pieces.js';
import type { TextEdit } from './text-edits.js';

export interface EditTextOptions {
  readonly edits: readonly TextEdit[];
  readonly wholeWord: boolean;
  /** Returns the 0-based indexes of the pages to edit for a page count. */
  readonly choose: (pageCount: number) => readonly number[];
  readonly onPage?: (done: number, total: number) => void;
  /** Absolute path of a TrueType font that is used first for text that its own font cannot show. */
  readonly ownFont?: string | undefined;
}

/**
 * Replaces text in place (`docs/interface/general.yml`, edit-text): each edit applies to the joined text of each page
 * as earlier edits left it. The new text uses the font of the text that it replaces if that has the glyphs, otherwise
 * an embedded font, at the same position, size and colour. The rest of the line moves along; nothing else does. Returns
 * the number of replacements. Throws INPUT_INVALID for characters that no font has, INPUT_TOO_COMPLEX beyond the limits
 * of `ContentReader`.
 */
export async function editText(
  { document, pages }: OpenedPdf,
  { edits, wholeWord, choose, onPage, ownFont }: EditTextOptions,
): Promise<number> {
  const reader = new ContentReader(document.context);
  const editor = new ContentEditor(reader);
  const chosen = choose(pages.length);
  let fallback: TextFont | undefined;
  let count = 0;
  const seen = new Set<unknown>();
  for (const [done, index] of chosen.entries()) {
    const page = pages[index];
    // A page that occurs twice in the page tree is edited once.
    if (page === undefined || seen.has(page.dict)) continue;
    seen.add(page.dict);
    const { frame, runs, units } = readPageText(reader, page);
    const edited = replacePieces(units, runs, edits, wholeWord);
    if (edited.count > 0) {
      const insertions = await insertionsOf(edited, runs, () => (fallback ??= new TextFont(document, ownFont)));
      rewriteRuns(runs, edited, insertions);
      rewriteActualTexts(edited, runs);
      count += edited.count;
      // The thumbnail and private data of programs contain the old text.
      for (const key of ['Thumb', 'PieceInfo']) setEntry(page.dict, key, undefined);
    }
    editor.commit(page, frame);
    onPage?.(done + 1, chosen.length);
  }
  if (count > 0) {
    const beside = besideContent(document.context, pages);
    editor.finish(pages, () => beside);
    dropUnusedXObjects(document.context, pages, beside);
  }
  fallback?.embed();
  editTagTexts(document.context, new Set(chosen.map((index) => pages[index]?.ref)), edits, wholeWord);
  return count;
}

async function insertionsOf(
  { pieces }: EditedText,
  runs: readonly TextRun[],
  fallback: () => TextFont,
): Promise<Map<Piece, Insertion>> {
  const insertions = new Map<Piece, Insertion>();
  for (const piece of pieces) {
    const run = piece.kind === 'inserted' ? runs[piece.run] : undefined;
    if (run !== undefined)
      insertions.set(piece, inOwnFont(piece.text, run) ?? (await inOurFont(piece.text, run, fallback(), 'edits')));
  }
  return insertions;
}

function rewriteRuns(
  runs: readonly TextRun[],
  { removed }: EditedText,
  insertions: ReadonlyMap<Piece, Insertion>,
): void {
  const changes = new Map<
    number,
    {
      readonly removed: Map<number, 'close' | 'hold'>;
      readonly before: Map<number, Insertion[]>;
      readonly after: Map<number, Insertion[]>;
    }
  >();
  const changeOf = (run: number) => {
    const known = changes.get(run) ?? { removed: new Map(), before: new Map(), after: new Map() };
    changes.set(run, known);
    return known;
  };
  for (const { run, glyph, flow } of removed)
    changeOf(run).removed.set(glyph, runs[run]?.flow === flow ? 'close' : 'hold');
  for (const [piece, insertion] of insertions) {
    const places = changeOf(piece.run)[piece.after === true ? 'after' : 'before'];
    places.set(piece.glyph, [...(places.get(piece.glyph) ?? []), insertion]);
  }
  let flow = -1;
  let moved = 0;
  const nothing = {
    removed: new Map<number, 'close' | 'hold'>(),
    before: new Map<number, Insertion[]>(),
    after: new Map<number, Insertion[]>(),
  };
  for (const [index, run] of runs.entries()) {
    if (run.flow !== flow) moved = 0;
    ({ flow } = run);
    const change = changes.get(index);
    if (change === undefined && Math.abs(moved) < 1e-6) continue;
    // Runs of a line may differ in scale, so distances between them are measured on the page.
    const scale = run.font.vertical
      ? Math.hypot(run.matrix[2], run.matrix[3])
      : Math.hypot(run.matrix[0], run.matrix[1]);
    const written = rewriteShow(run, change ?? nothing, scale === 0 ? 0 : moved / scale);
    moved = written.moved * scale;
    if (change !== undefined || written.content !== '') run.frame.replace(run.operator, written.content);
  }
}

/** Updates /ActualText of marked content to its new text. */
function rewriteActualTexts({ pieces, removed }: EditedText, runs: readonly TextRun[]): void {
  const touched = new Set(removed.map(({ run }) => actualTextOf(runs[run]?.marked)?.marked));
  for (const { kind, actual } of pieces) if (kind === 'inserted' && actual !== undefined) touched.add(actual);
  for (const marked of touched)
    if (marked !== undefined) writeActualText(marked, joinedText(pieces.filter(({ actual }) => actual === marked)));
}
