import { PDFBool, type PDFContext, PDFName, PDFNumber, type PDFObject } from 'pdf-lib';
import { asName, asText, catalogOf, entry, isString, nameText, resolve } from '../../file/objects/index.js';
import { infoOf, isoDate } from '../metadata/index.js';

/** The information dictionary (ISO 32000-1, 14.3.3). */
export interface InfoFacts {
  /** Title, Author, Subject, Keywords, Producer and Creator, if present. */
  readonly texts: readonly (readonly [key: string, value: string])[];
  /** Dates in ISO 8601 with their time zone; undefined if invalid. */
  readonly created: string | undefined;
  readonly modified: string | undefined;
  /** True, False or Unknown; undefined if missing. */
  readonly trapped: string | undefined;
  /** Other entries with a text, name, number or boolean value, as text; blank ones are left out. */
  readonly custom: readonly (readonly [key: string, value: string])[];
}

const TEXTS = ['Title', 'Author', 'Subject', 'Keywords', 'Producer', 'Creator'] as const;
const KNOWN: ReadonlySet<string> = new Set([...TEXTS, 'CreationDate', 'ModDate', 'Trapped']);

/** Reads the information dictionary; all members are empty if there is none. */
export function infoFacts(context: PDFContext): InfoFacts {
  const info = infoOf(context);
  const value = (key: string): PDFObject | undefined => (info === undefined ? undefined : entry(info, key));
  const texts = TEXTS.flatMap((key): [string, string][] => {
    const text = asText(context, value(key));
    return text === undefined ? [] : [[key, text]];
  });
  const custom = (info?.entries() ?? []).flatMap(([name, stored]): [string, string][] => {
    const [key, text] = [nameText(name), simpleText(context, stored)];
    return KNOWN.has(key) || text === undefined || text.trim() === '' ? [] : [[key, text]];
  });
  return {
    texts,
    created: dateOf(context, value('CreationDate')),
    modified: dateOf(context, value('ModDate')),
    trapped: simpleText(context, value('Trapped')),
    custom,
  };
}

/** Parses a date string (ISO 32000-1, 7.9.4; also without the prefix `D:`); returns undefined if it is invalid. */
function dateOf(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const text = asText(context, value)?.trim();
  return isoDate(text) ?? isoDate(`D:${text ?? ''}`);
}

/**
 * Returns the PDF version of a document: that of its header, or of the catalog if that is later (ISO 32000-1, 7.2.2).
 */
export function pdfVersion(context: PDFContext): number {
  const catalog = catalogOf(context);
  const header = /%PDF-(\d\.\d+)/.exec(context.header.toString())?.[1] ?? '1.7';
  const later =
    catalog === undefined ? '' : (/^\d\.\d+$/.exec(asName(context, entry(catalog, 'Version')) ?? '')?.[0] ?? '');
  return Math.max(Number(header), Number(later));
}

/** Returns the catalog's /PageMode (ISO 32000-1, table 28); unknown values count as UseNone. */
export function pageMode(
  context: PDFContext,
): 'UseNone' | 'UseOutlines' | 'UseThumbs' | 'FullScreen' | 'UseOC' | 'UseAttachments' {
  const catalog = catalogOf(context);
  const mode = catalog === undefined ? undefined : asName(context, entry(catalog, 'PageMode'));
  switch (mode) {
    case 'UseOutlines':
    case 'UseThumbs':
    case 'FullScreen':
    case 'UseOC':
    case 'UseAttachments':
      return mode;
    default:
      return 'UseNone';
  }
}

function simpleText(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const object = resolve(context, value);
  if (isString(object)) return object.decodeText();
  if (object instanceof PDFName) return nameText(object);
  return object instanceof PDFNumber || object instanceof PDFBool ? object.toString() : undefined;
}
