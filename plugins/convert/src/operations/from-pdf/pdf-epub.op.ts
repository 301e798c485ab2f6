import { baseName, booleanField, defineOperation, shown, tokens } from '@quire/registry';

interface PdfEpubParams {
  detectChapters: boolean;
  targetDevice: 'TABLET_PHONE_IMAGES' | 'KINDLE_EINK_TEXT';
  outputFormat: 'EPUB' | 'AZW3';
}

export const pdfEpub = defineOperation<PdfEpubParams>({
  path: 'convert/pdf/epub',
  name: 'convertPdfToEpub',
  since: '0.2.0',
  summary: 'Convert a PDF to EPUB or AZW3',
  title: 'Convert PDF to e-book',
  icon: 'book-open-text',
  order: 160,
  keywords: ['ebook', 'e-book', 'kindle', 'reader'],
  notes:
    'Reflowable text: chapters, headings, lists, tables, images, links, footnotes, the first page as cover, a ' +
    'table of contents and the PDF pages as page list (EPUB 3, with EPUB 2 navigation). Chapters start at the ' +
    'top-level bookmarks, otherwise at the largest headings and at headings that look like chapter titles. ' +
    'Running headers, page numbers, colours and fonts are left out. `AZW3` is converted from the EPUB by ' +
    'Calibre.',
  accepts: ['pdf'],
  files: 'each',
  returns: {
    kind: { by: 'outputFormat', map: { EPUB: 'epub', AZW3: 'mobi' } },
    name: '{base}_convertedTo{outputFormat}',
    extension: '{outputFormat}',
    mediaType: { mobi: 'application/vnd.amazon.ebook' },
  },
  effects: ['nondeterministic'],
  needs: { services: [tokens.clock, tokens.convertEbook] },
  limits: { timeoutMs: 120_000 },
  params: (joi) =>
    joi.object<PdfEpubParams, true>({
      detectChapters: shown(
        booleanField(joi, 'Starts a new file and a table-of-contents entry at each chapter').default(true),
        { label: 'Find chapters', help: 'Each chapter gets an entry in the table of contents.' },
      ),
      targetDevice: shown(
        joi
          .string()
          .trim()
          .uppercase()
          .empty('')
          .valid('TABLET_PHONE_IMAGES', 'KINDLE_EINK_TEXT')
          .default('TABLET_PHONE_IMAGES')
          .description('KINDLE_EINK_TEXT: greyscale images scaled for e-ink screens'),
        {
          label: 'For',
          help: '',
          options: { TABLET_PHONE_IMAGES: 'Tablets and phones', KINDLE_EINK_TEXT: 'E-ink readers (grey images)' },
        },
      ),
      outputFormat: shown(
        joi
          .string()
          .trim()
          .uppercase()
          .empty('')
          .valid('EPUB', 'AZW3')
          .default('EPUB')
          .description('Format of the e-book'),
        { label: 'Format', help: '', options: { EPUB: 'EPUB', AZW3: 'AZW3 (Kindle)' } },
      ),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'three pages',
      files: ['three-pages.pdf'],
      params: {},
      expect: { names: ['three-pages_convertedToEPUB.epub'] },
    },
    {
      title: 'for e-ink, without chapters',
      files: ['three-pages.pdf'],
      params: { targetDevice: 'KINDLE_EINK_TEXT', detectChapters: false },
      expect: { names: ['three-pages_convertedToEPUB.epub'] },
    },
    { title: 'refuses a broken file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, { detectChapters, targetDevice, outputFormat }, ctx) => {
    const { pdfToEpub } = await import('../../functions/epub/pdf-to-epub.js');
    const folder = await ctx.folder();
    await pdfToEpub(file.path(), await ctx.folder(), `${folder}/book.epub`, {
      fallbackTitle: baseName(file.name),
      detectChapters,
      device: targetDevice === 'KINDLE_EINK_TEXT' ? 'eink' : 'tablet',
      modified: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
    });
    if (outputFormat === 'EPUB') return [await ctx.adopt(file, `${folder}/book.epub`)];
    await ctx.use(tokens.convertEbook).toAzw3(`${folder}/book.epub`, `${folder}/book.azw3`, ctx.signal);
    return [await ctx.adopt(file, `${folder}/book.azw3`)];
  },
});
