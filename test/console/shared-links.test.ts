/// <reference lib="dom" />
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { json } from '../http/support/client.js';
import { bossName, bossPassword, sessionOf } from '../http/support/login.js';
import { takePort } from '../http/support/process.js';
import { until } from '../http/support/server.js';
import { StorageClient, type Caller } from '../http/support/storage.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { saveUnderNames } from './tool-page.js';
import { clickText, openAs, waitForText } from './page-words.js';

const password = 'a quiet harbour';

describe('A shared link, to somebody without an account', function () {
  this.timeout(240_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let client: StorageClient;
  let boss: Caller;
  let pdf: Uint8Array;
  let id: number;

  before(async function () {
    const { port, release } = await takePort();
    release();
    const opened = await openConsole({
      settings: {
        server: { port },
        system: { frontendUrl: `http://127.0.0.1:${port}/tools`, rootUriPath: '/tools' },
        security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
        storage: { enabled: true, sharing: { enabled: true, publicLinkEnabled: true } },
      },
      plugins: ['@quire/plugin-general'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-shared-links-'));
    client = new StorageClient(browser);
    boss = await sessionOf(browser);
    pdf = await makePdf({ pages: 2 });
    ({ id } = await client.keep(boss, pdf, { fileName: 'plan.pdf', type: 'application/pdf' }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const newLink = async (options: object): Promise<string> => {
    const answer = await client.json('POST', `/files/${id}/shares/links`, { withoutAccount: true, ...options }, boss);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<{ token: string }>(answer).token;
  };
  const openAsStranger = async (path: string, chosen: Readonly<Record<string, string>> = {}): Promise<Page> => {
    const page = await browser.open('login');
    await page.evaluate((settings) => {
      localStorage.clear();
      for (const [name, value] of Object.entries(settings)) localStorage.setItem(name, value);
    }, chosen);
    await page.goto(`${browser.url}/${path}`);
    return page;
  };
  const saved = (): Promise<Buffer | undefined> => readFile(join(folder, 'plan.pdf')).catch(() => undefined);
  const uses = async (token: string): Promise<readonly string[]> =>
    json<{ accessType: string }[]>(await client.get(`/files/${id}/shares/links/${token}/accesses`, boss)).map(
      ({ accessType }) => accessType,
    );

  it('is made by its owner in the console, with a password and a number of downloads', async () => {
    const page = await openAs(browser, 'files');
    await waitForText(page, '.file-link', 'plan.pdf');
    await page.click('[aria-label="Actions for plan.pdf"]');
    await clickText(page, '[role=menuitem], .menu-item', 'Share');
    await waitForText(page, 'dialog button', 'Create a link');
    await clickText(page, 'dialog label.check', 'Works without an account');
    await clickText(page, 'dialog summary', 'Password, end');
    await page.type('dialog input[type=password]', password);
    await page.select('dialog select', '24');
    await page.type('dialog input[inputmode=numeric]', '3');
    expect(await faultsOf(page)).to.deep.equal([]);
    await clickText(page, 'dialog button', 'Create a link');
    await page.waitForSelector('dialog code');
    for (const fact of ['Works without an account', 'With a password', '3 of 3 downloads left'])
      await waitForText(page, 'dialog .badge', fact);
    const [link] = (await client.describe(id, boss)).shareLinks;
    expect(Date.parse(link?.expiresAt ?? '') - Date.parse(link?.createdAt ?? '')).to.equal(86_400_000);
    await client.remove(`/files/${id}/shares/links/${link?.token}`, boss);
    await page.close();
  });

  it('asks for the password, shows the file, saves it once more without counting, and is used up then', async () => {
    const token = await newLink({ password, maxDownloads: 1 });
    const page = await openAsStranger(`share/${token}`);
    await saveUnderNames(page, folder);
    await waitForText(page, 'h1', 'protected by a password');
    expect(await page.$eval('body', (body) => body.textContent ?? '')).not.to.contain('plan.pdf');
    await page.type('input[type=password]', 'another harbour');
    await page.keyboard.press('Enter');
    await waitForText(page, '.field-error', 'This password is wrong.');
    await page.$eval('input[type=password]', (input) => (input as HTMLInputElement).select());
    await page.type('input[type=password]', password);
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'plan.pdf');
    await waitForText(page, '.file-view', 'can be opened 1 more time');
    expect(await uses(token), 'nothing was loaded yet').to.deep.equal([]);
    expect(await page.$$('nav'), 'no navigation for strangers').to.deep.equal([]);
    await clickText(page, '.file-view button', 'Open the file');
    await page.waitForSelector('.viewer canvas');
    await page.waitForFunction("!document.querySelector('.share-page header button').disabled");
    await clickText(page, '.share-page header button', 'Download');
    await until('the file is saved', async () => (await saved())?.equals(pdf) === true);
    expect(await uses(token)).to.deep.equal(['VIEW']);
    await page.reload();
    await waitForText(page, 'h1', 'This link is used up');
    await page.close();
  });

  it('shows a file without password at once, and says why others do not open', async () => {
    const open = await newLink({});
    const page = await openAsStranger(`share/${open}`);
    await page.waitForSelector('.viewer canvas');
    await client.remove(`/files/${id}/shares/links/${open}`, boss);
    await page.reload();
    await waitForText(page, '.empty', 'The file is not shared any more.');
    await page.goto(`${browser.url}/share/no-such-link`);
    await waitForText(page, '.empty', 'The address may be incomplete');
    await page.goto(`${browser.url}/share/${await newLink({ withoutAccount: false })}`);
    await waitForText(page, 'dialog', 'Somebody shared a file with you.');
    await page.keyboard.press('Escape');
    await waitForText(page, 'h1', 'This link needs an account');
    await clickText(page, 'button', 'Log in');
    await page.waitForSelector('dialog input[name=username]');
    await page.type('dialog input[name=username]', bossName);
    await page.type('dialog input[name=password]', bossPassword);
    await page.keyboard.press('Enter');
    await waitForText(page, 'h1', 'plan.pdf');
    await page.waitForSelector('nav');
    await page.close();
  });

  for (const [language, theme, width] of [
    ['en', 'light', 1024],
    ['de', 'dark', 360],
    ['ar', 'light', 360],
  ] as const)
    it(`is accessible and fits in ${language}, ${theme}, ${width} pixels wide`, async () => {
      const chosen = { 'quire.language': language, 'quire.theme': JSON.stringify(theme) };
      const page = await openAsStranger('login', chosen);
      await page.setViewport({ width, height: 800 });
      const shown: [string, string][] = [
        [await newLink({ password }), '.share-password'],
        [await newLink({ maxDownloads: 2 }), '.file-view'],
        [await newLink({}), '.viewer canvas'],
        ['no-such-link', '.empty'],
      ];
      for (const [token, selector] of shown) {
        await page.goto(`${browser.url}/share/${token}`);
        await page.waitForSelector(selector);
        expect(await faultsOf(page), selector).to.deep.equal([]);
      }
      await page.close();
    });
});
