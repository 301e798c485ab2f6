import { expect } from 'chai';
import { mkdtempSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { QuireError } from '@quire/registry/errors';
import { codeOf, engines, never, PrintLab, text } from '../../../test/http/support/print-lab.js';
import { BrowserProcess } from './browser-process.js';
import type { BrowserTab, TabAnswer } from './browser-tab.js';
import { unpackEngine } from './engine-files.js';

describe('The browser of the server', function () {
  this.timeout(60_000);
  let lab: PrintLab;
  before(() => {
    lab = new PrintLab();
  });
  after(() => lab.end());

  it('opens a page ahead for the next document, which shares nothing with the one before', async () => {
    const { programs: others, browser } = lab.start();
    const look = (): Promise<BrowserTab> => browser.withPage(never, async (tab) => tab);
    const before = await lab.browserPids('renderer');
    const ahead = async (): Promise<number[]> =>
      (await lab.browserPids('renderer')).filter((pid) => !before.includes(pid));
    const waiting = async (): Promise<number> => {
      for (let tries = 0; tries < 500 && (await ahead()).length !== 1; tries++) await pause(20);
      return (await ahead())[0] ?? 0;
    };
    const first = await look();
    const pid = await waiting();
    expect(pid).to.be.greaterThan(0);
    const used = await browser.withPage(never, async (tab) => ({ tab, pids: await ahead() }));
    expect(used.pids).to.include(pid);
    expect([first.gone, used.tab.gone]).to.deep.equal([true, true]);
    expect(used.tab.context).to.not.equal(first.context);
    // One that is gone is not used.
    process.kill(await waiting(), 'SIGKILL');
    await pause(100);
    expect(await browser.withPage(never, (tab) => tab.evaluate('1 + 1'))).to.equal(2);
    await others.stop();
  });

  it('knows what a page requests when it is laid out, and waits until that has arrived', async () => {
    const { programs: others, browser } = lab.start();
    let answered = 0;
    const file = (type: string, body: string): TabAnswer => ({
      kind: 'file',
      body: Buffer.from(body),
      headers: { 'content-type': type },
    });
    await browser.withPage(never, async (tab) => {
      await tab.load('http://test.invalid/', async ({ url }) => {
        if (url.endsWith('/')) return file('text/html', '<p>text</p><i>more</i>');
        await pause(200);
        answered++;
        return url.endsWith('gone.svg')
          ? { kind: 'refuse', reason: 'BlockedByClient' }
          : file('image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>');
      });
      expect(await tab.quiet()).to.equal(false);
      for (const [name, tag] of [
        ['late.svg', 'p'],
        ['gone.svg', 'i'],
      ])
        await tab.evaluate(
          `document.querySelector('${tag}').style.background = 'url(${name})'; document.body.clientWidth`,
        );
      expect([await tab.quiet(), answered, await tab.quiet()]).to.deep.equal([true, 2, false]);
    });
    await others.stop();
  });

  it('closes the page that uses too much memory, and no other', async function () {
    const { package: packed } = lab.main.programs.whereabouts('chromium');
    if (packed === undefined) return this.skip();
    const { file } = await unpackEngine(packed, engines);
    const root = mkdtempSync(join(lab.folder, 'memory-'));
    const browser = await BrowserProcess.start({
      programs: lab.main.programs,
      file,
      sandbox: process.getuid?.() !== 0,
      env: {},
      shown: [],
      root,
      memoryMb: 220,
      totalTimes: 5,
    });
    const show = (tab: BrowserTab, html: string): Promise<void> =>
      tab.load('http://test.invalid/', async () => ({
        kind: 'file',
        body: Buffer.from(html),
        headers: { 'content-type': 'text/html' },
      }));
    const small = browser.withPage(never, async (tab) => {
      await show(tab, '<p>small</p>');
      await pause(2500);
      return tab.evaluate('document.body.innerText');
    });
    expect(
      await codeOf(browser.withPage(never, (tab) => show(tab, `<table>${'<tr><td>x'.repeat(200_000)}</table>`))),
    ).to.equal('DOCUMENT_UNPROCESSABLE');
    expect(await small).to.equal('small');
    await browser.stop();
    expect(readdirSync(root)).to.deep.equal([]);
  });

  it('prints twenty documents at once', async () => {
    const pdfs = await Promise.all(
      Array.from({ length: 20 }, (_each, i) => lab.print(lab.write(`<p>document ${i}</p>`))),
    );
    expect(pdfs.map((pdf) => /document (\d+)/.exec(text(pdf))?.[1])).to.deep.equal(pdfs.map((_pdf, i) => String(i)));
    expect(lab.main.programs.list().find(({ name }) => name === 'chromium')).to.include({ running: 0, waiting: 0 });
  });

  it('prints a document again in a new browser when the browser is killed', async () => {
    const printing = lab.print(
      lab.write(`<table>${`<tr>${'<td>c'.repeat(10)}</tr>`.repeat(3000)}</table><p>whole</p>`),
    );
    while ((await lab.browserPids()).length === 0) await pause(20);
    const [pid] = await lab.browserPids();
    process.kill(pid ?? 0, 'SIGKILL');
    expect(text(await printing)).to.contain('whole');
    // The list may miss a process that is just starting.
    while ((await lab.browserPids()).length !== 1) await pause(20);
    expect(await lab.browserPids()).not.to.include(pid);
  });

  it('refuses a document on which two browsers crash, naming the signal, and prints the next one', async () => {
    let begun = 0;
    const error = await lab
      .start()
      .browser.withPage(never, async () => {
        begun++;
        for (const pid of await lab.browserPids()) process.kill(pid, 'SIGSEGV');
        await new Promise(() => undefined);
      })
      .catch((refusal: unknown) => refusal as QuireError);
    expect([begun, error?.code, error?.data]).to.deep.equal([
      2,
      'DOCUMENT_UNPROCESSABLE',
      { field: 'fileInput', program: 'chromium', detail: 'it crashed (signal 11, SIGSEGV)' },
    ]);
    expect(text(await lab.print(lab.write('<p>next</p>')))).to.contain('next');
  });

  it('replaces the browser after a number of documents, without a wait, and removes its folder', async () => {
    const other = lab.start({ BROWSER_PRINTSBEFORERESTART: '2' });
    const before = await lab.browserPids();
    const own = async (): Promise<number[]> => (await lab.browserPids()).filter((pid) => !before.includes(pid));
    const page = lab.write('<p>x');
    const root = join(other.tmp, 'browser');
    for (let i = 0; i < 2; i++) await lab.print(page, {}, never, other.printer);
    const [first] = await own();
    // The third is printed by the first browser, while the second one starts.
    await lab.print(page, {}, never, other.printer);
    for (let tries = 0; tries < 500 && ((await own()).length !== 1 || (await own())[0] === first); tries++)
      await pause(20);
    const [second] = await own();
    expect([second === undefined, second === first]).to.deep.equal([false, false]);
    for (let tries = 0; tries < 500 && readdirSync(root).length > 1; tries++) await pause(20);
    expect(readdirSync(root)).to.have.length(1);
    await lab.print(page, {}, never, other.printer);
    expect(await own()).to.deep.equal([second]);
    await other.programs.stop();
    expect(await own()).to.deep.equal([]);
    expect(readdirSync(root)).to.deep.equal([]);
    expect(await codeOf(lab.print(page, {}, never, other.printer))).to.equal('SHUTTING_DOWN');
  });
});
