import { booleanField, defineOperation, maxDpi, selectPages, tokens } from '@quire/registry';

interface RedactParams {
  redactions: string;
  pageNumbers?: string | undefined;
  pageRedactionColor: string;
  convertPDFToImage: boolean;
}

/** Removes what lies in chosen areas, or all of chosen pages (`docs/interface/security.yml`, redact). */
export const redact = defineOperation<RedactParams>({
  path: 'security/redact',
  since: '0.2.0',
  summary: 'Remove what lies in areas or on whole pages',
  notes:
    'Text, parts of pictures and of drawings, and annotations under an area leave the file; a box is drawn in ' +
    'their place. A letter goes that an area touches. The result is read again by two engines: should text be ' +
    'left in an area, the answer is 422 and no file. Areas are points from the top left corner of the crop ' +
    'box, as the page is stored: page rotation and UserUnit are not considered. Areas beyond the page are cut; ' +
    'those on pages that are not there, or without extent, do nothing.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_redacted', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<RedactParams, true>({
      redactions: joi
        .string()
        .trim()
        .allow('')
        .max(20_000_000)
        .default('')
        .description(
          'JSON list of {page, x, y, width, height, color}, or one such object; pages count from 1, x and y ' +
            'from the top left; empty for none',
        )
        .example('[{"page": 1, "x": 72, "y": 100, "width": 200, "height": 20, "color": "#000000"}]'),
      pageNumbers: joi
        .string()
        .trim()
        .empty('')
        .max(10_000)
        .optional()
        .description(
          'Pages that are emptied and covered whole: numbers, ranges and formulas in n, separated by commas, ' +
            'or all; none when missing',
        )
        .example('2,4-5'),
      pageRedactionColor: joi
        .string()
        .trim()
        .empty('')
        .max(100)
        .default('#000000')
        .description('Colour of whole pages, hexadecimal, the leading # optional; anything else gives black')
        .example('#000000'),
      convertPDFToImage: booleanField(joi, 'Turns every page of the result into one picture'),
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
      title: 'refuses an area without a place',
      files: ['letter.pdf'],
      params: { redactions: '[{"page": 1, "width": 5, "height": 5}]' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { redactions, pageNumbers, pageRedactionColor, convertPDFToImage }, ctx) => {
    const [{ readAreas, placeAreas }, { redactionColour }, { redactFile }] = await Promise.all([
      import('../functions/redaction/redaction-areas.js'),
      import('../functions/redaction/redaction-boxes.js'),
      import('../functions/redaction/redact-file.js'),
    ]);
    const areas = readAreas(redactions);
    const { path, facts } = await redactFile(
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
    return [await ctx.adopt(file, path)];
  },
});
