import { PDFArray, type PDFContext, PDFDict, type PDFObject, PDFStream } from 'pdf-lib';
import { resolve } from './access.js';

/** An object that holds others. */
export type Holder = PDFArray | PDFDict | PDFStream;

/**
 * Gives every array, dictionary and stream that the trailer's catalog and information dictionary lead to, each once,
 * whatever leads back to it; a stream's own dictionary is not given beside it. What is taken out of one before the next
 * is asked for is not followed.
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

/** The entries of a dictionary, or those of a stream's. */
export function dictOfHolder(holder: PDFDict | PDFStream): PDFDict {
  return holder instanceof PDFStream ? holder.dict : holder;
}
