import { PDFName } from 'pdf-lib';

/** A power of two: most names in a document come from a set of a few hundred. */
const SLOTS = 4096;
/** In bytes; longer names are rare. */
const LONGEST = 64;
const texts: (string | undefined)[] = Array.from({ length: SLOTS }, () => undefined);
const found: (PDFName | undefined)[] = Array.from({ length: SLOTS }, () => undefined);

/**
 * Returns the name whose bytes, after the slash, stand between two positions. Known ones are found by their bytes:
 * making a string of each takes longer than all else about it, and pdf-lib looks for escapes in it.
 */
export function nameBetween(data: Uint8Array, from: number, to: number): PDFName {
  const slot = slotOf(data, from, to);
  return slot === undefined ? newName(textOf(data, from, to)) : (found[slot] ??= newName(texts[slot] ?? ''));
}

/** Returns the same as it is written in the file, escapes included. */
export function nameTextBetween(data: Uint8Array, from: number, to: number): string {
  const slot = slotOf(data, from, to);
  return slot === undefined ? textOf(data, from, to) : (texts[slot] ?? '');
}

/** Where the text of a name is kept; undefined for one that is too long. */
function slotOf(data: Uint8Array, from: number, to: number): number | undefined {
  const length = to - from;
  if (length > LONGEST) return undefined;
  let hash = length;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (data[at] ?? 0)) | 0;
  const slot = (hash ^ (hash >>> 12)) & (SLOTS - 1);
  if (isText(data, from, length, texts[slot])) return slot;
  texts[slot] = textOf(data, from, to);
  found[slot] = undefined;
  return slot;
}

function isText(data: Uint8Array, from: number, length: number, text: string | undefined): boolean {
  if (text?.length !== length) return false;
  for (let i = 0; i < length; i++) if (text.charCodeAt(i) !== data[from + i]) return false;
  return true;
}

const textOf = (data: Uint8Array, from: number, to: number): string =>
  Buffer.from(data.buffer, data.byteOffset + from, to - from).toString('latin1');

/** pdf-lib knows escapes in capitals only (ISO 32000-1, 7.3.5 allows both). */
const newName = (text: string): PDFName =>
  PDFName.of(text.includes('#') ? text.replaceAll(/#[\da-f]{2}/gi, (escape) => escape.toUpperCase()) : text);
