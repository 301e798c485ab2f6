import { type PDFContext, type PDFDict, PDFRef } from 'pdf-lib';
import { drawnAnnotations, PageOverlay, paintAppearances } from '../../content/drawing/index.js';
import { arrayOf, asDict, asName, asNumber, catalogOf, elements, entry, setEntry } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { dropPermissions } from './permissions.js';
import { dropFromForm, dropFromStructure } from '../../structure/annotations/drop-annotations.js';
import { acroFormOf, allFieldNodes, isField, isSignatureField, readFields } from '../../forms/fields/fields.js';

/**
 * Removes every signature field, nested ones too, in place; what a visible one shows stays as page content. Also
 * removes what only meant something with signatures: /Perms, /DSS and the form's SigFlags. Gives how many fields went.
 */
export function removeSignatures(context: PDFContext, pages: readonly PageEntry[]): number {
  const catalog = catalogOf(context);
  if (catalog === undefined) return 0;
  const gone = new Set<PDFDict>();
  const goneRefs = new Set<PDFRef>();
  let count = 0;
  for (const node of allFieldNodes(readFields(context))) {
    if (
      !isSignatureField(context, node) ||
      (node.parent !== undefined && !isField(node)) ||
      node.children.some(isField)
    )
      continue;
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
    if (annotations.length === 0) continue;
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
    if (widgets.length === 0) continue;
    paintAppearances(context, overlay, page, drawnAnnotations(context, page, widgets));
    setEntry(page.dict, 'Annots', kept.length > 0 ? arrayOf(context, kept) : undefined);
  }
  dropPermissions(context);
  if (gone.size === 0) return 0;
  dropFromForm(context, gone);
  const form = acroFormOf(context);
  if (form !== undefined) setEntry(form, 'SigFlags', undefined);
  dropFromStructure(context, structKeys, goneRefs);
  return count;
}

/** True when the document has a signature field. */
export function hasSignatures(context: PDFContext): boolean {
  for (const node of allFieldNodes(readFields(context))) if (isSignatureField(context, node)) return true;
  return false;
}

function isLooseSignature(context: PDFContext, annotation: PDFDict): boolean {
  return (
    asName(context, entry(annotation, 'Subtype')) === 'Widget' && asName(context, entry(annotation, 'FT')) === 'Sig'
  );
}
