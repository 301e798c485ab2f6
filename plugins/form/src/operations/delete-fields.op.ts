import { defineOperation, shown, tokens } from '@quire/registry';
import { readNames } from '../functions/read-names.js';
import { formErrors } from './form-declarations.js';
import { jsonText } from './json-text.js';

interface DeleteFieldsParams {
  names: string;
}

/** Removes form fields (`docs/interface/form.yml`, form/delete-fields). */
export const deleteFields = defineOperation<DeleteFieldsParams>({
  path: 'form/delete-fields',
  name: 'deleteFormFields',
  since: '0.1.0',
  summary: 'Remove form fields',
  title: 'Remove form fields',
  icon: 'eraser',
  order: 50,
  keywords: ['remove fields', 'acroform'],
  notes: [
    '`names` is JSON, as a field, a part of its own media type or a file: a list of names, or of objects with ' +
      '`name`, `targetName` or `fieldName`; an object with such a list as `fields`; one such object; one text. ' +
      'Names are full ones (`person.name`), else partial ones; that of a group (`person`) is that of all its ' +
      'fields.',
    'Fields are removed with all their widgets, tags, and entries in the calculation order and in action ' +
      'lists; nothing of them stays in the file. Unknown names are skipped: `X-Tool-Report` counts what was ' +
      '`deleted` and contains `deletedNames` and `unknown`. An XFA form is removed (`xfa: removed`).',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  pipeline: false,
  returns: { kind: 'pdf', name: '{base}_updated', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<DeleteFieldsParams, true>({
      names: shown(
        jsonText(joi, readNames)
          .required()
          .messages({ 'any.required': '{#label} is required (error.dataRequired)' })
          .description('Names of fields, as JSON')
          .example('["person.town","newsletter"]'),
        { label: 'Names of the fields', help: 'A list of names.', widget: 'json' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: formErrors,
  examples: [
    {
      title: 'two fields',
      files: ['application.pdf'],
      params: { names: '["person.town","newsletter"]' },
      expect: { pages: [2], names: ['application_updated.pdf'] },
    },
    {
      title: 'a document without a form',
      files: ['letter.pdf'],
      params: { names: '"x"' },
      expect: { pages: [1], names: ['letter_updated.pdf'] },
    },
    {
      title: 'a list without a name',
      files: ['application.pdf'],
      params: { names: '[" ",{"value":1}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { names }, ctx) => {
    const [{ editFile }, { deleteFields: drop }, { named }, { formStem }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/forms'),
      import('../functions/report-names.js'),
      import('../functions/open-form.js'),
    ]);
    const target = `${await ctx.folder()}/updated.pdf`;
    const { deleted, unknown, xfaRemoved } = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now() },
      (opened) => drop(opened, readNames(names)),
    );
    ctx.report({
      deleted: deleted.length,
      ...named('deletedNames', deleted),
      ...named('unknown', unknown),
      ...(xfaRemoved ? { xfa: 'removed' } : {}),
    });
    return [await ctx.adopt(file, target, { name: `${formStem(file.name)}_updated` })];
  },
});
