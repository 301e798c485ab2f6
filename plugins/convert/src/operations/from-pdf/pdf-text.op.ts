import { defineOperation, shown, tokens } from '@quire/registry';
import { warnOfNoText } from '../text-warning.js';

interface PdfTextParams {
  outputFormat: 'txt' | 'rtf';
}

export const pdfText = defineOperation<PdfTextParams>({
  path: 'convert/pdf/text',
  name: 'convertPdfToText',
  since: '0.2.0',
  summary: 'Extract text, or convert a PDF to RTF',
  title: 'Convert PDF to text',
  icon: 'text',
  order: 120,
  keywords: ['txt', 'plain text', 'copy text'],
  notes:
    '`txt`: UTF-8, the lines of each page in reading order, an empty line after each page; right-to-left text ' +
    'in logical order; no OCR (a document without text comes with a warning) and no form field values. ' +
    '`rtf`: reflowable text like `convert/pdf/word`, written by LibreOffice.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { txt: 'txt', rtf: 'rtf' } },
    name: '{base}',
    mediaType: { rtf: 'application/octet-stream' },
  },
  needs: { services: [tokens.officeExport] },
  limits: { timeoutMs: 120_000 },
  params: (joi) =>
    joi.object<PdfTextParams, true>({
      outputFormat: shown(
        joi.string().trim().valid('txt', 'rtf').required().description('Format of the result').example('txt'),
        { label: 'Format', help: '', options: { txt: 'Plain text (.txt)', rtf: 'Formatted text (.rtf)' } },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'OFFICE_UNREADABLE'],
  examples: [
    {
      title: 'plain text',
      files: ['article.pdf'],
      params: { outputFormat: 'txt' },
      expect: { names: ['article.txt'] },
    },
    {
      title: 'refuses an unknown format',
      files: ['article.pdf'],
      params: { outputFormat: 'TXT' as 'txt' },
      expect: { refused: 'INPUT_INVALID' },
    },
    {
      title: 'refuses a broken file',
      files: ['header-only.pdf'],
      params: { outputFormat: 'txt' },
      expect: { refused: 'PDF_DAMAGED' },
    },
  ],
  run: async (file, { outputFormat }, ctx) => {
    const folder = await ctx.folder();
    const options = {
      signal: ctx.signal,
      progress: (done: number, total: number) => ctx.progress(done, total),
      withoutText: () => warnOfNoText(ctx),
    };
    if (outputFormat === 'txt') {
      const { pdfToText } = await import('../../functions/pdf-to-text.js');
      await pdfToText({ path: file.path() }, `${folder}/text.txt`, options);
      return [await ctx.adopt(file, `${folder}/text.txt`)];
    }
    const { pdfToDocx } = await import('../../functions/word/pdf-to-docx.js');
    await pdfToDocx(file.path(), `${folder}/text.docx`, options);
    await ctx.use(tokens.officeExport).convert('rtf', `${folder}/text.docx`, `${folder}/text.rtf`, ctx.signal);
    return [await ctx.adopt(file, `${folder}/text.rtf`)];
  },
});
