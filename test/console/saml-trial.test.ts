/// <reference lib="dom" />
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { json, send } from '../http/support/client.js';
import { bossName, bossPassword, sessionOf } from '../http/support/login.js';
import { SamlIssuer } from '../http/support/saml-issuer.js';
import { SamlSetup } from '../http/support/saml-login.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { fillField, followTrial, openAs, pressButton, waitForText } from './page-words.js';

describe('A trial login with SAML in the console', function () {
  this.timeout(180_000);
  const setup = new SamlSetup();
  let browser: ConsoleBrowser;
  let page: Page;

  before(async function () {
    setup.issuer = await SamlIssuer.listen();
    const initialLogin = { username: bossName, password: bossPassword };
    const saml2 = { ...setup.settings(), groupRoles: ['pdf-admins=ROLE_ADMIN'] };
    const opened = await openConsole({ settings: { security: { enableLogin: true, initialLogin, saml2 } } });
    if (opened === undefined) return this.skip();
    browser = opened;
    setup.server = opened.server;
    page = await openAs(browser, 'administration/login-providers');
    await waitForText(page, 'h2', 'Set up');
  });
  after(async () => {
    await (browser === undefined ? setup.issuer?.close() : browser.stop().then(() => setup.issuer.close()));
  });
  afterEach(() => {
    if (browser !== undefined)
      expect(browser.faults.splice(0).filter((fault) => !fault.startsWith(setup.issuer.url))).to.deep.equal([]);
  });

  const press = (words: string): Promise<void> => pressButton(page, words);
  /** Begins a test, logs in in the tab that the link opens, and returns to the first one. */
  const tryOnce = async (): Promise<void> => {
    await press('Begin a test');
    await followTrial(page, 'a[href*="SAMLRequest="]');
  };

  it('shows the addresses to register, exactly', async () => {
    await press('Change or test');
    await waitForText(page, 'h2', 'Test this login');
    const shown = await page.$$eval('.addresses code', (all) => all.map(({ textContent }) => textContent));
    expect(shown).to.deep.equal([
      `${browser.url}/saml2/service-provider-metadata/quire`,
      `${browser.url}/login/saml2/sso/quire`,
      `${browser.url}/logout/saml2/slo/quire`,
    ]);
    expect(await faultsOf(page)).to.deep.equal([]);
  });

  it('explains what the identity provider sent, and what would follow', async () => {
    setup.issuer.says = { attributes: { username: 'ada.lovelace', groups: ['pdf-admins'] } };
    await tryOnce();
    await waitForText(page, '.notice.done', 'A new account ada.lovelace would be created for this user.');
    await waitForText(page, '.notice.done', 'Role: Administrator');
    await waitForText(page, 'table', 'persistent-id-of-ada');
    await waitForText(page, 'table', 'The assertion');
    expect(
      await page.$$eval('table .hidden-visually', (all) => all.map(({ textContent }) => textContent)),
    ).not.to.include('Not as expected:');
    expect(await faultsOf(page)).to.deep.equal([]);
  });

  it('shows which files of the server are used, and leaves them to the settings file', async () => {
    const shown = await page.$$eval('dl.facts dt', (all) => all.map(({ textContent }) => textContent));
    expect(shown).to.deep.equal(
      ['idpMetadataUri', 'idpCert', 'privateKey', 'spCert'].map((key) => `security.saml2.${key}`),
    );
    expect(await page.$$eval('dl.facts input', (all) => all.length)).to.equal(0);
  });

  it('tries what is entered and not saved yet', async () => {
    setup.issuer.says = { attributes: { username: 'ada.lovelace', badge: 'ada-the-first' } };
    await fillField(page, 'Attribute with the user name', 'badge');
    await tryOnce();
    await waitForText(page, '.notice.done', 'A new account ada-the-first would be created for this user.');
  });

  it('is saved for the next start, and a wrong value is refused at its field', async () => {
    await fillField(page, 'Single logout address', 'nowhere');
    await press('Save');
    await waitForText(page, '.field-error', 'security.saml2.idpSingleLogoutUrl');
    await fillField(page, 'Single logout address', 'https://idp.example/logout');
    await press('Save');
    await waitForText(page, '.notice', 'restart');
    const described = await send(`${browser.url}/api/v1/admin/settings/described`, {
      headers: await sessionOf(browser),
    });
    const { settings } = json<{ settings: readonly { key: string; pending?: unknown }[] }>(described);
    expect(settings.find(({ key }) => key === 'security.saml2.idpSingleLogoutUrl')?.pending).to.equal(
      'https://idp.example/logout',
    );
    expect(await faultsOf(page)).to.deep.equal([]);
  });

  it('names the fault, beside what was sent and what is expected', async () => {
    setup.issuer.says = { attributes: { username: 'ada.lovelace' }, audience: 'https://other.example' };
    await tryOnce();
    await waitForText(page, '.notice.error', 'The assertion is for another service.');
    await waitForText(page, 'table', 'https://other.example');
    await waitForText(page, 'table .hidden-visually', 'Not as expected:');
    expect(await faultsOf(page)).to.deep.equal([]);
  });
});
