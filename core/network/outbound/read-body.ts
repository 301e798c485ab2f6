import { Readable } from 'node:stream';

/** An answer that is longer than it may be. */
class TooLarge extends Error {
  readonly code = 'TOO_LARGE';

  constructor(limit: number) {
    super(`with more than ${limit} bytes`);
  }
}

/** Passes a body on, and counts it into `size`; errors with code TOO_LARGE beyond `limit` bytes. */
export function bounded(body: AsyncIterable<Uint8Array>, limit: number, size: { bytes: number }): Readable {
  return Readable.from(
    (async function* counted() {
      for await (const chunk of body) {
        size.bytes += chunk.length;
        if (size.bytes > limit) throw new TooLarge(limit);
        yield chunk;
      }
    })(),
  );
}

/** Reads a body whole; errors with code TOO_LARGE beyond `limit` bytes. */
export async function boundedBytes(body: AsyncIterable<Uint8Array>, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bounded(body, limit, { bytes: 0 })) chunks.push(chunk as Uint8Array);
  return new Uint8Array(Buffer.concat(chunks));
}
