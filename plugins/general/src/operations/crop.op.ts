import { booleanField, defineOperation, numberField, tokens } from '@quire/registry';

interface CropParams {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  removeDataOutsideCrop: boolean;
  autoCrop: boolean;
}

/** Longer than any page, and short enough to be written. */
const FARTHEST = 1_000_000;

/** Crops all pages to one rectangle or to their content (`docs/interface/general.yml`, crop). */
export const crop = defineOperation<CropParams>({
  path: 'general/crop',
  since: '0.2.0',
  summary: 'Crop all pages to one rectangle or to content',
  notes:
    "The rectangle is in points in each page's own coordinates, before any rotation; it becomes the page's " +
    'media box and is not moved to 0, 0. `autoCrop` looks at each page at 150 dpi and crops it to what is not ' +
    'white; blank pages keep their size. With `removeDataOutsideCrop`, text, drawings, pictures, annotations ' +
    'and fields that lie wholly outside are removed from the file, and pictures that lie outside partly lose ' +
    'their pixels there (those coded with loss are coded again); drawings that reach inside stay whole. ' +
    'Without it only the boxes change. Bookmarks, links, fields, labels and tags of what is inside stay.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_cropped', pages: 'same' },
  writes: 'append',
  rewritesWhen: { removeDataOutsideCrop: true },
  params: (joi) => {
    const needed = {
      x: joi.required(),
      y: joi.required(),
      width: joi.number().greater(0).required(),
      height: joi.number().greater(0).required(),
    };
    return joi
      .object<CropParams, true>({
        x: numberField(joi, 'Left edge in points; needed unless autoCrop').min(-FARTHEST).max(FARTHEST).example(50),
        y: numberField(joi, "Bottom edge in points, counted upwards from the page's origin; needed unless autoCrop")
          .min(-FARTHEST)
          .max(FARTHEST)
          .example(50),
        width: numberField(joi, 'Width in points, above 0; needed unless autoCrop').max(FARTHEST).example(200),
        height: numberField(joi, 'Height in points, above 0; needed unless autoCrop').max(FARTHEST).example(300),
        removeDataOutsideCrop: booleanField(joi, 'Removes what lies outside, instead of hiding it', true),
        autoCrop: booleanField(joi, 'Crops each page to what it shows; x, y, width and height then mean nothing'),
      })
      .when(joi.object({ autoCrop: booleanField(joi, 'True').valid(true).required() }).unknown(), {
        otherwise: joi.object(needed),
      });
  },
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'INPUT_TOO_COMPLEX'],
  examples: [
    {
      title: 'a rectangle',
      files: ['two-pages.pdf'],
      params: { x: 20, y: 200, width: 200, height: 180 },
      expect: { pages: [2], names: ['two-pages_cropped.pdf'] },
    },
    { title: 'to what each page shows', files: ['odd-pages.pdf'], params: { autoCrop: true }, expect: { pages: [4] } },
    {
      title: 'boxes alone',
      files: ['handbook.pdf'],
      params: { x: 0, y: 0, width: 300, height: 350, removeDataOutsideCrop: false },
      expect: { pages: [4] },
    },
    {
      title: 'no rectangle',
      files: ['two-pages.pdf'],
      params: { x: 20, y: 200 },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'a rectangle off every page',
      files: ['two-pages.pdf'],
      params: { x: 1000, y: 0, width: 10, height: 10 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { x = 0, y = 0, width = 0, height = 0, removeDataOutsideCrop: remove, autoCrop }, ctx) => {
    const [{ editFile }, { cropPages }, { measureInk }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/pages/crop-pages.js'),
      import('../functions/pages/measure-ink.js'),
    ]);
    const options = { signal: ctx.signal, onProgress: (done: number, total: number) => ctx.progress(done, total) };
    const to = autoCrop ? await measureInk(file.path(), options) : { x, y, width, height };
    const target = `${await ctx.folder()}/cropped.pdf`;
    await editFile(file.path(), target, { mode: ctx.writing, modified: ctx.use(tokens.clock).now() }, (opened) =>
      cropPages(opened, to, remove, options),
    );
    return [await ctx.adopt(file, target)];
  },
});
