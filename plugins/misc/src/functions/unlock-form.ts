import { PDFBool, type PDFContext, PDFArray, PDFNumber, PDFRawStream, PDFRef } from 'pdf-lib';
import { decodeUtf16Le } from '@quire/document/file/charsets';
import { asNumber, entry, resolve, setEntry } from '@quire/document/file/objects';
import { acroFormOf, allFieldNodes, readFields } from '@quire/document/forms/fields';
import { decodeStream } from '@quire/document/file/reader';

export interface Unlocked {
  /** Number of fields that were read-only, or that a signature would have made read-only. */
  readonly fields: number;
  /** Number of parts of the XFA form in which something was unlocked. */
  readonly xfaParts: number;
}

/** Bit 1 of the field flags (ISO 32000-1, table 221). */
const READ_ONLY = 1;

/**
 * Makes every form field editable, in place (`docs/interface/misc.yml`, unlock-pdf-forms): removes the read-only flags
 * and signature locks, asks viewers to draw the fields again, and opens read-only elements of XFA. Changes nothing in a
 * document without a form. Throws the errors of the inflation limits, for XFA.
 */
export function unlockForm(context: PDFContext): Unlocked {
  const form = acroFormOf(context);
  if (form === undefined) return { fields: 0, xfaParts: 0 };
  let fields = 0;
  for (const { dict } of allFieldNodes(readFields(context))) {
    const flags = asNumber(context, entry(dict, 'Ff')) ?? 0;
    const locked = entry(dict, 'Lock') !== undefined;
    if ((flags & READ_ONLY) === 0 && !locked) continue;
    if ((flags & READ_ONLY) !== 0) setEntry(dict, 'Ff', PDFNumber.of(flags & ~READ_ONLY));
    setEntry(dict, 'Lock', undefined);
    fields += 1;
  }
  setEntry(form, 'NeedAppearances', PDFBool.True);
  const xfa = resolve(context, entry(form, 'XFA'));
  // One stream, or an array of alternating names and streams (ISO 32000-1, 12.7.8).
  const parts = xfa instanceof PDFArray ? xfa.asArray() : [entry(form, 'XFA')];
  const xfaParts = parts.filter((part) => part instanceof PDFRef && openXfa(context, part)).length;
  return { fields, xfaParts };
}

function openXfa(context: PDFContext, ref: PDFRef): boolean {
  const stream = resolve(context, ref);
  if (!(stream instanceof PDFRawStream)) return false;
  const bytes = decodeStream(stream, (value) => resolve(context, value));
  const encoding = bytes === undefined ? undefined : encodingOf(bytes);
  if (bytes === undefined || encoding === undefined) return false;
  const xml = decode(bytes, encoding);
  const opened = withOpenAccess(xml);
  if (opened === xml) return false;
  context.assign(ref, context.flateStream(encode(opened, encoding)));
  return true;
}

/** latin1 works byte by byte for any encoding that contains ASCII; UTF-16 is detected by its byte order mark. */
type Encoding = 'latin1' | 'utf-16le' | 'utf-16be';

function encodingOf([first, second]: Uint8Array): Encoding {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'latin1';
}

function decode(bytes: Uint8Array, encoding: Encoding): string {
  const buffer = Buffer.from(bytes);
  return encoding === 'latin1'
    ? buffer.toString('latin1')
    : decodeUtf16Le(encoding === 'utf-16be' && buffer.length % 2 === 0 ? buffer.swap16() : buffer);
}

function encode(text: string, encoding: Encoding): Uint8Array {
  const buffer = Buffer.from(text, encoding === 'latin1' ? 'latin1' : 'utf16le');
  return encoding === 'utf-16be' ? buffer.swap16() : buffer;
}

/** Comments and CDATA are skipped up to their end, or to the end of the text. */
const TAGS = new RegExp(
  [
    /<!--[\s\S]*?(?:-->|$)/,
    /<!\[CDATA\[[\s\S]*?(?:\]\]>|$)/,
    /<[\p{L}_:][^\s<>/"']*(?:\s+[^\s=<>"']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))+\s*\/?>/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gu',
);
const ACCESS = /(\saccess\s*=\s*)(?:"readOnly"|'readOnly')/g;

/** Returns XFA with all read-only elements (XFA 3.3, access) set to open. Scripts and comments stay as they are. */
export function withOpenAccess(xml: string): string {
  return xml.replaceAll(TAGS, (tag) => (tag.startsWith('<!') ? tag : tag.replaceAll(ACCESS, '$1"open"')));
}
