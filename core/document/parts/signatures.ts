import { PDFArray, type PDFContext, type PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { arrayOf, asDict, asName, asNumber, catalogOf, dictOf, elements, entry, readNumberTree, resolve, setEntry } from '../objects/index.js';
import { boxOf, pageAttribute, type PageEntry } from '../pages/index.js';
import { dropPermissions } from './permissions.js';
import { acroFormOf, allFieldNodes, isField, isSignatureField, readFields } from './fields.js';

/** Bits of the annotation flags that keep a widget off the screen: hidden and no-view (ISO 32000-1, table 165). */
const UNSEEN = 2 | 32;

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
  const done = new Set<PDFDict>();
  for (const page of pages) {
    if (done.has(page.dict)) continue;
    done.add(page.dict);
    const annotations = elements(context, entry(page.dict, 'Annots'));
    const kept = annotations.filter((value) => {
      const annotation = asDict(context, value);
      if (annotation === undefined || !(gone.has(annotation) || isLooseSignature(context, annotation))) return true;
      if (!gone.has(annotation)) count += 1;
      gone.add(annotation);
      if (value instanceof PDFRef) goneRefs.add(value);
      flatten(context, page, annotation);
      const key = asNumber(context, entry(annotation, 'StructParent'));
      if (key !== undefined) structKeys.add(key);
      return false;
    });
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

/** Draws a widget's normal appearance where the widget was (ISO 32000-1, 12.5.5, algorithm "appearance streams"). */
function flatten(context: PDFContext, page: PageEntry, widget: PDFDict): void {
  const flags = asNumber(context, entry(widget, 'F')) ?? 0;
  const rect = boxOf(context, entry(widget, 'Rect'));
  const appearances = asDict(context, entry(widget, 'AP'));
  const normal = appearances === undefined ? undefined : entry(appearances, 'N');
  const stream = resolve(context, normal);
  if ((flags & UNSEEN) !== 0 || rect === undefined || !(stream instanceof PDFRawStream) || !(normal instanceof PDFRef)) return;
  const box = boxOf(context, entry(stream.dict, 'BBox'));
  if (box === undefined || rect[0] === rect[2] || rect[1] === rect[3]) return;
  const matrix = elements(context, entry(stream.dict, 'Matrix')).map((value) => asNumber(context, value) ?? 0);
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix.length === 6 ? matrix : [];
  const corners = [[box[0], box[1]], [box[2], box[1]], [box[0], box[3]], [box[2], box[3]]].map(([x = 0, y = 0]) => [a * x + c * y + e, b * x + d * y + f] as const);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const left = Math.min(...xs);
  const bottom = Math.min(...ys);
  const width = Math.max(...xs) - left;
  const height = Math.max(...ys) - bottom;
  // An empty appearance (an invisible signature) draws nothing.
  if (width === 0 || height === 0) return;
  const sx = (rect[2] - rect[0]) / width;
  const sy = (rect[3] - rect[1]) / height;
  setEntry(stream.dict, 'Type', PDFName.of('XObject'));
  setEntry(stream.dict, 'Subtype', PDFName.of('Form'));
  const name = addXObject(context, page, normal);
  const numbers = [sx, 0, 0, sy, rect[0] - left * sx, rect[1] - bottom * sy].map((n) => Number(n.toFixed(6)));
  const draw = (text: string): PDFRef => context.register(PDFRawStream.of(dictOf(context, {}), Buffer.from(text, 'latin1')));
  const contents = entry(page.dict, 'Contents');
  const before = resolve(context, contents) instanceof PDFArray ? elements(context, contents) : contents === undefined ? [] : [contents];
  // The page's own content may leave its graphics state changed, so it is bracketed.
  setEntry(page.dict, 'Contents', arrayOf(context, [draw('q\n'), ...before, draw(`\nQ q ${numbers.join(' ')} cm ${name.toString()} Do Q\n`)]));
}

function addXObject(context: PDFContext, page: PageEntry, form: PDFRef): PDFName {
  // Resources may be shared with other pages: this page gets its own.
  const shared = asDict(context, pageAttribute(page, 'Resources'));
  const resources = shared === undefined ? dictOf(context, {}) : shallow(context, shared);
  const others = asDict(context, entry(resources, 'XObject'));
  const objects = others === undefined ? dictOf(context, {}) : shallow(context, others);
  let name = PDFName.of('QuireSignature');
  for (let n = 2; objects.has(name); n++) name = PDFName.of(`QuireSignature${n}`);
  objects.set(name, form);
  setEntry(resources, 'XObject', objects);
  setEntry(page.dict, 'Resources', resources);
  return name;
}

function shallow(context: PDFContext, dict: PDFDict): PDFDict {
  const copy = dictOf(context, {});
  for (const [key, value] of dict.entries()) copy.set(key, value);
  return copy;
}
