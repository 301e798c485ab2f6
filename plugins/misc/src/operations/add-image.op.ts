import { booleanField, defineOperation, numberField, tokens } from '@quire/registry';

interface AddImageParams {
  x: number;
  y: number;
  everyPage: boolean;
}

/** Places a picture on the first page or on all (`docs/interface/misc.yml`, add-image). */
export const addImage = defineOperation<AddImageParams>({
  path: 'misc/add-image',
  since: '0.2.0',
  summary: 'Place an image on the first or every page',
  notes:
    'The picture keeps its natural size, one pixel for one point; of a TIFF the first page is taken. An SVG is ' +
    'drawn as vectors: a pixel is a point, units of length are kept. Scripts in it are left out, and what ' +
    'refers to other files is refused. On turned pages the picture stands upright for the reader.',
  accepts: ['pdf'],
  files: 'each',
  parts: [
    {
      field: 'imageFile',
      description: 'The picture',
      kinds: ['png', 'jpeg', 'gif', 'bmp', 'tiff', 'webp', 'svg'],
      requiredWhen: 'always',
    },
  ],
  returns: { kind: 'pdf', name: '{base}_overlayed', pages: 'same' },
  writes: 'append',
  pipeline: false,
  params: (joi) =>
    joi.object<AddImageParams, true>({
      x: numberField(joi, 'Points from the left to the picture').min(-1_000_000).max(1_000_000).default(0),
      y: numberField(joi, "Points from the bottom to the picture's lower edge")
        .min(-1_000_000)
        .max(1_000_000)
        .default(0),
      everyPage: booleanField(joi, 'On every page instead of the first alone'),
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
      title: 'a picture on the first page',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'logo.png' },
      params: { x: 20, y: 30 },
      expect: { pages: [6], names: ['turned-and-cropped_overlayed.pdf'] },
    },
    {
      title: 'a drawing on every page',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'logo.svg' },
      params: { x: 100, y: 50, everyPage: true },
      expect: { pages: [6] },
    },
    {
      title: 'refuses a program that is called a picture',
      files: ['turned-and-cropped.pdf'],
      parts: { imageFile: 'program.png' },
      params: {},
      expect: { refused: 'IMAGE_UNREADABLE' },
    },
    {
      title: 'refuses a drawing that refers to a picture elsewhere',
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
    if (picture === undefined) throw new TypeError('a run without its picture');
    const image = await picture.bytes();
    const target = `${await ctx.folder()}/overlayed.pdf`;
    await editFile(file.path(), target, { mode: ctx.writing, modified: ctx.use(tokens.clock).now() }, (opened) =>
      add(opened, { ...params, image, kind: picture.kind as 'png', signal: ctx.signal }),
    );
    return [await ctx.adopt(file, target)];
  },
});
