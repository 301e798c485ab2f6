import {
  booleanField,
  type DocumentFile,
  InputError,
  type JoiRoot,
  jsonField,
  type RunContext,
  tokens,
} from '@quire/registry';
import { FIELD_TYPES } from '../functions/fields/field-types.js';
import type { FoundField } from '../functions/fields/extract-fields.js';
import type { WantedField } from '../functions/fields/field-names.js';
import {
  readForFields,
  type ScannedFacts,
  scannedFields,
  type ScannedParams,
  scannedServices,
} from './read-for-fields.js';
import { requireParsing } from './reading.js';

/** What both ways to extract fields take. */
export interface ExtractFieldsParams extends ScannedParams {
  fields: string;
  useModel: boolean;
}

/** What was found in a document. */
export interface ExtractedFields extends ScannedFacts {
  readonly pages: number;
  readonly fields: readonly FoundField[];
  /** Required fields that were not found. */
  readonly missing: readonly string[];
  /** True when a language model was asked. */
  readonly model: boolean;
  /** Why the model gave nothing, where it was asked in vain. */
  readonly modelFault?: string;
  /** True when the document has more than is looked at. */
  readonly truncated?: true;
}

const MAX_FIELDS = 100;

/** Parameters of both ways to extract fields. */
export const extractionParams = (joi: JoiRoot) =>
  joi.object<ExtractFieldsParams, true>({
    fields: wantedFieldsField(joi),
    useModel: booleanField(joi, 'Asks the language model for what code is not sure of, where one is set up', true),
    ...scannedFields(joi),
  });

/** The services of both. */
export const extractionNeeds = { services: [tokens.languageModel, ...scannedServices] };
/** What both refuse a document with. */
export const extractionErrors = [
  'PDF_ENCRYPTED',
  'PDF_ENCRYPTION_UNSUPPORTED',
  'PDF_DAMAGED',
  'PDF_NO_PAGES',
  'PATTERN_TOO_SLOW',
  'OCR_LANGUAGES_UNKNOWN',
] as const;

/** The field with the wanted fields. */
function wantedFieldsField(joi: JoiRoot) {
  const field = joi.object({
    name: joi.string().trim().min(1).max(100).required(),
    type: joi.string().valid(...FIELD_TYPES),
    description: joi.string().allow('').max(500),
    pattern: joi.string().max(500),
    required: joi.boolean(),
  });
  return jsonField(joi, joi.array().items(field).min(1).max(MAX_FIELDS).unique('name'), {
    what: 'a JSON array of objects with the members name, type, description, pattern and required',
    longest: 200_000,
  })
    .required()
    .description(
      `Up to ${MAX_FIELDS} fields as a JSON array: name, type (${FIELD_TYPES.join(', ')}; string when absent), ` +
        'description, pattern (a regular expression that the value matches), required',
    )
    .example('[{"name":"invoiceNumber"},{"name":"total","type":"currency"},{"name":"dueDate","type":"date"}]');
}

/** What the operations tell of how they work. */
export const extractionNotes =
  'Looked for in form fields, labels with what stands behind, beside or below them, tables, by `pattern`, and ' +
  'by what account numbers (IBAN, check digits right), mail addresses, invoice numbers and the like look like; ' +
  'common names are known in English, German, French and Spanish. Every value comes with page, quotation and, ' +
  'where it stands in one place, its box (left, top, right, bottom in points of the page as shown, from its ' +
  'upper left corner). Dates are ISO 8601, amounts `{"amount", "currency"}` with ISO 4217.\n\nA language ' +
  'model, where one is set up, is asked for what code is not sure of; what it says is kept only when its ' +
  'quotation stands on that page. Without one, or when it fails, the rest works as before (`modelFault`). The ' +
  'text of scanned pages is recognised first, unless `withOcr` is false; `ocrPages` tells how many there were, ' +
  '`ocrFault` why that failed.';

/** What operations that may ask a model do beyond their purpose. */
export const modelEffects = ['needsNetwork', 'nondeterministic'] as const;

/** Finds the fields in the file. Errors: PDF_*; INPUT_INVALID for a pattern that is none; PATTERN_TOO_SLOW. */
export async function extracted(
  file: DocumentFile,
  { fields, useModel, ...scanned }: ExtractFieldsParams,
  ctx: RunContext,
): Promise<ExtractedFields> {
  requireParsing(ctx);
  const wanted = (JSON.parse(fields) as (Omit<WantedField, 'type'> & Partial<WantedField>)[]).map(
    (field): WantedField => ({ ...field, type: field.type ?? 'string' }),
  );
  const [{ extractFields }, { improveWithModel }, { compileFault }] = await Promise.all([
    import('../functions/fields/extract-fields.js'),
    import('../functions/fields/ask-model.js'),
    import('@quire/document/redaction/search'),
  ]);
  const faults = wanted.flatMap(({ pattern }, i) => {
    const fault = pattern === undefined ? undefined : compileFault({ text: pattern, regex: true });
    return fault === undefined
      ? []
      : [{ pointer: `/fields/${i}/pattern`, detail: `is no regular expression: ${fault}` }];
  });
  if (faults.length > 0)
    throw new InputError('INPUT_INVALID', { detail: `a pattern in "fields" ${faults[0]?.detail ?? ''}` }, faults);
  const { evidence, facts } = await readForFields(file, scanned, ctx);
  let found = extractFields(wanted, evidence);
  const asked = await askIfUsable(
    useModel,
    ctx,
    async (model) => void (found = await improveWithModel(wanted, found, evidence, model)),
  );
  const missing = wanted.filter(({ required }, i) => required === true && !found[i]!.found).map(({ name }) => name);
  return {
    pages: evidence.pages,
    fields: found,
    missing,
    ...asked,
    ...facts,
    ...(evidence.truncated ? { truncated: true } : {}),
  };
}

/**
 * Runs `work` with the language model where it is wanted and usable. A model that fails is told and ends nothing; a
 * cancelled run ends.
 */
export async function askIfUsable(
  wanted: boolean,
  ctx: RunContext,
  work: (model: Parameters<typeof import('../functions/fields/ask-model.js').improveWithModel>[3]) => Promise<void>,
): Promise<{ readonly model: boolean; readonly modelFault?: string }> {
  const model = ctx.use(tokens.languageModel);
  if (!wanted || !model.usable('docparse')) return { model: false };
  try {
    await work({
      limits: model.limits,
      ask: (question) => model.ask({ feature: 'docparse', tier: 'smart', ...question }, ctx.signal),
    });
    return { model: true };
  } catch (error) {
    const code = String((error as { code?: unknown }).code ?? '');
    if (ctx.signal.aborted || !/^(?:SERVICE_|REMOTE_|INPUT_TEXT)/.test(code)) throw error;
    return { model: true, modelFault: code };
  }
}
