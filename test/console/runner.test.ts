/// <reference lib="dom" />
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, download, enter, press, run, waitForWords } from './tool-page.js';

describe('A tool of the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const opened = await openConsole({ plugins: ['general', 'misc'].map((name) => `@quire/plugin-${name}`) });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-runner-'));
    for (const [i, name] of ['a', 'b', 'c'].entries())
      await writeFile(join(folder, `${name}.pdf`), await makePdf({ pages: i + 1 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const filesOf = (page: Page): Promise<(string | null)[]> =>
    page.$$eval('.file-name', (all) => all.map((one) => one.textContent));
  const path = (name: string): string => join(folder, name);
  const valueOf = (page: Page, field: string): Promise<string> =>
    page.$eval(`[data-field=${field}] input`, (input) => (input as HTMLInputElement).value);

  it('can be tried with a sample at the start, until one was used', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.first-minute');
    expect(await page.$$eval('.first-minute .tool-link', (links) => links.length)).to.be.within(1, 3);
    await page.click('.first-minute .tool-link');
    await page.waitForSelector('.file-row');
    await run(page);
    await page.waitForSelector('.result-head');
    await page.click('.crumbs a');
    await waitForWords(page, '.tool-section h2', 'Recently used');
    expect(await page.$('.first-minute')).to.equal(null);
    await page.evaluate('localStorage.clear()');
    await page.reload();
    await page.waitForSelector('.first-minute');
    await page.click('.first-minute header button');
    await page.waitForFunction("!document.querySelector('.first-minute')");
    await page.reload();
    await page.waitForSelector('.tool-card');
    expect(await page.$('.first-minute')).to.equal(null);
    await page.close();
  });

  it('takes several files, in an order that the keyboard and the mouse change', async () => {
    const page = await browser.open('tool/general/merge-pdfs');
    await chooseFiles(page, path('a.pdf'), path('b.pdf'), path('c.pdf'));
    await page.waitForFunction("document.querySelectorAll('.file-row').length === 3");
    await page.focus('[aria-label="Move up: c.pdf"]');
    await page.keyboard.press('Enter');
    expect(await filesOf(page)).to.deep.equal(['a.pdf', 'c.pdf', 'b.pdf']);
    const last = (await page.waitForSelector('.file-row:nth-child(3)'))!;
    const first = (await page.waitForSelector('.file-row:nth-child(1)'))!;
    await first.drop(last);
    await page.waitForFunction("document.querySelector('.file-name').textContent === 'b.pdf'");
    await run(page);
    await page.waitForSelector('.result-head');
    expect((await PDFDocument.load((await download(page, folder)).bytes)).getPageCount()).to.equal(6);
    await page.close();
  });

  it('is run once for each file, and each result can be had', async () => {
    const page = await browser.open('tool/general/rotate-pdf');
    await chooseFiles(page, path('a.pdf'), path('b.pdf'));
    await press(page, 'Run for 2 files');
    await page.waitForFunction("document.querySelectorAll('.result-list > li').length === 2");
    await waitForWords(page, '.result-list', 'b_rotated.pdf');
    await page.close();
  });

  it('takes pages from a click on their pictures', async () => {
    const page = await browser.open('tool/general/remove-pages');
    await chooseFiles(page, path('c.pdf'));
    await page.locator('.document-panel [role=option]:nth-of-type(2)').click();
    await page.waitForFunction("document.querySelector('[data-field=pageNumbers] input').value !== ''");
    expect(await valueOf(page, 'pageNumbers')).to.equal('2');
    await run(page);
    await page.waitForSelector('.result-head');
    expect((await PDFDocument.load((await download(page, folder)).bytes)).getPageCount()).to.equal(2);
    await page.close();
  });

  it('takes an area that is drawn on the page', async () => {
    const page = await browser.open('tool/general/crop');
    await chooseFiles(page, path('a.pdf'));
    const layer = await page.waitForSelector('.area-layer');
    const { x, y, width, height } = (await layer!.boundingBox())!;
    await page.mouse.move(x + width * 0.25, y + height * 0.25);
    await page.mouse.down();
    await page.mouse.move(x + width * 0.75, y + height * 0.5, { steps: 5 });
    await page.mouse.up();
    const [pageWidth, pageHeight] = await sizeOf(path('a.pdf'));
    const values = await Promise.all(['x', 'y', 'width', 'height'].map((field) => valueOf(page, field)));
    const [left, bottom, wide, high] = values.map(Number);
    expect(left).to.be.closeTo(pageWidth! * 0.25, 3);
    expect(bottom).to.be.closeTo(pageHeight! * 0.5, 3);
    expect(wide).to.be.closeTo(pageWidth! * 0.5, 3);
    expect(high).to.be.closeTo(pageHeight! * 0.25, 3);
    await page.close();
  });

  it('hands its result to the next tool from memory', async () => {
    const page = await browser.open('tool/general/remove-pages');
    await chooseFiles(page, path('c.pdf'));
    await enter(page, 'pageNumbers', '1');
    await run(page);
    await page.waitForSelector('.result-head');
    const name = await page.$eval('.result-head h2', (head) => head.textContent ?? '');
    await press(page, 'Next tool with this file');
    await page.waitForSelector('dialog[open] input');
    await page.type('dialog[open] input', 'rotate');
    await page.keyboard.press('Enter');
    await waitForWords(page, '.file-name', name);
    expect(new URL(page.url()).pathname).to.equal('/tool/general/rotate-pdf');
    await page.close();
  });

  it('shows the pages of a file with a thousand of them without making them all', async () => {
    await writeFile(path('thousand.pdf'), await makePdf({ pages: 1000 }));
    const page = await browser.open('tool/general/remove-pages');
    await chooseFiles(page, path('thousand.pdf'));
    await waitForWords(page, '.document-panel', 'of 1,000');
    await page.waitForSelector('.document-panel canvas');
    expect(await page.$$eval('.document-panel [role=option]', (cells) => cells.length)).to.be.lessThan(100);
    await page.close();
  });
});

async function sizeOf(file: string): Promise<readonly [number, number]> {
  const { width, height } = (await PDFDocument.load(await readFile(file))).getPage(0).getSize();
  return [width, height];
}
