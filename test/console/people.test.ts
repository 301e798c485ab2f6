/// <reference lib="dom" />
import { expect } from 'chai';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'puppeteer-core';
import { CertifiedIssuer, clientId, clientSecret } from '../http/support/certified-issuer.js';
import { bossName, bossPassword } from '../http/support/login.js';
import { PictureHost } from '../http/support/picture-host.js';
import { productRoot } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { openAs, pressButton, waitForText } from './page-words.js';

const photo = readFileSync(join(productRoot, 'plugins/convert/fixtures/photo.jpg'));
const hostile = '<img src=x onerror=alert(1)>';

describe('Names and pictures of people in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let issuer: CertifiedIssuer;
  let host: PictureHost;

  before(async function () {
    [issuer, host] = await Promise.all([CertifiedIssuer.listen(), PictureHost.listen()]);
    const client = { keycloak: { issuer: issuer.url, clientId, clientSecret } };
    const initialLogin = { username: bossName, password: bossPassword };
    const security = { enableLogin: true, initialLogin, oauth2: { enabled: true, client } };
    const opened = await openConsole({ settings: { security, ...host.settings } });
    if (opened === undefined) return this.skip();
    browser = opened;
    issuer.serve(browser.url, 'keycloak');
  });
  after(async () => {
    await browser?.stop();
    await Promise.all([issuer?.close(), host?.close()]);
  });
  afterEach(() => {
    if (browser !== undefined)
      expect(browser.faults.splice(0).filter((fault) => !fault.startsWith(issuer.url))).to.deep.equal([]);
  });

  const logIn = async (claims: Readonly<Record<string, unknown>>): Promise<Page> => {
    issuer.user = { sub: String(claims['preferred_username']), ...claims };
    const page = await browser.open('account');
    await pressButton(page, 'Log in with Keycloak');
    await waitForText(page, 'h1', 'Your account');
    return page;
  };
  const forget = async (page: Page): Promise<void> => {
    await page.evaluate(() => localStorage.clear());
    await page.deleteCookie(...(await page.cookies(browser.url, issuer.url)));
    await page.close();
  };
  const isPictured = (page: Page, selector: string) =>
    page.waitForFunction(
      (where) => (document.querySelector<HTMLImageElement>(where)?.naturalWidth ?? 0) > 0,
      {},
      selector,
    );

  it('are shown in the menu and on the account page, where the picture can be removed', async () => {
    const claims = { preferred_username: 'ada', name: 'Ada Lovelace', picture: host.has('/ada.jpg', photo) };
    let page = await logIn(claims);
    await waitForText(page, '.profile-head', 'Ada Lovelace');
    await waitForText(page, '.account-name', 'Ada Lovelace');
    await waitForText(page, '.page-head p', 'ada');
    await forget(page);
    // The picture comes after the login.
    page = await logIn(claims);
    await isPictured(page, '.profile-head .avatar img');
    await isPictured(page, '.account-button .avatar img');
    const sources = await page.$$eval('img', (images) => images.map(({ src }) => src));
    expect(sources.filter((src) => src.startsWith(host.url))).to.deep.equal([]);
    await pressButton(page, 'Remove your picture');
    await page.waitForSelector('.avatar[data-initials=AL]');
    await waitForText(page, 'button', 'Allow a picture');
    expect(await page.$('.avatar img')).to.equal(null);
    await pressButton(page, 'Allow a picture');
    await page.waitForFunction(() => !document.body.textContent?.includes('Allow a picture'));
    await forget(page);
  });

  it('are texts, whatever a provider sends', async () => {
    const page = await logIn({ preferred_username: 'mallory', name: `\u202e${hostile}` });
    await waitForText(page, '.account-name', hostile);
    expect(await page.$('img[src=x]')).to.equal(null);
    await forget(page);
  });

  it('are in the list of users, beside the user names, and found by a search', async () => {
    const page = await openAs(browser, 'administration/users');
    await waitForText(page, '.person-name', 'Ada Lovelace');
    await waitForText(page, '.person-name', 'mallory');
    await page.type('input[type=search]', 'lovelace');
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    expect(await page.$eval('.person-name', ({ textContent }) => textContent)).to.equal('Ada Lovelaceada');
    await forget(page);
  });
});
