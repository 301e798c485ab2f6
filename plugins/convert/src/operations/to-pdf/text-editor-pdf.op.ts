import { defineOperation, tokens } from '@quire/registry';

type TextEditorPdfParams = Record<string, never>;

export const textEditorPdf = defineOperation<TextEditorPdfParams>({
  path: 'convert/text-editor/pdf',
  name: 'convertTextEditorToPdf',
  since: '0.2.0',
  summary: 'Convert an editable JSON document to PDF',
  title: 'Convert editable JSON to PDF',
  icon: 'braces',
  order: 270,
  keywords: ['edit text', 'json'],
  notes:
    'Takes the result of `convert/pdf/text-editor`, edited or not. Existing content streams stay, except for ' +
    'elements that differ: a changed text is rewritten at its position with its own font (following text does ' +
    'not move), or with fonts of the server if that font lacks characters; texts and images missing from the ' +
    'lists are removed; new ones are drawn on top. A missing list leaves its elements unchanged; an empty one ' +
    'removes them. A page without content streams is drawn from its elements. Images whose `id` ends in the ' +
    'digest of their `imageData` belong to the document and stay.\n\nMissing members have defaults (612 x 792 ' +
    'points, a sans-serif font, 12 points, black); unknown members are ignored; a member of the wrong type is ' +
    'refused with its JSON pointer. Nothing is loaded from elsewhere. Bookmarks, destinations, labels, layers, ' +
    'tags and attachments are in `documentCatalog`; without it the result has none. Signatures and conformance ' +
    'claims (PDF/A) are removed; signature fields stay, unsigned. Changes of `zOrder` alone are ignored. The ' +
    'JSON may have up to 512 MiB.',
  accepts: ['json'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}' },
  params: (joi) => joi.object<TextEditorPdfParams, true>({}),
  needs: { services: [tokens.clock, tokens.settings] },
  limits: { maxBytes: 512 * 1024 * 1024 },
  errors: ['IMAGE_UNREADABLE', 'IMAGE_TOO_LARGE', 'PDF_DAMAGED'],
  examples: [
    {
      title: 'a page of a few lines',
      files: ['editor-page.json'],
      params: {},
      expect: { pages: [1], names: ['editor-page.pdf'] },
    },
    { title: 'two pages, each with its size', files: ['editor-two-pages.json'], params: {}, expect: { pages: [2] } },
    {
      title: 'a number where a text belongs',
      files: ['editor-wrong.json'],
      params: {},
      expect: { refused: 'INPUT_INVALID' },
    },
  ],
  run: async (file, _params, ctx) => {
    const { jsonToDocument } = await import('../../functions/editor/document-json.js');
    const target = `${await ctx.folder()}/document.pdf`;
    await jsonToDocument(file.path(), target, {
      signal: ctx.signal,
      modified: ctx.use(tokens.clock).now(),
      ownFont: ctx.use(tokens.settings).get<string>('pdfEditor.fallback-font'),
      onPage: (done, total) => ctx.progress(done, total),
    });
    // A name that ends in .pdf before .json is the name of the original document.
    const base = file.name.replace(/\.json$/i, '').replace(/\.pdf$/i, '');
    return [await ctx.adopt(file, target, { name: base === '' ? 'document' : base })];
  },
});
