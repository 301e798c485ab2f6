/// <reference lib="dom" />
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { file, json, post } from '../http/support/client.js';
import { bossName, bossPassword, sendJson, sessionOf } from '../http/support/login.js';
import { takePort } from '../http/support/process.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickText, openAs, waitForText } from './page-words.js';

const LARGE_BYTES = 60_000_000;

describe('A large stored file in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let boss: Readonly<Record<string, string>>;
  let id: number;
  before(async function () {
    const { port, release } = await takePort();
    release();
    const opened = await openConsole({
      settings: {
        server: { port },
        system: { frontendUrl: `http://127.0.0.1:${port}` },
        security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
        storage: { enabled: true, sharing: { enabled: true, linkEnabled: true } },
      },
      plugins: ['@quire/plugin-general'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    boss = await sessionOf(browser);
    const pdf = await makePdf({ pages: 2 });
    // Readers look for the end of a PDF in its last kilobyte, so the filling comes before it, as a comment.
    const end = Buffer.from(pdf).lastIndexOf('startxref');
    const large = Buffer.concat([
      pdf.subarray(0, end),
      Buffer.from('%'),
      Buffer.alloc(LARGE_BYTES, 'x'),
      Buffer.from('\n'),
      pdf.subarray(end),
    ]);
    const stored = await post(`${browser.url}/api/v1/storage/files`, [file(large, 'archive.pdf', 'file')], boss);
    ({ id } = json<{ id: number }>(stored));
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  /** Counts the bytes that the page receives from now on. */
  const received = async (page: Page): Promise<() => number> => {
    const session = await page.createCDPSession();
    await session.send('Network.enable');
    let bytes = 0;
    session.on('Network.dataReceived', ({ dataLength }) => (bytes += dataLength));
    return () => bytes;
  };
  const showsPages = async (page: Page): Promise<void> => {
    await waitForText(page, '.file-view', 'all of it is loaded: 60');
    await clickText(page, '.file-view button', 'Load and show it');
    await page.waitForSelector('.viewer canvas');
  };

  it('is not loaded before somebody wants it, and then with its progress', async () => {
    const page = await openAs(browser, 'files');
    await waitForText(page, '.file-link', 'archive.pdf');
    const bytes = await received(page);
    await clickText(page, '.file-link', 'archive.pdf');
    await waitForText(page, '.file-view', 'all of it is loaded: 60');
    expect(bytes()).to.be.lessThan(LARGE_BYTES / 2);
    await page.keyboard.press('Escape');
    await clickText(page, '.file-link', 'archive.pdf');
    await showsPages(page);
    await page.close();
  });

  it('is asked for by a share link, too', async () => {
    const path = `/api/v1/storage/files/${id}/shares/links`;
    const { token } = json<{ token: string }>(await sendJson(browser.server, path, {}, boss));
    const page = await openAs(browser, `share/${token}`);
    await waitForText(page, 'h1', 'archive.pdf');
    await showsPages(page);
    await page.close();
  });
});
