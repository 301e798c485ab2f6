/** A text, or another way to read it. */
export interface TextVariant {
  readonly text: string;
  /** For each of its characters the place in the text it was made of; absent where it is that text itself. */
  readonly places?: readonly number[];
}

/** Letters set apart by blanks, at least four in a row. */
const SPACED_OUT = /(?<=^|\s)\S(?: \S){3,}(?=\s|$)/gu;
const HYPHENATED = /[-\u00ad\u2010]\n/g;

/** A text as it stands, with spaced-out words closed up, and with words joined that were divided at line ends. */
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

/** The text without the stretches that `within` names in what `expression` finds; undefined where it finds nothing. */
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
