/// <reference lib="dom" />
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { field, file, post } from '../http/support/client.js';
import { productRoot } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { download } from './tool-page.js';

const fixture = (name: string): string => join(productRoot, 'plugins', 'signing', 'fixtures', name);

describe('The report on signatures in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let signed: string;
  before(async function () {
    const opened = await openConsole({ plugins: ['@quire/plugin-security', '@quire/plugin-signing'] });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-signatures-'));
    signed = join(folder, 'signed.pdf');
    const answer = await post(`${browser.url}/api/v1/security/cert-sign`, [
      file(await readFile(fixture('plain.pdf')), 'plain.pdf'),
      file(await readFile(fixture('signer.p12')), 'signer.p12', 'p12File'),
      field('certType', 'PKCS12'),
      field('password', 'secret'),
      field('reason', 'I agree'),
    ]);
    expect(answer.status, answer.body.toString('latin1', 0, 300)).to.equal(200);
    await writeFile(signed, answer.body);
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function report(path: string): Promise<{ readonly page: Page; readonly text: string }> {
    const page = await browser.open('signatures');
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(path);
    await page.waitForSelector('.signature, .report-columns .notice');
    return { page, text: await page.$eval('.report-columns', (one) => one.textContent ?? '') };
  }

  it('says who signed, that nothing was changed, and that nobody confirms the signer', async () => {
    const { page, text } = await report(signed);
    expect(text).to.contain('The document is as it was when it was signed.');
    expect(text).to.contain('Intact, but the signer is not confirmed');
    expect(text).to.match(/Signed by .+, at /);
    await page.waitForSelector('canvas');
    await page.close();
  });

  it('says so when the signed content was changed', async () => {
    const bytes = await readFile(signed);
    const at = bytes.indexOf('/MediaBox');
    expect(at).to.be.greaterThan(0);
    const digit = bytes.subarray(at).findIndex((byte) => byte >= 0x31 && byte <= 0x38) + at;
    bytes[digit]! += 1;
    const tampered = join(folder, 'tampered.pdf');
    await writeFile(tampered, bytes);
    const { page, text } = await report(tampered);
    expect(text).to.contain('Not valid').and.to.contain('it proves nothing');
    await page.close();
  });

  it('says that a document is not signed', async () => {
    const { page, text } = await report(fixture('plain.pdf'));
    expect(text).to.contain('The document is not signed.');
    await page.close();
  });

  it('is about a visible signature where somebody has put it on a page', async () => {
    const path = join(folder, 'two.pdf');
    await writeFile(path, await makePdf({ pages: 2 }));
    const page = await browser.open('tool/security/cert-sign');
    const inputOf = async (part: string) =>
      (await page.waitForSelector(`[data-field=${part}] input[type=file]`)) as ElementHandle<HTMLInputElement>;
    await (await inputOf('fileInput')).uploadFile(path);
    await (await inputOf('p12File')).uploadFile(fixture('signer.p12'));
    await page.type('[data-field=password] input', 'secret');
    await page.click('[data-field=showSignature] input');
    await page.waitForSelector('.page-stage canvas');
    await page.click('.page-stage-foot [aria-label="Next page"]');
    const layer = await page.waitForSelector('.page-stage .area-layer');
    await layer!.click({ offset: { x: 100, y: 80 } });
    const valueOf = (name: string): Promise<number> =>
      page.$eval(`[data-field=${name}] input`, (input) => Number((input as HTMLInputElement).value));
    await page.waitForFunction("Number(document.querySelector('[data-field=x] input').value) > 0");
    expect(await valueOf('pageNumber')).to.equal(2);
    const chosen = { x: await valueOf('x'), y: await valueOf('y') };
    await page.click('.run-bar [type=submit]');
    await page.waitForSelector('.result-head');
    const saved = await download(page, folder);
    const widget = (await PDFDocument.load(saved.bytes)).getForm().getFields()[0]!.acroField.getWidgets()[0]!;
    const { x, y, width, height } = widget.getRectangle();
    expect([width, height].map(Math.round)).to.deep.equal([200, 50]);
    expect(Math.abs(x - chosen.x)).to.be.lessThan(0.1);
    expect(Math.abs(y - chosen.y)).to.be.lessThan(0.1);
    await page.close();
  });
});
