import {
  booleanField,
  defineOperation,
  integerField,
  maxDpi,
  numberField,
  tokens,
  choiceField,
  colourField,
  opacityField,
  shown,
} from '@quire/registry';

interface AddWatermarkParams {
  watermarkType: 'text' | 'image';
  watermarkText?: string;
  alphabet: string;
  fontSize: number;
  rotation: number;
  opacity: number;
  widthSpacer: number;
  heightSpacer: number;
  customColor: string;
  convertPDFToImage: boolean;
}

export const addWatermark = defineOperation<AddWatermarkParams>({
  path: 'security/add-watermark',
  since: '0.1.0',
  summary: 'Add a text or image watermark',
  title: 'Add a watermark',
  icon: 'droplet',
  order: 80,
  keywords: ['stamp', 'draft', 'confidential', 'logo', 'background text', 'overlay'],
  notes:
    'The watermark is repeated in tiles over every page. Tiles start at the lower left corner of the media ' +
    "box, in the page's own units; page rotation and crop box are ignored. Text stays text and can be searched " +
    'in all alphabets. A page that is smaller than the image gets no watermark (`unmarked` in `X-Tool-Report` ' +
    'counts such pages); if that applies to all pages, the call is refused.\n\nWith `convertPDFToImage`, pages ' +
    'are rendered at `system.maxDPI`, or at the highest resolution within the pixel limits. The images show ' +
    'what viewers show of the page; page boxes, bookmarks, links, page labels and attachments stay. A document ' +
    'that declares PDF/A-1 loses that declaration if the watermark is not opaque, because PDF/A-1 forbids ' +
    'transparency.',
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'watermarkImage',
      label: 'Image',
      description:
        'Image for an image watermark; of an animation the first frame. Images other than JPEG are limited to ' +
        '50 megapixels',
      kinds: ['png', 'jpeg', 'gif', 'bmp'],
      requiredWhen: { watermarkType: 'image' },
    },
  ],
  returns: { kind: 'pdf', name: '{base}_watermarked', pages: 'same' },
  writes: 'append',
  rewritesWhen: { convertPDFToImage: true },
  params: (joi) =>
    joi
      .object<AddWatermarkParams, true>({
        watermarkType: shown(
          joi
            .string()
            .valid('text', 'image')
            .insensitive()
            .lowercase()
            .required()
            .description('Whether the watermark is the text or the image in watermarkImage; case does not matter')
            .example('text'),
          { label: 'Watermark', help: '', options: { text: 'Text', image: 'Image' } },
        ),
        watermarkText: shown(
          joi
            .string()
            // Spaces and line breaks alone would draw nothing.
            .empty(
              joi
                .string()
                .allow('')
                .pattern(/^(?:\s|\\n)+$/),
            )
            .max(2000)
            .description('Text of the watermark, required for text. The two characters \\n start a new line')
            .example('CONFIDENTIAL'),
          { label: 'Text', help: 'The two characters \\n start a new line.', when: { watermarkType: 'text' } },
        ),
        alphabet: shown(
          choiceField(joi, ['roman', 'arabic', 'japanese', 'korean', 'chinese', 'thai'], {
            description:
              'Alphabet of the text, which selects the font: roman, arabic, japanese, korean, chinese or thai. Any ' +
              'other value means roman',
            anyCase: true,
          }),
          {
            help: '',
            options: {
              roman: 'Latin and others',
              arabic: 'Arabic',
              japanese: 'Japanese',
              korean: 'Korean',
              chinese: 'Chinese',
              thai: 'Thai',
            },
            advanced: true,
            when: { watermarkType: 'text' },
          },
        ),
        fontSize: shown(
          numberField(joi, 'Font size, or height of the image, in points').min(1).max(14_400).default(30),
          { label: 'Size', help: 'Font size, or height of the image.', unit: 'pt' },
        ),
        rotation: shown(numberField(joi, 'Rotation of each tile in degrees, counter-clockwise').default(0), {
          help: 'Counter-clockwise.',
          unit: '°',
        }),
        opacity: shown(opacityField(joi, 0.5), { help: '' }),
        widthSpacer: shown(integerField(joi, 'Horizontal space between tiles, in points').min(0).default(50), {
          label: 'Space beside',
          help: 'Between tiles.',
          unit: 'pt',
        }),
        heightSpacer: shown(integerField(joi, 'Vertical space between tiles, in points').min(0).default(50), {
          label: 'Space above and below',
          help: 'Between tiles.',
          unit: 'pt',
        }),
        customColor: shown(
          colourField(joi, 'Text colour in hexadecimal, with or without #; an unreadable value means light grey', {
            fallback: '#c0c0c0',
            usual: '#d3d3d3',
          }),
          { label: 'Colour', help: '', when: { watermarkType: 'text' } },
        ),
        convertPDFToImage: shown(
          booleanField(joi, 'Convert every page of the result to one image; bookmarks, links and attachments stay'),
          { label: 'Convert pages to images', help: 'Bookmarks, links and attachments stay.', advanced: true },
        ),
      })
      .when(joi.object({ watermarkType: joi.string().valid('text').insensitive().required() }).unknown(), {
        then: joi.object({ watermarkText: joi.required() }),
      }),
  needs: { services: [tokens.clock, tokens.settings] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'IMAGE_UNREADABLE',
    'IMAGE_TOO_LARGE',
    'INPUT_TOO_COMPLEX',
  ],
  examples: [
    {
      title: 'two lines of rotated text',
      files: ['rotated-and-cropped.pdf'],
      params: { watermarkType: 'text', watermarkText: 'TOP\\nSECRET', rotation: 45 },
      expect: { pages: [3], names: ['rotated-and-cropped_watermarked.pdf'] },
    },
    {
      title: 'Arabic',
      files: ['rotated-and-cropped.pdf'],
      params: { watermarkType: 'text', watermarkText: 'سري للغاية', alphabet: 'arabic', opacity: 0.3 },
      expect: { pages: [3] },
    },
    {
      title: 'an image',
      files: ['rotated-and-cropped.pdf'],
      parts: { watermarkImage: 'logo.png' },
      params: { watermarkType: 'image', fontSize: 40 },
      expect: { pages: [3] },
    },
    {
      title: 'pages as images',
      files: ['rotated-and-cropped.pdf'],
      params: { watermarkType: 'text', watermarkText: 'COPY', convertPDFToImage: true },
      expect: { pages: [3] },
    },
    {
      title: 'refuses a file that is not an image',
      files: ['rotated-and-cropped.pdf'],
      parts: { watermarkImage: 'broken.png' },
      params: { watermarkType: 'image' },
      expect: { refused: 'IMAGE_UNREADABLE' },
    },
    {
      title: 'refuses a text watermark without text',
      files: ['rotated-and-cropped.pdf'],
      params: { watermarkType: 'text' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses an unknown type',
      files: ['rotated-and-cropped.pdf'],
      params: { watermarkType: 'sound' as never },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { addImageWatermark, addTextWatermark }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/add-watermark.js'),
    ]);
    const { watermarkText: text = '', customColor: colour, ...style } = params;
    const watched = { signal: ctx.signal, progress: (done: number, total: number): void => ctx.progress(done, total) };
    // Rendering takes far longer than drawing the watermark, so only rendering reports progress.
    const common = { ...style, ...(params.convertPDFToImage ? { signal: ctx.signal } : watched) };
    const image = params.watermarkType === 'image' ? ctx.part('watermarkImage') : undefined;
    const picture =
      image === undefined ? undefined : { ...common, image: await image.bytes(), kind: image.kind as 'png' };
    const target = `${await ctx.folder()}/marked.pdf`;
    const { unmarked } = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      (opened) =>
        picture === undefined
          ? addTextWatermark(opened, { ...common, text, colour })
          : addImageWatermark(opened, picture),
    );
    if (unmarked > 0) ctx.report({ unmarked });
    if (!params.convertPDFToImage) return [await ctx.adopt(file, target)];
    const { pagesAsPictures } = await import('../functions/redaction/pages-as-pictures.js');
    const pictures = `${await ctx.folder()}/pictures.pdf`;
    await pagesAsPictures(target, pictures, { dpi: maxDpi(ctx), ...watched });
    return [await ctx.adopt(file, pictures)];
  },
});
