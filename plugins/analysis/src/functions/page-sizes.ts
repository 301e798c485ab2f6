import type { OpenedPdf } from '@quire/document/file/open';
import { pageBox } from '@quire/document/structure/pages';

/** The size of a page's crop box, in units of its user space: neither turned nor scaled. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
}

/** Digits after which two single precision numbers always differ (IEEE 754 binary32). */
const MOST_DIGITS = 9;

/** Returns the size of every page in order: of the crop box within the media box (ISO 32000-1, 14.11.2). */
export function pageSizes({ document: { context }, pages }: OpenedPdf): PageSize[] {
  return pages.map((page) => {
    const [left, bottom, right, top] = pageBox(context, page);
    return { width: singlePrecision(right - left), height: singlePrecision(top - bottom) };
  });
}

/** Returns the shortest decimal number that equals `value` in single precision: 595.276 for 595.2760009765625. */
export function singlePrecision(value: number): number {
  const single = Math.fround(value);
  // Values beyond single precision stay unchanged: JSON has no infinity.
  if (!Number.isFinite(single)) return value;
  for (let digits = 1; digits < MOST_DIGITS; digits++) {
    const short = Number(single.toPrecision(digits));
    if (Math.fround(short) === single) return short;
  }
  return Number(single.toPrecision(MOST_DIGITS));
}
