import type { PDFContext } from 'pdf-lib';
import { elements, isString, resolve } from '../../file/objects/index.js';
import { isFoundInBytes } from '../document-data/found-in.js';
import type { TextFinder } from '../document-data/text-finder.js';

/**
 * Removes a file identifier (ISO 32000-1, 14.4) that spells found text; the file gets a new one when it is written.
 * Returns the number of removed strings.
 */
export function dropFoundIdentifier(context: PDFContext, find: TextFinder): number {
  const found = elements(context, context.trailerInfo.ID).filter((part) => {
    const half = resolve(context, part);
    return isString(half) && isFoundInBytes(Buffer.from(half.asBytes()), find);
  });
  if (found.length > 0) delete context.trailerInfo.ID;
  return found.length;
}
