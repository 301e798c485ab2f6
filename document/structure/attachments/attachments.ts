import { type PDFContext, type PDFDict, type PDFObject, PDFRawStream } from 'pdf-lib';
import {
  asDict,
  asText,
  byteString,
  catalogOf,
  elements,
  entry,
  readNameTree,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';
import { dropAnnotations, readAnnotations } from '../annotations/annotations.js';

/** A file within the document (ISO 32000-1, 7.11.4). */
export interface Attachment {
  /** Name as viewers show it. */
  readonly name: string;
  /** The file specification. */
  readonly spec: PDFDict;
  /** The file itself; undefined if the specification embeds none. */
  readonly file: PDFRawStream | undefined;
  /**
   * Where it is listed: in the document, on an annotation of a page (0-based), or only as an associated file (ISO
   * 32000-2, 14.13).
   */
  readonly from: 'document' | 'association' | { readonly page: number };
}

/**
 * Reads the files of a document, each once: first those of its list, then those of annotations, then those that are
 * only associated with it.
 */
export function readAttachments(context: PDFContext, pages: readonly PageEntry[]): Attachment[] {
  const catalog = catalogOf(context);
  if (catalog === undefined) return [];
  const found: Attachment[] = [];
  const seen = new Set<PDFDict>();
  const add = (value: PDFObject | undefined, from: Attachment['from'], key = ''): void => {
    const spec = asDict(context, value);
    if (spec === undefined || seen.has(spec)) return;
    seen.add(spec);
    found.push({ name: shownName(context, spec, key), spec, file: embeddedFile(context, spec), from });
  };
  const names = asDict(context, entry(catalog, 'Names'));
  for (const [key, value] of readNameTree(context, names === undefined ? undefined : entry(names, 'EmbeddedFiles')))
    add(value, 'document', key);
  pages.forEach(({ dict }, page) => {
    for (const annotation of readAnnotations(context, dict))
      if (annotation.kind === 'FileAttachment') add(entry(annotation.dict, 'FS'), { page });
  });
  for (const value of elements(context, entry(catalog, 'AF'))) add(value, 'association');
  return found;
}

/**
 * Removes the document's files in place, with the annotations that show them and all associations. Returns the number
 * of removed files.
 */
export function dropAttachments(context: PDFContext, pages: readonly PageEntry[]): number {
  const catalog = catalogOf(context);
  const count = readAttachments(context, pages).length;
  if (catalog === undefined || count === 0) return 0;
  const names = asDict(context, entry(catalog, 'Names'));
  if (names !== undefined) setEntry(names, 'EmbeddedFiles', undefined);
  for (const key of ['AF', 'Collection']) setEntry(catalog, key, undefined);
  for (const { dict } of pages) {
    setEntry(dict, 'AF', undefined);
    dropAnnotations(context, dict, ({ kind }) => kind === 'FileAttachment');
  }
  return count;
}

/**
 * Returns the name of a file as viewers show it: the Unicode name, else another one (ISO 32000-1, table 44), else its
 * key in the name tree.
 */
export function shownName(context: PDFContext, spec: PDFDict, key: string): string {
  for (const entryKey of ['UF', 'F', 'Unix', 'Mac', 'DOS']) {
    const name = asText(context, entry(spec, entryKey));
    if (name !== undefined && name !== '') return name;
  }
  return byteString(key).decodeText();
}

/** Returns the stream that a file specification embeds, or undefined. */
export function embeddedFile(context: PDFContext, spec: PDFDict): PDFRawStream | undefined {
  const files = asDict(context, entry(spec, 'EF'));
  for (const key of ['UF', 'F', 'Unix', 'Mac', 'DOS']) {
    const file = files === undefined ? undefined : resolve(context, entry(files, key));
    if (file instanceof PDFRawStream) return file;
  }
  return undefined;
}
