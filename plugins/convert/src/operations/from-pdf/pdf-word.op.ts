import { defineOperation, tokens } from '@quire/registry';
import { officeErrors, officeFormatField, runToOffice } from '../office-run.js';

interface PdfWordParams {
  outputFormat: 'doc' | 'docx' | 'odt';
}

export const pdfWord = defineOperation<PdfWordParams>({
  path: 'convert/pdf/word',
  name: 'convertPdfToWord',
  since: '0.2.0',
  summary: 'Convert a PDF to Word',
  title: 'Convert PDF to Word',
  icon: 'file-text',
  order: 30,
  keywords: ['doc', 'docx', 'odt', 'writer'],
  notes:
    'Reflowable text: headings, paragraphs with indents and spacing, numbered lists, tables with merged cells, ' +
    'images, internal and external links, footnotes, running headers and page numbers, columns, page sizes. ' +
    'Not kept: form fields, comments, layers, drawings other than as images, exact positions. `docx` needs no ' +
    'program; `doc` and `odt` are converted from it by LibreOffice.',
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
      outputFormat: officeFormatField(
        joi,
        { doc: 'Word 97-2003 (.doc)', docx: 'Word (.docx)', odt: 'OpenDocument (.odt)' },
        'docx',
      ),
    }),
  errors: [...officeErrors],
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
    return runToOffice(file, outputFormat, { name: 'text.docx', write: pdfToDocx }, ctx);
  },
});
