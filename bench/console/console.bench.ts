/// <reference lib="dom" />
import { gzipSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { findChromium } from '../../test/http/support/chromium.js';
import { memoryOf } from '../../verification/corpus/built-server.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { photoPdf, textPdf } from '../measure/inputs.js';
import { mb, ms } from '../measure/statistics.js';
import { withServer } from '../measure/with-server.js';

const FIRST_LOAD_KB = 70;
const INTERACTIVE_MS = 300;
const SETTLE_MS = 5000;

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, SETTLE_MS));

async function withBrowser<T>(work: (browser: Browser) => Promise<T>): Promise<T> {
  const executablePath = findChromium();
  if (executablePath === undefined) throw new Error('No Chromium is installed.');
  const browser = await puppeteer.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    return await work(browser);
  } finally {
    await browser.close();
  }
}

/** Whether the first thumbnail has a picture; runs in the page. */
function isDrawn(): boolean {
  const canvas = document.querySelector<HTMLCanvasElement>('.thumbnail canvas');
  if (canvas === null || canvas.width === 0) return false;
  const copy = new OffscreenCanvas(1, 1).getContext('2d')!;
  copy.drawImage(canvas, 0, 0, 1, 1);
  return copy.getImageData(0, 0, 1, 1).data[3] !== 0;
}

async function firstLoad(page: Page, url: string): Promise<BenchRow[]> {
  // Noted by the page itself, at the next frame: waiting from outside takes longer than what is measured.
  await page.evaluateOnNewDocument(() => {
    const seen = new MutationObserver(() => {
      if (document.querySelector('.tool-card') === null) return;
      seen.disconnect();
      requestAnimationFrame(() => performance.mark('tools-shown'));
    });
    seen.observe(document, { childList: true, subtree: true });
  });
  await page.goto(url);
  await page.waitForFunction(() => performance.getEntriesByName('tools-shown').length > 0);
  const interactive = await page.evaluate(() => performance.getEntriesByName('tools-shown')[0]!.startTime);
  await page.waitForNetworkIdle();
  const addresses = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  const loaded = new Set(
    addresses.map((address) => address.split('#')[0] ?? '').filter((each) => /\.(js|css)$/.test(each)),
  );
  let bytes = 0;
  for (const address of loaded) bytes += gzipSync(await (await fetch(address)).bytes()).length;
  const kb = bytes / 1024;
  return [
    {
      what: 'Console, first load: script and style, gzip',
      ours: `${kb.toFixed(1)} KB`,
      native: '',
      ratio: undefined,
      target: `≤ ${FIRST_LOAD_KB} KB`,
      met: kb <= FIRST_LOAD_KB,
    },
    {
      what: 'Console, time until the tools are shown, loopback',
      ours: ms(interactive),
      native: '',
      ratio: undefined,
      target: `≤ ${INTERACTIVE_MS} ms`,
      met: interactive <= INTERACTIVE_MS,
    },
  ];
}

/** Time from choosing a file until its first page is drawn in the tab, beside the server's picture of the page. */
async function firstPage(page: Page, url: string, path: string, what: string): Promise<BenchRow> {
  await page.goto(`${url}/organise`);
  const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
  const began = performance.now();
  await input.uploadFile(path);
  await page.waitForFunction(isDrawn);
  const inTab = performance.now() - began;
  const form = new FormData();
  form.append('fileInput', new Blob([await readFile(path)]), 'input.pdf');
  for (const [name, value] of [
    ['pageNumbers', '1'],
    ['dpi', '36'],
    ['imageFormat', 'png'],
  ] as const)
    form.append(name, value);
  const asked = performance.now();
  const response = await fetch(`${url}/api/v1/convert/pdf/img`, { method: 'POST', body: form });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`convert/pdf/img answered ${response.status}`);
  const onServer = performance.now() - asked;
  return {
    what: `Console, first thumbnail, ${what}`,
    ours: `${ms(inTab)} in the tab`,
    native: `${ms(onServer)} by upload and \`convert/pdf/img\``,
    ratio: inTab / onServer,
    target: '',
    met: undefined,
  };
}

async function tabMemory(page: Page, url: string): Promise<BenchRow> {
  await page.goto(`${url}/organise`);
  const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
  await input.uploadFile(await textPdf(1000));
  await page.waitForFunction(isDrawn);
  await settle();
  const { JSHeapUsedSize: heap = 0 } = await page.metrics();
  return {
    what: 'Console, script memory of the tab with 1,000 pages',
    ours: mb(heap / 1024 / 1024),
    native: '',
    ratio: undefined,
    target: '',
    met: undefined,
  };
}

async function idle(enabled: boolean): Promise<number> {
  return withServer(
    async ({ pid }) => {
      await settle();
      return (await memoryOf(pid)).rss;
    },
    { CONSOLE_ENABLED: String(enabled) },
  );
}

/** The console: first load, thumbnails in the tab and on the server, memory of the tab and of the server. */
export const consoleCost: Bench = {
  name: 'console',
  run: async () => {
    const measure = ({ url }: { readonly url: string }): Promise<BenchRow[]> =>
      withBrowser(async (browser) => {
        const page = await browser.newPage();
        const found = await firstLoad(page, url);
        found.push(await firstPage(page, url, await textPdf(10), '10 pages of text'));
        found.push(await firstPage(page, url, await textPdf(300), '300 pages of text'));
        found.push(await firstPage(page, url, await photoPdf(100), '100 MB of pictures'));
        found.push(await tabMemory(page, url));
        return found;
      });
    const rows = await withServer(measure, { CONSOLE_WELCOME: 'false' });
    const [on, off] = [await idle(true), await idle(false)];
    return [
      ...rows,
      {
        what: 'Server, idle memory with the console on',
        ours: mb(on),
        native: `${mb(off)} with the console off`,
        ratio: on / off,
        target: '',
        met: undefined,
      },
    ];
  },
};
