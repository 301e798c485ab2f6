import { type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import {
  asArray,
  asDict,
  asNumber,
  dictOf,
  elements,
  entry,
  resolve,
  setEntry,
  streamOver,
} from '../../file/objects/index.js';
import { identity, type Matrix, multiply } from './matrix.js';
import { matrixNumbers } from './write-numbers.js';

/**
 * Rotates appearances of annotations. A viewer only moves and scales an appearance to fit /Rect (ISO 32000-1, 12.5.5),
 * so a rotation must be part of the appearance: it is set as the /Matrix of a new form with the same content, since
 * other annotations may use the original form.
 */
export class AppearanceRotator {
  readonly #turned = new Map<string, PDFRef>();

  constructor(private readonly context: PDFContext) {}

  /**
   * Returns an /AP dictionary with rotated appearances, including states of buttons; undefined if the value is not a
   * dictionary.
   */
  turn(appearances: PDFObject | undefined, turn: Matrix): PDFDict | undefined {
    const own = asDict(this.context, appearances);
    if (own === undefined) return undefined;
    return this.#each(own, (value) => {
      const object = resolve(this.context, value);
      return object instanceof PDFDict
        ? this.#each(object, (state) => this.#form(state, turn))
        : this.#form(value, turn);
    });
  }

  #each(dict: PDFDict, change: (value: PDFObject) => PDFObject): PDFDict {
    const copy = dictOf(this.context, {});
    for (const [key, value] of dict.entries()) copy.set(key, change(value));
    return copy;
  }

  #form(value: PDFObject, turn: Matrix): PDFObject {
    const form = resolve(this.context, value);
    if (!(form instanceof PDFRawStream)) return value;
    const key = `${value instanceof PDFRef ? value.tag : ''} ${turn.map((part) => part.toFixed(4)).join(' ')}`;
    const known = this.#turned.get(key);
    if (known !== undefined) return known;
    const dict = PDFDict.fromMapWithContext(new Map(form.dict.entries()), this.context);
    dict.delete(PDFName.of('Length'));
    setEntry(
      dict,
      'Matrix',
      matrixNumbers(this.context, multiply(matrixOf(this.context, entry(form.dict, 'Matrix')), turn)),
    );
    const ref = this.context.register(streamOver(form, dict));
    if (value instanceof PDFRef) this.#turned.set(key, ref);
    return ref;
  }
}

/** Returns the matrix in a value; the identity if it is invalid. */
export function matrixOf(context: PDFContext, value: PDFObject | undefined): Matrix {
  if (asArray(context, value) === undefined) return identity;
  const [a, b, c, d, e, f] = elements(context, value).map((element) => asNumber(context, element));
  return a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined
    ? identity
    : [a, b, c, d, e, f];
}
