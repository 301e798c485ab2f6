import { PDFRef } from 'pdf-lib';

/** References with higher numbers are looked up by pdf-lib each time, which writes and hashes a string. */
const MAX_CACHED_NUMBER = 65_536;
const cached: (PDFRef | undefined)[] = [];

/** Returns pdf-lib's reference of this number and generation; there is one of each. */
export function refOf(number: number, generation = 0): PDFRef {
  if (generation !== 0 || number > MAX_CACHED_NUMBER) return PDFRef.of(number, generation);
  // Without gaps, which would make the array a slow one.
  while (cached.length < number) cached.push(undefined);
  return (cached[number] ??= PDFRef.of(number));
}
