import { type PDFContext, PDFDict, PDFName, type PDFObject, type PDFRef } from 'pdf-lib';
import { bounds } from '../../bounds.js';
import { asDict, asName, catalogOf, entry, resolve, setEntry } from '../objects/index.js';
import { writePageTree } from '../../structure/pages/index.js';
import { type LazyDocument, openLazily } from '../reader/index.js';

/** Attributes that pages inherit from their ancestors (ISO 32000-1, table 30). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'];
const MAX_HEIGHT = 50;

/**
 * Opens a file whose catalog or page tree is lost: every object of type Page becomes a page, in file order, under the
 * remains of the catalog. Undefined when there is no page, or when the file is encrypted. Throws the errors of
 * `openLazily`.
 */
export function gatherPages(bytes: Uint8Array): LazyDocument | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (file.includes('/Encrypt')) return undefined;
  const document = openLazily(withEmptyRoot(file));
  const { context } = document;
  const places = new Map<PDFRef, number>();
  let oldCatalog: PDFDict | undefined;
  for (const ref of document.references()) {
    const object = resolve(context, ref);
    if (!(object instanceof PDFDict)) continue;
    const type = asName(context, entry(object, 'Type'));
    if (type === 'Page') places.set(ref, placeOf(document, ref.objectNumber));
    else if (type === 'Catalog' && object !== catalogOf(context)) oldCatalog = object;
  }
  if (places.size === 0) return undefined;
  const pages = [...places.keys()].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
  for (const ref of pages) inheritAll(context, ref);
  const catalog = catalogOf(context);
  if (catalog === undefined) return undefined;
  for (const [key, value] of oldCatalog?.entries() ?? []) if (key !== PDFName.of('Pages')) catalog.set(key, value);
  setEntry(catalog, 'Pages', writePageTree(context, pages));
  return document;
}

/**
 * The file followed by a catalog without pages, found through a cross-reference that lists nothing; this makes the
 * reader search for all objects.
 */
function withEmptyRoot(file: Buffer): Buffer {
  let largest = 0;
  for (const [, number] of file.toString('latin1').matchAll(/(?<!\d)(\d{1,7})[\0\t\n\f\r ]+\d{1,5}[\0\t\n\f\r ]+obj/g))
    largest = Math.max(largest, Number(number));
  const root = Math.min(largest, bounds.objectNumber - 2) + 1;
  const objects =
    `\n${root} 0 obj\n<</Type/Catalog/Pages ${root + 1} 0 R>>\nendobj\n` +
    `${root + 1} 0 obj\n<</Type/Pages/Kids[]/Count 0>>\nendobj\n`;
  const start = file.length + objects.length;
  return Buffer.concat([
    file,
    Buffer.from(
      `${objects}xref\n0 0\ntrailer\n<</Root ${root} 0 R/Size ${root + 2}>>\nstartxref\n${start}\n%%EOF\n`,
      'latin1',
    ),
  ]);
}

/** A sort key for an object's position; objects in a stream follow its beginning in their order. */
function placeOf(document: LazyDocument, number: number): number {
  const found = document.entry(number);
  if (found?.kind === 'at') return found.position;
  if (found?.kind !== 'in') return 0;
  const stream = document.entry(found.stream);
  return (stream?.kind === 'at' ? stream.position : 0) + (found.index + 1) / (bounds.objectNumber + 2);
}

function inheritAll(context: PDFContext, ref: PDFRef): void {
  const page = asDict(context, ref);
  if (page === undefined) return;
  const missing = new Set(INHERITED.filter((key) => resolve(context, entry(page, key)) === undefined));
  let above: PDFDict | undefined = asDict(context, entry(page, 'Parent'));
  for (let height = 0; above !== undefined && missing.size > 0 && height < MAX_HEIGHT; height++) {
    for (const key of missing) {
      const value: PDFObject | undefined = entry(above, key);
      if (resolve(context, value) === undefined) continue;
      setEntry(page, key, value);
      missing.delete(key);
    }
    above = asDict(context, entry(above, 'Parent'));
  }
  // A page must have one; readers assume Letter where it is missing.
  if (missing.has('MediaBox')) setEntry(page, 'MediaBox', context.obj([0, 0, 612, 792]));
}
