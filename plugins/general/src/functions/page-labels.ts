import { setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { decimalLabels, type PageLabel, readPageLabels, writePageLabels } from '@quire/document/structure/pages';
import { InputError } from '@quire/registry/errors';
import { type LabelRange, type LabelStyle, labelStyles } from './label-data.js';

const styleNames = new Map(Object.entries(labelStyles).map(([name, letter]) => [letter, name as LabelStyle]));

/** Returns the page labels of a document as ranges; empty if it has none. An unknown style counts as none. */
export function labelRanges({ document: { context }, pages }: OpenedPdf): LabelRange[] {
  const labels = readPageLabels(context, pages.length) ?? [];
  return labels.flatMap(({ style, prefix, number }, page) =>
    continues(labels[page - 1], labels[page]!)
      ? []
      : [{ pageNumber: page + 1, style: styleNames.get(style as 'D') ?? 'none', prefix, start: number }],
  );
}

function continues(before: PageLabel | undefined, label: PageLabel): boolean {
  return before?.style === label.style && before?.prefix === label.prefix && before.number + 1 === label.number;
}

/**
 * Replaces the page labels of a document, in place; without ranges it has none. Pages before the first range are
 * numbered 1, 2, 3. Throws INPUT_INVALID for a range that begins after the last page.
 */
export function replaceLabels({ document: { context, catalog }, pages }: OpenedPdf, ranges: readonly LabelRange[]) {
  const beyond = ranges.find(({ pageNumber }) => pageNumber > pages.length);
  if (beyond !== undefined) {
    const detail = `has a range that begins at page ${beyond.pageNumber}; the document has ${pages.length} pages`;
    throw new InputError('INPUT_INVALID', { detail: `"labels" ${detail}` }, [{ pointer: '/labels', detail }]);
  }
  const labels = decimalLabels(pages.length);
  ranges.forEach(({ pageNumber, style, prefix, start }, i) => {
    const end = ranges[i + 1]?.pageNumber ?? pages.length + 1;
    for (let page = pageNumber; page < end; page++)
      labels[page - 1] = { style: labelStyles[style], prefix, number: start + page - pageNumber };
  });
  setEntry(catalog, 'PageLabels', ranges.length === 0 ? undefined : writePageLabels(context, labels));
}
