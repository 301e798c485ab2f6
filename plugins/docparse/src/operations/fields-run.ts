import {
  booleanField,
  type DocumentFile,
  InputError,
  type JoiRoot,
  jsonField,
  type RunContext,
  shown,
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
import { parsingSettings, requireParsing } from './reading.js';

export interface ExtractFieldsParams extends ScannedParams {
  fields: string;
  useModel: boolean;
}

export interface ExtractedFields extends ScannedFacts {
  readonly pages: number;
  readonly fields: readonly FoundField[];
  /** Required fields that were not found. */
  readonly missing: readonly string[];
  /** True when a language model was asked. */
  readonly model: boolean;
  /** Why the model gave no answer. */
  readonly modelFault?: string;
  /** The document has more pages than were read. */
  readonly truncated?: true;
}

const MAX_FIELDS = 100;

/** Parameters of both ways to extract fields. */
export const extractionParams = (joi: JoiRoot) =>
  joi.object<ExtractFieldsParams, true>({
    fields: shown(wantedFieldsField(joi), {
      label: 'Fields to find',
      help: 'A list of fields: name, type, description, pattern, required.',
    }),
    useModel: shown(
      booleanField(joi, 'Asks the language model, if one is set up, for fields that code is not sure of', true),
      { label: 'Use the language model', help: 'For fields that cannot be read with certainty, if a model is set up.' },
    ),
    ...scannedFields(joi),
  });

/** The services of both. */
export const extractionNeeds = { services: [tokens.languageModel, ...scannedServices], settings: parsingSettings };
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

export const extractionNotes =
  'Fields are found in form fields, labels with the text after, beside or below them, tables, by `pattern`, ' +
  'and by typical values (IBAN with valid check digits, email addresses, invoice numbers and so on); common ' +
  'names are known in English, German, French and Spanish. Every value has its page, quotation and, if it is ' +
  'at one position, its box (left, top, right, bottom in points of the page as shown, from the upper left ' +
  'corner). Dates are ISO 8601, amounts `{"amount", "currency"}` with ISO 4217.\n\nIf a language model is set ' +
  'up, it is asked for fields that code is not sure of; its answer is accepted only if its quotation is on ' +
  'that page. Without a model, or if it fails, everything else works (`modelFault`). Scanned pages are read ' +
  'with OCR first unless `withOcr` is false; `ocrPages` says how many there were, `ocrFault` why it failed.';

/** Effects of operations that may ask a model. */
export const modelEffects = ['needsNetwork', 'nondeterministic'] as const;

/** Finds the fields in the file. Throws PDF_* codes, INPUT_INVALID for an invalid pattern, PATTERN_TOO_SLOW. */
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
      : [{ pointer: `/fields/${i}/pattern`, detail: `is not a regular expression: ${fault}` }];
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
 * Runs `work` with the language model if it is wanted and usable. A failing model is reported and does not end the run;
 * a cancelled run ends.
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
