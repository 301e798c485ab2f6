import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { packedStream } from '../../content/index.js';
import { resolve } from '../../file/objects/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';

/**
 * Replaces the data of streams, in place, keeping their dictionaries and references. Returns the number of replaced
 * streams.
 */
export function rewriteStreams(context: PDFContext, data: ReadonlyMap<PDFRawStream, Uint8Array>): number {
  return replaceAll(context, data, (stream, bytes) => {
    const dict = PDFDict.fromMapWithContext(new Map(stream.dict.entries()), context);
    return context.lookup(packedStream(context, dict, bytes));
  });
}

/** Replaces streams by others, in place, keeping their references. Returns the number of replaced streams. */
export function replaceStreams(context: PDFContext, others: ReadonlyMap<PDFRawStream, PDFRawStream>): number {
  return replaceAll(context, others, (_stream, other) => other);
}

function replaceAll<T>(
  context: PDFContext,
  data: ReadonlyMap<PDFRawStream, T>,
  made: (stream: PDFRawStream, by: T) => PDFObject | undefined,
): number {
  if (data.size === 0) return 0;
  const refs = new Map<PDFRef, PDFRawStream>();
  for (const holder of everyObject(context)) {
    for (const value of holder instanceof PDFArray ? holder.asArray() : dictOfHolder(holder).values()) {
      const stream = value instanceof PDFRef ? resolve(context, value) : undefined;
      if (value instanceof PDFRef && stream instanceof PDFRawStream && data.has(stream)) refs.set(value, stream);
    }
  }
  for (const [ref, stream] of refs) {
    const by = data.get(stream);
    const other = by === undefined ? undefined : made(stream, by);
    if (other !== undefined) context.assign(ref, other);
  }
  return refs.size;
}
