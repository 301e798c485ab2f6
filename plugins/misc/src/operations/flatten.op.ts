import { booleanField, defineOperation, integerField, maxDpi, shown, tokens } from '@quire/registry';

interface FlattenParams {
  flattenOnlyForms: boolean;
  /** If absent, the server's highest resolution. */
  renderDpi?: number;
}

/** Turns form fields into page content, or pages into images (`docs/interface/misc.yml`, flatten). */
export const flatten = defineOperation<FlattenParams>({
  path: 'misc/flatten',
  name: 'flattenPdf',
  since: '0.2.0',
  summary: 'Flatten forms, or convert pages to images',
  title: 'Flatten a PDF',
  icon: 'layers',
  order: 80,
  keywords: ['rasterize', 'lock fields', 'non-editable', 'burn in', 'form', 'acroform', 'xfa'],
  notes: [
    'With `flattenOnlyForms`, the visible content of the fields becomes page content and the form is removed, ' +
      'XFA included. Text stays text, and other annotations stay. Fields that are hidden or only for printing ' +
      'leave nothing behind. Fields without an appearance are drawn from their values. A document without a form ' +
      'is returned rewritten.',
    'Without it, each page becomes one RGB image of what it shows, in the same place and size. Text, form ' +
      'fields, tags, layers and scripts are removed; bookmarks, links, page labels, attachments and metadata ' +
      'stay. Without `renderDpi`, pages are rendered at the highest resolution that the server allows, or lower ' +
      'where the document would get too large.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}', pages: 'same' },
  writes: 'rewrite',
  effects: ['rasterises', 'dropsText', 'lossy'],
  params: (joi) =>
    joi.object<FlattenParams, true>({
      flattenOnlyForms: shown(
        booleanField(joi, 'Flatten only the form and leave the rest of the pages as it is').example(true),
        { label: 'Only the form', help: 'The rest of the pages stays as it is; otherwise pages become images.' },
      ),
      renderDpi: shown(
        integerField(
          joi,
          "Resolution of the page images in dots per inch; limited to 72 up to the server's maximum (system.maxDPI)",
        ).example(150),
        { label: 'Resolution of the images', help: '', unit: 'dpi', when: { flattenOnlyForms: false } },
      ),
    }),
  needs: { services: [tokens.settings, tokens.clock] },
  limits: { timeoutMs: 600_000 },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'a form with fields of all types',
      files: ['form.pdf'],
      params: { flattenOnlyForms: true },
      expect: { pages: [2], names: ['form.pdf'] },
    },
    {
      title: 'pages as images',
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
      title: 'a resolution that is not a number',
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
