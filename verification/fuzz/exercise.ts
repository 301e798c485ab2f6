import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { DocumentError } from '@quire/document';
import { eachPage } from '@quire/document/structure/pages';
import { type LazyDocument, countPages, openLazily } from '@quire/document/file/reader';
import { appendBytes, rewriteBytes } from '@quire/document/file/writer';
import { errorTable } from '@quire/registry';

/**
 * So many objects and pages of one input are looked at, and so many bytes decoded; a mutated file may speak of
 * millions.
 */
const MAX_OBJECTS = 20_000;
const MAX_PAGES = 2000;
const MAX_DECODED = 64 * 1024 * 1024;
const ADDED = PDFName.of('QuireFuzz');

/**
 * Does with a file what operations do: counts and walks its pages, reads and decodes its objects, rewrites it, appends
 * to it and reads both results. Gives how far it came: the code of the refusal, or `read`. Throws whatever is no coded
 * refusal, and what must not be.
 */
export function exercise(bytes: Uint8Array): string {
  try {
    const { document, pages } = readAll(bytes);
    readBack(
      'rewritten',
      pages,
      attempt(() => rewriteBytes(document.context)),
    );
    const appended = readBack(
      'appended',
      pages,
      attempt(() => appendSomething(document)),
    );
    if (appended !== undefined && !hasAddition(appended)) throw new Error('what was appended has lost what was added');
    return 'read';
  } catch (error) {
    return codeOf(error);
  }
}

function readAll(bytes: Uint8Array): { readonly document: LazyDocument; readonly pages: number } {
  const document = openLazily(bytes, { password: '' });
  const pages = countPages(document);
  let left = MAX_PAGES;
  for (const { dict } of eachPage(document.context)) if (dict === undefined || --left <= 0) break;
  let [objects, decoded] = [MAX_OBJECTS, 0];
  for (const ref of document.references()) {
    if (--objects <= 0) break;
    const object = attempt(() => document.lookup(ref));
    if (object instanceof PDFRawStream && decoded < MAX_DECODED)
      decoded += attempt(() => document.decode(object))?.length ?? 0;
  }
  return { document, pages };
}

function appendSomething(document: LazyDocument): Uint8Array {
  const { context } = document;
  const catalog = context.lookup(context.trailerInfo.Root);
  if (catalog instanceof PDFDict) catalog.set(ADDED, context.register(context.obj({ Added: true })));
  return appendBytes(document);
}

function hasAddition({ context }: LazyDocument): boolean {
  const catalog = context.lookup(context.trailerInfo.Root);
  return catalog instanceof PDFDict && catalog.lookup(ADDED) instanceof PDFDict;
}

/** What we wrote ourselves must be readable, and have the pages of what was read. */
function readBack(what: string, pages: number, bytes: Uint8Array | undefined): LazyDocument | undefined {
  if (bytes === undefined || pages === 0) return undefined;
  const found = attempt(() => readAll(bytes));
  if (found?.pages !== pages)
    throw new Error(
      `what was ${what} has ${found === undefined ? 'become unreadable' : `${found.pages} pages`}, not ${pages}`,
    );
  return found.document;
}

/** Gives what some work gives, or undefined when it was refused: the next thing can be tried all the same. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    codeOf(error);
    return undefined;
  }
}

/** The code of a refusal of the table; anything else is thrown on. */
function codeOf(error: unknown): string {
  if (error instanceof DocumentError && error.code in errorTable) return error.code;
  throw error;
}
