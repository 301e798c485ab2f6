/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { degrees, PDFDocument, rgb, StandardFonts } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { productRoot } from '../http/support/server.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { download, waitForWords } from './tool-page.js';

const SIGNED = join(productRoot, 'plugins', 'signing', 'fixtures', 'signed.pdf');
const SEARCH = '.redact form button[type=submit]';
const RECEIPT = '.redact .notice';

describe('Redaction in the document workbench', function () {
  this.timeout(240_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const plugins = ['analysis', 'general', 'misc', 'security', 'signing'].map((name) => `@quire/plugin-${name}`);
    const opened = await openConsole({ plugins });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-redact-'));
    await writeFile(join(folder, 'case.pdf'), await makeCase());
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openCase(path = join(folder, 'case.pdf')): Promise<Page> {
    const page = await browser.open('document/redact', 'window');
    await page.setViewport({ width: 1440, height: 1000 });
    const input = (await page.waitForSelector('.document > input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
    await page.waitForSelector('.redact-sheet canvas');
    return page;
  }
  async function search(page: Page, terms: string, ...options: readonly string[]): Promise<void> {
    await page.$eval('.redact textarea', (area) => area.select());
    await page.type('.redact textarea', terms);
    for (const option of options) await toggle(page, option);
    await page.locator(SEARCH).click();
    await settled(page);
  }
  const settled = (page: Page): Promise<unknown> =>
    page.waitForFunction("!document.querySelector('.redact form [aria-busy=true]')");
  /** Clicks the checkbox of the first label with these words. */
  async function toggle(page: Page, words: string): Promise<void> {
    const done = await page.$$eval(
      '.redact label, dialog label',
      (labels, wanted) => {
        const label = labels.find(({ textContent }) => textContent?.replaceAll(/\s+/g, ' ').includes(wanted));
        label?.querySelector('input')?.click();
        return label !== undefined;
      },
      words,
    );
    expect(done, words).to.equal(true);
  }
  const texts = (page: Page, selector: string): Promise<string[]> =>
    page.$$eval(selector, (all) => all.map(({ textContent }) => (textContent ?? '').replaceAll(/\s+/g, ' ').trim()));
  /** Applies, and returns the calls that changed the document. */
  async function apply(page: Page): Promise<string[]> {
    const calls: string[] = [];
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'POST' && !pathname.endsWith('redact-preview')) calls.push(pathname);
    });
    await page.locator('.redact-apply .button').click();
    await page.locator('dialog .button.danger').click();
    await waitForWords(page, RECEIPT, 'receipt');
    await page.waitForFunction("!document.querySelector('dialog[open]')");
    return calls.filter((path) => /redact/.test(path));
  }
  /** Saves the current version: its path, its text as two programs read it, and its decompressed bytes. */
  async function saved(page: Page): Promise<{ readonly path: string; readonly text: string; readonly raw: string }> {
    const { bytes } = await download(page, folder, '.document-head .button.primary');
    const path = join(folder, 'saved.pdf');
    await writeFile(path, bytes);
    const run = (command: string, ...options: string[]): string =>
      execFileSync(command, options, { encoding: 'latin1', maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] });
    run('qpdf', '--check', path);
    return {
      path,
      text: run('pdftotext', '-layout', path, '-') + run('mutool', 'draw', '-q', '-F', 'text', path),
      raw: run('qpdf', '--qdf', '--object-streams=disable', path, '-'),
    };
  }
  /** Where a point of a page, as a share of it, is in the window. */
  async function pointOf(page: Page, x: number, y: number): Promise<readonly [number, number]> {
    const box = (await (await page.waitForSelector('.redact-sheet'))!.boundingBox())!;
    return [box.x + box.width * x, box.y + box.height * y];
  }
  async function draw(page: Page, from: readonly [number, number], to: readonly [number, number]): Promise<void> {
    await page.mouse.move(...(await pointOf(page, ...from)));
    await page.mouse.down();
    await page.mouse.move(...(await pointOf(page, ...to)), { steps: 4 });
    await page.mouse.up();
  }

  it('lists matches by page with the words around, and removes those that are checked, and no others', async () => {
    const page = await openCase();
    await search(page, 'Miller\nBlue Lagoon');
    await waitForWords(page, '.redact-heading', '5 of 5 matches are chosen');
    expect(await texts(page, '.redact-apply p')).to.deep.equal(['Marked: 5 matches on 2 pages.']);
    expect(await texts(page, '.redact-list-page')).to.deep.equal(['Page 13 matches', 'Page 22 matches']);
    expect((await texts(page, '.redact-match'))[0]).to.match(/^The witness Miller saw the Blue Lagoon/);
    expect((await texts(page, '.redact-match mark')).sort()).to.deep.equal([
      'Blue Lagoon',
      'Blue Lagoon',
      'Miller',
      'Miller',
      'Miller',
    ]);
    await toggle(page, 'A certain Arthur Miller');
    await waitForWords(page, '.redact-heading', '4 of 5 matches are chosen');
    expect(await page.$eval('.redact-list section:last-of-type input', (box) => box.checked)).to.equal(false);
    expect(await apply(page)).to.deep.equal(['/api/v1/security/redact-execute']);
    await waitForWords(page, RECEIPT, 'Searched again: 0 found.');
    await waitForWords(page, RECEIPT, '1 match stays, as chosen.');
    const { text, raw } = await saved(page);
    expect(text.match(/Arthur Miller wrote plays/g)?.length).to.equal(2);
    expect(text.match(/Miller/g)?.length).to.equal(2);
    expect(raw.match(/Miller/g)?.length).to.equal(1);
    expect(text + raw).not.to.match(/Lagoon/);
    expect(text).to.match(/saw the +at nine/);
    await page.close();
  });

  it('leaves nothing of a term in text, decompressed bytes and properties when all of its matches go', async () => {
    const page = await openCase();
    await search(page, 'miller');
    await waitForWords(page, '.redact', 'Outside of the pages, the terms are also in: 2 properties');
    await apply(page);
    const { text, raw } = await saved(page);
    expect(text + raw).not.to.match(/miller|m\0i\0l\0l\0e\0r|\0m\0i\0l\0l\0e/i);
    expect(text).to.match(/Blue Lagoon/);
    await page.close();
  });

  it('saves a receipt as data and as a page to print, with the removed words only where they are wanted', async () => {
    const page = await openCase();
    await search(page, 'Lagoon');
    await apply(page);
    const receipt = async (button: number): Promise<string> => {
      const { bytes } = await download(page, folder, `${RECEIPT} .row .button:nth-child(${button})`);
      return Buffer.from(bytes).toString('utf8');
    };
    const plain = JSON.parse(await receipt(1)) as Record<string, unknown>;
    expect(plain).to.deep.include({
      kind: 'quire-redaction-receipt',
      file: 'case.pdf',
      areas: [],
      pages: [],
      stayed: 0,
      check: { by: ['text'], foundAgain: 0 },
      report: { matches: 2 },
      warnings: [],
    });
    expect((plain['matches'] as { page: number }[]).map((match) => match.page)).to.deep.equal([1, 2]);
    expect(plain['sha256'])
      .to.have.property('before')
      .that.matches(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(plain)).not.to.include('Lagoon');
    const sheet = await receipt(2);
    expect(sheet)
      .to.match(/^<!doctype html>/)
      .and.to.include('Searched again: 0 found.');
    expect(sheet).not.to.include('Lagoon');
    await toggle(page, 'With the words that were removed');
    expect(await receipt(1)).to.include('"text": "Lagoon"');
    expect(await receipt(2)).to.include('Lagoon');
    await page.close();
  });

  it('shows the matches on the page, to be stepped through and chosen by keyboard or click', async () => {
    const page = await openCase();
    await search(page, 'Miller');
    expect(await page.$$eval('.redact-matches polygon.goes', (all) => all.length)).to.equal(2);
    await page.focus('.redact-match input');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await waitForWords(page, '.redact-heading', '2 of 3');
    expect(await page.$$eval('polygon.stays.current', (all) => all.length)).to.equal(1);
    await page.keyboard.press('ArrowDown');
    // The third is on the second page.
    await waitForWords(page, '.redact-bar', 'Page 2 of 3');
    await page.locator('.redact [aria-label="Next match"]').click();
    await waitForWords(page, '.redact-bar', 'Page 1 of 3');
    const box = (await (await page.waitForSelector('.redact-matches polygon.current'))!.boundingBox())!;
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await waitForWords(page, '.redact-heading', '1 of 3');
    await page.keyboard.down('Control');
    await page.keyboard.press('z');
    await page.keyboard.up('Control');
    await waitForWords(page, '.redact-heading', '2 of 3');
    await page.close();
  });

  it('removes areas drawn by hand, moved by keys and set by numbers, with the drawings in them', async () => {
    const page = await openCase();
    await page.locator('.redact [aria-label="Next page"]').click();
    await waitForWords(page, '.redact-bar', 'Page 2 of 3');
    // Over the first line, and one that is deleted again.
    await draw(page, [0.05, 0.1], [0.95, 0.2]);
    await draw(page, [0.05, 0.7], [0.5, 0.9]);
    expect((await texts(page, '.redact-area-list .link')).length).to.equal(2);
    await page.keyboard.press('Delete');
    expect((await texts(page, '.redact-area-list .link')).length).to.equal(1);
    await page.locator('button ::-p-text(Add an area)').click();
    await page.waitForFunction("document.activeElement?.classList.contains('redact-area')");
    const before = (await texts(page, '.redact-area-list .link'))[1];
    await page.keyboard.press('ArrowRight');
    expect((await texts(page, '.redact-area-list .link'))[1]).not.to.equal(before);
    // Over the square at 50, 40 from the lower left, 60 wide.
    for (const [i, value] of [45, 195, 70, 70].entries()) {
      const fields = await page.$$('.redact-numbers input');
      await fields[i]!.evaluate((input) => input.select());
      await fields[i]!.type(String(value));
      await page.keyboard.press('Tab');
    }
    expect(await apply(page)).to.deep.equal(['/api/v1/security/redact-execute']);
    await waitForWords(page, RECEIPT, 'Areas removed, by page: 2');
    const { path, text, raw } = await saved(page);
    expect(text + raw).not.to.match(/Arthur/);
    expect(text).to.match(/The Blue Lagoon is a film/);
    expect(text).to.match(/witness Miller/);
    expect(bluePixels(join(folder, 'case.pdf'))).to.be.above(100);
    expect(bluePixels(path)).to.equal(0);
    await page.close();
  });

  it('redacts selected text, whole pages and rotated pages, with a caption', async () => {
    const page = await openCase();
    await page.$$eval('.segments input', (modes) => modes[1]?.click());
    await page.waitForFunction("document.querySelectorAll('.text-layer span').length > 0");
    await page.evaluate(() => {
      const span = [...document.querySelectorAll('.text-layer span')].find((one) => one.textContent?.includes('house'));
      const range = document.createRange();
      range.selectNodeContents(span!);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
    });
    await page.locator('button ::-p-text(Redact this)').click();
    expect((await texts(page, '.redact-area-list .link')).length).to.be.at.least(1);
    await page.locator('.redact [aria-label="Next page"]').click();
    await waitForWords(page, '.redact-bar', 'Page 2 of 3');
    await toggle(page, 'Redact the whole page');
    await page.locator('.redact [aria-label="Next page"]').click();
    await waitForWords(page, '.redact-bar', 'Page 3 of 3');
    await page.$$eval('.segments input', (modes) => modes[0]?.click());
    // The page is turned: its text, at the left in its own coordinates, runs down at the right.
    await draw(page, [0.6, 0.05], [0.95, 0.95]);
    await page.locator('.redact-apply .button').click();
    await page.waitForSelector('dialog[open]');
    await page.type('dialog .redact-look input[type=text]', 'Withheld');
    await page.locator('dialog .button.danger').click();
    await waitForWords(page, RECEIPT, 'Whole pages removed: 2');
    const { text, raw } = await saved(page);
    expect(text + raw).not.to.match(/house|Arthur|film|4711/);
    expect(text)
      .to.match(/witness Miller/)
      .and.to.match(/Withheld/);
    await page.close();
  });

  it('says at the field which line is a wrong pattern, and keeps the marks', async () => {
    const page = await openCase();
    await draw(page, [0.1, 0.6], [0.4, 0.8]);
    await search(page, 'fine\n\n(b', 'Regular expressions');
    await waitForWords(page, '.redact .field-error', 'Line 3:');
    await waitForWords(page, '.redact-apply', 'Terms that were not searched for yet are not included.');
    expect(await page.$eval('.redact textarea', (area) => area.getAttribute('aria-invalid'))).to.equal('true');
    expect((await texts(page, '.redact-area-list .link')).length).to.equal(1);
    await search(page, 'Mil+er');
    await waitForWords(page, '.redact-heading', '3 of 3');
    expect(await page.$('.redact .field-error')).to.equal(null);
    await page.close();
  });

  it('keeps everything that is marked when the server refuses, and brings the marks back with undo', async () => {
    const page = await openCase();
    await search(page, 'Miller');
    await toggle(page, 'A certain Arthur Miller');
    await page.locator('.redact-apply .button').click();
    await page.waitForSelector('dialog[open]');
    await page.type('dialog .redact-look input[type=text]', 'about Miller');
    await page.locator('dialog .button.danger').click();
    await waitForWords(page, 'dialog .field-error', 'contains one of the terms');
    await page.$eval('dialog .redact-look input[type=text]', (input) => (input as HTMLInputElement).select());
    await page.keyboard.press('Delete');
    await page.locator('dialog .button.danger').click();
    await waitForWords(page, RECEIPT, 'receipt');
    await page.waitForFunction("!document.querySelector('dialog[open]')");
    await page.locator('.document-head [aria-label^="Undo"]').click();
    await waitForWords(page, '.redact-heading', '2 of 3');
    expect(await page.$(RECEIPT)).to.equal(null);
    await page.close();
  });

  it('offers the ready patterns of the server', async () => {
    const page = await openCase();
    await toggle(page, 'E-mail addresses');
    await page.locator(SEARCH).click();
    await waitForWords(page, '.redact-heading', '1 of 1');
    expect(await texts(page, '.redact-match mark')).to.deep.equal(['j.roe@example.org']);
    await page.close();
  });

  it('asks before it breaks the signature of a signed document', async () => {
    const page = await openCase(SIGNED);
    await draw(page, [0.1, 0.1], [0.6, 0.3]);
    await page.locator('.redact-apply .button').click();
    await page.locator('dialog .button.danger').click();
    await waitForWords(page, 'dialog[open]', 'ignature');
    expect(await page.$(RECEIPT)).to.equal(null);
    await page.close();
  });

  it('is accessible with matches, areas, the summary and the receipt, and fits on a phone', async () => {
    const page = await openCase();
    await page.setViewport({ width: 360, height: 800 });
    await search(page, 'Miller');
    await page.locator('button ::-p-text(Add an area)').click();
    const faults = await faultsOf(page);
    await page.locator('.redact-apply .button').click();
    await page.waitForSelector('dialog[open]');
    faults.push(...(await faultsOf(page)));
    await page.locator('dialog .button.danger').click();
    await waitForWords(page, RECEIPT, 'receipt');
    await page.waitForFunction("!document.querySelector('dialog[open]')");
    faults.push(...(await faultsOf(page)));
    expect(faults).to.deep.equal([]);
    await page.close();
  });
});

/** How many pixels of the second page have the colour of its square. */
function bluePixels(path: string): number {
  const picture = execFileSync('pdftoppm', ['-r', '36', '-f', '2', '-l', '2', path], { maxBuffer: 1e8 });
  const size = /^P6\s+(\d+)\s+(\d+)\s/.exec(picture.toString('latin1', 0, 40))!;
  const pixels = picture.subarray(picture.length - Number(size[1]) * Number(size[2]) * 3);
  let found = 0;
  for (let at = 0; at < pixels.length; at += 3)
    if (Math.abs(pixels[at]! - 51) < 12 && Math.abs(pixels[at + 1]! - 128) < 12 && Math.abs(pixels[at + 2]! - 204) < 12)
      found++;
  return found;
}

/** Three pages of 400 by 300 points; the third is turned. The names are also in properties. */
async function makeCase(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.setTitle('Notes on Miller');
  document.setKeywords(['Miller']);
  const font = await document.embedFont(StandardFonts.Helvetica);
  const add = (...lines: readonly string[]) => {
    const page = document.addPage([400, 300]);
    lines.forEach((line, i) => page.drawText(line, { x: 50, y: 250 - 40 * i, size: 14, font }));
    return page;
  };
  add(
    'The witness Miller saw the Blue Lagoon at nine.',
    'Later Miller left the house.',
    'Questions go to j.roe@example.org please.',
  );
  add('A certain Arthur Miller wrote plays.', 'The Blue Lagoon is a film.').drawRectangle({
    x: 50,
    y: 40,
    width: 60,
    height: 60,
    color: rgb(0.2, 0.5, 0.8),
  });
  add('Account 4711 is closed.').setRotation(degrees(90));
  return document.save({ useObjectStreams: false });
}
