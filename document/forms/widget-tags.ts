import { PDFArray, type PDFContext, PDFDict, PDFName, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import type { DrawnAnnotation } from '../content/drawing/index.js';
import {
  arrayOf,
  asDict,
  asNumber,
  catalogOf,
  dictOf,
  entry,
  readNumberTree,
  resolve,
  setEntry,
  writeNumberTree,
} from '../file/objects/index.js';

/**
 * Updates the structure tree when widgets become page content: an element that referred to a widget then refers to its
 * content (ISO 32000-1, 14.7.4), so that screen readers can still read a tagged form. Call `finish` once at the end.
 */
export class WidgetTags {
  readonly #context: PDFContext;
  readonly #tree: PDFDict | undefined;
  readonly #parents: Map<number, PDFObject>;
  /** The content that replaces a widget, by the widget. */
  readonly #content = new Map<PDFDict, PDFDict>();
  readonly #gone: PDFDict[] = [];
  #next: number;

  constructor(context: PDFContext) {
    const catalog = catalogOf(context);
    this.#context = context;
    this.#tree = catalog === undefined ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
    this.#parents = new Map(this.#tree === undefined ? [] : readNumberTree(context, entry(this.#tree, 'ParentTree')));
    // Keys are numbers from the file; those that are not safe integers cannot be counted on from.
    const keys = [...this.#parents.keys()].filter(Number.isSafeInteger);
    const stated = this.#tree === undefined ? undefined : asNumber(context, entry(this.#tree, 'ParentTreeNextKey'));
    this.#next = keys.reduce(
      (most, key) => Math.max(most, key + 1),
      stated !== undefined && Number.isSafeInteger(stated) ? Math.max(0, stated) : 0,
    );
  }

  /**
   * Returns the operator that starts the marked content of a tagged widget. `number` must be unique within the form
   * XObject.
   */
  mark(widget: PDFDict, number: number): string | undefined {
    return this.#elementOf(widget) === undefined ? undefined : `/Form <</MCID ${number}>> BDC`;
  }

  /** Records the page and form XObject that contain the content of these widgets, numbered as in `mark`. */
  painted(page: PDFRef, form: PDFRef, numbered: readonly (readonly [number, DrawnAnnotation])[]): void {
    const context = this.#context;
    const owners = arrayOf(context, []);
    for (const [number, { annotation }] of numbered) {
      const element = this.#elementOf(annotation);
      if (element === undefined) continue;
      while (owners.size() < number) owners.push(context.obj(null));
      owners.push(element);
      this.#content.set(
        annotation,
        dictOf(context, { Type: PDFName.of('MCR'), Pg: page, Stm: form, MCID: PDFNumber.of(number) }),
      );
    }
    const stream = asDict(context, form);
    if (owners.size() === 0 || stream === undefined) return;
    setEntry(stream, 'StructParents', PDFNumber.of(this.#next));
    this.#parents.set(this.#next++, context.register(owners));
  }

  /** Records a widget that was removed. */
  dropped(widget: PDFDict): void {
    if (this.#elementOf(widget) !== undefined) this.#gone.push(widget);
  }

  /** Writes the changes to the tree. */
  finish(): void {
    const [context, tree] = [this.#context, this.#tree];
    if (tree === undefined || this.#gone.length === 0) return;
    const gone = new Set(this.#gone);
    for (const widget of gone) {
      const element = asDict(context, this.#elementOf(widget));
      if (element === undefined) continue;
      const kids = resolve(context, entry(element, 'K'));
      const list = (kids instanceof PDFArray ? kids.asArray() : kids === undefined ? [] : [kids]).flatMap((kid) => {
        const object = asDict(context, kid);
        return object === undefined || asDict(context, entry(object, 'Obj')) !== widget
          ? [kid]
          : (this.#content.get(widget) ?? []);
      });
      setEntry(element, 'K', list.length === 0 ? undefined : arrayOf(context, list));
    }
    for (const widget of gone) this.#parents.delete(this.#keyOf(widget) ?? -1);
    setEntry(
      tree,
      'ParentTree',
      writeNumberTree(
        context,
        [...this.#parents].sort(([a], [b]) => a - b),
      ),
    );
    setEntry(tree, 'ParentTreeNextKey', PDFNumber.of(this.#next));
  }

  #keyOf(widget: PDFDict): number | undefined {
    return asNumber(this.#context, entry(widget, 'StructParent'));
  }

  #elementOf(widget: PDFDict): PDFRef | undefined {
    const key = this.#tree === undefined ? undefined : this.#keyOf(widget);
    const element = key === undefined ? undefined : this.#parents.get(key);
    return element instanceof PDFRef && resolve(this.#context, element) instanceof PDFDict ? element : undefined;
  }
}
