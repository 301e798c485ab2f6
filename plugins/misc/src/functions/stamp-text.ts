import { asText, entry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { infoOf } from '@quire/document/structure/metadata';
import { formatDate } from './format-date.js';

/** Values for the placeholders of a stamp. */
export interface StampFacts {
  readonly now: Date;
  /** The document's file name. */
  readonly fileName: string;
  readonly pageCount: number;
  readonly author: string;
  readonly title: string;
  readonly subject: string;
  /** Returns 8 new hexadecimal characters at each call. */
  readonly uuid: () => string;
  /** IANA time zone; the server's own if absent. */
  readonly zone?: string;
}

/** Adds the document's title, author and subject (ISO 32000-1, 14.3.3); missing ones are empty. */
export function readStampFacts(
  { document: { context }, pages }: OpenedPdf,
  given: Pick<StampFacts, 'now' | 'fileName' | 'uuid' | 'zone'>,
): StampFacts {
  const info = infoOf(context);
  const said = (key: string): string => (info === undefined ? undefined : asText(context, entry(info, key))) ?? '';
  return { ...given, pageCount: pages.length, author: said('Author'), title: said('Title'), subject: said('Subject') };
}

/**
 * Tried in this order at each position (`docs/interface/misc.yml`, add-stamp), so that a longer name wins over its
 * prefix.
 */
const placeholder = new RegExp(
  [
    '@@',
    '@date\\{([^}]*)\\}',
    '@datetime',
    '@date',
    '@time',
    '@year',
    '@month',
    '@day',
    '@page_number',
    '@page_count',
    '@total_pages',
    '@page',
    '@filename_full',
    '@filename',
    '@author',
    '@title',
    '@subject',
    '@uuid',
  ].join('|'),
  'g',
);
/** Placeholders whose text differs by page. */
const perPage = /@page_number|@page(?!_count)|@uuid/;

/** True if the text may differ from page to page. */
export function differsByPage(template: string): boolean {
  return perPage.test(template.replaceAll('@@', ''));
}

/**
 * Returns the lines of a stamp for one page (1-based). Lines end at line breaks and at the two characters backslash and
 * n. Inserted values are not expanded again, so a title with an @ stays as it is.
 */
export function stampLines(template: string, facts: StampFacts, page: number): StampPiece[][] {
  return template.split(/\\n|\r\n?|\n/).map((line) => piecesOf(line, facts, page));
}

/** A piece of a line: written by the caller, or inserted for a placeholder. */
export interface StampPiece {
  readonly text: string;
  /** True if it came from the document or its name. */
  readonly filled: boolean;
}

function piecesOf(line: string, facts: StampFacts, page: number): StampPiece[] {
  const pieces: StampPiece[] = [];
  let at = 0;
  for (const match of line.matchAll(placeholder)) {
    pieces.push(
      { text: line.slice(at, match.index), filled: false },
      { text: valueOf(match[0], match[1], facts, page), filled: true },
    );
    at = match.index + match[0].length;
  }
  pieces.push({ text: line.slice(at), filled: false });
  return pieces.filter(({ text }) => text !== '');
}

function valueOf(name: string, pattern: string | undefined, facts: StampFacts, page: number): string {
  const date = (wanted: string): string => formatDate(facts.now, wanted, facts.zone) ?? '[invalid format]';
  if (pattern !== undefined) return date(pattern);
  switch (name) {
    case '@@':
      return '@';
    case '@datetime':
      return date('yyyy-MM-dd HH:mm:ss');
    case '@date':
      return date('yyyy-MM-dd');
    case '@time':
      return date('HH:mm:ss');
    case '@year':
      return date('yyyy');
    case '@month':
      return date('MM');
    case '@day':
      return date('dd');
    case '@page_number':
    case '@page':
      return String(page);
    case '@page_count':
    case '@total_pages':
      return String(facts.pageCount);
    case '@filename_full':
      return facts.fileName;
    case '@filename':
      return withoutExtension(facts.fileName);
    case '@author':
      return facts.author;
    case '@title':
      return facts.title;
    case '@subject':
      return facts.subject;
    default:
      return facts.uuid();
  }
}

/** Cuts at the last dot, unless that is the first or the last character (`docs/interface/general.yml`, file names). */
export function withoutExtension(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 && dot < name.length - 1 ? name.slice(0, dot) : name;
}
