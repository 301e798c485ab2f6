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
import { type Annotation } from '../annotations/index.js';
import { applyToBox, applyToPoint, type Matrix, scaleOf, turnOf, turns } from './matrix.js';
import { movedMeasure } from './move-measures.js';
import { AppearanceTurner } from './turn-appearance.js';
import { boxNumbers, tidyNumber } from './write-numbers.js';

/** Entries that hold coordinates of points, x and y in turn (ISO 32000-1, 12.5.6). */
const POINTS = ['QuadPoints', 'L', 'Vertices', 'CL'] as const;
/** Entries that hold lists of such (ISO 32000-1, table 182; ISO 32000-2, table 181). */
const POINT_LISTS = ['InkList', 'Path'] as const;
/** Entries that hold a length. */
const LENGTHS = ['LL', 'LLE', 'LLO'] as const;
const MAX_PARENTS = 100;

/** Carries annotations onto other pages, or to other places of theirs. */
export class AnnotationMover {
  readonly #appearances: AppearanceTurner;
  readonly #moved = new Set<PDFDict>();

  constructor(private readonly context: PDFContext) {
    this.#appearances = new AppearanceTurner(context);
  }

  /**
   * Moves an annotation in place: its rectangle, whatever else it says in coordinates, widths and text sizes, and the
   * page it names. What it shows stays and is turned where the matrix turns; a widget stays its field's. An annotation
   * is moved once, however often it is named.
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

  /** True when the annotation keeps its upright position, so that its appearance is not turned. */
  #moveRect(dict: PDFDict, matrix: Matrix, scale: number): boolean {
    const { context } = this;
    const box = boxOf(context, entry(dict, 'Rect'));
    if (box === undefined) return false;
    const [fixedSize, fixedTurn] = [annotationFlags.noZoom, annotationFlags.noRotate].map(
      (flag) => (flagsOf(context, dict) & flag) !== 0,
    );
    if (fixedTurn === true || (fixedSize === true && !turns(matrix))) {
      // Its upper left corner stays where it is on the page, and what it shows as large or as upright as it was (ISO
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
      // Distances between the rectangle and what is drawn in it turn with it.
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
    // Horizontal and vertical radius, width, dashes (ISO 32000-1, table 164); the caption's offset (table 175).
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
   * A viewer that writes the text anew takes its size from /DA, which a widget may inherit (ISO 32000-1, 12.7.3.3); 0
   * is automatic and stays.
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

  /** Degrees counter-clockwise by which a viewer turns what it writes anew (ISO 32000-1, table 189). */
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
 * Gives the annotation that another belongs to and must share the page with: the one a pop-up opens for, the one a
 * reply answers.
 */
export function ownerOf(context: PDFContext, { dict, kind }: Annotation): PDFDict | undefined {
  return asDict(context, entry(dict, kind === 'Popup' ? 'Parent' : 'IRT'));
}

/** True for widgets: each shows its field once, so that it stands on one page only. */
export function isWidget(context: PDFContext, annotation: PDFDict): boolean {
  return asName(context, entry(annotation, 'Subtype')) === 'Widget';
}
