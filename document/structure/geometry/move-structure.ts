import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { arrayOf, asDict, asName, catalogOf, dictOf, entry, resolve, setEntry } from '../../file/objects/index.js';
import { boxOf } from '../pages/index.js';
import { applyToBox, type Matrix } from './matrix.js';
import { boxNumbers } from './write-numbers.js';

/** The new place of a page's tagged content. */
export interface ContentMove {
  /** The page that shows it. */
  readonly page: PDFRef;
  /** The form XObject that now contains it; undefined if the page still does. */
  readonly form?: PDFRef;
  /** From the old page's user space to the new page's. */
  readonly matrix: Matrix;
}

/**
 * Updates the structure tree in place for pages whose content moved into form XObjects (ISO 32000-1, 14.7.4): marked
 * content becomes a reference to form and page, elements and objects refer to the new page, and bounding boxes of
 * elements are moved. The form must have the old page's /StructParents (`pageForm` sets it), so that the parent tree
 * stays valid. Annotations must have been moved before. A form that is shown several times is tagged only at the place
 * in `moves`.
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

/** Content of a form within the page still belongs to that form (/Stm); only its page changes. */
function moveContent(item: PDFDict, ofElement: ContentMove | undefined, moves: ReadonlyMap<PDFRef, ContentMove>): void {
  const page = entry(item, 'Pg');
  const move = page instanceof PDFRef ? moves.get(page) : ofElement;
  if (move === undefined) return;
  setEntry(item, 'Pg', move.page);
  if (entry(item, 'Stm') === undefined && move.form !== undefined) setEntry(item, 'Stm', move.form);
}

/** An annotation may have moved to another page than the surrounding content. */
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

/**
 * Layout attributes contain the bounding box of a figure or table in the page's user space (ISO 32000-1, table 345).
 */
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
