import { PDFArray, type PDFContext, PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import { ContentReader, showForm } from '@quire/document/content';
import { pageTexts, type TextSearch } from '@quire/document/redaction/search';
import { asName, asNumber, entry, resolve, setEntry } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { dictOfHolder, everyObject } from '@quire/document/file/objects';

/**
 * Empties tiles of patterns and soft masks that contain matches, in place: the text of a tile has no single position,
 * because it repeats. Returns the number of emptied tiles. Throws the errors of `ContentReader`, PATTERN_TOO_SLOW.
 */
export function emptyFoundTiles({ document: { context } }: OpenedPdf, search: TextSearch): number {
  const reader = new ContentReader(context, { bothReadings: true });
  const emptied = new Map<PDFRawStream, PDFRef | undefined>();
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    for (const [key, value] of dict.entries()) {
      const stream = resolve(context, value);
      if (
        !(stream instanceof PDFRawStream) ||
        !(isTile(context, stream) || (key === PDFName.of('G') && isMask(asName(context, entry(dict, 'S')))))
      )
        continue;
      if (!emptied.has(stream))
        emptied.set(
          stream,
          search.holding(pageTexts(showForm(reader, stream)).texts).length > 0 ? emptyCopy(context, stream) : undefined,
        );
      const empty = emptied.get(stream);
      if (empty !== undefined) dict.set(key, empty);
    }
  }
  return [...emptied.values()].filter((empty) => empty !== undefined).length;
}

function isTile(context: PDFContext, { dict }: PDFRawStream): boolean {
  return asNumber(context, entry(dict, 'PatternType')) === 1;
}

/** Subtypes of soft masks (ISO 32000-1, table 144). */
function isMask(subtype: string | undefined): boolean {
  return subtype === 'Alpha' || subtype === 'Luminosity';
}

function emptyCopy(context: PDFContext, { dict }: PDFRawStream): PDFRef {
  const copy = dict.clone(context);
  for (const key of ['Filter', 'DecodeParms', 'Length', 'Resources', 'PieceInfo', 'Metadata'])
    setEntry(copy, key, undefined);
  copy.set(PDFName.of('Resources'), context.obj({}));
  return context.register(PDFRawStream.of(copy, new Uint8Array(0)));
}
