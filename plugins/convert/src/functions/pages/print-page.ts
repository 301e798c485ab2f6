import { readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { posix } from 'node:path';
import { InputError } from '@quire/registry/errors';
import { decodeHtml } from '../clean-html.js';
import { cleanPage, filesBeside } from './clean-page.js';
import { MissingResources } from './missing-resources.js';
import { finishPrint } from '@quire/document/engines/printing';
import { type PageFolder, unpackPage } from './page-folder.js';

export interface PrintTools {
  /** An empty private folder. */
  readonly folder: string;
  readonly now: Date;
  readonly signal: AbortSignal;
  /** Called with warnings for users about what is not printed. */
  readonly warn?: (sentence: string) => void;
  /** Prints the HTML file at `page` to `output`. */
  print(page: string, output: string): Promise<void>;
}

export interface PageSource {
  readonly path: string;
  readonly isZip: boolean;
}

/** A browser would need minutes for a page with more markup. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

/**
 * Prints an HTML file, or the page of a zip, to a PDF and gives its path. `trusted` leaves out the cleaning
 * (`system.disableSanitize`): the browser runs no scripts and fetches nothing all the same. Errors: PAGE_MISSING,
 * ARCHIVE_UNSAFE, INPUT_TOO_COMPLEX, and those of `print`.
 */
export async function printHtml(source: PageSource, trusted: boolean, tools: PrintTools): Promise<string> {
  const place = await unpackPage(source, `${tools.folder}/page`, ['html', 'htm', 'xhtml'], tools.signal);
  const html = decodeHtml(await readPage(place));
  const missing = new MissingResources(place.folder);
  const cleaned = cleanPage(html, missing.watch(filesBeside(place.page)));
  const clean = trusted
    ? { html: `\uFEFF${html}`, title: /<title\b[^>]{0,200}>([^<]{1,1000})</i.exec(html)?.[1]?.trim() }
    : cleaned;
  if (missing.warning !== undefined) tools.warn?.(missing.warning);
  return printClean(clean.html, clean.title === undefined ? undefined : plainText(clean.title), place, tools, !trusted);
}

/** The bytes of the page. Rejects with INPUT_TOO_COMPLEX for one that is too long. */
export async function readPage({ folder, page }: PageFolder): Promise<Uint8Array> {
  const path = `${folder}/${page}`;
  if ((await stat(path)).size > MAX_PAGE_BYTES)
    throw new InputError('INPUT_TOO_COMPLEX', {
      field: 'fileInput',
      resource: 'text on the page',
      limit: `${MAX_PAGE_BYTES / 1024 / 1024} MiB`,
    });
  return readFile(path);
}

/** Prints a cleaned page in place of the one that was sent, so that it finds its files. */
export async function printClean(
  html: string,
  title: string | undefined,
  { folder, page }: PageFolder,
  { folder: work, now, signal, print }: PrintTools,
  cleaned = true,
): Promise<string> {
  // At the root, so that all files can be reached, under a name that is read as HTML and that nothing else has; one
  // that was not cleaned must stay where it was.
  const beside = `${folder}/${cleaned ? '.' : posix.dirname(page)}`;
  const taken = new Set(await readdir(beside));
  let name = 'page.html';
  while (taken.has(name)) name = `_${name}`;
  const path = `${beside}/${name}`;
  await writeFile(path, html, { flag: 'wx', mode: 0o600 });
  signal.throwIfAborted();
  await print(path, `${work}/printed.pdf`);
  await finishPrint(`${work}/printed.pdf`, `${work}/document.pdf`, { title, modified: now });
  return `${work}/document.pdf`;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** The text of cleaned HTML. */
export function plainText(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|#39);/g, (_whole, name: string) => entities[name] ?? '')
    .replace(/\s+/g, ' ')
    .trim();
}
