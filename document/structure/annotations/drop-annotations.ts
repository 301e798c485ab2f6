import { PDFArray, type PDFContext, type PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import {
  arrayOf,
  asDict,
  asNumber,
  catalogOf,
  elements,
  entry,
  readNameTree,
  readNumberTree,
  resolve,
  setEntry,
  writeNameTree,
  writeNumberTree,
} from '../../file/objects/index.js';
import type { PageEntry } from '../pages/index.js';
import { type Annotation, dropAnnotations, readAnnotations } from './annotations.js';
import { acroFormOf } from '../../forms/fields/fields.js';

/** Deepest nesting of structure elements that is followed. */
const MAX_DEPTH = 100;

/**
 * Removes annotations of pages in place, with everything that refers to them: pop-ups, fields without remaining
 * widgets, and tags. Returns the number of removed annotations.
 */
export function dropAnnotationsAndReferences(
  context: PDFContext,
  pages: Iterable<PageEntry>,
  drops: (annotation: Annotation, page: PageEntry) => boolean,
): number {
  const gone = new Set<PDFDict>();
  const refs = new Set<PDFRef>();
  const keys = new Set<number>();
  for (const page of pages) {
    const before = readAnnotations(context, page.dict);
    dropAnnotations(context, page.dict, (annotation) => drops(annotation, page));
    const kept = new Set(readAnnotations(context, page.dict).map(({ dict }) => dict));
    for (const { dict, value } of before) {
      if (kept.has(dict)) continue;
      gone.add(dict);
      if (value instanceof PDFRef) refs.add(value);
      const key = asNumber(context, entry(dict, 'StructParent'));
      if (key !== undefined) keys.add(key);
    }
  }
  if (gone.size === 0) return 0;
  dropFromForm(context, gone);
  dropFromStructure(context, keys, refs);
  return gone.size;
}

/**
 * Removes fields and widgets from the form in place, and groups that become empty; a form without fields is removed.
 */
export function dropFromForm(context: PDFContext, gone: ReadonlySet<PDFDict>): void {
  const form = acroFormOf(context);
  if (form === undefined) return;
  const prune = (owner: PDFDict, key: string, depth: number): void => {
    const values = elements(context, entry(owner, key));
    const kept = values.filter((value) => {
      const dict = asDict(context, value);
      if (dict === undefined || gone.has(dict)) return false;
      const had = elements(context, entry(dict, 'Kids')).length;
      if (had > 0 && depth < 100) prune(dict, 'Kids', depth + 1);
      // A field that only grouped others is not needed any more.
      return had === 0 || elements(context, entry(dict, 'Kids')).length > 0;
    });
    if (kept.length < values.length) setEntry(owner, key, arrayOf(context, kept));
  };
  prune(form, 'Fields', 0);
  const order = elements(context, entry(form, 'CO'));
  const calculated = order.filter((value) => !gone.has(asDict(context, value) ?? form));
  if (calculated.length < order.length)
    setEntry(form, 'CO', calculated.length > 0 ? arrayOf(context, calculated) : undefined);
  const catalog = catalogOf(context);
  if (catalog !== undefined && elements(context, entry(form, 'Fields')).length === 0)
    setEntry(catalog, 'AcroForm', undefined);
}

/**
 * Removes the structure tree's references to annotations (ISO 32000-1, 14.7.4.3), and elements that become empty, since
 * their alternate text would still be read aloud. `keys` are the structure parent keys of the annotations.
 */
export function dropFromStructure(context: PDFContext, keys: ReadonlySet<number>, gone: ReadonlySet<PDFRef>): void {
  const catalog = catalogOf(context);
  const tree = catalog === undefined ? undefined : asDict(context, entry(catalog, 'StructTreeRoot'));
  if (tree === undefined || keys.size === 0) return;
  const owners = [...readNumberTree(context, entry(tree, 'ParentTree'))];
  const emptied = new Set<PDFDict>();
  for (const [key, owner] of owners) {
    const element = keys.has(key) ? asDict(context, owner) : undefined;
    if (element === undefined) continue;
    const kids = resolve(context, entry(element, 'K'));
    const isGone = (kid: PDFObject): boolean => {
      const object = asDict(context, kid);
      const target = object === undefined ? undefined : entry(object, 'Obj');
      return target instanceof PDFRef && gone.has(target);
    };
    if (kids instanceof PDFArray)
      setEntry(
        element,
        'K',
        arrayOf(
          context,
          kids.asArray().filter((kid) => !isGone(kid)),
        ),
      );
    else if (kids !== undefined && isGone(kids)) setEntry(element, 'K', undefined);
    if (kids !== undefined && isEmpty(context, element)) emptied.add(element);
  }
  const dropped = new Set([...emptied].flatMap((element) => dropElement(context, tree, element)));
  dropIds(context, tree, dropped);
  const kept = owners.filter(([key, owner]) => !(keys.has(key) && emptied.has(asDict(context, owner) ?? tree)));
  if (kept.length < owners.length)
    setEntry(
      tree,
      'ParentTree',
      writeNumberTree(
        context,
        kept.sort(([a], [b]) => a - b),
      ),
    );
}

function isEmpty(context: PDFContext, element: PDFDict): boolean {
  const kids = resolve(context, entry(element, 'K'));
  return kids === undefined || (kids instanceof PDFArray && kids.size() === 0);
}

/** Removes deleted elements from the ID tree (ISO 32000-1, table 322, IDTree), which would keep them in the file. */
function dropIds(context: PDFContext, tree: PDFDict, dropped: ReadonlySet<PDFDict>): void {
  const names = readNameTree(context, entry(tree, 'IDTree'));
  const kept = names.filter(([, value]) => !dropped.has(asDict(context, value) ?? tree));
  if (kept.length < names.length) setEntry(tree, 'IDTree', kept.length > 0 ? writeNameTree(context, kept) : undefined);
}

/** Removes an element from the structure, and those above it that become empty; returns all removed elements. */
function dropElement(context: PDFContext, tree: PDFDict, element: PDFDict): PDFDict[] {
  const dropped: PDFDict[] = [];
  for (
    let [gone, depth]: [PDFDict, number] = [element, 0];
    gone !== tree && isEmpty(context, gone) && depth < MAX_DEPTH;
    depth++
  ) {
    const parent = asDict(context, entry(gone, 'P'));
    if (parent === undefined) return dropped;
    const kids = resolve(context, entry(parent, 'K'));
    const list = kids instanceof PDFArray ? kids.asArray() : kids === undefined ? [] : [entry(parent, 'K')!];
    const left = list.filter((kid) => asDict(context, kid) !== gone);
    if (left.length === list.length) return dropped;
    setEntry(parent, 'K', left.length > 0 ? arrayOf(context, left) : undefined);
    dropped.push(gone);
    gone = parent;
  }
  return dropped;
}
