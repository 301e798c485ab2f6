import { type PDFContext, PDFDict, type PDFName, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { decimal, matrixOperands } from '../../content/drawing/numbers.js';
import { PageContent } from '../../content/drawing/page-content.js';
import { asDict, entry, resolve, setEntry, streamOver } from '../../file/objects/index.js';
import { pageAttribute, type PageEntry } from '../pages/index.js';
import { type Box, type Matrix, multiply } from './matrix.js';
import { matrixOf } from './rotate-appearance.js';
import { matrixNumbers } from './write-numbers.js';

/** Transforms the content of pages in place: the content streams are kept, with operators around them. */
export class ContentMover {
  readonly #content: PageContent;
  readonly #patterns = new Map<string, PDFRef>();

  constructor(private readonly context: PDFContext) {
    this.#content = new PageContent(context);
  }

  /**
   * Transforms a page's content by a matrix of its user space; content outside of `clip`, in the old coordinates,
   * becomes invisible.
   */
  move(page: PageEntry, matrix: Matrix, clip: Box): void {
    const [left, bottom, right, top] = clip;
    const box = [left, bottom, right - left, top - bottom].map(decimal).join(' ');
    this.#content.surround(page, { state: `${matrixOperands(matrix)} cm ${box} re W n` });
    this.#movePatterns(page, matrix);
  }

  /**
   * Pattern space depends on the default space of the page, which `cm` does not change (ISO 32000-1, 8.7.3.1), so each
   * page needs its own patterns.
   */
  #movePatterns(page: PageEntry, matrix: Matrix): void {
    const { context } = this;
    const resources = asDict(context, pageAttribute(page, 'Resources'));
    const patterns = resources === undefined ? undefined : asDict(context, entry(resources, 'Pattern'));
    if (resources === undefined || patterns === undefined || patterns.keys().length === 0) return;
    const moved = new Map<PDFName, PDFObject>(
      patterns.entries().map(([name, value]) => [name, this.#moved(value, matrix)]),
    );
    const own = PDFDict.fromMapWithContext(new Map(resources.entries()), context);
    setEntry(own, 'Pattern', PDFDict.fromMapWithContext(moved, context));
    setEntry(page.dict, 'Resources', own);
  }

  #moved(value: PDFObject, matrix: Matrix): PDFObject {
    const { context } = this;
    const key = value instanceof PDFRef ? `${value.tag} ${matrix.join(' ')}` : undefined;
    const known = key === undefined ? undefined : this.#patterns.get(key);
    if (known !== undefined) return known;
    const pattern = resolve(context, value);
    const dict = asDict(context, value);
    if (dict === undefined) return value;
    const copy = PDFDict.fromMapWithContext(new Map(dict.entries()), context);
    setEntry(copy, 'Matrix', matrixNumbers(context, multiply(matrixOf(context, entry(dict, 'Matrix')), matrix)));
    if (!(pattern instanceof PDFRawStream)) return key === undefined ? copy : this.#remember(key, copy);
    return this.#remember(key, streamOver(pattern, copy));
  }

  #remember(key: string | undefined, object: PDFObject): PDFRef {
    const ref = this.context.register(object);
    if (key !== undefined) this.#patterns.set(key, ref);
    return ref;
  }
}
