import { type PDFContext, PDFDict, PDFHexString, PDFString } from 'pdf-lib';
import { asText, entry, resolve } from '../../file/objects/index.js';
import { readXmp } from './metadata.js';

/** Returns the document's information dictionary (ISO 32000-1, 14.3.3), or undefined. */
export function infoOf(context: PDFContext): PDFDict | undefined {
  const info = resolve(context, context.trailerInfo.Info);
  return info instanceof PDFDict ? info : undefined;
}

/** Returns the document's title, trimmed; undefined if it has none. */
export function documentTitle(context: PDFContext): string | undefined {
  const info = infoOf(context);
  const title = info === undefined ? undefined : asText(context, entry(info, 'Title'))?.trim();
  return title === '' ? undefined : title;
}

/**
 * Returns the date of the last change, else of creation, in milliseconds since 1970. The information dictionary takes
 * precedence over XMP.
 */
export function documentTime(context: PDFContext): number | undefined {
  const info = infoOf(context);
  for (const key of ['ModDate', 'CreationDate']) {
    const time = info === undefined ? undefined : parseInfoDate(resolve(context, entry(info, key)));
    if (time !== undefined) return time;
  }
  const xmp = readXmp(context) ?? '';
  for (const property of ['ModifyDate', 'CreateDate']) {
    const found = new RegExp(`xmp:${property}(?:>|\\s*=\\s*["'])\\s*([^<"']+)`).exec(xmp)?.[1];
    const time = found === undefined ? Number.NaN : Date.parse(found.trim());
    if (Number.isFinite(time)) return time;
  }
  return undefined;
}

function parseInfoDate(value: unknown): number | undefined {
  if (!(value instanceof PDFString || value instanceof PDFHexString)) return undefined;
  try {
    const time = value.decodeDate().getTime();
    return Number.isFinite(time) ? time : undefined;
  } catch {
    // pdf-lib throws for invalid dates; such a file counts as undated.
    return undefined;
  }
}
