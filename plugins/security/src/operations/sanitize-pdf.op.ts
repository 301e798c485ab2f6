import { booleanField, defineOperation, shown } from '@quire/registry';

interface SanitizePdfParams {
  removeJavaScript: boolean;
  removeEmbeddedFiles: boolean;
  removeXMPMetadata: boolean;
  removeMetadata: boolean;
  removeLinks: boolean;
  removeFonts: boolean;
}

/** Removes active and private content from a PDF (`docs/interface/security.yml`, sanitize-pdf). */
export const sanitizePdf = defineOperation<SanitizePdfParams>({
  path: 'security/sanitize-pdf',
  since: '0.2.0',
  summary: 'Remove scripts, files, metadata, links or fonts',
  title: 'Remove hidden content',
  icon: 'brush-cleaning',
  order: 90,
  keywords: ['clean', 'disarm', 'strip', 'remove javascript', 'remove links', 'remove metadata', 'remove macros'],
  notes: [
    'Each type of content is removed wherever it occurs: name trees, the document, pages, bookmarks, ' +
      'annotations, form fields at any depth, and chained actions.',
    [
      '- `removeJavaScript`: scripts, including those of renditions, 3D artwork and XFA forms, and launch ' +
        'actions, which start programs, and texts where only numbers belong, such as a font matrix, from which ' +
        'viewers have run scripts. An XFA form whose scripts cannot be separated is removed as a whole.',
      '- `removeEmbeddedFiles`: attached and associated files, portfolios, sounds, movies, 3D artwork and rich ' +
        'media with their annotations, and actions that open or play them.',
      '- `removeXMPMetadata`: XMP metadata of the document, its parts and its JPEG images, and with it the ' +
        'standards that it declares.',
      '- `removeMetadata`: the document information, private data of programs, and metadata in JPEG images ' +
        '(Exif, IPTC); the file gets a new identifier.',
      '- `removeLinks`: everything that leads or sends data outside the document: web addresses, other files, ' +
        'programs, forms that are submitted or filled from elsewhere, and any script on a link. The link areas ' +
        'stay, and so do links within the document.',
      "- `removeFonts`: embedded font programs. Text stays and can be searched, and is shown in the viewer's " +
        'own fonts; declarations of PDF/A and the like are removed. Type 3 fonts are drawings and stay. Some ' +
        'viewers cannot show text whose codes are glyph numbers (Identity-H without a character collection) with ' +
        'other fonts, especially Chinese, Japanese and Korean: a warning says so.',
    ].join('\n'),
    'Passwords, permissions and the producer stay as they were. If all flags are false, the file is rewritten ' +
      'without earlier revisions. `X-Tool-Report` says how many items of each type were removed.',
  ].join('\n\n'),
  accepts: ['pdf'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}_sanitized', pages: 'same' },
  writes: 'rewrite',
  setsMetadata: [{ removeMetadata: true }, { removeXMPMetadata: true }],
  params: (joi) =>
    joi.object<SanitizePdfParams, true>({
      removeJavaScript: shown(booleanField(joi, 'Remove scripts, and actions that start programs', true), {
        label: 'Remove scripts',
        help: 'And actions that start programs.',
      }),
      removeEmbeddedFiles: shown(booleanField(joi, 'Remove attachments and media', true), {
        label: 'Remove attachments and media',
        help: '',
      }),
      removeXMPMetadata: shown(booleanField(joi, 'Remove XMP metadata'), { label: 'Remove XMP metadata', help: '' }),
      removeMetadata: shown(booleanField(joi, 'Remove the document information: title, author, dates, programs'), {
        label: 'Remove document information',
        help: 'Title, author, dates, programs.',
      }),
      removeLinks: shown(booleanField(joi, 'Remove links and actions that lead or send data outside the document'), {
        help: 'And actions that lead or send data outside the document.',
      }),
      removeFonts: shown(booleanField(joi, 'Remove embedded fonts'), { label: 'Remove embedded fonts', help: '' }),
    }),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'scripts and files, the default',
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
      title: 'only links',
      files: ['active-and-private.pdf'],
      params: { removeJavaScript: false, removeEmbeddedFiles: false, removeLinks: true },
      expect: { pages: [2] },
    },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
    { title: 'an encrypted file', files: ['locked.pdf'], params: {}, expect: { refused: 'PDF_ENCRYPTED' } },
  ],
  run: async (file, params, ctx) => {
    const [{ editFile }, { sanitizeDocument }] = await Promise.all([
      import('@quire/document/file/open'),
      import('../functions/sanitize-pdf.js'),
    ]);
    const target = `${await ctx.folder()}/sanitized.pdf`;
    const { gone, neededFonts } = await editFile(file.path(), target, { stamp: false }, (opened) =>
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
    if (neededFonts > 0)
      ctx.warn(
        `${neededFonts} of the removed fonts ${neededFonts === 1 ? 'has' : 'have'} glyph numbers as codes. Some viewers ` +
          'cannot show their text with other fonts; it can still be searched and copied.',
      );
    return [await ctx.adopt(file, target)];
  },
});
