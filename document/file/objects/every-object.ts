import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFStream } from 'pdf-lib';
import { resolve } from './access.js';

/** An object that contains others. */
export type Holder = PDFArray | PDFDict | PDFStream;

/**
 * Yields every array, dictionary and stream reachable from the catalog and the information dictionary, each once; a
 * stream's dictionary is not yielded separately. Entries that the caller deletes before asking for the next object are
 * not followed.
 */
export function* everyObject(context: PDFContext): Generator<Holder> {
  const seen = new Set<PDFObject>();
  const waiting: PDFObject[] = [];
  const push = (value: PDFObject | undefined): void => {
    const object = resolve(context, value);
    if (!(object instanceof PDFArray || object instanceof PDFDict || object instanceof PDFStream) || seen.has(object))
      return;
    seen.add(object);
    waiting.push(object);
  };
  push(context.trailerInfo.Info);
  push(context.trailerInfo.Root);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    yield next as Holder;
    for (const value of next instanceof PDFArray ? next.asArray() : dictOfHolder(next as PDFDict | PDFStream).values())
      push(value);
  }
}

/** The dictionary itself, or a stream's. */
export function dictOfHolder(holder: PDFDict | PDFStream): PDFDict {
  return holder instanceof PDFStream ? holder.dict : holder;
}
