/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, run, waitForWords } from './tool-page.js';

describe('The console where the network fails for a moment', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const opened = await openConsole({
      plugins: ['@quire/plugin-general'],
      settings: { ui: { languages: ['en', 'de'] }, system: { defaultLocale: 'de' } },
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-lost-'));
    await writeFile(join(folder, 'two.pdf'), await makePdf({ pages: 2 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  /** Opens an empty page whose requests fail where `isLost` says so, as when the machine changes its network. */
  async function openLosing(isLost: (request: HTTPRequest) => boolean): Promise<Page> {
    const page = await browser.open('livez');
    await page.setCacheEnabled(false);
    await page.setRequestInterception(true);
    page.on('request', (request) => void (isLost(request) ? request.abort('connectionreset') : request.continue()));
    return page;
  }

  it('loads again what was lost: code, styles, texts and answers', async () => {
    // What the page itself names cannot be loaded again without the page.
    const { ownFiles } = await (await fetch(browser.url)).text().then((text) => ({
      ownFiles: [...text.matchAll(/(?:src|href)="\.?\/?([^"]+)"/g)].map(([, file = '']) => file),
    }));
    const lost = new Map<string, number>();
    const page = await openLosing((request) => {
      const address = new URL(request.url());
      const isOwn = ownFiles.some((file) => address.pathname.endsWith(file));
      if (request.isNavigationRequest() || request.method() !== 'GET' || isOwn) return false;
      const times = (lost.get(address.pathname) ?? 0) + 1;
      lost.set(address.pathname, times);
      return times === 1;
    });
    await page.goto(`${browser.url}/tool/general/rotate-pdf`);
    await chooseFiles(page, join(folder, 'two.pdf'));
    await waitForWords(page, '.file-row', 'two.pdf');
    await run(page);
    await page.waitForSelector('.result-head');
    const styles = [...lost.keys()].filter((path) => path.endsWith('.css'));
    expect(styles).not.to.deep.equal([]);
    const missing = await page.evaluate(
      (wanted) => wanted.filter((path) => ![...document.styleSheets].some(({ href }) => href?.endsWith(path))),
      styles,
    );
    expect(missing).to.deep.equal([]);
    await page.close();
  });

  it('says that the server cannot be reached, and goes on by itself when it can', async () => {
    let isAway = true;
    const page = await openLosing((request) => isAway && request.url().includes('/api/'));
    await page.goto(`${browser.url}/tool/general/rotate-pdf`);
    await page.waitForFunction("document.body.innerText.includes('The server cannot be reached')");
    isAway = false;
    await page.waitForSelector('input[type=file]');
    await page.close();
  });
});
