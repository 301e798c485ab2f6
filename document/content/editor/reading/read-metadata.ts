import { type PDFContext, PDFRawStream } from 'pdf-lib';
import { asName, asText, catalogOf, entry, resolve } from '../../../file/objects/index.js';
import { infoOf, isoDate } from '../../../structure/metadata/index.js';
import { streamBytes } from '../../../file/objects/text-streams.js';
import type { JsonMetadata } from '../model.js';
import { dropUndefined } from './read-fonts.js';

/** Exports the document's metadata; an invalid date is exported as written. */
export function tellMetadata(context: PDFContext, numberOfPages: number): JsonMetadata {
  const info = infoOf(context);
  const text = (key: string): string | undefined =>
    info === undefined ? undefined : asText(context, entry(info, key));
  const date = (key: string): string | undefined => isoDate(text(key)) ?? text(key);
  return dropUndefined<JsonMetadata>({
    title: text('Title'),
    author: text('Author'),
    subject: text('Subject'),
    keywords: text('Keywords'),
    creator: text('Creator'),
    producer: text('Producer'),
    creationDate: date('CreationDate'),
    modificationDate: date('ModDate'),
    trapped: info === undefined ? undefined : (asName(context, entry(info, 'Trapped')) ?? text('Trapped')),
    numberOfPages,
  });
}

/** The document's XMP packet, base64; undefined when it has none. */
export function tellXmp(context: PDFContext): string | undefined {
  const catalog = catalogOf(context);
  const stream = catalog === undefined ? undefined : resolve(context, entry(catalog, 'Metadata'));
  return stream instanceof PDFRawStream ? streamBytes(context, stream)?.toString('base64') : undefined;
}
