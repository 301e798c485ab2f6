import { InputError, defineOperation, tokens } from '@quire/registry';

/** Converts office and other documents to PDF with LibreOffice. */
export const filePdf = defineOperation<Record<never, never>>({
  path: 'convert/file/pdf',
  since: '0.1.0',
  summary: 'Convert office and other files to PDF',
  notes: 'Any file whose name ends in an extension of 2 to 4 letters or digits is tried; LibreOffice decides. Macros never run. References of OOXML and ODF files to other servers and files are taken out first; HTML keeps formatting, tables, links and pictures that carry their own bytes. Links to click stay. A PDF is handed on as it is.',
  accepts: ['any'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_convertedToPDF', pages: 'any' },
  runsIn: 'host',
  needs: { programs: ['libreoffice'], services: [tokens.officeToPdf] },
  limits: { timeoutMs: 120_000, maxBytes: 256 * 1024 * 1024 },
  params: (joi) => joi.object<Record<never, never>, true>({}),
  errors: ['INPUT_EXTENSION', 'OFFICE_UNREADABLE', 'ARCHIVE_UNSAFE', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'a letter', files: ['letter.docx'], params: {}, expect: { pages: [1], names: ['letter_convertedToPDF.pdf'] } },
    { title: 'plain text', files: ['note.txt'], params: {}, expect: { pages: [1] } },
    { title: 'a PDF stays as it is', files: ['three-pages.pdf'], params: {}, expect: { pages: [3], names: ['three-pages_convertedToPDF.pdf'] } },
    { title: 'refuses a name without extension', files: ['noextension'], params: {}, expect: { refused: 'INPUT_EXTENSION' } },
  ],
  run: async (file, _params, ctx) => {
    const extension = /[^.]\.([A-Za-z0-9]{2,4})$/.exec(file.name)?.[1];
    if (extension === undefined) {
      const dot = file.name.lastIndexOf('.');
      const found = dot < 0 ? '' : file.name.slice(dot + 1, dot + 21);
      throw new InputError('INPUT_EXTENSION', { field: 'fileInput', found }, [{ pointer: '/fileInput', detail: 'needs an extension of 2 to 4 letters or digits' }]);
    }
    // The office program would take a PDF apart into drawings; its readers expect the same document.
    if (file.kind === 'pdf') return [await ctx.output(file, await file.bytes())];
    const bytes = await file.bytes();
    const cleaned = file.kind === 'html' ? (await import('../functions/clean-html.js')).cleanHtml(bytes) : await (await import('../functions/clean-office.js')).cleanOffice(bytes);
    // Only the path of the copy is used: it lies in the run's own folder and goes with it.
    const input = cleaned === bytes ? file.path() : (await ctx.output(file, cleaned)).path;
    const pdf = await ctx.use(tokens.officeToPdf).convert(input, await ctx.folder(), ctx.signal, `document.${extension.toLowerCase()}`);
    return [await ctx.adopt(file, pdf)];
  },
});
