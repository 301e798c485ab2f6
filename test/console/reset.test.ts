/// <reference lib="dom" />
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { addUser, bossName, bossPassword, sendJson, sessionOf } from '../http/support/login.js';
import { MailServer } from '../http/support/mail-server.js';
import { until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { waitForText } from './page-words.js';

const security = { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } };
const NAME = 'ann@example.org';
const NEXT = 'words of my own choice';

describe('A forgotten password in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let mail: MailServer;
  let link: string | undefined;
  before(async function () {
    mail = await MailServer.start();
    const system = { frontendUrl: 'https://docs.example.org' };
    const opened = await openConsole({ settings: { security, mail: mail.settings, system } });
    if (opened === undefined) return this.skip();
    browser = opened;
    await addUser(browser, await sessionOf(browser), NAME);
  });
  after(async () => {
    await browser?.stop();
    await mail?.stop();
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  /** The part of the link after the address of the server, which a test cannot have. */
  const linkIn = (text: string): string | undefined => /https:\/\/docs\.example\.org\/(reset#[\w-]+)/.exec(text)?.[1];
  const chooseNew = async (page: Page, first: string, second: string): Promise<void> => {
    await page.waitForFunction(() => document.querySelectorAll('input[type=password]').length === 2);
    const fields = await page.$$('input[type=password]');
    for (const [i, text] of [first, second].entries()) await fields[i]!.type(text);
  };

  it('is replaced by the link of a mail, from the login on', async () => {
    const page = await browser.open('login');
    await waitForText(page, 'dialog a', 'Forgot your password?');
    await page.click('dialog a[href=reset]');
    await page.waitForSelector('input[name=username]');
    await page.type('input[name=username]', NAME);
    await page.click('button[type=submit]');
    await waitForText(page, 'h1', 'Look into your mail');
    await until('the mail has arrived', () => linkIn(mail.lastTo(NAME)) !== undefined);

    link = linkIn(mail.lastTo(NAME));
    await page.goto(`${browser.url}/${link}`);
    await chooseNew(page, 'short', 'short');
    expect(await page.$eval('input[readonly]', (field) => (field as HTMLInputElement).value)).to.equal(NAME);
    await page.click('button[type=submit]');
    await waitForText(page, '.notice.error', 'fewer than 8 characters');
    const fields = await page.$$('input[type=password]');
    for (const field of fields) {
      await field.click({ count: 3 });
      await field.type(NEXT);
    }
    await page.click('button[type=submit]');
    await waitForText(page, '.notice.done', 'The password is changed');
    const login = await sendJson(browser, '/api/v1/auth/login', { username: NAME, password: NEXT });
    expect(login.status).to.equal(200);
    await page.close();
  });

  it('says that a link was used, and asks for a new one', async () => {
    const page = await browser.open(link ?? '');
    await waitForText(page, 'h1', 'This link does not work');
    await page.click('button');
    await page.waitForSelector('input[name=username]');
    expect(new URL(page.url()).hash).to.equal('');
    await page.close();
  });

  it('asks no differently for a name that nobody has', async () => {
    const page = await browser.open('reset');
    await page.waitForSelector('input[name=username]');
    await page.type('input[name=username]', 'nobody@example.org');
    await page.click('button[type=submit]');
    await waitForText(page, 'h1', 'Look into your mail');
    await page.close();
  });
});

describe('A forgotten password in the console without mail', function () {
  this.timeout(180_000);

  it('leads to an administrator', async function () {
    const browser = await openConsole({ settings: { security } });
    if (browser === undefined) return this.skip();
    try {
      const page = await browser.open('login');
      await waitForText(page, 'dialog p', 'ask an administrator');
      expect(await page.$('dialog a[href=reset]')).to.equal(null);
      await page.goto(`${browser.url}/reset`);
      await waitForText(page, 'h1', 'Passwords are not reset by mail here');
    } finally {
      await browser.stop();
    }
  });
});
