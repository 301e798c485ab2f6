import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { compressFile } from '@quire/document/file/compression';
import type { Book } from './book.js';
import { composeBook } from './compose-book.js';
import { finishBook, placesOf } from './finish-book.js';

/** The formats that are read here; word processing documents go another way. */
export type BookKind = 'epub' | 'mobi' | 'fb2' | 'txt';

/** How a book is printed. */
export interface BookOptions {
  /** Puts a table of contents with page numbers in front. */
  readonly contents: boolean;
  readonly pageNumbers: boolean;
}

export interface BookTools {
  /** An empty private folder. */
  readonly folder: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  readonly progress: (done: number, total: number) => void;
  print(page: string, output: string, pageNumbers: boolean): Promise<void>;
}

/** The folder of the book's files, beside the page. */
const FILES = 'files';
/** Screen readers for books need no more than 150 dpi. */
const EBOOK_LEVEL = 5;

/** Prints a book; gives the path of the PDF. Errors: those of its reader, of `print` and of `editFile`. */
export async function bookToPdf(
  source: { readonly path: string; readonly name: string; readonly kind: BookKind },
  options: BookOptions,
  tools: BookTools,
): Promise<string> {
  const { folder, now, signal, progress } = tools;
  await mkdir(`${folder}/book/${FILES}`, { recursive: true, mode: 0o700 });
  const steps = options.contents ? 4 : 3;
  const book = await readBook(source, `${folder}/book/${FILES}`, signal);
  const composed = composeBook(book, { contents: options.contents, files: FILES, signal });
  progress(1, steps);
  const page = `${folder}/book/page.html`;
  const print = async (html: string, output: string): Promise<string> => {
    await writeFile(page, html, { mode: 0o600 });
    await tools.print(page, output, options.pageNumbers);
    signal.throwIfAborted();
    return output;
  };
  let printed = await print(composed.html(), `${folder}/printed.pdf`);
  progress(2, steps);
  if (options.contents && composed.entries.length > 0) {
    // The numbers fill placeholders of the same size, so the pages stay the same.
    const places = await placesOf(printed);
    printed = await print(
      composed.html((id) => places.get(id)),
      `${folder}/with-contents.pdf`,
    );
    progress(3, steps);
  }
  const target = `${folder}/book.pdf`;
  await finishBook(printed, target, book, composed.entries, now);
  return target;
}

/** Makes a PDF smaller for e-readers: scales images down and compresses streams. Throws the codes of `compressFile`. */
export async function shrinkForReaders(source: string, target: string): Promise<void> {
  await compressFile(source, target, { level: EBOOK_LEVEL, linearize: false, normalize: false, grayscale: false });
}

async function readBook(
  { path, name, kind }: { readonly path: string; readonly name: string; readonly kind: BookKind },
  folder: string,
  signal: AbortSignal,
): Promise<Book> {
  switch (kind) {
    case 'epub':
      return (await import('./read-epub.js')).readEpub(path, folder, signal);
    case 'mobi':
      return (await import('./read-mobi.js')).readMobi(await readFile(path), folder, signal);
    case 'fb2':
      return (await import('./read-fb2.js')).readFb2(await readFile(path), folder);
    case 'txt':
      return (await import('./read-text.js')).readText(await readFile(path), name);
  }
}
