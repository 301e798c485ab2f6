/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { until } from '../http/support/server.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickOn, download, press, run, waitForWords } from './tool-page.js';

const PAPER = '.ink-paper canvas';
const USE = 'dialog .dialog-actions .primary:not(:disabled)';

describe('A signature by hand in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let pdf: string;
  before(async function () {
    const opened = await openConsole({ plugins: ['@quire/plugin-misc', '@quire/plugin-general'] });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-signature-'));
    pdf = join(folder, 'contract.pdf');
    await writeFile(pdf, await makePdf({ pages: 2 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openTool(): Promise<Page> {
    const page = await browser.open('tool/misc/add-image');
    const input = (await page.waitForSelector('[data-field=fileInput] input[type=file]')) as ElementHandle;
    await (input as ElementHandle<HTMLInputElement>).uploadFile(pdf);
    await page.waitForSelector('.page-stage canvas');
    await press(page, 'Sign by hand');
    return page;
  }
  const valueOf = (page: Page, name: string): Promise<string> =>
    page.$eval(`[data-field=${name}] input`, (input) => (input as HTMLInputElement).value);

  /** Draws a stroke between two places of the paper, as shares of its width and height. */
  async function drawStroke(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    await page.waitForFunction(
      (paper) => (document.querySelector<HTMLCanvasElement>(paper)?.width ?? 0) > 100,
      {},
      PAPER,
    );
    const { x, y, width, height } = (await (await page.$(PAPER))!.boundingBox())!;
    await page.mouse.move(x + width * from[0], y + height * from[1]);
    await page.mouse.down();
    await page.mouse.move(x + width * to[0], y + height * to[1], { steps: 12 });
    await page.mouse.up();
  }

  /** Width and height of what is drawn on the paper, in CSS pixels; undefined for blank paper. */
  const inkSize = (page: Page): Promise<readonly [number, number] | undefined> =>
    page.$eval(PAPER, (element) => {
      const canvas = element as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      const inked = [...Array(data.length / 4).keys()].filter((at) => data[at * 4 + 3]! > 0);
      if (inked.length === 0) return undefined;
      const ends = [Infinity, -Infinity, Infinity, -Infinity] as [number, number, number, number];
      for (const at of inked) {
        const [x, y] = [at % canvas.width, Math.floor(at / canvas.width)];
        ends.splice(0, 4, Math.min(ends[0], x), Math.max(ends[1], x), Math.min(ends[2], y), Math.max(ends[3], y));
      }
      return [(ends[1] - ends[0]) / devicePixelRatio, (ends[3] - ends[2]) / devicePixelRatio] as const;
    });

  /** The picture in a result: its page, its pixels, its alpha, and where it was drawn in points. */
  async function pictureIn(bytes: Uint8Array) {
    const document = await PDFDocument.load(bytes);
    const images = document.context
      .enumerateIndirectObjects()
      .map(([, object]) => object)
      .filter((object) => object instanceof PDFRawStream)
      .filter(({ dict }) => dict.get(PDFName.of('Subtype')) === PDFName.of('Image'));
    const [image] = images.filter(({ dict }) => dict.has(PDFName.of('SMask')));
    const changed = document.getPages().map((page) => page.node.normalizedEntries().XObject.keys().length > 0);
    const number = (name: string): number => Number(String(image?.dict.get(PDFName.of(name))));
    return { pages: changed, width: number('Width'), height: number('Height') };
  }

  it('is drawn, with strokes that can be taken back, and placed on the page that is shown', async () => {
    const page = await openTool();
    expect(await page.waitForSelector('dialog .primary:disabled')).not.to.equal(null);
    await drawStroke(page, [0.2, 0.5], [0.6, 0.7]);
    await page.waitForSelector(USE);
    const first = await inkSize(page);
    expect(first?.[0]).to.be.greaterThan(100);
    // The pointer leaves the paper; the ink and the dialog stay.
    await drawStroke(page, [0.5, 0.5], [-0.6, -2]);
    await until('it is drawn', async () => ((await inkSize(page))?.[1] ?? 0) > first![1] + 10);
    await press(page, 'Undo the last stroke');
    await until('the second stroke is gone', async () => String(await inkSize(page)) === String(first));
    expect(await faultsOf(page)).to.deep.equal([]);
    await clickOn(page, USE);
    await page.waitForSelector('.area-picture');
    const size = await page.$eval('.area-picture', (one) => {
      const { naturalWidth, naturalHeight } = one as HTMLImageElement;
      return [naturalWidth, naturalHeight] as const;
    });
    // Cropped to the stroke, with four pixels for one of the screen.
    expect(size[0] / 4).to.be.closeTo(first![0], 16);
    expect(size[1] / 4).to.be.closeTo(first![1], 16);
    const width = Number(await valueOf(page, 'width'));
    expect(width).to.be.within(40, 180);
    await page.click('.page-stage-foot [aria-label="Next page"]');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-field=pageNumber] input')?.value === '2',
    );
    await run(page);
    await page.waitForSelector('.result-head');
    // The result is shown at the page with the signature.
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('.run .viewer input')?.value === '2');
    const result = await pictureIn((await download(page, folder)).bytes);
    expect(result).to.deep.equal({ pages: [false, true], width: size[0], height: size[1] });
    await page.close();
  });

  it('is moved and resized on the page, and keeps its proportions', async () => {
    const page = await openTool();
    await drawStroke(page, [0.2, 0.5], [0.6, 0.7]);
    await clickOn(page, USE);
    await page.waitForSelector('.area-picture');
    await page.$eval('.page-stage', (stage) => stage.scrollIntoView({ block: 'center' }));
    const ratio = (): Promise<number> =>
      page.$eval('.area', (area) => {
        const { width, height } = area.getBoundingClientRect();
        return width / height;
      });
    const [before, left, wide] = [
      await ratio(),
      Number(await valueOf(page, 'x')),
      Number(await valueOf(page, 'width')),
    ];
    await page.focus('.area');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowRight');
    await page.waitForFunction(
      (wanted) => Number(document.querySelector<HTMLInputElement>('[data-field=x] input')?.value) === wanted,
      {},
      left + 3,
    );
    const handle = (await (await page.$('.area .ne'))!.boundingBox())!;
    await page.mouse.move(handle.x + 6, handle.y + 6);
    await page.mouse.down();
    await page.mouse.move(handle.x + 66, handle.y - 14, { steps: 6 });
    await page.mouse.up();
    await page.waitForFunction(
      (least) => Number(document.querySelector<HTMLInputElement>('[data-field=width] input')?.value) > least,
      {},
      wide + 20,
    );
    expect(await ratio()).to.be.closeTo(before, 0.15);
    expect(Number(await valueOf(page, 'x'))).to.be.closeTo(left + 3, 0.2);
    await page.close();
  });

  it('can be typed instead, with the keyboard alone', async () => {
    const page = await openTool();
    await page.waitForSelector(PAPER);
    await page.focus('dialog [role=tab][aria-selected=true]');
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector('dialog .script');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Ann Example');
    await waitForWords(page, '.script span', 'Ann Example');
    await page.waitForSelector(USE);
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.focus(USE);
    await page.keyboard.press('Enter');
    await page.waitForSelector('.area-picture');
    await page.close();
  });

  it('is gone with Escape, and kept in the browser only for somebody who asks for it', async () => {
    let page = await openTool();
    await drawStroke(page, [0.2, 0.5], [0.6, 0.7]);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { hidden: true });
    expect(await page.$('[data-field=imageFile] .file-row')).to.equal(null);
    await press(page, 'Sign by hand');
    await drawStroke(page, [0.2, 0.5], [0.6, 0.7]);
    await clickOn(page, USE);
    await page.waitForSelector('.area-picture');
    const kept = (): Promise<string[]> =>
      page.evaluate(() => Object.keys(localStorage).filter((key) => /signature/.test(key)));
    expect(await kept()).to.deep.equal([]);
    await press(page, 'Sign by hand');
    await drawStroke(page, [0.2, 0.5], [0.6, 0.7]);
    await clickOn(page, 'dialog .check input');
    await clickOn(page, USE);
    await page.waitForFunction(() => localStorage.getItem('quire.signature') !== null);
    await page.close();
    page = await openTool();
    await page.waitForSelector('.ink-paper.kept img');
    await clickOn(page, USE);
    await page.waitForSelector('.area-picture');
    await press(page, 'Sign by hand');
    await press(page, 'Delete it from this browser');
    await page.waitForSelector(PAPER);
    expect(await kept()).to.deep.equal([]);
    await page.close();
  });

  it('is drawn with a finger, and not by a second one beside it', async () => {
    const page = await browser.open('tool/misc/add-image');
    await page.setViewport({ width: 390, height: 844, hasTouch: true, isMobile: true });
    await page.waitForSelector('[data-field=imageFile]');
    await press(page, 'Sign by hand');
    await page.waitForFunction(
      (paper) => (document.querySelector<HTMLCanvasElement>(paper)?.width ?? 0) > 100,
      {},
      PAPER,
    );
    const { x, y } = (await (await page.$(PAPER))!.boundingBox())!;
    const finger = await page.touchscreen.touchStart(x + 40, y + 90);
    const palm = await page.touchscreen.touchStart(x + 40, y + 170);
    for (let i = 1; i <= 8; i++) await finger.move(x + 40 + i * 15, y + 90);
    await palm.end();
    await finger.end();
    await page.waitForSelector(USE);
    const [width, height] = (await inkSize(page))!;
    expect(width).to.be.closeTo(120, 12);
    expect(height).to.be.lessThan(12);
    await page.close();
  });
});
