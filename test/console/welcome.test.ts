/// <reference lib="dom" />
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { sendFields, sessionOf } from '../http/support/login.js';
import { until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickText, waitForText } from './page-words.js';

const FIRST_NAME = 'first.boss';
const FIRST_PASSWORD = 'from the settings file';
const OWN_PASSWORD = 'one that nobody wrote down';

const pathOf = (page: Page): string => new URL(page.url()).pathname;
const next = async (page: Page, title: string): Promise<void> => {
  await clickText(page, '.welcome a.button', 'Next');
  await waitForText(page, '#step-title', title);
};

describe('The first steps on a new server with login', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  before(async function () {
    const security = { enableLogin: true, initialLogin: { username: FIRST_NAME, password: FIRST_PASSWORD } };
    const opened = await openConsole({ settings: { security, console: { welcome: true } } });
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const logIn = async (page: Page, name: string, password: string): Promise<void> => {
    await page.waitForSelector('input[name=username]');
    await page.type('input[name=username]', name);
    await page.type('input[name=password]', password);
    await page.click('dialog button[type=submit]');
  };

  it('begin after the first login and ask for a password of one’s own', async () => {
    const page = await browser.open('');
    await logIn(page, FIRST_NAME, FIRST_PASSWORD);
    await waitForText(page, '#step-title', 'Your password');
    await waitForText(page, '.notice.warning', 'security.initialLogin.password');
    await clickText(page, '.notice button', 'Change the password');
    await page.waitForSelector('dialog input');
    const fields = await page.$$('dialog input[type=password]');
    for (const [i, text] of [FIRST_PASSWORD, OWN_PASSWORD, OWN_PASSWORD].entries()) await fields[i]!.type(text);
    await page.click('dialog button[type=submit]');
    await waitForText(page, '.notice.done', FIRST_NAME);
    expect(await sessionOf(browser, FIRST_NAME, OWN_PASSWORD)).to.have.property('authorization');
    await page.close();
  });

  it('explain login, and say that turning it off waits for a restart', async () => {
    const page = await browser.open('welcome/login');
    await waitForText(page, '.choices .chosen', 'Login on');
    await clickText(page, '.welcome .card button', 'Turn login off');
    await page.waitForSelector('dialog button[type=submit]');
    await page.click('dialog button[type=submit]');
    await waitForText(page, '.notice.warning', 'start');
    const file = join(browser.server.basePath, 'configs', 'settings.yml');
    expect(readFileSync(file, 'utf8')).to.match(/enableLogin: false/);
    await page.close();
  });

  it('show programs and folders, end at the tools, and are not shown again', async () => {
    const page = await browser.open('');
    await waitForText(page, '#step-title', 'Your password');
    await next(page, 'Login');
    await next(page, 'Programs');
    await waitForText(page, '.table th', 'How to install it');
    await next(page, 'Folders');
    await waitForText(page, '.table td', browser.server.basePath);
    await clickText(page, '.welcome button', 'Finish');
    await page.waitForSelector('.tool-grid');
    expect(pathOf(page)).to.equal('/');
    await page.goto(`${browser.url}/`);
    await page.waitForSelector('.tool-grid');
    expect(pathOf(page)).to.equal('/');
    await page.goto(`${browser.url}/administration`);
    await waitForText(page, '.page-head a', 'First steps');
    await clickText(page, '.page-head a', 'First steps');
    await waitForText(page, '#step-title', 'Your password');
    await page.close();
  });

  it('are refused to others, who are not led there', async () => {
    const boss = await sessionOf(browser, FIRST_NAME, OWN_PASSWORD);
    const account = { username: 'ann', password: 'password of ann', role: 'ROLE_USER', authType: 'web' };
    await sendFields(browser, '/api/v1/user/admin/saveUser', account, boss);
    const page = await browser.open('account');
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${browser.url}/welcome`);
    await logIn(page, 'ann', 'password of ann');
    await waitForText(page, '.notice.error', 'Only administrators');
    await page.close();
  });

  it('give an administrator who replaced a given password the rights at once', async () => {
    const boss = await sessionOf(browser, FIRST_NAME, OWN_PASSWORD);
    const account = { username: 'late', password: 'given by the boss', role: 'ROLE_ADMIN', authType: 'web' };
    await sendFields(browser, '/api/v1/user/admin/saveUser', { ...account, forceChange: 'true' }, boss);
    const page = await browser.open('account');
    await page.evaluate(() => localStorage.clear());
    await page.goto(`${browser.url}/`);
    await logIn(page, 'late', 'given by the boss');
    await waitForText(page, 'dialog', 'Choose your own password');
    // The password that was just typed is not asked for again.
    const fields = await page.$$('dialog input[type=password]');
    expect(fields).to.have.length(2);
    for (const field of fields) await field.type('now it is mine');
    await clickText(page, 'dialog button[type=submit]', 'Save');
    await waitForText(page, 'nav a', 'Administration');
    await page.close();
  });
});

describe('The first steps on a new server without login', function () {
  this.timeout(180_000);

  it('are shown on the same machine, tell how to turn login on, and can be skipped', async function () {
    const browser = await openConsole({ settings: { console: { welcome: true } } });
    if (browser === undefined) return this.skip();
    try {
      const page = await browser.open('');
      await waitForText(page, '#step-title', 'Login');
      await waitForText(page, '.choices .chosen', 'Login off');
      await waitForText(page, '.lines', 'enableLogin: true');
      await waitForText(page, '.welcome', join(browser.server.basePath, 'configs', 'settings.yml'));
      // The tools can be looked at meanwhile.
      await clickText(page, 'nav a', 'Tools');
      await page.waitForSelector('.tool-grid');
      await page.goto(`${browser.url}/`);
      await waitForText(page, '#step-title', 'Login');
      await clickText(page, '.welcome button', 'Skip');
      await page.waitForSelector('.tool-grid');
      const other = await browser.open('');
      await other.waitForSelector('.tool-grid');
      await until('the start page stays', () => pathOf(other) === '/');
      expect(browser.faults.splice(0)).to.deep.equal([]);
    } finally {
      await browser.stop();
    }
  });
});
