import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { HtmlToPdf, PrintOptions } from '@quire/registry';
import { DefectError } from '@quire/registry/errors';
import type { BrowserTab, TabAnswer, TabRequest } from './browser-tab.js';
import { PAGE_ORIGIN, PageFiles } from './page-files.js';
import { settlePage } from './settle-page.js';
import type { PrintSettings } from './protocol.js';
import type { WarmBrowser } from './warm-browser.js';

/** Types of files that a page may load. Frames, media, scripts and fetches are never allowed. */
const wanted: ReadonlySet<string> = new Set(['Stylesheet', 'Image', 'Font']);

/** Set for the browser too, which then does not even send the requests. */
const policy = [
  "default-src 'none'",
  "img-src 'self' data:",
  "style-src 'self' 'unsafe-inline' data:",
  "font-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "script-src 'none'",
].join('; ');

/** A4, and the margin of 75 CSS pixels that documents made for print engines without a window expect. */
const A4 = { width: 595.276, height: 841.89 };
const MARGIN = 56.25;

/** Prints HTML with the server's browser. */
export class ChromiumHtmlToPdf implements HtmlToPdf {
  constructor(private readonly browser: WarmBrowser) {}

  async print(page: string, output: string, options: PrintOptions, signal: AbortSignal): Promise<void> {
    const settings = pdfOptions(options);
    await this.browser.withPage(signal, async (tab, until) => {
      // A second attempt starts with no file.
      await Promise.all([rm(output, { force: true }), load(tab, page)]);
      // What has arrived may show more: a font of a style sheet, an image of it.
      while ((await tab.evaluate(settlePage)) === true || (await tab.quiet())) until.throwIfAborted();
      await pipeline(tab.print(settings), createWriteStream(output, { flags: 'wx', mode: 0o600 }), { signal: until });
    });
  }
}

/** Loads the page with the files of its folder that it refers to. No script of it runs; all else is refused. */
async function load(tab: BrowserTab, page: string): Promise<void> {
  const address = `${PAGE_ORIGIN}/${encodeURIComponent(basename(page))}`;
  const files = PageFiles.of(dirname(page));
  let begun = false;
  const answer = async ({ url, method, type, inMainFrame }: TabRequest): Promise<TabAnswer> => {
    const isPage = !begun && type === 'Document' && inMainFrame && url === address;
    if (isPage) begun = true;
    // Aborted rather than blocked: a blocked request would show an error page instead of the page.
    else if (type === 'Document') return { kind: 'refuse', reason: 'Aborted' };
    else if (!wanted.has(type)) return { kind: 'refuse', reason: 'BlockedByClient' };
    if (url.startsWith('data:')) return { kind: 'continue' };
    const file = method === 'GET' ? await (await files).read(url) : undefined;
    if (file === undefined) return { kind: 'refuse', reason: 'BlockedByClient' };
    return {
      kind: 'file',
      body: file.body,
      headers: {
        'content-type': file.contentType,
        'content-length': String(file.body.length),
        'content-security-policy': policy,
        'x-dns-prefetch-control': 'off',
        'cache-control': 'no-store',
      },
    };
  };
  await Promise.all([files, tab.load(address, answer)]);
}

/**
 * Returns the browser's options. Throws CONTRACT_BROKEN for values that `PrintOptions` does not allow: a worker may
 * send anything.
 */
function pdfOptions({
  paper = A4,
  margins = { top: MARGIN, right: MARGIN, bottom: MARGIN, left: MARGIN },
  zoom = 1,
  pageNumbers = false,
}: PrintOptions): PrintSettings {
  const within = (name: string, value: unknown, least: number, most: number): number => {
    if (typeof value !== 'number' || !(value >= least && value <= most))
      throw new DefectError('CONTRACT_BROKEN', {
        operation: 'htmlToPdf.print',
        detail: `${name} is not between ${least} and ${most}`,
      });
    return value;
  };
  const inches = (name: string, points: unknown, least: number): number => within(name, points, least, 14_400) / 72;
  return {
    paperWidth: inches('paper.width', paper.width, 1),
    paperHeight: inches('paper.height', paper.height, 1),
    scale: within('zoom', zoom, 0.1, 2),
    marginTop: inches('margins.top', margins.top, 0),
    marginRight: inches('margins.right', margins.right, 0),
    marginBottom: inches('margins.bottom', margins.bottom, 0),
    marginLeft: inches('margins.left', margins.left, 0),
    printBackground: true,
    preferCSSPageSize: true,
    generateTaggedPDF: true,
    generateDocumentOutline: true,
    displayHeaderFooter: pageNumbers,
    ...(pageNumbers
      ? {
          headerTemplate: '<span></span>',
          footerTemplate:
            '<div style="width: 100%; text-align: center; font: 8pt sans-serif"><span ' +
            'class="pageNumber"></span> / <span class="totalPages"></span></div>',
        }
      : {}),
  };
}
