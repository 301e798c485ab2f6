import { type PDFArray, type PDFContext, type PDFDict, PDFName, PDFNumber, PDFRef, PDFString } from 'pdf-lib';
import { arrayOf, asArray, asDict, asName, asNumber, catalogOf, dictOf, elements, entry, readNumberTree, setEntry } from '../objects/index.js';
import type { PageEntry } from '../pages/index.js';

/**
 * Gives a signature's widget its place in the structure tree of a tagged document, in place: an element `Form` behind all others, and the way back from the
 * widget (ISO 32000-1, 14.7.4.3 and 14.7.4.4; ISO 14289-1, 7.18.4). Nothing changes in a document without tags.
 */
export function tagWidget(context: PDFContext, widget: PDFRef, page: PageEntry): void {
  const catalog = catalogOf(context);
  const tree = catalog === undefined ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
  const treeRef = catalog === undefined ? undefined : entry(catalog, 'StructTreeRoot');
  const dict = asDict(context, widget);
  if (tree === undefined || !(treeRef instanceof PDFRef) || dict === undefined) return;
  const above = onlyGroup(context, tree) ?? { ref: treeRef, dict: tree };
  const element = context.register(dictOf(context, {
    Type: PDFName.of('StructElem'), S: PDFName.of('Form'), P: above.ref, Pg: page.ref, Alt: PDFString.of(DESCRIPTION),
    K: dictOf(context, { Type: PDFName.of('OBJR'), Obj: widget, Pg: page.ref }),
  }));
  appendKid(context, above.dict, element);
  const key = nextKey(context, tree);
  setEntry(dict, 'StructParent', PDFNumber.of(key));
  setEntry(dict, 'TU', PDFString.of(DESCRIPTION));
  appendParent(context, tree, key, element);
  setEntry(tree, 'ParentTreeNextKey', PDFNumber.of(key + 1));
  // ISO 14289-1, 7.18.3: on pages with annotations the order of tabs is that of the structure.
  if (entry(page.dict, 'Tabs') === undefined) setEntry(page.dict, 'Tabs', PDFName.of('S'));
}

const DESCRIPTION = 'Digital signature';
/** Elements that may hold a form beside other elements (ISO 32000-1, 14.8.4.2). */
const GROUPS: ReadonlySet<string> = new Set(['Document', 'DocumentFragment', 'Part', 'Art', 'Sect', 'Div']);

/** The one element that holds all others, where there is one. */
function onlyGroup(context: PDFContext, tree: PDFDict): { readonly ref: PDFRef; readonly dict: PDFDict } | undefined {
  const [ref, second] = elements(context, entry(tree, 'K'));
  const dict = asDict(context, ref ?? entry(tree, 'K'));
  const own = ref ?? entry(tree, 'K');
  return second === undefined && own instanceof PDFRef && dict !== undefined && GROUPS.has(asName(context, entry(dict, 'S')) ?? '') ? { ref: own, dict } : undefined;
}

function appendKid(context: PDFContext, parent: PDFDict, element: PDFRef): void {
  const value = entry(parent, 'K');
  const array = asArray(context, value);
  if (array !== undefined) array.push(element);
  else setEntry(parent, 'K', arrayOf(context, [...(value === undefined ? [] : [value]), element]));
}

/** Keys are numbers that the file gives; what is no whole number cannot be counted on from. */
function nextKey(context: PDFContext, tree: PDFDict): number {
  const stated = asNumber(context, entry(tree, 'ParentTreeNextKey'));
  const taken = readNumberTree(context, entry(tree, 'ParentTree')).map(([key]) => key).filter(Number.isSafeInteger);
  return taken.reduce((most, key) => Math.max(most, key + 1), stated !== undefined && Number.isSafeInteger(stated) ? Math.max(0, stated) : 0);
}

/** Puts the last key into the number tree without writing the others anew: a tree of a large document has thousands. */
function appendParent(context: PDFContext, tree: PDFDict, key: number, element: PDFRef): void {
  const root = asDict(context, entry(tree, 'ParentTree'));
  const pair = [PDFNumber.of(key), element];
  if (root === undefined) return setEntry(tree, 'ParentTree', context.register(dictOf(context, { Nums: arrayOf(context, pair) })));
  const kids: PDFArray | undefined = asArray(context, entry(root, 'Kids'));
  if (kids !== undefined) {
    kids.push(context.register(dictOf(context, { Limits: arrayOf(context, [PDFNumber.of(key), PDFNumber.of(key)]), Nums: arrayOf(context, pair) })));
    return;
  }
  const numbers = asArray(context, entry(root, 'Nums'));
  if (numbers === undefined) setEntry(root, 'Nums', arrayOf(context, pair));
  else for (const value of pair) numbers.push(value);
}
