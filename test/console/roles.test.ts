/// <reference lib="dom" />
import { expect } from 'chai';
import type { Page } from 'puppeteer-core';
import { json, send } from '../http/support/client.js';
import { addUser, bossName, bossPassword, sessionOf } from '../http/support/login.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickText, openAs, waitForText } from './page-words.js';

interface Role {
  readonly name: string;
  readonly title: string;
  readonly rights: Readonly<Record<string, unknown>>;
}

describe('Roles in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let boss: Readonly<Record<string, string>>;
  let page: Page;

  before(async function () {
    const security = { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } };
    const opened = await openConsole({
      settings: { security },
      plugins: ['@quire/plugin-general', '@quire/plugin-misc'],
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    boss = await sessionOf(browser);
    await addUser(browser, boss, 'ann');
    page = await openAs(browser, 'administration/roles');
    await waitForText(page, '.table', 'ROLE_USER');
  });
  after(() => browser?.stop());
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const role = async (name: string): Promise<Role> => {
    const answer = await send(`${browser.url}/api/v1/admin/roles/${name}`, { headers: boss });
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Role>(answer);
  };
  const field = async (label: string): Promise<string> =>
    page.$$eval(
      'label',
      (labels, wanted) =>
        `[id="${labels.find(({ textContent }) => textContent?.replace(/\*.*/, '') === wanted)?.htmlFor ?? ''}"]`,
      label,
    );
  const menuOf = async (name: string, item: string): Promise<void> => {
    await page.click(`button[aria-label="Actions for ${name}"]`);
    await waitForText(page, '[role=menuitem]', item);
    await clickText(page, '[role=menuitem]', item);
  };

  it('lists roles with their tools, and who has them', async () => {
    await waitForText(page, '.badge', 'New users');
    await waitForText(page, '.table', 'All tools');
    expect(await faultsOf(page)).to.deep.equal([]);
    await menuOf('User', 'Who has it');
    await waitForText(page, 'dialog li', 'ann');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { hidden: true });
  });

  it('makes a role of chosen tools, with limits and an area of administration', async () => {
    await clickText(page, 'button', 'Add a role');
    await waitForText(page, 'h2', 'New role');
    await page.type(await field('Name that people see'), 'Front desk');
    expect(await page.$eval(await field('Name for programs'), (one) => (one as HTMLInputElement).value)).to.equal(
      'ROLE_FRONT_DESK',
    );
    await page.click(await field('All tools, also those that come later'));
    await page.waitForSelector('.tool-category');
    const general = '.tool-category:has(input[aria-label])';
    await page.click(`${general} .switches-head`);
    await page.waitForSelector('.tool-choices input');
    await page.click('.tool-choices input');
    await page.type(await field('Megabytes in one upload'), '25');
    await clickText(page, '.area-choices label', 'Audit log');
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.click('form button[type=submit]');
    await waitForText(page, '.table', 'ROLE_FRONT_DESK');
    const { rights } = await role('ROLE_FRONT_DESK');
    expect(rights).to.deep.include({ areas: ['audit'], storage: 'use' });
    expect(rights['limits']).to.deep.include({ uploadMb: 25, apiCallsPerDay: null });
    expect((rights['operations'] as { deny: readonly string[] }).deny).to.have.length(1);
    expect(rights['categories']).to.be.an('array');
  });

  it('says in the words of the server why a role cannot be saved', async () => {
    await clickText(page, 'button', 'Add a role');
    await waitForText(page, 'h2', 'New role');
    await page.type(await field('Name that people see'), 'Front desk');
    await page.click('form button[type=submit]');
    await waitForText(page, '.notice.error', 'ROLE_FRONT_DESK');
    await clickText(page, 'button', 'Cancel');
    await waitForText(page, '.table', 'ROLE_FRONT_DESK');
  });

  it('gives a role to a user, and a tool beside it', async () => {
    await page.goto(`${browser.url}/administration/users`);
    await waitForText(page, '.table td', 'ann');
    await menuOf('ann', 'Role and team');
    await page.waitForSelector('dialog select');
    await page.select('dialog select', 'ROLE_FRONT_DESK');
    await page.click('dialog button[type=submit]');
    await waitForText(page, '.table td', 'Front desk');
    await waitForText(page, '.table td', 'Password');
    await menuOf('ann', 'Tools beside the role');
    await page.waitForSelector('dialog select');
    await page.select('dialog select', 'OPERATION:misc/repair');
    await clickText(page, 'dialog button', 'Grant');
    await page.waitForSelector('dialog li button');
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.click('dialog li button');
    await waitForText(page, 'dialog', 'None: the role alone decides.');
    await page.keyboard.press('Escape');
  });

  it('deletes a role that nobody has, and keeps one that somebody has', async () => {
    await page.goto(`${browser.url}/administration/roles`);
    await waitForText(page, '.table', 'ROLE_FRONT_DESK');
    await menuOf('Front desk', 'Delete');
    await waitForText(page, 'dialog', 'Only a role that nobody has');
    await page.click('dialog button[type=submit]');
    await page.waitForSelector('dialog .notice.error');
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { hidden: true });
    await menuOf('Front desk', 'Give it to new users');
    await waitForText(page, '.toast', 'It takes effect after a restart.');
  });

  it('shows somebody who administers one area that area, and nothing else', async () => {
    const anns = await openAs(browser, 'administration', 'ann', 'password of ann');
    await waitForText(anns, 'h1', 'Administration');
    await anns.waitForSelector('.table');
    const sections = await anns.$$eval('[aria-label="Sections"] a', (links) =>
      links.map(({ textContent }) => textContent),
    );
    expect(sections).to.deep.equal(['Programs', 'Audit log']);
    expect(await anns.$$('a[href$="folders"]')).to.have.length(0);
    expect(await faultsOf(anns)).to.deep.equal([]);
    await anns.close();
  });
});
