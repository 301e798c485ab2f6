import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { HtmlToPdf, PrintOptions } from '@quire/registry';
import { DefectError } from '@quire/registry/errors';
import type { HTTPRequest, Page, PDFOptions } from 'puppeteer-core';
import { unprocessable } from '../programs/index.js';
import { PAGE_ORIGIN, PageFiles } from './page-files.js';
import type { WarmBrowser } from './warm-browser.js';

/** Types of files that a page may load. Frames, media, scripts and fetches are never allowed. */
const wanted: ReadonlySet<string> = new Set(['stylesheet', 'image', 'font']);

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

/** A page that has requested nothing for so many steps has loaded everything. */
const QUIET_STEPS = 3;
const QUIET_STEP_MS = 10;

/** Removes links to the made-up origin, which nobody could follow. Links within the page stay. */
const dropOwnLinks = `for (const link of Document.prototype.querySelectorAll.call(document, 'a[href], area[href]')) {
  const href = Element.prototype.getAttribute.call(link, 'href') ?? '';
  const url = URL.canParse(href, document.URL) ? new URL(href, document.URL) : undefined;
  if (url === undefined || (url.origin === ${JSON.stringify(PAGE_ORIGIN)}
&& (url.pathname !== location.pathname || url.hash === ''))) Element.prototype.removeAttribute.call(link, 'href');
}`;

/** Prints HTML with the server's browser. */
export class ChromiumHtmlToPdf implements HtmlToPdf {
  constructor(private readonly browser: WarmBrowser) {}

  async print(page: string, output: string, options: PrintOptions, signal: AbortSignal): Promise<void> {
    const settings = pdfOptions(options);
    await this.browser.withPage(signal, async (tab, until) => {
      // A second attempt starts with no file.
      await rm(output, { force: true });
      await load(tab, page, until);
      await tab.evaluate(dropOwnLinks);
      const stream = await tab.createPDFStream(settings);
      await pipeline(
        Readable.fromWeb(stream as Parameters<typeof Readable.fromWeb>[0]),
        createWriteStream(output, { flags: 'wx', mode: 0o600 }),
        { signal: until },
      );
    });
  }
}

/**
 * Loads the page with the files of its folder that it refers to. No script of it runs, and nothing else can be loaded.
 */
async function load(tab: Page, page: string, signal: AbortSignal): Promise<void> {
  const address = `${PAGE_ORIGIN}/${encodeURIComponent(basename(page))}`;
  const [files] = await Promise.all([
    PageFiles.of(dirname(page)),
    tab.setJavaScriptEnabled(false),
    tab.setRequestInterception(true),
    tab.emulateMediaType('print'),
  ]);
  let begun = false;
  const pending = new Set<HTTPRequest>();
  let mayShowMore = false;
  const answer = async (request: HTTPRequest): Promise<void> => {
    const isPage =
      !begun && request.isNavigationRequest() && request.frame() === tab.mainFrame() && request.url() === address;
    if (isPage) begun = true;
    // Aborted rather than blocked: a blocked request would show an error page instead of the page.
    else if (request.isNavigationRequest()) return request.abort('aborted');
    else if (!wanted.has(request.resourceType())) return request.abort('blockedbyclient');
    if (request.url().startsWith('data:')) return request.continue();
    const file = request.method() === 'GET' ? await files.read(request.url()) : undefined;
    if (file === undefined) return request.abort('blockedbyclient');
    mayShowMore ||= !isPage || file.body.includes('url(');
    return request.respond({
      status: 200,
      contentType: file.contentType,
      body: file.body,
      headers: { 'content-security-policy': policy, 'x-dns-prefetch-control': 'off', 'cache-control': 'no-store' },
    });
  };
  tab.on('requestfinished', (request) => void pending.delete(request));
  tab.on('requestfailed', (request) => void pending.delete(request));
  tab.on('request', (request) => {
    pending.add(request);
    // A page that was closed meanwhile accepts no answers.
    answer(request).catch(() => undefined);
  });
  tab.on('dialog', (dialog) => void dialog.dismiss().catch(() => undefined));
  const response = await tab.goto(address, { waitUntil: 'load', timeout: 0 });
  if (response?.ok() !== true) throw unprocessable('chromium', 'the page could not be loaded');
  // Images of a style are requested when it is first applied, which may be after the page counts as loaded.
  await tab.evaluate(
    'void document.documentElement?.getBoundingClientRect(); document.fonts.ready.then(() => undefined)',
  );
  for (let quiet = mayShowMore ? 0 : QUIET_STEPS; quiet < QUIET_STEPS; quiet = pending.size === 0 ? quiet + 1 : 0) {
    signal.throwIfAborted();
    await delay(QUIET_STEP_MS);
  }
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
}: PrintOptions): PDFOptions {
  const within = (name: string, value: unknown, least: number, most: number): number => {
    if (typeof value !== 'number' || !(value >= least && value <= most))
      throw new DefectError('CONTRACT_BROKEN', {
        operation: 'htmlToPdf.print',
        detail: `${name} is not between ${least} and ${most}`,
      });
    return value;
  };
  const inches = (name: string, points: unknown, least: number): string =>
    `${within(name, points, least, 14_400) / 72}in`;
  return {
    width: inches('paper.width', paper.width, 1),
    height: inches('paper.height', paper.height, 1),
    scale: within('zoom', zoom, 0.1, 2),
    margin: {
      top: inches('margins.top', margins.top, 0),
      right: inches('margins.right', margins.right, 0),
      bottom: inches('margins.bottom', margins.bottom, 0),
      left: inches('margins.left', margins.left, 0),
    },
    printBackground: true,
    preferCSSPageSize: true,
    tagged: true,
    outline: true,
    timeout: 0,
    ...(pageNumbers
      ? {
          displayHeaderFooter: true,
          headerTemplate: '<span></span>',
          footerTemplate:
            '<div style="width: 100%; text-align: center; font: 8pt sans-serif"><span ' +
            'class="pageNumber"></span> / <span class="totalPages"></span></div>',
        }
      : {}),
  };
}
