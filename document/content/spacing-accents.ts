/** Spacing accents that some programs paint over a letter, with the corresponding combining marks. */
const ACCENTS: Readonly<Record<string, string>> = {
  '\u00a8': '\u0308',
  '\u00b4': '\u0301',
  '`': '\u0300',
  '\u02c6': '\u0302',
  '^': '\u0302',
  '\u02dc': '\u0303',
  '~': '\u0303',
  '\u00b8': '\u0327',
  '\u02da': '\u030a',
  '\u00b0': '\u030a',
  '\u02c7': '\u030c',
  '\u00af': '\u0304',
  '\u02d8': '\u0306',
  '\u02d9': '\u0307',
  '\u02dd': '\u030b',
  '\u02db': '\u0328',
};

/** Returns the combining mark of a spacing accent; undefined for any other text. */
export function accentOf(text: string): string | undefined {
  return ACCENTS[text];
}

/** True for a spacing accent that some programs paint over a letter. */
export function isAccent(text: string): boolean {
  return text > '\u007f' && text in ACCENTS;
}
