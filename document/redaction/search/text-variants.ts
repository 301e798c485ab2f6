/** A text, or another reading of it. */
export interface TextVariant {
  readonly text: string;
  /** For each of its characters the position in the original text; absent for the original text itself. */
  readonly places?: readonly number[];
}

/** At least four letters in a row that are separated by blanks. */
const SPACED_OUT = /(?<=^|\s)\S(?: \S){3,}(?=\s|$)/gu;
const HYPHENATED = /[-\u00ad\u2010]\n/g;

/** Returns the text itself, with spaced-out words closed up, and with words joined that were divided at line ends. */
export function variantsOf(text: string): TextVariant[] {
  const variants: TextVariant[] = [{ text }];
  const spaced = closed(text, SPACED_OUT, (found) =>
    [...found.matchAll(/ /g)].map(({ index }) => ({ start: index, end: index + 1 })),
  );
  if (spaced !== undefined) variants.push(spaced);
  const joined = closed(text, HYPHENATED, (found) => [{ start: 0, end: found.length }]);
  if (joined !== undefined) variants.push(joined);
  return variants;
}

interface Stretch {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the text without the parts that `within` finds in the matches of `expression`; undefined if there are none.
 */
function closed(
  text: string,
  expression: RegExp,
  within: (found: string) => readonly Stretch[],
): TextVariant | undefined {
  const gone = [...text.matchAll(expression)].flatMap(({ 0: found, index }) =>
    within(found).map(({ start, end }) => ({ start: start + index, end: end + index })),
  );
  if (gone.length === 0) return undefined;
  const parts: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const { start, end } of [...gone, { start: text.length, end: text.length }]) {
    parts.push(text.slice(at, start));
    for (let i = at; i < start; i++) places.push(i);
    at = end;
  }
  return { text: parts.join(''), places };
}
