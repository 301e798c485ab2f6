import { PDFArray, type PDFContext, PDFDict } from 'pdf-lib';
import { asDict, catalogOf, entry, setEntry } from '../../file/objects/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';

/** Keys of web capture data in the catalog's name dictionary (ISO 32000-1, 14.10). */
const CAPTURE = ['IDS', 'URLS'] as const;

/**
 * Removes invisible copies of content, in place: private data of applications (/PieceInfo, often the whole page, with
 * its date), web capture data, and the thumbnails (/Thumb) of `pages`, or of every page if this is undefined. Returns
 * the number of removed entries.
 */
export function dropPrivateData(context: PDFContext, pages: ReadonlySet<PDFDict> | undefined): number {
  let count = 0;
  const drop = (dict: PDFDict, key: string): void => {
    if (entry(dict, key) === undefined) return;
    setEntry(dict, key, undefined);
    count++;
  };
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  for (const key of CAPTURE) if (names !== undefined) drop(names, key);
  for (const holder of everyObject(context)) {
    if (holder instanceof PDFArray) continue;
    const dict = dictOfHolder(holder);
    if (entry(dict, 'PieceInfo') !== undefined) setEntry(dict, 'LastModified', undefined);
    for (const key of ['PieceInfo', 'SpiderInfo']) drop(dict, key);
    if (holder instanceof PDFDict && (pages === undefined || pages.has(holder))) drop(holder, 'Thumb');
  }
  return count;
}
