/// <reference lib="dom" />
import { expect } from 'chai';
import { Secret, TOTP } from 'otpauth';
import type { Page } from 'puppeteer-core';
import { makePdf } from '@quire/plugin-kit';
import { field, file, post, send } from '../http/support/client.js';
import { addUser, bossName, bossPassword, sendFields, sessionOf } from '../http/support/login.js';
import { takePort } from '../http/support/process.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

const PASSWORD = 'a-password-of-my-own';

describe('An account in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  before(async function () {
    const { port, release } = await takePort();
    release();
    // Passkeys work with names only, not with 127.0.0.1.
    const at = `http://localhost:${port}`;
    const security = { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } };
    const opened = await openConsole(
      {
        settings: { server: { port }, security, system: { frontendUrl: at }, mail: { enableInvites: true } },
        plugins: ['@quire/plugin-general'],
      },
      { at },
    );
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const waitForText = (page: Page, selector: string, words: string) =>
    page.waitForFunction(
      (where, what) => [...document.querySelectorAll(where)].some((one) => (one.textContent ?? '').includes(what)),
      {},
      selector,
      words,
    );
  const clickText = (page: Page, selector: string, words: string) =>
    page.evaluate(
      (where, what) => {
        const found = [...document.querySelectorAll<HTMLElement>(where)].find((one) => one.textContent?.includes(what));
        if (found === undefined) throw new Error(`nothing says ${what}`);
        found.click();
      },
      selector,
      words,
    );
  /** Fills the fields of the open dialog in their order. */
  async function fill(page: Page, ...texts: readonly string[]): Promise<void> {
    await page.waitForSelector('dialog input.input');
    const inputs = await page.$$('dialog input.input');
    for (const [i, text] of texts.entries()) if (text !== '') await inputs[i]!.type(text);
  }
  async function logIn(page: Page, name: string, password: string): Promise<void> {
    await page.waitForSelector('input[autocomplete=username]');
    await fill(page, name, password);
    await page.keyboard.press('Enter');
  }
  /** A new user with a password of their own, logged in on the page of the account. */
  async function openAccount(name: string): Promise<{ page: Page; session: { readonly authorization: string } }> {
    const boss = await sessionOf(browser);
    await addUser(browser, boss, name, 'ROLE_USER', PASSWORD);
    const session = await sessionOf(browser, name, PASSWORD);
    const page = await browser.open('login');
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${browser.url}/account`);
    await logIn(page, name, PASSWORD);
    await waitForText(page, 'h2', 'Sessions');
    return { page, session };
  }

  it('begins with a password of its own, where an administrator gave the first one', async () => {
    const boss = await sessionOf(browser);
    const fields = { username: 'first', password: 'given-by-the-boss', role: 'ROLE_USER', authType: 'web' };
    await sendFields(browser, '/api/v1/user/admin/saveUser', { ...fields, forceChange: 'true' }, boss);
    const page = await browser.open('tool/general/rotate-pdf');
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await logIn(page, 'first', 'given-by-the-boss');
    await waitForText(page, 'dialog h2', 'Choose your own password');
    const dialog = (await page.$$('dialog')).at(-1)!;
    const inputs = await dialog.$$('input.input');
    expect(inputs, 'the password that was just typed is not asked for').to.have.length(2);
    expect(await page.$$('dialog'), 'nothing waits behind it').to.have.length(1);
    expect(await dialog.$$eval('button:not(.icon-button)', (all) => all.map((one) => one.textContent))).to.deep.equal([
      'Log out',
      'Save',
    ]);
    for (const [i, text] of [PASSWORD, PASSWORD].entries()) await inputs[i]!.type(text);
    await page.keyboard.press('Enter');
    await page.waitForSelector('input[type=file]');
    await sessionOf(browser, 'first', PASSWORD);
    await page.close();
  });

  it('is offered the login on a page that only administrators see', async () => {
    const page = await browser.open('administration');
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await page.waitForSelector('.empty .button.primary');
    await page.click('.empty .button.primary');
    await logIn(page, bossName, bossPassword);
    await waitForText(page, 'h1', 'Administration');
    await page.close();
  });

  it('is not asked to log in on the page after the login page, whose session has not ended', async () => {
    const { page } = await openAccount('wanderer');
    await page.evaluate(() => {
      const link = Object.assign(document.createElement('a'), { href: 'login' });
      document.body.append(link);
      link.click();
      link.remove();
    });
    await page.waitForSelector('dialog input[autocomplete=username]');
    expect(await page.$eval('dialog', (dialog) => dialog.textContent)).not.to.include('session has ended');
    await page.goBack();
    await waitForText(page, 'h2', 'Sessions');
    expect(await page.$$('dialog')).to.deep.equal([]);
    expect(new URL(page.url()).pathname).to.equal('/account');
    await page.close();
  });

  it('says what is wrong with a password', async () => {
    const page = await browser.open('login');
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await logIn(page, bossName, 'not the password');
    await page.waitForSelector('dialog .notice.error');
    await page.close();
  });

  it('gets a second factor, and asks for it at the next login', async () => {
    const { page } = await openAccount('factor');
    await clickText(page, 'button', 'Set up');
    await page.waitForSelector('dialog .qr');
    const secret = await page.$eval('dialog code', (one) => one.textContent ?? '');
    await fill(page, new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.keyboard.press('Enter');
    await waitForText(page, '.badge', 'On');
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await logIn(page, 'factor', PASSWORD);
    await page.waitForSelector('dialog input[autocomplete=one-time-code]');
    await page.type('dialog input[autocomplete=one-time-code]', '000000');
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog .field-error, dialog .notice.error');
    await page.close();
  });

  it('gets a key that works in its categories only, until it is revoked', async () => {
    const { page } = await openAccount('keys');
    await clickText(page, 'button', 'Create a key');
    await fill(page, 'nightly script');
    await clickText(page, 'dialog label', 'Pages');
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('dialog code.secret');
    const key = await page.$eval('dialog code.secret', (one) => one.textContent ?? '');
    await page.keyboard.press('Escape');
    await waitForText(page, '.line', 'nightly script');
    const headers = { 'x-api-key': key };
    const parts = [file(await makePdf({ pages: 1 })), field('angle', '90')];
    expect((await post(`${browser.url}/api/v1/general/rotate-pdf`, parts, headers)).status).to.equal(200);
    expect((await send(`${browser.url}/api/v1/user/users`, { headers })).status).to.equal(403);
    await page.click('[aria-label="Revoke nightly script"]');
    await page.waitForFunction("!document.body.textContent.includes('nightly script')");
    expect((await post(`${browser.url}/api/v1/general/rotate-pdf`, parts, headers)).status).to.equal(401);
    await page.close();
  });

  it('ends its other sessions', async () => {
    const { page, session } = await openAccount('sessions');
    await clickText(page, 'button', 'End all others');
    await page.waitForFunction('document.querySelectorAll(\'[aria-label^="End the session"]\').length === 0');
    expect((await send(`${browser.url}/api/v1/auth/me`, { headers: session })).status).to.equal(401);
    await page.close();
  });

  it('gets a passkey, and logs in with it', async () => {
    const { page } = await openAccount('passkey');
    const client = await page.createCDPSession();
    await client.send('WebAuthn.enable');
    await client.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    await clickText(page, 'button', 'Add a passkey');
    await fill(page, 'Laptop');
    await page.keyboard.press('Enter');
    await waitForText(page, '.line', 'Laptop');
    await page.evaluate(() => localStorage.clear());
    await page.reload();
    await waitForText(page, 'dialog button', 'Log in with a passkey');
    await clickText(page, 'dialog button', 'Log in with a passkey');
    await waitForText(page, '.line', 'Laptop');
    await page.close();
  });

  it('is made with an invite', async () => {
    const boss = await sessionOf(browser);
    const answer = await sendFields(
      browser,
      '/api/v1/invite/generate',
      { role: 'ROLE_USER', sendEmail: 'false' },
      boss,
    );
    const { inviteUrl } = JSON.parse(answer.body.toString()) as { inviteUrl: string };
    const page = await browser.open(inviteUrl.slice(browser.url.length + 1));
    await page.waitForSelector('input[type=email]');
    const inputs = await page.$$('input.input');
    for (const [i, text] of ['new@example.org', PASSWORD, PASSWORD].entries()) await inputs[i]!.type(text);
    await page.keyboard.press('Enter');
    await waitForText(page, '[role=status]', 'is ready');
    await sessionOf(browser, 'new@example.org', PASSWORD);
    await page.close();
  });
});
