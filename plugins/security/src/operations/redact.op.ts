import { booleanField, defineOperation, maxDpi, selectPages, tokens, colourField, shown } from '@quire/registry';

interface RedactParams {
  redactions: string;
  pageNumbers?: string | undefined;
  pageRedactionColor: string;
  convertPDFToImage: boolean;
}

/** Redacts chosen areas and whole pages (`docs/interface/security.yml`, redact). */
export const redact = defineOperation<RedactParams>({
  path: 'security/redact',
  name: 'redactAreas',
  since: '0.2.0',
  summary: 'Redact areas or whole pages',
  title: 'Redact areas',
  icon: 'square-dashed',
  order: 60,
  screen: 'document/redact',
  keywords: ['black out', 'blackout', 'censor', 'anonymize', 'hide area', 'erase'],
  notes:
    'Text, annotations, and parts of images and drawings under an area are removed from the file; a box is ' +
    'drawn in their place. A letter is removed if the area touches it. Two engines then read these pages again; ' +
    'if text is left in an area, the call fails with 422 and returns no file. Areas are in points from the top ' +
    "left corner of the crop box, in the page's stored orientation: page rotation and UserUnit are ignored. " +
    'Areas are limited to the page; areas without a size and areas on pages that do not exist are ignored.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_redacted', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<RedactParams, true>({
      redactions: shown(
        joi
          .string()
          .trim()
          .allow('')
          .max(20_000_000)
          .default('')
          .description(
            'JSON list of {page, x, y, width, height, color}, or one such object; pages count from 1, x and y ' +
              'from the top left; may be empty',
          )
          .example('[{"page": 1, "x": 72, "y": 100, "width": 200, "height": 20, "color": "#000000"}]'),
        {
          label: 'Areas',
          help: 'A list of {page, x, y, width, height, color}: pages from 1, points from the top left.',
          widget: 'json',
        },
      ),
      pageNumbers: shown(
        joi
          .string()
          .trim()
          .empty('')
          .max(10_000)
          .optional()
          .description(
            'Pages to empty and cover completely: numbers, ranges and formulas with n, separated by commas, or ' +
              'all; none if absent',
          )
          .example('2,4-5'),
        { label: 'Whole pages', help: 'Pages to empty and cover completely.', widget: 'pages' },
      ),
      pageRedactionColor: shown(
        colourField(joi, 'Colour of whole pages in hexadecimal, with or without #; any other value means black', {
          fallback: '#000000',
        }),
        { label: 'Colour of whole pages', help: '' },
      ),
      convertPDFToImage: shown(booleanField(joi, 'Convert every page of the result to one image'), {
        label: 'Convert pages to images',
        help: '',
        advanced: true,
      }),
    }),
  needs: { services: [tokens.settings, tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'PAGES_INVALID',
    'PAGES_OUT_OF_RANGE',
    'REDACTION_INCOMPLETE',
    'IMAGE_TOO_LARGE',
  ],
  examples: [
    {
      title: 'an area',
      files: ['letter.pdf'],
      params: { redactions: '[{"page": 1, "x": 60, "y": 60, "width": 250, "height": 40, "color": "#cc0000"}]' },
      expect: { pages: [2], names: ['letter_redacted.pdf'] },
    },
    {
      title: 'a whole page',
      files: ['rotated-and-cropped.pdf'],
      params: { redactions: '', pageNumbers: '2' },
      expect: { pages: [3] },
    },
    {
      title: 'refuses an area without a position',
      files: ['letter.pdf'],
      params: { redactions: '[{"page": 1, "width": 5, "height": 5}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { redactions, pageNumbers, pageRedactionColor, convertPDFToImage }, ctx) => {
    const [{ readAreas, placeAreas }, { redactionColour }, { redactFile }] = await Promise.all([
      import('../functions/redaction/areas.js'),
      import('../functions/redaction/boxes.js'),
      import('../functions/redaction/redact-file.js'),
    ]);
    const areas = readAreas(redactions);
    const { path, facts, warnings } = await redactFile(
      file.path(),
      await ctx.folder(),
      {
        areas: (opened) => placeAreas(opened, areas),
        wiped: ({ pages }) =>
          new Map(
            (pageNumbers === undefined ? [] : selectPages(pageNumbers, pages.length)).map((index) => [
              pages[index]!.dict,
              undefined,
            ]),
          ),
        colour: redactionColour(pageRedactionColor),
        padding: 0,
      },
      {
        signal: ctx.signal,
        modified: ctx.use(tokens.clock).now(),
        progress: (done, total) => ctx.progress(done, total),
        dpi: convertPDFToImage ? maxDpi(ctx) : undefined,
      },
    );
    ctx.report(facts);
    for (const warning of warnings) ctx.warn(warning);
    return [await ctx.adopt(file, path)];
  },
});
