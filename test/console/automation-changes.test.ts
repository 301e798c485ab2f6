/// <reference lib="dom" />
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { makePdf } from '../kit/make-pdf.js';
import { field, file, json, post, send } from '../http/support/client.js';
import { sendJson } from '../http/support/login.js';
import { API, step } from '../http/support/pipelines.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, clickOn, download, waitForWords } from './tool-page.js';

const PLUGINS = ['general', 'filter', 'misc', 'security'].map((name) => `@quire/plugin-${name}`);
const turn = step('general/rotate-pdf', { angle: 90 });
const lock = step('security/add-password', { password: 'stored secret', keyLength: 256 });
const shots = process.env['SCREENSHOTS'];

describe('What automations do, in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let letter: string;

  before(async function () {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'quire-console-changes-')));
    const opened = await openConsole({
      plugins: PLUGINS,
      settings: { policies: { allowedFolderRoots: [folder], watchQuietPeriodMs: 0 } },
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    letter = join(folder, 'letter.pdf');
    await writeFile(letter, await makePdf({ pages: 1 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  beforeEach(() => mkdir(join(folder, 'in'), { recursive: true }));
  afterEach(async () => {
    if (browser === undefined) return;
    for (const { id } of json<{ id: string }[]>(await send(`${browser.url}${API}/automations`)))
      await send(`${browser.url}${API}/automations/${id}`, { method: 'DELETE' });
    for (const { id } of json<{ sources: { id: string }[] }>(await send(`${browser.url}${API}/sources`)).sources)
      await send(`${browser.url}${API}/sources/${id}`, { method: 'DELETE' });
    await rm(join(folder, 'in'), { recursive: true, force: true });
    expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const create = async (automation: object): Promise<string> => {
    const answer = await sendJson(browser, `${API}/automations`, automation);
    expect(answer.status, answer.body.toString()).to.equal(201);
    return json<{ id: string }>(answer).id;
  };
  const fromFolder = async (): Promise<object> => {
    const sent = { name: 'Scans', type: 'folder', options: { directory: join(folder, 'in') } };
    const { id } = json<{ id: string }>(await sendJson(browser, `${API}/sources`, sent));
    return { inputs: [{ source: id, trigger: { type: 'arrival' } }] };
  };
  const opens = async (bytes: Uint8Array): Promise<boolean> => {
    const form = [file(bytes, 'x.pdf'), field('password', 'stored secret')];
    return (await post(`${browser.url}${API}/security/remove-password`, form)).status === 200;
  };
  const shoot = async (page: Page, name: string): Promise<void> => {
    if (shots !== undefined) await page.screenshot({ path: join(shots, `${name}.png`) });
  };
  /** Follows what others do in the list that is open. */
  const expectChanges = async (page: Page): Promise<void> => {
    await waitForWords(page, '.empty', 'There is no automation yet');
    const id = await create({ name: 'Turn scans', work: { pipeline: [turn] }, ...(await fromFolder()) });
    await waitForWords(page, `[data-automation="${id}"] [data-health]`, 'It waits for new files');
    await waitForWords(page, '[data-source=Scans]', 'Used by: Turn scans');
    await writeFile(join(folder, 'in', 'scan.pdf'), '%PDF-1.4 and nothing more');
    await waitForWords(page, `[data-automation="${id}"]`, '1 parked file');
    await waitForWords(page, `[data-automation="${id}"]`, 'Last run:');
    await shoot(page, 'list');
    expect(await faultsOf(page)).to.deep.equal([]);
    await send(`${browser.url}${API}/automations/${id}`, { method: 'DELETE' });
    await page.waitForSelector(`[data-automation="${id}"]`, { hidden: true });
  };

  it('shows in the list as it changes, by one stream', async () => {
    const page = await browser.open('');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(`${browser.url}/automations`);
    await expectChanges(page);
    expect(asked.filter((path) => path === `${API}/automations/events`)).to.have.length(1);
    expect(asked).to.not.include(`${API}/automations`);
    await page.close();
  });

  it('shows in the list where there are no streams', async () => {
    const page = await browser.open('');
    await page.setRequestInterception(true);
    page.on('request', (request) =>
      request.url().endsWith('/automations/events')
        ? void request.respond({ status: 404, body: 'no streams here' })
        : void request.continue(),
    );
    await page.goto(`${browser.url}/automations`);
    await expectChanges(page);
    await page.close();
  });

  it('shows at which step a run has failed, and why', async () => {
    const remove = step('general/remove-pages', { pageNumbers: '1' });
    const id = await create({ name: 'Empty', work: { pipeline: [turn, remove] }, ...(await fromFolder()) });
    await writeFile(join(folder, 'in', 'one.pdf'), await readFile(letter));
    const page = await browser.open(`automations/${id}`);
    await waitForWords(page, '[data-part=runs] .badge', 'Failed');
    await clickOn(page, '[data-open-run]');
    await waitForWords(page, 'dialog [data-run-step="0"]', 'Rotate pages');
    await waitForWords(page, 'dialog [data-run-step="1"][data-failed] .badge', 'Failed');
    await waitForWords(page, 'dialog [data-run-step="1"]', '/pipeline/1/parameters/pageNumbers');
    expect(await page.$('dialog [data-run-step="0"] .badge')).to.equal(null);
    await shoot(page, 'run');
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.close();
  });

  it('is tried with a sample where steps have passwords that nobody sees', async () => {
    const id = await create({ name: 'Lock', work: { pipeline: [lock] } });
    const page = await browser.open(`automations/${id}`);
    await clickOn(page, '[data-sample]');
    const input = (await page.waitForSelector('dialog input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(letter);
    await waitForWords(page, 'dialog .file-rows', 'letter.pdf');
    await shoot(page, 'sample');
    const { bytes } = await download(page, folder, 'dialog .file-rows .icon-button');
    expect(await opens(bytes)).to.equal(true);
    await page.close();
  });

  it('is tried step by step in the builder with the passwords that are stored', async () => {
    const saved = { name: 'lock-all', title: 'Lock all', definition: { pipeline: [turn, lock] }, inputs: [] };
    expect((await sendJson(browser, `${API}/pipelines`, saved)).status).to.equal(201);
    const page = await browser.open('pipelines');
    await clickOn(page, '[data-saved=lock-all] .icon-button');
    await clickOn(page, '[role=menuitem] ::-p-text(Edit)');
    await page.waitForSelector('[data-check=valid]');
    await chooseFiles(page, letter);
    await clickOn(page, '[data-trial]');
    await page.waitForSelector('[data-trial-step="2"][data-state=done]');
    await shoot(page, 'trial');
    const { bytes } = await download(page, folder, '[data-trial-step="2"] .file-rows .icon-button');
    expect(await opens(bytes)).to.equal(true);
    expect(await page.content()).not.to.include('stored secret');
    await send(`${browser.url}${API}/pipelines/lock-all`, { method: 'DELETE' });
    await page.close();
  });
});
