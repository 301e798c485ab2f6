import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { eachPage } from '@quire/document/structure/pages';
import { type LazyDocument, countPages, openLazily } from '@quire/document/file/reader';
import { appendBytes, rewriteBytes } from '@quire/document/file/writer';
import { loadSeeds } from './seeds.js';
import { codeOf, type FuzzTarget } from './target.js';

/** At most this many objects, pages and decoded bytes per input; a mutated file may claim millions. */
const MAX_OBJECTS = 20_000;
const MAX_PAGES = 2000;
const MAX_DECODED = 64 * 1024 * 1024;
const ADDED = PDFName.of('QuireFuzz');

/** PDFs. */
export const document: FuzzTarget = {
  extension: 'pdf',
  seeds: (corpus) => Promise.resolve(loadSeeds(corpus)),
  exercise,
};

/**
 * Treats a file as operations do: counts and walks its pages, reads and decodes its objects, rewrites it, appends to it
 * and reads both results. Returns `read`, or the code of the error. Throws every error without a code, and when a
 * result is wrong.
 */
function exercise(bytes: Uint8Array): string {
  try {
    const { document, pages } = readAll(bytes);
    readBack(
      'rewritten',
      pages,
      attempt(() => rewriteBytes(document.context)),
    );
    // Like save-pdf.ts: a file whose objects are not where it says is only rewritten.
    const appended = document.recovered
      ? undefined
      : readBack(
          'appended',
          pages,
          attempt(() => appendSomething(document)),
        );
    if (appended !== undefined && !hasAddition(appended)) throw new Error('the appended file lost what was added');
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

/** A file that we wrote must be readable and have as many pages as its input. */
function readBack(what: string, pages: number, bytes: Uint8Array | undefined): LazyDocument | undefined {
  if (bytes === undefined || pages === 0) return undefined;
  const found = attempt(() => readAll(bytes));
  if (found?.pages !== pages)
    throw new Error(
      `the ${what} file ${found === undefined ? 'is unreadable' : `has ${found.pages} pages`}, but should have ` +
        `${pages} pages`,
    );
  return found.document;
}

/** Returns the result, or undefined for an error with a code, so that the next step still runs. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    codeOf(error);
    return undefined;
  }
}
