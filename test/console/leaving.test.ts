/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { Dialog, ElementHandle, Page } from 'puppeteer-core';
import { unrulyPlugin } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickText, waitForText } from './page-words.js';
import { chooseFiles, enter, run } from './tool-page.js';

describe('Leaving a page of the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  before(async function () {
    const opened = await openConsole({
      settings: { security: { isolation: ['limits'] } },
      plugins: ['@quire/plugin-general', '@quire/plugin-misc', unrulyPlugin],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-leaving-'));
    await writeFile(join(folder, 'long.pdf'), await makePdf({ pages: 60 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  /** Loads the page again; returns the kinds of dialogs with which the browser asked whether to leave it. */
  const reload = async (page: Page): Promise<readonly string[]> => {
    const asked: string[] = [];
    const answer = (dialog: Dialog): void => {
      asked.push(dialog.type());
      void dialog.accept();
    };
    page.on('dialog', answer);
    await page.reload();
    page.off('dialog', answer);
    return asked;
  };

  it('is asked about while a file is being sent, whose progress is in view', async () => {
    const page = await browser.open('tool/general/rotate-pdf');
    await chooseFiles(page, join(folder, 'long.pdf'));
    await page.waitForSelector('.document-panel canvas');
    const session = await page.createCDPSession();
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: 50,
    });
    await run(page);
    const progress = await page.waitForSelector('.run-progress');
    expect(await progress!.evaluate((card) => card.getBoundingClientRect().bottom <= innerHeight)).to.equal(true);
    expect(await reload(page)).to.deep.equal(['beforeunload']);
    expect(await reload(page), 'nothing is sent any more').to.deep.equal([]);
    await page.close();
  });

  it('is not asked about once the server works; the job is found again, and no file has to be chosen', async () => {
    const page = await browser.open('tool/misc/unruly-slow');
    await chooseFiles(page, join(folder, 'long.pdf'));
    await enter(page, 'ms', '600000');
    await run(page);
    await waitForText(page, '.run-progress', 'The work goes on');
    expect(await reload(page)).to.deep.equal([]);
    await waitForText(page, '.run-progress', 'The work goes on');
    expect(await page.$('.lost-files')).to.equal(null);
    await clickText(page, '.run-progress button', 'Cancel');
    await waitForText(page, '.run', 'Cancelled');
    await page.close();
  });

  it('loses the files of the pipeline that had them, and no other pipeline asks for them', async () => {
    const page = await browser.open('pipelines');
    const begin = async (): Promise<void> => {
      await waitForText(page, 'button', 'New pipeline');
      await clickText(page, 'button', 'New pipeline');
      await page.waitForSelector('.pipeline-side input[type=file]');
    };
    await begin();
    const input = (await page.$('.pipeline-side input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(join(folder, 'long.pdf'));
    await page.waitForFunction(() => JSON.stringify(Object.entries(sessionStorage)).includes('long.pdf'));
    await page.reload();
    await waitForText(page, '.lost-files', '“long.pdf”');
    await page.goto(`${browser.url}/pipelines`);
    await begin();
    expect(await page.$('.lost-files')).to.equal(null);
    await page.close();
  });
});
