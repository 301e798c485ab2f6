import { defineOperation, tokens } from '@quire/registry';

type TextEditorPdfParams = Record<string, never>;

/** Makes a PDF of the editable JSON document (`docs/interface/convert.yml`, text-editor/pdf). */
export const textEditorPdf = defineOperation<TextEditorPdfParams>({
  path: 'convert/text-editor/pdf',
  since: '0.2.0',
  summary: 'Make a PDF of an editable JSON document',
  notes:
    'Takes what `convert/pdf/text-editor` gives, edited or not. Content streams that are there stay as they ' +
    'are, but for elements that differ: a text is written anew in its place with its own font (what follows it ' +
    'stays where it is), or with fonts of the server where that lacks characters; texts and images that are ' +
    'not in the lists go; new ones are drawn over the page. A list that is not there leaves its elements ' +
    'alone; an empty one removes them. A page without content streams is drawn of its elements. Images whose ' +
    "`id` ends in the digest of their `imageData` are the document's own and stay as they are.\n\nMissing " +
    'members have defaults (612 x 792 points, a sans serif of the server, 12 points, black); unknown ones are ' +
    'ignored; one of a wrong type is refused with a JSON pointer to it. Nothing is fetched and no other file ' +
    'is read. Bookmarks, destinations, labels, layers, tags and attachments are in `documentCatalog`; without ' +
    'it the result has none. Signatures and claims to standards (PDF/A) go; signature fields stay, unsigned. ' +
    'Changes of `zOrder` alone are not followed. The JSON may have 512 MiB.',
  accepts: ['json'],
  files: 'each',
  returns: { kind: 'pdf', name: '{base}' },
  params: (joi) => joi.object<TextEditorPdfParams, true>({}),
  needs: { services: [tokens.clock] },
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
      onPage: (done, total) => ctx.progress(done, total),
    });
    // A name that ends in .pdf before .json is the document's own.
    const base = file.name.replace(/\.json$/i, '').replace(/\.pdf$/i, '');
    return [await ctx.adopt(file, target, { name: base === '' ? 'document' : base })];
  },
});
