import { defineOperation, type JoiRoot, jsonField, shown, tokens } from '@quire/registry';
import { labelStyles, parseLabels } from '../functions/label-data.js';

interface EditPageLabelsParams {
  labels: string;
}

const MAX_RANGES = 50_000;
const MAX_PREFIX = 1000;
const MAX_START = 1_000_000;

function rangeSchema(joi: JoiRoot) {
  return joi.object({
    pageNumber: joi.number().integer().min(1).max(1_000_000).required(),
    style: joi.string().valid(...Object.keys(labelStyles)),
    prefix: joi.string().allow('').max(MAX_PREFIX),
    start: joi.number().integer().min(1).max(MAX_START),
  });
}

/** Replaces the page labels (ISO 32000-2, 12.4.2). */
export const editPageLabels = defineOperation<EditPageLabelsParams>({
  path: 'general/edit-page-labels',
  since: '0.3.0',
  summary: 'Set the page labels of a PDF',
  title: 'Edit page labels',
  icon: 'hash',
  order: 192,
  screen: 'document/labels',
  keywords: ['page numbering', 'roman numerals', 'front matter', 'renumber', 'logical page numbers'],
  notes:
    'Page labels are the numbers that viewers show for pages and accept to go to one; nothing is printed on the ' +
    'pages (`misc/add-page-numbers` does that). `labels` lists ranges in the format that ' +
    '`general/extract-page-labels` returns, in any order; a range ends where the next one begins. `style` is ' +
    '`decimal` (1, 2, 3) when absent, or `romanLower` (i, ii, iii), `romanUpper` (I, II, III), `lettersLower` ' +
    '(a to z, then aa, bb), `lettersUpper` or `none`, which shows the prefix alone. `prefix` is empty and `start` ' +
    'is 1 when absent. Pages before the first range are numbered 1, 2, 3. All labels are replaced; `[]` removes ' +
    'them.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_labelled', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<EditPageLabelsParams, true>({
      labels: shown(
        jsonField(joi, joi.array().items(rangeSchema(joi)).max(MAX_RANGES), {
          what: 'a JSON array',
          longest: 20_000_000,
        })
          .required()
          .custom((value: string, helpers) => {
            const read = parseLabels(value);
            return typeof read === 'string' ? helpers.error('json.invalid', { fault: read }) : value;
          })
          .description('JSON array of ranges: pageNumber (from 1), style, prefix and start')
          .example('[{"pageNumber":1,"style":"romanLower"},{"pageNumber":3,"style":"decimal"}]'),
        { label: 'Ranges', help: 'A list of ranges: {pageNumber, style, prefix, start}; the first page is 1.' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a cover without a number, then 1, 2, 3',
      files: ['handbook.pdf'],
      params: { labels: '[{"pageNumber":1,"style":"none","prefix":"Cover"},{"pageNumber":2}]' },
      expect: { pages: [4], names: ['handbook_labelled.pdf'] },
    },
    { title: 'remove all labels', files: ['handbook.pdf'], params: { labels: '[]' }, expect: { pages: [4] } },
    {
      title: 'a range after the last page',
      files: ['two-pages.pdf'],
      params: { labels: '[{"pageNumber":3}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'two ranges at one page',
      files: ['two-pages.pdf'],
      params: { labels: '[{"pageNumber":1},{"pageNumber":1,"style":"none"}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { labels }, ctx) => {
    const [{ editFile }, { replaceLabels }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/page-labels.js'),
    ]);
    const target = `${await ctx.folder()}/labelled.pdf`;
    const ranges = parseLabels(labels);
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      (opened) => replaceLabels(opened, typeof ranges === 'string' ? [] : ranges),
    );
    return [await ctx.adopt(file, target)];
  },
});
