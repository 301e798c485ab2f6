import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNull, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { asDict, asName, asNumber, catalogOf, entry, resolve } from '../../file/objects/index.js';
import { type PageEntry, pageRotation, userUnit, pageBox } from '../pages/index.js';
import { allFieldNodes, readFields } from '../../forms/fields/index.js';
import { readAnnotations } from '../annotations/index.js';
import { readNamedDestinations } from '../names/index.js';
import { readOutlines, type OutlineNode } from '../outlines/index.js';
import { applyToBox, applyToPoint, type Box, invert, type Matrix, type Point, scaleOf, turns } from './matrix.js';
import { upright } from './upright.js';
import { tidyNumber } from './write-numbers.js';

/** The new place of a page or of a part of it. */
export interface NewPlace {
  readonly page: PDFRef;
  /** From the old page's user space to the new page's. */
  readonly matrix: Matrix;
  /**
   * The part of the new page that shows the old one; undefined if it is the whole page, so that destinations that fit
   * the page keep their type.
   */
  readonly view?: Box;
}

/**
 * Returns the new place of a page; of several places, the one that shows a point of its user space. Undefined if there
 * is none.
 */
export type PlaceOf = (page: PDFRef, at: Point | undefined) => NewPlace | undefined;

/**
 * Updates every explicit destination of a document in place (ISO 32000-1, 12.3.2): bookmarks, both tables of named
 * destinations, links and other actions of annotations, fields, pages and the document, including chained actions. Must
 * be called while the pages still have their annotations. A destination whose page has no new place is left unchanged.
 */
export function moveDestinations(context: PDFContext, pages: readonly PageEntry[], placeOf: PlaceOf): void {
  new DestinationMove(context, pages, placeOf).run();
}

class DestinationMove {
  readonly #byRef: ReadonlyMap<PDFRef, PageEntry>;
  readonly #done = new Set<PDFObject>();

  constructor(
    private readonly context: PDFContext,
    private readonly pages: readonly PageEntry[],
    private readonly placeOf: PlaceOf,
  ) {
    this.#byRef = new Map(pages.map((page) => [page.ref, page]));
  }

  run(): void {
    const { context } = this;
    const catalog = catalogOf(context);
    if (catalog !== undefined) {
      this.#target(entry(catalog, 'OpenAction'));
      this.#triggers(catalog);
    }
    const { strings, names } = readNamedDestinations(context);
    for (const value of [...strings.values(), ...names.values()]) this.#destination(value);
    const item = ({ dict, children }: OutlineNode): void => {
      this.#owner(dict);
      children.forEach(item);
    };
    readOutlines(context).forEach(item);
    for (const { dict } of allFieldNodes(readFields(context))) this.#owner(dict);
    for (const { dict } of this.pages) {
      this.#triggers(dict);
      for (const annotation of readAnnotations(context, dict)) this.#owner(annotation.dict);
    }
  }

  #owner(dict: PDFDict): void {
    this.#destination(entry(dict, 'Dest'));
    this.#action(entry(dict, 'A'));
    this.#triggers(dict);
  }

  #triggers(dict: PDFDict): void {
    for (const value of asDict(this.context, entry(dict, 'AA'))?.values() ?? []) this.#action(value);
  }

  /** /OpenAction is a destination or an action. */
  #target(value: PDFObject | undefined): void {
    if (resolve(this.context, value) instanceof PDFArray) this.#destination(value);
    else this.#action(value);
  }

  /** Visits all new actions of a chain or tree (ISO 32000-1, 12.6.2). */
  #action(value: PDFObject | undefined): void {
    const waiting = [value];
    while (waiting.length > 0) {
      const action = resolve(this.context, waiting.pop());
      if (action instanceof PDFArray && !this.#done.has(action)) {
        this.#done.add(action);
        waiting.push(...action.asArray());
      }
      if (!(action instanceof PDFDict) || this.#done.has(action)) continue;
      this.#done.add(action);
      if (asName(this.context, entry(action, 'S')) === 'GoTo') {
        this.#destination(entry(action, 'D'));
        this.#structured(entry(action, 'SD'));
      }
      waiting.push(entry(action, 'Next'));
    }
  }

  /** Named destinations are updated in their tables; only explicit ones are updated here. */
  #destination(value: PDFObject | undefined): void {
    const object = resolve(this.context, value);
    if (object instanceof PDFDict) this.#structured(entry(object, 'SD'));
    this.#rewrite(object instanceof PDFDict ? entry(object, 'D') : object, (parts) => this.#moved(parts));
  }

  /**
   * A structure destination, which refers to an element and is shown on that element's page (ISO 32000-2, 12.3.2.3).
   */
  #structured(value: PDFObject | undefined): void {
    this.#rewrite(value, ([element, ...parts]) => {
      const owner = asDict(this.context, element);
      const moved = owner === undefined ? undefined : this.#moved([entry(owner, 'Pg') ?? PDFNull, ...parts]);
      return element === undefined || moved === undefined ? undefined : [element, ...moved.slice(1)];
    });
  }

  #rewrite(value: PDFObject | undefined, change: (parts: readonly PDFObject[]) => PDFObject[] | undefined): void {
    const array = resolve(this.context, value);
    if (!(array instanceof PDFArray) || this.#done.has(array)) return;
    this.#done.add(array);
    const moved = change(array.asArray());
    if (moved === undefined) return;
    while (array.size() > 0) array.remove(array.size() - 1);
    for (const part of moved) array.push(part);
  }

  #moved([target, fit, ...parts]: readonly PDFObject[]): PDFObject[] | undefined {
    const { context } = this;
    const page = target instanceof PDFRef ? this.#byRef.get(target) : this.pages[asNumber(context, target) ?? -1];
    if (page === undefined) return undefined;
    const numbers = parts.map((part) => asNumber(context, part));
    const box = pageBox(context, page);
    const kind = asName(context, fit) ?? 'Fit';
    const at = whereOf(kind, numbers, startOf(box, pageRotation(context, page), userUnit(context, page)));
    const place = this.placeOf(page.ref, at);
    if (place === undefined) return undefined;
    return [place.page, ...written(kind, numbers, at, box, place)];
  }
}

/** Returns the corner of user space that is displayed at the upper left. */
function startOf(box: Box, rotation: number, unit: number): Point {
  const { matrix, height } = upright(box, rotation, unit);
  const back = invert(matrix);
  return back === undefined ? [box[0], box[3]] : applyToPoint(back, [0, height]);
}

/**
 * Returns the point that a destination places at the upper left of the window (ISO 32000-1, table 151); open
 * coordinates are taken from the page's corner.
 */
function whereOf(
  kind: string,
  [first, second, third, fourth]: readonly (number | undefined)[],
  [x, y]: Point,
): Point | undefined {
  switch (kind) {
    case 'XYZ':
      return [first ?? x, second ?? y];
    case 'FitH':
    case 'FitBH':
      return [x, first ?? y];
    case 'FitV':
    case 'FitBV':
      return [first ?? x, y];
    case 'FitR':
      return [Math.min(first ?? x, third ?? x), Math.max(second ?? y, fourth ?? y)];
    default:
      return undefined;
  }
}

function written(
  kind: string,
  numbers: readonly (number | undefined)[],
  at: Point | undefined,
  box: Box,
  { matrix, view }: NewPlace,
): PDFObject[] {
  const name = (text: string): PDFObject => PDFName.of(text);
  const [x, y] = at === undefined ? [0, 0] : applyToPoint(matrix, at);
  const onSide = turns(matrix) && Math.abs(matrix[1]) > Math.abs(matrix[0]);
  switch (kind) {
    case 'XYZ': {
      const [left, top, zoom] = numbers;
      // Without a rotation, open coordinates stay open if the whole page is still visible.
      const free = view === undefined && !turns(matrix);
      const scale = scaleOf(matrix) || 1;
      return [
        name('XYZ'),
        free && left === undefined ? PDFNull : tidyNumber(x),
        free && top === undefined ? PDFNull : tidyNumber(y),
        // The magnification of the page content stays the same; 0 keeps the current one.
        zoom === undefined ? PDFNull : PDFNumber.of(Math.round((zoom / scale) * 1e4) / 1e4),
      ];
    }
    case 'FitR': {
      const [left, bottom, right, top] = numbers;
      return fitBox(
        left === undefined || bottom === undefined || right === undefined || top === undefined
          ? box
          : [left, bottom, right, top],
        matrix,
      );
    }
    case 'FitH':
    case 'FitBH':
    case 'FitV':
    case 'FitBV': {
      if (view !== undefined) return [name('XYZ'), tidyNumber(x), tidyNumber(y), PDFNull];
      const across = (kind === 'FitH' || kind === 'FitBH') !== onSide;
      return [
        name(`${kind.startsWith('FitB') ? 'FitB' : 'Fit'}${across ? 'H' : 'V'}`),
        numbers[0] === undefined ? PDFNull : tidyNumber(across ? y : x),
      ];
    }
    default:
      return view === undefined ? [name(kind === 'FitB' ? 'FitB' : 'Fit')] : [name('FitR'), ...view.map(tidyNumber)];
  }
}

function fitBox(box: Box, matrix: Matrix): PDFObject[] {
  return [PDFName.of('FitR'), ...applyToBox(matrix, box).map(tidyNumber)];
}
