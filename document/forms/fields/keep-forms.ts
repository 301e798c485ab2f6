import { type PDFContext, type PDFDict, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { arrayOf, asDict, asNumber, elements, entry, type ObjectCopier, setEntry } from '../../file/objects/index.js';
import { acroFormOf, allFieldNodes, type FieldNode, isSignatureField } from './fields.js';

/**
 * Rebuilt for the remaining fields, or dropped: XFA describes the form of the whole document, including removed pages,
 * and the fields work without it.
 */
const OMITTED: ReadonlySet<string> = new Set(['Fields', 'XFA', 'CO', 'SigFlags', 'DR']);
/** Default resources are meant for the text of fields, but some writers list everything there that their pages draw. */
const DRAWN: ReadonlySet<string> = new Set(['XObject', 'Pattern', 'Shading', 'Properties']);

/**
 * Copies the form with the kept fields (their dictionaries and those of the fields above them); returns undefined if
 * there are none. Widgets outside the field tree (`unlisted`) also use the form's settings, so the form is then kept
 * without fields.
 */
export function keepForm(
  context: PDFContext,
  fields: readonly FieldNode[],
  kept: ReadonlySet<PDFDict>,
  unlisted: boolean,
  copier: ObjectCopier,
): PDFRef | undefined {
  const form = acroFormOf(context);
  const roots = fields.filter(({ dict }) => kept.has(dict));
  if (form === undefined || (roots.length === 0 && !unlisted)) return undefined;
  const { target } = copier;
  const copies = (values: readonly PDFObject[]): PDFObject[] => values.flatMap((value) => copier.copy(value) ?? []);
  const copy = copier.copyDict(form, OMITTED);
  setEntry(
    copy,
    'Fields',
    arrayOf(
      target,
      copies(roots.map(({ ref, dict }) => ref ?? dict)).map((field) =>
        field instanceof PDFRef ? field : target.register(field),
      ),
    ),
  );
  const resources = asDict(context, entry(form, 'DR'));
  if (resources !== undefined) setEntry(copy, 'DR', copier.copyDict(resources, DRAWN));
  const order = copies(elements(context, entry(form, 'CO')));
  if (order.length > 0) setEntry(copy, 'CO', arrayOf(target, order));
  const flags = asNumber(context, entry(form, 'SigFlags'));
  const signed = [...allFieldNodes(roots)].some((node) => kept.has(node.dict) && isSignatureField(context, node));
  if (signed && flags !== undefined) setEntry(copy, 'SigFlags', PDFNumber.of(flags));
  return target.register(copy);
}
