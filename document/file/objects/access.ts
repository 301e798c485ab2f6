import {
  PDFArray,
  type PDFContext,
  PDFDict,
  pdfDocEncodingDecode,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFNull,
  type PDFObject,
  PDFRef,
  PDFStream,
  PDFString,
} from 'pdf-lib';
import { lookupRef } from './entries.js';

/** A reference may point to an object that is itself a reference; a longer chain than this is a loop. */
const MAX_HOPS = 32;

/** Follows references and returns the object; undefined for a missing object and for null (ISO 32000-1, 7.3.10). */
export function resolve(context: PDFContext, value: PDFObject | undefined): PDFObject | undefined {
  let object = value;
  for (let hop = 0; object instanceof PDFRef; hop++) {
    if (hop === MAX_HOPS) return undefined;
    object = lookupRef(context, object);
  }
  return object === PDFNull ? undefined : object;
}

/** Returns the resolved dictionary (a stream's dictionary for a stream), or undefined. */
export function asDict(context: PDFContext, value: PDFObject | undefined): PDFDict | undefined {
  const object = resolve(context, value);
  if (object instanceof PDFStream) return object.dict;
  return object instanceof PDFDict ? object : undefined;
}

/** Returns the resolved array, or undefined. */
export function asArray(context: PDFContext, value: PDFObject | undefined): PDFArray | undefined {
  const object = resolve(context, value);
  return object instanceof PDFArray ? object : undefined;
}

/** Returns the elements of the resolved array, references unresolved; an empty list when it is not an array. */
export function elements(context: PDFContext, value: PDFObject | undefined): PDFObject[] {
  return asArray(context, value)?.asArray() ?? [];
}

/** Returns the resolved number when it is finite, or undefined. */
export function asNumber(context: PDFContext, value: PDFObject | undefined): number | undefined {
  const object = resolve(context, value);
  if (!(object instanceof PDFNumber)) return undefined;
  const number = object.asNumber();
  return Number.isFinite(number) ? number : undefined;
}

/** Returns the resolved name, decoded and without its slash, or undefined. */
export function asName(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const object = resolve(context, value);
  return object instanceof PDFName ? nameText(object) : undefined;
}

/** True for literal and hexadecimal strings. */
export function isString(object: PDFObject | undefined): object is PDFString | PDFHexString {
  return object instanceof PDFString || object instanceof PDFHexString;
}

/** pdf-lib decodes with one function argument per character; longer strings would overflow the stack. */
const MAX_DECODED_AT_ONCE = 50_000;
/** The UTF-8 byte order mark, decoded as PDFDocEncoding. */
const UTF8 = '\u00ef\u00bb\u00bf';

/** Returns the text of the resolved string (PDFDocEncoding, UTF-16, or UTF-8 of ISO 32000-2, 7.9.2.2), or undefined. */
export function asText(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const object = resolve(context, value);
  if (!isString(object)) return undefined;
  if (object.asString().length > MAX_DECODED_AT_ONCE) return longText(object);
  const text = object.decodeText();
  return text.startsWith(UTF8) ? textOfBytes(object.asBytes()) : text;
}

/** Many values may refer to one long string. */
const longTexts = new WeakMap<PDFObject, string>();

function longText(object: PDFString | PDFHexString): string {
  const text = longTexts.get(object) ?? textOfBytes(object.asBytes());
  longTexts.set(object, text);
  return text;
}

/** Decodes the bytes of a string or text stream of any length (ISO 32000-2, 7.9.2.2). */
export function textOfBytes(bytes: Uint8Array): string {
  const mark = Buffer.from(bytes.subarray(0, 3)).toString('latin1');
  if (mark === UTF8) return Buffer.from(bytes).toString('utf8', 3);
  if (mark.startsWith('\u00fe\u00ff')) return new TextDecoder('utf-16be').decode(bytes);
  if (mark.startsWith('\u00ff\u00fe')) return new TextDecoder('utf-16le').decode(bytes);
  let text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
  if (!/[\x18-\x1f\x7f-\xa0\xad]/.test(text)) return text;
  text = '';
  for (let at = 0; at < bytes.length; at += MAX_DECODED_AT_ONCE)
    text += pdfDocEncodingDecode(bytes.subarray(at, at + MAX_DECODED_AT_ONCE));
  return text;
}

/**
 * Returns the bytes of the resolved string as one character per byte: the form in which name tree keys compare (ISO
 * 32000-1, 7.9.6).
 */
export function asByteString(context: PDFContext, value: PDFObject | undefined): string | undefined {
  const object = resolve(context, value);
  return isString(object) ? Buffer.from(object.asBytes()).toString('latin1') : undefined;
}

/** Creates a string object from one character per byte. */
export function byteString(bytes: string): PDFHexString {
  return PDFHexString.of(Buffer.from(bytes, 'latin1').toString('hex'));
}

/** pdf-lib decodes escapes and looks names up each time; there are few distinct keys, each used millions of times. */
const MAX_CACHED_NAMES = 2000;
const namesByText = new Map<string, PDFName>();
const textsByName = new WeakMap<PDFName, string>();

/** Returns the name object of a dictionary key, from a cache. */
export function keyName(key: string): PDFName {
  const known = namesByText.get(key);
  if (known !== undefined) return known;
  const name = PDFName.of(key);
  if (namesByText.size < MAX_CACHED_NAMES) namesByText.set(key, name);
  return name;
}

/** Returns a name's decoded text without its slash. */
export function nameText(name: PDFName): string {
  const known = textsByName.get(name);
  if (known !== undefined) return known;
  const text = name.decodeText();
  textsByName.set(name, text);
  return text;
}

/** Returns the value of a key, unresolved. */
export function entry(dict: PDFDict, key: string): PDFObject | undefined {
  return dict.get(keyName(key));
}

/** Sets a key, or removes it when the value is undefined. */
export function setEntry(dict: PDFDict, key: string, value: PDFObject | undefined): void {
  if (value === undefined) dict.delete(keyName(key));
  else dict.set(keyName(key), value);
}

/** Creates an array of these elements. */
export function arrayOf(context: PDFContext, values: Iterable<PDFObject>): PDFArray {
  const array = PDFArray.withContext(context);
  for (const value of values) array.push(value);
  return array;
}

/** Creates a dictionary of these entries; undefined ones are left out. */
export function dictOf(context: PDFContext, values: Readonly<Record<string, PDFObject | undefined>>): PDFDict {
  const dict = PDFDict.withContext(context);
  for (const [key, value] of Object.entries(values)) if (value !== undefined) dict.set(PDFName.of(key), value);
  return dict;
}

/** Returns the document's catalog, or undefined when the trailer names none. */
export function catalogOf(context: PDFContext): PDFDict | undefined {
  return asDict(context, context.trailerInfo.Root);
}
