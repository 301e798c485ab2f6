import type { TextFinder } from '../document-data/text-finder.js';

/** Printable characters in a row: of one byte, and of two (UTF-16, both byte orders). Shorter ones are chance. */
const RUN = /[\x20-\x7e]{3,}|(?:\0[\x20-\x7e]){3,}|(?:[\x20-\x7e]\0){3,}/g;
const BLANK = 0x20;

/** Returns the new value of a byte that is not zero. */
export type Filler = (byte: number) => number;

/**
 * Returns a copy of binary data in which found text is overwritten byte by byte, by default with blanks, or undefined
 * if it spells none in ASCII or UTF-16.
 */
export function overwriteFound(
  data: Uint8Array,
  find: TextFinder,
  filler: Filler = () => BLANK,
): Uint8Array | undefined {
  const runs = [...Buffer.from(data.buffer, data.byteOffset, data.length).toString('latin1').matchAll(RUN)];
  const texts = runs.map(({ 0: run }) => run.replaceAll('\0', ''));
  // One search for all, because most data spells nothing.
  if (texts.length === 0 || find(texts.join('\n')).length === 0) return undefined;
  const clean = Buffer.from(data);
  let found = false;
  for (const [i, { 0: run, index }] of runs.entries()) {
    const width = run.length / texts[i]!.length;
    for (const [from, to] of find(texts[i]!)) {
      found ||= from < to;
      for (let at = index + from * width; at < index + to * width; at++)
        if (clean[at] !== 0) clean[at] = filler(clean[at]!);
    }
  }
  return found ? clean : undefined;
}

/** The same with the first filler that leaves nothing to be found, or else with blanks. */
export function overwriteGently(
  data: Uint8Array,
  find: TextFinder,
  fillers: readonly Filler[],
): Uint8Array | undefined {
  for (const filler of fillers) {
    const clean = overwriteFound(data, find, filler);
    if (clean === undefined || overwriteFound(clean, find) === undefined) return clean;
  }
  return overwriteFound(data, find);
}
