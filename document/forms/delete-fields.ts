import type { PDFContext, PDFDict } from 'pdf-lib';
import { asDict, entry, setEntry } from '../file/objects/index.js';
import type { OpenedPdf } from '../file/open/index.js';
import { acroFormOf, allFieldNodes, dropXfa, fieldAttribute } from './fields/index.js';
import { dropAnnotationsAndReferences } from '../structure/annotations/index.js';
import { dropPermissions, hasSignatures } from '../signatures/fields/index.js';
import { dropFromForm } from '../structure/annotations/drop-annotations.js';
import { dropReferences } from './field-references.js';
import { FieldFinder } from './find-fields.js';
import type { FormField } from './form-model.js';
import { readForm } from './read-form.js';

export interface DeletionReport {
  /** Full names of the deleted fields. */
  readonly deleted: readonly string[];
  /** Names that no field has. */
  readonly unknown: readonly string[];
  /** True if the XFA form was removed, which would still have shown the deleted fields. */
  readonly xfaRemoved: boolean;
}

/**
 * Deletes fields in place (`docs/interface/form.yml`, form/delete-fields): from the form and its calculation order,
 * with all their widgets and tags, and from the field lists of actions. A name may be full or partial; the name of a
 * group (`person` for `person.name`) deletes all fields in it. Groups that become empty are deleted too, and so is a
 * form without fields. A document without a form is left unchanged.
 */
export function deleteFields(opened: OpenedPdf, names: readonly string[]): DeletionReport {
  const {
    document: { context },
    pages,
  } = opened;
  const fields = readForm(opened)?.fields ?? [];
  const finder = new FieldFinder(fields);
  const found = new Set<FormField>();
  const unknown: string[] = [];
  for (const name of names) {
    const named = finder.find(name);
    const all = named.length > 0 ? named : fields.filter((field) => field.name.startsWith(`${name}.`));
    if (all.length === 0) unknown.push(name);
    for (const field of all) found.add(field);
  }
  if (found.size === 0) return { deleted: [], unknown, xfaRemoved: false };
  const gone = new Set<PDFDict>();
  for (const { node } of found) for (const { dict } of allFieldNodes([node])) gone.add(dict);
  const signed = [...found].some(
    ({ kind, node }) => kind === 'signature' && asDict(context, fieldAttribute(node, 'V')) !== undefined,
  );
  const xfaRemoved = dropXfa(context);
  dropAnnotationsAndReferences(context, pages, ({ dict }) => gone.has(dict));
  dropFromForm(context, gone);
  const left = new Set(fields.flatMap((field) => (found.has(field) ? [] : [field.name])));
  const deleted = [...new Set([...found].map(({ name }) => name))];
  dropReferences(context, gone, new Set(deleted.filter((name) => !left.has(name))));
  if (signed) dropPermissions(context);
  settleForm(context);
  return { deleted, unknown, xfaRemoved };
}

/**
 * Removes signature flags from a form without signature fields, and the calculation order from one without calculated
 * fields.
 */
function settleForm(context: PDFContext): void {
  const form = acroFormOf(context);
  if (form === undefined) return;
  if (entry(form, 'SigFlags') !== undefined && !hasSignatures(context)) setEntry(form, 'SigFlags', undefined);
}
