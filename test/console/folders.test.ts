/// <reference lib="dom" />
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { until } from '../http/support/server.js';
import { quickScan, rotate } from '../http/support/watched-folders.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const damaged = '%PDF-1.4 and nothing more';
/** Removes the only page of a document, which no document survives. */
const removeAll = { pipeline: [{ operation: '/api/v1/general/remove-pages', parameters: { pageNumbers: '1' } }] };

describe('The watched folders of the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let pdf: Uint8Array;
  before(async function () {
    const opened = await openConsole({
      settings: { autoPipeline: { ...quickScan.autoPipeline, otherFiles: 'fail' } },
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    pdf = await makePdf({ pages: 1 });
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const root = (...way: string[]): string => join(browser.server.basePath, 'pipeline', 'watchedFolders', ...way);
  async function folder(name: string, definition: object, files: Readonly<Record<string, Uint8Array | string>> = {}) {
    await mkdir(root(name), { recursive: true });
    await writeFile(root(name, 'pipeline.json'), JSON.stringify(definition));
    for (const [file, bytes] of Object.entries(files)) await writeFile(root(name, file), bytes);
  }
  const waitForText = (page: Page, selector: string, words: string) =>
    page.waitForFunction(
      (where, what) => [...document.querySelectorAll(where)].some((one) => (one.textContent ?? '').includes(what)),
      {},
      selector,
      words,
    );
  const clickText = (page: Page, words: string) =>
    page.evaluate(
      (what) =>
        [...document.querySelectorAll<HTMLElement>('button, a')].find((one) => one.textContent === what)?.click(),
      words,
    );
  /** Opens a folder from the list. */
  async function open(name: string): Promise<Page> {
    const page = await browser.open('folders');
    await waitForText(page, '.folder-link', name);
    await clickText(page, name);
    await page.waitForSelector('.folder-numbers');
    return page;
  }

  it('say where a pipeline goes while there are none, with commands that work', async () => {
    const page = await browser.open('folders');
    await waitForText(page, '.empty', 'pipeline/watchedFolders');
    await waitForText(page, '.code-box pre', 'echo');
    const commands = await page.$eval('.code-box pre', (box) => box.textContent ?? '');
    const [, json = '', file = ''] = /^echo '(.*)' > (.*)$/m.exec(commands) ?? [];
    await folder('example', JSON.parse(json) as object);
    expect(file).to.equal('pipeline/watchedFolders/example/pipeline.json');
    await waitForText(page, '.folder-row', 'example');
    await waitForText(page, '.folder-row', 'Watching');
    await page.close();
  });

  it('appear with their numbers while the page is open', async () => {
    const page = await browser.open('folders');
    await page.waitForSelector('.folder-row');
    await folder('letters', { ...rotate, name: 'Turn letters' }, { 'a.pdf': pdf });
    await waitForText(page, '.folder-row', 'Turn letters');
    await waitForText(page, '.folder-row', 'Today: 1 finished, 0 failed');
    await page.close();
  });

  it('show what is wrong with a pipeline until it is corrected', async () => {
    await folder('wrong', { pipeline: [{ operation: '/api/v1/general/rotat-pdf', parameters: {} }] }, { 'a.pdf': pdf });
    const page = await open('wrong');
    await waitForText(page, '.notice', '/pipeline/0/operation');
    await waitForText(page, '.notice', 'did you mean /api/v1/general/rotate-pdf?');
    await writeFile(root('wrong', 'pipeline.json'), JSON.stringify(rotate));
    await waitForText(page, '.table', 'wrong/a.pdf');
    expect(await page.$('.notice')).to.equal(null);
    await page.close();
  });

  it('list failed files with the reason, and put one back to work once its pipeline is corrected', async () => {
    await folder('retried', removeAll, { 'scan.pdf': pdf });
    const page = await open('retried');
    await waitForText(page, '.folder-failed', 'scan.pdf');
    await waitForText(page, '.folder-failed', 'failed/scan.pdf');
    await writeFile(root('retried', 'pipeline.json'), JSON.stringify(rotate));
    await page.click('.folder-failed [aria-label="Retry scan.pdf"]');
    await waitForText(page, '.toast', '1 file is processed again');
    await waitForText(page, '.table .badge', 'Finished');
    await waitForText(page, '.table .badge', 'Retried');
    await page.waitForFunction("document.querySelector('.folder-failed') === null");
    expect((await readdir(root('retried', 'done'))).sort()).to.deep.equal(['scan.pdf', 'scan.pdf.report.json']);
    await page.close();
  });

  it('are among the automations, with their files and runs, and without what only saved ones have', async () => {
    await folder('among', rotate, { 'good.pdf': pdf, 'bad.pdf': damaged });
    const page = await browser.open('automations');
    await waitForText(page, '.automation-link', 'among');
    await clickText(page, 'among');
    await waitForText(page, '[data-part="files"] .badge', 'Parked');
    await waitForText(page, '[data-part="files"]', 'among/good.pdf');
    await waitForText(page, '[data-part="runs"]', 'bad.pdf');
    expect(await page.$('[data-sample], [href$="/edit"], [data-part="runs"] [href^="jobs/"]')).to.equal(null);
    await page.click('.page-head .badge[href^="folders/"]');
    await page.waitForSelector('.folder-numbers');
    await page.close();
  });

  it('put all failed files back to work, and say which are gone', async () => {
    await folder('many', rotate, { '1.pdf': damaged, '2.pdf': damaged, '3.pdf': damaged });
    const page = await open('many');
    await page.waitForFunction("document.querySelectorAll('.folder-failed').length === 3");
    await rename(root('many', 'failed', '2.pdf'), root('many', 'failed', 'elsewhere.pdf'));
    await clickText(page, 'Retry all');
    await waitForText(page, '.toast', '2 files are processed again');
    await waitForText(page, '.toast', '2.pdf');
    await waitForText(page, '.folder-failed', 'No longer at failed/2.pdf');
    await page.waitForFunction("document.querySelectorAll('.folder-failed').length === 3");
    await page.click('[aria-label^="Forget 2.pdf"]');
    await page.waitForFunction("!document.body.textContent.includes('failed/2.pdf')");
    expect(await readFile(root('many', 'failed', 'elsewhere.pdf'), 'utf8')).to.equal(damaged);
    await page.close();
  });

  it('open a copy of their pipeline in the editor, without its passwords', async () => {
    await folder('secret', {
      name: 'Protect letters',
      pipeline: [
        ...rotate.pipeline,
        { operation: '/api/v1/security/add-password', parameters: { password: 'open-sesame' } },
      ],
    });
    const page = await open('secret');
    await waitForText(page, '.notice', 'Passwords are not shown');
    expect(await page.content()).not.to.include('open-sesame');
    await clickText(page, 'Open a copy in Pipelines');
    await page.waitForFunction("location.pathname.startsWith('/pipelines/edit/')");
    await page.waitForFunction(
      "[...document.querySelectorAll('input')].some((one) => one.value === 'Protect letters')",
    );
    await page.close();
  });

  it('show older runs on demand', async () => {
    // Files of a kind that no step accepts fail without work.
    const files = Array.from({ length: 60 }, (_, number) => [`${number}.txt`, 'a text']);
    await folder('busy', rotate, Object.fromEntries(files) as Record<string, string>);
    await until(
      'all have failed',
      async () => (await readdir(root('busy', 'failed')).catch(() => [])).length === 120,
      90,
    );
    const page = await open('busy');
    await waitForText(page, '.folder-numbers dd', '60');
    await page.waitForFunction("document.querySelectorAll('.table tbody tr').length === 50");
    await clickText(page, 'Show older runs');
    await page.waitForFunction("document.querySelectorAll('.table tbody tr').length === 60");
    await page.close();
  });

  it('name the setting that turns them on while they are off', async () => {
    const off = await openConsole({ settings: { autoPipeline: { enabled: false } } });
    try {
      const page = await off?.open('folders');
      if (page !== undefined) await waitForText(page, '.empty', 'autoPipeline.enabled');
      expect(page).not.to.equal(undefined);
    } finally {
      await off?.stop();
    }
  });

  it('become automations by one button, after a report of what differs', async () => {
    await folder('converted', { ...rotate, name: 'Converted' }, { 'one.pdf': pdf });
    const page = await open('converted');
    await waitForText(page, 'button', 'Make an automation of it');
    await until('the run has ended', async () => !(await readdir(root('converted'))).includes('one.pdf'));
    await clickText(page, 'Make an automation of it');
    await waitForText(page, '[data-outcome=ready]', 'Converted');
    await clickText(page, 'Make the automation');
    await waitForText(page, '[data-outcome=created]', 'Converted');
    await clickText(page, 'Close');
    expect(await readdir(root('converted', '.quire', 'migrated'))).to.deep.equal(['pipeline.json']);
    await page.waitForFunction(
      () => ![...document.querySelectorAll('button')].some((one) => one.textContent === 'Make an automation of it'),
    );
    await page.close();
  });
});
