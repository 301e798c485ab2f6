import { xmlCharacters } from '../file/xml/index.js';

/** Embeddings, overrides and isolates of writing direction (Unicode, UAX 9, 2). */
const DIRECTION = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * A text as a reader may trust it: without control characters, and without those that turn the order of what is around
 * them, which would show an account number backwards. The order then follows from the letters alone.
 */
export function plainText(text: string): string {
  return xmlCharacters(text).replace(DIRECTION, '');
}
