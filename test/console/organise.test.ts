/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFName, PDFNumber, PDFRef, PDFString, StandardFonts } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickOn, download, press, waitForWords } from './tool-page.js';

describe('The page organiser', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const opened = await openConsole({ plugins: ['general', 'security'].map((name) => `@quire/plugin-${name}`) });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-organise-'));
    await writeFile(join(folder, 'book.pdf'), await makeBook(4, 200));
    await writeFile(join(folder, 'annex.pdf'), await makeBook(2, 300));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openWith(...names: readonly string[]): Promise<Page> {
    const page = await browser.open('organise');
    await add(page, ...names);
    return page;
  }
  async function add(page: Page, ...names: readonly string[]): Promise<void> {
    const before = await countPages(page);
    const input = (await page.waitForSelector('.organise > input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(...names.map((name) => join(folder, name)));
    await page.waitForFunction((n) => document.querySelectorAll('.organiser-cell').length > n, {}, before);
    await page.waitForFunction("!document.querySelector('.organise [aria-busy=true]')");
  }
  const countPages = (page: Page): Promise<number> => page.$$eval('.organiser-cell', (cells) => cells.length);
  /** Makes the document with its one call, and returns it. */
  async function result(page: Page): Promise<{ readonly pdf: PDFDocument; readonly path: string }> {
    const calls: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') calls.push(new URL(request.url()).pathname);
    });
    await press(page, 'Make the PDF');
    await waitForWords(page, '.notice.done', 'is ready');
    const { bytes } = await download(page, folder, '.notice.done .button.primary');
    expect(calls).to.deep.equal(['/api/v1/general/assemble-pages']);
    const path = join(folder, 'result.pdf');
    await writeFile(path, bytes);
    // Exits with an error for what is not right in the file.
    execFileSync('qpdf', ['--check', path]);
    return { pdf: await PDFDocument.load(bytes), path };
  }
  const shape = (pdf: PDFDocument): readonly string[] =>
    pdf.getPages().map((page) => {
      const { angle } = page.getRotation();
      return `${page.getWidth()}${angle === 0 ? '' : ` turned ${angle}`}`;
    });

  it('moves, rotates, copies and deletes pages with the keyboard alone', async () => {
    const page = await openWith('book.pdf');
    await page.focus('.organiser-grid');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    for (const key of ['r', 'ArrowRight'] as const) await page.keyboard.press(key);
    await page.keyboard.down('Alt');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.up('Alt');
    await page.keyboard.down('Control');
    await page.keyboard.press('d');
    await page.keyboard.up('Control');
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    const { pdf } = await result(page);
    expect(shape(pdf)).to.deep.equal(['200 turned 90', '202', '201', '201']);
    await page.close();
  });

  it('moves the page that is dragged, alone, and takes it back', async () => {
    const page = await openWith('book.pdf');
    const boxes = await page.$$eval('.organiser-cell', (cells) =>
      cells.map((cell) => {
        const { left, top, width, height } = cell.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2, width };
      }),
    );
    const [first, , third] = boxes;
    await page.mouse.move(first!.x, first!.y);
    await page.mouse.down();
    await page.mouse.move(third!.x, third!.y, { steps: 4 });
    await page.mouse.move(third!.x + third!.width * 0.3, third!.y, { steps: 4 });
    await page.waitForSelector('.drop-mark');
    await page.mouse.up();
    const labels = (): Promise<(string | null)[]> =>
      page.$$eval('.organiser-cell', (cells) =>
        cells
          .map((cell) => cell.getAttribute('aria-label') ?? '')
          .sort()
          .map((label) => /page (\d)/i.exec(label)?.[1] ?? null),
      );
    expect(await labels()).to.deep.equal(['2', '3', '1', '4']);
    await page.click('[aria-label=Undo]');
    expect(await labels()).to.deep.equal(['1', '2', '3', '4']);
    await page.click('[aria-label=Redo]');
    const { pdf } = await result(page);
    expect(shape(pdf)).to.deep.equal(['201', '202', '200', '203']);
    await page.close();
  });

  it('adds pages unselected, and offers to take back what was deleted', async () => {
    const page = await openWith('book.pdf');
    const selected = (): Promise<number> => page.$$eval('.organiser-cell[aria-selected=true]', (cells) => cells.length);
    expect(await selected()).to.equal(0);
    expect(await page.$eval('.organise-tools [aria-label=Delete]', (button) => button.matches(':disabled'))).to.equal(
      true,
    );
    await page.click('[aria-label="Select all"]');
    await page.click('.organise-tools [aria-label=Delete]');
    await waitForWords(page, '.toast', '4 pages deleted');
    expect(await countPages(page)).to.equal(0);
    await clickOn(page, '.toast .button:not(.icon-button)');
    await page.waitForFunction(() => document.querySelectorAll('.organiser-cell').length === 4);
    await page.waitForFunction(() => document.querySelector('.toast') === null);
    await page.close();
  });

  it('inserts pages of another file and a blank one, where they were wanted', async () => {
    const page = await openWith('book.pdf');
    await page.focus('.organiser-grid');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Home');
    await page.keyboard.press('Space');
    await page.click('[aria-label="Insert a blank page"]');
    await add(page, 'annex.pdf');
    const { pdf } = await result(page);
    expect(shape(pdf)).to.deep.equal(['200', '200', '300', '301', '201', '202', '203']);
    expect(pdf.getPage(1).node.Contents()?.toString() ?? '').to.not.contain('Tj');
    await page.close();
  });

  it('keeps bookmarks and links on their pages, wherever these are moved', async () => {
    const page = await openWith('book.pdf');
    await page.focus('.organiser-grid');
    await page.keyboard.press('Escape');
    await page.keyboard.press('End');
    await page.keyboard.down('Alt');
    for (let i = 0; i < 3; i++) await page.keyboard.press('ArrowLeft');
    await page.keyboard.up('Alt');
    const { pdf } = await result(page);
    expect(shape(pdf)).to.deep.equal(['203', '200', '201', '202']);
    expect(bookmarks(pdf)).to.deep.equal({ 'Page 0': 1, 'Page 1': 2, 'Page 2': 3, 'Page 3': 0 });
    expect(linkTargets(pdf, 1)).to.deep.equal([0]);
    await page.close();
  });

  it('hands its result to the next tool without another download', async () => {
    const page = await openWith('annex.pdf');
    await press(page, 'Make the PDF');
    await press(page, 'Next tool with this file');
    await page.waitForSelector('dialog[open] .options li');
    await page.type('dialog[open] input', 'Rotate');
    await page.keyboard.press('Enter');
    await waitForWords(page, '.file-row', 'annex_organised.pdf');
    await page.close();
  });

  it('says which files it does not take, and keeps the others', async () => {
    await writeFile(join(folder, 'broken.pdf'), 'not a PDF at all');
    const page = await openWith('broken.pdf', 'annex.pdf').catch((error: unknown) => expect.fail(String(error)));
    await waitForWords(page, '[role=alert]', 'broken.pdf');
    expect(await countPages(page)).to.equal(2);
    await page.close();
  });
});

/** A book whose pages have different widths, with a bookmark for each, and a link from the first to the last. */
async function makeBook(pages: number, width: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let i = 0; i < pages; i++)
    pdf.addPage([width + i, 300]).drawText(`Page ${i}`, { x: 20, y: 200, size: 20, font });
  const { context } = pdf;
  const refs = pdf.getPages().map(({ ref }) => ref);
  const root = context.nextRef();
  const items = refs.map(() => context.nextRef());
  for (const [i, ref] of refs.entries())
    context.assign(
      items[i]!,
      context.obj({
        Title: PDFString.of(`Page ${i}`),
        Parent: root,
        Dest: [ref, 'Fit'],
        ...(i > 0 ? { Prev: items[i - 1]! } : {}),
        ...(i < pages - 1 ? { Next: items[i + 1]! } : {}),
      }),
    );
  context.assign(root, context.obj({ Type: 'Outlines', First: items[0]!, Last: items.at(-1)!, Count: pages }));
  pdf.catalog.set(PDFName.of('Outlines'), root);
  const link = context.obj({ Type: 'Annot', Subtype: 'Link', Rect: [0, 0, 50, 50], Dest: [refs.at(-1)!, 'Fit'] });
  pdf.getPage(0).node.set(PDFName.of('Annots'), context.obj([context.register(link)]));
  return pdf.save();
}

/** Where the bookmarks lead: index of the page by title. */
function bookmarks(pdf: PDFDocument): Record<string, number> {
  const found: Record<string, number> = {};
  const outlines = pdf.catalog.lookup(PDFName.of('Outlines'), PDFDict);
  let item = outlines.lookupMaybe(PDFName.of('First'), PDFDict);
  while (item !== undefined) {
    found[item.lookup(PDFName.of('Title'), PDFString).decodeText()] = targetOf(pdf, item);
    item = item.lookupMaybe(PDFName.of('Next'), PDFDict);
  }
  return found;
}

function linkTargets(pdf: PDFDocument, index: number): number[] {
  const annotations = pdf.getPage(index).node.Annots();
  return Array.from({ length: annotations?.size() ?? 0 }, (_none, i) => targetOf(pdf, annotations!.lookup(i, PDFDict)));
}

/** Index of the page to which a destination leads, by reference or by number. */
function targetOf(pdf: PDFDocument, from: PDFDict): number {
  const action = from.lookupMaybe(PDFName.of('A'), PDFDict);
  const target = (action ?? from).lookup(PDFName.of(action === undefined ? 'Dest' : 'D'), PDFArray).get(0);
  if (target instanceof PDFNumber) return target.asNumber();
  return pdf.getPages().findIndex(({ ref }) => target instanceof PDFRef && ref.tag === target.tag);
}
