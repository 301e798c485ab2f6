import { asName, entry, resolve, setEntry } from '@quire/document/file/objects';
import { guardDocument, type OpenedPdf, withPdf, writePdf } from '@quire/document/file/open';
import { walkPages } from '@quire/document/structure/pages';
import { extractToFile, SplitSource } from '@quire/document/structure/split';
import { InputError } from '@quire/registry/errors';
import { PDFArray, type PDFContext, PDFDict, PDFRef } from 'pdf-lib';
import { cutPages, type Section } from './pages/cut-pages.js';
import { type Grid, sectionCount } from './pages/section-grid.js';

/** Maximum number of pages in the results of one call. */
const MAX_SECTIONS = 50_000;

export interface SectionOptions extends Grid {
  /**
   * Receives the page count and returns the 0-based indexes of the pages to cut; an error that it throws stops the
   * work.
   */
  readonly choose: (pageCount: number) => ReadonlySet<number>;
  readonly modified?: Date;
}

/**
 * Cuts pages of a document into sections and writes one file to `target`, with the sections in place of their pages.
 * Throws the errors of `openPdf` and of `choose`, INPUT_TOO_COMPLEX for more than MAX_SECTIONS sections.
 */
export async function cutDocument(source: string, target: string, options: SectionOptions): Promise<void> {
  await withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', () => {
      cut(opened, options);
      writePdf(opened, target, options.modified === undefined ? {} : { modified: options.modified });
    }),
  );
}

/**
 * Writes one file for each section and each uncut page, at `targetOf(n)`; calls `onPart` for each in order, and an
 * error that it throws stops the work.
 */
export async function splitBySections(
  source: string,
  targetOf: (n: number) => string,
  options: SectionOptions,
  onPart: (path: string, section: Section, n: number, parts: number) => void | Promise<void>,
): Promise<void> {
  await withPdf({ path: source }, {}, async (opened) => {
    const { sections, split, owners } = await guardDocument('fileInput', () => {
      const made = cut(opened, options);
      const { context } = opened.document;
      const whole = new SplitSource({ ...opened, pages: walkPages(context) });
      return { sections: made, split: whole, owners: contentOwners(context, whole) };
    });
    const firsts = new Map(sections.filter(({ section }) => section === 1).map(({ page, ref }) => [page, ref]));
    for (const [i, section] of sections.entries()) {
      const path = targetOf(i + 1);
      // The tags refer to the first section, which is not in this part; here the content belongs to this section.
      for (const owner of owners.get(firsts.get(section.page) ?? section.ref) ?? []) setEntry(owner, 'Pg', section.ref);
      await guardDocument('fileInput', () =>
        extractToFile(split, [i], path, options.modified === undefined ? {} : { modified: options.modified }),
      );
      await onPart(path, section, i + 1, sections.length);
    }
  });
}

function cut(opened: OpenedPdf, { choose, columns, rows }: SectionOptions): Section[] {
  const count = opened.pages.length;
  const chosen = choose(count);
  const found = sectionCount(count, chosen.size, { columns, rows });
  if (found > MAX_SECTIONS) throw new InputError('INPUT_TOO_COMPLEX', { resource: 'sections', limit: MAX_SECTIONS });
  return cutPages(opened, chosen, { columns, rows });
}

/** By page, the elements and marked content references whose content is on it (ISO 32000-1, 14.7.4.2). */
function contentOwners(context: PDFContext, { structure }: SplitSource): Map<PDFRef, PDFDict[]> {
  const owners = new Map<PDFRef, PDFDict[]>();
  const note = (dict: PDFDict): void => {
    const page = entry(dict, 'Pg');
    if (!(page instanceof PDFRef)) return;
    const known = owners.get(page);
    if (known === undefined) owners.set(page, [dict]);
    else known.push(dict);
  };
  for (const element of structure.elements.keys()) {
    note(element);
    const value = resolve(context, entry(element, 'K'));
    for (const kid of value instanceof PDFArray ? value.asArray() : [value]) {
      const item = resolve(context, kid);
      if (item instanceof PDFDict && asName(context, entry(item, 'Type')) === 'MCR') note(item);
    }
  }
  return owners;
}
