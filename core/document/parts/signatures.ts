import { PDFArray, type PDFContext, type PDFDict, type PDFObject, PDFRef } from 'pdf-lib';
import { drawnAnnotations, PageOverlay, paintAppearances } from '../draw/index.js';
import { arrayOf, asDict, asName, asNumber, catalogOf, elements, entry, readNumberTree, resolve, setEntry } from '../objects/index.js';
import type { PageEntry } from '../pages/index.js';
import { dropPermissions } from './permissions.js';
import { acroFormOf, allFieldNodes, isField, isSignatureField, readFields } from './fields.js';

/**
 * Removes every signature field, nested ones too, in place; what a visible one shows stays as page content. Also removes what only
 * meant something with signatures: /Perms, /DSS and the form's SigFlags. Gives how many fields went.
 */
export function removeSignatures(context: PDFContext, pages: readonly PageEntry[]): number {
  const catalog = catalogOf(context);
  if (catalog === undefined) return 0;
  const gone = new Set<PDFDict>();
  const goneRefs = new Set<PDFRef>();
  let count = 0;
  for (const node of allFieldNodes(readFields(context))) {
    if (!isSignatureField(context, node) || (node.parent !== undefined && !isField(node)) || node.children.some(isField)) continue;
    count += 1;
    for (const { dict, ref } of [node, ...node.children]) {
      gone.add(dict);
      if (ref !== undefined) goneRefs.add(ref);
    }
  }
  const structKeys = new Set<number>();
  const overlay = new PageOverlay(context);
  const done = new Set<PDFDict>();
  for (const page of pages) {
    if (done.has(page.dict)) continue;
    done.add(page.dict);
    const annotations = elements(context, entry(page.dict, 'Annots'));
    const widgets: PDFDict[] = [];
    const kept = annotations.filter((value) => {
      const annotation = asDict(context, value);
      if (annotation === undefined || !(gone.has(annotation) || isLooseSignature(context, annotation))) return true;
      if (!gone.has(annotation)) count += 1;
      gone.add(annotation);
      if (value instanceof PDFRef) goneRefs.add(value);
      widgets.push(annotation);
      const key = asNumber(context, entry(annotation, 'StructParent'));
      if (key !== undefined) structKeys.add(key);
      return false;
    });
    paintAppearances(context, overlay, page, drawnAnnotations(context, page, widgets));
    if (kept.length < annotations.length) setEntry(page.dict, 'Annots', kept.length > 0 ? arrayOf(context, kept) : undefined);
  }
  dropPermissions(context);
  if (gone.size === 0) return 0;
  dropFromForm(context, catalog, gone);
  dropFromStructure(context, catalog, structKeys, goneRefs);
  return count;
}

/** True when the document has a signature field. */
export function hasSignatures(context: PDFContext): boolean {
  for (const node of allFieldNodes(readFields(context))) if (isSignatureField(context, node)) return true;
  return false;
}

function isLooseSignature(context: PDFContext, annotation: PDFDict): boolean {
  return asName(context, entry(annotation, 'Subtype')) === 'Widget' && asName(context, entry(annotation, 'FT')) === 'Sig';
}

function dropFromForm(context: PDFContext, catalog: PDFDict, gone: ReadonlySet<PDFDict>): void {
  const form = acroFormOf(context);
  if (form === undefined) return;
  const prune = (owner: PDFDict, key: string, depth: number): void => {
    const values = elements(context, entry(owner, key));
    const kept = values.filter((value) => {
      const dict = asDict(context, value);
      if (dict === undefined || gone.has(dict)) return false;
      const had = elements(context, entry(dict, 'Kids')).length;
      if (had > 0 && depth < 100) prune(dict, 'Kids', depth + 1);
      // A field that only held signatures together has no purpose left.
      return had === 0 || elements(context, entry(dict, 'Kids')).length > 0;
    });
    if (kept.length < values.length) setEntry(owner, key, arrayOf(context, kept));
  };
  prune(form, 'Fields', 0);
  setEntry(form, 'SigFlags', undefined);
  const order = elements(context, entry(form, 'CO'));
  if (order.length > 0) setEntry(form, 'CO', arrayOf(context, order.filter((value) => !gone.has(asDict(context, value) ?? form))));
  if (elements(context, entry(form, 'Fields')).length === 0) setEntry(catalog, 'AcroForm', undefined);
}

/** A tagged document names each widget in its structure; the reference goes with the widget (ISO 32000-1, 14.7.4.3). */
function dropFromStructure(context: PDFContext, catalog: PDFDict, keys: ReadonlySet<number>, gone: ReadonlySet<PDFRef>): void {
  const tree = asDict(context, entry(catalog, 'StructTreeRoot'));
  if (tree === undefined || keys.size === 0) return;
  for (const [key, owner] of readNumberTree(context, entry(tree, 'ParentTree'))) {
    const element = keys.has(key) ? asDict(context, owner) : undefined;
    if (element === undefined) continue;
    const kids = resolve(context, entry(element, 'K'));
    const isGone = (kid: PDFObject): boolean => {
      const object = asDict(context, kid);
      const target = object === undefined ? undefined : entry(object, 'Obj');
      return target instanceof PDFRef && gone.has(target);
    };
    if (kids instanceof PDFArray) setEntry(element, 'K', arrayOf(context, kids.asArray().filter((kid) => !isGone(kid))));
    else if (kids !== undefined && isGone(kids)) setEntry(element, 'K', undefined);
  }
}
