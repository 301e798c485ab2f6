import { type PDFContext, PDFDict, PDFNumber, type PDFObject, type PDFRef, PDFString } from 'pdf-lib';
import { annotationFlags, flagsOf } from '../../content/drawing/appearance.js';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  asNumber,
  asText,
  elements,
  entry,
  setEntry,
} from '../../file/objects/index.js';
import { boxOf, normaliseAngle } from '../pages/index.js';
import { acroFormOf } from '../../forms/fields/index.js';
import type { Annotation } from '../annotations/index.js';
import { applyToBox, applyToPoint, type Matrix, scaleOf, turnOf, turns } from './matrix.js';
import { movedMeasure } from './move-measures.js';
import { AppearanceRotator } from './rotate-appearance.js';
import { boxNumbers, tidyNumber } from './write-numbers.js';

/** Entries with coordinates of points, x and y alternating (ISO 32000-1, 12.5.6). */
const POINTS = ['QuadPoints', 'L', 'Vertices', 'CL'] as const;
/** Entries with lists of such coordinates (ISO 32000-1, table 182; ISO 32000-2, table 181). */
const POINT_LISTS = ['InkList', 'Path'] as const;
/** Entries with a length. */
const LENGTHS = ['LL', 'LLE', 'LLO'] as const;
const MAX_PARENTS = 100;

/** Moves annotations to other pages, or to other places on their page. */
export class AnnotationMover {
  readonly #appearances: AppearanceRotator;
  readonly #moved = new Set<PDFDict>();

  constructor(private readonly context: PDFContext) {
    this.#appearances = new AppearanceRotator(context);
  }

  /**
   * Moves an annotation in place: its rectangle, all other coordinates, line widths and text sizes, and its page
   * reference. The appearance is kept, and rotated if the matrix rotates; a widget still belongs to its field. An
   * annotation is moved only once, even if several pages list it.
   */
  move({ dict, kind }: Annotation, matrix: Matrix, page: PDFRef): void {
    if (this.#moved.has(dict)) return;
    this.#moved.add(dict);
    setEntry(dict, 'P', page);
    const scale = scaleOf(matrix);
    const anchored = this.#moveRect(dict, matrix, scale);
    for (const key of POINTS) this.#replace(dict, key, (value) => this.#points(value, matrix));
    for (const key of POINT_LISTS)
      this.#replace(dict, key, (value) =>
        arrayOf(
          this.context,
          elements(this.context, value).map((list) => this.#points(list, matrix)),
        ),
      );
    if (Math.abs(scale - 1) > 1e-6) this.#scale(dict, scale, kind);
    this.#replace(dict, 'Measure', (value) => movedMeasure(this.context, value, matrix) ?? value);
    if (anchored || !turns(matrix)) return;
    setEntry(dict, 'AP', this.#appearances.turn(entry(dict, 'AP'), turnOf(matrix)) ?? entry(dict, 'AP'));
    if (kind === 'Widget') this.#turnWidget(dict, matrix);
  }

  /** Returns true if the annotation stays upright, so that its appearance must not be rotated. */
  #moveRect(dict: PDFDict, matrix: Matrix, scale: number): boolean {
    const { context } = this;
    const box = boxOf(context, entry(dict, 'Rect'));
    if (box === undefined) return false;
    const [fixedSize, fixedTurn] = [annotationFlags.noZoom, annotationFlags.noRotate].map(
      (flag) => (flagsOf(context, dict) & flag) !== 0,
    );
    if (fixedTurn === true || (fixedSize === true && !turns(matrix))) {
      // Its upper left corner keeps its place on the page; its appearance keeps its size and stays upright (ISO
      // 32000-1, 12.5.3).
      const size = fixedSize === true ? 1 : scale;
      const [x, y] = applyToPoint(matrix, [box[0], box[3]]);
      setEntry(dict, 'Rect', boxNumbers(context, [x, y - (box[3] - box[1]) * size, x + (box[2] - box[0]) * size, y]));
      return true;
    }
    const rect = applyToBox(matrix, box);
    setEntry(dict, 'Rect', boxNumbers(context, rect));
    const [left, top, right, bottom] = elements(context, entry(dict, 'RD')).map((value) => asNumber(context, value));
    if (left !== undefined && top !== undefined && right !== undefined && bottom !== undefined) {
      // The margins between the rectangle and its drawing are rotated too.
      const inner = applyToBox(matrix, [box[0] + left, box[1] + bottom, box[2] - right, box[3] - top]);
      setEntry(
        dict,
        'RD',
        arrayOf(
          context,
          [inner[0] - rect[0], rect[3] - inner[3], rect[2] - inner[2], inner[1] - rect[1]].map(tidyNumber),
        ),
      );
    }
    return false;
  }

  #points(value: PDFObject | undefined, matrix: Matrix): PDFObject {
    const numbers = elements(this.context, value).map((element) => asNumber(this.context, element) ?? 0);
    const moved: PDFNumber[] = [];
    for (let i = 0; i + 1 < numbers.length; i += 2)
      moved.push(...applyToPoint(matrix, [numbers[i] ?? 0, numbers[i + 1] ?? 0]).map(tidyNumber));
    return arrayOf(this.context, moved);
  }

  #scale(dict: PDFDict, scale: number, kind: string): void {
    const { context } = this;
    const scaled = (value: PDFObject | undefined): PDFObject | undefined => {
      const number = asNumber(context, value);
      return number === undefined ? value : tidyNumber(number * scale);
    };
    const scaledList = (value: PDFObject | undefined): PDFObject =>
      arrayOf(
        context,
        elements(context, value).map((item) =>
          asArray(context, item) === undefined ? (scaled(item) ?? item) : scaledList(item),
        ),
      );
    for (const key of LENGTHS) this.#replace(dict, key, scaled);
    // Horizontal and vertical radius, width and dashes (ISO 32000-1, table 164); offset of the caption (table 175).
    for (const key of ['Border', 'CO']) this.#replace(dict, key, scaledList);
    this.#replace(dict, 'BS', (value) => {
      const style = asDict(context, value);
      if (style === undefined) return value;
      const copy = PDFDict.fromMapWithContext(new Map(style.entries()), context);
      setEntry(copy, 'W', tidyNumber((asNumber(context, entry(style, 'W')) ?? 1) * scale));
      this.#replace(copy, 'D', scaledList);
      return copy;
    });
    if (kind === 'Widget' || kind === 'FreeText') this.#scaleText(dict, scale);
  }

  /**
   * Viewers that redraw the text use the size in /DA, which a widget may inherit (ISO 32000-1, 12.7.3.3); 0 means
   * automatic and is kept.
   */
  #scaleText(dict: PDFDict, scale: number): void {
    const { context } = this;
    let at: PDFDict | undefined = dict;
    let style: string | undefined;
    for (let hop = 0; at !== undefined && style === undefined && hop < MAX_PARENTS; hop++) {
      style = asText(context, entry(at, 'DA'));
      at = asDict(context, entry(at, 'Parent'));
    }
    const form = acroFormOf(context);
    style ??= form === undefined ? undefined : asText(context, entry(form, 'DA'));
    if (style === undefined) return;
    const scaled = style.replace(/(\d*\.?\d+)(?=\s+Tf\b)/g, (size) =>
      String(Math.round(Number(size) * scale * 100) / 100),
    );
    if (scaled !== style) setEntry(dict, 'DA', PDFString.of(scaled.replace(/[\\()]/g, '\\$&')));
  }

  /** Angle in degrees, counter-clockwise, by which a viewer rotates text that it redraws (ISO 32000-1, table 189). */
  #turnWidget(dict: PDFDict, [a, b]: Matrix): void {
    const { context } = this;
    const own = asDict(context, entry(dict, 'MK'));
    const copy = PDFDict.fromMapWithContext(new Map(own?.entries() ?? []), context);
    const before = own === undefined ? 0 : (asNumber(context, entry(own, 'R')) ?? 0);
    const angle = normaliseAngle(before + Math.round(Math.atan2(b, a) / (Math.PI / 2)) * 90);
    setEntry(copy, 'R', angle === 0 ? undefined : PDFNumber.of(angle));
    setEntry(dict, 'MK', copy);
  }

  #replace(dict: PDFDict, key: string, change: (value: PDFObject) => PDFObject | undefined): void {
    const value = entry(dict, key);
    if (value !== undefined) setEntry(dict, key, change(value));
  }
}

/**
 * Returns the annotation that another one belongs to and must share a page with: the parent of a pop-up, or the
 * annotation that a reply refers to.
 */
export function ownerOf(context: PDFContext, { dict, kind }: Annotation): PDFDict | undefined {
  return asDict(context, entry(dict, kind === 'Popup' ? 'Parent' : 'IRT'));
}

/** Returns true for widgets, which can be on only one page. */
export function isWidget(context: PDFContext, annotation: PDFDict): boolean {
  return asName(context, entry(annotation, 'Subtype')) === 'Widget';
}
