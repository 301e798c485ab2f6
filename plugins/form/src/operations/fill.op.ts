import { booleanField, defineOperation, maxDpi, shown, tokens } from '@quire/registry';
import { readFillData } from '../functions/read-fill-data.js';
import { formErrors } from './form-declarations.js';
import { jsonText } from './json-text.js';

/** Names that a warning repeats, and their length. */
const [NAMED, SHOWN] = [5, 60];

interface FillParams {
  data?: string;
  flatten: boolean;
}

/** Fills in form fields (`docs/interface/form.yml`, form/fill). */
export const fill = defineOperation<FillParams>({
  path: 'form/fill',
  name: 'fillForm',
  since: '0.1.0',
  summary: 'Fill in form fields',
  title: 'Fill in a form',
  icon: 'pencil-line',
  order: 10,
  screen: 'document/forms',
  keywords: ['fill in', 'acroform', 'form data', 'complete'],
  notes: [
    '`data` is JSON, as a field, a part of its own media type or a file: an object of field names and values; ' +
      'the answer of `form/fields` (its `template` counts); an object with `fields`, or a list, of objects with ' +
      '`name` and `value`. Names are full ones (`person.name`), else partial ones (`name`). Texts are trimmed.',
    'Texts: a value that is longer than the field allows is refused, null clears. Check boxes: true, 1, yes, ' +
      'on, checked or the name of the state checks, anything else unchecks. Radio buttons: an export value; null ' +
      'and blank keep the selection. Choices: stored or shown values in any case, several as a list or separated ' +
      'by commas; unknown options are dropped, except in editable combo boxes; an empty rest clears. Push ' +
      'buttons and signatures are skipped. Read-only fields are filled in as well.',
    'Changed fields are redrawn, in every script that the built-in fonts support, and nothing is left to ' +
      'viewers. No script runs: `X-Tool-Report` names fields that scripts would have calculated ' +
      '(`notCalculated`) or formatted (`notFormatted`), and `unknown` names, `ignored` buttons and `dropped` ' +
      'values; `X-Warnings` names unknown fields too. An XFA form is removed (`xfa: removed`), because XFA viewers ' +
      'would show the old values; a form that has only XFA is refused.',
    'A signed document keeps its signatures: the changes are appended, and what a signature locks is refused. ' +
      'With `flatten`, the filled fields become page content and the form goes.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  pipeline: false,
  returns: { kind: 'pdf', name: '{base}_filled', pages: 'same' },
  writes: 'append',
  rewritesWhen: { flatten: true },
  certified: 2,
  params: (joi) =>
    joi.object<FillParams, true>({
      data: shown(
        jsonText(joi, readFillData)
          .description('Values by field name, as JSON; nothing is filled in without')
          .example('{"person.name":"Ada Lovelace","newsletter":true,"languages":["de","fr"]}'),
        { label: 'Values', help: 'Values by field name.', widget: 'json' },
      ),
      flatten: shown(booleanField(joi, 'Make the filled fields page content and remove the form'), {
        label: 'Flatten afterwards',
        help: 'Filled fields become page content, and the form is removed.',
      }),
    }),
  needs: { services: [tokens.settings, tokens.clock] },
  errors: [...formErrors, 'PDF_NO_FORM', 'XFA_DYNAMIC', 'FIELD_LOCKED', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'names and values',
      files: ['application.pdf'],
      params: { data: '{"person.name":"Ada Lovelace"}' },
      expect: { pages: [2], names: ['application_filled.pdf'] },
    },
    {
      title: 'filled and flattened',
      files: ['application.pdf'],
      params: { data: '[{"name":"person.name","value":"Ada Lovelace"}]', flatten: true },
      expect: { pages: [2], names: ['application_filled.pdf'] },
    },
    {
      title: 'a document without a form',
      files: ['letter.pdf'],
      params: { data: '{"name":"Ada"}' },
      expect: { refused: 'PDF_NO_FORM' },
    },
    {
      title: 'values that are not JSON',
      files: ['application.pdf'],
      params: { data: '{name: Ada}' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { data, flatten }, ctx) => {
    const [{ fillFile }, { formStem }] = await Promise.all([
      import('../functions/fill-file.js'),
      import('../functions/open-form.js'),
    ]);
    const { path, facts, unknown } = await fillFile(file.path(), await ctx.folder(), {
      data,
      flatten,
      mode: ctx.writing,
      modified: ctx.use(tokens.clock).now(),
      maxDpi: maxDpi(ctx),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    ctx.report(facts);
    if (unknown.length > 0) ctx.warn(unknownWarning(unknown));
    return [await ctx.adopt(file, path, { name: `${formStem(file.name)}_filled` })];
  },
});

function unknownWarning(names: readonly string[]): string {
  const shown = names.slice(0, NAMED).map((name) => JSON.stringify(name.slice(0, SHOWN)));
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  return `The form has no field ${shown.join(', ')}${more}; see form/fields for the names of its fields.`;
}
