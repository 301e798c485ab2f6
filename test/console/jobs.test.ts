/// <reference lib="dom" />
import { makePdf } from '@quire/plugin-kit';
import { createTestServer } from '@quire/core';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { field, file, json, post } from '../http/support/client.js';
import { takePort } from '../http/support/process.js';
import { unrulyPlugin, until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

describe('The jobs of the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let pdf: Uint8Array;
  let port: number;
  before(async function () {
    const taken = await takePort();
    ({ port } = taken);
    taken.release();
    const opened = await openConsole({
      // A stop waits this long for the events that an open page follows.
      settings: { server: { port, shutdownSeconds: 1 }, security: { isolation: ['limits'] } },
      plugins: ['@quire/plugin-general', '@quire/plugin-misc', unrulyPlugin],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    pdf = await makePdf({ pages: 2 });
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function start(path: string, fields: Readonly<Record<string, string>> = {}, name = 'letter.pdf') {
    const parts = Object.entries({ ...fields, async: 'true' }).map(([key, value]) => field(key, value));
    const answer = await post(`${browser.url}/api/v1/${path}`, [file(pdf, name), ...parts]);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ jobId: string }>(answer).jobId;
  }
  const rows = (page: Page): Promise<string[]> => page.$$eval('.job', (all) => all.map((one) => one.textContent ?? ''));
  const waitForText = (page: Page, selector: string, words: string) =>
    page.waitForFunction(
      (where, what) => [...document.querySelectorAll(where)].some((one) => (one.textContent ?? '').includes(what)),
      {},
      selector,
      words,
    );

  it('are explained while there are none', async () => {
    const page = await browser.open('jobs');
    await waitForText(page, '.empty', 'No jobs');
    await page.close();
  });

  it('appear while the page is open, run, and are cancelled', async () => {
    const page = await browser.open('jobs');
    await page.waitForSelector('.empty');
    await start('misc/unruly-slow', { ms: '600000' });
    await waitForText(page, '.job', 'Running');
    await page.click('.job [aria-label^="Cancel"]');
    await waitForText(page, '.job', 'Cancelled');
    await page.close();
  });

  it('show why one failed, and lead back to its tool', async () => {
    await start('general/remove-pages', { pageNumbers: '9' });
    const page = await browser.open('jobs?status=failed');
    await waitForText(page, '.job-error', '"pageNumbers" is "9", but the document has 2 pages.');
    await page.click('.job a[aria-label^="Open the tool again"]');
    await page.waitForSelector('.page h1');
    expect(new URL(page.url()).pathname).to.equal('/tool/general/remove-pages');
    await page.close();
  });

  it('show the result, the report and the warnings of one, also after the page is loaded again', async () => {
    const jobId = await start('general/split-pages', { pageNumbers: '1' }, 'two.pdf');
    const page = await browser.open(`jobs/${encodeURIComponent(jobId)}`);
    await waitForText(page, '.badge', 'Finished');
    await page.reload();
    await page.waitForSelector('.file-rows');
    const names = await page.$$eval('.file-rows button .grow', (all) => all.map((one) => one.textContent));
    expect(names).to.have.length(2);
    await page.waitForSelector('canvas');
    await page.close();
  });

  it('delete a finished one with its files', async () => {
    const jobId = await start('general/rotate-pdf', {}, 'doomed.pdf');
    const page = await browser.open('jobs');
    // The row has this button once the job has ended; before, it is the one that cancels.
    await page.waitForFunction(() => {
      const row = [...document.querySelectorAll('.job')].find((one) => one.textContent?.includes('doomed.pdf'));
      const button = row?.querySelector<HTMLButtonElement>('[aria-label^="Delete"]');
      button?.click();
      return button !== null && button !== undefined;
    });
    await page.waitForFunction("!document.body.textContent.includes('doomed.pdf')");
    const left = await fetch(`${browser.url}/api/v1/general/job/${jobId}`);
    expect(left.status).to.equal(404);
    await page.close();
  });

  it('are still listed by the hundred, page by page', async () => {
    for (let i = 0; i < 120; i += 20)
      await Promise.all(Array.from({ length: 20 }, (_none, k) => start('general/rotate-pdf', {}, `n${i + k}.pdf`)));
    const page = await browser.open('jobs?status=succeeded');
    await page.waitForSelector('.job');
    await until('all are done', async () => (await rows(page)).length === 50);
    // The button is not there before the fifty-first has ended.
    await until('older ones are shown', async () => {
      await page.evaluate(() =>
        [...document.querySelectorAll('button')].find((one) => one.textContent === 'Show older jobs')?.click(),
      );
      return (await rows(page)).length > 50;
    });
    await page.close();
  });

  it('follow the server again after it was restarted', async () => {
    const page = await browser.open('jobs?status=succeeded');
    await page.waitForSelector('.job');
    await browser.server.stop();
    await waitForText(page, '[role=status]', 'The connection is lost');
    const again = await createTestServer({
      settings: { server: { port, shutdownSeconds: 1 } },
      plugins: ['@quire/plugin-general'],
    });
    try {
      await again.start();
      await start('general/rotate-pdf', {}, 'after.pdf');
      await waitForText(page, '.job', 'after.pdf');
    } finally {
      await again.stop();
    }
    await page.close();
  });
});
