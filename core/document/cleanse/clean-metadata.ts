import { PDFArray, type PDFContext, PDFRawStream } from 'pdf-lib';
import { entry, resolve, setEntry } from '../objects/index.js';
import { changeInfo, dictOfHolder, everyObject } from '../parts/index.js';
import { decodedBytes, isFoundInBytes } from './found-in.js';
import type { TextFinder } from './text-finder.js';

/** Drops XMP from everything that has any, in place, or only where something is found in it or it cannot be read. Gives how many went. */
export function dropXmp(context: PDFContext, find?: TextFinder): number {
  let count = 0;
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    const value = entry(dict, 'Metadata');
    if (value === undefined) continue;
    const stream = resolve(context, value);
    const bytes = find !== undefined && stream instanceof PDFRawStream ? decodedBytes(context, stream) : undefined;
    if (find !== undefined && bytes !== undefined && !isFoundInBytes(bytes, find)) continue;
    setEntry(dict, 'Metadata', undefined);
    count++;
  }
  return count;
}

/** Drops who made a document and what it says it is about (contract/security.yml, auto-redact); the title stays. */
export function dropAuthorship(context: PDFContext): void {
  changeInfo(context, { Author: undefined, Subject: undefined, Keywords: undefined });
}
