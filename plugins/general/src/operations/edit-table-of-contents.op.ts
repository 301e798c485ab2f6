import { booleanField, defineOperation, shown, tokens } from '@quire/registry';
import { parseBookmarks } from '../functions/bookmark-data.js';

interface EditTableOfContentsParams {
  bookmarkData: string;
  replaceExisting: boolean;
}

/** Replaces the bookmark tree (`docs/interface/general.yml`, edit-table-of-contents). */
export const editTableOfContents = defineOperation<EditTableOfContentsParams>({
  path: 'general/edit-table-of-contents',
  since: '0.2.0',
  summary: 'Replace the bookmarks of a PDF',
  title: 'Edit bookmarks',
  icon: 'list-tree',
  order: 180,
  screen: 'document/bookmarks',
  keywords: ['bookmarks', 'outline', 'toc', 'navigation', 'contents'],
  notes:
    '`bookmarkData` has the format that `general/extract-bookmarks` returns. Page numbers are limited to those ' +
    'of the document; `[]` removes all bookmarks.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_with_toc', pages: 'same' },
  // The old bookmarks must not remain in the file.
  writes: 'rewrite',
  params: (joi) =>
    joi.object<EditTableOfContentsParams, true>({
      bookmarkData: shown(
        joi
          .string()
          .trim()
          .max(20_000_000)
          .required()
          .custom((value: string, helpers) => {
            const read = parseBookmarks(value);
            return typeof read === 'string' ? helpers.error('bookmarks', { fault: read }) : value;
          })
          .messages({ bookmarks: '{{#label}}: {{#fault}}' })
          .description('JSON list of {title, pageNumber, children}; pages count from 1')
          .example('[{"title": "Start", "pageNumber": 1, "children": []}]'),
        { label: 'Bookmarks', help: 'A list of {title, pageNumber, children}; pages count from 1.', widget: 'json' },
      ),
      replaceExisting: shown(booleanField(joi, 'Accepted but ignored: bookmarks are always replaced', true), {
        hidden: true,
      }),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'two levels',
      files: ['two-pages.pdf'],
      params: {
        bookmarkData: '[{"title": "Start", "pageNumber": 1, "children": [{"title": "End", "pageNumber": 2}]}]',
      },
      expect: { pages: [2], names: ['two-pages_with_toc.pdf'] },
    },
    { title: 'remove all bookmarks', files: ['handbook.pdf'], params: { bookmarkData: '[]' }, expect: { pages: [4] } },
    {
      title: 'not JSON',
      files: ['two-pages.pdf'],
      params: { bookmarkData: 'Start, 1' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { bookmarkData }, ctx) => {
    const [{ editFile }, { replaceBookmarks }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/bookmarks.js'),
    ]);
    const target = `${await ctx.folder()}/contents.pdf`;
    const pageless: string[] = [];
    const bookmarks = parseBookmarks(bookmarkData, (title) => pageless.push(title));
    if (pageless.length > 0) ctx.warn(warningOf(pageless));
    await editFile(file.path(), target, { mode: ctx.writing, modified: ctx.use(tokens.clock).now() }, (opened) =>
      replaceBookmarks(opened, typeof bookmarks === 'string' ? [] : bookmarks),
    );
    return [await ctx.adopt(file, target)];
  },
});

function warningOf([first = '', ...others]: readonly string[]): string {
  const title = JSON.stringify(first.slice(0, 60));
  return others.length === 0
    ? `The bookmark ${title} has no pageNumber and goes to the first page.`
    : `The bookmark ${title} and ${others.length} more have no pageNumber and go to the first page.`;
}
