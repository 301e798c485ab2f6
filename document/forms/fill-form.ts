import type { PDFContext } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { asDict, elements, entry, resolve } from '../file/objects/index.js';
import { type OpenedPdf, withdrawUsageRights } from '../file/open/index.js';
import { acroFormOf, dropXfa, fieldAttribute, isLocked, readFieldLocks } from './fields/index.js';
import { readSignatureState } from '../signatures/fields/index.js';
import { addUnlistedFields } from './add-unlisted-fields.js';
import { FieldFonts } from './appearance/field-fonts.js';
import { type FieldInput, planValue, type ValuePlan } from './field-values.js';
import { FieldFinder } from './find-fields.js';
import type { FormField, FormModel } from './form-model.js';
import { readForm } from './read-form.js';
import { completeFormStyle, hasPlannedValue, withFieldName, putValue, showValue } from './put-value.js';
import { refreshAppearances } from './refresh-appearances.js';

export interface FieldValue {
  /** Full name, or a partial name if no field has it as its full name. */
  readonly name: string;
  readonly value: FieldInput;
  /** JSON pointer to the value in the caller's input, for errors. */
  readonly pointer: string;
}

export interface FillOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
  /**
   * True if the result is appended as an incremental update, so that signatures stay valid and locked fields must not
   * change.
   */
  readonly appends?: boolean;
  /** True if the form is flattened afterwards, so that XFA is removed in any case. */
  readonly flattens?: boolean;
}

/** Result of filling in a form. Names are full field names, except for unknown ones. */
export interface FillReport {
  /** Number of fields that got a value. */
  readonly filled: number;
  /** Names that no field has. */
  readonly unknown: readonly string[];
  /** Push buttons and signature fields, which hold no value. */
  readonly ignored: readonly string[];
  /** Values that are not among the options of their field. */
  readonly dropped: readonly { readonly field: string; readonly values: readonly string[] }[];
  /**
   * Fields whose value a script would calculate (ISO 32000-1, table 196, C). Scripts are not run, so these keep their
   * value.
   */
  readonly notCalculated: readonly string[];
  /** Fields whose value a script would format (table 196, F). The value is shown as it was given. */
  readonly notFormatted: readonly string[];
  /** True if the XFA form was removed, which would have shown the old values. */
  readonly xfaRemoved: boolean;
}

/** Most faults that one error reports. */
const MAX_FAULTS = 20;

/**
 * Fills in a form in place (`docs/interface/form.yml`, fill): sets values by the rules of `planValue` and creates new
 * appearances for the changed fields, or for all fields if the form asks for it (ISO 32000-1, table 218,
 * NeedAppearances). An XFA form beside the fields is removed. Changes nothing if a value is refused. Throws
 * PDF_NO_FORM; XFA_DYNAMIC for a form that consists of XFA only; INPUT_INVALID with the fields and their allowed
 * values, or with characters that no font has. For appended results it throws FIELD_LOCKED for fields that a signature
 * locks, and PDF_SIGNED if an XFA form would have to be removed.
 */
export async function fillForm(
  opened: OpenedPdf,
  values: readonly FieldValue[],
  options: FillOptions = {},
): Promise<FillReport> {
  const { context } = opened.document;
  const form = readForm(opened);
  if (form === undefined) throw new DocumentError('PDF_NO_FORM', { field: 'fileInput' });
  if (form.xfa === 'dynamic' && (values.length > 0 || options.flattens === true))
    throw new DocumentError('XFA_DYNAMIC', { field: 'fileInput' });
  const signed = options.appends === true && readSignatureState(context).signed;
  const plan = planned(context, form, values);
  if (signed) refuseLocked(context, plan.fields);
  // A signature covers how a field looks: if this changes without its value, validators do not accept it as filling in.
  const fields = [...plan.fields].filter(
    ([field, { plan: value }]) => value.kind !== 'keep' && !(signed && hasPlannedValue(context, field, value)),
  );
  if (fields.length > 0 && form.xfa !== undefined && signed) {
    throw new DocumentError('PDF_SIGNED', {
      field: 'fileInput',
      operation: 'filling it in',
      reason: 'its XFA form would show the old values, and removing it changes signed content',
    });
  }
  const fonts = new FieldFonts(opened.document);
  completeFormStyle(
    context,
    fields.map(([field]) => field).filter(({ kind }) => kind === 'text' || kind === 'combobox' || kind === 'listbox'),
  );
  for (const [i, [field, { plan: value, source }]] of fields.entries()) {
    options.signal?.throwIfAborted();
    putValue(field, value);
    await withFieldName(field, source.pointer, () => showValue(context, field, value, fonts));
    options.progress?.(i + 1, fields.length);
  }
  if (!signed)
    addUnlistedFields(
      context,
      fields.map(([field]) => field),
    );
  const done = new Set(fields.map(([field]) => field));
  await refreshAppearances(
    context,
    form.fields.filter((field) => !done.has(field)),
    fonts,
    { onlyMissing: signed, ...(options.signal === undefined ? {} : { signal: options.signal }) },
  );
  fonts.embed();
  const { unknown, ignored, dropped } = plan;
  const xfaRemoved = (fields.length > 0 || options.flattens === true) && dropXfa(context);
  // Usage rights allow values to change, but not the removal of XFA.
  if (xfaRemoved) withdrawUsageRights(context, options.appends === true ? 'append' : 'rewrite');
  return {
    filled: [...plan.fields.values()].filter(({ plan: { kind } }) => kind !== 'keep').length,
    unknown,
    ignored,
    dropped,
    ...scripted(
      context,
      form,
      fields.map(([field]) => field),
    ),
    xfaRemoved,
  };
}

interface Planned {
  /** The last value of each field. */
  readonly fields: ReadonlyMap<FormField, { readonly plan: ValuePlan; readonly source: FieldValue }>;
  readonly unknown: readonly string[];
  readonly ignored: readonly string[];
  readonly dropped: FillReport['dropped'];
}

function planned(context: PDFContext, form: FormModel, values: readonly FieldValue[]): Planned {
  const finder = new FieldFinder(form.fields);
  const fields = new Map<FormField, { readonly plan: ValuePlan; readonly source: FieldValue }>();
  const [unknown, ignored] = [new Set<string>(), new Set<string>()];
  for (const source of values) {
    const found = finder.find(source.name);
    if (found.length === 0) unknown.add(source.name);
    for (const field of found) {
      if (field.kind === 'button' || field.kind === 'signature') ignored.add(field.name);
      else fields.set(field, { plan: planValue(context, field, source.value), source });
    }
  }
  const faults = [...fields].flatMap(
    ([
      { name },
      {
        plan,
        source: { pointer },
      },
    ]) => (plan.kind === 'fault' ? [{ pointer, detail: `the field "${name}" ${plan.fault}` }] : []),
  );
  if (faults.length > 0)
    throw new DocumentError(
      'INPUT_INVALID',
      {
        detail: faults
          .slice(0, 3)
          .map(({ detail }) => detail)
          .join('; '),
      },
      faults.slice(0, MAX_FAULTS),
    );
  const dropped = [...fields].flatMap(([{ name }, { plan }]) =>
    plan.kind === 'choice' && plan.dropped.length > 0 ? [{ field: name, values: plan.dropped }] : [],
  );
  return { fields, unknown: [...unknown], ignored: [...ignored], dropped };
}

function refuseLocked(
  context: PDFContext,
  fields: ReadonlyMap<FormField, { readonly plan: ValuePlan; readonly source: FieldValue }>,
): void {
  const locks = readFieldLocks(context);
  for (const [
    field,
    {
      plan,
      source: { pointer },
    },
  ] of fields) {
    const lock = hasPlannedValue(context, field, plan) ? undefined : locks.find((one) => isLocked(one, field.name));
    if (lock === undefined) continue;
    throw new DocumentError('FIELD_LOCKED', { found: field.name, signature: lock.signature }, [
      { pointer, detail: `the field "${field.name}" is locked by the signature in "${lock.signature}"` },
    ]);
  }
}

/** Lists the fields whose scripts would have calculated or formatted values. */
function scripted(
  context: PDFContext,
  { fields }: FormModel,
  filled: readonly FormField[],
): Pick<FillReport, 'notCalculated' | 'notFormatted'> {
  const has = ({ node, widgets }: FormField, key: string): boolean =>
    [node, ...widgets.map((widget) => widget.node)].some((one) => {
      const actions = asDict(context, fieldAttribute(one, 'AA'));
      return actions !== undefined && resolve(context, entry(actions, key)) !== undefined;
    });
  const form = acroFormOf(context);
  const order = new Set(
    form === undefined ? [] : elements(context, entry(form, 'CO')).map((value) => asDict(context, value)),
  );
  const own = new Set(filled);
  return {
    notCalculated:
      filled.length === 0
        ? []
        : fields
            .filter((field) => !own.has(field) && (order.has(field.node.dict) || has(field, 'C')))
            .map(({ name }) => name),
    notFormatted: filled.filter((field) => has(field, 'F')).map(({ name }) => name),
  };
}
