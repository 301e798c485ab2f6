import { type PDFContext, PDFHexString, PDFName, PDFNumber, type PDFRef } from 'pdf-lib';
import {
  asDict,
  asName,
  asNumber,
  asText,
  catalogOf,
  dictOf,
  entry,
  readNumberTree,
  writeNumberTree,
} from '../../file/objects/index.js';

/**
 * The label of one page (ISO 32000-1, 12.4.2): numbering style (D, R, r, A, a or none), prefix, and the page's number
 * within its range.
 */
export interface PageLabel {
  readonly style: string | undefined;
  readonly prefix: string;
  readonly number: number;
}

/**
 * Returns the label of every page, or undefined if the document has none. Pages before the first range are numbered in
 * decimal.
 */
export function readPageLabels(context: PDFContext, pageCount: number): PageLabel[] | undefined {
  const catalog = catalogOf(context);
  const root = catalog === undefined ? undefined : entry(catalog, 'PageLabels');
  const ranges = readNumberTree(context, root)
    .filter(([at]) => at < pageCount)
    .sort(([a], [b]) => a - b);
  if (ranges.length === 0) return undefined;
  const labels = decimalLabels(pageCount);
  ranges.forEach(([at, value], i) => {
    const dict = asDict(context, value);
    const style = dict === undefined ? undefined : asName(context, entry(dict, 'S'));
    const prefix = dict === undefined ? '' : (asText(context, entry(dict, 'P')) ?? '');
    const start = dict === undefined ? 1 : (asNumber(context, entry(dict, 'St')) ?? 1);
    const end = ranges[i + 1]?.[0] ?? pageCount;
    for (let page = Math.max(0, at); page < end; page++) labels[page] = { style, prefix, number: start + page - at };
  });
  return labels;
}

/** Returns the labels that viewers show for a document without labels: 1, 2, 3. */
export function decimalLabels(pageCount: number): PageLabel[] {
  return Array.from({ length: pageCount }, (_unused, page) => ({ style: 'D', prefix: '', number: page + 1 }));
}

/** Writes labels with as few ranges as possible; returns the root of the number tree. */
export function writePageLabels(context: PDFContext, labels: readonly PageLabel[]): PDFRef {
  const ranges: [number, ReturnType<typeof dictOf>][] = [];
  labels.forEach((label, page) => {
    const before = labels[page - 1];
    if (
      before !== undefined &&
      before.style === label.style &&
      before.prefix === label.prefix &&
      before.number + 1 === label.number
    )
      return;
    ranges.push([
      page,
      dictOf(context, {
        S: label.style === undefined ? undefined : PDFName.of(label.style),
        P: label.prefix === '' ? undefined : PDFHexString.fromText(label.prefix),
        St: label.number === 1 ? undefined : PDFNumber.of(label.number),
      }),
    ]);
  });
  return writeNumberTree(context, ranges);
}
