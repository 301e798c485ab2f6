import {
  PDFArray,
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  type PDFObject,
  PDFRawStream,
  type PDFString,
} from 'pdf-lib';
import { cleanContent } from '../syntax/index.js';
import { asDict, asName, entry, isString, nameText, resolve } from '../../file/objects/index.js';
import { dictOfHolder, everyObject } from '../../file/objects/index.js';
import { decodedBytes, isFoundInAddress, isFoundInBytes, isFoundInMarkup } from './found-in.js';
import type { NewNames } from './new-names.js';
import { isFound, lookAhead, type TextFinder, withoutFound } from './text-finder.js';
import { readString } from './text-string.js';

/** Strings that are not text: tables. */
const NO_TEXT: ReadonlySet<string> = new Set(['ByteRange', 'Lookup', 'Style']);
/** Strings that are not text either, but may spell it: then they are removed, since a part of one means nothing. */
const CODES: ReadonlySet<string> = new Set(['ID', 'CheckSum', 'Lang', 'Panose', 'CharSet', 'Cert']);
/** Names of character collections (ISO 32000-1, table 116). */
const COLLECTIONS: ReadonlySet<string> = new Set(['Registry', 'Ordering']);
const KNOWN_COLLECTIONS: ReadonlySet<string> = new Set([
  'Adobe',
  'Identity',
  'UCS',
  'Japan1',
  'GB1',
  'CNS1',
  'Korea1',
  'KR',
]);
/** Strings that refer to something by name. */
const CALLS: ReadonlySet<string> = new Set(['Dest', 'D', 'Headers']);
/** Addresses are removed completely: a part of one leads somewhere else. */
const ADDRESSES: ReadonlySet<string> = new Set(['URI', 'URL', 'Base']);
/** Rich text (ISO 32000-1, 12.7.3.4) is removed completely; the plain text beside it stays. */
const FORMATTED: ReadonlySet<string> = new Set(['RC', 'RV']);
/** Keys of streams that are not text; other streams declare their type. */
const NO_TEXT_STREAMS: ReadonlySet<string> = new Set([
  'Contents',
  'FontFile',
  'FontFile2',
  'FontFile3',
  'ToUnicode',
  'Encoding',
  'UseCMap',
  'CIDToGIDMap',
  'CIDSet',
  'DestOutputProfile',
  'SMask',
  'Mask',
  'JBIG2Globals',
  'Thumb',
  'G',
  'TR',
  'TR2',
  'BG',
  'BG2',
  'UCR',
  'UCR2',
  'HT',
  'Function',
  'Functions',
  'Sound',
  '3DD',
  'EF',
  'RF',
]);
/** Entries of streams of images, forms, patterns, functions, fonts and colour profiles (ISO 32000-1, 8 to 10). */
const TYPED = [
  'Type',
  'Subtype',
  'FunctionType',
  'PatternType',
  'ShadingType',
  'BBox',
  'Width',
  'Length1',
  'N',
] as const;
/** Lists of streams for validation (ISO 32000-2, 12.8.4.3 and 12.8.4.4): nothing depends on places in them. */
const VALIDATION: ReadonlySet<string> = new Set(['Certs', 'OCSPs', 'CRLs', 'Cert', 'OCSP', 'CRL']);
/** Deepest nesting of arrays. */
const MAX_DEPTH = 100;

/** Number of strings and of text streams from which something was removed. */
export interface CleanedStrings {
  readonly strings: number;
  readonly streams: number;
}

/**
 * Removes found text from every text string and text stream of a document, in place. Texts are cut and keep their
 * encoding; addresses, dates, rich text and streams are removed completely; names that other objects refer to are
 * replaced by `names`.
 */
export function cleanStrings(context: PDFContext, find: TextFinder, names: NewNames): CleanedStrings {
  lookAhead(stringsIn(context), find);
  const cleaning = new Cleaning(context, find, names);
  for (const holder of everyObject(context)) if (!(holder instanceof PDFArray)) cleaning.entries(dictOfHolder(holder));
  return cleaning;
}

/** The texts of all strings in dictionaries and arrays: a tagged document has tens of thousands. */
function stringsIn(context: PDFContext): Set<string> {
  const found = new Set<string>();
  for (const holder of everyObject(context)) {
    const values = holder instanceof PDFArray ? holder.asArray() : dictOfHolder(holder).values();
    for (const value of values) if (isString(value)) found.add(readString(value).text);
  }
  return found;
}

class Cleaning implements CleanedStrings {
  strings = 0;
  streams = 0;
  readonly #arrays = new Set<PDFArray>();
  readonly #judged = new Map<PDFRawStream, boolean>();
  /** Dictionaries whose streams draw the glyphs of a Type 3 font. */
  readonly #glyphs = new Set<PDFDict>();

  constructor(
    private readonly context: PDFContext,
    private readonly find: TextFinder,
    private readonly names: NewNames,
  ) {}

  entries(dict: PDFDict): void {
    const glyphs = asDict(this.context, entry(dict, 'CharProcs'));
    if (glyphs !== undefined) this.#glyphs.add(glyphs);
    for (const [key, value] of dict.entries()) {
      const name = nameText(key);
      if (this.#isNoText(dict, name)) continue;
      const now = this.#cleaned(dict, name, value, 0);
      if (now === value) continue;
      if (now === undefined) dict.delete(key);
      else dict.set(key, now);
    }
  }

  /** Returns the cleaned value: the same, another one, or undefined to remove the entry. */
  #cleaned(owner: PDFDict, key: string, value: PDFObject, depth: number): PDFObject | undefined {
    const object = resolve(this.context, value);
    if (object instanceof PDFDict) return this.#signatureGoes(object) ? undefined : value;
    if (isString(object)) return this.#string(owner, key, object, value);
    if (object instanceof PDFName) return CALLS.has(key) ? (this.names.ofName(object) ?? value) : value;
    if (object instanceof PDFArray) this.#elements(owner, key, object, depth);
    if (!(object instanceof PDFRawStream) || !this.#streamGoes(owner, key, object)) return value;
    this.streams++;
    return undefined;
  }

  #elements(owner: PDFDict, key: string, array: PDFArray, depth: number): void {
    if (
      this.#arrays.has(array) ||
      depth > MAX_DEPTH ||
      ['Indexed', 'I'].includes(asName(this.context, array.size() === 4 ? array.get(0) : undefined) ?? '')
    )
      return;
    this.#arrays.add(array);
    // From the end, because elements may be removed.
    for (const [i, element] of [...array.asArray().entries()].reverse()) {
      const now = this.#cleaned(owner, key, element, depth + 1);
      if (now === undefined && VALIDATION.has(key)) array.remove(i);
      else if (now !== element) array.set(i, now ?? PDFHexString.of(''));
    }
  }

  #string(owner: PDFDict, key: string, object: PDFString | PDFHexString, value: PDFObject): PDFObject | undefined {
    const { text, write } = readString(object);
    if (CALLS.has(key) || (key === 'ID' && isElement(this.context, owner))) return this.names.ofString(object) ?? value;
    if (key === 'DA') return this.#appearance(object) ?? value;
    if (COLLECTIONS.has(key)) return KNOWN_COLLECTIONS.has(text) ? value : (this.names.ofString(object) ?? value);
    if (CODES.has(key)) return this.#code(object, value);
    const whole = ADDRESSES.has(key)
      ? isFoundInAddress(text, this.find)
      : (FORMATTED.has(key) || /^D:\d{4}/.test(text)) && isFoundInMarkup(text, this.find);
    const rest = whole ? '' : withoutFound(text, this.find);
    const now = rest === undefined ? object : write(rest);
    const hidden = !whole && isHidden(now, this.find);
    if (rest === undefined && !hidden) return value;
    this.strings++;
    return whole ? undefined : hidden ? PDFHexString.of('') : now;
  }

  /** A default appearance is content (ISO 32000-1, 12.7.3.3). */
  #appearance(object: PDFString | PDFHexString): PDFObject | undefined {
    const clean = cleanContent(object.asBytes(), { find: this.find, names: this.names });
    if (clean === undefined) return undefined;
    this.strings++;
    return PDFHexString.of(Buffer.from(clean).toString('hex'));
  }

  #code(object: PDFString | PDFHexString, value: PDFObject): PDFObject | undefined {
    if (!isFoundInBytes(Buffer.from(object.asBytes()), this.find)) return value;
    this.strings++;
    return undefined;
  }

  #isNoText(dict: PDFDict, key: string): boolean {
    if (key === 'Contents')
      return entry(dict, 'ByteRange') !== undefined || asName(this.context, entry(dict, 'Type')) === 'Sig';
    return NO_TEXT.has(key);
  }

  /** Rewriting the document breaks signatures anyway, and their certificates name the signer. */
  #signatureGoes(dict: PDFDict): boolean {
    if (entry(dict, 'ByteRange') === undefined) return false;
    const certificates = resolve(this.context, entry(dict, 'Cert'));
    const goes = [
      entry(dict, 'Contents'),
      ...(certificates instanceof PDFArray ? certificates.asArray() : [certificates]),
    ]
      .map((value) => resolve(this.context, value))
      .some((value) => isString(value) && isFoundInBytes(Buffer.from(value.asBytes()), this.find));
    if (goes) this.strings++;
    return goes;
  }

  #streamGoes(owner: PDFDict, key: string, stream: PDFRawStream): boolean {
    const known = this.#judged.get(stream);
    if (known !== undefined) return known;
    const text =
      !NO_TEXT_STREAMS.has(key) &&
      !this.#glyphs.has(owner) &&
      (FORMATTED.has(key) || TYPED.every((each) => entry(stream.dict, each) === undefined));
    if (!text) return false;
    const bytes = decodedBytes(this.context, stream);
    const goes = bytes !== undefined && isFoundInBytes(bytes, this.find);
    this.#judged.set(stream, goes);
    return goes;
  }
}

/** Detects text in UTF-8 that is not marked as such. */
function isHidden(object: PDFString | PDFHexString, find: TextFinder): boolean {
  const bytes = Buffer.from(object.asBytes());
  if (!bytes.some((byte) => byte > 0x7f) || bytes[0] === 0xfe || bytes[0] === 0xff || bytes[0] === 0xef) return false;
  const text = bytes.toString('utf8');
  return !text.includes('\ufffd') && isFound(text, find);
}

function isElement(context: PDFContext, dict: PDFDict): boolean {
  return (
    asName(context, entry(dict, 'Type')) === 'StructElem' ||
    (entry(dict, 'S') !== undefined && entry(dict, 'P') !== undefined)
  );
}
