import { booleanField, defineOperation } from '@quire/registry';

interface SanitizePdfParams {
  removeJavaScript: boolean;
  removeEmbeddedFiles: boolean;
  removeXMPMetadata: boolean;
  removeMetadata: boolean;
  removeLinks: boolean;
  removeFonts: boolean;
}

/** Removes active and private parts of a PDF by kind (`docs/interface/security.yml`, sanitize-pdf). */
export const sanitizePdf = defineOperation<SanitizePdfParams>({
  path: 'security/sanitize-pdf',
  since: '0.2.0',
  summary: 'Remove scripts, files, metadata, links or fonts',
  notes:
    'Each kind goes from every place: name trees, the document, pages, bookmarks, annotations, fields at any depth, and actions behind others.\n\n' +
    '- `removeJavaScript`: scripts, of renditions, 3D artwork and XFA forms too, and what starts programs (launch actions). An XFA form whose scripts cannot be told apart goes as a whole.\n' +
    '- `removeEmbeddedFiles`: attached and associated files, portfolios, sounds, films, 3D artwork and rich media with their annotations, and actions that open or play them.\n' +
    '- `removeXMPMetadata`: XMP of the document, its parts and its JPEG pictures, with the standards that it claims.\n' +
    '- `removeMetadata`: the document information, private data of programs, what JPEG pictures tell of themselves (Exif, IPTC); the file gets a new identifier.\n' +
    '- `removeLinks`: what leads or sends out of the document: web addresses, other files, programs, forms sent or filled from elsewhere, any script on a link. Link areas stay, and so do jumps within the document.\n' +
    "- `removeFonts`: embedded font programs. Text stays, can be searched, and is shown in the viewer's own fonts; claims to PDF/A and the like are withdrawn. Type 3 fonts are drawings and stay.\n\n" +
    'Passwords and permissions stay as they were, and so does the producer. With every flag false the file is written anew without earlier revisions. ' +
    '`X-Tool-Report` says how many of each went.',
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_sanitized', pages: 'same' },
  writes: 'rewrite',
  params: (joi) =>
    joi.object<SanitizePdfParams, true>({
      removeJavaScript: booleanField(joi, 'Removes scripts and what starts programs', true),
      removeEmbeddedFiles: booleanField(joi, 'Removes attached files and media', true),
      removeXMPMetadata: booleanField(joi, 'Removes XMP metadata'),
      removeMetadata: booleanField(joi, 'Removes the document information: title, author, dates, programs'),
      removeLinks: booleanField(joi, 'Removes what leads or sends out of the document'),
      removeFonts: booleanField(joi, 'Removes embedded font programs'),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'scripts and files, as without any field',
      files: ['active-and-private.pdf'],
      params: {},
      expect: { pages: [2], names: ['active-and-private_sanitized.pdf'] },
    },
    {
      title: 'everything',
      files: ['active-and-private.pdf'],
      params: { removeXMPMetadata: true, removeMetadata: true, removeLinks: true, removeFonts: true },
      expect: { pages: [2] },
    },
    {
      title: 'links alone',
      files: ['active-and-private.pdf'],
      params: { removeJavaScript: false, removeEmbeddedFiles: false, removeLinks: true },
      expect: { pages: [2] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
    { title: 'a locked file', files: ['locked.pdf'], params: {}, expect: { refused: 'PDF_ENCRYPTED' } },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { sanitizeDocument }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/sanitize-pdf.js'),
    ]);
    const target = `${await ctx.folder()}/sanitized.pdf`;
    const gone = await editFile(file.path(), target, { stamp: false }, (opened) =>
      sanitizeDocument(
        opened,
        {
          scripts: params.removeJavaScript,
          files: params.removeEmbeddedFiles,
          xmp: params.removeXMPMetadata,
          info: params.removeMetadata,
          links: params.removeLinks,
          fonts: params.removeFonts,
        },
        ctx.signal,
      ),
    );
    ctx.report({ ...gone });
    return [await ctx.adopt(file, target)];
  },
});
