import { InputError } from '@quire/registry/errors';

/** A document of a book, in its own place among the files. */
export interface BookDocument {
  /** Within the book, with `/` between folders. Made up where the format has no files. */
  readonly path: string;
  /** HTML or XHTML. */
  readonly markup: string;
  /** Size of its page in CSS pixels, where the book lays its pages out itself (EPUB 3.3, 8.2). */
  readonly page?: { readonly width: number; readonly height: number };
}

/** A line of a book's table of contents. */
export interface BookEntry {
  readonly title: string;
  /** Path of a document, and an id in it behind `#`; absent for a heading that leads nowhere. */
  readonly target?: string;
  readonly children: readonly BookEntry[];
}

/** A book as its reader is to see it, whichever format it came in. */
export interface Book {
  readonly title: string;
  readonly authors: readonly string[];
  /** A language tag (BCP 47). */
  readonly language?: string;
  /** True for books whose pages are turned to the right. */
  readonly rightToLeft: boolean;
  /** In reading order. */
  readonly documents: readonly BookDocument[];
  readonly entries: readonly BookEntry[];
  /** Path of the document that is the book's own table of contents. */
  readonly contents?: string;
  /** Path of the picture on the cover. */
  readonly cover?: string;
  /** Files that pages may show: path within the book to path within the folder `root` of this book. */
  readonly files: ReadonlyMap<string, string>;
  /** Text of a style sheet, undefined when the book has none of this path. */
  readonly styleSheet: (path: string) => string | undefined;
}

/** Larger files are refused as not being books. */
export const bookLimits = { documents: 5000, markup: 40 * 1024 * 1024, entries: 20_000, depth: 12 } as const;

/** The refusal of a book. */
export function refuseBook(detail: string, cause?: unknown): InputError {
  return new InputError('BOOK_UNREADABLE', { field: 'fileInput', detail }, [{ pointer: '/fileInput', detail }], {
    cause,
  });
}

/** The refusal of a book that only programs of its seller can open. */
export function refuseProtected(detail: string): InputError {
  return new InputError('BOOK_PROTECTED', { field: 'fileInput', detail }, [{ pointer: '/fileInput', detail }]);
}

/**
 * Returns the path within the book that a reference points to, with its fragment (without `#`); undefined for other
 * schemes, servers and paths that lead out of the book.
 */
export function resolveIn(
  from: string,
  reference: string,
): { readonly path: string; readonly fragment: string } | undefined {
  const trimmed = reference.trim();
  if (/^[a-z][a-z0-9+.-]*:|^\/\/|^[/\\]|[\\\u0000-\u001f]/i.test(trimmed)) return undefined;
  const [place = '', fragment = ''] = splitAt(trimmed, '#');
  const [plain = ''] = splitAt(place, '?');
  if (plain === '') return { path: from, fragment: decode(fragment) };
  const parts = from.split('/').slice(0, -1);
  for (const part of decode(plain).split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined;
    } else if (part !== '.' && part !== '') parts.push(part);
  }
  return { path: parts.join('/'), fragment: decode(fragment) };
}

/** The address of a file beside the page, for attributes and style. */
export function addressOf(path: string): string {
  return path
    .split('/')
    .map((part) =>
      encodeURIComponent(part).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`),
    )
    .join('/');
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
