import { defineOperation, shown, tokens } from '@quire/registry';
import { readUpdates } from '../functions/read-updates.js';
import { formErrors } from './form-declarations.js';
import { jsonText } from './json-text.js';

interface ModifyFieldsParams {
  updates: string;
}

/** Changes properties of form fields (`docs/interface/form.yml`, form/modify-fields). */
export const modifyFields = defineOperation<ModifyFieldsParams>({
  path: 'form/modify-fields',
  name: 'modifyFormFields',
  since: '0.1.0',
  summary: 'Change properties of form fields',
  title: 'Change form fields',
  icon: 'square-pen',
  order: 40,
  keywords: ['rename fields', 'acroform', 'edit form'],
  notes: [
    '`updates` is a JSON list of objects, sent as a field, a part with its own media type, or a file. Each has ' +
      '`targetName` (the full name, or else a partial one) and the changes: `name` (a partial name; if it is taken, ' +
      '`_1`, `_2` is appended), `label`, `tooltip` (blank removes it), `required`, `multiSelect` (for list boxes), ' +
      '`options` (for choices), `defaultValue` (becomes the value of the field; blank clears it) and `type`. Members ' +
      'that are missing or null are not changed.',
    'Another `type` (`text`, `checkbox`, `combobox`, `listbox`; `radio`, `button` and `signature` become ' +
      '`text`) creates a new field in the place of the first widget, with its frame, tags, label and, if possible, ' +
      'its value. Unknown targets, fields that no page shows and unknown types are ignored: ' +
      '`X-Tool-Report` holds `unknown` and `skipped`, and `renamed` for names that got a number.',
    'Changed fields are redrawn; field names in actions, scripts and locks follow. An XFA form is removed ' +
      '(`xfa: removed`). A document without a form is returned unchanged.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  pipeline: false,
  returns: { kind: 'pdf', name: '{base}_updated', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<ModifyFieldsParams, true>({
      updates: shown(
        jsonText(joi, readUpdates)
          .required()
          .messages({ 'any.required': '{#label} is required (error.dataRequired)' })
          .description('Changes, as JSON')
          .example(
            '[{"targetName":"person.town","label":"Town of birth","required":true,' +
              '"options":["Berlin","Paris","Rome"]}]',
          ),
        { label: 'Changes', help: 'A list of changes, each with targetName.', widget: 'json' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: formErrors,
  examples: [
    {
      title: 'a label, other options and a name',
      files: ['application.pdf'],
      params: {
        updates:
          '[{"targetName":"person.town","name":"city","label":"City","options":["Berlin","Rome"],' +
          '"defaultValue":"Rome"}]',
      },
      expect: { pages: [2], names: ['application_updated.pdf'] },
    },
    {
      title: 'a text that becomes a combo box',
      files: ['application.pdf'],
      params: { updates: '[{"targetName":"dateOfBirth","type":"combobox","options":["1980","1990"]}]' },
      expect: { pages: [2] },
    },
    {
      title: 'a document without a form',
      files: ['letter.pdf'],
      params: { updates: '[{"targetName":"x","label":"y"}]' },
      expect: { pages: [1], names: ['letter_updated.pdf'] },
    },
    {
      title: 'changes that are not a list',
      files: ['application.pdf'],
      params: { updates: '{"targetName":"person.town"}' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { updates }, ctx) => {
    const [{ editFile }, { modifyFields: modify }, { named }, { formStem }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/forms'),
      import('../functions/report-names.js'),
      import('../functions/open-form.js'),
    ]);
    const target = `${await ctx.folder()}/updated.pdf`;
    const { changed, unknown, skipped, renamed, xfaRemoved } = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now() },
      (opened) => modify(opened, readUpdates(updates), ctx.signal),
    );
    ctx.report({
      changed,
      ...named('unknown', unknown),
      ...named('skipped', skipped),
      ...named('renamed', renamed),
      ...(xfaRemoved ? { xfa: 'removed' } : {}),
    });
    return [await ctx.adopt(file, target, { name: `${formStem(file.name)}_updated` })];
  },
});
