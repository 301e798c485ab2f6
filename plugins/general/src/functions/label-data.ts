/** How the pages of a range are numbered, and the name of the style in a PDF (ISO 32000-2, table 161). */
export const labelStyles = {
  decimal: 'D',
  romanLower: 'r',
  romanUpper: 'R',
  lettersLower: 'a',
  lettersUpper: 'A',
  none: undefined,
} as const;

export type LabelStyle = keyof typeof labelStyles;

/**
 * A range of page labels in JSON: `extract-page-labels` returns it and `edit-page-labels` accepts it. It ends where the
 * next one begins. `pageNumber` counts from 1.
 */
export interface LabelRange {
  readonly pageNumber: number;
  readonly style: LabelStyle;
  readonly prefix: string;
  /** The number of its first page. */
  readonly start: number;
}

/** The range as it is sent: only `pageNumber` is required. */
type SentRange = Partial<LabelRange> & Pick<LabelRange, 'pageNumber'>;

/** Returns the ranges of the field `labels` in the order of their pages, or why they cannot be used. */
export function parseLabels(text: string): readonly LabelRange[] | string {
  const ranges = (JSON.parse(text) as SentRange[])
    .map(({ pageNumber, style = 'decimal', prefix = '', start = 1 }) => ({ pageNumber, style, prefix, start }))
    .sort((a, b) => a.pageNumber - b.pageNumber);
  const twice = ranges.find(({ pageNumber }, i) => ranges[i + 1]?.pageNumber === pageNumber);
  return twice === undefined ? ranges : `has two ranges that begin at page ${twice.pageNumber}`;
}
