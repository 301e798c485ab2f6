import { booleanField, defineOperation, integerField, maxDpi, numberField, tokens } from '@quire/registry';

interface AddWatermarkParams {
  watermarkType: 'text' | 'image';
  watermarkText: string;
  alphabet: string;
  fontSize: number;
  rotation: number;
  opacity: number;
  widthSpacer: number;
  heightSpacer: number;
  customColor: string;
  convertPDFToImage: boolean;
}

/** Tiles a text or a picture over every page. */
export const addWatermark = defineOperation<AddWatermarkParams>({
  path: 'security/add-watermark',
  since: '0.1.0',
  summary: 'Tile a text or image watermark over every page',
  notes:
    'Tiles start at the lower left corner of the media box, in its own units; page rotation and crop box are ' +
    'not considered. Text stays text: it can be searched, in all alphabets. A page that is smaller than the ' +
    'picture gets none (`unmarked` in `X-Tool-Report` counts them); where that holds for every page the call ' +
    'is refused.\n\nPages are made pictures at the resolution of `system.maxDPI`, or at the highest at which ' +
    'they stay within the limits of pixels; they show what readers show of the page, and its boxes, bookmarks, ' +
    'links, labels and attachments stay. A document that claims PDF/A-1 claims it no longer under a watermark ' +
    'that is not opaque, since that part forbids transparency.',
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'watermarkImage',
      description:
        'Picture of an image watermark; of animations the first frame. All but a JPEG may have 50 million pixels',
      kinds: ['png', 'jpeg', 'gif', 'bmp'],
      requiredWhen: { watermarkType: 'image' },
    },
  ],
  returns: { kind: 'pdf', name: '{base}_watermarked', pages: 'same' },
  writes: 'append',
  rewritesWhen: { convertPDFToImage: true },
  params: (joi) =>
    joi.object<AddWatermarkParams, true>({
      watermarkType: joi
        .string()
        .valid('text', 'image')
        .insensitive()
        .lowercase()
        .required()
        .description('What is tiled: a text, or the picture in watermarkImage. Upper and lower case are the same')
        .example('text'),
      watermarkText: joi
        .string()
        .empty('')
        .max(2000)
        .default('Quire')
        .description('Text of the watermark. The two characters \\n start a new line')
        .example('CONFIDENTIAL'),
      alphabet: joi
        .string()
        .trim()
        .lowercase()
        .empty('')
        .max(40)
        .default('roman')
        .description(
          'Alphabet of the text, which chooses the font: roman, arabic, japanese, korean, chinese or thai. Any ' +
            'other acts as roman',
        )
        .example('roman'),
      fontSize: numberField(joi, 'Text size, or height of the image, in points').min(1).max(14_400).default(30),
      rotation: numberField(joi, 'Angle of each tile in degrees, counter-clockwise').default(0),
      opacity: numberField(joi, 'From 0.0, invisible, to 1.0, opaque; values outside are cut').default(0.5),
      widthSpacer: integerField(joi, 'Points between tiles, sideways').min(0).default(50),
      heightSpacer: integerField(joi, 'Points between tiles, upwards').min(0).default(50),
      customColor: joi
        .string()
        .trim()
        .empty('')
        .max(100)
        .default('#d3d3d3')
        .description('Colour of the text, hexadecimal, the leading # optional; what cannot be read gives light grey')
        .example('#d3d3d3'),
      convertPDFToImage: booleanField(
        joi,
        'Turns every page of the result into one picture; bookmarks, links and attachments stay',
      ),
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
      title: 'two lines of text, turned',
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
      title: 'a picture',
      files: ['rotated-and-cropped.pdf'],
      parts: { watermarkImage: 'logo.png' },
      params: { watermarkType: 'image', fontSize: 40 },
      expect: { pages: [3] },
    },
    {
      title: 'pages as pictures',
      files: ['rotated-and-cropped.pdf'],
      params: { watermarkType: 'text', convertPDFToImage: true },
      expect: { pages: [3] },
    },
    {
      title: 'refuses a picture that is none',
      files: ['rotated-and-cropped.pdf'],
      parts: { watermarkImage: 'broken.png' },
      params: { watermarkType: 'image' },
      expect: { refused: 'IMAGE_UNREADABLE' },
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
    const { watermarkText: text, customColor: colour, ...style } = params;
    const watched = { signal: ctx.signal, progress: (done: number, total: number): void => ctx.progress(done, total) };
    // Pictures take so much longer that theirs is the progress.
    const common = { ...style, ...(params.convertPDFToImage ? { signal: ctx.signal } : watched) };
    const image = params.watermarkType === 'image' ? ctx.part('watermarkImage') : undefined;
    const picture =
      image === undefined ? undefined : { ...common, image: await image.bytes(), kind: image.kind as 'png' };
    const target = `${await ctx.folder()}/marked.pdf`;
    const { unmarked } = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now() },
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
