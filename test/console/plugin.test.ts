/// <reference lib="dom" />
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { ElementHandle } from 'puppeteer-core';
import { productRoot } from '../http/support/server.js';
import { writePlugin } from '../kit/generators/new-plugin.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

/** A plain ES module: what a plugin ships, without a build. */
const MODULE = `
const style = new CSSStyleSheet();
style.replaceSync('button { font: inherit; padding: 8px } [aria-pressed=true] { outline: 2px solid var(--accent) }');

customElements.define('my-marks-words', class extends HTMLElement {
  #value = '';
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' });
    root.adoptedStyleSheets = [style];
    for (const word of ['Draft', 'Copy']) {
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = word;
      button.onclick = () => {
        this.value = word;
        this.dispatchEvent(new Event('input'));
      };
      root.append(button);
    }
    this.value = this.#value;
  }
  get value() { return this.#value; }
  set value(value) {
    this.#value = value;
    for (const button of this.shadowRoot?.children ?? [])
      button.setAttribute('aria-pressed', String(button.textContent === value));
  }
});
`;

describe('A plugin that somebody has just written', function () {
  this.timeout(120_000);
  let folder: string;
  let browser: ConsoleBrowser;

  before(async function () {
    folder = mkdtempSync(join(tmpdir(), 'quire-new-in-console-'));
    const plain = join(folder, 'plain-marks');
    const own = join(folder, 'my-marks');
    await writePlugin({ name: 'plain-marks', folder: plain, workspace: false, checkout: productRoot });
    await writePlugin({
      name: 'my-marks',
      folder: own,
      workspace: false,
      checkout: productRoot,
      operation: 'my-marks/mark-pdf',
    });
    const declaration = join(own, 'src', 'operations', 'mark-pdf.op.ts');
    const text = readFileSync(declaration, 'utf8');
    writeFileSync(declaration, text.replace("label: 'Line of text',", "label: 'Mark', element: 'my-marks-words',"));
    mkdirSync(join(own, 'elements'));
    writeFileSync(join(own, 'elements', 'my-marks-words.js'), MODULE);
    for (const plugin of [plain, own]) {
      symlinkSync(join(productRoot, 'node_modules'), join(plugin, 'node_modules'));
      const tsc = join(productRoot, 'node_modules', 'typescript', 'bin', 'tsc');
      const { status, stdout } = spawnSync(process.execPath, [tsc, '-b'], { cwd: plugin, encoding: 'utf8' });
      expect(status, stdout).to.equal(0);
    }
    writeFileSync(join(folder, 'letter.pdf'), await makePdf({ pages: 1 }));
    const opened = await openConsole({ plugins: [plain, own] });
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  it('is shown with its category, title and icon, and found by its words', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.tool-card');
    const card = await page.$eval('a[href="tool/my-marks/mark-pdf"]', (link) => {
      const use = link.closest('.tool-card')?.querySelector('svg use');
      return { title: link.textContent, icon: use?.getAttribute('href') };
    });
    expect(card.title).to.equal('Mark pdf');
    expect(card.icon).to.match(/#pencil$/);
    expect(await page.$$eval('.tool-section h2', (all) => all.map((one) => one.textContent))).to.include('My marks');
    await page.close();
  });

  it('has its form with label and help, and runs from its example', async () => {
    const page = await browser.open('tool/misc/plain-marks-pdf?example=1');
    await page.waitForSelector('.file-row');
    expect(await page.$eval('[data-field=text] label', (label) => label.textContent)).to.contain('Line of text');
    expect(await page.$eval('[data-field=text] .help', (help) => help.textContent)).to.equal(
      'Text at the bottom of each page.',
    );
    expect(await page.$eval('[data-field=text] input', (input) => input.value)).to.equal('Draft');
    await page.click('.run-bar [type=submit]');
    await page.waitForSelector('.result-head');
    await page.close();
  });

  it('shows a field by a custom element of its package, whose value is sent', async () => {
    const page = await browser.open('tool/my-marks/mark-pdf');
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(join(folder, 'letter.pdf'));
    await page.locator('my-marks-words >>> button:nth-of-type(2)').click();
    await page.waitForFunction("document.querySelector('.snippet')?.textContent.includes('text=Copy')");
    await page.click('.run-bar [type=submit]');
    await page.waitForSelector('.result-head');
    await page.close();
  });

  it('sets the value of its element when the form is filled from an example', async () => {
    const page = await browser.open('tool/my-marks/mark-pdf?example=1');
    await page.waitForSelector('.file-row');
    await page.waitForSelector('my-marks-words >>> button[aria-pressed=true]');
    await page.close();
  });

  it('serves nothing but the modules of its elements', async () => {
    const statusOf = async (file: string): Promise<number> =>
      (await fetch(`${browser.url}/console-elements/${file}`)).status;
    expect(await statusOf('my-marks-words.js')).to.equal(200);
    for (const file of ['my-other.js', 'my-marks-words', '..%2Fpackage.json', 'package.json'])
      expect(await statusOf(file), file).to.equal(404);
  });
});
