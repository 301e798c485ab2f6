/** Longest display name, in characters as people count them. */
const LONGEST_NAME = 100;
/** Characters that are read at all: what follows cannot be shown anyway. */
const LONGEST_READ = 1000;
/** Marks on one letter; scripts need a few, texts that grow over their line have many. */
const MOST_MARKS = 4;
/**
 * Control and format characters: they would turn texts around (UAX #9) or be invisible. Joiners are kept, which
 * Persian, Indic scripts and emoji need; so are signs that are not assigned yet.
 */
const HIDDEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u115f\u1160\u3164\uffa0]/gu;
const TOO_MANY_MARKS = new RegExp(`(\\p{M}{${MOST_MARKS}})\\p{M}+`, 'gu');

/**
 * Returns the name of a person as it can be shown anywhere: on one line, with nothing invisible or turned around in it,
 * and not too long. Providers let users choose it. Undefined where nothing is left.
 */
export function displayNameOf(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const plain = given
    .slice(0, LONGEST_READ)
    .normalize('NFC')
    .replace(/[^\S\ufeff]+/gu, ' ')
    .replace(HIDDEN, '')
    .replace(TOO_MANY_MARKS, '$1');
  const graphemes = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(plain)];
  const name = graphemes
    .slice(0, LONGEST_NAME)
    .map(({ segment }) => segment)
    .join('')
    .replace(/ +/g, ' ')
    .trim();
  return /[\p{L}\p{N}\p{S}]/u.test(name) ? name : undefined;
}
