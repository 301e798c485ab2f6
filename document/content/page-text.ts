import type { PDFRawStream } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import type { PageEntry } from '../structure/pages/index.js';
import type { ContentReader } from './content-reader.js';
import type { ContentVisitor, PaintedText, ShownText } from './events.js';
import type { Frame } from './frame.js';
import { gapText, isBlank, LINE_GAP, onLine } from './gaps.js';
import { applyTo, inverse } from './geometry.js';
import { actualTextOf, withActualText } from './actual-text.js';
import type { Matrix } from './operands.js';
import { comparable, type TextUnit } from './text-unit.js';
import { MAX_GLYPHS, placeGlyphs } from './walk/text-walk.js';

/** Text of one show operator. */
export interface TextRun extends PaintedText {
  /**
   * Runs of one flow follow each other in a line, each beginning about where the one before it stopped: nearer than
   * columns are.
   */
  readonly flow: number;
  /**
   * False for a run that begins at the pen of the one before it; else it was placed by itself, and stays where it is
   * when that one changes.
   */
  readonly placed: boolean;
}

/** A page's text in the order in which it is painted. */
export interface PageText {
  readonly frame: Frame;
  /** Its source. */
  readonly shown: ShownPage;
  readonly runs: readonly TextRun[];
  /**
   * Glyphs, and between them a blank for a gap in a line and a line feed where a line ends, where no white space is
   * painted.
   */
  readonly units: readonly TextUnit[];
  /** The same as the glyphs spell it, whatever /ActualText says; `units` itself where nothing says anything else. */
  readonly painted: readonly TextUnit[];
}

/** Operators that place the next text by themselves. */
const PLACING = new Set(['BT', 'ET', 'Td', 'TD', 'Tm', 'T*', "'", '"', 'Do']);
/** A gap of at least this part of the font size is one between columns. */
export const COLUMN_GAP = 1;

/** A show operator among others. */
export interface ShownRun extends ShownText, Pick<TextRun, 'flow' | 'placed'> {}

/** Content of a page in painting order, before glyphs are positioned: most pages need no more. */
export interface ShownPage {
  readonly frame: Frame;
  readonly runs: readonly ShownRun[];
}

/**
 * Reads the text of a page and of the forms it draws. Errors: those of `ContentReader.page`, INPUT_TOO_COMPLEX beyond
 * half a million glyphs on one page.
 */
export function readPageText(reader: ContentReader, page: PageEntry): PageText {
  return placePage(showPage(reader, page));
}

/** The first half of `readPageText`: what a page shows. Errors: the same. */
export function showPage(reader: ContentReader, page: PageEntry): ShownPage {
  return show((visitor) => reader.page(page, visitor));
}

/** The same of a form by itself, a tile or a soft mask, in its own space moved by its /Matrix. Errors: the same. */
export function showForm(reader: ContentReader, stream: PDFRawStream): ShownPage {
  return show((visitor) => reader.stream(stream, undefined, visitor));
}

/** The second half: places the glyphs. */
export function placePage(shown: ShownPage): PageText {
  const runs = shown.runs.map((run): TextRun => {
    const { frame, operator, state, marked, font, matrix, line, moved, flow, placed } = run;
    return { frame, operator, state, marked, font, glyphs: placeGlyphs(run), matrix, line, moved, flow, placed };
  });
  const painted = unitsOf(runs);
  return {
    frame: shown.frame,
    shown,
    runs,
    units: painted.some(({ actual }) => actual !== undefined) ? withActualText(painted) : painted,
    painted,
  };
}

function show(walk: (visitor: ContentVisitor) => Frame): ShownPage {
  const runs: ShownRun[] = [];
  let flow = 0;
  let placed = true;
  let glyphs = 0;
  const frame = walk({
    operator: ({ operator }) => {
      if (PLACING.has(operator.name)) placed = true;
    },
    show: (shown) => {
      glyphs += shown.count;
      if (glyphs > MAX_GLYPHS)
        throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'characters of one page', limit: MAX_GLYPHS });
      const last = runs.at(-1);
      if (last?.frame !== shown.frame || (placed && !goesOn(last, shown))) flow++;
      const { frame, operator, state, marked, font, parts, count, matrix, line, moved } = shown;
      runs.push({
        frame,
        operator,
        state,
        marked,
        font,
        parts,
        count,
        matrix,
        line,
        moved,
        flow,
        placed: placed || last?.frame !== frame,
      });
      placed = false;
    },
  });
  return { frame, runs };
}

function unitsOf(runs: readonly TextRun[]): TextUnit[] {
  const units: TextUnit[] = [];
  let pen: readonly [number, number] | undefined;
  let blank = true;
  for (const [run, painted] of runs.entries()) {
    const { matrix, glyphs, font } = painted;
    const actual = actualTextOf(painted.marked)?.marked;
    const back = inverse(matrix);
    // Of a font of negative size the pen moves the other way.
    const size = painted.state.text.size * painted.state.text.scale * font.em || 1;
    // Pen position in this run; character spacing is not a gap: a spaced-out word stays one word.
    let at: number | undefined;
    for (const [glyph, shown] of glyphs.entries()) {
      if (at !== shown.at && pen !== undefined && !blank && back !== undefined && !isBlank(shown.text)) {
        const from = at === undefined ? pen : onLine(painted, at);
        const gap = gapText(back, from, onLine(painted, shown.at), size, font.vertical);
        if (gap !== '') units.push({ text: gap });
      }
      units.push(
        actual === undefined
          ? { text: comparable(shown.text), run, glyph }
          : { text: comparable(shown.text), run, glyph, actual },
      );
      at = shown.at + shown.advance;
      pen ??= onLine(painted, at);
      if (shown.text !== '') blank = isBlank(shown.text);
    }
    if (at !== undefined) pen = onLine(painted, at);
  }
  return units;
}

/** True when a run that was placed by itself goes on in the line of the one before it. */
function goesOn(last: ShownText, next: ShownText): boolean {
  const size = next.state.text.size * next.state.text.scale * next.font.em;
  const back = inverse(next.matrix);
  if (
    back === undefined ||
    size === 0 ||
    last.font.vertical !== next.font.vertical ||
    !sameDirection(last.matrix, next.matrix)
  )
    return false;
  const [x, y] = last.font.vertical ? applyTo(last.matrix, 0, last.moved) : applyTo(last.matrix, last.moved, 0);
  const [px, py] = applyTo(back, x, y);
  const [along, across] = next.font.vertical ? [py / size, -px / size] : [-px / size, -py / size];
  return Math.abs(across) < LINE_GAP && along > -LINE_GAP && along < COLUMN_GAP;
}

function sameDirection([a, b]: Matrix, [c, d]: Matrix): boolean {
  return Math.abs(a * d - b * c) < 1e-3 * Math.hypot(a, b) * Math.hypot(c, d) && a * c + b * d > 0;
}
