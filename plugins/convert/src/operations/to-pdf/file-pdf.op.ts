import { InputError, defineOperation, tokens } from '@quire/registry';

export const filePdf = defineOperation<Record<never, never>>({
  path: 'convert/file/pdf',
  name: 'convertFileToPdf',
  since: '0.1.0',
  summary: 'Convert Word, Excel, PowerPoint and other files to PDF',
  title: 'Convert Office to PDF',
  icon: 'file-input',
  order: 10,
  keywords: ['doc', 'docx', 'xlsx', 'pptx', 'odt', 'office', 'libreoffice'],
  notes:
    'Any file with an extension of 2 to 4 letters or digits is tried; LibreOffice decides. The result is ' +
    'tagged and has bookmarks for headings, links and form fields. Macros never run and nothing is loaded from ' +
    'elsewhere: references of OOXML, ODF (zipped or flat), RTF and SVG files to other servers and files, ' +
    'fields that include files and formulas that read them are removed first, and their saved content is ' +
    'shown; references to hosts in `system.html.urlSecurity.allowedDomains` stay, but LibreOffice has no ' +
    'network and shows an empty frame. HTML keeps formatting, tables, links and embedded images. Clickable ' +
    'links stay. Text and CSV may be UTF-8, UTF-16 or windows-1252; CSV may be separated by comma, semicolon, ' +
    'tab or bar. Their cells are printed as written: nothing becomes a number, a date or a formula. A PDF is ' +
    'returned unchanged. Tracked changes are printed, with deleted text struck through, and a warning says so. ' +
    'Characters for which the server has no font are printed as empty boxes, with a warning that names their script.',
  accepts: ['any'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_convertedToPDF', pages: 'any' },
  needs: { programs: ['libreoffice'], services: [tokens.officeExport, tokens.settings, tokens.clock] },
  limits: { timeoutMs: 120_000, maxBytes: 256 * 1024 * 1024 },
  params: (joi) => joi.object<Record<never, never>, true>({}),
  errors: [
    'INPUT_EXTENSION',
    'OFFICE_UNREADABLE',
    'OFFICE_ENCRYPTED',
    'ARCHIVE_UNSAFE',
    'PDF_ENCRYPTED',
    'PDF_ENCRYPTION_UNSUPPORTED',
    'PDF_DAMAGED',
    'PDF_NO_PAGES',
  ],
  examples: [
    {
      title: 'a letter',
      files: ['letter.docx'],
      params: {},
      expect: { pages: [1], names: ['letter_convertedToPDF.pdf'] },
    },
    { title: 'plain text', files: ['note.txt'], params: {}, expect: { pages: [1] } },
    {
      title: 'a PDF stays as it is',
      files: ['three-pages.pdf'],
      params: {},
      expect: { pages: [3], names: ['three-pages_convertedToPDF.pdf'] },
    },
    {
      title: 'refuses a name without extension',
      files: ['noextension'],
      params: {},
      expect: { refused: 'INPUT_EXTENSION' },
    },
    {
      title: 'refuses a document with a password',
      files: ['locked.doc'],
      params: {},
      expect: { refused: 'OFFICE_ENCRYPTED' },
    },
  ],
  run: async (file, _params, ctx) => {
    const extension = /[^.]\.([A-Za-z0-9]{2,4})$/.exec(file.name)?.[1];
    if (extension === undefined) {
      const dot = file.name.lastIndexOf('.');
      const found = dot < 0 ? '' : file.name.slice(dot + 1, dot + 21);
      throw new InputError('INPUT_EXTENSION', { field: 'fileInput', found }, [
        { pointer: '/fileInput', detail: 'needs an extension of 2 to 4 letters or digits' },
      ]);
    }
    // LibreOffice would convert a PDF into drawings; callers expect the same document.
    if (file.kind === 'pdf') return [await ctx.output(file, await file.bytes())];
    const [{ prepareOffice }, { allowHosts }, { finishOffice }] = await Promise.all([
      import('../../functions/office/prepare-office.js'),
      import('../../functions/office/outside.js'),
      import('../../functions/office/finish-office.js'),
    ]);
    const folder = await ctx.folder();
    const settings = ctx.use(tokens.settings);
    const hosts = settings.get('system.html.urlSecurity.allowedDomains');
    const mayStay = allowHosts(Array.isArray(hosts) ? hosts.map(String) : []);
    const document = await prepareOffice(file.path(), {
      name: file.name.slice(0, -extension.length - 1),
      extension,
      folder,
      mayStay,
      sanitize: settings.get('system.disableSanitize') !== true,
      signal: ctx.signal,
      warn: (sentence) => ctx.warn(sentence),
    });
    const [printed, stamped] = [`${folder}/printed.pdf`, `${folder}/stamped.pdf`];
    await ctx.use(tokens.officeExport).convert('pdf', document, printed, ctx.signal);
    for (const warning of await finishOffice(printed, stamped, ctx.use(tokens.clock).now())) ctx.warn(warning);
    return [await ctx.adopt(file, stamped)];
  },
});
