/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attachmentTypes } from '@quire/document/invoices/rules/code-lists';
import { invoiceModel, type Group } from '@quire/document/invoices/model';
import { findInvoicesIn } from '@quire/document/structure/invoices';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { productRoot } from '../http/support/server.js';
import { isNightly } from '../suites/nightly.js';
import { faultsOf, overflowOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickOn, download, waitForWords } from './tool-page.js';

const fixture = (name: string): string => join(productRoot, 'plugins', 'invoice', 'fixtures', name);
const plugins = ['@quire/plugin-invoice'];

describe('Invoices that are written in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  before(async function () {
    const opened = await openConsole({ plugins });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-invoice-form-'));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const textOf = (page: Page, selector: string): Promise<string> =>
    page.$eval(selector, (one) => one.textContent ?? '');

  async function openForm(): Promise<Page> {
    const page = await browser.open('invoices/new');
    await page.waitForSelector('.invoice-form');
    return page;
  }

  /** Opens all that is closed, again and again until nothing is. */
  async function openAll(page: Page): Promise<void> {
    while (await page.$('.invoice-more:not([open])'))
      await page.$$eval('.invoice-more:not([open]) > summary', (all) =>
        all.forEach((one) => (one as HTMLElement).click()),
      );
  }

  const add = (page: Page, list: string): Promise<void> => clickOn(page, `[data-add="${list}"] button`);

  async function choose(page: Page, place: string, path: string): Promise<void> {
    const input = (await page.waitForSelector(`${place} input[type=file]`)) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
    await page.waitForSelector(`${place} .invoice-file bdi`);
  }

  /** Presses the button and returns what the browser saves. */
  async function created(page: Page): Promise<{ readonly name: string; readonly bytes: Uint8Array }> {
    await clickOn(page, '.invoice-form [type=submit]');
    await page.waitForSelector('.invoice-form .notice.done');
    return download(page, folder, '.invoice-form .notice.done .button.primary');
  }

  /** Enters texts at places of the form, key by key. */
  async function type(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(texts)) await page.locator(`[data-path="${path}"] .input`).fill(text);
  }

  /** Enters texts at places of the form as one change each, like pasted ones: the form is drawn once for each. */
  async function fill(page: Page, texts: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, text] of Object.entries(texts)) {
      const input = (await page.waitForSelector(`[data-path="${path}"] .input`))!;
      await input.evaluate((element, value) => {
        const field = element as HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
        const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field) as object, 'value')!;
        set!.call(field, value);
        for (const event of ['input', 'change']) field.dispatchEvent(new Event(event, { bubbles: true }));
      }, text);
    }
  }

  const needed = {
    number: 'R-7',
    'seller.name': 'Lieferant GmbH',
    'seller.address.country': 'DE',
    'seller.vatIdentifier': 'DE123456789',
    'buyer.name': 'Kunde AG',
    'buyer.address.country': 'DE',
    'lines.0.item.name': 'Consulting',
    'lines.0.quantity': '3',
    // With the comma of people.
    'lines.0.price.net': '33,35',
    'lines.0.vat.rate': '19',
    'payment.transfers.0.account': 'DE89370400440532013000',
    paymentTerms: 'Payable within 30 days',
  };

  it('are created from what is filled in, with the totals of the server', async () => {
    const page = await browser.open('invoices');
    await clickOn(page, '.page-head a[href="invoices/new"]');
    await page.waitForSelector('.invoice-form');
    await type(page, needed);
    await page.waitForSelector('[data-path="totals.withVat"]');
    expect(await textOf(page, '[data-path="totals.lines"]')).to.equal('Sum of the lines100.05');
    expect(await textOf(page, '[data-path="totals.withVat"]')).to.equal('Total with VAT119.06');
    await clickOn(page, '.invoice-form [type=submit]');
    await page.waitForSelector('.invoice-form .notice.done');
    const saved = await download(page, folder, '.invoice-form .notice.done .button.primary');
    expect(saved.name).to.equal('R-7.xml');
    const text = Buffer.from(saved.bytes).toString();
    expect(text)
      .to.contain('CrossIndustryInvoice')
      .and.to.match(/GrandTotalAmount[^>]*>119.06</);
    await clickOn(page, '.invoice-form .notice.done .button:not(.primary)');
    await page.waitForSelector('.invoice-verdict .badge.done');
    await page.waitForSelector('[data-path="lines.0"]');
    expect(await textOf(page, '[data-path="lines.0"]')).to.contain('Consulting');
    await page.close();
  });

  it('are refused with what is missing at its field, and the first of them has the focus', async () => {
    const page = await openForm();
    const { 'buyer.name': _, ...others } = needed;
    await fill(page, others);
    await clickOn(page, '.invoice-form [type=submit]');
    await page.waitForSelector('[data-path="buyer.name"] .field.wrong');
    expect(await textOf(page, '[data-path="buyer.name"] .field-error')).to.contain('is missing');
    await page.waitForFunction("document.activeElement.closest('[data-path]')?.dataset.path === 'buyer.name'");
    await fill(page, { 'buyer.name': 'Kunde AG' });
    expect(await page.$('[data-path="buyer.name"] .field.wrong')).to.equal(null);
    await page.close();
  });

  it('mark what the standard wants: a bank account once something of the transfer is given', async () => {
    const page = await openForm();
    const isRequired = async (path: string): Promise<boolean> =>
      (await page.$(`[data-path="${path}"] .required`)) !== null;
    expect(await isRequired('seller.name')).to.equal(true);
    expect(await isRequired('seller.vatIdentifier')).to.equal(false);
    expect(await isRequired('payment.transfers.0.account')).to.equal(false);
    await fill(page, { 'payment.transfers.0.accountName': 'Lieferant GmbH' });
    await page.waitForSelector('[data-path="payment.transfers.0.account"] .required');
    await page.close();
  });

  it('begin with the data of another one, but not with its number, date and totals', async () => {
    const page = await browser.open('invoices');
    const input = (await page.waitForSelector('.invoices > input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(fixture('invoice-cii.xml'));
    await clickOn(page, '.invoice-head button ::-p-text(Use as a template)');
    await page.waitForSelector('.invoice-form');
    const valueOf = (path: string): Promise<string> =>
      page.$eval(`[data-path="${path}"] .input`, (input) => (input as HTMLInputElement).value);
    expect(await valueOf('seller.name')).to.equal('Lieferant GmbH');
    expect(await valueOf('lines.0.price.net')).to.equal('125.00');
    expect(await valueOf('number')).to.equal('');
    expect(await valueOf('issueDate')).to.not.equal('2026-11-28');
    await fill(page, { number: 'R-8' });
    await clickOn(page, '.invoice-form [type=button] ::-p-text(Add a line)');
    await fill(page, { 'lines.1.item.name': 'Travel', 'lines.1.price.net': '10', 'lines.1.quantity': '2' });
    await page.waitForFunction(
      "document.querySelector('[data-path=\"totals.lines\"]')?.textContent === 'Sum of the lines1,020.00'",
    );
    await clickOn(page, '[aria-label="Remove item 1"]');
    await page.waitForFunction(
      "document.querySelector('[data-path=\"totals.lines\"]')?.textContent === 'Sum of the lines20.00'",
    );
    expect(await valueOf('lines.0.item.name')).to.equal('Travel');
    await page.close();
  });

  it('say at an option what does not fit, and give back what was replaced by accident', async () => {
    const page = await openForm();
    await fill(page, needed);
    const pick = (field: string, value: string): Promise<void> =>
      page.locator(`[data-field=${field}] .input`).fill(value);
    await pick('format', 'ubl');
    await pick('profile', 'minimum');
    await clickOn(page, '.invoice-form [type=submit]');
    await waitForWords(page, '[data-field=format] .field-error', 'exists in CII only');
    await clickOn(page, '.invoice-form [type=button] ::-p-text(Start over)');
    await page.waitForFunction("document.querySelector('[data-path=number] .input').value === ''");
    await clickOn(page, '.toast button ::-p-text(Undo)');
    await page.waitForFunction("document.querySelector('[data-path=number] .input').value === 'R-7'");
    await page.close();
  });

  it('have a field for every term that the server does not compute', async () => {
    const page = await openForm();
    await openAll(page);
    const places: string[] = [];
    const lists: string[] = [];
    const walk = (group: Group, path: string): void => {
      for (const [key, node] of Object.entries(group.terms)) {
        if (key === 'subLines') continue;
        const at = path === '' ? key : `${path}.${key}`;
        const isList = node.occurs.endsWith('n');
        if (isList) lists.push(at);
        if (node.node === 'group') walk(node, isList ? `${at}.0` : at);
        else places.push(isList ? `${at}.0` : at);
      }
    };
    walk(invoiceModel, '');
    for (const list of lists)
      if ((await page.$(`[data-item="${list}.0"]`)) === null) {
        // Not by a locator, which has the browser draw the whole form until the button stands still.
        await page.$eval(`[data-add="${list}"] button`, (button) => (button as HTMLElement).click());
        await page.waitForSelector(`[data-item="${list}.0"]`);
      }
    const shown = new Set(
      await page.$$eval('.invoice-form [data-path]', (all) => all.map((one) => one.getAttribute('data-path'))),
    );
    expect(places.filter((place) => !shown.has(place))).to.deep.equal([
      'process.specification',
      'totals.lines',
      'totals.allowances',
      'totals.charges',
      'totals.withoutVat',
      'totals.vat',
      'totals.withVat',
      'totals.due',
      'vatBreakdown.0.taxableAmount',
      'vatBreakdown.0.taxAmount',
      'lines.0.netAmount',
    ]);
    const ids = await page.$$eval('.invoice-form [id]', (all) => all.map(({ id }) => id));
    expect(ids).to.have.length(new Set(ids).size);
    // Axe takes seconds for hundreds of fields that are alike; test/console/invoices.test.ts has it look at fewer.
    const faults = await (isNightly ? faultsOf(page) : overflowOf(page));
    expect(faults, faults.join('\n')).to.deep.equal([]);
    await page.close();
  });

  it('have allowances and charges of the invoice and of lines, attributes, and references', async () => {
    const page = await openForm();
    await fill(page, needed);
    await openAll(page);
    for (const list of ['allowances', 'charges', 'lines.0.allowances', 'lines.0.item.attributes', 'precedingInvoices'])
      await add(page, list);
    await fill(page, {
      'allowances.0.baseAmount': '100',
      'allowances.0.percentage': '5',
      'allowances.0.reason': 'Loyal customer',
      'charges.0.amount': '4',
      'charges.0.reasonCode': 'FC',
      'lines.0.allowances.0.amount': '0.05',
      'lines.0.allowances.0.reasonCode': '95',
      'lines.0.item.attributes.0.name': 'Colour',
      'lines.0.item.attributes.0.value': 'blue',
      'lines.0.item.sellerIdentifier': 'A-1',
      'precedingInvoices.0.number': 'R-6',
      'payee.name': 'Factoring GmbH',
      'delivery.address.city': 'Köln',
      'delivery.address.country': 'DE',
    });
    // 100.05 - 0.05 - 5 + 4 = 99.00; the allowance has the rate of the line.
    await page.waitForFunction(
      "document.querySelector('[data-path=\"totals.withVat\"]')?.textContent === 'Total with VAT117.81'",
    );
    const text = Buffer.from((await created(page)).bytes).toString();
    for (const part of ['Loyal customer', 'FC', '95', 'Colour', 'blue', 'A-1', 'R-6', 'Factoring GmbH', 'Köln'])
      expect(text).to.contain(`>${part}<`);
    await page.close();
  });

  it('show what the server says at a field that was out of sight, also behind an item that is empty', async () => {
    const page = await openForm();
    await fill(page, needed);
    await add(page, 'supportingDocuments');
    await add(page, 'supportingDocuments');
    await fill(page, { 'supportingDocuments.1.description': 'Time sheet' });
    await openAll(page);
    await add(page, 'lines.0.charges');
    await fill(page, { 'lines.0.charges.0.reason': 'Freight' });
    await page.$$eval('.invoice-more[open] > summary', (all) => all.forEach((one) => (one as HTMLElement).click()));
    await page.waitForFunction("document.querySelector('.invoice-more[open]') === null");
    await clickOn(page, '.invoice-form [type=submit]');
    await page.waitForSelector('[data-path="lines.0.charges.0.amount"] .field.wrong');
    await page.waitForSelector('[data-path="supportingDocuments.1.reference"] .field.wrong');
    expect(await page.$$eval('.invoice-more[open]', (all) => all.length)).to.equal(1);
    await page.waitForFunction(
      "document.activeElement.closest('[data-path]')?.dataset.path === 'lines.0.charges.0.amount'",
    );
    await page.close();
  });

  it('hold supporting documents, with the types that the standard allows', async () => {
    const { attachable } = await import('../../console/src/screens/invoices/form/attachable.js');
    expect(new Set(Object.values(attachable))).to.deep.equal(attachmentTypes.values);
    const sheet = join(folder, 'times.csv');
    await writeFile(sheet, 'day;hours\n1;8\n');
    const page = await openForm();
    await fill(page, needed);
    await add(page, 'supportingDocuments');
    await fill(page, { 'supportingDocuments.0.reference': 'T-1' });
    await choose(page, '[data-path="supportingDocuments.0.attachment"]', sheet);
    const text = Buffer.from((await created(page)).bytes).toString();
    expect(text)
      .to.contain('mimeCode="text/csv"')
      .and.to.contain('filename="times.csv"')
      .and.to.contain(Buffer.from('day;hours\n1;8\n').toString('base64'));
    await page.close();
  });

  it('show a page of one’s own in the hybrid PDF, and say at it what is wrong with it', async () => {
    const page = await openForm();
    await fill(page, { ...needed, 'delivery.date': '2026-11-28' });
    expect(await page.$('[data-field=page]')).to.equal(null);
    await page.locator('[data-field=format] .input').fill('pdf');
    const broken = join(folder, 'broken.pdf');
    await writeFile(broken, 'no PDF');
    await choose(page, '[data-field=page]', broken);
    await clickOn(page, '.invoice-form [type=submit]');
    await page.waitForSelector('[data-field=page] .field.wrong');
    await page.waitForFunction("document.activeElement.closest('[data-field]')?.dataset.field === 'page'");
    await choose(page, '[data-field=page]', fixture('page.pdf'));
    expect(await page.$('[data-field=page] .field.wrong')).to.equal(null);
    const { name, bytes } = await created(page);
    expect(name).to.equal('R-7.pdf');
    const path = join(folder, 'hybrid.pdf');
    await writeFile(path, bytes);
    const { invoices } = await findInvoicesIn({ path });
    expect(invoices.map(({ filename }) => filename)).to.deep.equal(['factur-x.xml']);
    await page.close();
  });
});
