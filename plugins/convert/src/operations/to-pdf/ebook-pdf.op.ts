import { booleanField, defineOperation, shown, tokens } from '@quire/registry';

interface EbookPdfParams {
  embedAllFonts: boolean;
  includeTableOfContents: boolean;
  includePageNumbers: boolean;
  optimizeForEbook: boolean;
}

export const ebookPdf = defineOperation<EbookPdfParams>({
  path: 'convert/ebook/pdf',
  name: 'convertEbookToPdf',
  since: '0.2.0',
  summary: 'Convert an e-book to PDF',
  title: 'Convert e-book to PDF',
  icon: 'book-open-text',
  order: 170,
  keywords: ['epub', 'mobi', 'kindle', 'azw3', 'fb2', 'e-book'],
  notes:
    'EPUB, MOBI, AZW3, FB2 and plain text are printed on A4, or on the page size of a fixed-layout book; DOCX ' +
    'is converted by LibreOffice. Links between chapters work, the table of contents becomes bookmarks, the ' +
    'cover comes first. All used fonts are always embedded, so `embedAllFonts` has no effect. ' +
    '`optimizeForEbook` scales images down to 150 dpi and compresses the file; it needs no other program. ' +
    'DRM-protected books are refused. For DOCX, `includeTableOfContents` and `includePageNumbers` have no ' +
    'effect.',
  accepts: ['epub', 'mobi', 'fb2', 'txt', 'docx'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_convertedToPDF', pages: 'any' },
  effects: ['lossy'],
  needs: { programs: ['chromium'], services: [tokens.htmlToPdf, tokens.officeExport, tokens.clock] },
  limits: { timeoutMs: 300_000, maxBytes: 512 * 1024 * 1024 },
  params: (joi) =>
    joi.object<EbookPdfParams, true>({
      embedAllFonts: shown(booleanField(joi, 'Embeds every font; always done'), { hidden: true }),
      includeTableOfContents: shown(
        booleanField(joi, 'Prints a table of contents with page numbers at the beginning'),
        { label: 'Print a table of contents', help: '' },
      ),
      includePageNumbers: shown(booleanField(joi, 'Prints page numbers at the bottom of pages'), {
        label: 'Print page numbers',
        help: '',
      }),
      optimizeForEbook: shown(booleanField(joi, 'Makes the file smaller for small screens'), {
        label: 'Make the file smaller',
        help: 'For small screens.',
      }),
    }),
  errors: [
    'BOOK_UNREADABLE',
    'BOOK_PROTECTED',
    'ARCHIVE_UNSAFE',
    'OFFICE_UNREADABLE',
    'OFFICE_ENCRYPTED',
    'INPUT_TOO_COMPLEX',
  ],
  examples: [
    {
      title: 'an EPUB with a table of contents',
      files: ['book.epub'],
      params: { includeTableOfContents: true, includePageNumbers: true },
      expect: { names: ['book_convertedToPDF.pdf'] },
    },
    {
      title: 'a FictionBook, made small',
      files: ['book.fb2'],
      params: { optimizeForEbook: true },
      expect: { names: ['book_convertedToPDF.pdf'] },
    },
    {
      title: 'a Mobipocket book',
      files: ['book.mobi'],
      params: { includePageNumbers: true },
      expect: { names: ['book_convertedToPDF.pdf'] },
    },
    { title: 'plain text', files: ['note.txt'], params: {}, expect: { pages: [1] } },
    {
      title: 'refuses a file that is not a book',
      files: ['no-book.fb2'],
      params: {},
      expect: { refused: 'BOOK_UNREADABLE' },
    },
  ],
  run: async (file, params, ctx) => {
    const { bookToPdf, shrinkForReaders } = await import('../../functions/ebook/book-to-pdf.js');
    const [folder, now] = [await ctx.folder(), ctx.use(tokens.clock).now()];
    let pdf = `${folder}/document.pdf`;
    if (file.kind === 'docx') {
      const [{ prepareOffice }, { finishOffice }] = await Promise.all([
        import('../../functions/office/prepare-office.js'),
        import('../../functions/office/finish-office.js'),
      ]);
      const input = await prepareOffice(file.path(), {
        extension: 'docx',
        folder,
        mayStay: () => false,
        sanitize: true,
        signal: ctx.signal,
        warn: (sentence) => ctx.warn(sentence),
      });
      await ctx.use(tokens.officeExport).convert('pdf', input, `${folder}/printed.pdf`, ctx.signal);
      for (const warning of await finishOffice(`${folder}/printed.pdf`, pdf, now)) ctx.warn(warning);
    } else {
      pdf = await bookToPdf(
        { path: file.path(), name: file.name, kind: file.kind as 'epub' },
        { contents: params.includeTableOfContents, pageNumbers: params.includePageNumbers },
        {
          folder,
          now,
          signal: ctx.signal,
          progress: (done, total) => ctx.progress(done, total),
          print: (page, output, pageNumbers) =>
            ctx.use(tokens.htmlToPdf).print(page, output, { pageNumbers }, ctx.signal),
        },
      );
    }
    if (!params.optimizeForEbook) return [await ctx.adopt(file, pdf)];
    const small = `${folder}/small.pdf`;
    await shrinkForReaders(pdf, small);
    return [await ctx.adopt(file, small)];
  },
});
