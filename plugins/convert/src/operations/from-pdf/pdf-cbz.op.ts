import { defineOperation, tokens } from '@quire/registry';
import { runPdfToComic } from '../comic-run.js';
import { comicDpiField, guardDpi } from '../dpi.js';

interface PdfCbzParams {
  dpi: number;
}

export const pdfCbz = defineOperation<PdfCbzParams>({
  path: 'convert/pdf/cbz',
  name: 'convertPdfToCbz',
  since: '0.2.0',
  summary: 'Convert a PDF to a CBZ comic',
  title: 'Convert PDF to CBZ',
  icon: 'book-image',
  order: 210,
  keywords: ['comic', 'comic book'],
  notes:
    'Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The zip ' +
    'is not compressed further, because PNG is already compressed.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'cbz', name: '{base}_converted', mediaType: 'application/octet-stream' },
  effects: ['rasterises', 'dropsText'],
  params: (joi) => joi.object<PdfCbzParams, true>({ dpi: comicDpiField(joi) }),
  needs: { services: [tokens.settings] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'all pages',
      files: ['three-pages.pdf'],
      params: { dpi: 72 },
      expect: { names: ['three-pages_converted.cbz'] },
    },
    {
      title: 'refuses a resolution above the limit',
      files: ['three-pages.pdf'],
      params: { dpi: 100_000 },
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: (file, { dpi }, ctx) => {
    guardDpi(ctx, dpi);
    return runPdfToComic(file, 'cbz', dpi, ctx);
  },
});
