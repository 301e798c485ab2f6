import { defineOperation, shown, tokens } from '@quire/registry';

interface UrlPdfParams {
  urlInput: string;
}

export const urlPdf = defineOperation<UrlPdfParams>({
  path: 'convert/url/pdf',
  name: 'convertUrlToPdf',
  since: '0.2.0',
  summary: 'Convert a web page to PDF',
  title: 'Convert web page to PDF',
  icon: 'globe',
  order: 60,
  keywords: ['website', 'link', 'web', 'print page'],
  notes:
    'Off until `system.enableUrlToPDF` is set. The server loads the page and its style sheets, images and ' +
    'fonts from the public internet only; up to five redirects are followed, and each address is checked. The ' +
    'printing browser has no network and runs no scripts, so pages built by scripts stay empty. Parts of the ' +
    'page that cannot be loaded are left out; at most 300 files and 96 MiB are loaded. Pages that refer to ' +
    '`file:` addresses are refused. Otherwise as in `convert/html/pdf`.',
  accepts: [],
  files: 'all',
  returns: { kind: 'pdf', name: 'document', pages: 'any' },
  effects: ['needsNetwork', 'nondeterministic'],
  needs: { programs: ['chromium'], services: [tokens.webFetch, tokens.htmlToPdf, tokens.clock] },
  limits: { timeoutMs: 60_000 },
  pipeline: false,
  params: (joi) =>
    joi.object<UrlPdfParams, true>({
      urlInput: shown(
        joi
          .string()
          .trim()
          .max(2048)
          .required()
          .description('Address of the page, with http:// or https://')
          .example('https://example.org/'),
        { label: 'Address of the page' },
      ),
    }),
  errors: ['URL_INVALID', 'URL_UNREACHABLE', 'URL_CONTENT_REFUSED', 'ADDRESS_REFUSED'],
  examples: [
    {
      title: 'a web page',
      files: [],
      params: { urlInput: 'https://example.org/' },
      expect: { pages: [1], names: ['https_example_org.pdf'] },
    },
    {
      title: 'refuses other kinds of addresses',
      files: [],
      params: { urlInput: 'ftp://example.org/' },
      expect: { refused: 'URL_INVALID' },
    },
    {
      title: 'refuses an address of this server',
      files: [],
      params: { urlInput: 'http://127.0.0.1/' },
      expect: { refused: 'ADDRESS_REFUSED' },
    },
  ],
  run: async (_files, { urlInput }, ctx) => {
    const { printWebPage, nameOfAddress } = await import('../../functions/pages/print-web-page.js');
    const path = await printWebPage(urlInput, {
      folder: await ctx.folder(),
      now: ctx.use(tokens.clock).now(),
      signal: ctx.signal,
      progress: (done, total) => ctx.progress(done, total),
      get: (url, output) => ctx.use(tokens.webFetch).get(url, 'urlInput', output, ctx.signal),
      print: (page, output) => ctx.use(tokens.htmlToPdf).print(page, output, {}, ctx.signal),
    });
    return [await ctx.adopt(undefined, path, { name: nameOfAddress(urlInput) })];
  },
});
