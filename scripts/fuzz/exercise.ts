import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import { DocumentError } from '@quire/document';
import { eachPage } from '@quire/document/pages';
import { type LazyDocument, countPages, openLazily } from '@quire/document/reader';
import { appendBytes, rewriteBytes } from '@quire/document/writer';
import { errorTable } from '@quire/registry';

/** So many objects and pages of one input are looked at, and so many bytes decoded; a mutated file may speak of millions. */
const MAX_OBJECTS = 20_000;
const MAX_PAGES = 2000;
const MAX_DECODED = 64 * 1024 * 1024;

/**
 * Does with a file what operations do: counts and walks its pages, reads and decodes its objects, rewrites it, appends to it and reads
 * both results. Gives how far it came: the code of the refusal, or `read`. Throws whatever is no coded refusal, and what must not be.
 */
export function exercise(bytes: Uint8Array): string {
  try {
    const document = readAll(bytes);
    // What we wrote ourselves must be readable, and hold what was read.
    readBack('rewritten', attempt(() => rewriteBytes(document.context)));
    readBack('appended', attempt(() => appendSomething(document)));
    return 'read';
  } catch (error) {
    return codeOf(error);
  }
}

function readAll(bytes: Uint8Array): LazyDocument {
  const document = openLazily(bytes, { password: '' });
  countPages(document);
  let left = MAX_PAGES;
  for (const { dict } of eachPage(document.context)) if (dict === undefined || --left <= 0) break;
  let [objects, decoded] = [MAX_OBJECTS, 0];
  for (const ref of document.references()) {
    if (--objects <= 0) break;
    const object = attempt(() => document.lookup(ref));
    if (object instanceof PDFRawStream && decoded < MAX_DECODED) decoded += attempt(() => document.decode(object))?.length ?? 0;
  }
  return document;
}

function appendSomething(document: LazyDocument): Uint8Array {
  const { context } = document;
  const catalog = context.lookup(context.trailerInfo.Root);
  if (catalog instanceof PDFDict) catalog.set(PDFName.of('QuireFuzz'), context.register(context.obj({ Added: true })));
  return appendBytes(document, document.security === undefined ? {} : { cipher: document.security.cipher });
}

function readBack(what: string, bytes: Uint8Array | undefined): void {
  if (bytes === undefined) return;
  try {
    readAll(bytes);
  } catch (error) {
    if (!(error instanceof DocumentError) || error.code === 'PDF_DAMAGED') throw new Error(`what was ${what} cannot be read: ${String(error)}`, { cause: error });
  }
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
