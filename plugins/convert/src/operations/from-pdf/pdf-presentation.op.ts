import { defineOperation, shown, tokens } from '@quire/registry';

interface PdfPresentationParams {
  outputFormat: 'ppt' | 'pptx' | 'odp';
}

export const pdfPresentation = defineOperation<PdfPresentationParams>({
  path: 'convert/pdf/presentation',
  name: 'convertPdfToPresentation',
  since: '0.2.0',
  summary: 'Convert a PDF to PowerPoint',
  title: 'Convert PDF to PowerPoint',
  icon: 'presentation',
  order: 90,
  keywords: ['ppt', 'pptx', 'odp', 'slides', 'powerpoint'],
  notes:
    'One slide for each page. Text stays at its position in text boxes with its font, size, colour, rotation ' +
    'and links; consecutive lines form one box. Everything else on the page becomes images at 150 dpi behind ' +
    'the text, one for each separate part (at most 40, otherwise one). Slides have the size of the first page, ' +
    'because a presentation has one size; other pages are scaled and centred. A heading that is also a ' +
    'bookmark becomes the slide title. OCR text behind a scan is kept invisible. Not kept: lists, tables and ' +
    'drawings as such, form fields other than as images, tags. `pptx` needs no program; `ppt` and `odp` are ' +
    'converted from it by LibreOffice.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { ppt: 'ppt', pptx: 'pptx', odp: 'odp' } },
    name: '{base}',
    mediaType: 'application/octet-stream',
  },
  needs: { services: [tokens.officeExport] },
  limits: { timeoutMs: 600_000 },
  params: (joi) =>
    joi.object<PdfPresentationParams, true>({
      outputFormat: shown(
        joi
          .string()
          .trim()
          .lowercase()
          .empty('')
          .valid('ppt', 'pptx', 'odp')
          .default('pptx')
          .description('Format of the result')
          .example('pptx'),
        {
          label: 'Format',
          help: '',
          options: { ppt: 'PowerPoint 97-2003 (.ppt)', pptx: 'PowerPoint (.pptx)', odp: 'OpenDocument (.odp)' },
        },
      ),
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
