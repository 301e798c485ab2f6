import { booleanField, defineOperation, shown } from '@quire/registry';

interface AutoRenameParams {
  useFirstTextAsFallback: boolean;
}

/** Renames a PDF after its largest text (`docs/interface/misc.yml`, auto-rename). */
export const autoRename = defineOperation<AutoRenameParams>({
  path: 'misc/auto-rename',
  since: '0.2.0',
  summary: 'Rename a PDF after its title text',
  title: 'Rename by title',
  icon: 'text-cursor-input',
  order: 210,
  keywords: ['title', 'heading', 'file name', 'name', 'header'],
  notes:
    'The new name is the text with the largest font size in the first 200 lines of the document; consecutive ' +
    'lines of that size are joined. The characters `/ \\ ? % * : | " < >` are removed. If there is no such ' +
    'text, or it has 255 characters or more, the file keeps its name, or with `useFirstTextAsFallback` takes ' +
    'the first usable line as its name. The document itself is returned byte for byte.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'same', name: '{base}', unchanged: true, pages: 'same' },
  params: (joi) =>
    joi.object<AutoRenameParams, true>({
      useFirstTextAsFallback: shown(
        booleanField(joi, 'Use the first line of text if the largest text is not usable as a name'),
        { label: 'Otherwise use the first line', help: 'If the largest text cannot be a name.' },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'a document with a large heading',
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
