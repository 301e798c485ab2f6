import { defineOperation, tokens } from '@quire/registry';

interface UrlPdfParams {
  urlInput: string;
}

/** Prints pages of the web. */
export const urlPdf = defineOperation<UrlPdfParams>({
  path: 'convert/url/pdf',
  since: '0.2.0',
  summary: 'Fetch a web page and print it to PDF',
  notes:
    'Off until `system.enableUrlToPDF` is set. The page and what it shows (style sheets, pictures, fonts) are ' +
    'fetched by the server, from the public internet only; redirects are followed, five at most, and each ' +
    'address is checked. The browser that prints has no network and runs no scripts, so pages that are made by ' +
    'scripts stay empty. What of a page cannot be had is left out; at most 300 files and 96 MiB are fetched. ' +
    'Pages that refer to `file:` addresses are refused. Otherwise printed as by `convert/html/pdf`.',
  accepts: [],
  files: 'all',
  returns: { kind: 'pdf', name: 'document', pages: 'any' },
  effects: ['needsNetwork', 'nondeterministic'],
  needs: { programs: ['chromium'], services: [tokens.webFetch, tokens.htmlToPdf, tokens.clock] },
  limits: { timeoutMs: 60_000 },
  pipeline: false,
  params: (joi) =>
    joi.object<UrlPdfParams, true>({
      urlInput: joi
        .string()
        .trim()
        .max(2048)
        .required()
        .description('Address of the page, with http:// or https://')
        .example('https://example.org/'),
    }),
  errors: ['URL_INVALID', 'URL_UNREACHABLE', 'URL_CONTENT_REFUSED', 'ADDRESS_REFUSED'],
  examples: [
    {
      title: 'a page of the web',
      files: [],
      params: { urlInput: 'https://example.org/' },
      expect: { pages: [1], names: ['https_example_org.pdf'] },
    },
    {
      title: 'refuses another kind of address',
      files: [],
      params: { urlInput: 'ftp://example.org/' },
      expect: { refused: 'URL_INVALID' },
    },
    {
      title: 'refuses an address of this machine',
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
