import { defineOperation, tokens } from '@quire/registry';

interface PdfWordParams {
  outputFormat: 'doc' | 'docx' | 'odt';
}

/** Turns what a PDF says into a word processor file. */
export const pdfWord = defineOperation<PdfWordParams>({
  path: 'convert/pdf/word',
  since: '0.2.0',
  summary: 'Convert a PDF to a word processor file',
  notes:
    'Text that flows: headings as headings, paragraphs with their indents and distances, lists with their ' +
    'numbering, tables with merged cells, pictures, links within and without, footnotes, running headers and ' +
    'page numbers, columns, pages of their size. What does not come through: form fields, comments, layers, ' +
    'drawings other than as pictures, the exact place of things. `docx` needs nothing; `doc` and `odt` are ' +
    'made of it by LibreOffice.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { doc: 'doc', docx: 'docx', odt: 'odt' } },
    name: '{base}',
    mediaType: 'application/octet-stream',
  },
  needs: { services: [tokens.officeExport] },
  limits: { timeoutMs: 120_000 },
  params: (joi) =>
    joi.object<PdfWordParams, true>({
      outputFormat: joi
        .string()
        .trim()
        .lowercase()
        .empty('')
        .valid('doc', 'docx', 'odt')
        .default('docx')
        .description('Format of the result')
        .example('docx'),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'OFFICE_UNREADABLE'],
  examples: [
    {
      title: 'the usual format',
      files: ['three-pages.pdf'],
      params: { outputFormat: 'docx' },
      expect: { names: ['three-pages.docx'] },
    },
    {
      title: 'refuses a broken file',
      files: ['header-only.pdf'],
      params: { outputFormat: 'docx' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, { outputFormat }, ctx) => {
    const { pdfToDocx } = await import('../../functions/word/pdf-to-docx.js');
    const folder = await ctx.folder();
    await pdfToDocx(file.path(), `${folder}/text.docx`, {
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    if (outputFormat === 'docx') return [await ctx.adopt(file, `${folder}/text.docx`)];
    const target = `${folder}/converted.${outputFormat}`;
    await ctx.use(tokens.officeExport).convert(outputFormat, `${folder}/text.docx`, target, ctx.signal);
    return [await ctx.adopt(file, target)];
  },
});
