/** Bytes reserved for the parts of a form other than files: names, types, boundaries. */
export const FORM_BYTES = 65_536;

/** Returns the least number of bytes that the files of a form must have, judging by Content-Length; 0 without one. */
export function leastFileBytes(declared: number | undefined): number {
  return Math.max(0, (declared ?? 0) - FORM_BYTES);
}
