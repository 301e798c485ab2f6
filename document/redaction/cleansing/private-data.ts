import { PDFArray, type PDFContext, PDFDict } from 'pdf-lib';
import { asDict, catalogOf, entry, setEntry } from '../../file/objects/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';

/** What capturing from the web left (ISO 32000-1, 14.10), by its keys in the catalog's names. */
const CAPTURE = ['IDS', 'URLS'] as const;

/**
 * Drops copies of content that no viewer shows, in place: what programs keep for themselves (/PieceInfo, often the
 * whole page as it was drawn, with the date that belongs to it) and what capturing from the web left; of `pages`, or of
 * every page where undefined, the small pictures (/Thumb). Gives how many went.
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
