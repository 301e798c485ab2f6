import { defineOperation, numberField, tokens, choiceField, shown } from '@quire/registry';

interface ScalePagesParams {
  pageSize: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'LETTER' | 'LEGAL' | 'KEEP';
  orientation: string;
  scaleFactor: number;
}

/** Scales every page to a given paper size (`docs/interface/general.yml`, scale-pages). */
export const scalePages = defineOperation<ScalePagesParams>({
  path: 'general/scale-pages',
  since: '0.2.0',
  summary: 'Scale pages to a paper size',
  title: 'Resize pages',
  icon: 'scaling',
  order: 70,
  keywords: ['resize', 'page size', 'paper size', 'a4', 'letter', 'fit to page'],
  notes:
    'Each page is used as the reader sees it: cropped, rotated upright, and in points whatever its unit. It is ' +
    'scaled to fit the paper, times `scaleFactor`, and centred; the results have neither a rotation nor a crop ' +
    'box. With a factor above 1, everything outside the paper is cut off. Content that a crop box hid stays ' +
    'hidden. `KEEP` is the size of the first page as the reader sees it. Links, form fields, comments, ' +
    'bookmarks, page labels and tags stay, moved with the pages.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_scaled', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<ScalePagesParams, true>({
      pageSize: shown(
        joi
          .string()
          .valid('A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'LETTER', 'LEGAL', 'KEEP')
          .required()
          .description('Paper size of all pages; KEEP uses the size of the first page')
          .example('A4'),
        {
          label: 'Paper size',
          help: '',
          options: { LETTER: 'Letter', LEGAL: 'Legal', KEEP: 'Size of the first page' },
        },
      ),
      orientation: shown(
        choiceField(joi, ['PORTRAIT', 'LANDSCAPE'], {
          description:
            'LANDSCAPE, in upper or lower case, uses the paper in landscape; any other value means PORTRAIT. ' +
            'Ignored with KEEP',
          anyCase: true,
        }),
        {
          help: '',
          options: { PORTRAIT: 'Portrait', LANDSCAPE: 'Landscape' },
          when: { pageSize: ['A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'LETTER', 'LEGAL'] },
        },
      ),
      scaleFactor: shown(
        numberField(
          joi,
          'Factor in addition to fitting the page to the paper: 1 fits exactly, less leaves a margin, more is ' +
            'cut off at the edges, 0 shows nothing',
        )
          .min(0)
          .max(10_000)
          .default(1)
          .example(1),
        { label: 'Scale', help: '1 fits the paper exactly, less leaves a margin, more is cut off at the edges.' },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'A4 in landscape',
      files: ['handbook.pdf'],
      params: { pageSize: 'A4', orientation: 'landscape' },
      expect: { pages: [4], names: ['handbook_scaled.pdf'] },
    },
    {
      title: 'smaller on its own paper, pages rotated and cropped',
      files: ['unusual-pages.pdf'],
      params: { pageSize: 'KEEP', scaleFactor: 0.8 },
      expect: { pages: [4] },
    },
    {
      title: 'an unknown paper size',
      files: ['two-pages.pdf'],
      params: { pageSize: 'a4' as 'A4' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { pageSize, orientation, scaleFactor }, ctx) => {
    const [{ editFile }, functions] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/pages/scale-pages.js'),
    ]);
    const target = `${await ctx.folder()}/scaled.pdf`;
    const options = {
      pageSize,
      landscape: orientation === 'LANDSCAPE',
      factor: scaleFactor,
      signal: ctx.signal,
      onProgress: (done: number, total: number) => ctx.progress(done, total),
    };
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      (opened) => functions.scalePages(opened, options),
    );
    return [await ctx.adopt(file, target)];
  },
});
