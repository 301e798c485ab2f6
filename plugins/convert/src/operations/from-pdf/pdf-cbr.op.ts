import { defineOperation, tokens } from '@quire/registry';
import { runPdfToComic } from '../comic-run.js';
import { comicDpiField, guardDpi } from '../dpi.js';

interface PdfCbrParams {
  dpi: number;
}

export const pdfCbr = defineOperation<PdfCbrParams>({
  path: 'convert/pdf/cbr',
  name: 'convertPdfToCbr',
  since: '0.2.0',
  summary: 'Convert a PDF to a CBR comic',
  title: 'Convert PDF to CBR',
  icon: 'book-image',
  order: 220,
  keywords: ['comic', 'comic book', 'rar'],
  notes:
    'Every page becomes a PNG with annotations and form fields: page_001.png, page_002.png and so on. The ' +
    'archive uses RAR 2.9, which every reader knows, without further compression, because PNG is already ' +
    'compressed.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'cbr', name: '{base}_converted', mediaType: 'application/octet-stream' },
  effects: ['rasterises', 'dropsText'],
  params: (joi) => joi.object<PdfCbrParams, true>({ dpi: comicDpiField(joi) }),
  needs: { services: [tokens.settings] },
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES', 'IMAGE_TOO_LARGE'],
  examples: [
    {
      title: 'all pages',
      files: ['three-pages.pdf'],
      params: { dpi: 72 },
      expect: { names: ['three-pages_converted.cbr'] },
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
    return runPdfToComic(file, 'cbr', dpi, ctx);
  },
});
