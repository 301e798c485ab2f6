import { booleanField, defineOperation, integerField, numberField, shown, tokens } from '@quire/registry';

interface AddImageParams {
  x: number;
  y: number;
  width?: number;
  pageNumber: number;
  everyPage: boolean;
}

/** Places an image on a page or on all pages (`docs/interface/misc.yml`, add-image). */
export const addImage = defineOperation<AddImageParams>({
  path: 'misc/add-image',
  since: '0.2.0',
  summary: 'Add an image or a signature to a page or every page',
  title: 'Add an image or signature',
  icon: 'image-plus',
  order: 50,
  keywords: [
    'picture',
    'photo',
    'logo',
    'insert image',
    'signature image',
    'sign by hand',
    'draw a signature',
    'handwritten signature',
    'png',
    'jpg',
    'svg',
  ],
  groups: [
    {
      id: 'place',
      title: 'Place of the image',
      widget: 'area',
      frame: 'shown',
      picture: 'imageFile',
      roles: { x: 'x', y: 'y', width: 'width', page: 'pageNumber' },
    },
  ],
  notes:
    'Without `width` the image keeps its natural size: one pixel is one point. Of a TIFF, only the first page is used. An SVG ' +
    'is drawn as vectors: a pixel is a point, and units of length are kept. Scripts in an SVG are dropped; an ' +
    'SVG that refers to other files is refused. On rotated pages the image is upright as the reader sees it.',
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'imageFile',
      label: 'Image',
      description: 'The image to add',
      widget: 'signature',
      kinds: ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'svg'],
      requiredWhen: 'always',
    },
  ],
  returns: { kind: 'pdf', name: '{base}_overlayed', pages: 'same' },
  writes: 'append',
  pipeline: false,
  params: (joi) =>
    joi.object<AddImageParams, true>({
      x: shown(
        numberField(joi, 'Distance in points from the left edge of the page to the image')
          .min(-1_000_000)
          .max(1_000_000)
          .default(0),
        { label: 'From the left edge', help: '', unit: 'pt', group: 'place' },
      ),
      y: shown(
        numberField(joi, "Distance in points from the bottom of the page to the image's lower edge")
          .min(-1_000_000)
          .max(1_000_000)
          .default(0),
        { label: 'From the bottom edge', help: '', unit: 'pt', group: 'place' },
      ),
      width: shown(
        numberField(joi, 'Width of the image in points; its height follows. By default a pixel is a point')
          .greater(0)
          .max(14_400)
          .example(150),
        { help: 'A pixel is a point if empty.', unit: 'pt', group: 'place' },
      ),
      pageNumber: shown(integerField(joi, 'Page of the image, from 1; ignored with everyPage').min(1).default(1), {
        label: 'Page',
        help: '',
        group: 'place',
        when: { everyPage: false },
      }),
      everyPage: shown(booleanField(joi, 'Add the image to every page instead of only one'), {
        label: 'On every page',
        help: '',
      }),
    }),
  needs: { services: [tokens.clock] },
  errors: [
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
    'IMAGE_UNREADABLE',
    'IMAGE_TOO_LARGE',
  ],
  examples: [
    {
      title: 'an image on the first page',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'logo.png' },
      params: { x: 20, y: 30 },
      expect: { pages: [6], names: ['turned-and-cropped_overlayed.pdf'] },
    },
    {
      title: 'a signature on another page, 150 points wide',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'logo.png' },
      params: { x: 60, y: 80, width: 150, pageNumber: 5 },
      expect: { pages: [6] },
    },
    {
      title: 'refuses a page that the document does not have',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'logo.png' },
      params: { pageNumber: 7 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'an SVG on every page',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'logo.svg' },
      params: { x: 100, y: 50, everyPage: true },
      expect: { pages: [6] },
    },
    {
      title: 'refuses a program named like an image',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'program.png' },
      params: {},
      expect: { refused: 'IMAGE_UNREADABLE' },
    },
    {
      title: 'refuses an SVG that refers to an external image',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'outside-picture.svg' },
      params: {},
      expect: { refused: 'IMAGE_UNREADABLE' },
    },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { addImage: add }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/add-image.js'),
    ]);
    const picture = ctx.part('imageFile');
    if (picture === undefined) throw new TypeError('The image file is missing.');
    const image = await picture.bytes();
    const target = `${await ctx.folder()}/overlayed.pdf`;
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      (opened) => add(opened, { ...params, image, kind: picture.kind as 'png', signal: ctx.signal }),
    );
    return [await ctx.adopt(file, target)];
  },
});
