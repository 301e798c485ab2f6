import { type PDFArray, type PDFContext, PDFDict } from 'pdf-lib';
import { asArray, asNumber, asText, elements, entry, resolve } from '../../file/objects/index.js';
import type { OpenedPdf } from '../../file/open/index.js';
import type { PageEntry } from '../pages/index.js';
import { isoDate } from '../metadata/dates.js';
import { type Annotation, readAnnotations } from './annotations.js';

/** A comment of a reader (ISO 32000-1, 12.5.6.2: a markup annotation). */
export interface ListedComment {
  /** 0-based. */
  readonly pageIndex: number;
  /** `Text` (a sticky note), `Highlight`, `FreeText` and so on. */
  readonly type: string;
  readonly text: string;
  readonly author: string | null;
  readonly subject: string | null;
  /** ISO 8601. */
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
  /** The rectangle in default user space. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Index in the list of the comment that it answers. */
  readonly replyTo: number | null;
}

export interface CommentList {
  readonly comments: readonly ListedComment[];
  /** There are more comments, or longer texts, than are listed. */
  readonly cut: boolean;
}

/** ISO 32000-2, table 171, those that readers write: without links, widgets, pop-ups, media and marks of printers. */
const COMMENTS: ReadonlySet<string> = new Set([
  'Text',
  'FreeText',
  'Line',
  'Square',
  'Circle',
  'Polygon',
  'PolyLine',
  'Highlight',
  'Underline',
  'Squiggly',
  'StrikeOut',
  'Stamp',
  'Caret',
  'Ink',
  'FileAttachment',
  'Sound',
  'Redact',
]);
const MAX_COMMENTS = 10_000;
/** Characters of all texts together: many annotations may refer to one long text. */
const MAX_TEXT = 20_000_000;

type Found = Omit<ListedComment, 'replyTo'> & { readonly dict: PDFDict };

/** Lists the comments of all pages in their order. */
export function listComments({ document: { context }, pages }: OpenedPdf): CommentList {
  const { found, cut } = findComments(context, pages);
  const indexes = new Map(found.map(({ dict }, i) => [dict, i]));
  const comments = found.map(({ dict, ...comment }): ListedComment => {
    const parent = resolve(context, entry(dict, 'IRT'));
    const replyTo = parent instanceof PDFDict && parent !== dict ? indexes.get(parent) : undefined;
    return { ...comment, replyTo: replyTo ?? null };
  });
  return { comments, cut };
}

function findComments(
  context: PDFContext,
  pages: readonly PageEntry[],
): { readonly found: readonly Found[]; readonly cut: boolean } {
  const found: Found[] = [];
  // Thousands of pages may have one list.
  const lists = new Map<PDFArray, readonly Annotation[]>();
  let room = MAX_TEXT;
  for (const [pageIndex, { dict: page }] of pages.entries()) {
    const list = asArray(context, entry(page, 'Annots'));
    if (list === undefined) continue;
    const onPage = lists.get(list) ?? readAnnotations(context, page).filter(({ kind }) => COMMENTS.has(kind));
    lists.set(list, onPage);
    for (const { dict, kind } of onPage) {
      const facts = factsOf(context, dict);
      room -= facts.text.length + (facts.author?.length ?? 0) + (facts.subject?.length ?? 0);
      if (found.length === MAX_COMMENTS || room < 0) return { found, cut: true };
      found.push({ pageIndex, type: kind, ...facts, dict });
    }
  }
  return { found, cut: false };
}

function factsOf(context: PDFContext, dict: PDFDict): Omit<ListedComment, 'pageIndex' | 'type' | 'replyTo'> {
  const text = (key: string): string | undefined => asText(context, entry(dict, key));
  const [a = 0, b = 0, c = 0, d = 0] = elements(context, entry(dict, 'Rect')).map(
    (number) => asNumber(context, number) ?? 0,
  );
  return {
    text: text('Contents') ?? '',
    author: text('T') ?? null,
    subject: text('Subj') ?? null,
    creationDate: isoDate(text('CreationDate')) ?? null,
    modificationDate: isoDate(text('M')) ?? null,
    x: Math.min(a, c),
    y: Math.min(b, d),
    width: Math.abs(c - a),
    height: Math.abs(d - b),
  };
}
