import { baseName, defineOperation, type OutputFile, shown } from '@quire/registry';

interface ExtractImagesParams {
  format: 'png' | 'jpeg' | 'gif';
}

/** Extracts embedded images (`docs/interface/misc.yml`, extract-images). */
export const extractImages = defineOperation<ExtractImagesParams>({
  path: 'misc/extract-images',
  since: '0.2.0',
  summary: 'Extract the images of a PDF',
  title: 'Extract images',
  icon: 'images',
  order: 130,
  keywords: ['pictures', 'photos', 'export images', 'save images', 'jpg', 'png', 'gif'],
  notes:
    'Each image is extracted once, at its own size and in sRGB, and named after the first page that uses it: ' +
    "`<base>_page_<page>_<number>`. On each page, images of the page's own resources come first, then those " +
    'inside form XObjects, then inline images. PNG keeps transparency; JPEG and GIF show it as white. Image ' +
    'masks become black on white. A document without images returns an empty zip. `X-Tool-Report` holds ' +
    '`images` and `unreadable`, the number of images that could not be decoded and were skipped.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'format', map: { png: 'png', jpeg: 'jpeg', gif: 'gif' } },
    name: '{base}_page_{n}',
    extension: '{format}',
    many: { archive: '{base}_extracted-images', none: 'zip' },
  },
  params: (joi) =>
    joi.object<ExtractImagesParams, true>({
      format: shown(
        joi
          .string()
          .trim()
          .empty('')
          .valid('png', 'jpeg', 'gif')
          .default('png')
          .description('Format of the images, and their file extension'),
        { help: '', options: { png: 'PNG', jpeg: 'JPEG', gif: 'GIF' } },
      ),
    }),
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'IMAGE_TOO_LARGE'],
  examples: [
    { title: 'as png', files: ['picture.pdf'], params: { format: 'png' }, expect: { names: ['picture_page_1_1.png'] } },
    {
      title: 'as jpeg, with shared, masked and nested images',
      files: ['images.pdf'],
      params: { format: 'jpeg' },
      expect: {
        names: [
          'images_page_1_1.jpeg',
          'images_page_1_2.jpeg',
          'images_page_1_3.jpeg',
          'images_page_1_4.jpeg',
          'images_page_2_1.jpeg',
        ],
      },
    },
    {
      title: 'a document without images',
      files: ['broken-table.pdf'],
      params: { format: 'gif' },
      expect: { names: [] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
    {
      title: 'an unsupported format',
      files: ['picture.pdf'],
      params: { format: 'webp' as 'png' },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { format }, ctx) => {
    const { extractImages: extract } = await import('../functions/extract-images.js');
    const outputs: OutputFile[] = [];
    const base = baseName(file.name);
    const { images, unreadable } = await extract(file.path(), {
      format,
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
      emit: async (picture, page, n) =>
        void outputs.push(await ctx.output(file, picture, { name: `${base}_page_${page}_${n}` })),
    });
    ctx.report({ images, unreadable });
    return outputs;
  },
});
