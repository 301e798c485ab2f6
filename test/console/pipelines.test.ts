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

const PLUGINS = ['general', 'misc', 'security', 'filter', 'convert'].map((name) => `@quire/plugin-${name}`);

describe('The pipelines of the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const opened = await openConsole({ plugins: PLUGINS });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-pipelines-'));
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
  const textsOf = (page: Page, selector: string): Promise<string[]> =>
    page.$$eval(selector, (all) => all.map((one) => one.textContent ?? ''));
  /** The accessible name of the element that has the focus. */
  const focused = (page: Page): Promise<string> =>
    page.evaluate(() => {
      const element = document.activeElement;
      return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
    });
  /** Presses Tab until the focus is on the element with this name, or where it should be. */
  async function tabTo(page: Page, goal: string | (() => Promise<boolean>)): Promise<void> {
    for (let presses = 0; presses < 150; presses++) {
      if (typeof goal === 'string' ? (await focused(page)) === goal : await goal()) return;
      await page.keyboard.press('Tab');
    }
    throw new Error(`The focus never reached ${String(goal)}.`);
  }
  async function addByKeyboard(page: Page, words: string): Promise<void> {
    await tabTo(page, 'Add a step');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog [role=combobox]');
    await page.keyboard.type(words);
    await page.waitForFunction("document.querySelector('dialog [role=option][aria-selected=true]') !== null");
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog', { hidden: true });
  }
  const chosenFile = async (page: Page, path: string): Promise<void> => {
    const input = (await page.waitForSelector('input[type=file][name=fileInput]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
    await page.waitForSelector('.file-row');
  };
  async function imported(text: string): Promise<Page> {
    const page = await browser.open('pipelines');
    await page.waitForSelector('h1');
    await page.locator('.page > header .button ::-p-text(Import)').click();
    await page.waitForSelector('dialog textarea');
    await page.$eval(
      'dialog textarea',
      (area, given) => {
        (area as HTMLTextAreaElement).value = given;
        area.dispatchEvent(new Event('input', { bubbles: true }));
      },
      text,
    );
    await page.locator('dialog .button.primary').click();
    return page;
  }
  const settled = (page: Page, state: string): Promise<unknown> => page.waitForSelector(`[data-check=${state}]`);

  it('are built by keyboard alone, show a fault at its field until it is fixed, and run', async () => {
    const path = join(folder, 'three.pdf');
    await writeFile(path, await makePdf({ pages: 3 }));
    const page = await browser.open('pipelines');
    await page.waitForSelector('h1');
    await tabTo(page, 'New pipeline');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-check=empty]');
    await addByKeyboard(page, 'delete pages');
    await page.waitForFunction(`document.activeElement?.closest('[data-step="1"] [data-field=pageNumbers]') !== null`);
    await page.keyboard.type('3');
    await addByKeyboard(page, 'shrink');
    const field = '[data-step="2"] [data-field=expectedOutputSize]';
    await tabTo(page, async () => (await page.$(`${field} :focus`)) !== null);
    await page.keyboard.type('5x');
    await page.waitForFunction(
      `document.querySelector('${field} .field-error')?.textContent.includes('must be a size above 0')`,
    );
    await settled(page, 'faulty');
    expect(await page.$eval(`${field} :focus`, (input) => (input as HTMLInputElement).value)).to.equal('5x');
    await page.keyboard.press('Backspace');
    await settled(page, 'valid');
    await addByKeyboard(page, 'rotate');
    await page.waitForSelector('[data-step="3"]');
    await settled(page, 'valid');
    // Moves the new step up.
    await page.keyboard.down('Alt');
    await page.keyboard.press('ArrowUp');
    await page.waitForFunction("document.querySelector('[data-step=\"2\"]').textContent.includes('Rotate')");
    await page.keyboard.up('Alt');
    await settled(page, 'valid');
    await chosenFile(page, path);
    await tabTo(page, 'Try it step by step');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-trial-step="3"][data-state=done]');
    expect(await textsOf(page, '.file-rows button')).to.have.length.greaterThan(1);
    await page.locator('.pipeline-side [role=tab] ::-p-text(Run)').click();
    await page.waitForSelector('[data-run]:not([disabled])');
    await page.locator('[data-run]').click();
    await page.waitForSelector('.result-head');
    const pdf = await PDFDocument.load((await download(page, folder, '.result-head .button.primary')).bytes);
    expect(pdf.getPages().map((each) => each.getRotation().angle)).to.deep.equal([90, 90]);
    await page.close();
  });

  it('show the result of every step of a trial, and run again from one of them', async () => {
    const path = join(folder, 'two.pdf');
    await writeFile(path, await makePdf({ pages: 2 }));
    const page = await imported(
      JSON.stringify({
        pipeline: [
          { operation: '/api/v1/general/split-pages', parameters: { pageNumbers: 'all' } },
          { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 180 } },
          { operation: '/api/v1/general/merge-pdfs', parameters: {} },
        ],
      }),
    );
    await settled(page, 'valid');
    await chosenFile(page, path);
    await page.locator('[data-trial]').click();
    await page.waitForSelector('[data-trial-step="3"][data-state=done]');
    for (const [step, files] of [
      [1, 2],
      [2, 2],
      [3, 1],
    ])
      expect(await page.$$(`[data-trial-step="${step}"] .file-rows li`), `step ${step}`).to.have.length(files!);
    await page.locator('[data-trial-step="2"] .trial-head .button').click();
    await page.waitForSelector('[data-trial-step="3"][data-state=done]');
    const { bytes } = await download(page, folder, '[data-trial-step="3"] .file-rows .icon-button');
    const pdf = await PDFDocument.load(bytes);
    expect(pdf.getPages().map((each) => each.getRotation().angle)).to.deep.equal([180, 180]);
    await page.close();
  });

  it('say that a step cannot take what the step before it returns', async () => {
    const page = await imported(
      JSON.stringify({
        pipeline: [
          { operation: '/api/v1/convert/pdf/img', parameters: { imageFormat: 'png' } },
          { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
        ],
      }),
    );
    await settled(page, 'faulty');
    expect(await textOf(page, '.connector.refused')).to.contain('PNG');
    expect(await textOf(page, '[data-step="2"] .field-error')).to.contain('can never receive a file');
    await page.close();
  });

  it('report what an imported definition has that is unknown, and export it unchanged', async () => {
    const definition = {
      name: 'Odd one',
      outputFileName: '{filename}-{date}',
      _examples: { outputDir: '{outputFolder}' },
      pipeline: [
        { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90, angel: 180, fileInput: 'automated' } },
        { operation: '/api/v1/general/no-such-tool', parameters: { deep: [{ a: null }] }, note: 'kept' },
        { operation: '/api/v1/misc/compress-pdf', parameters: { optimizeLevel: { not: 'a number' } } },
      ],
    };
    const page = await imported(JSON.stringify(definition));
    await settled(page, 'faulty');
    const words = (await textsOf(page, '.field-error')).join(' ');
    expect(words)
      .to.contain('did you mean angle?')
      .and.to.contain('is not an operation of this server')
      .and.to.contain('optimizeLevel');
    const { name, bytes } = await download(page, folder, '[data-export]');
    expect(name).to.equal('Odd-one.json');
    expect(JSON.parse(new TextDecoder().decode(bytes))).to.deep.equal(definition);
    await page.close();
  });

  it('refuse a text that is no pipeline, and say why', async () => {
    for (const [text, reason] of [
      ['{"pipeline": ', 'This is not JSON'],
      ['{"steps": []}', 'it has no list “pipeline”'],
      ['{"pipeline": ["rotate"]}', 'every step must be an object'],
    ] as const) {
      const page = await imported(text);
      await page.waitForSelector('dialog .field-error');
      expect(await textOf(page, 'dialog .field-error')).to.contain(reason);
      await page.close();
    }
  });

  it('are kept in the browser with the steps that are switched off; deleting is undone', async () => {
    const page = await imported(
      JSON.stringify({
        name: 'Kept',
        pipeline: [
          { operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } },
          { operation: '/api/v1/misc/flatten', parameters: {} },
        ],
      }),
    );
    await settled(page, 'valid');
    await page.locator('[data-step="2"] .menu > button').click();
    await page.locator('.menu-item ::-p-text(Switch off)').click();
    await page.waitForSelector('[data-step="2"] .step-card.off');
    await page.reload();
    await page.waitForSelector('[data-step="2"] .step-card.off');
    await page.goto(`${browser.url}/pipelines`);
    const row = '.pipeline-row ::-p-text(Kept)';
    await page.waitForSelector(row);
    const count = (await page.$$('.pipeline-row')).length;
    await page.locator('.pipeline-row:has(.pipeline-link) [aria-label="More for Kept"]').click();
    await page.locator('.menu-item.danger').click();
    await page.waitForFunction(`document.querySelectorAll('.pipeline-row').length === ${count - 1}`);
    await page.locator('.undo-bar .button').click();
    await page.waitForFunction(`document.querySelectorAll('.pipeline-row').length === ${count}`);
    await page.close();
  });

  it('start from templates whose tools are all there', async () => {
    const page = await browser.open('pipelines');
    await page.waitForSelector('.template-card');
    await page.click('[data-template=safe-to-publish]');
    await settled(page, 'valid');
    expect(await textOf(page, '.pipeline-side .check-line')).to.contain('2 steps, ready to run');
    expect(await textsOf(page, '.step-card .step-title')).to.have.length(2);
    await page.close();
  });

  it('can be used at a width of 360 pixels without scrolling sideways', async () => {
    const page = await browser.open('pipelines');
    await page.setViewport({ width: 360, height: 740 });
    await page.waitForSelector('.template-card');
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    await page.click('[data-template=safe-to-publish]');
    await settled(page, 'valid');
    await page.click('[data-step="1"] .step-toggle');
    await page.waitForSelector('[data-step="1"] .step-body');
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    await page.close();
  });
});
