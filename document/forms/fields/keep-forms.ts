import { type PDFContext, type PDFDict, PDFNumber, type PDFObject, PDFRef } from 'pdf-lib';
import { arrayOf, asDict, asNumber, elements, entry, type ObjectCopier, setEntry } from '../../file/objects/index.js';
import { acroFormOf, allFieldNodes, type FieldNode, isSignatureField } from './fields.js';

/**
 * Written anew for the fields that stay. XFA describes the form of the whole document, pages that are gone too; the
 * fields themselves stand without it.
 */
const OMITTED: ReadonlySet<string> = new Set(['Fields', 'XFA', 'CO', 'SigFlags', 'DR']);
/** Default resources are for the text of fields; some writers give the form all that their pages draw. */
const DRAWN: ReadonlySet<string> = new Set(['XObject', 'Pattern', 'Shading', 'Properties']);

/**
 * Copies the form down to the kept fields (their dictionaries, and those of the fields above them); undefined when
 * there are none. Widgets that no field names (`loose`) are drawn by what the form says all the same, so then it stays
 * without fields.
 */
export function keepForm(
  context: PDFContext,
  fields: readonly FieldNode[],
  kept: ReadonlySet<PDFDict>,
  loose: boolean,
  copier: ObjectCopier,
): PDFRef | undefined {
  const form = acroFormOf(context);
  const roots = fields.filter(({ dict }) => kept.has(dict));
  if (form === undefined || (roots.length === 0 && !loose)) return undefined;
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
