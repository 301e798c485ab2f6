import { formatNumber } from '../../../i18n/index.ts';
import { t } from '../texts.ts';

export interface BasicInfo {
  readonly pageCount: number;
  readonly pdfVersion: number;
}

export interface PageSize {
  readonly width: number;
  readonly height: number;
}

export interface Security {
  readonly isEncrypted: boolean;
  readonly permissions?: Readonly<Record<string, boolean>>;
}

/** Entries of the information dictionary; dates are ISO 8601. */
export interface Properties {
  readonly title: string | null;
  readonly author: string | null;
  readonly subject: string | null;
  readonly keywords: string | null;
  readonly creator: string | null;
  readonly producer: string | null;
  readonly creationDate: string | null;
  readonly modificationDate: string | null;
}

const MM_PER_POINT = 25.4 / 72;
/** Names of paper by its sides in points, short side first. */
const PAPERS: readonly (readonly [string, number, number])[] = [
  ['A3', 842, 1191],
  ['A4', 595, 842],
  ['A5', 420, 595],
  ['A6', 298, 420],
  ['Letter', 612, 792],
  ['Legal', 612, 1008],
  ['Tabloid', 792, 1224],
];
/** Sizes that are written out; more are counted. */
const MOST_SIZES = 4;

/** The sizes of pages in words, the most frequent first. */
export function sizesOf(pages: readonly PageSize[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const page of pages) {
    const words = sizeText(page);
    counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  const sizes = [...counts].sort(([, a], [, b]) => b - a);
  const shown = sizes.slice(0, MOST_SIZES);
  const rest = sizes.length - shown.length;
  return [
    ...shown.map(([words, count]) =>
      sizes.length === 1 ? words : `${words} (${t.count(count, '{count} page', '{count} pages')})`,
    ),
    ...(rest > 0 ? [t.count(rest, '{count} other size', '{count} other sizes')] : []),
  ];
}

function sizeText({ width, height }: PageSize): string {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  const paper = PAPERS.find(([, a, b]) => Math.abs(a - short) < 2 && Math.abs(b - long) < 2);
  const [across, down] = [width, height].map((points) =>
    formatNumber(points * MM_PER_POINT, { maximumFractionDigits: 0 }),
  );
  const size = t('{width} × {height} mm', { width: across!, height: down! });
  return paper === undefined ? size : `${paper[0]}, ${size}`;
}

/** What readers may not do with an encrypted document. */
export function restrictionsOf({ permissions = {} }: Security): readonly string[] {
  return [
    ...(permissions['preventPrinting'] === true ? [t('printing forbidden')] : []),
    ...(permissions['preventModify'] === true ? [t('changing forbidden')] : []),
    ...(permissions['preventExtractContent'] === true ? [t('copying forbidden')] : []),
    ...(permissions['preventModifyAnnotations'] === true ? [t('commenting forbidden')] : []),
  ];
}
