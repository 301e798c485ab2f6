import { guardDocument, type OpenedPdf, withPdf } from '@quire/document/file/open';
import { extractToFile, SplitSource } from '@quire/document/structure/split';
import { InputError } from '@quire/registry/errors';
import { type PlacedBookmark, placedBookmarks } from './bookmarks.js';

/** Maximum number of parts, and of pages in all parts together: unordered bookmarks produce overlapping parts. */
const MAX_PARTS = 10_000;
const MAX_PAGES = 200_000;

/** The pages of one part. */
export interface Chapter {
  readonly title: string;
  /** 0-based indexes of its first and last page. */
  readonly first: number;
  readonly last: number;
}

export interface ChapterOptions {
  /** Number of levels below the top that count as chapters. */
  readonly bookmarkLevel: number;
  /** Keeps bookmarks that start on the same page as the next one, as parts of that single page. */
  readonly allowDuplicates: boolean;
  /** Copies title, author and other metadata of the document into each part. */
  readonly includeMetadata: boolean;
  readonly modified?: Date;
  /**
   * Called after each part with its path, its name, its number from 1 and the number of parts; an error that it throws
   * stops the split.
   */
  readonly onPart: (path: string, name: string, n: number, parts: number) => void | Promise<void>;
}

/**
 * Splits a document at its bookmarks, one file each at `targetOf(n)` (`docs/interface/general.yml`,
 * split-pdf-by-chapters). A part contains nothing of any page that is not in it. Throws the errors of `openPdf`;
 * PDF_NO_BOOKMARKS if no bookmark leads to a page; INPUT_TOO_COMPLEX for too many parts.
 */
export async function splitByChapters(
  source: string,
  targetOf: (n: number) => string,
  options: ChapterOptions,
): Promise<void> {
  await withPdf({ path: source }, {}, async (opened) => {
    const chapters = await guardDocument('fileInput', () => chaptersOf(opened, options));
    const names = partNames(chapters);
    const split = await guardDocument('fileInput', () => new SplitSource(opened));
    const extract = {
      withoutInformation: !options.includeMetadata,
      ...(options.modified === undefined ? {} : { modified: options.modified }),
    };
    for (const [i, { first, last }] of chapters.entries()) {
      const path = targetOf(i + 1);
      const indexes = Array.from({ length: last - first + 1 }, (_unused, at) => first + at);
      await guardDocument('fileInput', () => extractToFile(split, indexes, path, extract));
      await options.onPart(path, names[i] ?? '', i + 1, chapters.length);
    }
  });
}

function chaptersOf(opened: OpenedPdf, { bookmarkLevel, allowDuplicates }: ChapterOptions): Chapter[] {
  const chapters = planChapters(placedBookmarks(opened), opened.pages.length, bookmarkLevel, allowDuplicates);
  if (chapters.length === 0) throw new InputError('PDF_NO_BOOKMARKS', { field: 'fileInput' });
  if (chapters.length > MAX_PARTS) throw new InputError('INPUT_TOO_COMPLEX', { resource: 'parts', limit: MAX_PARTS });
  if (chapters.reduce((sum, { first, last }) => sum + last - first + 1, 0) > MAX_PAGES)
    throw new InputError('INPUT_TOO_COMPLEX', { resource: 'pages in its parts', limit: MAX_PAGES });
  return chapters;
}

/**
 * Returns the parts for bookmarks, depth first. A bookmark without a page is skipped together with its children. A part
 * ends before the next bookmark that starts on its page or a later one. Without `allowDuplicates`, a bookmark that
 * starts on the same page as the next one is merged into that one, titles included.
 */
export function planChapters(
  bookmarks: readonly PlacedBookmark[],
  pageCount: number,
  level: number,
  allowDuplicates: boolean,
): Chapter[] {
  const starts: { title: string; readonly first: number }[] = [];
  const collect = (list: readonly PlacedBookmark[], depth: number): void => {
    for (const { title, page, children } of list) {
      if (page === undefined) continue;
      starts.push({ title, first: page });
      if (depth < level) collect(children, depth + 1);
    }
  };
  collect(bookmarks, 0);
  const next = nextNotBefore(starts.map(({ first }) => first));
  return starts.flatMap((start, i): Chapter[] => {
    const { title, first } = start;
    const after = next[i] === undefined ? undefined : starts[next[i]];
    if (!allowDuplicates && after?.first === first) {
      after.title = cutTitle(`${title} ${after.title}`);
      return [];
    }
    return [{ title, first, last: after === undefined ? pageCount - 1 : Math.max(first, after.first - 1) }];
  });
}

/** Returns, for each number, the index of the first later one that is not smaller. */
function nextNotBefore(numbers: readonly number[]): (number | undefined)[] {
  const found: (number | undefined)[] = numbers.map(() => undefined);
  const open: number[] = [];
  for (let i = numbers.length - 1; i >= 0; i--) {
    for (let top = open.at(-1); top !== undefined && (numbers[top] ?? 0) < (numbers[i] ?? 0); top = open.at(-1))
      open.pop();
    found[i] = open.at(-1);
    open.push(i);
  }
  return found;
}

/** Merged titles are limited to 253 characters plus an ellipsis, never splitting a surrogate pair. */
function cutTitle(title: string): string {
  return title.length > 255 ? `${title.slice(0, 253).replace(/\p{Surrogate}$/u, '')}...` : title;
}

/** Names of the parts without extension: the number from 0, padded with zeros, and the title without slashes. */
export function partNames(chapters: readonly Chapter[]): string[] {
  const digits = String(chapters.length).length;
  return chapters.map(({ title }, i) => `${String(i).padStart(digits, '0')} ${title.replace(/[/\\]/g, '')}`);
}
