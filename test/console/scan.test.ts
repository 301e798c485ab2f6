/// <reference lib="dom" />
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { until } from '../http/support/server.js';
import { usualPaper } from '../../console/src/screens/scan/paper.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { saveUnderNames } from './tool-page.js';

const FAKE_CAMERA = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'];

describe('The phone as scanner', function () {
  this.timeout(120_000);
  let browser: ConsoleBrowser;
  let folder: string;
  before(async function () {
    const opened = await openConsole(
      { settings: { system: { enableMobileScanner: true } }, plugins: ['@quire/plugin-convert'] },
      { flags: FAKE_CAMERA },
    );
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-scan-'));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const press = async (page: Page, words: string): Promise<void> => {
    const button = await page.waitForSelector(`::-p-xpath(//button[contains(., "${words}")][not(@disabled)])`);
    await button!.click();
  };
  const waitForPages = (page: Page, count: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll('.scan-page img').length === wanted, {}, count);
  const takePicture = async (page: Page, words: string): Promise<void> => {
    await press(page, words);
    await press(page, 'Take the picture');
  };

  it('takes two pages with the camera, of which the desktop makes a PDF', async () => {
    const desktop = await browser.open('scan', 'window');
    const link = await desktop.waitForSelector('.scan-code a');
    const address = await link!.evaluate((one) => (one as HTMLAnchorElement).href);
    const phone = await browser.open(address.slice(browser.url.length + 1), 'window');
    await phone.setViewport({ width: 360, height: 780, isMobile: true });
    await takePicture(phone, 'Take a picture');
    await waitForPages(phone, 1);
    await takePicture(phone, 'Take another page');
    await waitForPages(phone, 2);
    const waitForRatio = (wanted: number) =>
      phone.waitForFunction(
        (ratio) => {
          const { naturalWidth, naturalHeight } = document.querySelector<HTMLImageElement>('.scan-page img')!;
          return Math.abs(naturalWidth / naturalHeight - ratio) < 0.01;
        },
        {},
        wanted,
      );
    const ratio = await phone.$eval('.scan-page img', (one) => {
      const { naturalWidth, naturalHeight } = one as HTMLImageElement;
      return naturalWidth / naturalHeight;
    });
    await phone.click('[aria-label="Crop page 1"]');
    await phone.focus('[aria-label="Upper left corner"]');
    for (let i = 0; i < 20; i++) await phone.keyboard.press('ArrowRight');
    await phone.focus('[aria-label="Lower left corner"]');
    for (let i = 0; i < 20; i++) await phone.keyboard.press('ArrowRight');
    await press(phone, 'Crop');
    await waitForRatio(ratio * 0.8);
    await phone.click('[aria-label="Turn page 1"]');
    await waitForRatio(1 / (ratio * 0.8));
    await press(phone, 'Send 2 pages');
    await phone.waitForSelector('.notice.done');
    await waitForPages(desktop, 2);
    await desktop.reload();
    await waitForPages(desktop, 2);
    await saveUnderNames(desktop, folder);
    for (const size of ['A4', 'Letter']) await desktop.locator(`.segments ::-p-text(${size})`).click();
    await desktop.reload();
    await waitForPages(desktop, 2);
    expect(await desktop.evaluate(() => localStorage.getItem('quire.scanPaper'))).to.equal('"LETTER"');
    await press(desktop, 'Make a PDF');
    await press(desktop, 'Download');
    let bytes: Buffer | undefined;
    await until('the PDF is saved', async () => {
      bytes = await readFile(join(folder, 'scan.pdf')).catch(() => undefined);
      return bytes !== undefined && bytes.length > 0;
    });
    const sizes = (await PDFDocument.load(bytes!)).getPages().map((one) => one.getSize());
    expect(sizes.map(({ width, height }) => [width, height].toSorted((a, b) => a - b))).to.deep.equal([
      [612, 792],
      [612, 792],
    ]);
    await desktop.close();
    await phone.close();
  });

  it('cuts a bright sheet out of a photo, and takes the whole picture when asked', async () => {
    const desktop = await browser.open('scan', 'window');
    const link = await desktop.waitForSelector('.scan-code a');
    const address = await link!.evaluate((one) => (one as HTMLAnchorElement).href);
    // An upright sheet of 400 by 600 on a dark table of 1000 by 800.
    const photo = await desktop.evaluate(() => {
      const canvas = Object.assign(document.createElement('canvas'), { width: 1000, height: 800 });
      const context = canvas.getContext('2d')!;
      context.fillStyle = '#543';
      context.fillRect(0, 0, 1000, 800);
      context.fillStyle = '#f4f4f0';
      context.fillRect(300, 100, 400, 600);
      return canvas.toDataURL('image/png').split(',')[1]!;
    });
    const path = join(folder, 'table.png');
    await writeFile(path, Buffer.from(photo, 'base64'));
    const phone = await browser.open(address.slice(browser.url.length + 1), 'window');
    await phone.setViewport({ width: 390, height: 844, isMobile: true, hasTouch: true });
    const input = (await phone.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
    await waitForPages(phone, 1);
    const waitForShape = (wanted: number) =>
      phone.waitForFunction(
        (ratio) => {
          const { naturalWidth, naturalHeight } = document.querySelector<HTMLImageElement>('.scan-page img')!;
          return Math.abs(naturalWidth / naturalHeight - ratio) < 0.02;
        },
        {},
        wanted,
      );
    await waitForShape(400 / 600);
    await (await phone.$('[aria-label="Crop page 1"]'))!.tap();
    await press(phone, 'Whole picture');
    const actions = await phone.$$eval('.scan-corner-actions .button', (all) =>
      all.map((one) => Math.round(one.getBoundingClientRect().top)),
    );
    expect(new Set(actions).size, 'the buttons are in one row').to.equal(1);
    await press(phone, 'Crop');
    await waitForShape(1000 / 800);
    await phone.close();
    await desktop.close();
  });

  it('makes pages of the paper that is usual where the browser is from', () => {
    const papers = [['en-US', 'de'], ['de', 'es-MX'], ['de-DE', 'en-US'], ['en'], []].map(usualPaper);
    expect(papers).to.deep.equal(['LETTER', 'LETTER', 'A4', 'A4', 'A4']);
  });

  it('explains a code that is not valid any more', async () => {
    const page = await browser.open(`scan/${'0123456789abcdef'.repeat(2)}`);
    await page.waitForSelector('::-p-text(This code is not valid any more)');
    await page.close();
  });
});

describe('The scanner that is off', function () {
  this.timeout(60_000);
  it('says which setting turns it on', async function () {
    const browser = await openConsole({ plugins: [] });
    if (browser === undefined) return this.skip();
    try {
      const page = await browser.open('scan');
      await page.waitForSelector('::-p-text(system.enableMobileScanner)');
      expect(await page.$('a[href="scan"]')).to.equal(null);
    } finally {
      await browser.stop();
    }
  });
});
