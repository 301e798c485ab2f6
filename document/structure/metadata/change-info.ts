import { type PDFContext, PDFDict, PDFHexString, PDFName, type PDFObject, PDFRef, PDFString } from 'pdf-lib';
import { byteString, catalogOf, dictOf, keyName, resolve, setEntry } from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';
import { isoDate } from './dates.js';
import { readClaims, readXmp, writeXmp } from './metadata.js';
import { INFO_KEYS, infoValue, withInfoValue, withoutInfoValue } from './xmp.js';

/**
 * Changes to the information dictionary (ISO 32000-1, table 317): each entry is set to a text or date, or removed if
 * undefined.
 */
export type InfoChanges = Readonly<Record<string, string | Date | undefined>>;

/** Formats a date for PDF (ISO 32000-1, 7.9.4) in the time zone of this process. */
export function localPdfDate(time: Date): string {
  const two = (value: number): string => String(Math.trunc(Math.abs(value))).padStart(2, '0');
  const ahead = -time.getTimezoneOffset();
  const zone = ahead === 0 ? 'Z' : `${ahead < 0 ? '-' : '+'}${two(ahead / 60)}'${two(Math.abs(ahead) % 60)}'`;
  const date = [time.getMonth() + 1, time.getDate(), time.getHours(), time.getMinutes(), time.getSeconds()].map(two);
  return `D:${String(time.getFullYear()).padStart(4, '0')}${date.join('')}${zone}`;
}

/**
 * Sets and removes entries of the information dictionary in place, and updates the same properties in XMP so that both
 * agree. Properties that XMP does not have are only added if the document claims to be PDF/A, which requires them (ISO
 * 19005-1, 6.7.3).
 */
export function changeInfo(context: PDFContext, changes: InfoChanges): void {
  const info = ownInfo(context);
  for (const key of Object.keys(changes)) info.delete(infoKey(key));
  for (const [key, value] of Object.entries(changes))
    if (value !== undefined) info.set(infoKey(key), objectOf(key, value));
  if (info.keys().length === 0) delete context.trailerInfo.Info;
  const catalog = catalogOf(context);
  const packet = readXmp(context);
  if (catalog === undefined || packet === undefined) return;
  const strict = readClaims(context).has('PDF/A');
  let xmp = packet;
  for (const key of INFO_KEYS) {
    if (!Object.hasOwn(changes, key)) continue;
    const said = infoValue(xmp, key) !== undefined;
    const value = xmpText(changes[key]);
    if (value === undefined) xmp = withoutInfoValue(xmp, key);
    else if (said || (strict && key !== 'Trapped')) xmp = withInfoValue(xmp, key, value);
  }
  if (xmp !== packet) setEntry(catalog, 'Metadata', writeXmp(context, xmp));
}

/**
 * Removes all metadata: the information dictionary, XMP, and private data of applications in the document and its pages
 * (ISO 32000-1, 14.5).
 */
export function dropInfo(context: PDFContext, pages: readonly PageEntry[]): void {
  delete context.trailerInfo.Info;
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  for (const key of ['Metadata', 'PieceInfo']) setEntry(catalog, key, undefined);
  // LastModified belongs to PieceInfo (ISO 32000-1, table 30).
  for (const { dict } of pages)
    for (const key of ['PieceInfo', 'LastModified', 'Metadata']) setEntry(dict, key, undefined);
}

function ownInfo(context: PDFContext): PDFDict {
  const info = resolve(context, context.trailerInfo.Info);
  const dict = info instanceof PDFDict ? info : dictOf(context, {});
  // The trailer's entry must be a reference (ISO 32000-1, table 15).
  if (dict !== info || !(context.trailerInfo.Info instanceof PDFRef)) context.trailerInfo.Info = context.register(dict);
  return dict;
}

/** Names consist of bytes, which are interpreted as UTF-8 (ISO 32000-1, 7.3.5). */
function infoKey(key: string): PDFName {
  return keyName(Buffer.from(key, 'utf8').toString('latin1'));
}

function objectOf(key: string, value: string | Date): PDFObject {
  if (value instanceof Date) return PDFString.of(localPdfDate(value));
  if (key === 'Trapped') return PDFName.of(value);
  return /^[\x20-\x7e\t\r\n]*$/.test(value) ? byteString(value) : PDFHexString.fromText(value);
}

function xmpText(value: string | Date | undefined): string | undefined {
  return value instanceof Date ? isoDate(localPdfDate(value)) : value;
}
