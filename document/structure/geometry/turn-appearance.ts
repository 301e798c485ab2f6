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
 * Turns appearances of annotations. A viewer fits an appearance into /Rect by moving and stretching alone (ISO 32000-1,
 * 12.5.5), so only a turn must be written into it: into the /Matrix of a form over the same packed content, since other
 * annotations may show the form unturned.
 */
export class AppearanceTurner {
  readonly #turned = new Map<string, PDFRef>();

  constructor(private readonly context: PDFContext) {}

  /** Gives an /AP dictionary whose appearances, states of buttons too, are turned; undefined for what is none. */
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

/** Gives the matrix behind a value; the identity for what is none. */
export function matrixOf(context: PDFContext, value: PDFObject | undefined): Matrix {
  if (asArray(context, value) === undefined) return identity;
  const [a, b, c, d, e, f] = elements(context, value).map((element) => asNumber(context, element));
  return a === undefined || b === undefined || c === undefined || d === undefined || e === undefined || f === undefined
    ? identity
    : [a, b, c, d, e, f];
}
