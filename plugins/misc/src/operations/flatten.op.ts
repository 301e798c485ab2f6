import { booleanField, defineOperation, integerField, maxDpi, tokens } from '@quire/registry';

interface FlattenParams {
  flattenOnlyForms: boolean;
  /** Absent: the server's highest. */
  renderDpi?: number;
}

/** Makes forms part of the page, or pages pictures (`docs/interface/misc.yml`, flatten). */
export const flatten = defineOperation<FlattenParams>({
  path: 'misc/flatten',
  since: '0.2.0',
  summary: 'Flatten forms, or whole pages into pictures',
  notes: [
    'With `flattenOnlyForms`, what the fields show becomes page content and the form goes, XFA included: text ' +
      'stays text, other annotations stay. Fields that are hidden, or only for the printer, leave nothing ' +
      'behind. Fields without an appearance are drawn of their values. A document without a form comes back ' +
      'written anew.',
    'Without it, each page becomes one RGB picture of what it shows, in the same place and size: text, fields, ' +
      'tags, layers and scripts are no more; bookmarks, links, page labels, attachments and metadata stay. ' +
      'Without `renderDpi`, the highest resolution that the server allows is taken, or less where a document ' +
      'would be too large.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', pages: 'same' },
  writes: 'rewrite',
  effects: ['rasterises', 'dropsText', 'lossy'],
  params: (joi) =>
    joi.object<FlattenParams, true>({
      flattenOnlyForms: booleanField(joi, 'Flatten the form and leave the pages as they are').example(true),
      renderDpi: integerField(
        joi,
        'Resolution of pictures in dots per inch, cut to 72 and to what the server allows (system.maxDPI)',
      ).example(150),
    }),
  needs: { services: [tokens.settings, tokens.clock] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'a form with fields of every kind',
      files: ['form.pdf'],
      params: { flattenOnlyForms: true },
      expect: { pages: [2], names: ['form.pdf'] },
    },
    {
      title: 'pages as pictures',
      files: ['form.pdf'],
      params: { renderDpi: 72 },
      expect: { pages: [2], names: ['form.pdf'] },
    },
    {
      title: 'a resolution at which the page has too many pixels',
      files: ['poster.pdf'],
      params: { renderDpi: 500 },
      expect: { refused: 'IMAGE_TOO_LARGE' },
    },
    {
      title: 'a resolution that is no number',
      files: ['form.pdf'],
      params: { renderDpi: 'fine' as never },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, { flattenOnlyForms, renderDpi: dpi }, ctx) => {
    const { editFile } = await import('@quire/document/file/open');
    const folder = await ctx.folder();
    const target = `${folder}/flat.pdf`;
    const { signal } = ctx;
    const progress = (done: number, total: number): void => ctx.progress(done, total);
    const options = { mode: ctx.writing, modified: ctx.use(tokens.clock).now() };
    if (flattenOnlyForms) {
      const { flattenForm } = await import('@quire/document/forms');
      await editFile(file.path(), target, options, (opened) => flattenForm(opened, { signal, progress }));
    } else {
      const [{ PictureStore }, { flattenToPictures }] = await Promise.all([
        import('@quire/document/engines/rendering'),
        import('../functions/flatten-pdf.js'),
      ]);
      const most = maxDpi(ctx);
      const store = new PictureStore(`${folder}/pictures`);
      await editFile(file.path(), target, options, (opened) =>
        flattenToPictures(opened, { dpi, maxDpi: most, store, signal, progress }),
      );
    }
    return [await ctx.adopt(file, target)];
  },
});
