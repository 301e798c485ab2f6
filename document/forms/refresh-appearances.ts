import type { PDFContext } from 'pdf-lib';
import { entry, resolve, setEntry } from '../file/objects/index.js';
import { acroFormOf } from './fields/index.js';
import { refreshAppearance } from './appearance/field-appearance.js';
import type { FieldFonts } from './appearance/field-fonts.js';
import { lacksAppearance } from './flatten-form.js';
import type { FormField } from './form-model.js';

/**
 * If a form leaves its appearances to viewers (ISO 32000-1, table 218, NeedAppearances), creates those of the given
 * fields, in place, and clears that flag. With `onlyMissing`, existing appearances are kept. Values that scripts format
 * keep their appearance.
 */
export async function refreshAppearances(
  context: PDFContext,
  fields: Iterable<FormField>,
  fonts: FieldFonts,
  { onlyMissing = false, signal }: { readonly onlyMissing?: boolean; readonly signal?: AbortSignal },
): Promise<void> {
  const form = acroFormOf(context);
  if (form === undefined || resolve(context, entry(form, 'NeedAppearances'))?.toString() !== 'true') return;
  // Existing text of the document may have characters that no font has; the caller cannot fix that.
  fonts.missing = 'replace';
  for (const field of fields) {
    signal?.throwIfAborted();
    for (const { node } of field.widgets)
      if (lacksAppearance(context, node, !onlyMissing)) await refreshAppearance(context, node, fonts);
  }
  setEntry(form, 'NeedAppearances', context.obj(false));
}
