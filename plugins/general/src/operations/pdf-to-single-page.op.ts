import { defineOperation, tokens } from '@quire/registry';

/** Stacks all pages into one tall page (`docs/interface/general.yml`, pdf-to-single-page). */
export const pdfToSinglePage = defineOperation<Record<never, never>>({
  path: 'general/pdf-to-single-page',
  since: '0.2.0',
  summary: 'Stack all pages into one tall page',
  notes:
    'Pages keep their size, stand at the left edge and are seen upright, the first on top. Each is a layer of ' +
    'its own (`Layer0`, `Layer1` and so on) beside the layers that the document has. A page may not be longer ' +
    'than 14400 units; where the pages together are, the unit is larger (`UserUnit`) and the size in points is ' +
    'still exact. Links, bookmarks, fields, comments, tags and attachments stay, moved with their pages; page ' +
    'labels go.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_singlePage', pages: () => 1 },
  writes: 'rewrite',
  params: (joi) => joi.object<Record<never, never>, true>({}),
  needs: { services: [tokens.clock] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'four pages',
      files: ['handbook.pdf'],
      params: {},
      expect: { pages: [1], names: ['handbook_singlePage.pdf'] },
    },
    {
      title: 'pages of several sizes, turned and cropped',
      files: ['odd-pages.pdf'],
      params: {},
      expect: { pages: [1] },
    },
    { title: 'a damaged file', files: ['broken.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ editFile }, { stackPages }] = await Promise.all([
      import('@quire/document/file/open'),
      import('@quire/document/structure/imposition'),
    ]);
    const target = `${await ctx.folder()}/single.pdf`;
    // Layers came with 1.5, units with 1.6 (ISO 32000-1, 8.11 and table 30).
    await editFile(
      file.path(),
      target,
      { mode: 'rewrite', version: '1.6', modified: ctx.use(tokens.clock).now() },
      (opened) => stackPages(opened),
    );
    return [await ctx.adopt(file, target)];
  },
});
