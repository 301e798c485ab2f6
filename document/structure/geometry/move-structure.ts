import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { arrayOf, asDict, asName, catalogOf, dictOf, entry, resolve, setEntry } from '../../file/objects/index.js';
import { boxOf } from '../pages/index.js';
import { applyToBox, type Matrix } from './matrix.js';
import { boxNumbers } from './write-numbers.js';

/** Where the tagged content of a page is found now. */
export interface ContentMove {
  /** The page that shows it. */
  readonly page: PDFRef;
  /** The form XObject whose content it is now; undefined when it still is the page's own. */
  readonly form?: PDFRef;
  /** From the old page's user space to the new page's. */
  readonly matrix: Matrix;
}

/**
 * Keeps a document tagged whose pages' content moved into form XObjects, in place (ISO 32000-1, 14.7.4): content named
 * by number becomes a reference that names form and page, elements and objects name the new page, and boxes of elements
 * move with it. The form must have the old page's /StructParents (`pageForm` gives it), so that the way from content to
 * elements is as it was. Annotations must have been moved before. A form that is shown more than once is tagged where
 * `moves` says; its other appearances repeat it.
 */
export function moveStructure(context: PDFContext, moves: ReadonlyMap<PDFRef, ContentMove>): void {
  const catalog = catalogOf(context);
  const tree = asDict(context, catalog === undefined ? undefined : entry(catalog, 'StructTreeRoot'));
  if (tree === undefined) return;
  const seen = new Set<PDFObject>([tree]);
  const waiting: PDFDict[] = [tree];
  for (let element = waiting.pop(); element !== undefined; element = waiting.pop()) {
    const own = entry(element, 'Pg');
    const move = own instanceof PDFRef ? moves.get(own) : undefined;
    if (move !== undefined) {
      setEntry(element, 'Pg', move.page);
      moveBoxes(context, entry(element, 'A'), move.matrix, seen);
    }
    const value = entry(element, 'K');
    const list = resolve(context, value);
    const kids = list instanceof PDFArray ? list.asArray() : value === undefined ? [] : [value];
    let changed = false;
    const kept = kids.map((kid) => {
      const item = resolve(context, kid);
      if (item instanceof PDFNumber && move?.form !== undefined) {
        changed = true;
        return dictOf(context, { Type: PDFName.of('MCR'), Pg: move.page, Stm: move.form, MCID: item });
      }
      if (!(item instanceof PDFDict) || seen.has(item)) return kid;
      seen.add(item);
      const type = asName(context, entry(item, 'Type'));
      if (type === 'MCR') moveContent(item, move, moves);
      else if (type === 'OBJR') moveObject(context, item, move, moves);
      else waiting.push(item);
      return kid;
    });
    if (changed) setEntry(element, 'K', kept.length === 1 ? kept[0] : arrayOf(context, kept));
  }
}

/** Content of a form within the page stays that form's (/Stm); only the page is another. */
function moveContent(item: PDFDict, ofElement: ContentMove | undefined, moves: ReadonlyMap<PDFRef, ContentMove>): void {
  const page = entry(item, 'Pg');
  const move = page instanceof PDFRef ? moves.get(page) : ofElement;
  if (move === undefined) return;
  setEntry(item, 'Pg', move.page);
  if (entry(item, 'Stm') === undefined && move.form !== undefined) setEntry(item, 'Stm', move.form);
}

/** An annotation may have gone to another page than the content beside it. */
function moveObject(
  context: PDFContext,
  item: PDFDict,
  ofElement: ContentMove | undefined,
  moves: ReadonlyMap<PDFRef, ContentMove>,
): void {
  const object = resolve(context, entry(item, 'Obj'));
  const own = object instanceof PDFDict && entry(object, 'Subtype') !== undefined ? entry(object, 'P') : undefined;
  const page = entry(item, 'Pg');
  const move = page instanceof PDFRef ? moves.get(page) : ofElement;
  if (own instanceof PDFRef && (page !== undefined || own !== move?.page)) setEntry(item, 'Pg', own);
  else if (page !== undefined && move !== undefined) setEntry(item, 'Pg', move.page);
}

/** Layout attributes tell the box of a figure or table in the page's user space (ISO 32000-1, table 345). */
function moveBoxes(context: PDFContext, value: PDFObject | undefined, matrix: Matrix, seen: Set<PDFObject>): void {
  const attributes = resolve(context, value);
  for (const item of attributes instanceof PDFArray ? attributes.asArray() : [attributes]) {
    const dict = asDict(context, item);
    if (dict === undefined || seen.has(dict)) continue;
    seen.add(dict);
    const box = boxOf(context, entry(dict, 'BBox'));
    if (box !== undefined) setEntry(dict, 'BBox', boxNumbers(context, applyToBox(matrix, box)));
  }
}
