import { defineOperation, numberField, tokens } from '@quire/registry';

interface ScalePagesParams {
  pageSize: 'A0' | 'A1' | 'A2' | 'A3' | 'A4' | 'A5' | 'A6' | 'LETTER' | 'LEGAL' | 'KEEP';
  orientation: string;
  scaleFactor: number;
}

/** Puts every page on a given paper size (`docs/interface/general.yml`, scale-pages). */
export const scalePages = defineOperation<ScalePagesParams>({
  path: 'general/scale-pages',
  since: '0.2.0',
  summary: 'Put every page on a given paper size',
  notes:
    'Each page is taken as it is seen: cropped, turned upright, in points whatever its unit. That is scaled to ' +
    'fit the paper, times `scaleFactor`, and centred; results have neither a rotation nor a crop box. What ' +
    'stands off the paper with a factor above 1 is cut, and nothing that a crop box hid is seen afterwards. ' +
    '`KEEP` is the size of the first page as it is seen. Links, fields, comments, bookmarks, labels and tags ' +
    'stay, moved with the pages.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_scaled', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<ScalePagesParams, true>({
      pageSize: joi
        .string()
        .valid('A0', 'A1', 'A2', 'A3', 'A4', 'A5', 'A6', 'LETTER', 'LEGAL', 'KEEP')
        .required()
        .description('Paper of all pages; KEEP takes the size of the first page')
        .example('A4'),
      orientation: joi
        .string()
        .trim()
        .empty('')
        .max(40)
        .default('PORTRAIT')
        .description(
          'LANDSCAPE, in upper or lower case, lays the paper on its side; anything else is PORTRAIT. Means ' +
            'nothing for KEEP',
        )
        .example('PORTRAIT'),
      scaleFactor: numberField(
        joi,
        'Factor on top of fitting the page to the paper: 1 just fits, less leaves a margin, more is cut at the ' +
          'edges, 0 shows nothing',
      )
        .min(0)
        .max(10_000)
        .default(1)
        .example(1),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'on A4, on its side',
      files: ['handbook.pdf'],
      params: { pageSize: 'A4', orientation: 'landscape' },
      expect: { pages: [4], names: ['handbook_scaled.pdf'] },
    },
    {
      title: 'smaller on its own paper, pages turned and cropped',
      files: ['odd-pages.pdf'],
      params: { pageSize: 'KEEP', scaleFactor: 0.8 },
      expect: { pages: [4] },
    },
    {
      title: 'a paper that is not known',
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
      landscape: orientation.toUpperCase() === 'LANDSCAPE',
      factor: scaleFactor,
      signal: ctx.signal,
      onProgress: (done: number, total: number) => ctx.progress(done, total),
    };
    await editFile(file.path(), target, { mode: ctx.writing, modified: ctx.use(tokens.clock).now() }, (opened) =>
      functions.scalePages(opened, options),
    );
    return [await ctx.adopt(file, target)];
  },
});
