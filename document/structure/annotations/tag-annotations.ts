import { type PDFArray, type PDFContext, type PDFDict, PDFName, PDFNumber, PDFRef, PDFString } from 'pdf-lib';
import {
  arrayOf,
  asArray,
  asDict,
  asName,
  asNumber,
  catalogOf,
  dictOf,
  elements,
  entry,
  readNumberTree,
  setEntry,
} from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';

/**
 * Adds new annotations to the structure tree of a tagged document, in place: an element `Annot` (`Form` for a form
 * field) after all others, and the link from the annotation to it (ISO 32000-1, 14.7.4.3 and 14.7.4.4; ISO 14289-1,
 * 7.18). An untagged document is not changed.
 */
export class AnnotationTags {
  readonly #context: PDFContext;
  readonly #tree: PDFDict | undefined;
  readonly #above: { readonly ref: PDFRef; readonly dict: PDFDict } | undefined;
  #next: number | undefined;

  constructor(context: PDFContext) {
    this.#context = context;
    const catalog = catalogOf(context);
    const ref = catalog === undefined ? undefined : entry(catalog, 'StructTreeRoot');
    this.#tree = catalog === undefined ? undefined : asDict(context, ref);
    if (this.#tree !== undefined && ref instanceof PDFRef)
      this.#above = onlyGroup(context, this.#tree) ?? { ref, dict: this.#tree };
  }

  /** Tags an annotation; returns false if the document is not tagged. */
  tag(annotation: PDFRef, page: PageEntry, type: 'Annot' | 'Form', alt?: string): boolean {
    const [context, tree, above] = [this.#context, this.#tree, this.#above];
    const dict = asDict(context, annotation);
    if (tree === undefined || above === undefined || dict === undefined) return false;
    const element = context.register(
      dictOf(context, {
        Type: PDFName.of('StructElem'),
        S: PDFName.of(type),
        P: above.ref,
        Pg: page.ref,
        ...(alt === undefined ? {} : { Alt: PDFString.of(alt) }),
        K: dictOf(context, { Type: PDFName.of('OBJR'), Obj: annotation, Pg: page.ref }),
      }),
    );
    appendKid(context, above.dict, element);
    const key = (this.#next ??= nextKey(context, tree));
    this.#next = key + 1;
    setEntry(dict, 'StructParent', PDFNumber.of(key));
    appendParent(context, tree, key, element);
    setEntry(tree, 'ParentTreeNextKey', PDFNumber.of(key + 1));
    // ISO 14289-1, 7.18.3: on pages with annotations the tab order must follow the structure.
    if (entry(page.dict, 'Tabs') === undefined) setEntry(page.dict, 'Tabs', PDFName.of('S'));
    return true;
  }
}

/** Elements that may contain an annotation beside other elements (ISO 32000-1, 14.8.4.2). */
const GROUPS: ReadonlySet<string> = new Set(['Document', 'DocumentFragment', 'Part', 'Art', 'Sect', 'Div']);

/** Returns the single element that contains all others, if there is one. */
function onlyGroup(context: PDFContext, tree: PDFDict): { readonly ref: PDFRef; readonly dict: PDFDict } | undefined {
  const [ref, second] = elements(context, entry(tree, 'K'));
  const dict = asDict(context, ref ?? entry(tree, 'K'));
  const own = ref ?? entry(tree, 'K');
  return second === undefined &&
    own instanceof PDFRef &&
    dict !== undefined &&
    GROUPS.has(asName(context, entry(dict, 'S')) ?? '')
    ? { ref: own, dict }
    : undefined;
}

function appendKid(context: PDFContext, parent: PDFDict, element: PDFRef): void {
  const value = entry(parent, 'K');
  const array = asArray(context, value);
  if (array !== undefined) array.push(element);
  else setEntry(parent, 'K', arrayOf(context, [...(value === undefined ? [] : [value]), element]));
}

/** Keys are numbers from the file; those that are not safe integers cannot be counted on from. */
function nextKey(context: PDFContext, tree: PDFDict): number {
  const stated = asNumber(context, entry(tree, 'ParentTreeNextKey'));
  const taken = readNumberTree(context, entry(tree, 'ParentTree'))
    .map(([key]) => key)
    .filter(Number.isSafeInteger);
  return taken.reduce(
    (most, key) => Math.max(most, key + 1),
    stated !== undefined && Number.isSafeInteger(stated) ? Math.max(0, stated) : 0,
  );
}

/**
 * Appends the highest key to the number tree without rewriting it: the tree of a large document has thousands of
 * entries.
 */
function appendParent(context: PDFContext, tree: PDFDict, key: number, element: PDFRef): void {
  const root = asDict(context, entry(tree, 'ParentTree'));
  const pair = [PDFNumber.of(key), element];
  if (root === undefined)
    return setEntry(tree, 'ParentTree', context.register(dictOf(context, { Nums: arrayOf(context, pair) })));
  const kids: PDFArray | undefined = asArray(context, entry(root, 'Kids'));
  if (kids !== undefined) {
    kids.push(
      context.register(
        dictOf(context, {
          Limits: arrayOf(context, [PDFNumber.of(key), PDFNumber.of(key)]),
          Nums: arrayOf(context, pair),
        }),
      ),
    );
    return;
  }
  const numbers = asArray(context, entry(root, 'Nums'));
  if (numbers === undefined) setEntry(root, 'Nums', arrayOf(context, pair));
  else for (const value of pair) numbers.push(value);
}
