/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFArray, PDFDict, PDFDocument, PDFHexString, PDFName, StandardFonts } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { productRoot } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickOn, download, press, run, waitForWords } from './tool-page.js';

const fixture = (plugin: string, name: string): string => join(productRoot, 'plugins', plugin, 'fixtures', name);

describe('The document workbench', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const plugins = ['general', 'misc', 'security', 'analysis', 'signing'].map((name) => `@quire/plugin-${name}`);
    const opened = await openConsole({ plugins });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-workbench-'));
    await writeFile(join(folder, 'book.pdf'), await makeBook(3));
    await copyFile(fixture('misc', 'attached.pdf'), join(folder, 'attached.pdf'));
    await writeFile(join(folder, 'list.csv'), 'a;b');
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function choose(page: Page, path: string): Promise<void> {
    const input = (await page.waitForSelector('.document > input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
  }
  async function openWith(path: string, part = ''): Promise<Page> {
    const page = await browser.open(part === '' ? 'document' : `document/${part}`);
    await choose(page, path);
    await page.waitForSelector('.document-head');
    return page;
  }
  const book = (part = ''): Promise<Page> => openWith(join(folder, 'book.pdf'), part);
  const state = (page: Page, words: string): Promise<void> => waitForWords(page, '.document-head [role=status]', words);
  /** Chooses another part by its tab. */
  const show = (page: Page, part: string): Promise<void> => page.click(`.sections a[href="document/${part}"]`);
  const label = (page: Page, words: string): Promise<void> => clickOn(page, `[aria-label="${words}"]`);
  /** Enters a text into the field with this label, instead of what is there. */
  async function fill(page: Page, name: string, text: string): Promise<void> {
    const field = await page.waitForSelector(`::-p-aria([name="${name}"])`);
    await field!.evaluate((input) => (input as HTMLInputElement).select());
    await field!.type(text);
  }
  async function keys(page: Page, key: 'z' | 'y'): Promise<void> {
    await page.focus('main');
    await page.keyboard.down('Control');
    await page.keyboard.press(key);
    await page.keyboard.up('Control');
  }
  /** Saves the document; qpdf must find nothing wrong with it. */
  async function saved(page: Page, password = ''): Promise<{ readonly bytes: Uint8Array; readonly path: string }> {
    const { bytes } = await download(page, folder, '.document-head .button.primary');
    const path = join(folder, 'saved.pdf');
    await writeFile(path, bytes);
    execFileSync('qpdf', ['--check', `--password=${password}`, path]);
    return { bytes, path };
  }
  const load = async (page: Page): Promise<PDFDocument> =>
    PDFDocument.load((await saved(page)).bytes, { updateMetadata: false });

  it('says in words what a document is', async () => {
    const page = await book();
    await waitForWords(page, '.document-facts', 'A5');
    await waitForWords(page, '.document-facts', 'Three pages of nothing');
    await waitForWords(page, '.document-facts dd', 'None declared');
    await page.close();
  });

  it('takes a PDF that is dropped, and says which files it does not take', async () => {
    const page = await browser.open('document');
    await page.waitForSelector('.drop-zone');
    const bytes = [...(await makeBook(1))];
    await page.evaluate((content) => {
      const data = new DataTransfer();
      data.items.add(new File([new Uint8Array(content)], 'dropped.pdf', { type: 'application/pdf' }));
      data.items.add(new File(['x'], 'beside.txt'));
      const drop = new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true });
      document.querySelector('.drop-zone')!.dispatchEvent(drop);
    }, bytes);
    await waitForWords(page, '.document-head h1', 'dropped.pdf');
    await waitForWords(page, '.notice.warning', 'beside.txt');
    await page.close();
  });

  it('adds, renames, moves and deletes bookmarks by buttons, and takes the change back', async () => {
    const page = await book('bookmarks');
    await waitForWords(page, '.document h2', '0 bookmarks');
    await page.waitForSelector('.viewer-page');
    await press(page, 'Add for page 1');
    await fill(page, 'Title', 'Start');
    await press(page, 'Add for page 1');
    await fill(page, 'Title', 'Mitte – Ärger');
    await fill(page, 'Page', '2');
    await label(page, 'Move in');
    await press(page, 'Add for page');
    await fill(page, 'Title', 'Ende');
    await label(page, 'Move out');
    await press(page, 'Add for page');
    await label(page, 'Delete');
    await press(page, 'Apply');
    await state(page, 'Changes are not saved');
    expect(outline(await load(page))).to.deep.equal([
      ['Start', [['Mitte – Ärger', []]]],
      ['Ende', []],
    ]);
    await state(page, 'Saved');

    await keys(page, 'z');
    await waitForWords(page, '.document h2', '0 bookmarks');
    await state(page, 'Changes are not saved');
    await keys(page, 'y');
    await waitForWords(page, '.document h2', '3 bookmarks');
    await label(page, 'History');
    await page.locator('[role=menuitemradio] ::-p-text(Opened)').click();
    await waitForWords(page, '.document h2', '0 bookmarks');
    await page.close();
  });

  it('moves bookmarks with Alt and the arrow keys, and by dragging', async () => {
    const page = await openWith(fixture('general', 'handbook.pdf'), 'bookmarks');
    await page.locator('.bookmark-row button ::-p-text(Chapter two)').click();
    await page.keyboard.down('Alt');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.up('Alt');
    const titles = (): Promise<(string | null)[]> =>
      page.$$eval('.bookmark-row .grow', (rows) => rows.map(({ textContent }) => textContent));
    expect(await titles()).to.deep.equal(['Chapter two', 'Chapter one']);
    const [first, second] = await page.$$eval('.bookmark-row button', (rows) =>
      rows.map((row) => {
        const { left, top, width, height } = row.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      }),
    );
    await page.mouse.move(second!.x, second!.y);
    await page.mouse.down();
    await page.mouse.move(first!.x, first!.y, { steps: 8 });
    await page.waitForSelector('.bookmark-row.over-into');
    await page.mouse.up();
    await press(page, 'Apply');
    await state(page, 'Changes are not saved');
    expect(outline(await load(page))).to.deep.equal([['Chapter two', [['Chapter one', []]]]]);
    await page.close();
  });

  it('asks before edits are lost that are not applied', async () => {
    const page = await book('bookmarks');
    await press(page, 'Add for page 1');
    await show(page, 'metadata');
    await waitForWords(page, 'dialog[open]', 'Discard your edits?');
    await press(page, 'Keep editing');
    expect(new URL(page.url()).pathname).to.equal('/document/bookmarks');
    await page.waitForSelector('.bookmark-form');
    await page.close();
    const other = await book('bookmarks');
    await press(other, 'Add for page 1');
    await other.click('.nav a[href="jobs"]');
    await other.locator('dialog[open] .button.danger').click();
    await other.waitForFunction("location.pathname === '/jobs'");
    await other.close();
  });

  it('edits title, date and own entries of the metadata', async () => {
    const page = await book('metadata');
    await fill(page, 'Title', 'Größe und 大きさ');
    await press(page, 'Add an entry');
    await fill(page, 'Name of the entry', 'Department');
    await fill(page, 'Value of “Department”', 'Sales');
    await page.$eval('input[type=datetime-local]', (input) => {
      const field = input as HTMLInputElement;
      field.value = '2024-02-29T12:00:00';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    });
    const moment = await page.evaluate(() => new Date('2024-02-29T12:00:00').getTime());
    await press(page, 'Apply');
    await state(page, 'Changes are not saved');
    const pdf = await load(page);
    expect(pdf.getTitle()).to.equal('Größe und 大きさ');
    expect(pdf.getCreationDate()?.getTime()).to.equal(moment);
    expect(pdf.getSubject()).to.equal('Three pages of nothing');
    const info = pdf.context.lookup(pdf.context.trailerInfo.Info, PDFDict);
    expect(info.lookup(PDFName.of('Department'), PDFHexString).decodeText()).to.equal('Sales');
    await label(page, 'Remove “Department”');
    await press(page, 'Apply');
    await waitForWords(page, '.document', 'There are none, for example');
    const without = await load(page);
    expect(without.context.lookup(without.context.trailerInfo.Info, PDFDict).has(PDFName.of('Department'))).to.equal(
      false,
    );
    await page.close();
  });

  it('attaches, downloads, renames and deletes files, and keeps the session when the server refuses', async () => {
    const page = await openWith(join(folder, 'attached.pdf'), 'attachments');
    await waitForWords(page, '.attachment-list', 'note.txt');
    const { bytes } = await download(page, folder, '[aria-label="Download: note.txt"]');
    expect(bytes.length).to.equal(12);
    const input = (await page.waitForSelector('.attachments-drop input')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(join(folder, 'list.csv'), join(folder, 'book.pdf'));
    await waitForWords(page, '.attachment-list', 'book.pdf');

    await label(page, 'Rename “list.csv”');
    await fill(page, 'New name', 'note.txt');
    await page.locator('dialog[open] [type=submit]').click();
    await waitForWords(page, 'dialog[open] [role=alert]', 'note.txt');
    await fill(page, 'New name', 'Zahlen.csv');
    await page.locator('dialog[open] [type=submit]').click();
    await waitForWords(page, '.attachment-list', 'Zahlen.csv');
    await label(page, 'Delete “note.txt”');
    await page.waitForFunction("!document.querySelector('.attachment-list')?.textContent.includes('note.txt')");
    await state(page, 'Changes are not saved');
    const { path } = await saved(page);
    const json = execFileSync('qpdf', ['--json', '--json-key=attachments', path], { encoding: 'utf8' });
    const { attachments } = JSON.parse(json) as {
      readonly attachments: Readonly<Record<string, { readonly preferredname: string }>>;
    };
    const names = Object.values(attachments).map(({ preferredname }) => preferredname);
    expect(names).to.have.members(['data.json', 'Zahlen.csv', 'book.pdf']);
    await page.close();
  });

  it('lists comments with their answers, and adds a note where the page is clicked', async () => {
    const page = await book('comments');
    await waitForWords(page, '.document', 'This document has no comments');
    await press(page, 'Add a note');
    await fill(page, 'Note', 'Please check 😀');
    await fill(page, 'Author', 'Ada');
    const layer = (await page.waitForSelector('.area-layer'))!;
    const box = (await layer.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 4);
    await page.locator('.document-columns form [type=submit]').click();
    await waitForWords(page, '.comment', 'Please check 😀');
    await waitForWords(page, '.comment-head', 'Ada');
    const annotation = (await load(page)).getPage(0).node.lookup(PDFName.of('Annots'), PDFArray).lookup(0, PDFDict);
    expect(annotation.lookup(PDFName.of('Contents'), PDFHexString).decodeText()).to.equal('Please check 😀');
    const { x, y, height } = annotation.lookup(PDFName.of('Rect'), PDFArray).asRectangle();
    expect(x).to.be.closeTo(210, 2);
    expect(y + height).to.be.closeTo(595 * 0.75, 3);
    await page.close();
  });

  it('shows the labels of all pages, and sets them by ranges', async () => {
    const page = await book('labels');
    await waitForWords(page, '.document', 'This document has no page labels');
    await press(page, 'Begin a range at page 1');
    await page.select('.range-card select', 'romanUpper');
    await page.locator('.page-cell:nth-of-type(3)').click();
    await press(page, 'Begin a range at page 3');
    await page.waitForSelector('.range-card:nth-of-type(2)');
    const prefixes = await page.$$('::-p-aria([name="Prefix"])');
    await prefixes[1]!.type('A-');
    await page.waitForFunction(
      () =>
        [...document.querySelectorAll('.page-cell-number')].map(({ textContent }) => textContent).join() === 'I,II,A-1',
    );
    await press(page, 'Apply');
    await state(page, 'Changes are not saved');
    const { path } = await saved(page);
    const json = execFileSync('qpdf', ['--json', '--json-key=pagelabels', path], { encoding: 'utf8' });
    const { pagelabels } = JSON.parse(json) as { readonly pagelabels: readonly unknown[] };
    expect(pagelabels).to.deep.equal([
      { index: 0, label: { '/S': '/R', '/St': 1 } },
      { index: 2, label: { '/P': 'u:A-', '/S': '/D', '/St': 1 } },
    ]);
    await page.close();
  });

  it('hands the document to a tool, and takes its result back as the next version', async () => {
    const page = await book();
    await press(page, 'Continue with a tool');
    await page.waitForSelector('dialog[open] .options li');
    await page.type('dialog[open] input', 'Rotate all');
    await page.keyboard.press('Enter');
    await waitForWords(page, '.file-row', 'book.pdf');
    await run(page);
    await press(page, 'Next tool with this file');
    await page.waitForSelector('dialog[open] .options li');
    await page.type('dialog[open] input', 'Edit the document');
    await page.keyboard.press('Enter');
    await press(page, 'Use it as the next version');
    await state(page, 'Changes are not saved');
    const rotated = await load(page);
    expect(rotated.getPage(0).getRotation().angle).to.equal(90);
    await label(page, 'Undo');
    expect((await load(page)).getPage(0).getRotation().angle).to.equal(0);
    await page.close();
  });

  it('opens a locked document with its password, and saves it with that password again', async () => {
    const page = await browser.open('document/metadata');
    await choose(page, fixture('security', 'locked.pdf'));
    await fill(page, 'Password', 'wrong');
    await page.keyboard.press('Enter');
    await waitForWords(page, 'dialog[open] .field-error', 'does not open');
    await fill(page, 'Password', 'user');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.document-head');
    await fill(page, 'Title', 'Secret');
    await press(page, 'Apply');
    await state(page, 'Changes are not saved');
    const { path } = await saved(page, 'user');
    expect(() => execFileSync('qpdf', ['--check', path], { stdio: 'pipe' })).to.throw(/invalid password/);
    expect(execFileSync('qpdf', ['--show-encryption', '--password=user', path], { encoding: 'utf8' })).to.contain(
      'AESv3',
    );
    await page.locator('.password-state [role=switch]').click();
    expect((await load(page)).getTitle()).to.equal('Secret');
    await page.close();
  });

  it('says why a file cannot be opened, and what is damaged in another, and repairs that', async () => {
    const page = await browser.open('document');
    await writeFile(join(folder, 'note.pdf'), 'not a PDF at all');
    await choose(page, join(folder, 'note.pdf'));
    await waitForWords(page, '[role=alert]', 'not a PDF');
    await choose(page, fixture('misc', 'broken-table.pdf'));
    await page.waitForSelector('.document-head');
    await waitForWords(page, '.notice.warning', 'objects are not where the cross-reference says');
    await press(page, 'Repair');
    await state(page, 'Changes are not saved');
    await page.waitForFunction("!document.querySelector('.notice.warning')");
    await saved(page);
    await page.close();
  });

  it('asks before the first change of a signed document, and changes nothing without a yes', async () => {
    const page = await openWith(fixture('signing', 'approved.pdf'));
    await waitForWords(page, '.notice', 'This document has 1 signature');
    await show(page, 'metadata');
    await fill(page, 'Title', 'Changed');
    await press(page, 'Apply');
    await waitForWords(page, 'dialog[open]', 'This document is signed');
    await page.locator('dialog[open] ::-p-text(Cancel)').click();
    await waitForWords(page, '[role=alert]', 'Nothing was changed.');
    await state(page, 'Unchanged');
    await press(page, 'Apply');
    await press(page, 'Change it anyway');
    await state(page, 'Changes are not saved');
    expect((await load(page)).getTitle()).to.equal('Changed');
    await label(page, 'Undo');
    await label(page, 'Undo');
    await state(page, 'Changes are not saved');
    await page.close();
  });

  it('asks before another file replaces a document with changes', async () => {
    const page = await book('metadata');
    await fill(page, 'Title', 'First');
    await press(page, 'Apply');
    await state(page, 'Changes are not saved');
    await choose(page, join(folder, 'attached.pdf'));
    await waitForWords(page, 'dialog[open]', 'has changes that are not saved');
    await page.locator('dialog[open] ::-p-text(Cancel)').click();
    await waitForWords(page, '.document-head h1', 'book.pdf');
    await choose(page, join(folder, 'attached.pdf'));
    await press(page, 'Open it without saving');
    await waitForWords(page, '.document-head h1', 'attached.pdf');
    await state(page, 'Unchanged');
    await page.close();
  });
});

async function makeBook(pages: number): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  const font = await pdf.embedFont(StandardFonts.Helvetica);
  for (let i = 0; i < pages; i++) pdf.addPage([420, 595]).drawText(`Page ${i + 1}`, { x: 40, y: 500, size: 20, font });
  pdf.setSubject('Three pages of nothing');
  return pdf.save();
}

type Outline = readonly (readonly [string, Outline])[];

/** Titles of the bookmarks with those below them. */
function outline(pdf: PDFDocument): Outline {
  const below = (parent: PDFDict | undefined): Outline => {
    const found: [string, Outline][] = [];
    for (
      let item = parent?.lookupMaybe(PDFName.of('First'), PDFDict);
      item !== undefined;
      item = item.lookupMaybe(PDFName.of('Next'), PDFDict)
    )
      found.push([item.lookup(PDFName.of('Title'), PDFHexString).decodeText(), below(item)]);
    return found;
  };
  return below(pdf.catalog.lookupMaybe(PDFName.of('Outlines'), PDFDict));
}
