import { defineOperation, tokens } from '@quire/registry';

/** Removes all images (`docs/interface/general.yml`, remove-image-pdf). */
export const removeImagePdf = defineOperation<Record<string, never>>({
  path: 'general/remove-image-pdf',
  since: '0.2.0',
  summary: 'Remove all images from the pages',
  notes:
    'Images and image masks go with what draws them, also inside forms and inline in the content, and so do ' +
    'page thumbnails; nothing of them stays in the file. Images of annotations and in patterns stay. A PDF ' +
    'without images comes back saved anew. `X-Tool-Report` holds `removed`.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_images_removed', pages: 'same' },
  writes: 'rewrite',
  params: (joi) => joi.object<Record<string, never>, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'images of every kind',
      files: ['images.pdf'],
      params: {},
      expect: { pages: [2], names: ['images_images_removed.pdf'] },
    },
    { title: 'no image', files: ['two-pages.pdf'], params: {}, expect: { pages: [2] } },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ editFile }, { removeImages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/redaction/cleansing'),
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
