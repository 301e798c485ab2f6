/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, enter, run } from './tool-page.js';

const TOOL = 'tool/security/add-watermark';

describe('What was entered for a tool', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const opened = await openConsole({ plugins: ['general', 'security'].map((name) => `@quire/plugin-${name}`) });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-kept-drafts-'));
    await writeFile(join(folder, 'plan.pdf'), await makePdf({ pages: 2 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const valueOf = async (page: Page, field: string): Promise<string> => {
    const control = await page.waitForSelector(`[data-field=${field}] input, [data-field=${field}] textarea`);
    return control!.evaluate((element) => (element as HTMLInputElement).value);
  };
  const stored = (page: Page): Promise<string> => page.evaluate(() => JSON.stringify(Object.entries(sessionStorage)));
  const waitUntilStored = (page: Page, text: string) =>
    page.waitForFunction((what) => JSON.stringify(Object.entries(sessionStorage)).includes(what), {}, text);

  it('is there again after a reload, and the page names the files to choose again', async () => {
    const page = await browser.open(TOOL);
    await chooseFiles(page, join(folder, 'plan.pdf'));
    await enter(page, 'watermarkText', 'Draft of May');
    await waitUntilStored(page, 'Draft of May');
    await page.reload();
    expect(await valueOf(page, 'watermarkText')).to.equal('Draft of May');
    const lost = await page.waitForSelector('[data-field=fileInput] .lost-files');
    expect(await lost!.evaluate((element) => element.textContent)).to.contain('“plan.pdf”');
    await chooseFiles(page, join(folder, 'plan.pdf'));
    await page.waitForSelector('.lost-files', { hidden: true });
    await page.close();
  });

  it('is forgotten after a run that succeeded', async () => {
    const page = await browser.open(TOOL);
    await chooseFiles(page, join(folder, 'plan.pdf'));
    await enter(page, 'watermarkText', 'Run once');
    await waitUntilStored(page, 'Run once');
    await run(page);
    await page.waitForSelector('.result-head');
    await page.reload();
    expect(await valueOf(page, 'watermarkText')).to.equal('');
    expect(await page.$('.lost-files')).to.equal(null);
    await page.close();
  });

  it('is kept after a run that failed', async () => {
    const page = await browser.open('tool/general/remove-pages');
    await chooseFiles(page, join(folder, 'plan.pdf'));
    await enter(page, 'pageNumbers', '1-2');
    await run(page);
    await page.waitForSelector('.notice.error, [data-field=pageNumbers] .field-error');
    await page.reload();
    expect(await valueOf(page, 'pageNumbers')).to.equal('1-2');
    await page.close();
  });

  it('is forgotten by “Reset”', async () => {
    const page = await browser.open(TOOL);
    await enter(page, 'watermarkText', 'Never mind');
    await waitUntilStored(page, 'Never mind');
    await page.locator('.run-bar ::-p-text(Reset)').click();
    await page.reload();
    expect(await valueOf(page, 'watermarkText')).to.equal('');
    await page.close();
  });

  it('is never stored where it is a password', async () => {
    const page = await browser.open('tool/security/add-password');
    await enter(page, 'password', 'correct horse');
    await enter(page, 'ownerPassword', 'battery staple');
    await page.locator('[data-field=preventPrinting] input, summary').click();
    await chooseFiles(page, join(folder, 'plan.pdf'));
    await waitUntilStored(page, 'plan.pdf');
    expect(await stored(page)).to.not.match(/correct|battery/);
    await page.reload();
    expect(await valueOf(page, 'password')).to.equal('');
    await page.close();
  });

  it('leaves out values whose field has changed its kind', async () => {
    const page = await browser.open(TOOL);
    await page.evaluate(() => {
      const draft = { values: { watermarkText: ['no', 'list'], gone: 'x', fontSize: '77' }, files: { fileInput: 5 } };
      sessionStorage.setItem('quire.draft.security/add-watermark', JSON.stringify(draft));
    });
    await page.reload();
    expect(await valueOf(page, 'fontSize')).to.equal('77');
    expect(await valueOf(page, 'watermarkText')).to.equal('');
    await page.close();
  });
});
