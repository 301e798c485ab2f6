/// <reference lib="dom" />
import { copyFile, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { bossName, bossPassword } from '../http/support/login.js';
import { takePort } from '../http/support/process.js';
import { productRoot, unrulyPlugin } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { startLine, type CutLine } from './cut-line.js';
import { chooseFiles, clickOn, download, enter, press, run, waitForWords } from './tool-page.js';

const GIGABYTE = 1024 ** 3;
const security = { isolation: ['limits'] };

describe('The console with bad input', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let line: CutLine;

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'quire-bad-input-'));
    const { port, release } = await takePort();
    release();
    line = await startLine(port);
    const opened = await openConsole(
      {
        settings: { server: { port }, security, system: { fileUploadLimit: '2GB' } },
        plugins: ['@quire/plugin-general', '@quire/plugin-security', '@quire/plugin-misc', unrulyPlugin],
      },
      { at: line.url },
    );
    if (opened === undefined) return this.skip();
    browser = opened;
    await writeFile(join(folder, 'two.pdf'), await makePdf({ pages: 2 }));
  });
  after(async () => {
    await browser?.stop();
    await line?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    line?.restore();
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openWith(file: string, tool = 'general/rotate-pdf'): Promise<Page> {
    const page = await browser.open(`tool/${tool}`);
    await chooseFiles(page, join(folder, file));
    await page.waitForSelector('.file-row');
    return page;
  }
  /** Counts the calls of operations from now on. */
  function countCalls(page: Page): () => number {
    let calls = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('/rotate-pdf')) calls++;
    });
    return () => calls;
  }

  it('does not send a file of 0 bytes', async () => {
    await writeFile(join(folder, 'empty.pdf'), '');
    const page = await openWith('empty.pdf');
    const calls = countCalls(page);
    await run(page);
    await waitForWords(page, '.field-error', '“empty.pdf” is empty. Choose another file.');
    expect(calls()).to.equal(0);
    await page.close();
  });

  it('asks for a choice where values are chosen and none is', async () => {
    const page = await openWith('two.pdf', 'misc/ocr-pdf');
    // That of the page, where the server can recognise it.
    await clickOn(page, '[data-field=languages] input:checked');
    await run(page);
    await waitForWords(page, '[data-field=languages] .field-error', 'Choose at least one.');
    await page.close();
  });

  it('does not send a file that is over the limit', async () => {
    const large = await open(join(folder, 'large.pdf'), 'w');
    // Without content: it takes no space on the disk.
    await large.truncate(2 * GIGABYTE + 1);
    await large.close();
    const page = await openWith('large.pdf');
    const calls = countCalls(page);
    await waitForWords(page, '.field-error', '“large.pdf” has');
    await run(page);
    expect(calls()).to.equal(0);
    await page.close();
  });

  it("shows the server's words for a file of the wrong kind", async () => {
    await writeFile(join(folder, 'words.pdf'), 'only words');
    const page = await openWith('words.pdf');
    await run(page);
    await page.waitForSelector('.run .notice.error, .field-error');
    const words = await page.$$eval('.run .notice.error, .field-error', (all) => all.map((one) => one.textContent));
    expect(words.join(' ')).to.match(/PDF/);
    await page.close();
  });

  it('says that a damaged file is damaged, offers its repair, and hands the file on to it', async () => {
    const pdf = Buffer.from(await makePdf({ pages: 1 })).toString('latin1');
    await writeFile(join(folder, 'damaged.pdf'), pdf.slice(0, pdf.length / 2).replaceAll(' obj', ' obx'), 'latin1');
    const page = await openWith('damaged.pdf');
    await waitForWords(page, '.document-panel [role=alert]', 'damaged');
    await run(page);
    await waitForWords(page, '.run .notice.error', 'The file is damaged, or it is not a PDF.');
    await waitForWords(page, '.run .notice.error', '“Repair a PDF” may help.');
    await press(page, 'Repair');
    await waitForWords(page, '.file-row', 'damaged.pdf');
    expect(new URL(page.url()).pathname).to.equal('/tool/misc/repair');
    await page.close();
  });

  it('names the file that is wrong among several', async () => {
    await copyFile(join(productRoot, 'plugins/security/fixtures/locked.pdf'), join(folder, 'locked.pdf'));
    const page = await openWith('two.pdf', 'general/merge-pdfs');
    await chooseFiles(page, join(folder, 'locked.pdf'));
    await run(page);
    await waitForWords(page, '.field-error', '\u2068locked.pdf\u2069: The file needs a password.');
    await page.close();
  });

  it('says in the language of the page what is wrong, with the words of the server below', async () => {
    await writeFile(join(folder, 'words.pdf'), 'only words');
    const page = await openWith('words.pdf');
    await page.evaluate(() => localStorage.setItem('quire.language', 'de'));
    await page.reload();
    await chooseFiles(page, join(folder, 'words.pdf'));
    await run(page);
    const words = 'Die Datei ist beschädigt oder kein PDF.';
    await waitForWords(page, '.run .notice.error', words);
    await waitForWords(page, '.run .notice.error', '„PDF reparieren“ hilft vielleicht.');
    await waitForWords(page, '.field-error', words);
    const english = await page.$eval('.run .notice.error details p', (one) => [
      one.getAttribute('lang'),
      one.textContent,
    ]);
    expect(english[0]).to.equal('en');
    expect(english[1]).to.contain('is not a readable PDF');
    await page.evaluate(() => localStorage.removeItem('quire.language'));
    await page.close();
  });

  it('says that a locked file needs a password, and opens the tool that removes it', async () => {
    await copyFile(join(productRoot, 'plugins/security/fixtures/locked.pdf'), join(folder, 'locked.pdf'));
    const page = await openWith('locked.pdf');
    await page.waitForSelector('.document-panel input[type=password]');
    await run(page);
    await waitForWords(page, '.run .notice.error', 'password');
    // Not a locator: it would look for its button again once the page has changed.
    const remove = await page.waitForSelector('.run .notice.error button ::-p-text(Remove)');
    await remove?.evaluate((button) => (button as HTMLElement).click());
    await waitForWords(page, '.file-row', 'locked.pdf');
    expect(new URL(page.url()).pathname).to.equal('/tool/security/remove-password');
    await enter(page, 'password', 'wrong');
    await run(page);
    await waitForWords(page, '[data-field=password] .field-error', 'The password is missing or wrong.');
    await page.close();
  });

  it('runs a tool for the good ones of several files, and says which are left out', async () => {
    await writeFile(join(folder, 'empty.pdf'), '');
    await copyFile(join(productRoot, 'plugins/convert/fixtures/photo.jpg'), join(folder, 'photo-as.pdf'));
    const page = await openWith('two.pdf');
    await chooseFiles(page, join(folder, 'empty.pdf'), join(folder, 'photo-as.pdf'));
    await waitForWords(page, '.file-row', 'This file is empty.');
    await waitForWords(page, '.file-row', 'This file is not a PDF, although its name says so.');
    await waitForWords(page, '.run-note', 'Left out: “empty.pdf” and “photo-as.pdf”');
    await press(page, 'Run for 1 file');
    await waitForWords(page, '.result-head', 'two_rotated.pdf');
    await press(page, 'Remove them');
    await page.waitForFunction("document.querySelectorAll('.file-row').length === 1");
    expect(await page.$('.run-note')).to.equal(null);
    await page.close();
  });

  it('does not run with bad files where all are used together, and removes them with one click', async () => {
    await writeFile(join(folder, 'empty.pdf'), '');
    const page = await openWith('two.pdf', 'general/merge-pdfs');
    await chooseFiles(page, join(folder, 'empty.pdf'));
    await waitForWords(page, '.run-note', 'These files cannot be used: “empty.pdf”');
    await press(page, 'Remove them');
    await run(page);
    await page.waitForSelector('.result-head');
    await page.close();
  });

  it('names the file of a failure, which goes away with other files', async () => {
    await writeFile(join(folder, 'words.pdf'), 'only words');
    const page = await openWith('words.pdf');
    await run(page);
    await waitForWords(page, '.run', 'words.pdf');
    await page.waitForSelector('.run .notice.error');
    await page.click('[aria-label="Remove: words.pdf"]');
    await page.waitForFunction("!document.querySelector('.run')");
    await page.close();
  });

  it('waits for the password of a locked file, where the tool has a field for it', async () => {
    await copyFile(join(productRoot, 'plugins/security/fixtures/locked.pdf'), join(folder, 'locked.pdf'));
    const page = await openWith('locked.pdf', 'security/remove-password');
    await waitForWords(page, '.run-note', '“locked.pdf” needs a password');
    expect(await page.$eval('.run-bar [type=submit]', (button) => button.matches(':disabled'))).to.equal(true);
    await page.type('[data-field=password] input', 'user');
    await page.waitForFunction("!document.querySelector('.run-note')");
    await run(page);
    await waitForWords(page, '.result-head', 'locked_password_removed.pdf');
    await page.close();
  });

  it('goes on after the network was lost in the middle of an upload', async () => {
    await writeFile(join(folder, 'heavy.pdf'), Buffer.concat([await makePdf({ pages: 1 }), Buffer.alloc(8e6, '%')]));
    const page = await openWith('heavy.pdf');
    line.stall(2_000_000);
    await run(page);
    await waitForWords(page, '.run [role=status]', 'Sending');
    line.cut();
    await waitForWords(page, '.run .notice.error', 'The server cannot be reached.');
    expect(await page.$$eval('.file-row', (rows) => rows.length)).to.equal(1);
    line.restore();
    await press(page, 'Try again');
    await page.waitForSelector('.result-head');
    await page.close();
  });

  it('keeps what two tabs do apart', async () => {
    await writeFile(join(folder, 'first.pdf'), await makePdf({ pages: 1 }));
    await writeFile(join(folder, 'second.pdf'), await makePdf({ pages: 1 }));
    const names = ['first', 'second'];
    const pages = await Promise.all(names.map((name) => openWith(`${name}.pdf`)));
    for (const page of pages) {
      await page.bringToFront();
      await run(page);
    }
    for (const [i, page] of pages.entries()) {
      await page.bringToFront();
      await waitForWords(page, '.result-head', `${names[i]}_rotated.pdf`);
      await page.close();
    }
  });

  it('keeps form, files and result when somebody goes away and back', async () => {
    const page = await openWith('two.pdf', 'general/remove-pages');
    await enter(page, 'pageNumbers', '2');
    await run(page);
    await page.waitForSelector('.result-head');
    await page.click('.crumbs a');
    await page.waitForSelector('.tool-card');
    await page.goBack();
    await waitForWords(page, '.file-row', 'two.pdf');
    expect(await page.$eval('[data-field=pageNumbers] input', (input) => (input as HTMLInputElement).value)).to.equal(
      '2',
    );
    await page.waitForSelector('.result-head');
    await page.close();
  });

  it('finds a running job again after the page was loaded again', async () => {
    const page = await openWith('two.pdf', 'misc/unruly-slow');
    await enter(page, 'ms', '600000');
    await run(page);
    await waitForWords(page, '.run', 'The work goes on if you close this page');
    await page.reload();
    await waitForWords(page, '.run', 'The work goes on if you close this page');
    await press(page, 'Cancel');
    await waitForWords(page, '.run', 'Cancelled');
    await page.close();
  });

  it('shows the result of a job that ended while the page was away', async () => {
    const page = await openWith('two.pdf', 'misc/unruly-slow');
    await enter(page, 'ms', '3500');
    await run(page);
    await waitForWords(page, '.run', 'The work goes on if you close this page');
    await page.reload();
    await page.waitForSelector('.result-head');
    expect((await download(page, folder)).bytes.length).to.be.greaterThan(0);
    await page.close();
  });
});

describe('The console when the session ends while a form is filled in', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'quire-session-'));
    const opened = await openConsole({
      settings: { security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } } },
      plugins: ['@quire/plugin-general'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    await writeFile(join(folder, 'three.pdf'), await makePdf({ pages: 3 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function logIn(page: Page): Promise<void> {
    await page.waitForSelector('input[name=username]');
    if ((await page.$eval('input[name=username]', (input) => input.value)) === '')
      await page.type('input[name=username]', bossName);
    await page.type('input[name=password]', bossPassword);
    await page.keyboard.press('Enter');
  }

  it('asks for the password, and the call goes on with everything that was entered', async () => {
    const page = await browser.open('tool/general/remove-pages');
    await logIn(page);
    await chooseFiles(page, join(folder, 'three.pdf'));
    await enter(page, 'pageNumbers', '1-2');
    const status = await page.evaluate(async () => {
      const { token } = JSON.parse(localStorage.getItem('quire.session') ?? '{}') as { token: string };
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch('api/v1/auth/logout', { method: 'POST', headers })).status;
    });
    expect(status).to.be.lessThan(300);
    await run(page);
    await page.waitForSelector('dialog[open] input[name=password]');
    await logIn(page);
    await page.waitForSelector('.result-head');
    expect(await page.$eval('[data-field=pageNumbers] input', (input) => (input as HTMLInputElement).value)).to.equal(
      '1-2',
    );
    await page.close();
    expect(browser.faults).to.deep.equal([]);
  });
});

describe('A call of the console that becomes a job, because it waits too long', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    folder = await mkdtemp(join(tmpdir(), 'quire-bad-jobs-'));
    const opened = await openConsole({
      settings: { jobs: { maxWaitSeconds: 0 } },
      plugins: ['general', 'misc'].map((name) => `@quire/plugin-${name}`),
    });
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(async () => {
    await browser?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function runWith(name: string, bytes: Uint8Array): Promise<Page> {
    await writeFile(join(folder, name), bytes);
    const page = await browser.open('tool/general/remove-pages');
    await chooseFiles(page, join(folder, name));
    await page.waitForSelector('.file-row');
    await enter(page, 'pageNumbers', '9');
    await run(page);
    return page;
  }

  it('shows what is wrong with a field at the field', async () => {
    const page = await runWith('two.pdf', await makePdf({ pages: 2 }));
    await waitForWords(page, '[data-field=pageNumbers] .field-error', 'selects none of the 2 pages');
    await page.close();
  });

  it('offers the tool that helps with a damaged file', async () => {
    const page = await runWith('damaged.pdf', Buffer.from('%PDF-1.7\n1 0 obx\n'));
    await waitForWords(page, '.run .notice.error', '“Repair a PDF” may help.');
    await page.close();
  });
});
