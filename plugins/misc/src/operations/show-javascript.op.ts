import { defineOperation } from '@quire/registry';

type ShowJavascriptParams = Record<string, never>;

/** Shows the scripts of a PDF (`docs/interface/misc.yml`, show-javascript). */
export const showJavascript = defineOperation<ShowJavascriptParams>({
  path: 'misc/show-javascript',
  since: '0.2.0',
  summary: 'Extract the JavaScript of a PDF',
  title: 'Extract JavaScript',
  icon: 'file-code',
  order: 230,
  keywords: ['js', 'scripts', 'macro', 'code', 'malware'],
  notes:
    "Returns the scripts of the document's name tree first, in the order in which they run, then the scripts " +
    'of actions, each named after its trigger: opening, closing, saving and printing the document, its pages, ' +
    'form fields, annotations and bookmarks. A comment line with the names of the file and the script precedes ' +
    'each script. If there are no scripts, the result says so in one sentence.',
  accepts: ['pdf'],
  files: 'each',
  // The whole uploaded name stays: doc.pdf.js.
  returns: { kind: 'txt', name: '{input}', extension: 'js', pages: 'any' },
  params: (joi) => joi.object<ShowJavascriptParams, true>({}),
  errors: ['PDF_ENCRYPTED', 'PDF_ENCRYPTION_UNSUPPORTED', 'PDF_DAMAGED', 'PDF_NO_PAGES'],
  examples: [
    {
      title: 'scripts of the document, a page and a field',
      files: ['scripts.pdf'],
      params: {},
      expect: { names: ['scripts.pdf.js'] },
    },
    { title: 'a document without scripts', files: ['picture.pdf'], params: {}, expect: { names: ['picture.pdf.js'] } },
    { title: 'a damaged file', files: ['header-only.pdf'], params: {}, expect: { refused: 'PDF_DAMAGED' } },
  ],
  run: async (file, _params, ctx) => {
    const { readScripts, scriptsText } = await import('../functions/list-scripts.js');
    const scripts = await readScripts(file.path());
    ctx.report({ scripts: scripts.length });
    return [await ctx.output(file, new TextEncoder().encode(scriptsText(file.name, scripts)))];
  },
});
