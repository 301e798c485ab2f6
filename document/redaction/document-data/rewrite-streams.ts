import { PDFArray, type PDFContext, PDFDict, PDFRawStream, PDFRef } from 'pdf-lib';
import { packedStream } from '../../content/index.js';
import { resolve } from '../../file/objects/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';

/**
 * Replaces the data of streams, in place, keeping their dictionaries and references. Returns the number of replaced
 * streams.
 */
export function rewriteStreams(context: PDFContext, data: ReadonlyMap<PDFRawStream, Uint8Array>): number {
  if (data.size === 0) return 0;
  const refs = new Map<PDFRef, PDFRawStream>();
  for (const holder of everyObject(context)) {
    for (const value of holder instanceof PDFArray ? holder.asArray() : dictOfHolder(holder).values()) {
      const stream = value instanceof PDFRef ? resolve(context, value) : undefined;
      if (value instanceof PDFRef && stream instanceof PDFRawStream && data.has(stream)) refs.set(value, stream);
    }
  }
  for (const [ref, stream] of refs) {
    const packed = context.lookup(
      packedStream(
        context,
        PDFDict.fromMapWithContext(new Map(stream.dict.entries()), context),
        data.get(stream) ?? new Uint8Array(),
      ),
    );
    if (packed !== undefined) context.assign(ref, packed);
  }
  return refs.size;
}
