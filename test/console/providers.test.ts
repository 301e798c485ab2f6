/// <reference lib="dom" />
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { CertifiedIssuer, clientId, clientSecret } from '../http/support/certified-issuer.js';
import { bossName, bossPassword } from '../http/support/login.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { pressButton, waitForText } from './page-words.js';
import { clickOn } from './tool-page.js';

const ada = { sub: 'ada', preferred_username: 'ada.lovelace', email: 'ada@example.org', email_verified: true };

describe('Login with a provider in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let issuer: CertifiedIssuer;

  before(async function () {
    issuer = await CertifiedIssuer.listen();
    const client = { keycloak: { issuer: issuer.url, clientId, clientSecret } };
    const initialLogin = { username: bossName, password: bossPassword };
    const security = { enableLogin: true, initialLogin, oauth2: { enabled: true, client } };
    const opened = await openConsole({ settings: { security } });
    if (opened === undefined) return this.skip();
    browser = opened;
    issuer.serve(browser.url, 'keycloak');
  });
  beforeEach(() => (issuer.user = ada));
  after(async () => {
    await browser?.stop();
    await issuer?.close();
  });
  afterEach(() => {
    if (browser !== undefined)
      expect(browser.faults.splice(0).filter((fault) => !fault.startsWith(issuer.url))).to.deep.equal([]);
  });

  const forget = async (page: Page): Promise<void> => {
    await page.evaluate(() => localStorage.clear());
    await page.deleteCookie(...(await page.cookies(browser.url, issuer.url)));
    await page.close();
  };

  it('begins at the login, comes back to where it began, and leaves no token in the address', async () => {
    const page = await browser.open('account');
    await pressButton(page, 'Log in with Keycloak');
    await waitForText(page, 'h1', 'Your account');
    await waitForText(page, '.page-head p', 'ada.lovelace');
    expect(page.url()).to.equal(`${browser.url}/account`);
    expect(await page.$$eval('h2', (heads) => heads.map(({ textContent }) => textContent))).to.deep.equal([
      'Login providers',
      'API keys',
      'Sessions',
    ]);
    await forget(page);
  });

  it('says what went wrong, in words, and offers another way', async () => {
    issuer.user = { ...ada, sub: 'thief', preferred_username: bossName };
    const page = await browser.open('login');
    await pressButton(page, 'Log in with Keycloak');
    await waitForText(page, '.empty', 'There is an account with your name and a password.');
    await clickOn(page, 'a[href=login]');
    await page.waitForSelector('input[name=username]');
    await forget(page);
  });

  it('is linked to an account with a password, which can log in with it then', async () => {
    issuer.user = { ...ada, sub: 'boss at the provider', preferred_username: 'the.boss' };
    const page = await browser.open('account');
    await page.waitForSelector('input[name=username]');
    await page.type('input[name=username]', bossName);
    await page.type('input[name=password]', bossPassword);
    await clickOn(page, 'dialog button[type=submit]');
    await pressButton(page, 'Link Keycloak');
    await waitForText(page, '.account', 'Keycloak · the.boss');
    await waitForText(page, 'body', 'Keycloak is linked to your account.');
    await forget(page);

    const again = await browser.open('account');
    await pressButton(again, 'Log in with Keycloak');
    await waitForText(again, '.page-head p', bossName);
    await clickOn(again, 'button[aria-label="Unlink Keycloak"]');
    await waitForText(again, '.account', 'Link Keycloak');
    await forget(again);
  });

  it('is logged out of there too', async () => {
    const page = await browser.open('account');
    await pressButton(page, 'Log in with Keycloak');
    await waitForText(page, '.page-head p', 'ada.lovelace');
    await clickOn(page, '.account-button');
    await waitForText(page, '[role=menuitem]', 'Log out');
    await clickOn(page, '[role=menuitem]:last-child');
    await page.waitForFunction((url) => location.href.startsWith(url), {}, issuer.url);
    await forget(page);
  });
});
