/// <reference lib="dom" />
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invoiceModel, type Group } from '@quire/document/invoices/model';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { OTHERS } from '../../console/build/find-texts.js';
import { productRoot } from '../http/support/server.js';
import { isNightly } from '../suites/nightly.js';
import { faultsOf, overflowOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickOn, download, waitForWords } from './tool-page.js';

const fixture = (name: string): string => join(productRoot, 'plugins', 'invoice', 'fixtures', name);
const plugins = ['@quire/plugin-invoice'];

describe('The invoices of the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let cii: string;
  before(async function () {
    const opened = await openConsole({ plugins });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-invoices-'));
    cii = await readFile(fixture('invoice-cii.xml'), 'utf8');
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  it('are in the navigation everywhere, where there is no page too', async () => {
    const page = await browser.open('no/such/page');
    await waitForWords(page, '.empty', 'Page not found');
    await waitForWords(page, 'nav a', 'Invoices');
    await page.close();
  });

  /** Writes a changed invoice; each change has to change something. */
  async function changed(name: string, ...changes: readonly (readonly [string, string])[]): Promise<string> {
    let text = cii;
    for (const [from, to] of changes) {
      expect(text, from).to.contain(from);
      text = text.replace(from, to);
    }
    const path = join(folder, name);
    await writeFile(path, text);
    return path;
  }

  async function read(path: string, page?: Page): Promise<Page> {
    const shown = page ?? (await browser.open('invoices'));
    const input = (await shown.waitForSelector('.invoices > input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
    await shown.waitForSelector(
      '.invoice-verdict .badge.done, .invoice-verdict .badge.danger, .invoice-verdict .warning',
    );
    await shown.waitForFunction("document.querySelector('.loading') === null");
    return shown;
  }

  const textOf = (page: Page, selector: string): Promise<string> =>
    page.$eval(selector, (one) => one.textContent ?? '');

  it('are in the navigation where the server has their tools, and their address says so where it has not', async () => {
    const page = await browser.open('');
    await page.waitForSelector('.nav a[href=invoices]');
    await page.close();
    const without = (await openConsole({ plugins: ['@quire/plugin-general'] }))!;
    try {
      const other = await without.open('invoices');
      await waitForWords(other, '.empty', 'does not have the tools for electronic invoices');
      expect(await other.$('.nav a[href=invoices]')).to.equal(null);
    } finally {
      await without.stop();
    }
  });

  it('have a name for every term in the language of the page', async () => {
    const labels = await readFile(
      join(productRoot, 'console', 'src', 'screens', 'invoices', 'data', 'labels.ts'),
      'utf8',
    );
    const unnamed = new Set<string>();
    const walk = ({ terms }: Group): void => {
      for (const [key, node] of Object.entries(terms)) {
        if (!labels.includes(`  ${key}: /* t */ `)) unnamed.add(key);
        if (node.node === 'group' && key !== 'subLines') walk(node);
      }
    };
    walk(invoiceModel);
    expect([...unnamed]).to.deep.equal([]);
  });

  it('show the data of a valid invoice by its parts, with the numbers of the terms when they are wanted', async () => {
    const page = await read(fixture('invoice-cii.xml'));
    expect(await textOf(page, '.invoice-verdict')).to.contain('Invoice is valid');
    expect(await textOf(page, '[data-path="seller.name"]')).to.equal('NameLieferant GmbH');
    expect(await textOf(page, '[data-path="totals.withVat"]')).to.equal('Total with VAT1,190.00');
    expect(await textOf(page, '[data-path="issueDate"]')).to.equal('Issue dateNov 28, 2026');
    expect(await page.$('.term-id')).to.equal(null);
    await clickOn(page, '.invoices .switch');
    expect(await textOf(page, '[data-path="seller.name"] .term-id')).to.equal('BT-27');
    await page.close();
  });

  it('lead from a finding to the value, and to its line in the XML', async () => {
    const path = await changed('wrong-total.xml', ['GrandTotalAmount>1190.00<', 'GrandTotalAmount>1191.00<']);
    const page = await read(path);
    expect(await textOf(page, '.invoice-verdict')).to.contain('Invoice is not valid');
    await clickOn(page, '.invoice-document .segments label:last-child');
    await page.waitForSelector('.xml-view');
    await clickOn(page, '.violation.fatal[data-rule="BR-CO-15"] .violation-link');
    await page.waitForSelector('[data-path="totals.withVat"].marked.fatal.chosen');
    await page.waitForFunction("document.activeElement?.getAttribute('data-path') === 'totals.withVat'");
    await page.waitForSelector('.xml-view .chosen');
    expect(await textOf(page, '.xml-view .chosen')).to.match(/^\d+\s*<ram:GrandTotalAmount>1191.00</);
    await page.close();
  });

  it('find a value on the pages of a PDF, and say what the PDF says about its XML', async () => {
    const page = await read(fixture('hybrid.pdf'));
    expect(await textOf(page, '.invoice-facts'))
      .to.contain('factur-x.xml')
      .and.to.contain('PDF and XML agree');
    await page.waitForSelector('.invoice-document canvas');
    await clickOn(page, '[data-path="totals.withVat"] .invoice-value');
    await page.waitForSelector('.match.current');
    await clickOn(page, '[data-path="payment.transfers.0.account"] .invoice-value');
    await page.waitForSelector('.match.current');
    // The page does not name the buyer.
    await clickOn(page, '[data-path="buyer.name"] .invoice-value');
    await waitForWords(page, '.invoice-document [role=status]', '“Kunde AG” does not occur here.');
    await page.close();
  });

  it('show where something is missing, and only the findings of a severity', async () => {
    const path = await changed('no-name.xml', ['<ram:Name>Kunde AG</ram:Name>', '']);
    const page = await read(path);
    await page.waitForSelector('[data-path="buyer.name"].marked.fatal');
    expect(await textOf(page, '[data-path="buyer.name"]')).to.contain('Not given');
    const chips = await page.$$eval('.chip', (all) => all.map((one) => one.textContent));
    expect(chips[0]).to.match(/^\d+ errors?$/);
    const count = (selector: string): Promise<number> => page.$$eval(selector, (all) => all.length);
    await clickOn(page, '.chip');
    await page.waitForSelector('.chip[aria-pressed=true]');
    expect(await count('.violation')).to.equal(await count('.violation.fatal'));
    await page.close();
  });

  it('say in German what is wrong on a German page, and in English on others', async () => {
    const path = await changed('wrong-total-2.xml', ['GrandTotalAmount>1190.00<', 'GrandTotalAmount>1191.00<']);
    for (const [language, spoken] of [
      ['de', 'de'],
      ['fr', 'en'],
    ] as const) {
      const page = await browser.open('');
      await page.evaluate((code) => localStorage.setItem('quire.language', code), language);
      await page.goto(`${browser.url}/invoices`);
      await read(path, page);
      expect(await page.$eval('.violation-link span', (one) => one.lang)).to.equal(spoken);
      await page.evaluate(() => localStorage.removeItem('quire.language'));
      await page.close();
    }
  });

  it('say why a file cannot be checked, in the words of the server', async () => {
    const path = join(folder, 'no-invoice.xml');
    await writeFile(path, '<?xml version="1.0"?><letter>Dear Sir</letter>');
    const page = await read(path);
    expect(await textOf(page, '.invoice-verdict')).to.contain('Cannot be checked');
    expect(await textOf(page, '.notice.error')).to.have.length.greaterThan(10);
    // The XML is shown, and the reason once.
    expect(await textOf(page, '.xml-view')).to.contain('<letter>Dear Sir</letter>');
    expect(await page.$$eval('.notice.error', (all) => all.length)).to.equal(1);
    await page.close();
  });

  it('show markup in an invoice as text: nothing of it is run or loaded', async () => {
    const attack =
      '&lt;img src="https://evil.example/x.png" onerror="top.hacked=1">&lt;script>top.hacked=1&lt;/script>';
    const path = await changed('attack.xml', ['Lieferant GmbH', attack]);
    const page = await read(path);
    expect(await textOf(page, '[data-path="seller.name"]')).to.contain('<script>top.hacked=1</script>');
    const frame = (await (await page.waitForSelector('.framed-html'))!.contentFrame())!;
    await frame.waitForFunction("document.body.textContent.includes('<script>')");
    expect(await page.$eval('.framed-html', (one) => one.getAttribute('sandbox'))).to.equal('allow-same-origin');
    expect(await page.evaluate(() => 'hacked' in globalThis)).to.equal(false);
    await page.close();
  });

  it('are shown as the server renders them, with its styles', async () => {
    const page = await read(fixture('invoice-cii.xml'));
    const frame = (await (await page.waitForSelector('.framed-html'))!.contentFrame())!;
    await frame.waitForFunction('document.adoptedStyleSheets.length > 0');
    await clickOn(page, '[data-path="number"] .invoice-value');
    await frame.waitForSelector('[data-found]');
    expect(await frame.$eval('[data-found]', (one) => one.textContent)).to.contain('R-2026-0042');
    await page.close();
  });

  it('are shown as XML at first where they are large, and dates are found as CII writes them', async () => {
    const path = await changed('large.xml', [
      '<ram:ID>R-2026-0042',
      `<!-- ${'x'.repeat(2_100_000)} --><ram:ID>R-2026-0042`,
    ]);
    const page = await read(path);
    await page.waitForSelector('.xml-view');
    await clickOn(page, '[data-path="number"] .invoice-value');
    await page.waitForSelector('.xml-view .chosen');
    await clickOn(page, '[data-path="issueDate"] .invoice-value');
    await waitForWords(page, '.xml-view .chosen', '20261128');
    await page.close();
  });

  it('are saved as XML and JSON, with a report', async () => {
    const page = await read(fixture('hybrid.pdf'));
    await clickOn(page, '.invoice-head [aria-haspopup][aria-label=Download]');
    const names = await page.$$eval('[role=menuitem]', (all) => all.map((one) => one.textContent ?? ''));
    expect(names.join('\n')).to.match(/XML/).and.to.match(/JSON/).and.to.match(/HTML/).and.to.match(/PDF/);
    const at = names.findIndex((name) => name.includes('XML'));
    const saved = await download(page, folder, `.invoice-head [role=menu] > :nth-child(${at + 1})`);
    expect(Buffer.from(saved.bytes).toString()).to.equal(cii);
    await page.close();
  });

  // The look between the others in the nightly run only: each has veraPDF check a document.
  const looks = (
    [
      ['en', 'light', 1440],
      ['ar', 'dark', 360],
      ['de', 'dark', 1024],
    ] as const
  ).slice(0, isNightly ? 3 : 2);
  for (const [turn, [language, theme, width]] of looks.entries())
    it(`are accessible and fit in ${language}, ${theme}, ${width} pixels wide`, async () => {
      expect(['en', ...OTHERS]).to.include(language);
      const path = await changed(`looks-${language}.xml`, ['GrandTotalAmount>1190.00<', 'GrandTotalAmount>1191.00<']);
      const page = await browser.open('');
      await page.setViewport({ width, height: 900 });
      await page.evaluate(
        (code, chosen) => {
          localStorage.setItem('quire.language', code);
          localStorage.setItem('quire.theme', JSON.stringify(chosen));
        },
        language,
        theme,
      );
      await page.goto(`${browser.url}/invoices`);
      await page.waitForSelector('.invoice-tools a');
      // Axe looks at each of the five states in one of the looks, and in the nightly run in all.
      let state = 0;
      const faults: string[] = [];
      const look = async (): Promise<void> => {
        const isAudited = isNightly || state % looks.length === turn;
        state += 1;
        faults.push(...(await (isAudited ? faultsOf(page) : overflowOf(page))));
      };
      await look();
      await read(path, page);
      await clickOn(page, '.invoice-lines summary');
      await clickOn(page, '.invoices .switch');
      await look();
      await clickOn(page, '.invoice-document .segments label:last-child');
      await page.waitForSelector('.xml-view');
      await look();
      await read(fixture('hybrid.pdf'), page);
      await page.waitForSelector('.invoice-document canvas');
      await look();
      await page.goto(`${browser.url}/invoices/new`);
      await page.waitForSelector('.invoice-form');
      await clickOn(page, '.invoice-form [type=submit]');
      await page.waitForSelector('.invoice-form .notice.error');
      await look();
      expect(faults, faults.join('\n')).to.deep.equal([]);
      await page.evaluate(() => localStorage.clear());
      await page.close();
    });

  it('ask for the password of a locked PDF, once', async () => {
    const page = await browser.open('invoices');
    const input = (await page.waitForSelector('.invoices > input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(fixture('locked.pdf'));
    const enter = async (password: string): Promise<void> => {
      await page.waitForSelector('.viewer-locked input');
      await page.locator('.viewer-locked input').fill(password);
      await clickOn(page, '.viewer-locked [type=submit]');
    };
    await enter('wrong');
    await page.waitForSelector('.viewer-locked .field.wrong');
    expect(await page.$('.notice.error')).to.equal(null);
    await enter('user');
    await page.waitForSelector('[data-path="seller.name"]');
    expect(await textOf(page, '[data-path="seller.name"]')).to.contain('Lieferant GmbH');
    await page.waitForSelector('.violation[data-rule="PDF-pdfa-compliance"]');
    // The pages are shown without another question.
    await page.waitForSelector('.invoice-document canvas');
    expect(await page.$('.viewer-locked')).to.equal(null);
    await page.close();
  });

  it('are reached from their tools, with the chosen file, and lead to them', async () => {
    const page = await browser.open('tool/invoice/validate');
    await page.waitForSelector('.screen-link');
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(fixture('invoice-cii.xml'));
    await page.waitForSelector('.file-row');
    await clickOn(page, '.screen-link button');
    await page.waitForSelector('[data-path="seller.name"]');
    await clickOn(page, '.invoice-head button[aria-label=Tools]');
    await page.waitForSelector('[role=menuitem]');
    // What is made of a PDF does not take the XML.
    const names = await page.$$eval('[role=menuitem]', (all) => all.map((one) => one.textContent));
    expect(names).to.include('Convert an invoice').and.not.include('Make a Factur-X PDF');
    await clickOn(page, '[role=menuitem] ::-p-text(Convert an invoice)');
    await waitForWords(page, 'h1', 'Convert an invoice');
    await waitForWords(page, '.file-row', 'invoice-cii.xml');
    await page.goto(`${browser.url}/invoices`);
    await page.waitForSelector('.invoice-tools a');
    const links = await page.$$eval('.invoice-tools a', (all) => all.map((one) => one.getAttribute('href')));
    expect([...links].sort()).to.deep.equal(
      ['convert', 'create', 'detect', 'embed', 'extract', 'render', 'validate'].map((name) => `tool/invoice/${name}`),
    );
    await clickOn(page, '.invoice-tools a[href="tool/invoice/create"]');
    await clickOn(page, '.screen-link button');
    await page.waitForSelector('.invoice-form');
    await page.close();
  });
});
