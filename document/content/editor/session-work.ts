import { readFile, writeFile } from 'node:fs/promises';
import { DocumentError } from '../../errors.js';
import { guardDocument, type OpenedPdf, withPdf, writePdf } from '../../file/open/index.js';
import { documentTitle } from '../../structure/metadata/index.js';
import { applyPartial } from './apply-partial.js';
import type { BuildOptions } from './build-document.js';
import { DocumentTeller } from './export-document.js';
import type { JsonFont, JsonMetadata, PageDimension } from './model.js';
import { readJsonDocument } from './read-json.js';

/** First answer of an editing session (`docs/interface/convert.yml`, metadata). */
export interface SessionOverview {
  readonly metadata?: JsonMetadata;
  readonly xmpMetadata?: string;
  readonly lazyImages: true;
  readonly fonts?: readonly JsonFont[];
  readonly pageDimensions: readonly PageDimension[];
}

/** Writes what an editing session begins with into a new file. */
export function writeOverview(path: string, target: string): Promise<void> {
  return told(path, async (opened) => {
    const teller = new DocumentTeller(opened, { trees: false, pictures: false });
    teller.lookAtAll();
    const fonts = [...teller.fonts(false)];
    const members = Object.fromEntries([...teller.others()].filter(([, value]) => value !== undefined));
    const overview: SessionOverview = {
      ...members,
      lazyImages: true,
      ...(fonts.length === 0 ? {} : { fonts }),
      pageDimensions: teller.dimensions(),
    };
    await writeFile(target, JSON.stringify(overview), { flag: 'wx', mode: 0o600 });
  });
}

/**
 * Writes one page, by its number from 1, into a new file, images and trees of annotations included. Errors:
 * INPUT_INVALID naming `pageNumber`.
 */
export function writePage(path: string, pageNumber: number, target: string): Promise<void> {
  return told(path, async (opened) => {
    const index = indexOf(opened, pageNumber);
    await writeFile(
      target,
      JSON.stringify(await new DocumentTeller(opened, { trees: 'alone', pictures: true }).page(index)),
      { flag: 'wx', mode: 0o600 },
    );
  });
}

/** Writes the fonts of the texts of one page into a new file, programs included. Errors: as of `writePage`. */
export function writePageFonts(path: string, pageNumber: number, target: string): Promise<void> {
  return told(path, async (opened) => {
    const teller = new DocumentTeller(opened, { trees: 'alone', pictures: false });
    teller.look(indexOf(opened, pageNumber));
    await writeFile(target, JSON.stringify([...teller.fonts(true)]), { flag: 'wx', mode: 0o600 });
  });
}

/**
 * Writes a document with the pages of a JSON document (`applyPartial`) into a new file; none if there is nothing to do.
 * Returns the document's title. The file is rewritten completely, so that removed content is in no earlier revision.
 */
export async function writePartial(
  path: string,
  json: string,
  target: string,
  { modified, ...options }: { readonly modified: Date } & Pick<BuildOptions, 'signal' | 'ownFont'>,
): Promise<{ readonly changed: boolean; readonly title: string | undefined; readonly pages: number }> {
  const partial = readJsonDocument(await readFile(json));
  return told(path, async (opened) => {
    const changed = await applyPartial(opened, partial, options);
    if (changed) writePdf(opened, target, { mode: 'rewrite', modified });
    return { changed, title: documentTitle(opened.document.context), pages: opened.pages.length };
  });
}

function told<T>(path: string, work: (opened: OpenedPdf) => Promise<T>): Promise<T> {
  return withPdf({ path }, {}, (opened) => guardDocument('fileInput', () => work(opened)));
}

function indexOf({ pages }: OpenedPdf, pageNumber: number): number {
  if (pages[pageNumber - 1] !== undefined) return pageNumber - 1;
  const detail = `is ${pageNumber}; the document has pages 1 to ${pages.length}`;
  throw new DocumentError('INPUT_INVALID', { detail: `pageNumber ${detail}` }, [{ pointer: '/pageNumber', detail }]);
}
