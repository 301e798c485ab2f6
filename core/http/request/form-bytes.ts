/** What a form takes at most beside its files, bytes: names, types, boundaries. */
export const FORM_BYTES = 65_536;

/** Bytes that the files of a form have at least, by what its body declares; 0 where it declares nothing. */
export function leastFileBytes(declared: number | undefined): number {
  return Math.max(0, (declared ?? 0) - FORM_BYTES);
}
