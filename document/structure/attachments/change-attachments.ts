import {
  type PDFContext,
  PDFDict,
  PDFHexString,
  PDFName,
  PDFNumber,
  type PDFObject,
  type PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib';
import {
  arrayOf,
  asByteString,
  asDict,
  byteString,
  catalogOf,
  dictOf,
  elements,
  entry,
  readNameTree,
  resolve,
  setEntry,
  writeNameTree,
} from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';
import { dropAnnotations } from '../annotations/annotations.js';
import { embeddedFile, shownName } from './attachments.js';

/** A file to embed. */
export interface NewAttachment {
  readonly name: string;
  /** Its data, encoded as its dictionary states. */
  readonly file: PDFRawStream;
  readonly mediaType: string;
  /** Bytes of the file itself. */
  readonly size: number;
  /** MD5 of the file itself, 16 bytes (ISO 32000-1, table 46). */
  readonly checksum: Uint8Array;
  readonly created?: Date;
  readonly modified?: Date;
  readonly description?: string;
  /**
   * Relationship to the document (ISO 32000-2, 14.13); the file is then also listed as an associated file. Absent for a
   * plain attachment.
   */
  readonly relationship?: Relationship;
}

/** Relationships between a file and the document (ISO 19005-3, 6.8). */
export const relationships = ['Source', 'Data', 'Alternative', 'Supplement', 'Unspecified'] as const;
export type Relationship = (typeof relationships)[number];

interface Entry {
  readonly key: string;
  readonly value: PDFObject;
}

/**
 * Embeds files in the document's list, replacing files that are shown under the same names, and makes viewers show the
 * list when they open the document. The names must differ. Returns the number of replaced files.
 */
export function addAttachments(
  context: PDFContext,
  pages: readonly PageEntry[],
  files: readonly NewAttachment[],
): number {
  const catalog = catalogOf(context);
  if (catalog === undefined || files.length === 0) return 0;
  const names = new Set(files.map(({ name }) => name));
  const before = readEntries(context);
  const replaced = takeOut(
    context,
    catalog,
    pages,
    before,
    before.filter((each) => names.has(nameOf(context, each) ?? '')),
  );
  const entries = readEntries(context);
  const taken = new Set(entries.map(({ key }) => key));
  const associated = elements(context, entry(catalog, 'AF'));
  for (const file of files) {
    const spec = specification(context, file);
    const key = freeKey(file.name, taken);
    taken.add(key);
    entries.push({ key, value: spec });
    if (file.relationship !== undefined) associated.push(spec);
  }
  writeEntries(context, entries);
  if (associated.length > 0) setEntry(catalog, 'AF', arrayOf(context, associated));
  setEntry(catalog, 'PageMode', PDFName.of('UseAttachments'));
  return replaced;
}

/** Creates a file specification with its embedded file (ISO 32000-1, tables 44 to 46). */
function specification(
  context: PDFContext,
  { name, file, mediaType, size, checksum, created, modified, description, relationship }: NewAttachment,
): PDFRef {
  const dateOf = (time: Date | undefined): PDFString | undefined =>
    time === undefined ? undefined : PDFString.fromDate(time);
  for (const [key, value] of Object.entries({
    Type: PDFName.of('EmbeddedFile'),
    Subtype: PDFName.of(mediaType),
    Params: dictOf(context, {
      Size: PDFNumber.of(size),
      CreationDate: dateOf(created),
      ModDate: dateOf(modified),
      CheckSum: PDFHexString.of(Buffer.from(checksum).toString('hex')),
    }),
  }))
    setEntry(file.dict, key, value);
  const stream = context.register(file);
  return context.register(
    dictOf(context, {
      Type: PDFName.of('Filespec'),
      F: textString(name),
      UF: textString(name),
      Desc: description === undefined ? undefined : textString(description),
      EF: dictOf(context, { F: stream, UF: stream }),
      AFRelationship: relationship === undefined ? undefined : PDFName.of(relationship),
    }),
  );
}

/**
 * Renames a file in the document's list. Returns `taken` if another file has the new name, `unknown` if no file has the
 * old one; nothing is changed then.
 */
export function renameAttachment(context: PDFContext, from: string, to: string): 'renamed' | 'taken' | 'unknown' {
  const entries = readEntries(context);
  const at = indexOf(context, entries, from);
  const found = entries[at];
  const spec = found === undefined ? undefined : asDict(context, found.value);
  if (found === undefined || spec === undefined) return 'unknown';
  const others = entries.filter((_each, i) => i !== at);
  if (others.some((other) => nameOf(context, other) === to)) return 'taken';
  // Obsolete names for single systems would still contain the old one.
  for (const key of ['Unix', 'Mac', 'DOS']) setEntry(spec, key, undefined);
  for (const key of ['F', 'UF']) setEntry(spec, key, textString(to));
  // In a portfolio, the key starts with the ID of the file's folder (ISO 32000-2, 7.11.6).
  const folder = /^<\d+>/.exec(found.key)?.[0] ?? '';
  const key = freeKey(to, new Set(others.map((each) => each.key)), folder);
  writeEntries(
    context,
    entries.map((each, i) => (i === at ? { ...each, key } : each)),
  );
  const collection = collectionOf(context);
  if (collection !== undefined && firstShown(context, collection) === found.key)
    setEntry(collection, 'D', byteString(key));
  return 'renamed';
}

/**
 * Removes the first file of that name from the document's list, from the associated files, and from annotations that
 * show this very file. Its specification then embeds nothing, even if something still refers to it. Returns false if
 * there is no such file.
 */
export function removeAttachment(context: PDFContext, pages: readonly PageEntry[], name: string): boolean {
  const catalog = catalogOf(context);
  const entries = readEntries(context);
  const found = entries[indexOf(context, entries, name)];
  return catalog !== undefined && found !== undefined && takeOut(context, catalog, pages, entries, [found]) > 0;
}

/** Removes the files of these specifications like `removeAttachment`, wherever they are listed. */
export function dropFiles(context: PDFContext, pages: readonly PageEntry[], specs: ReadonlySet<PDFDict>): void {
  const catalog = catalogOf(context);
  if (catalog === undefined || specs.size === 0) return;
  const entries = readEntries(context);
  const gone = entries.filter(({ value }) => specs.has(asDict(context, value) ?? catalog));
  takeOut(context, catalog, pages, entries, gone, specs);
}

/**
 * Removes these entries from the list in one pass: a hostile document may list a hundred thousand files under one name.
 */
function takeOut(
  context: PDFContext,
  catalog: PDFDict,
  pages: readonly PageEntry[],
  entries: readonly Entry[],
  gone: readonly Entry[],
  others: Iterable<PDFDict> = [],
): number {
  const [going, specs] = [new Set(gone), new Set([...gone.map(({ value }) => asDict(context, value)), ...others])];
  if (specs.size === 0) return 0;
  const isGone = (value: PDFObject | undefined): boolean => {
    const spec = asDict(context, value);
    return spec !== undefined && specs.has(spec);
  };
  if (gone.length > 0)
    writeEntries(
      context,
      entries.filter((each) => !going.has(each)),
    );
  for (const spec of specs)
    if (spec !== undefined) for (const key of ['EF', 'RF', 'Thumb']) setEntry(spec, key, undefined);
  for (const owner of [catalog, ...pages.map(({ dict }) => dict)]) {
    const associated = elements(context, entry(owner, 'AF'));
    const kept = associated.filter((value) => !isGone(value));
    if (kept.length < associated.length) setEntry(owner, 'AF', kept.length === 0 ? undefined : arrayOf(context, kept));
  }
  for (const { dict } of pages)
    dropAnnotations(
      context,
      dict,
      (annotation) => annotation.kind === 'FileAttachment' && isGone(entry(annotation.dict, 'FS')),
    );
  const collection = collectionOf(context);
  if (collection !== undefined && gone.some(({ key }) => firstShown(context, collection) === key))
    setEntry(collection, 'D', undefined);
  return gone.length;
}

/** Reads the files of the list. Other entries are kept and have no name. */
function readEntries(context: PDFContext): Entry[] {
  const catalog = catalogOf(context);
  const names = asDict(context, catalog === undefined ? undefined : entry(catalog, 'Names'));
  return readNameTree(context, names === undefined ? undefined : entry(names, 'EmbeddedFiles')).map(([key, value]) => ({
    key,
    value,
  }));
}

function writeEntries(context: PDFContext, entries: readonly Entry[]): void {
  const catalog = catalogOf(context);
  if (catalog === undefined) return;
  let names = resolve(context, entry(catalog, 'Names'));
  if (!(names instanceof PDFDict)) {
    names = dictOf(context, {});
    setEntry(catalog, 'Names', names);
  }
  if (names instanceof PDFDict)
    setEntry(
      names,
      'EmbeddedFiles',
      entries.length === 0
        ? undefined
        : writeNameTree(
            context,
            entries.map(({ key, value }) => [key, value] as const),
          ),
    );
}

function indexOf(context: PDFContext, entries: readonly Entry[], name: string): number {
  const shown = entries.findIndex((each) => nameOf(context, each) === name);
  return shown >= 0
    ? shown
    : entries.findIndex((each) => nameOf(context, each) !== undefined && byteString(each.key).decodeText() === name);
}

/** Returns the name of an embedded file as in `listAttachments`. */
function nameOf(context: PDFContext, { key, value }: Entry): string | undefined {
  const spec = asDict(context, value);
  return spec === undefined || embeddedFile(context, spec) === undefined ? undefined : shownName(context, spec, key);
}

/** Returns an unused key, since viewers look files up by key. */
function freeKey(name: string, taken: ReadonlySet<string>, folder = ''): string {
  for (let n = 0; ; n++) {
    const key = textBytes(`${folder}${name}${n === 0 ? '' : ` (${n})`}`);
    if (!taken.has(key)) return key;
  }
}

/** Creates a text string (ISO 32000-1, 7.9.2.2): a plain one for ASCII, else UTF-16. */
function textString(text: string): PDFHexString {
  return byteString(textBytes(text));
}

function textBytes(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  return Buffer.from(PDFHexString.fromText(text).asBytes()).toString('latin1');
}

function collectionOf(context: PDFContext): PDFDict | undefined {
  const catalog = catalogOf(context);
  return asDict(context, catalog === undefined ? undefined : entry(catalog, 'Collection'));
}

/** Returns the key of the file that a portfolio shows first (ISO 32000-1, table 155). */
function firstShown(context: PDFContext, collection: PDFDict): string | undefined {
  return asByteString(context, entry(collection, 'D'));
}
