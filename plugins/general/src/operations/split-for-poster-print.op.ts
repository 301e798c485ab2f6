import { booleanField, defineOperation, integerField, shown, tokens } from '@quire/registry';

interface SplitForPosterPrintParams {
  pageSize: 'A4' | 'Letter' | 'A3' | 'A5' | 'Legal' | 'Tabloid';
  xFactor: number;
  yFactor: number;
  rightToLeft: boolean;
}

/** Tiles each page onto several printable sheets (`docs/interface/general.yml`, split-for-poster-print). */
export const splitForPosterPrint = defineOperation<SplitForPosterPrintParams>({
  path: 'general/split-for-poster-print',
  since: '0.2.0',
  summary: 'Split pages onto several sheets for a poster',
  title: 'Make a poster',
  icon: 'maximize',
  order: 110,
  keywords: ['tile', 'large print', 'enlarge', 'banner', 'wall poster'],
  notes:
    'Each page, as the reader sees it, is divided into `xFactor` by `yFactor` cells; each sheet shows one cell ' +
    'as large as it fits, centred, plus whatever next to it fits on the paper. Sheets are always upright. The ' +
    'content is stored once, however many sheets show it. Comments, links and form fields go to the sheet that ' +
    'shows their centre, bookmarks and link targets to the one that shows their point; tags, layers and ' +
    'attachments stay, page labels are removed.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: 'pdf',
    name: '{base}_poster',
    many: { archive: '{base}_poster' },
    pages: (inputPages, { xFactor, yFactor }) => (inputPages[0] ?? 0) * xFactor * yFactor,
  },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<SplitForPosterPrintParams, true>({
      pageSize: shown(
        joi
          .string()
          .valid('A4', 'Letter', 'A3', 'A5', 'Legal', 'Tabloid')
          .empty('')
          .default('A4')
          .description('Paper size of the sheets')
          .example('A4'),
        { label: 'Paper size of the sheets', help: '' },
      ),
      xFactor: shown(integerField(joi, 'Sheets side by side').min(1).max(10).default(2).example(2), {
        label: 'Sheets side by side',
        help: '',
      }),
      yFactor: shown(integerField(joi, 'Sheets above each other').min(1).max(10).default(2).example(2), {
        label: 'Sheets above each other',
        help: '',
      }),
      rightToLeft: shown(booleanField(joi, 'Order the sheets of a row from right to left'), {
        label: 'From right to left',
      }),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'two by two sheets of A4 for each page',
      files: ['handbook.pdf'],
      params: {},
      expect: { pages: [16], names: ['handbook_poster.pdf'] },
    },
    {
      title: 'three Letter sheets from right to left, pages rotated and cropped',
      files: ['unusual-pages.pdf'],
      params: { pageSize: 'Letter', xFactor: 3, yFactor: 1, rightToLeft: true },
      expect: { pages: [12] },
    },
    {
      title: 'an unknown paper size',
      files: ['two-pages.pdf'],
      params: { pageSize: 'letter' as 'Letter' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'too many sheets',
      files: ['two-pages.pdf'],
      params: { xFactor: 11 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { pageSize, xFactor, yFactor, rightToLeft }, ctx) => {
    const [{ editFile }, { paperSizes }, { tilePoster }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/structure/paper'),
      import('../functions/pages/tile-poster.js'),
    ]);
    const target = `${await ctx.folder()}/poster.pdf`;
    const grid = { columns: xFactor, rows: yFactor, rightToLeft, sheet: paperSizes[pageSize] };
    await editFile(file.path(), target, { mode: 'rewrite', modified: ctx.use(tokens.clock).now() }, (opened) =>
      tilePoster(opened, grid, {
        onSheets: (done, total) => {
          ctx.signal.throwIfAborted();
          ctx.progress(done, total);
        },
      }),
    );
    return [await ctx.adopt(file, target)];
  },
});
