import { PDFDict, PDFRef, type PDFContext } from 'pdf-lib';
import { asDict, asName, catalogOf, elements, entry, setEntry } from '../objects/index.js';
import { noteWithdrawnRights } from '../source/index.js';

/** Keys of /Perms that hold usage rights (ISO 32000-1, table 258; UR is that of PDF 1.5). */
const KEYS = ['UR3', 'UR'] as const;

/**
 * Removes usage rights (ISO 32000-1, 12.8.2.3) in place. They are signed by the vendor of a viewer and cover named
 * changes only; a viewer that finds another change shows a warning and disables form filling. Without them the document
 * is an ordinary one. An appended update may `keep` them, always or where they allow filling in; a certified document
 * keeps them, since its certification forbids changing them. Returns the changed objects.
 */
export function withdrawUsageRights(
  context: PDFContext,
  mode: 'append' | 'rewrite',
  keep?: 'always' | 'fillIn',
): readonly PDFRef[] {
  const catalog = catalogOf(context);
  const held = catalog === undefined ? undefined : entry(catalog, 'Perms');
  const permissions = asDict(context, held);
  if (
    !(catalog instanceof PDFDict) ||
    permissions === undefined ||
    KEYS.every((key) => entry(permissions, key) === undefined)
  )
    return [];
  if (
    mode === 'append' &&
    (keep === 'always' ||
      (keep === 'fillIn' && allowFillIn(context, permissions)) ||
      entry(permissions, 'DocMDP') !== undefined)
  )
    return [];
  for (const key of KEYS) setEntry(permissions, key, undefined);
  if (permissions.keys().length === 0) setEntry(catalog, 'Perms', undefined);
  noteWithdrawnRights();
  return [held, context.trailerInfo.Root].filter((ref): ref is PDFRef => ref instanceof PDFRef);
}

/** True when all usage rights include form filling (ISO 32000-1, table 255, /Form). */
function allowFillIn(context: PDFContext, permissions: PDFDict): boolean {
  const signatures = KEYS.flatMap((key) => asDict(context, entry(permissions, key)) ?? []);
  return signatures.every((signature) =>
    elements(context, entry(signature, 'Reference')).some((value) => {
      const params = asDict(context, entry(asDict(context, value) ?? signature, 'TransformParams'));
      return (
        params !== undefined &&
        elements(context, entry(params, 'Form')).some((right) => asName(context, right) === 'FillIn')
      );
    }),
  );
}
