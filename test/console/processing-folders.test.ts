/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { makePdf } from '../kit/make-pdf.js';
import { field, file, json, post, send } from '../http/support/client.js';
import { bossName, bossPassword, sendJson, sessionOf } from '../http/support/login.js';
import { API, step } from '../http/support/pipelines.js';
import { until } from '../http/support/server.js';
import { StorageClient, type Caller, type StoredFileWire } from '../http/support/storage.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickText, openAs, waitForText } from './page-words.js';
import { clickOn, enter, press } from './tool-page.js';

interface Shown {
  readonly id: string;
  readonly enabled: boolean;
  readonly steps: readonly { readonly operation: string; readonly parameters: Readonly<Record<string, unknown>> }[];
  readonly output: { readonly mode: string; readonly folderId: string | null };
}

const PLUGINS = ['general', 'misc', 'security'].map((name) => `@quire/plugin-${name}`);
const PATH = `${API}/processing-folders`;
const SECRET = 'stored secret';
const lock = step('security/add-password', { password: SECRET, keyLength: 256 });
const shots = process.env['SCREENSHOTS'];

describe('Folders that process their files, in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let storage: StorageClient;
  let boss: Caller;
  let folder: string;
  let letter: string;

  before(async function () {
    const opened = await openConsole({
      settings: {
        security: { enableLogin: true, initialLogin: { username: bossName, password: bossPassword } },
        storage: { enabled: true },
      },
      plugins: PLUGINS,
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    storage = new StorageClient(browser);
    boss = await sessionOf(browser);
    folder = await mkdtemp(join(tmpdir(), 'quire-console-processing-'));
    letter = join(folder, 'letter.pdf');
    await writeFile(letter, await makePdf({ pages: 3 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    if (browser === undefined) return;
    for (const { id } of await storage.list(boss)) await storage.remove(`/files/${id}`, boss);
    for (const { id } of json<{ id: string }[]>(await storage.get('/folders', boss)))
      await storage.remove(`/folders/${id}`, boss);
    expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const newFolder = async (name: string): Promise<string> => (await storage.makeFolder(boss, { name })).id;
  const listed = async (): Promise<readonly Shown[]> =>
    json<Shown[]>(await send(`${browser.url}${PATH}`, { headers: boss }));
  const makeLocking = async (folderId: string): Promise<Shown> => {
    const answer = await sendJson(browser, PATH, { folderId, steps: [lock] }, boss);
    expect(answer.status, answer.body.toString()).to.equal(200);
    return json<Shown>(answer);
  };
  const contentOf = async ({ id }: StoredFileWire): Promise<Buffer> =>
    (await storage.get(`/files/${id}/download`, boss)).body;
  const filesIn = async (folderId: string): Promise<readonly StoredFileWire[]> =>
    (await storage.list(boss)).filter((one) => one.folderId === folderId);
  const upload = async (page: Page): Promise<void> => {
    const input = await page.waitForSelector('input[type=file]:not([webkitdirectory])');
    await (input as ElementHandle<HTMLInputElement>).uploadFile(letter);
    await waitForText(page, '.file-link', 'letter.pdf');
  };
  const opensWith = async (bytes: Buffer, password: string): Promise<boolean> => {
    const form = [file(bytes, 'x.pdf'), field('password', password)];
    return (await post(`${browser.url}${API}/security/remove-password`, form, boss)).status === 200;
  };
  const choose = async (page: Page, words: string): Promise<void> => {
    await page.waitForSelector('dialog [role=combobox]');
    await page.keyboard.type(words);
    await waitForText(page, 'dialog [role=option][aria-selected=true]', words);
    await page.keyboard.press('Enter');
    await page.waitForSelector('dialog', { hidden: true });
  };
  const save = (page: Page): Promise<void> => clickOn(page, '.processing [data-save]');
  const focused = (page: Page, selector: string) =>
    page.waitForFunction((where) => document.activeElement?.closest(where) !== null, {}, selector);
  const shoot = async (page: Page, name: string): Promise<void> => {
    if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
  };

  it('are made in the menu of a folder; a wrong value is marked, and files that arrive get a new version', async () => {
    const folderId = await newFolder('Scans');
    const page = await openAs(browser, 'files');
    await clickOn(page, '[aria-label="Actions for Scans"]');
    await clickText(page, '[role=menuitem]', 'Process files automatically…');
    await waitForText(page, 'h1', 'Process files automatically');
    await page.waitForSelector('[data-check=empty]');
    await save(page);
    await focused(page, '.add-step');
    await press(page, 'Add a step');
    await choose(page, 'Delete pages');
    const pages = '[data-step="1"] [data-field=pageNumbers]';
    await page.waitForSelector(`${pages} :is(input, textarea)`);
    await enter(page, 'pageNumbers', '2-1');
    await waitForText(page, `${pages} .field-error`, 'runs backwards');
    await page.click('[data-step="1"] .step-toggle');
    await page.waitForSelector(pages, { hidden: true });
    await save(page);
    await waitForText(page, '.notice.error', 'It is not saved yet.');
    await waitForText(page, `${pages} .field-error`, 'runs backwards');
    await focused(page, pages);
    await shoot(page, 'wrong');
    expect(await faultsOf(page)).to.deep.equal([]);
    expect(await listed()).to.deep.equal([]);

    await enter(page, 'pageNumbers', '1-2');
    await page.waitForSelector('[data-check=valid]');
    await save(page);
    await waitForText(page, '.toast', 'The processing of “Scans” is saved.');
    await waitForText(page, '.page-head .badge', 'Processes its files');
    await upload(page);
    await until('the file has a new version', async () => {
      const [stored] = await filesIn(folderId);
      return stored?.updatedAt !== null && stored !== undefined;
    });
    const [stored, ...more] = await filesIn(folderId);
    expect(more).to.deep.equal([]);
    expect((await PDFDocument.load(await contentOf(stored!))).getPageCount()).to.equal(1);
    await shoot(page, 'folder');
    await clickText(page, 'header a', 'Change processing…');
    await waitForText(page, '.processing a', 'What became of the files');
    await clickText(page, '.processing a', 'What became of the files');
    await waitForText(page, 'h1', 'Scans');
    await waitForText(page, '.page', 'letter.pdf');
    await clickText(page, 'header a', 'Change processing…');
    await waitForText(page, 'h1', 'Process files automatically');
    await page.close();
  });

  it('are changed without their passwords, paused, started and ended', async () => {
    const [folderId, otherId] = [await newFolder('Private'), await newFolder('Locked')];
    const { id } = await makeLocking(folderId);
    const page = await openAs(browser, `files/${folderId}/processing`);
    await (await page.waitForSelector('[data-step="1"] .step-toggle'))?.click();
    const password = '[data-step="1"] [data-field=password] input';
    await page.waitForSelector(password);
    expect(await page.$eval(password, (input) => (input as HTMLInputElement).value)).to.equal('********');
    await page.waitForSelector('[data-check=valid]');

    await press(page, 'Pause');
    await waitForText(page, '.processing .badge', 'Processing is paused');
    expect((await listed())[0]?.enabled).to.equal(false);
    await clickOn(page, '[data-field=place] [value=other]');
    await page.waitForSelector('[data-field=folderId] select');
    await save(page);
    await page.waitForSelector('[data-field=folderId] .field-error');
    await page.select('[data-field=folderId] select', otherId);
    await clickOn(page, '[data-field=mode] [value=new_file]');
    await save(page);
    await waitForText(page, '.page-head .badge', 'Processing is paused');
    expect((await listed()).map(({ enabled, output }) => ({ enabled, output }))).to.deep.equal([
      { enabled: false, output: { mode: 'new_file', folderId: otherId } },
    ]);
    await upload(page);
    expect(await filesIn(otherId)).to.deep.equal([]);

    await clickText(page, 'header a', 'Change processing…');
    await page.waitForSelector('.processing [data-save]');
    await press(page, 'Start now');
    await waitForText(page, '.toast', '1 new file is processed');
    await until('the result is in the other folder', async () => (await filesIn(otherId)).length === 1);
    const [result] = await filesIn(otherId);
    expect(await opensWith(await contentOf(result!), SECRET)).to.equal(true);
    await press(page, 'Resume');
    await waitForText(page, '.processing .badge', 'Processes its files');
    expect((await listed())[0]).to.deep.include({ id, enabled: true });
    await shoot(page, 'change');

    await press(page, 'End processing');
    await waitForText(page, 'dialog h2', 'End the processing of “Private”?');
    expect(await faultsOf(page)).to.deep.equal([]);
    await clickText(page, 'dialog button', 'End processing');
    await waitForText(page, 'h1', 'Private');
    await waitForText(page, 'header a', 'Process files automatically…');
    expect(await page.$$('.badge')).to.have.length(0);
    expect(await listed()).to.deep.equal([]);
    expect(await filesIn(folderId)).to.have.length(1);
    await page.close();
  });

  it('begin with the steps of a template or of a saved pipeline, and need what these leave out', async () => {
    const folderId = await newFolder('Copies');
    const pipeline = { name: 'lock', title: 'Lock with a word', definition: { pipeline: [lock] } };
    expect((await sendJson(browser, `${API}/pipelines`, pipeline, boss)).status).to.equal(201);
    const page = await openAs(browser, `files/${folderId}/processing`);
    const password = (at: number): string => `[data-step="${at}"] [data-field=password]`;
    await press(page, 'Use steps of a pipeline');
    await choose(page, 'Confidential copy');
    await page.waitForSelector('[data-check=faulty]');
    await save(page);
    await waitForText(page, `${password(2)} .field-error`, 'Fill this in');
    await focused(page, password(2));

    await press(page, 'Use steps of a pipeline');
    await choose(page, 'Lock with a word');
    await page.waitForSelector('[data-step="2"]', { hidden: true });
    await page.waitForSelector('[data-check=valid]');
    await save(page);
    // The secret belongs to the saved pipeline.
    await waitForText(page, `${password(1)} .field-error`, 'is the mask of a secret');
    await focused(page, password(1));
    await enter(page, 'password', 'another word');
    await page.waitForSelector('[data-check=valid]');
    await save(page);
    await waitForText(page, '.page-head .badge', 'Processes its files');
    const [made] = await listed();
    expect(made?.steps.map(({ operation }) => operation)).to.deep.equal([lock.operation]);
    await page.close();
  });

  it('show what is wrong with the place of the results where it is chosen', async () => {
    const [first, second, gone] = [await newFolder('First'), await newFolder('Second'), await newFolder('Gone')];
    const turn = { steps: [step('general/rotate-pdf', { angle: 90 })], output: { mode: 'new_file', folderId: second } };
    expect((await sendJson(browser, PATH, { folderId: first, ...turn }, boss)).status).to.equal(200);
    const page = await openAs(browser, `files/${second}/processing`);
    await press(page, 'Add a step');
    await choose(page, 'Rotate pages');
    await clickOn(page, '[data-field=mode] [value=new_file]');
    await clickOn(page, '[data-field=place] [value=other]');
    await page.waitForSelector('[data-field=folderId] option:nth-child(4)');
    await page.select('[data-field=folderId] select', first);
    await save(page);
    await waitForText(page, '[data-field=place] .field-error', 'would feed the automation with its own results');
    await focused(page, '[data-field=place]');
    await storage.remove(`/folders/${gone}`, boss);
    await page.select('[data-field=folderId] select', gone);
    await save(page);
    await page.waitForSelector('[data-field=folderId] .field-error');
    await focused(page, '[data-field=folderId]');
    expect(await page.$('[data-field=place] .field-error')).to.equal(null);
    expect(await listed()).to.have.length(1);
    await page.close();
  });

  it('keep branches, and ask before edits are lost', async () => {
    const folderId = await newFolder('Branches');
    const steps = [{ if: { fact: 'pages', above: 2 }, then: [step('general/rotate-pdf', { angle: 90 })] }];
    expect((await sendJson(browser, PATH, { folderId, steps }, boss)).status).to.equal(200);
    const [before] = await listed();
    const page = await openAs(browser, `files/${folderId}/processing`);
    await page.waitForSelector('[data-check=valid]');
    expect(await page.$('.extras')).to.equal(null);
    await page.locator('[data-step="1"] .condition-value').fill('5');
    await clickText(page, 'nav.small a', 'Files');
    await waitForText(page, 'dialog h2', 'Discard your edits?');
    await clickText(page, 'dialog button', 'Keep editing');
    await save(page);
    await waitForText(page, '.page-head .badge', 'Processes its files');
    const after = JSON.parse(JSON.stringify(before).replace('"above":2', '"above":5')) as Shown;
    expect(await listed()).to.deep.equal([after]);
    await page.close();
  });

  it('are made by keyboard alone, in a narrow window', async () => {
    await newFolder('Keys');
    const page = await openAs(browser, 'files');
    await page.setViewport({ width: 360, height: 740 });
    // A toast that is fading in has too little contrast.
    await page.emulateMediaFeatures([{ name: 'prefers-reduced-motion', value: 'reduce' }]);
    await waitForText(page, '.file-link', 'Keys');
    const named = (): Promise<string> =>
      page.evaluate(() => {
        const element = document.activeElement;
        return (element?.getAttribute('aria-label') ?? element?.textContent ?? '').trim();
      });
    const tabTo = async (name: string): Promise<void> => {
      for (let presses = 0; presses < 150; presses++) {
        if ((await named()) === name) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`The focus never reached ${name}.`);
    };
    await tabTo('Actions for Keys');
    await page.keyboard.press('Enter');
    await focused(page, '[role=menu]');
    await page.keyboard.press('ArrowDown');
    expect(await named()).to.equal('Process files automatically…');
    const shown = await page.$eval('[role=menu]', (menu) => menu.getBoundingClientRect().toJSON() as DOMRect);
    expect([shown.left >= 0, shown.right <= 360]).to.deep.equal([true, true]);
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-check=empty]');
    await tabTo('Add a step');
    await page.keyboard.press('Enter');
    await choose(page, 'Rotate pages');
    await page.waitForSelector('[data-check=valid]');
    expect(await faultsOf(page)).to.deep.equal([]);
    await shoot(page, 'narrow');
    await tabTo('Save');
    await page.keyboard.press('Enter');
    await waitForText(page, '.page-head .badge', 'Processes its files');
    expect(await faultsOf(page)).to.deep.equal([]);
    expect((await listed()).map(({ steps }) => steps.length)).to.deep.equal([1]);
    await page.close();
  });

  it('that are not there are explained', async () => {
    const page = await openAs(browser, 'files/0b0e7c2e-3f2a-4c7e-9d35-1f4b8f3f9a10/processing');
    await waitForText(page, 'h1', 'There is no such folder');
    await page.close();
  });
});
