/** Gives text without half surrogate pairs, which no encoding of Unicode can hold: strings of PDFs may have them. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd');
}
