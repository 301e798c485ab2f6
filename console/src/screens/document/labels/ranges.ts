export type LabelStyle = 'decimal' | 'romanLower' | 'romanUpper' | 'lettersLower' | 'lettersUpper' | 'none';

/** Pages with labels that count on, as `general/extract-page-labels` and `general/edit-page-labels` have them. */
export interface LabelRange {
  /** Its first page, counted from 1. */
  readonly pageNumber: number;
  readonly style: LabelStyle;
  readonly prefix: string;
  /** The number of its first page. */
  readonly start: number;
}

export type Ranges = readonly LabelRange[];

/** The label of every page (ISO 32000-2, 12.4.2). Pages before the first range are numbered 1, 2, 3. */
export function labelsOf(ranges: Ranges, pageCount: number): readonly string[] {
  const labels: string[] = [];
  let current: LabelRange = { pageNumber: 1, style: 'decimal', prefix: '', start: 1 };
  const byPage = new Map(ranges.map((range) => [range.pageNumber, range]));
  for (let page = 1; page <= pageCount; page++) {
    current = byPage.get(page) ?? current;
    labels.push(current.prefix + numberText(current.style, current.start + page - current.pageNumber));
  }
  return labels;
}

function numberText(style: LabelStyle, number: number): string {
  switch (style) {
    case 'decimal':
      return String(number);
    case 'romanLower':
      return roman(number).toLowerCase();
    case 'romanUpper':
      return roman(number);
    case 'lettersLower':
      return letters(number).toLowerCase();
    case 'lettersUpper':
      return letters(number);
    case 'none':
      return '';
  }
}

const ROMAN = [
  ['M', 1000],
  ['CM', 900],
  ['D', 500],
  ['CD', 400],
  ['C', 100],
  ['XC', 90],
  ['L', 50],
  ['XL', 40],
  ['X', 10],
  ['IX', 9],
  ['V', 5],
  ['IV', 4],
  ['I', 1],
] as const;
/** Longer Roman numerals and rows of letters are of no use to anybody, and would fill the page. */
const LARGEST = 9999;

function roman(number: number): string {
  if (number > LARGEST) return String(number);
  let rest = number;
  let text = '';
  for (const [sign, value] of ROMAN) for (; rest >= value; rest -= value) text += sign;
  return text;
}

/** A to Z, then AA to ZZ, then AAA: the letter once for each time through the alphabet. */
function letters(number: number): string {
  if (number > LARGEST) return String(number);
  return String.fromCharCode(65 + ((number - 1) % 26)).repeat(Math.floor((number - 1) / 26) + 1);
}

export function sorted(ranges: Ranges): Ranges {
  return ranges.toSorted((a, b) => a.pageNumber - b.pageNumber);
}

/** Begins a range at a page, unless one begins there already. */
export function begun(ranges: Ranges, pageNumber: number): Ranges {
  if (ranges.some((range) => range.pageNumber === pageNumber)) return ranges;
  return sorted([...ranges, { pageNumber, style: 'decimal', prefix: '', start: 1 }]);
}

/** The range that has this page; undefined before the first one. */
export function rangeAt(ranges: Ranges, pageNumber: number): LabelRange | undefined {
  return ranges.findLast((range) => range.pageNumber <= pageNumber);
}
