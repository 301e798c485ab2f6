import { booleanField, defineOperation, type FieldPresentation, numberField, shown, tokens } from '@quire/registry';

interface CropParams {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  removeDataOutsideCrop: boolean;
  autoCrop: boolean;
}

/** Larger than any page, and still short when written as a number. */
const MAX_COORDINATE = 1_000_000;

const ofArea: FieldPresentation = { help: '', unit: 'pt', group: 'area', when: { autoCrop: false } };

/** Crops all pages to one rectangle or to their content (`docs/interface/general.yml`, crop). */
export const crop = defineOperation<CropParams>({
  path: 'general/crop',
  name: 'cropPages',
  since: '0.2.0',
  summary: 'Crop all pages to a rectangle or to their content',
  title: 'Crop pages',
  icon: 'crop',
  order: 60,
  keywords: ['trim', 'cut margins', 'auto crop', 'crop box', 'cut edges'],
  groups: [
    { id: 'area', title: 'Area to keep', widget: 'area', roles: { x: 'x', y: 'y', width: 'width', height: 'height' } },
  ],
  notes:
    "The rectangle is in points in each page's own coordinates, before any rotation; it becomes the page's " +
    'media box and is not moved to 0, 0. `autoCrop` renders each page at 150 dpi and crops it to everything ' +
    'that is not white; blank pages keep their size. With `removeDataOutsideCrop`, text, drawings, images, ' +
    'annotations and form fields that are completely outside are removed from the file, and images that are ' +
    'partly outside lose the pixels there (lossy images are recompressed); drawings that reach inside stay ' +
    'whole. Without it, only the boxes change. Bookmarks, links, form fields, page labels and tags of the ' +
    'remaining content stay.',
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
        x: shown(
          numberField(joi, 'Left edge in points; required unless autoCrop is set')
            .min(-MAX_COORDINATE)
            .max(MAX_COORDINATE)
            .example(50),
          { ...ofArea, label: 'Left edge' },
        ),
        y: shown(
          numberField(
            joi,
            "Bottom edge in points, measured upwards from the page's origin; required unless autoCrop is set",
          )
            .min(-MAX_COORDINATE)
            .max(MAX_COORDINATE)
            .example(50),
          { ...ofArea, label: 'Bottom edge', help: "Measured upwards from the page's origin." },
        ),
        width: shown(
          numberField(joi, 'Width in points, above 0; required unless autoCrop is set')
            .max(MAX_COORDINATE)
            .example(200),
          ofArea,
        ),
        height: shown(
          numberField(joi, 'Height in points, above 0; required unless autoCrop is set')
            .max(MAX_COORDINATE)
            .example(300),
          ofArea,
        ),
        removeDataOutsideCrop: shown(booleanField(joi, 'Remove the content outside instead of hiding it', true), {
          label: 'Remove what is outside',
        }),
        autoCrop: shown(
          booleanField(joi, 'Crop each page to its visible content; x, y, width and height are then ignored'),
          { label: 'Crop to the content', help: 'Crops each page to what is visible on it.', order: -1 },
        ),
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
    {
      title: 'to the content of each page',
      files: ['unusual-pages.pdf'],
      params: { autoCrop: true },
      expect: { pages: [4] },
    },
    {
      title: 'only the page boxes',
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
      title: 'a rectangle outside every page',
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
    await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now(), spendsInput: true },
      (opened) => cropPages(opened, to, remove, options),
    );
    return [await ctx.adopt(file, target)];
  },
});
