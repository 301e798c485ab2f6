/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { download } from './tool-page.js';

const PLUGINS = ['general', 'misc', 'security', 'filter'].map((name) => `@quire/plugin-${name}`);

describe('The console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const opened = await openConsole({ plugins: PLUGINS });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-files-'));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const textOf = (page: Page, selector: string): Promise<string> =>
    page.$eval(selector, (element) => element.textContent ?? '');
  async function choose(page: Page, path: string): Promise<void> {
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
  }

  it('lists the tools by category and finds them by other words', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.tool-card');
    const cards = (): Promise<string[]> =>
      page.$$eval('.tool-card h3, .tool-card .tool-text', (all) => all.map((one) => one.textContent ?? ''));
    expect((await cards()).join(' '))
      .to.contain('Rotate pages')
      .and.to.contain('Merge PDFs');
    await page.type('.search-field input', 'shrink');
    await page.waitForFunction("!document.body.textContent.includes('Rotate pages')");
    expect((await cards()).join(' ')).to.match(/compress/i);
    await page.close();
  });

  it('finds first what the words say, in their order, and pages like tools', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.tool-card');
    await page.keyboard.down('Control');
    await page.keyboard.press('k');
    await page.keyboard.up('Control');
    await page.waitForSelector('dialog input');
    for (const [query, first] of [
      ['remove pages', 'Delete pages'],
      ['pipelines', 'Pipelines'],
      ['organise', 'Organise pages'],
      // No tool has both words.
      ['make smaller', 'Compress a PDF'],
      ['merge quickly', 'Merge PDFs'],
    ] as const) {
      await page.$eval('dialog input', (input) => (input as HTMLInputElement).select());
      await page.keyboard.type(query);
      await page.waitForFunction(
        (title) => document.querySelector('dialog .options li .palette-title')?.textContent === title,
        {},
        first,
      );
    }
    await page.close();
  });

  it('keeps the focus in the row of a file that is moved to the end of the list with a key', async () => {
    const paths = ['first.pdf', 'second.pdf'].map((name) => join(folder, name));
    for (const path of paths) await writeFile(path, await makePdf({ pages: 1 }));
    const page = await browser.open('tool/general/merge-pdfs');
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(...paths);
    await page.focus('[aria-label="Move up: second.pdf"]:not(:disabled)');
    await page.keyboard.press('Enter');
    await page.waitForFunction("document.activeElement?.getAttribute('aria-label') === 'Move down: second.pdf'");
    await page.close();
  });

  it('is not changed in its choice by a pointer that rests where the list of the search appears', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.tool-card');
    const chosen = (): Promise<number> =>
      page.$$eval('dialog .options li', (all) => all.findIndex((one) => one.classList.contains('active')));
    const search = async (): Promise<ElementHandle> => {
      await page.keyboard.down('Control');
      await page.keyboard.press('k');
      await page.keyboard.up('Control');
      await page.waitForSelector('dialog .options li:nth-child(4)');
      return (await page.$('dialog .options li:nth-child(3)'))!;
    };
    const { x, y } = await (await search()).clickablePoint();
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { hidden: true });
    await page.mouse.move(x, y);
    await search();
    await page.mouse.move(x, y);
    expect(await chosen()).to.equal(0);
    await page.keyboard.type('pages');
    await page.mouse.move(x, y);
    expect(await chosen()).to.equal(0);
    await page.mouse.move(x + 2, y);
    await page.waitForSelector('dialog .options li:nth-child(3).active');
    await page.close();
  });

  it('runs a tool on a file and offers the result for download', async () => {
    const path = join(folder, 'three.pdf');
    await writeFile(path, await makePdf({ pages: 3 }));
    const page = await browser.open('tool/general/rotate-pdf');
    await choose(page, path);
    await page.click('button[type=submit]');
    await page.waitForSelector('.result-head');
    expect(await textOf(page, '.result-head h2')).to.equal('three_rotated.pdf');
    const pdf = await PDFDocument.load((await download(page, folder)).bytes);
    expect(pdf.getPages().map((each) => each.getRotation().angle)).to.deep.equal([90, 90, 90]);
    await page.close();
  });

  it('fills in the example of a tool with its files', async () => {
    const page = await browser.open('tool/general/merge-pdfs');
    const button = await page.waitForSelector('[data-example], .tool-head .button.plain');
    await button?.click();
    const item = await page.waitForSelector('.menu-item, .file-row').catch(() => null);
    if ((await page.$('.file-row')) === null) await item?.click();
    await page.waitForSelector('.file-row');
    await page.click('button[type=submit]');
    await page.waitForSelector('.result-head');
    const pdf = await PDFDocument.load((await download(page, folder)).bytes);
    expect(pdf.getPageCount()).to.be.greaterThan(1);
    await page.close();
  });

  it("shows the server's words at the field that it refuses, and keeps what was typed", async () => {
    const path = join(folder, 'two.pdf');
    await writeFile(path, await makePdf({ pages: 2 }));
    const page = await browser.open('tool/general/remove-pages');
    await choose(page, path);
    const field = '[data-field=pageNumbers] input, [data-field=pageNumbers] textarea';
    await page.waitForSelector(field);
    await page.$eval(field, (input) => (input as HTMLInputElement).select());
    await page.type(field, '2-1');
    await page.click('button[type=submit]');
    await page.waitForSelector('[data-field=pageNumbers] .field-error');
    expect(await textOf(page, '[data-field=pageNumbers] .field-error')).to.contain('runs backwards');
    expect(await page.$eval(field, (input) => (input as HTMLInputElement).value)).to.equal('2-1');
    await page.close();
  });

  it('shows fields only where they apply', async () => {
    const page = await browser.open('tool/general/crop');
    await page.waitForSelector('[data-field=width]');
    await page.click('[data-field=autoCrop] input');
    await page.waitForSelector('[data-field=width]', { hidden: true });
    await page.close();
  });

  it('says that a tool does not exist', async () => {
    const page = await browser.open('tool/general/no-such-tool');
    await page.waitForFunction("document.body.textContent.includes('There is no tool')");
    await page.close();
  });

  it('refuses an empty file before it is sent', async () => {
    const path = join(folder, 'empty.pdf');
    await writeFile(path, '');
    const page = await browser.open('tool/general/rotate-pdf');
    await choose(page, path);
    await page.waitForSelector('.file-row .danger');
    expect(await textOf(page, '.file-row .danger')).to.equal('This file is empty.');
    await page.close();
  });

  it('can be used at a width of 360 pixels without scrolling sideways', async () => {
    const page = await browser.open('tool/misc/add-stamp');
    await page.waitForSelector('.tool-form');
    await page.setViewport({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    await page.close();
  });

  for (const width of [360, 1185])
    it(`shows the tabs of a document and what hides it apart, ${width} pixels wide`, async () => {
      const path = join(folder, 'narrow.pdf');
      await writeFile(path, await makePdf({ pages: 2 }));
      const page = await browser.open('tool/general/crop');
      await page.setViewport({ width, height: 740 });
      await choose(page, path);
      await page.waitForSelector('.document-panel [role=tab]');
      const overlap = await page.evaluate(() => {
        const hide = document.querySelector('.hide-pages')!.getBoundingClientRect();
        return [...document.querySelectorAll('.document-panel [role=tab]')].some((tab) => {
          const { left, right, top, bottom } = tab.getBoundingClientRect();
          return left < hide.right && right > hide.left && top < hide.bottom && bottom > hide.top;
        });
      });
      expect(overlap).to.equal(false);
      await page.close();
    });
});
