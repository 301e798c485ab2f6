import { defineOperation, tokens } from '@quire/registry';

/** Removes all images (`docs/interface/general.yml`, remove-image-pdf). */
export const removeImagePdf = defineOperation<Record<string, never>>({
  path: 'general/remove-image-pdf',
  name: 'removeImages',
  since: '0.2.0',
  summary: 'Remove all images from the pages',
  title: 'Remove images',
  icon: 'image-off',
  order: 170,
  keywords: ['delete images', 'pictures', 'photos', 'strip images', 'text only'],
  notes:
    'Images and image masks are removed together with the operators that draw them, also inside form XObjects ' +
    'and inline in the content, and so are page thumbnails; nothing of them remains in the file. Images in ' +
    'annotations and patterns stay. A PDF without images is returned rewritten. `X-Tool-Report` holds ' +
    '`removed`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_images_removed', pages: 'same' },
  writes: 'rewrite',
  params: (joi) => joi.object<Record<string, never>, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'images of all types',
      files: ['images.pdf'],
      params: {},
      expect: { pages: [2], names: ['images_images_removed.pdf'] },
    },
    { title: 'no images', files: ['two-pages.pdf'], params: {}, expect: { pages: [2] } },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ editFile }, { removeImages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/redaction/document-data'),
    ]);
    const target = `${await ctx.folder()}/images-removed.pdf`;
    const removed = await editFile(
      file.path(),
      target,
      { mode: ctx.writing, modified: ctx.use(tokens.clock).now() },
      (opened) =>
        removeImages(opened, (done, total) => {
          ctx.signal.throwIfAborted();
          ctx.progress(done, total);
        }),
    );
    ctx.report({ removed });
    return [await ctx.adopt(file, target)];
  },
});
