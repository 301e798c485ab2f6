import { type PDFContext, PDFDict, PDFNumber, type PDFObject, type PDFRef } from 'pdf-lib';
import {
  annotationFlags,
  completeForm,
  type DrawnAnnotation,
  drawnAnnotations,
  flagsOf,
} from '../../content/drawing/index.js';
import { AnnotationMover, applyToBox, type Box, isWidget, overlap, ownerOf } from '../geometry/index.js';
import { entry, setEntry } from '../../file/objects/index.js';
import { boxOf, type PageEntry, pageBox } from '../pages/index.js';
import { type Annotation, readAnnotations } from '../annotations/index.js';
import type { Appearance, PlacedPages } from './placed-pages.js';
import type { Placement } from './sheets.js';

const MAX_REPLIES = 100;

/** The annotations of all sheets. */
export interface PlacedAnnotations {
  /** The annotations of each sheet, for its /Annots. */
  readonly lists: ReadonlyMap<PDFRef, readonly PDFObject[]>;
  /** Annotations that are on another sheet but also visible here, in the page's user space. */
  readonly shown: ReadonlyMap<Placement, readonly DrawnAnnotation[]>;
}

/** An annotation and its new places. */
interface Plan {
  readonly annotation: Annotation;
  /** Its new place; undefined if it belongs to another page or is removed. */
  readonly home: Appearance | undefined;
  readonly hidden: boolean;
  /** Other places where it is visible. */
  readonly elsewhere: readonly Appearance[];
  readonly drawn: DrawnAnnotation | undefined;
}

/**
 * Moves the annotations of all pages onto the sheets, in place. An annotation is moved to the place that shows its
 * centre, with its pop-up and replies; its looks on other sheets are returned, to be painted there. If several pages
 * list one annotation (which is invalid), the others get copies; of a widget they show only its looks. Annotations
 * outside of the visible area, which would now appear beside the page, are removed, except fields, which are hidden.
 */
export function placeAnnotations(
  context: PDFContext,
  pages: readonly PageEntry[],
  placed: PlacedPages,
  layers: ReadonlyMap<string, PDFRef>,
): PlacedAnnotations {
  const mover = new AnnotationMover(context);
  const lists = new Map<PDFRef, PDFObject[]>();
  const shown = new Map<Placement, DrawnAnnotation[]>();
  // Everything is planned before anything is moved, so that a page sees a shared annotation at its old place.
  const taken = new Set<PDFDict>();
  const plans = pages.flatMap((page, index) => planned(context, page, placed.all(index), placed, index, taken));
  for (const { annotation, home, hidden, elsewhere, drawn } of plans) {
    const { dict, value } = annotation;
    for (const { placement } of elsewhere) {
      if (drawn === undefined) continue;
      completeForm(context, drawn.form);
      listIn(shown, placement).push(drawn);
    }
    if (home === undefined) continue;
    if (hidden) setEntry(dict, 'F', PDFNumber.of(flagsOf(context, dict) | annotationFlags.hidden));
    mover.move(annotation, home.matrix, home.sheet);
    // An annotation that is already in a layer stays in that one.
    if (entry(dict, 'OC') === undefined) setEntry(dict, 'OC', layers.get(home.placement.layer ?? ''));
    listIn(lists, home.sheet).push(value);
  }
  return { lists, shown };
}

/** Returns the list under a key and creates it if necessary. */
export function listIn<K, V>(lists: Map<K, V[]>, key: K): V[] {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
}

function planned(
  context: PDFContext,
  page: PageEntry,
  appearances: readonly Appearance[],
  placed: PlacedPages,
  index: number,
  taken: Set<PDFDict>,
): Plan[] {
  const visible = pageBox(context, page);
  const annotations = new Map(readAnnotations(context, page.dict).map((annotation) => [annotation.dict, annotation]));
  const others = [...annotations.keys()].filter((dict) => appearances.length > 1 || taken.has(dict));
  const drawn = new Map(drawnAnnotations(context, page, others).map((one) => [one.annotation, one]));
  return [...annotations.values()].map((annotation): Plan => {
    const { dict } = annotation;
    const leader = leaderOf(context, annotation, annotations);
    const box = boxOf(context, entry(leader.dict, 'Rect'));
    const outside = box !== undefined && leader.kind !== 'Popup' && isOutside(box, visible);
    const here = box === undefined ? placed.first(index) : placed.of(index, box);
    const widget = isWidget(context, dict);
    const home = widget ? (taken.has(dict) ? undefined : here) : outside ? undefined : here;
    const own = taken.has(dict) && !widget ? copyOf(context, annotation) : annotation;
    taken.add(dict);
    const elsewhere =
      outside || box === undefined ? [] : appearances.filter((other) => other !== home && isSeenOn(other, box));
    return { annotation: own, home, hidden: outside, elsewhere, drawn: drawn.get(dict) };
  });
}

/** Copies an annotation for a page that lists another page's; the copy gets neither tags nor name. */
function copyOf(context: PDFContext, { dict, kind }: Annotation): Annotation {
  const copy = PDFDict.fromMapWithContext(new Map(dict.entries()), context);
  for (const key of ['StructParent', 'NM', 'Popup']) setEntry(copy, key, undefined);
  return { dict: copy, value: context.register(copy), kind };
}

function isSeenOn({ matrix, seen }: Appearance, box: Box): boolean {
  return seen !== undefined && overlap(applyToBox(matrix, box), seen) !== undefined;
}

/** Returns the annotation that decides about the place: the parent of a pop-up, or the start of a chain of replies. */
function leaderOf(context: PDFContext, annotation: Annotation, onPage: ReadonlyMap<PDFDict, Annotation>): Annotation {
  let at = annotation;
  for (let hop = 0; hop < MAX_REPLIES; hop++) {
    const owner = ownerOf(context, at);
    const next = owner === undefined ? undefined : onPage.get(owner);
    if (next === undefined) break;
    at = next;
  }
  return at;
}

/** A box that touches the visible area is not outside: fields without a size are placed in a corner. */
function isOutside(box: Box, visible: Box): boolean {
  return box[2] < visible[0] || box[0] > visible[2] || box[3] < visible[1] || box[1] > visible[3];
}
