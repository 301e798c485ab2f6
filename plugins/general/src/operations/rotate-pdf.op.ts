import { defineOperation, integerField, offering, shown, tokens } from '@quire/registry';

interface RotatePdfParams {
  angle: number;
}

/** Rotates every page of a PDF clockwise (`docs/interface/general.yml`, rotate-pdf). */
export const rotatePdf = defineOperation<RotatePdfParams>({
  path: 'general/rotate-pdf',
  since: '0.1.0',
  summary: 'Rotate all pages',
  title: 'Rotate pages',
  icon: 'rotate-cw',
  order: 40,
  screen: 'organise',
  keywords: ['turn', 'orientation', 'landscape', 'portrait', 'upside down', 'flip'],
  notes:
    'The angle is added to the current rotation of each page. Any multiple of 90 is accepted, including ' +
    'negative values and values above 360.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_rotated', pages: 'same' },
  writes: 'append',
  params: (joi) =>
    joi.object<RotatePdfParams, true>({
      angle: shown(
        offering(
          integerField(joi, 'Clockwise angle in degrees, a multiple of 90 (0, 90, 180, 270)')
            .multiple(90)
            .default(90)
            .example(90),
          { values: [90, 180, 270] },
        ),
        {
          label: 'Rotation',
          help: '',
          widget: 'choice',
          unit: '°',
          options: { '90': '90° clockwise', '180': 'Upside down', '270': '90° counter-clockwise' },
        },
      ),
    }),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'quarter turn',
      files: ['two-pages.pdf'],
      params: { angle: 90 },
      expect: { pages: [2], names: ['two-pages_rotated.pdf'] },
    },
    {
      title: 'rotate back, on a document with bookmarks and a form',
      files: ['handbook.pdf'],
      params: { angle: 270 },
      expect: { pages: [4] },
    },
    {
      title: 'an angle that is not a multiple of 90',
      files: ['two-pages.pdf'],
      params: { angle: 45 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { angle }, ctx) => {
    const [{ guardDocument, withPdf, writePdf }, { rotatePages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/pages/rotate-pages.js'),
    ]);
    const target = `${await ctx.folder()}/rotated.pdf`;
    const modified = ctx.use(tokens.clock).now();
    // Few objects change: the page tree need not be repaired, nor other objects compared with the file.
    await withPdf({ path: file.path() }, { repair: false }, (opened) =>
      guardDocument('fileInput', () =>
        writePdf(opened, target, {
          mode: ctx.writing,
          changes: rotatePages(opened, angle),
          modified,
          spendsInput: true,
        }),
      ),
    );
    return [await ctx.adopt(file, target)];
  },
});
