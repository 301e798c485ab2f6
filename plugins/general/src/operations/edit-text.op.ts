import { booleanField, defineOperation, pageNumbersField, selectPages, shown, tokens } from '@quire/registry';
import { parseEdits } from '../functions/text-edits.js';

interface EditTextParams {
  edits: string;
  wholeWordSearch: boolean;
  pageNumbers: string;
}

/** Finds and replaces text (`docs/interface/general.yml`, edit-text). */
export const editText = defineOperation<EditTextParams>({
  path: 'general/edit-text',
  since: '0.2.0',
  summary: 'Find and replace text',
  title: 'Find and replace text',
  icon: 'replace',
  order: 160,
  keywords: ['search and replace', 'change text', 'correct', 'edit pdf', 'substitute'],
  notes:
    'Text is matched exactly, including case, in the text of each page and its form XObjects: a match may span ' +
    'several pieces of text, and a gap or a line end counts as a space. Edits run in order, each on the result ' +
    'of those before; finding nothing is not an error. The new text uses the font of the text that it replaces ' +
    'if that has the characters, otherwise an embedded font. The rest of the line moves along; other lines ' +
    'stay in place. The old text is removed from the file. Text in annotations, form fields and images is not ' +
    'searched. `X-Tool-Report` holds `replaced`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_edited', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<EditTextParams, true>({
      edits: shown(
        joi
          .string()
          .trim()
          .max(20_000_000)
          .required()
          .custom((value: string, helpers) => {
            const read = parseEdits(value);
            return typeof read === 'string' ? helpers.error('edits', { fault: read }) : value;
          })
          .messages({
            edits: '{{#label}}: {{#fault}}',
            'any.required': '{{#label}} is required (error.editText.no.edits)',
            'string.empty': '{{#label}} must not be empty (error.editText.no.edits)',
          })
          .description(
            'JSON list of {find, replace}, or one such object; an empty or missing replace deletes the match',
          )
          .example('[{"find": "2024", "replace": "2025"}]'),
        {
          label: 'Replacements',
          help: 'A list of {find, replace}; without replace the match is deleted.',
          widget: 'json',
        },
      ),
      wholeWordSearch: shown(
        booleanField(joi, 'Match whole words only: no letter A to Z, digit or underscore on either side'),
        { label: 'Match whole words only', help: '' },
      ),
      pageNumbers: pageNumbersField(joi),
    }),
  needs: { services: [tokens.clock, tokens.settings] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
  ],
  examples: [
    {
      title: 'two edits',
      files: ['handbook.pdf'],
      params: { edits: '[{"find": "Chapter", "replace": "Part"}, {"find": "Part one", "replace": "Part 1"}]' },
      expect: { pages: [4], names: ['handbook_edited.pdf'] },
    },
    {
      title: 'whole words of one page',
      files: ['two-pages.pdf'],
      params: { edits: '{"find": "page", "replace": "сторінка"}', wholeWordSearch: true, pageNumbers: '1' },
      expect: { pages: [2] },
    },
    {
      title: 'nothing to search for',
      files: ['two-pages.pdf'],
      params: { edits: '[{"find": "", "replace": "x"}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { edits, wholeWordSearch, pageNumbers }, ctx) => {
    const [{ editFile }, { editText }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/edit-text.js'),
    ]);
    const target = `${await ctx.folder()}/edited.pdf`;
    const parsed = parseEdits(edits);
    const replaced = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now() },
      (opened) =>
        editText(opened, {
          edits: typeof parsed === 'string' ? [] : parsed,
          wholeWord: wholeWordSearch,
          ownFont: ctx.use(tokens.settings).get<string>('pdfEditor.fallback-font'),
          choose: (pageCount) => selectPages(pageNumbers, pageCount),
          onPage: (done, total) => {
            ctx.signal.throwIfAborted();
            ctx.progress(done, total);
          },
        }),
    );
    ctx.report({ replaced });
    return [await ctx.adopt(file, target)];
  },
});
