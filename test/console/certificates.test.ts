/// <reference lib="dom" />
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { bossName, bossPassword } from '../http/support/login.js';
import { productRoot } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickText, openAs, waitForText } from './page-words.js';

const DAY_MS = 86_400_000;
describe('The server certificate in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let page: Page;
  before(async function () {
    const opened = await openConsole({
      settings: {
        security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
        system: { serverCertificate: { enabled: true, organizationName: 'Papers' } },
      },
      plugins: ['@quire/plugin-admin-cert'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    page = await openAs(browser, 'administration/certificates');
  });
  after(() => browser?.stop());
  beforeEach(() => page.goto(`${browser.url}/administration/certificates`));
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  it('is shown with its owner and its validity', async () => {
    await waitForText(page, '.pairs dd', 'O=Papers');
    await waitForText(page, '.pairs dd', 'Self-signed');
    expect(await page.$('.card .notice')).to.equal(null);
  });

  it('warns some weeks before its end, and says when it is over', async () => {
    const answer = { exists: true, subject: 'CN=Old', issuer: 'CN=Authority', validFrom: '2025-01-01T00:00:00Z' };
    for (const [days, kind, words] of [
      [10.5, 'warning', 'expires in 10 days'],
      [-1, 'error', 'has expired'],
    ] as const) {
      await page.setRequestInterception(true);
      page.on('request', (request) => {
        const body = JSON.stringify({ ...answer, validTo: new Date(Date.now() + days * DAY_MS).toISOString() });
        void (request.url().endsWith('/admin/server-certificate/info')
          ? request.respond({ contentType: 'application/json', body })
          : request.continue());
      });
      await page.reload();
      await waitForText(page, `.notice.${kind}`, words);
      page.removeAllListeners('request');
      await page.setRequestInterception(false);
    }
  });

  it('is replaced by a keystore, after one with a wrong password was refused', async () => {
    await waitForText(page, 'label', 'Upload a keystore');
    const input = await page.waitForSelector('.card input[type=file]');
    await input!.uploadFile(join(productRoot, 'plugins', 'admin-cert', 'fixtures', 'keystore.p12'));
    await page.waitForSelector('dialog input[type=password]');
    await page.type('dialog input[type=password]', 'wrong');
    await page.click('dialog button[type=submit]');
    await waitForText(page, 'dialog .notice.error', 'password');
    await page.click('dialog input[type=password]', { count: 3 });
    await page.type('dialog input[type=password]', 'changeit');
    await page.click('dialog button[type=submit]');
    await page.waitForFunction(() => document.querySelector('dialog') === null);
    await page.waitForFunction(
      () => !(document.querySelector('.pairs')?.textContent ?? 'O=Papers').includes('O=Papers'),
    );
  });

  it('is generated again, and deleted', async () => {
    await waitForText(page, 'button', 'Generate a new one');
    await clickText(page, 'button', 'Generate a new one');
    await page.waitForSelector('dialog button[type=submit]');
    await page.click('dialog button[type=submit]');
    await waitForText(page, '.pairs dd', 'O=Papers');
    await clickText(page, '.card button', 'Delete');
    await page.waitForSelector('dialog button[type=submit]');
    await page.click('dialog button[type=submit]');
    await waitForText(page, '.card p', 'There is no certificate');
  });
});
