import { type DocumentFile, InputError, type RunContext } from '@quire/registry';
import type { FieldRow } from '../functions/export-fields.js';

/** Most bytes of the values that are put in before an export. */
const MAX_VALUES = 64 * 1024 * 1024;

export const exportParts = [
  {
    field: 'data',
    label: 'Values to fill in first',
    description:
      'A file with a JSON object of field names and values, which are filled in before the export, as in form/fill; ' +
      'values that a field does not accept are ignored',
    kinds: ['json', 'txt', 'bin'],
    mayBeEmpty: true,
  },
] as const;

export const exportNotes =
  'Fields are in the order of `form/fields`; without a form, only the headings are returned. The values in `data`, ' +
  'which must be a file part, are filled in first, as in `form/fill`: names may be partial, texts are trimmed, null ' +
  'clears. The document itself is not changed. `X-Tool-Report` contains `fields`, and `unknown` and `refused` names ' +
  '(20 at most) that could not be filled in; `xfa` is `hybrid` or `dynamic` for a document with an XFA form.';

/** Reads names and values of a form with what is put in before, and reports what was not. */
export async function exportedRows(file: DocumentFile, ctx: RunContext): Promise<FieldRow[]> {
  const [{ formFacts, withForm }, { fieldRows }, { readValues }, { readForm, tryValues }] = await Promise.all([
    import('../functions/open-form.js'),
    import('../functions/export-fields.js'),
    import('../functions/read-values.js'),
    import('@quire/document/forms'),
  ]);
  const part = ctx.part('data');
  if (part !== undefined && part.size > MAX_VALUES)
    throw new InputError('INPUT_TOO_LARGE', { limit: MAX_VALUES }, [
      { pointer: '/data', detail: `has ${part.size} bytes; at most ${MAX_VALUES} are accepted` },
    ]);
  const values = part === undefined ? [] : readValues(await part.bytes());
  return withForm(file.path(), (form, opened) => {
    const tried =
      form === undefined || values.length === 0 ? undefined : tryValues(opened.document.context, form, values);
    const rows = fieldRows(tried === undefined ? form : readForm(opened));
    ctx.report({
      fields: rows.length,
      ...formFacts(form),
      ...named('unknown', tried?.unknown ?? values.map(([name]) => name)),
      ...named('refused', tried?.refused ?? []),
    });
    return rows;
  });
}

function named(fact: string, names: readonly string[]): Record<string, string[]> {
  return names.length === 0 ? {} : { [fact]: names.slice(0, 20).map((name) => name.slice(0, 60)) };
}
