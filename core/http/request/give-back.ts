/** Smaller chunks may share their memory, and cost little until they are collected. */
const LEAST_BYTES = 16 * 1024;

/**
 * Frees the memory of a received chunk, which is empty then. Only for chunks that nobody else reads. Thousands of
 * chunks would otherwise wait for the garbage collector, which looks at the whole heap for every 64 MB of them.
 */
export function giveBack(chunk: Buffer): void {
  const { buffer, byteLength } = chunk;
  // A part of a chunk, as between two parts of a form, leaves the rest to others.
  if (byteLength >= LEAST_BYTES && byteLength === buffer.byteLength && buffer instanceof ArrayBuffer)
    buffer.transfer(0);
}
