import { defineOperation, tokens } from '@quire/registry';

/** Stacks all pages into one tall page (`docs/interface/general.yml`, pdf-to-single-page). */
export const pdfToSinglePage = defineOperation<Record<never, never>>({
  path: 'general/pdf-to-single-page',
  name: 'combineToSinglePage',
  since: '0.2.0',
  summary: 'Combine all pages into one long page',
  title: 'Join into one long page',
  icon: 'scroll',
  order: 150,
  keywords: ['one page', 'long page', 'join pages', 'scroll', 'stitch'],
  notes:
    'Pages keep their size and are stacked upright along the left edge, the first at the top. Each page ' +
    'becomes a layer (`Layer0`, `Layer1` and so on) in addition to the layers of the document. A page may not ' +
    'be longer than 14400 units; if the pages together are longer, a larger unit is used (`UserUnit`) and the ' +
    'size in points is still exact. Links, bookmarks, form fields, comments, tags and attachments stay, moved ' +
    'with their pages; page labels are removed.',
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
      title: 'pages of several sizes, rotated and cropped',
      files: ['unusual-pages.pdf'],
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
    // Layers require PDF 1.5, UserUnit requires 1.6 (ISO 32000-1, 8.11 and table 30).
    await editFile(
      file.path(),
      target,
      { mode: 'rewrite', version: '1.6', modified: ctx.use(tokens.clock).now() },
      (opened) => stackPages(opened),
    );
    return [await ctx.adopt(file, target)];
  },
});
