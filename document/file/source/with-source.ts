import { FileSource } from './file-source.js';
import { takeCachedSource } from './source-cache.js';

/** A document to read: bytes in memory, an open file, or the path of one. */
export type PdfInput = Uint8Array | FileSource | { readonly path: string } | { readonly bytes: Uint8Array };

/** Runs `fn` with the input opened, and afterwards closes a file that it opened itself. */
export function withSource<T>(input: PdfInput, fn: (source: Uint8Array | FileSource) => T | Promise<T>): Promise<T> {
  return withSources([input], ([source]) => fn(source ?? new Uint8Array()));
}

/** `withSource` for several inputs. */
export async function withSources<T>(
  inputs: readonly PdfInput[],
  fn: (sources: readonly (Uint8Array | FileSource)[]) => T | Promise<T>,
): Promise<T> {
  const opened: FileSource[] = [];
  const sources: (Uint8Array | FileSource)[] = [];
  try {
    for (const input of inputs) {
      if (input instanceof Uint8Array || input instanceof FileSource) sources.push(input);
      else if ('bytes' in input) sources.push(input.bytes);
      else
        sources.push(
          opened[opened.push(takeCachedSource(input.path) ?? FileSource.open(input.path)) - 1] ?? new Uint8Array(),
        );
    }
    return await fn(sources);
  } finally {
    for (const file of opened) file.close();
  }
}

/** Returns all bytes of a source. */
export function allBytes(source: Uint8Array | FileSource): Uint8Array {
  return source instanceof Uint8Array ? source : source.bytes();
}
