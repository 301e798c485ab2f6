import { PDFDict, PDFHexString, PDFName, PDFNumber, type PDFObject, type PDFRef, PDFString } from 'pdf-lib';
import { type Area, type Matrix, after, boundsAfter, pageFrame, turned } from '../../content/drawing/index.js';
import { arrayOf, dictOf, elements, entry, setEntry } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import { type PageEntry, userUnit } from '../pages/index.js';
import { AnnotationTags } from './tag-annotations.js';
import type { PdfInput } from '../../file/source/index.js';
import { type TextLine, pageLines, readPdf } from '../../content/text/index.js';

/** A requested sticky note (`docs/interface/misc.yml`, add-comments). The rectangle is in default user space. */
export interface Comment {
  /** 0-based. */
  readonly pageIndex: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly text?: string | null;
  readonly author?: string | null;
  readonly subject?: string | null;
  /** Places the note at the first line of the page that contains this text, ignoring case and punctuation. */
  readonly anchorText?: string | null;
}

/** A comment with the line that it is anchored to, if one was found. */
export interface AnchoredComment extends Comment {
  readonly line?: Pick<TextLine, 'left' | 'bottom' | 'right' | 'top'>;
  /**
   * Overrides the rectangle or the corner of the line: `before` the line, where it covers no text, or in the right-hand
   * `margin` of the page, from the top. `nth` (from 0) separates notes at the same place.
   */
  readonly place?:
    | {
        readonly at: 'before';
        readonly nth: number;
        /** The whole line, if `line` is a part of it. */ readonly whole?: AnchoredComment['line'];
      }
    | { readonly at: 'margin'; readonly nth: number };
}

/** Values that are the same for all comments. */
export interface CommentMarks {
  readonly now: Date;
  /** Returns a new unique name for each annotation. */
  readonly uuid: () => string;
}

const MAX_TEXT = 100_000;
const ICON = 20;
/** In points: distance between notes, and from notes to text or the page edge. */
const GAP = 4;
const COLOUR = [1, 0.95, 0.4] as const;
const OPACITY = 0.9;
const AUTHOR = 'Quire';
const SUBJECT = 'Comment';
/** Print, NoZoom and NoRotate: the standard behaviour of text annotations (ISO 32000-1, tables 165 and 172). */
const FLAGS = 4 + 8 + 16;
const POPUP = { width: 180, height: 100 } as const;

/** A speech bubble in a square of 20 units. */
const bubble =
  '4 19 m 16 19 l 17.66 19 19 17.66 19 16 c 19 9 l 19 7.34 17.66 6 16 6 c 9.5 6 l ' +
  '5 1.2 l 5 6 l 4 6 l 2.34 6 1 7.34 1 9 c 1 16 l 1 17.66 2.34 19 4 19 c b\n' +
  '4.5 15.5 m 15.5 15.5 l 4.5 12.5 m 15.5 12.5 l 4.5 9.5 m 11 9.5 l S';

/**
 * Reads the text of the pages with anchored comments, and returns the comments with their lines. Throws the errors of
 * `readPdf`.
 */
export async function anchorComments(
  input: PdfInput,
  comments: readonly Comment[],
  signal?: AbortSignal,
): Promise<AnchoredComment[]> {
  if (!comments.some(({ anchorText }) => letters(anchorText ?? '') !== '')) return [...comments];
  return readPdf(input, (document) => {
    const pages = new Map<number, readonly (TextLine & { readonly letters: string })[]>();
    const count = document.reachablePages();
    return comments.map((comment) => {
      signal?.throwIfAborted();
      const { pageIndex, anchorText } = comment;
      const wanted = letters(anchorText ?? '');
      if (wanted === '' || pageIndex < 0 || pageIndex >= count) return comment;
      const lines =
        pages.get(pageIndex) ??
        pageLines(document, pageIndex).map((line) => ({ ...line, letters: letters(line.text) }));
      pages.set(pageIndex, lines);
      const line = lines.find((one) => one.letters.includes(wanted));
      return line === undefined ? comment : { ...comment, line };
    });
  });
}

/**
 * Adds text annotations (ISO 32000-1, 12.5.6.4) with pop-ups, in place. Each has its own appearance, so that all
 * viewers show the same note. Comments with blank or too long text, without a size, or for a missing page are skipped.
 * Returns the number of added comments.
 */
export function addComments(opened: OpenedPdf, comments: readonly AnchoredComment[], marks: CommentMarks): number {
  const {
    document: { context },
    pages,
  } = opened;
  const icons = new Map<string, PDFRef>();
  const annotations = new Map<PDFDict, PDFObject[]>();
  const tags = new AnnotationTags(context);
  let added = 0;
  for (const comment of comments) {
    const page = pages[comment.pageIndex];
    const text = comment.text ?? '';
    if (page === undefined || text.trim() === '' || text.length > MAX_TEXT) continue;
    const rect = placeOf(opened, page, comment);
    const [x, y, width, height] = rect;
    if (!(width > 0 && height > 0)) continue;
    const [note, popup] = [context.nextRef(), context.nextRef()];
    const key = `${width} ${height}`;
    const icon = icons.get(key) ?? iconForm(opened, width, height);
    icons.set(key, icon);
    const date = PDFString.fromDate(marks.now);
    context.assign(
      note,
      dictOf(context, {
        Type: PDFName.of('Annot'),
        Subtype: PDFName.of('Text'),
        Rect: numbers(opened, [x, y, x + width, y + height]),
        P: page.ref,
        F: PDFNumber.of(FLAGS),
        Contents: PDFHexString.fromText(text),
        T: PDFHexString.fromText(orDefault(comment.author, AUTHOR)),
        Subj: PDFHexString.fromText(orDefault(comment.subject, SUBJECT)),
        Name: PDFName.of('Comment'),
        C: numbers(opened, COLOUR),
        CA: PDFNumber.of(OPACITY),
        CreationDate: date,
        M: date,
        NM: PDFString.of(marks.uuid()),
        Open: context.obj(false),
        Popup: popup,
        AP: dictOf(context, { N: icon }),
      }),
    );
    context.assign(
      popup,
      dictOf(context, {
        Type: PDFName.of('Annot'),
        Subtype: PDFName.of('Popup'),
        Rect: numbers(opened, [x + width, y + height - POPUP.height, x + width + POPUP.width, y + height]),
        P: page.ref,
        F: PDFNumber.of(FLAGS),
        Parent: note,
        Open: context.obj(false),
      }),
    );
    const list = annotations.get(page.dict) ?? [...elements(context, entry(page.dict, 'Annots'))];
    annotations.set(page.dict, list);
    list.push(note, popup);
    tags.tag(note, page, 'Annot');
    added++;
  }
  for (const [page, list] of annotations) setEntry(page, 'Annots', arrayOf(context, list));
  return added;
}

/**
 * Returns left, bottom, width and height of a note. Beside text it has the default size. The upper left corner is
 * determined as the reader sees the page, also on a rotated page.
 */
function placeOf(
  { document: { context } }: OpenedPdf,
  page: PageEntry,
  { line, place, x, y, width, height }: AnchoredComment,
): readonly [number, number, number, number] {
  if (line === undefined && place?.at !== 'margin') return [x, y, width, height];
  const size = ICON / userUnit(context, page);
  const { matrix, shown } = pageFrame(context, page);
  const seen = (box: NonNullable<AnchoredComment['line']>): Area =>
    boundsAfter(
      { left: box.left, bottom: box.bottom, width: box.right - box.left, height: box.top - box.bottom },
      inverse(matrix),
    );
  const whole = place?.at === 'before' ? (place.whole ?? line) : line;
  const [left, top] =
    line === undefined || whole === undefined || place?.at === 'margin'
      ? inMargin(shown, place?.nth ?? 0)
      : besideLine({ ...seen(line), left: seen(whole).left }, shown, place?.nth);
  const [, , , , cornerX, cornerY] = after(turned(0, left, top), matrix);
  return [cornerX, cornerY - size, size, size];
}

/**
 * Returns the upper left corner of a line, or with `nth` of a note before it; notes that do not fit beside each other
 * continue below.
 */
function besideLine(line: Area, page: Area, nth: number | undefined): readonly [number, number] {
  const top = line.bottom + line.height;
  if (nth === undefined) return [line.left, top];
  const room = Math.max(1, Math.floor((line.left - page.left) / (ICON + GAP)));
  return [
    Math.max(page.left, line.left - (1 + (nth % room)) * (ICON + GAP)),
    top - Math.floor(nth / room) * (ICON + GAP),
  ];
}

/** Returns the upper left corner of a note in the right-hand margin; the next column is to the left of a full one. */
function inMargin({ left, bottom, width, height }: Area, nth: number): readonly [number, number] {
  const column = Math.max(1, Math.floor((height - GAP) / (ICON + GAP)));
  return [
    Math.max(left, left + width - (1 + Math.floor(nth / column)) * (ICON + GAP)),
    bottom + height - GAP - (nth % column) * (ICON + GAP),
  ];
}

/**
 * Creates the icon at the upper left of a rectangle, like viewers draw it: in default size, or smaller to fit the
 * rectangle.
 */
function iconForm({ document: { context } }: OpenedPdf, width: number, height: number): PDFRef {
  const scale = Math.min(1, width / ICON, height / ICON);
  const state = context.obj({ Type: 'ExtGState', ca: OPACITY, CA: OPACITY });
  const content =
    `/G gs ${COLOUR.join(' ')} rg 0.45 0.4 0.1 RG 0.9 w 1 j ${rounded(scale)} 0 0 ${rounded(scale)} 0 ` +
    `${rounded(height - ICON * scale)} cm\n${bubble}`;
  return context.register(
    context.stream(content, {
      Type: 'XObject',
      Subtype: 'Form',
      BBox: [0, 0, rounded(width), rounded(height)],
      Resources: PDFDict.fromMapWithContext(
        new Map([[PDFName.of('ExtGState'), dictOf(context, { G: state })]]),
        context,
      ),
    }),
  );
}

/**
 * Returns only letters and digits, in lower case and normalized, so that line breaks, hyphens and character width are
 * ignored.
 */
function letters(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function orDefault(text: string | null | undefined, usual: string): string {
  return text === undefined || text === null || text.trim() === '' ? usual : text;
}

function numbers({ document: { context } }: OpenedPdf, values: readonly number[]): PDFObject {
  return arrayOf(
    context,
    values.map((value) => PDFNumber.of(rounded(value))),
  );
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function inverse([a, b, c, d, e, f]: Matrix): Matrix {
  const determinant = a * d - b * c;
  return [
    d / determinant,
    -b / determinant,
    -c / determinant,
    a / determinant,
    (c * f - d * e) / determinant,
    (b * e - a * f) / determinant,
  ];
}
