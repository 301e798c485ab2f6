/// <reference lib="dom" />
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { json, send } from '../http/support/client.js';
import { addUser, bossName, bossPassword, sendJson, sessionOf } from '../http/support/login.js';
import { takePort } from '../http/support/process.js';
import { until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

interface Listed {
  readonly id: number;
  readonly fileName: string;
  readonly shareLinks: readonly { readonly token: string }[];
}

describe('Stored files in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  before(async function () {
    const { port, release } = await takePort();
    release();
    const at = `http://127.0.0.1:${port}`;
    const opened = await openConsole({
      settings: {
        server: { port },
        system: { frontendUrl: at },
        security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
        storage: { enabled: true, quotas: { maxStorageMbPerUser: 1 }, sharing: { enabled: true, linkEnabled: true } },
      },
      plugins: ['@quire/plugin-general'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-stored-'));
    await writeFile(join(folder, 'plan.pdf'), await makePdf({ pages: 2 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openAs(path: string, name = bossName, password = bossPassword): Promise<Page> {
    const { authorization } = await sessionOf(browser, name, password);
    const page = await browser.open('login');
    await page.evaluate(
      (token) => {
        const session = { kind: 'session', token, expiresAt: Date.now() + 3_600_000 };
        localStorage.setItem('quire.session', JSON.stringify(session));
      },
      authorization.replace('Bearer ', ''),
    );
    await page.goto(`${browser.url}/${path}`);
    return page;
  }
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

  it('are uploaded into a folder, shown, and handed to a tool', async () => {
    const page = await openAs('files');
    await waitForText(page, 'button', 'New folder');
    await clickText(page, 'button', 'New folder');
    await page.waitForSelector('dialog input');
    await page.type('dialog input', 'Plans');
    await page.keyboard.press('Enter');
    await waitForText(page, '.file-link', 'Plans');
    await clickText(page, '.file-link', 'Plans');
    await waitForText(page, 'h1', 'Plans');
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(join(folder, 'plan.pdf'));
    await waitForText(page, '.file-link', 'plan.pdf');
    // A file whose content was never replaced shows when it was uploaded.
    await waitForText(page, 'td[data-label=Changed]', String(new Date().getFullYear()));
    await clickText(page, '.file-link', 'plan.pdf');
    await page.waitForSelector('dialog canvas');
    await page.keyboard.press('Escape');
    await page.click('[aria-label="Actions for plan.pdf"]');
    await clickText(page, '[role=menuitem], .menu-item', 'Open in a tool');
    await page.waitForSelector('dialog [role=option]');
    await page.type('dialog [role=combobox]', 'rotate');
    await page.keyboard.press('Enter');
    await waitForText(page, '.file-name', 'plan.pdf');
    await page.close();
  });

  it('are shared by a link, which another user opens', async () => {
    const boss = await sessionOf(browser);
    const { username, password } = await addUser(browser, boss, 'reader');
    const page = await openAs('files');
    await waitForText(page, '.file-link', 'Plans');
    await clickText(page, '.file-link', 'Plans');
    await waitForText(page, '.file-link', 'plan.pdf');
    await page.click('[aria-label="Actions for plan.pdf"]');
    await clickText(page, '[role=menuitem], .menu-item', 'Share');
    await waitForText(page, 'dialog button', 'Create a link');
    await clickText(page, 'dialog button', 'Create a link');
    await page.waitForSelector('dialog code');
    const link = await page.$eval('dialog code', (one) => one.textContent ?? '');
    await page.close();
    const other = await openAs(link.slice(browser.url.length + 1), username, password);
    await waitForText(other, 'h1', 'plan.pdf');
    await other.waitForSelector('canvas');
    const kindsOfUse = async (): Promise<readonly string[]> => {
      const read = <T>(path: string) =>
        send(`${browser.url}/api/v1/storage/files${path}`, { headers: boss }).then((answer) => json<T>(answer));
      const files = await read<readonly Listed[]>('');
      const { id, shareLinks } = files.find(({ fileName }) => fileName === 'plan.pdf')!;
      const uses = await read<readonly { accessType: string }[]>(
        `/${id}/shares/links/${shareLinks[0]!.token}/accesses`,
      );
      return uses.map(({ accessType }) => accessType);
    };
    expect(await kindsOfUse()).to.deep.equal(['VIEW']);
    await clickText(other, 'button', 'Download');
    await until('the owner sees the download', async () => (await kindsOfUse()).includes('DOWNLOAD'));
    await other.close();
  });

  it('tell their owner who opened a link, and whoever comes too late that it has ended', async () => {
    const page = await openAs('files');
    await waitForText(page, '.file-link', 'Plans');
    await clickText(page, '.file-link', 'Plans');
    await waitForText(page, '.file-link', 'plan.pdf');
    await page.click('[aria-label="Actions for plan.pdf"]');
    await clickText(page, '[role=menuitem], .menu-item', 'Share');
    await waitForText(page, 'dialog summary', 'Opened 2 times');
    await waitForText(page, 'dialog .link-uses', 'reader · Downloaded');
    const link = await page.$eval('dialog code', (one) => one.textContent ?? '');
    const stranger = await browser.open('login');
    await stranger.evaluate(() => localStorage.clear());
    await stranger.goto(link);
    await waitForText(stranger, 'dialog', 'Somebody shared a file with you.');
    await stranger.close();
    const boss = await openAs('files');
    await boss.bringToFront();
    await waitForText(boss, '.file-link', 'Plans');
    await clickText(boss, '.file-link', 'Plans');
    await waitForText(boss, '.file-link', 'plan.pdf');
    await boss.click('[aria-label="Actions for plan.pdf"]');
    await clickText(boss, '[role=menuitem], .menu-item', 'Share');
    await boss.waitForSelector('[aria-label="Delete the link"]');
    await boss.click('[aria-label="Delete the link"]');
    await boss.waitForSelector('dialog code', { hidden: true });
    await boss.goto(link);
    await waitForText(boss, 'h1', 'This link does not work any more');
    await boss.close();
    await page.close();
  });

  it('are uploaded with their folders; one that does not fit is explained and does not stop the others', async () => {
    const plans = join(folder, 'Project');
    await mkdir(join(plans, 'inner'), { recursive: true });
    await writeFile(join(plans, 'a-large.bin'), Buffer.alloc(2 * 1024 * 1024, 1));
    await writeFile(join(plans, 'b-small.txt'), 'small');
    await writeFile(join(plans, 'inner', 'c-deep.txt'), 'deep');
    const page = await openAs('files');
    await waitForText(page, '.usage', 'of 1 MB used');
    const input = (await page.waitForSelector('input[type=file][webkitdirectory]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(plans);
    await waitForText(page, '.uploads li[data-state=failed]', 'a-large.bin');
    await waitForText(page, '.uploads li[data-state=failed] .danger', 'does not fit');
    await waitForText(page, '.uploads li[data-state=done]', 'b-small.txt');
    await waitForText(page, '.uploads li[data-state=done]', 'c-deep.txt');
    await waitForText(page, '[role=status]', '2 of 3 files uploaded');
    await clickText(page, '.file-link', 'Project');
    await waitForText(page, '.file-link', 'b-small.txt');
    await clickText(page, '.file-link', 'inner');
    await waitForText(page, '.file-link', 'c-deep.txt');
    await page.close();
  });

  it('are moved and deleted several at once', async () => {
    const names = ['one.txt', 'two.txt', 'three.txt'];
    for (const name of names) await writeFile(join(folder, name), name);
    const page = await openAs('files');
    const input = (await page.waitForSelector(
      'input[type=file]:not([webkitdirectory])',
    )) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(...names.map((name) => join(folder, name)));
    for (const name of names) await waitForText(page, '.file-link', name);
    await page.click('[aria-label="Select one.txt"]');
    await page.click('[aria-label="Select two.txt"]');
    await waitForText(page, '.selection-bar', '2 files selected');
    await clickText(page, '.selection-bar button', 'Move');
    const plans = await page.$$eval('dialog option', (all) => all.find((each) => each.text === 'Plans')!.value);
    await page.select('dialog select', plans);
    await clickText(page, 'dialog button', 'Move');
    await page.waitForFunction("!document.body.textContent.includes('one.txt')");
    await clickText(page, '.file-link', 'Plans');
    for (const name of ['one.txt', 'two.txt']) {
      await waitForText(page, '.file-link', name);
      await page.click(`[aria-label="Select ${name}"]`);
    }
    await clickText(page, '.selection-bar button', 'Delete');
    await waitForText(page, 'dialog h2', 'Delete 2 files');
    await clickText(page, 'dialog button', 'Delete');
    await page.waitForFunction("!document.body.textContent.includes('two.txt')");
    expect(await page.$$eval('.file-link', (all) => all.map((one) => one.textContent))).to.include('plan.pdf');
    await page.close();
  });

  it('are in folders that show that they process them, and lead to what became of them', async () => {
    const boss = await sessionOf(browser);
    const folders = await sendJson(browser, '/api/v1/storage/folders', { name: 'Turned' }, boss);
    const folderId = json<{ id: string }>(folders).id;
    const steps = [{ operation: '/api/v1/general/rotate-pdf', parameters: { angle: 90 } }];
    const made = await sendJson(browser, '/api/v1/processing-folders', { folderId, steps }, boss);
    expect(made.status, made.body.toString()).to.equal(200);
    const page = await openAs('files');
    await waitForText(page, 'td .badge', 'Processes its files');
    await page.goto(`${browser.url}/files/${folderId}`);
    await waitForText(page, '.page-head .badge', 'Processes its files');
    await clickText(page, '.page-head .badge', 'Processes its files');
    await waitForText(page, 'h1', 'Turned');
    await waitForText(page, '.page-head a.badge', 'Files');
    expect(await page.$$eval('header a', (all) => all.map((one) => one.textContent))).not.to.include('Change');
    await page.goto(`${browser.url}/automations`);
    await waitForText(page, '.automation-row', 'Turned');
    await page.click('.automation-row [role=switch]');
    await until('it is off', async () => {
      const shown = await send(`${browser.url}/api/v1/processing-folders`, { headers: boss });
      return json<{ enabled: boolean }[]>(shown)[0]?.enabled === false;
    });
    await page.goto(`${browser.url}/files`);
    await (await page.waitForSelector('[aria-label="Actions for Turned"]'))?.click();
    await clickText(page, '[role=menuitem]', 'Delete');
    await waitForText(page, 'dialog', 'It processes its files; that ends too.');
    await clickText(page, 'dialog button', 'Delete');
    await page.waitForFunction("!document.body.textContent.includes('Turned')");
    expect(json(await send(`${browser.url}/api/v1/processing-folders`, { headers: boss }))).to.deep.equal([]);
    await page.close();
  });

  it('that are not shared any more are explained', async () => {
    const page = await openAs('share/no-such-link');
    await waitForText(page, 'h1', 'This link does not work any more');
    await page.close();
  });
});
