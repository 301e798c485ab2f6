import { type PDFContext, type PDFDict, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import { annotationFlags, completeForm, type DrawnAnnotation, drawnAnnotations, flagsOf } from '../draw/index.js';
import { AnnotationMover, applyToBox, type Box, isWidget, overlap, ownerOf } from '../geometry/index.js';
import { entry, setEntry } from '../objects/index.js';
import { boxOf, type PageEntry, pageBox } from '../pages/index.js';
import { type Annotation, readAnnotations } from '../parts/index.js';
import type { Appearance, PlacedPages } from './placed-pages.js';
import type { Placement } from './sheets.js';

const MAX_REPLIES = 100;

/** The annotations of sheets. */
export interface PlacedAnnotations {
  /** Each sheet's own, as its /Annots names them. */
  readonly lists: ReadonlyMap<PDFRef, readonly PDFObject[]>;
  /** What of annotations that went elsewhere is seen here too, in the page's user space. */
  readonly shown: ReadonlyMap<Placement, readonly DrawnAnnotation[]>;
}

/**
 * Moves the annotations of all pages onto the sheets, in place. One goes where its middle is seen, with its pop-up and its replies; what it
 * shows on other sheets is told, to be painted there. What lay outside of what the page shows would now be seen beside it: it goes, but for
 * fields, which are hidden.
 */
export function placeAnnotations(context: PDFContext, pages: readonly PageEntry[], placed: PlacedPages, layers: ReadonlyMap<string, PDFRef>): PlacedAnnotations {
  const mover = new AnnotationMover(context);
  const lists = new Map<PDFRef, PDFObject[]>();
  const shown = new Map<Placement, DrawnAnnotation[]>();
  const seen = new Set<PDFDict>();
  for (const [index, page] of pages.entries()) {
    const visible = pageBox(context, page);
    const annotations = new Map(readAnnotations(context, page.dict).map((annotation) => [annotation.dict, annotation]));
    const gone = new Set([...annotations.values()].filter((annotation) => isOutside(context, annotation, visible)).map(({ dict }) => dict));
    const drawn = new Map(placed.all(index).length < 2 ? [] : drawnAnnotations(context, page, annotations.keys()).map((one) => [one.annotation, one]));
    for (const annotation of annotations.values()) {
      const { dict, value } = annotation;
      if (seen.has(dict)) continue;
      seen.add(dict);
      const leader = leaderOf(context, annotation, annotations);
      if (gone.has(leader)) {
        if (!isWidget(context, dict)) continue;
        setEntry(dict, 'F', PDFNumber.of(flagsOf(context, dict) | annotationFlags.hidden));
      }
      const box = boxOf(context, entry(leader, 'Rect'));
      const place = box === undefined ? placed.first(index) : placed.of(index, box);
      const one = drawn.get(dict);
      for (const other of one === undefined ? [] : placed.all(index)) {
        if (one === undefined || other === place || box === undefined || !isSeenOn(other, box)) continue;
        completeForm(context, one.form);
        shown.set(other.placement, [...(shown.get(other.placement) ?? []), one]);
      }
      mover.move(annotation, place.matrix, place.sheet);
      // What belongs to a layer of its own goes on belonging to that.
      if (entry(dict, 'OC') === undefined) setEntry(dict, 'OC', layers.get(place.placement.layer ?? ''));
      const list = lists.get(place.sheet) ?? [];
      list.push(value);
      lists.set(place.sheet, list);
    }
  }
  return { lists, shown };
}

function isSeenOn({ matrix, view }: Appearance, box: Box): boolean {
  return view === undefined || overlap(applyToBox(matrix, box), view) !== undefined;
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
