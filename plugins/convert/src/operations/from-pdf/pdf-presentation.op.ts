import { defineOperation, tokens } from '@quire/registry';

interface PdfPresentationParams {
  outputFormat: 'ppt' | 'pptx' | 'odp';
}

/** Turns the pages of a PDF into slides. */
export const pdfPresentation = defineOperation<PdfPresentationParams>({
  path: 'convert/pdf/presentation',
  since: '0.2.0',
  summary: 'Convert a PDF to slides',
  notes:
    'A slide for each page. Text stands where it is on the page, in boxes with its font, size, colour, turn ' +
    'and links; lines under each other are one box. What else a page draws lies under it as pictures at 150 ' +
    'dpi, one for each part that stands by itself (at most 40, else one). Slides have the size of the first ' +
    'page, since a presentation has one size: other pages are scaled and centred. A heading that the outline ' +
    'names is the title of its slide. Recognised text behind a scan is there, unseen. What does not come ' +
    'through: lists, tables and drawings as such, form fields other than as pictures, tags. `pptx` needs ' +
    'nothing; `ppt` and `odp` are made of it by LibreOffice.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { ppt: 'ppt', pptx: 'pptx', odp: 'odp' } },
    name: '{base}',
    mediaType: 'application/octet-stream',
  },
  needs: { services: [tokens.officeExport] },
  limits: { timeoutMs: 300_000 },
  params: (joi) =>
    joi.object<PdfPresentationParams, true>({
      outputFormat: joi
        .string()
        .trim()
        .lowercase()
        .empty('')
        .valid('ppt', 'pptx', 'odp')
        .default('pptx')
        .description('Format of the result')
        .example('pptx'),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'OFFICE_UNREADABLE'],
  examples: [
    {
      title: 'a slide for each page',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'pptx' },
      expect: { names: ['three-pages.pptx'] },
    },
    {
      title: 'refuses a broken file',
      files: ['header-only.pdf'],
      params: { outputFormat: 'pptx' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, { outputFormat }, ctx) => {
    const { pdfToPptx } = await import('../../functions/slides/pdf-to-pptx.js');
    const folder = await ctx.folder();
    await pdfToPptx(file.path(), `${folder}/slides.pptx`, {
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    if (outputFormat === 'pptx') return [await ctx.adopt(file, `${folder}/slides.pptx`)];
    await ctx
      .use(tokens.officeExport)
      .convert(outputFormat, `${folder}/slides.pptx`, `${folder}/converted.${outputFormat}`, ctx.signal);
    return [await ctx.adopt(file, `${folder}/converted.${outputFormat}`)];
  },
});
