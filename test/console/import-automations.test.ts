/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { json, send } from '../http/support/client.js';
import { API, step } from '../http/support/pipelines.js';
import { until } from '../http/support/server.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickOn, press, waitForWords } from './tool-page.js';

describe('Importing automations in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const opened = await openConsole({ plugins: ['@quire/plugin-general'] });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-import-'));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  const automations = async (): Promise<readonly { readonly name: string; readonly enabled: boolean }[]> =>
    json<{ name: string; enabled: boolean }[]>(await send(`${browser.url}${API}/automations`));
  const choose = async (page: Page, ...names: readonly string[]): Promise<void> => {
    const input = (await page.waitForSelector('dialog input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(...names.map((name) => join(folder, name)));
  };

  it('shows what differs, then imports', async () => {
    const steps = [step('general/rotate-pdf', { angle: 90 }), step('general/rotate-pfd', {})];
    await writeFile(join(folder, 'policy.json'), JSON.stringify({ name: 'Nightly', icon: 'star', steps }));
    await writeFile(join(folder, 'broken.json'), '{');
    const page = await browser.open('automations');
    await press(page, 'Import');
    await choose(page, 'policy.json', 'broken.json');
    await waitForWords(page, 'dialog', 'To do before it can run');
    await waitForWords(page, 'dialog', 'Cannot be imported');
    expect(await faultsOf(page)).to.deep.equal([]);
    expect(await automations()).to.deep.equal([]);
    await clickOn(page, 'dialog .button.primary');
    await until('it is imported', async () => (await automations()).length === 1);
    expect((await automations())[0]).to.deep.include({ name: 'Nightly', enabled: false });
    await waitForWords(page, 'dialog', 'Imported');
    await page.close();
  });

  it('shows why nothing can be imported', async () => {
    await writeFile(join(folder, 'broken.json'), '{');
    const page = await browser.open('automations');
    await press(page, 'Import');
    await choose(page, 'broken.json');
    await waitForWords(page, 'dialog', 'is not JSON');
    await page.close();
    // The refusal is a failed call in the browser's own log.
    browser.faults.splice(0);
  });
});
