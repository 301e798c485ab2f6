import { PDFDict, PDFName, PDFRawStream } from 'pdf-lib';
import type { ByteWindows } from './byte-windows.js';
import type { CrossReference } from './cross-reference.js';
import { type ObjectReader, skipWhite } from './indirect-object.js';
import { readCrossReference } from './read-cross-reference.js';

/** The header may begin anywhere in the first 1024 bytes (ISO 32000-1, Annex H.3, note 13). */
const HEADER_WITHIN_BYTES = 1024;
/**
 * How many bytes before the end the last `startxref` is searched: first the usual number, then more, for files with
 * appended data.
 */
const TAIL_BYTES = [2048, 65_536] as const;
/** How many bytes around a wrong `startxref` a table is searched. */
const SEARCH_RADIUS_BYTES = 4096;

/** Number of bytes before the header, and its version (`1.7`); undefined when there is none. */
export function findHeader(windows: ByteWindows): { readonly at: number; readonly version: string } | undefined {
  const match = /%PDF-(\d\.\d)?/.exec(windows.text(0, HEADER_WITHIN_BYTES + 8));
  return match === null ? undefined : { at: match.index, version: match[1] ?? '1.7' };
}

/**
 * Finds and reads a file's cross-reference: at `startxref`, counted from the header or from the file's first byte, else
 * near it, else at the last `xref` near the end of the file. Undefined when none of them leads to a catalog.
 */
export function findCrossReference(
  reader: ObjectReader,
  headerAt: number,
): { readonly table: CrossReference; readonly base: number; readonly exact: boolean } | undefined {
  const { windows } = reader;
  const declared = declaredStart(windows);
  const bases = headerAt > 0 ? [headerAt, 0] : [0];
  const seen = new Set<string>();
  const attempt = (start: number | undefined, base: number): CrossReference | undefined => {
    if (start === undefined || start < 0 || start + base >= windows.size || seen.has(`${start} ${base}`))
      return undefined;
    seen.add(`${start} ${base}`);
    const table = readCrossReference(reader, start, base);
    return table?.trailer?.has(PDFName.of('Root')) === true ? table : undefined;
  };
  for (const base of bases) {
    const table = attempt(declared, base);
    if (table !== undefined) return { table, base, exact: true };
  }
  for (const base of bases) {
    for (const place of likelyPlaces(windows, declared === undefined ? undefined : declared + base)) {
      const table = attempt(place - base, base);
      if (table !== undefined) return { table, base, exact: false };
    }
  }
  return undefined;
}

function declaredStart(windows: ByteWindows): number | undefined {
  for (const reach of TAIL_BYTES) {
    const tail = windows.text(windows.size - reach, windows.size);
    const at = tail.lastIndexOf('startxref');
    const digits = at < 0 ? undefined : /^startxref[\0\t\n\f\r ]*(\d{1,15})/.exec(tail.slice(at, at + 64))?.[1];
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}

function likelyPlaces(windows: ByteWindows, declared: number | undefined): number[] {
  const places: number[] = [];
  const tables = (from: number, to: number): number[] =>
    [...windows.text(from, to).matchAll(/(?<!start)xref/g)].map((match) => Math.max(0, from) + match.index);
  if (declared !== undefined) {
    const near = tables(declared - SEARCH_RADIUS_BYTES, declared + SEARCH_RADIUS_BYTES).sort(
      (a, b) => Math.abs(a - declared) - Math.abs(b - declared),
    );
    const streams = [...windows.text(declared - 64, declared + 64).matchAll(/\d+[ \r\n]+\d+[ \r\n]+obj/g)].map(
      (match) => Math.max(0, declared - 64) + match.index,
    );
    places.push(...near.slice(0, 4), ...streams.slice(0, 4));
  }
  for (const reach of TAIL_BYTES)
    places.push(
      ...tables(windows.size - reach, windows.size)
        .reverse()
        .slice(0, 4),
    );
  return places;
}

/**
 * Returns the trailers that a scan found, the last first: dictionaries after the keyword, and those of cross-reference
 * streams.
 */
export function scannedTrailers(
  reader: ObjectReader,
  trailers: readonly number[],
  crossReferences: readonly number[],
): PDFDict[] {
  const dictionaries: PDFDict[] = [];
  for (const at of trailers.toReversed()) {
    const object = reader.parseAt(skipWhite(reader.windows, at))?.object;
    if (object instanceof PDFDict) dictionaries.push(object);
  }
  for (const at of crossReferences.toReversed()) {
    const header = reader.header(at);
    const object = header === undefined ? undefined : reader.parseAt(header.bodyAt)?.object;
    if (object instanceof PDFRawStream) dictionaries.push(object.dict);
  }
  return dictionaries;
}
