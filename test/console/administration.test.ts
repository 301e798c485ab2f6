/// <reference lib="dom" />
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { send } from '../http/support/client.js';
import { bossName, bossPassword, sessionOf } from '../http/support/login.js';
import { until } from '../http/support/server.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickText, openAs, waitForText } from './page-words.js';

describe('The administration in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  before(async function () {
    const security = { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } };
    const opened = await openConsole({
      settings: { security, mail: { enableInvites: true } },
      plugins: ['@quire/plugin-general', '@quire/plugin-misc', '@quire/plugin-convert'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  it('creates an account, whose owner must change the password and sees no administration', async () => {
    const page = await openAs(browser, 'administration/users');
    await waitForText(page, 'button', 'Add a user');
    await clickText(page, 'button', 'Add a user');
    await page.waitForSelector('dialog input');
    await page.type('dialog input[type=text]', 'ann');
    await page.type('dialog input[type=password]', 'short');
    await page.click('dialog button[type=submit]');
    await waitForText(page, 'dialog .notice', 'fewer than 8 characters');
    await page.type('dialog input[type=password]', ' but longer now');
    await page.click('dialog button[type=submit]');
    await waitForText(page, '.table td', 'ann');
    await waitForText(page, '.table td', 'Must change the password');
    await page.close();
    const session = await sessionOf(browser, 'ann', 'short but longer now');
    const refused = await send(`${browser.url}/api/v1/proprietary/ui-data/admin-settings`, { headers: session });
    expect(refused.status).to.equal(403);
  });

  it('makes an invite that is shown once', async () => {
    const page = await openAs(browser, 'administration/users');
    await waitForText(page, 'button', 'Invite');
    await clickText(page, 'button', 'Invite');
    await page.waitForSelector('dialog button[type=submit]');
    await page.click('dialog button[type=submit]');
    await waitForText(page, 'dialog code', '/invite');
    await page.keyboard.press('Escape');
    await waitForText(page, 'h2', 'Open invites');
    await page.close();
  });

  it('switches a tool off and on again, which others see at once', async () => {
    const page = await openAs(browser, 'administration/tools');
    await page.waitForSelector('input[type=search]');
    await page.type('input[type=search]', 'rotate');
    const state = (): Promise<boolean> =>
      page.$eval('.switch-row [aria-label="Rotate pages"]', (one) => (one as HTMLInputElement).checked);
    await page.waitForSelector('.switch-row [aria-label="Rotate pages"]');
    await page.click('.switch-row [aria-label="Rotate pages"]');
    await until('the switch is off', async () => !(await state()));
    const other = await openAs(browser, 'tool/general/rotate-pdf');
    await other.waitForSelector('.notice');
    expect(await other.$eval('button[type=submit]', (one) => (one as HTMLButtonElement).disabled)).to.equal(true);
    await other.close();
    await page.click('.switch-row [aria-label="Rotate pages"]');
    await until('the switch is on', state);
    await page.close();
  });

  it('refuses a wrong setting at its place, and saves a right one after showing the difference', async () => {
    const page = await openAs(browser, 'administration/settings');
    await page.waitForSelector('input[type=search]');
    await page.type('input[type=search]', 'system.maxDPI');
    await page.waitForSelector('.setting input');
    const type = async (text: string): Promise<void> => {
      await page.click('.setting input', { count: 3 });
      await page.type('.setting input', text);
      await clickText(page, 'button', 'Review and save');
      await page.waitForSelector('dialog .diff');
      expect(await page.$eval('dialog .diff', (one) => one.textContent)).to.contain(text);
      await page.click('dialog button[type=submit]');
    };
    await type('many');
    await page.waitForSelector('dialog .notice.error');
    await page.keyboard.press('Escape');
    await waitForText(page, '.setting .field-error', 'system.maxDPI');
    await type('333');
    await waitForText(page, '.notice', 'waits for a restart');
    await waitForText(page, '.setting', 'After a restart: 333');
    const file = join(browser.server.basePath, 'configs', 'settings.yml');
    expect(existsSync(file) && readFileSync(file, 'utf8')).to.match(/maxDPI: 333/);
    await page.close();
  });

  it('shows what was done in the audit log', async () => {
    const page = await openAs(browser, 'administration/audit');
    await waitForText(page, '.table .badge', 'SETTINGS_CHANGED');
    await page.close();
  });

  it('draws the load while the page is open', async () => {
    const page = await openAs(browser, 'administration/usage');
    await page.waitForSelector('.plot canvas');
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>('.plot canvas');
      const pixels = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return pixels.some((value) => value > 0);
    });
    await waitForText(page, '.plots strong', 'of');
    await page.close();
  });

  it('creates a backup and offers it', async () => {
    const page = await openAs(browser, 'administration/backups');
    await waitForText(page, 'button', 'Create a backup');
    await clickText(page, 'button', 'Create a backup');
    await page.waitForSelector('[aria-label^="Restore "]');
    expect(await page.$eval('tbody td.number', (cell) => cell.textContent)).to.match(/^[\d.,]+ [kM]B$/);
    await page.close();
  });

  it('shows whom the server trusts, and that it has no certificate where no plugin brings one', async () => {
    const page = await openAs(browser, 'administration/certificates');
    await waitForText(page, '.card p', '@quire/plugin-admin-cert is not in use');
    await waitForText(page, '.table td', 'Authorities that Mozilla trusts');
    await waitForText(page, '.table .badge.done', 'Loaded');
    expect(await page.$('.notice.error')).to.equal(null);
    await page.close();
  });

  it('shows the licence and stores a key', async () => {
    const page = await openAs(browser, 'administration/licence');
    await waitForText(page, '.facts', 'Not stored');
    await clickText(page, 'button', 'Store a key');
    await page.waitForSelector('dialog input');
    await page.type('dialog input', 'a-key-of-this-test');
    await page.click('dialog button[type=submit]');
    await waitForText(page, 'button', 'Change the key');
    await page.click('details summary');
    await waitForText(page, '.table td', '@hapi/hapi');
    await page.close();
  });

  it('lists the servers with their load', async () => {
    const page = await openAs(browser, 'administration/nodes');
    await waitForText(page, '.table td', 'Answers this page');
    await waitForText(page, '.table td', 'Answers calls and runs jobs');
    expect(await page.$$eval('.table td.number', (cells) => cells.map((cell) => cell.textContent ?? ''))).to.satisfy(
      ([workers, memory]: readonly string[]) => /^\d+ of \d+$/.test(workers ?? '') && /^[\d.]+ MB$/.test(memory ?? ''),
    );
    await page.close();
  });

  it('names the command that installs a program', async () => {
    const page = await openAs(browser, 'administration/programs');
    await waitForText(page, '.table', 'Version');
    const missing = await page.$$eval('.table tbody tr', (rows) =>
      rows.map((row) => row.textContent ?? '').filter((text) => text.includes('Not installed')),
    );
    for (const row of missing) expect(row).to.match(/install/i);
    await page.close();
  });
});
