import { defineOperation, isQuireError, tokens } from '@quire/registry';

export const pdfXml = defineOperation<Record<never, never>>({
  path: 'convert/pdf/xml',
  name: 'convertPdfToXml',
  since: '0.2.0',
  summary: 'Convert a PDF to XML',
  title: 'Convert PDF to XML',
  icon: 'code-xml',
  order: 230,
  keywords: ['structured data', 'opendocument'],
  notes:
    'The XML is a flat OpenDocument text (OpenDocument 1.3, part 3) as LibreOffice writes it when it opens the ' +
    'PDF as a text document: pages one after another, lines of text in positioned frames with their fonts, ' +
    'images as base64. Headings, lists, tables and links are not marked. Pages with more than 2,500 lines and shapes ' +
    'keep their text and images only; a warning names them.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'xml', name: '{base}', mediaType: 'application/octet-stream' },
  needs: { programs: ['libreoffice'], services: [tokens.officeExport] },
  limits: { timeoutMs: 600_000, maxBytes: 256 * 1024 * 1024 },
  params: (joi) => joi.object<Record<never, never>, true>({}),
  errors: ['OFFICE_UNREADABLE', 'PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    { title: 'three pages', files: ['three-pages.pdf'], params: {}, expect: { names: ['three-pages.xml'] } },
    { title: 'refuses a file that is not a PDF', files: ['note.txt'], params: {}, expect: { refused: 'INPUT_KIND' } },
  ],
  run: async (file, _params, ctx) => {
    const [{ copyAs }, { repairFile }, { withoutDrawings }, { pageList }] = await Promise.all([
      import('../../functions/office/prepare-office.js'),
      import('../../functions/office/repair-file.js'),
      import('../../functions/office/without-drawings.js'),
      import('@quire/document/file/damage'),
    ]);
    const folder = await ctx.folder();
    const written = `${folder}/document.xml`;
    const convert = (input: string): Promise<void> =>
      ctx.use(tokens.officeExport).convert('xml', input, written, ctx.signal);
    const pages = await withoutDrawings(file.path(), `${folder}/light.pdf`);
    if (pages.length > 0)
      ctx.warn(
        `The lines and shapes of ${pageList(pages)} are not in the XML: LibreOffice needs minutes for thousands of ` +
          'them. Text and images are complete.',
      );
    const light = pages.length === 0 ? file.path() : `${folder}/light.pdf`;
    await convert(await copyAs(light, `${folder}/document.pdf`)).catch(async (error: unknown) => {
      if (!isQuireError(error) || !['OFFICE_UNREADABLE', 'DOCUMENT_UNPROCESSABLE'].includes(error.code)) throw error;
      // Our reader repairs files that LibreOffice cannot open or crashes on.
      await repairFile(file.path(), `${folder}/repaired.pdf`);
      await convert(`${folder}/repaired.pdf`);
    });
    return [await ctx.adopt(file, written)];
  },
});
