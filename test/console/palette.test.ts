/// <reference lib="dom" />
import { expect } from 'chai';
import type { HTTPRequest, Page } from 'puppeteer-core';
import { addUser, bossName, bossPassword, sessionOf } from '../http/support/login.js';
import { addRole, userRights } from '../http/support/roles.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { openAs, waitForText } from './page-words.js';

async function pressSearchKeys(page: Page): Promise<void> {
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
}

async function search(page: Page, words: string): Promise<void> {
  await page.waitForSelector('dialog.palette input');
  await page.$eval('dialog.palette input', (input) => (input as HTMLInputElement).select());
  await page.keyboard.type(words);
}

const FIRST = 'dialog.palette .options li:first-child';

/** The titles of what was found. */
function titlesOf(page: Page): Promise<string[]> {
  return page.$$eval('dialog.palette .palette-title', (all) => all.map((one) => one.textContent ?? ''));
}

/** Waits until the search finds this first. */
async function waitForFirst(page: Page, title: string, aside: string): Promise<void> {
  await waitForText(page, `${FIRST} .palette-title`, title);
  await waitForText(page, `${FIRST} .palette-aside`, aside);
}

/** Keeps the script of the palette from the page; returns what lets it through, once it was asked for. */
async function holdPalette(page: Page): Promise<() => Promise<void>> {
  await page.setRequestInterception(true);
  let asked!: (request: HTTPRequest) => void;
  const request = new Promise<HTTPRequest>((resolve) => (asked = resolve));
  page.on('request', (each) => {
    if (/\/palette-[^/]*\.js$/.test(each.url())) asked(each);
    else void each.continue();
  });
  return async () => (await request).continue();
}

describe('The search of the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  before(async function () {
    const security = { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } };
    const opened = await openConsole({ settings: { security }, plugins: ['@quire/plugin-general'] });
    if (opened === undefined) return this.skip();
    browser = opened;
    const boss = await sessionOf(browser);
    const made = await addRole(browser, boss, 'ROLE_AUDITOR', { ...userRights, areas: ['audit'] });
    expect(made.status, made.body.toString()).to.equal(201);
    await addUser(browser, boss, 'ann', 'ROLE_AUDITOR');
    await addUser(browser, boss, 'bob');
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  it('finds the sections of the administration, also by other words, and opens them', async () => {
    const page = await openAs(browser, '');
    await page.waitForSelector('.tool-card');
    await pressSearchKeys(page);
    for (const [words, title] of [
      ['users', 'Users'],
      ['teams', 'Teams'],
      ['settings', 'Settings'],
      ['metrics', 'Usage'],
      ['keystore', 'Certificates'],
      ['administration backups', 'Backups'],
    ] as const) {
      await search(page, words);
      await waitForFirst(page, title, 'Administration');
    }
    await search(page, 'api keys');
    await waitForFirst(page, 'Your account', 'Page');
    await search(page, 'administration backups');
    await waitForFirst(page, 'Backups', 'Administration');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => location.pathname.endsWith('/administration/backups'));
    await page.waitForSelector('[aria-label="Sections"] [aria-current]');
    await page.close();
  });

  it('finds only the sections that the caller may open', async () => {
    const anns = await openAs(browser, '', 'ann', 'password of ann');
    await anns.waitForSelector('.tool-card');
    await pressSearchKeys(anns);
    await search(anns, 'administration');
    await waitForText(anns, 'dialog.palette .options', 'Audit log');
    expect(await titlesOf(anns)).to.have.members(['Administration', 'Audit log', 'Programs']);
    await anns.close();
    const bobs = await openAs(browser, '', 'bob', 'password of bob');
    await bobs.waitForSelector('.tool-card');
    await pressSearchKeys(bobs);
    await search(bobs, 'audit log');
    // The list of pages before a search has given way to what was found.
    await bobs.waitForFunction(
      () => !document.querySelector('dialog.palette')?.textContent?.includes('Organise pages'),
    );
    expect(await titlesOf(bobs)).not.to.include('Audit log');
    await bobs.close();
  });

  it('keeps what is typed before it is loaded, whatever had the focus', async () => {
    const page = await openAs(browser, '');
    await page.waitForSelector('.tool-card');
    const release = await holdPalette(page);
    await page.focus('.search-field input');
    await pressSearchKeys(page);
    await page.keyboard.type('mergee');
    await page.keyboard.press('Backspace');
    expect(await page.$('dialog.palette')).to.equal(null);
    await release();
    await waitForText(page, `${FIRST} .palette-title`, 'Merge PDFs');
    await page.keyboard.type(' pdf');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('dialog.palette input')?.value === 'merge pdf',
    );
    expect(await page.$eval('.search-field input', (input) => (input as HTMLInputElement).value)).to.equal('');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog.palette', { hidden: true });
    await pressSearchKeys(page);
    await page.waitForFunction(() => document.querySelector<HTMLInputElement>('dialog.palette input')?.value === '');
    await page.close();
  });

  it('writes the place of what it found below its title on a phone', async () => {
    const page = await openAs(browser, '');
    await page.waitForSelector('.tool-card');
    await page.setViewport({ width: 360, height: 740 });
    await pressSearchKeys(page);
    await search(page, 'pages');
    await waitForText(page, 'dialog.palette .palette-aside', 'Pages');
    const beside = await page.$$eval('dialog.palette .palette-item', (items) =>
      items.filter((item) => {
        const [title, aside] = ['.palette-title', '.palette-aside'].map((part) =>
          item.querySelector(part)!.getBoundingClientRect(),
        );
        return aside!.top < title!.bottom;
      }),
    );
    expect(beside).to.have.length(0);
    await page.close();
  });

  it('is closed by Escape before it is loaded, and letters go to the page again', async () => {
    const page = await openAs(browser, '');
    await page.waitForSelector('.tool-card');
    const release = await holdPalette(page);
    await page.focus('.search-field input');
    await pressSearchKeys(page);
    await page.keyboard.type('me');
    await page.keyboard.press('Escape');
    await page.keyboard.type('rotate');
    await release();
    expect(await page.$eval('.search-field input', (input) => (input as HTMLInputElement).value)).to.equal('rotate');
    expect(await page.$('dialog.palette')).to.equal(null);
    await pressSearchKeys(page);
    await page.waitForSelector('dialog.palette input');
    expect(await page.$eval('dialog.palette input', (input) => (input as HTMLInputElement).value)).to.equal('');
    await page.close();
  });

  // The last one: the language is kept.
  it('finds them in the language of the page', async () => {
    const page = await openAs(browser, '');
    await page.waitForSelector('.tool-card');
    await page.evaluate(() => localStorage.setItem('quire.language', 'de'));
    await page.reload();
    await page.waitForSelector('.shell[data-language=de] .tool-card');
    await pressSearchKeys(page);
    for (const [words, title] of [
      ['benutzer', 'Benutzer'],
      ['einstellungen', 'Einstellungen'],
      ['statistik', 'Nutzung'],
      ['users', 'Benutzer'],
    ] as const) {
      await search(page, words);
      await waitForFirst(page, title, 'Verwaltung');
    }
    await page.close();
  });
});
