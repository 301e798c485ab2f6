import { booleanField, defineOperation } from '@quire/registry';

interface AutoRenameParams {
  useFirstTextAsFallback: boolean;
}

/** Names a PDF after its largest text (`docs/interface/misc.yml`, auto-rename). */
export const autoRename = defineOperation<AutoRenameParams>({
  path: 'misc/auto-rename',
  since: '0.2.0',
  summary: 'Name a PDF after its largest text',
  notes:
    'The name is the text of the largest font size among the first 200 lines of the document; lines of that ' +
    'size behind one another are joined. `/ \\ ? % * : | " < >` are left out. Without such a text, or when it ' +
    'has 255 characters or more, the file keeps its name, or takes that of the first usable line with ' +
    '`useFirstTextAsFallback`. The document itself comes back byte for byte.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', unchanged: true, pages: 'same' },
  params: (joi) =>
    joi.object<AutoRenameParams, true>({
      useFirstTextAsFallback: booleanField(joi, 'Takes the first line of text where the largest text gives no name'),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a document with a large line',
      files: ['picture.pdf'],
      params: {},
      expect: { pages: [1], names: ['Rings.pdf'] },
    },
    {
      title: 'a document without text',
      files: ['attached.pdf'],
      params: {},
      expect: { pages: [1], names: ['attached.pdf'] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { useFirstTextAsFallback }, ctx) => {
    const { findTitle, firstLines } = await import('../functions/find-title.js');
    const name = findTitle(await firstLines(file.path(), ctx.signal), useFirstTextAsFallback);
    return [name === undefined ? ctx.keep(file) : ctx.keep(file, { name })];
  },
});
