import { type DocumentFile, type JoiRoot, type RunContext, defineOperation, shown, tokens } from '@quire/registry';

interface ReplaceInvertPdfParams {
  replaceAndInvertOption: 'HIGH_CONTRAST_COLOR' | 'CUSTOM_COLOR' | 'FULL_INVERSION' | 'COLOR_SPACE_CONVERSION';
  highContrastColorCombination:
    | 'WHITE_TEXT_ON_BLACK'
    | 'BLACK_TEXT_ON_WHITE'
    | 'YELLOW_TEXT_ON_BLACK'
    | 'GREEN_TEXT_ON_BLACK';
  backGroundColor?: string;
  textColor?: string;
}

/** Changes, inverts or converts the colours of a PDF (`docs/interface/misc.yml`, replace-invert-pdf). */
export const replaceInvertPdf = defineOperation<ReplaceInvertPdfParams>({
  path: 'misc/replace-invert-pdf',
  name: 'replaceColors',
  since: '0.2.0',
  summary: 'Invert or replace colours, or convert to CMYK',
  title: 'Change colours',
  icon: 'palette',
  order: 110,
  keywords: ['dark mode', 'night mode', 'high contrast', 'negative', 'recolour', 'recolor', 'color'],
  notes: [
    '`HIGH_CONTRAST_COLOR` and `CUSTOM_COLOR` show all text in one colour on a background of another; text ' +
      'stays text. Painted areas on which the text would be unreadable take the background colour, and lines ' +
      'that would become invisible take the text colour (contrast below 3:1). Images stay as they are.',
    '`FULL_INVERSION` gives every page the complement of its colours. Pages are not converted to images, so ' +
      'text can still be selected and nothing loses resolution.',
    '`COLOR_SPACE_CONVERSION` converts pages, form fields and notes to DeviceCMYK with Ghostscript, and ' +
      'returns 503 if that is not installed. Bookmarks, links, forms, page labels, attachments and metadata ' +
      'stay; tags and layers do not.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_inverted', pages: 'same' },
  writes: 'append',
  rewritesWhen: { replaceAndInvertOption: 'COLOR_SPACE_CONVERSION' },
  params: (joi) =>
    joi
      .object<ReplaceInvertPdfParams, true>({
        replaceAndInvertOption: shown(
          joi
            .string()
            .valid('HIGH_CONTRAST_COLOR', 'CUSTOM_COLOR', 'FULL_INVERSION', 'COLOR_SPACE_CONVERSION')
            .default('HIGH_CONTRAST_COLOR')
            .description('How to change the colours')
            .example('HIGH_CONTRAST_COLOR'),
          {
            label: 'Change',
            help: '',
            options: {
              HIGH_CONTRAST_COLOR: 'High contrast',
              CUSTOM_COLOR: 'Colours of your choice',
              FULL_INVERSION: 'Invert all colours',
              COLOR_SPACE_CONVERSION: 'Convert to CMYK',
            },
          },
        ),
        highContrastColorCombination: shown(
          joi
            .string()
            .empty('')
            .valid('WHITE_TEXT_ON_BLACK', 'BLACK_TEXT_ON_WHITE', 'YELLOW_TEXT_ON_BLACK', 'GREEN_TEXT_ON_BLACK')
            .default('WHITE_TEXT_ON_BLACK')
            .description('The colours for HIGH_CONTRAST_COLOR')
            .example('YELLOW_TEXT_ON_BLACK'),
          {
            label: 'Colours',
            help: '',
            when: { replaceAndInvertOption: 'HIGH_CONTRAST_COLOR' },
            options: {
              WHITE_TEXT_ON_BLACK: 'White text on black',
              BLACK_TEXT_ON_WHITE: 'Black text on white',
              YELLOW_TEXT_ON_BLACK: 'Yellow text on black',
              GREEN_TEXT_ON_BLACK: 'Green text on black',
            },
          },
        ),
        backGroundColor: shown(colourField(joi, 'Background colour for CUSTOM_COLOR').example('0'), {
          label: 'Background',
          help: '',
          widget: 'colour',
          when: { replaceAndInvertOption: 'CUSTOM_COLOR' },
        }),
        textColor: shown(colourField(joi, 'Text colour for CUSTOM_COLOR').example('#ffff00'), {
          label: 'Text',
          help: '',
          widget: 'colour',
          when: { replaceAndInvertOption: 'CUSTOM_COLOR' },
        }),
      })
      .when(joi.object({ replaceAndInvertOption: joi.valid('CUSTOM_COLOR').required() }).unknown(), {
        then: joi.object({ backGroundColor: joi.required(), textColor: joi.required() }),
      }),
  needs: { services: [tokens.clock, tokens.convertColours] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'yellow text on black',
      files: ['form.pdf'],
      params: { replaceAndInvertOption: 'HIGH_CONTRAST_COLOR', highContrastColorCombination: 'YELLOW_TEXT_ON_BLACK' },
      expect: { pages: [2], names: ['form_inverted.pdf'] },
    },
    {
      title: 'custom colours',
      files: ['form.pdf'],
      params: { replaceAndInvertOption: 'CUSTOM_COLOR', backGroundColor: '0xFDF6E3', textColor: '2302755' },
      expect: { pages: [2] },
    },
    {
      title: 'inverted colours',
      files: ['picture.pdf'],
      params: { replaceAndInvertOption: 'FULL_INVERSION' },
      expect: { pages: [1] },
    },
    {
      title: 'refuses one colour without the other',
      files: ['form.pdf'],
      params: { replaceAndInvertOption: 'CUSTOM_COLOR', textColor: '#ffffff' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses a colour that is not a number',
      files: ['form.pdf'],
      params: { replaceAndInvertOption: 'CUSTOM_COLOR', textColor: 'white', backGroundColor: '0' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const target = `${await ctx.folder()}/recoloured.pdf`;
    if (params.replaceAndInvertOption === 'COLOR_SPACE_CONVERSION') {
      await convertToCmyk(file, target, ctx);
      return [await ctx.adopt(file, target)];
    }
    const [{ editFile }, { BLACK, parseColour }, { highContrast, recolourPdf }, { invertPdf }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/content/drawing'),
      import('../functions/colours/recolour-pdf.js'),
      import('../functions/colours/invert-pdf.js'),
    ]);
    const meanwhile = {
      signal: ctx.signal,
      progress: (done: number, total: number): void => ctx.progress(done, total),
    };
    const { textColor = '', backGroundColor = '' } = params;
    const colours =
      params.replaceAndInvertOption === 'CUSTOM_COLOR'
        ? { text: parseColour(textColor) ?? BLACK, ground: parseColour(backGroundColor) ?? BLACK }
        : highContrast(params.highContrastColorCombination);
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      (opened) =>
        params.replaceAndInvertOption === 'FULL_INVERSION'
          ? invertPdf(opened, meanwhile)
          : recolourPdf(opened, colours, meanwhile),
    );
    return [await ctx.adopt(file, target)];
  },
});

/** Ghostscript converts a copy; the converted pages then replace those of the document. */
async function convertToCmyk(file: DocumentFile, target: string, ctx: RunContext): Promise<void> {
  const [{ editFile, withPdf, writeContext }, { drawOrPicture }, { appendAppearances, takeConverted }, folder] =
    await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/engines/rendering'),
      import('../functions/colours/cmyk-pdf.js'),
      ctx.folder(),
    ]);
  const [input, output] = [`${folder}/pages.pdf`, `${folder}/cmyk.pdf`];
  await withPdf({ path: file.path() }, {}, (opened) => {
    appendAppearances(opened);
    // Written without encryption, so that Ghostscript needs no password.
    writeContext(opened.document.context, input);
  });
  const images = await drawOrPicture(
    input,
    `${folder}/images.pdf`,
    (pages) => ctx.use(tokens.convertColours).toCmyk(pages, output, ctx.signal),
    { signal: ctx.signal, drawn: output },
  );
  if (images !== undefined)
    ctx.warn(
      `Ghostscript could not convert the document: ${images.reason}. Its pages were converted as images, so their ` +
        'text cannot be selected.',
    );
  await withPdf({ path: output }, {}, (converted) =>
    editFile(file.path(), target, { mode: ctx.writing, modified: ctx.use(tokens.clock).now() }, (opened) =>
      takeConverted(opened, converted),
    ),
  );
}

/** A decimal number, or a hexadecimal one after 0x or #. */
function colourField(joi: JoiRoot, description: string) {
  return joi
    .string()
    .trim()
    .empty('')
    .pattern(/^(?:\d{1,8}|0[Xx][\dA-Fa-f]{1,6}|#(?:[\dA-Fa-f]{3}|[\dA-Fa-f]{6}))$/)
    .custom((value: string, helpers) =>
      /^\d+$/.test(value) && Number(value) > 0xffffff ? helpers.error('string.pattern.base') : value,
    )
    .messages({ 'string.pattern.base': '{#label} must be a colour: 0 to 16777215, 0xRRGGBB or #RRGGBB' })
    .description(`${description}: 24 bits as a decimal number, 0xRRGGBB or #RRGGBB`);
}
