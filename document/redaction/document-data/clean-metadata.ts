import { PDFArray, type PDFContext, PDFRawStream } from 'pdf-lib';
import { asName, entry, nameText, resolve } from '../../file/objects/index.js';
import { changeInfo } from '../../structure/metadata/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';
import { decodedBytes, isFoundInBytes } from './found-in.js';
import type { TextFinder } from './text-finder.js';

/**
 * Removes XMP metadata from all objects, in place; with `find`, only where it contains found text or cannot be read.
 * Returns the number of removed streams.
 */
export function dropXmp(context: PDFContext, find?: TextFinder): number {
  let count = 0;
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    for (const [key, value] of dict.entries()) {
      const stream = resolve(context, value);
      const isXmp = stream instanceof PDFRawStream && asName(context, entry(stream.dict, 'Type')) === 'Metadata';
      if (!isXmp && nameText(key) !== 'Metadata') continue;
      const bytes = find !== undefined && stream instanceof PDFRawStream ? decodedBytes(context, stream) : undefined;
      if (find !== undefined && bytes !== undefined && !isFoundInBytes(bytes, find)) continue;
      dict.delete(key);
      count++;
    }
  }
  return count;
}

/** Removes author, subject and similar entries (docs/interface/security.yml, auto-redact); the title stays. */
export function dropAuthorship(context: PDFContext): void {
  changeInfo(context, { Author: undefined, Subject: undefined, Keywords: undefined });
}
