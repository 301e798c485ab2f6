import { defineOperation } from '@quire/registry';

/** Lists the bookmarks (`docs/interface/general.yml`, extract-bookmarks). */
export const extractBookmarks = defineOperation<object>({
  path: 'general/extract-bookmarks',
  since: '0.2.0',
  summary: 'Get the bookmarks of a PDF as JSON',
  title: 'List bookmarks',
  icon: 'bookmark-check',
  order: 190,
  keywords: ['outline', 'toc', 'table of contents', 'chapters'],
  notes:
    'Named destinations and GoTo actions are resolved to page numbers, which count from 1; a bookmark without ' +
    'a target page gets 1. `general/edit-table-of-contents` accepts the same format.',
  accepts: ['pdf'],
  files: 'each',
  fileAliases: ['file'],
  returns: {
    json: (joi) =>
      joi
        .array()
        .items(
          joi
            .object({
              title: joi.string().allow('').required().example('Chapter one'),
              pageNumber: joi.number().integer().min(1).required().example(1),
              children: joi.array().items(joi.link('#Bookmark')).required().description('Child bookmarks'),
            })
            .id('Bookmark')
            .label('Bookmark'),
        )
        .description('The top-level bookmarks in order; empty if there are none'),
  },
  params: (joi) => joi.object<object, true>({}),
  pipeline: false,
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'two chapters',
      files: ['handbook.pdf'],
      params: {},
      expect: { json: { 0: { title: 'Chapter one', pageNumber: 2, children: [] } } },
    },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ guardDocument, withPdf }, { readBookmarks }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/bookmarks.js'),
    ]);
    return ctx.json(
      await withPdf({ path: file.path() }, { repair: false }, (opened) =>
        guardDocument('fileInput', () => readBookmarks(opened)),
      ),
    );
  },
});
