import { type PDFContext, type PDFDict, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { AnnotationMover, type Box, isWidget, ownerOf } from '../geometry/index.js';
import { asNumber, entry, setEntry } from '../objects/index.js';
import { boxOf, type PageEntry, pageBox } from '../pages/index.js';
import { type Annotation, readAnnotations } from '../parts/index.js';
import type { Appearance, PlacedPages } from './placed-pages.js';

/** Flag of an annotation that is neither shown nor printed (ISO 32000-1, table 165). */
const HIDDEN = 2;
const MAX_REPLIES = 100;

/**
 * Moves the annotations of all pages onto the sheets, in place, and gives each sheet's. One goes where its middle is seen, with its pop-up and
 * its replies. What lay outside of what the page shows would now be seen beside it: it goes, but for fields, which are hidden.
 */
export function placeAnnotations(context: PDFContext, pages: readonly PageEntry[], placed: PlacedPages, layers: ReadonlyMap<string, PDFRef>): Map<PDFRef, PDFObject[]> {
  const mover = new AnnotationMover(context);
  const lists = new Map<PDFRef, PDFObject[]>();
  const seen = new Set<PDFDict>();
  for (const [index, page] of pages.entries()) {
    const visible = pageBox(context, page);
    const annotations = new Map(readAnnotations(context, page.dict).map((annotation) => [annotation.dict, annotation]));
    const gone = new Set([...annotations.values()].filter((annotation) => isOutside(context, annotation, visible)).map(({ dict }) => dict));
    for (const annotation of annotations.values()) {
      const { dict, value, kind } = annotation;
      if (seen.has(dict)) continue;
      seen.add(dict);
      const leader = leaderOf(context, annotation, annotations);
      if (gone.has(leader)) {
        if (!isWidget(context, dict)) continue;
        setEntry(dict, 'F', PDFNumber.of((asNumber(context, entry(dict, 'F')) ?? 0) | HIDDEN));
      }
      const box = boxOf(context, entry(leader, 'Rect'));
      const place: Appearance = box === undefined ? placed.first(index) : placed.of(index, box);
      mover.move({ dict, value, kind }, place.matrix, place.sheet);
      // What belongs to a layer of its own goes on belonging to that.
      if (entry(dict, 'OC') === undefined) setEntry(dict, 'OC', layers.get(place.placement.layer ?? ''));
      const list = lists.get(place.sheet) ?? [];
      list.push(value);
      lists.set(place.sheet, list);
    }
  }
  return lists;
}

/** The annotation whose place decides: the one that a pop-up opens for, the one at which a chain of replies begins. */
function leaderOf(context: PDFContext, annotation: Annotation, onPage: ReadonlyMap<PDFDict, Annotation>): PDFDict {
  let at = annotation;
  for (let hop = 0; hop < MAX_REPLIES; hop++) {
    const owner = ownerOf(context, at);
    const next = owner === undefined ? undefined : onPage.get(owner);
    if (next === undefined) break;
    at = next;
  }
  return at.dict;
}

/** A box that touches is not outside: fields without a size stand in a corner. */
function isOutside(context: PDFContext, { dict, kind }: Annotation, visible: Box): boolean {
  const box = boxOf(context, entry(dict, 'Rect'));
  if (box === undefined || kind === 'Popup') return false;
  return box[2] < visible[0] || box[0] > visible[2] || box[3] < visible[1] || box[1] > visible[3];
}
