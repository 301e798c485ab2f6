/// <reference lib="dom" />
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { CertifiedIssuer, clientId, clientSecret } from '../http/support/certified-issuer.js';
import { bossName, bossPassword } from '../http/support/login.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { fillField, followTrial, openAs, pressButton, waitForText } from './page-words.js';

const ada = {
  sub: 'ada',
  preferred_username: 'ada.lovelace',
  email: 'ada@example.org',
  email_verified: true,
  groups: ['staff', 'pdf-admins'],
};

describe('Setting up login providers in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let issuer: CertifiedIssuer;
  let page: Page;

  before(async function () {
    issuer = await CertifiedIssuer.listen();
    const initialLogin = { username: bossName, password: bossPassword };
    const opened = await openConsole({ settings: { security: { enableLogin: true, initialLogin } } });
    if (opened === undefined) return this.skip();
    browser = opened;
    issuer.serve(browser.url, 'keycloak');
    page = await openAs(browser, 'administration/login-providers');
    await waitForText(page, 'h2', 'Add a provider');
  });
  after(async () => {
    await browser?.stop();
    await issuer?.close();
  });
  afterEach(() => {
    issuer.user = ada;
    issuer.amr = ['pwd'];
    if (browser !== undefined)
      expect(browser.faults.splice(0).filter((fault) => !fault.startsWith(issuer.url))).to.deep.equal([]);
  });

  const press = (words: string): Promise<void> => pressButton(page, words);
  const fill = (label: string, text: string): Promise<void> => fillField(page, label, text);
  const choose = async (name: string): Promise<void> => {
    await press(name);
    await waitForText(page, 'h2', 'Test this login');
  };
  /** Follows the link to the provider in the tab that it opens, and returns to the first one. */
  const logInThere = (): Promise<void> => followTrial(page, 'a[href*="/auth?"]');

  it('shows the addresses to register, exactly', async () => {
    await choose('Keycloak');
    const shown = await page.$$eval('.addresses code', (all) => all.map(({ textContent }) => textContent));
    expect(shown).to.deep.equal([
      `${browser.url}/login/oauth2/code/keycloak`,
      `${browser.url}/login?logout=true`,
      `${browser.url}/logout/connect/back-channel/keycloak`,
      `${browser.url}/logout/connect/front-channel/keycloak`,
    ]);
    expect(await faultsOf(page)).to.deep.equal([]);
  });

  it('says at the field what is missing', async () => {
    await press('Begin a test');
    await waitForText(page, '.field-error', 'security.oauth2.client.keycloak.issuer is empty');
    await waitForText(page, '.field-error', 'security.oauth2.client.keycloak.clientId is empty');
  });

  it('explains a wrong issuer', async () => {
    await fill('Issuer', `${issuer.url}/realms/none`);
    await fill('Client id', clientId);
    await fill('Client secret', clientSecret);
    await press('Begin a test');
    await waitForText(page, '.notice.error', 'it does not describe a provider at this address');
    expect(await faultsOf(page)).to.deep.equal([]);
  });

  it('tries what is not saved yet, and explains what the provider sent', async () => {
    await fill('Issuer', issuer.url);
    await page.click('details summary');
    await fill('Roles by group', 'pdf-admins=ROLE_ADMIN');
    await press('Begin a test');
    await waitForText(page, '.notice.done', 'The provider answers');
    issuer.user = ada;
    await logInThere();
    await waitForText(page, '.notice.done', 'A new account ada.lovelace would be created for this user.');
    await waitForText(page, '.notice.done', 'Role: Administrator');
    await waitForText(page, '.verdict-list', 'ada@example.org is verified.');
    await waitForText(page, '.verdict-list', 'No second factor was used (pwd).');
    await waitForText(page, 'table', '["staff","pdf-admins"]');
    expect(await faultsOf(page)).to.deep.equal([]);
  });

  it('says why a user would be refused, and what went wrong at the provider', async () => {
    issuer.user = { ...ada, preferred_username: bossName };
    await press('Begin a test');
    await logInThere();
    await waitForText(page, '.notice.warning', 'The name belongs to another account.');
    await fill('Client secret', 'not the secret');
    await press('Begin a test');
    await logInThere();
    await waitForText(page, '.notice.error', 'Check client id and client secret.');
  });

  it('saves, so that the provider is in use after a restart, and never shows the secret again', async () => {
    await fill('Client secret', clientSecret);
    await press('Save');
    await waitForText(page, '.notice.warning', 'settings wait for a restart.');
    await press('All providers');
    await waitForText(page, '.switch-row', 'In use after a restart');
    await press('Change or test');
    await waitForText(page, 'h2', 'Test this login');
    expect(await page.content()).not.to.include(clientSecret);
    await press('Begin a test');
    await waitForText(page, '.notice.done', 'The provider answers');
  });

  it('asks for the secret again when the issuer changes', async () => {
    await fill('Issuer', 'https://elsewhere.example');
    await press('Begin a test');
    await waitForText(page, '.field-error', 'changes the address that');
  });

  it('removes a provider', async () => {
    await press('Remove the provider');
    await waitForText(page, 'dialog', 'Nobody can log in there');
    await page.click('dialog button[type=submit]');
    await press('All providers');
    await page.waitForFunction(() => !document.body.textContent.includes('In use after a restart'));
  });

  it('names the addresses of another provider by the name that is typed', async () => {
    await choose('Other (OpenID Connect)');
    await fill('Name that users see', 'My Company');
    await page.waitForFunction(() =>
      document.querySelector('.addresses code')?.textContent.endsWith('/login/oauth2/code/my-company'),
    );
  });
});
