/// <reference lib="dom" />
import { createHmac } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { makePdf } from '../kit/make-pdf.js';
import { json, send } from '../http/support/client.js';
import { sendJson } from '../http/support/login.js';
import { API, step } from '../http/support/pipelines.js';
import { unrulyPlugin, until } from '../http/support/server.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { clickOn, enter, press, waitForWords } from './tool-page.js';

interface Automation {
  readonly id: string;
  readonly name: string;
  readonly enabled: boolean;
  readonly inputs: readonly { readonly trigger: object }[];
}

const PLUGINS = ['general', 'filter'].map((name) => `@quire/plugin-${name}`);
const turn = {
  name: 'turn',
  title: 'Turn pages',
  definition: { pipeline: [step('general/rotate-pdf', { angle: 90 })] },
  inputs: [{ name: 'by', field: '/pipeline/0/parameters/angle', label: 'Turn by' }],
};

describe('Automations in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let pdf: Uint8Array;
  const place = (...way: string[]): string => join(folder, ...way);

  before(async function () {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'quire-console-automations-')));
    const opened = await openConsole({
      plugins: [...PLUGINS, '@quire/plugin-misc', unrulyPlugin],
      settings: { policies: { allowedFolderRoots: [folder], watchQuietPeriodMs: 0 } },
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    pdf = await makePdf({ pages: 1 });
    expect((await sendJson(browser, `${API}/pipelines`, turn)).status).to.equal(201);
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  beforeEach(async () => {
    for (const name of ['in', 'out']) await mkdir(place(name), { recursive: true });
  });
  afterEach(async () => {
    if (browser === undefined) return;
    for (const { id } of await automations())
      await send(`${browser.url}${API}/automations/${id}`, { method: 'DELETE' });
    for (const { id } of json<{ sources: { id: string }[] }>(await send(`${browser.url}${API}/sources`)).sources)
      await send(`${browser.url}${API}/sources/${id}`, { method: 'DELETE' });
    for (const name of ['in', 'out']) await rm(place(name), { recursive: true, force: true });
    expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const automations = async (): Promise<readonly Automation[]> =>
    json<Automation[]>(await send(`${browser.url}${API}/automations`));
  const create = async (automation: object): Promise<string> => {
    const answer = await sendJson(browser, `${API}/automations`, { name: 'Turn scans', ...automation });
    expect(answer.status, answer.body.toString()).to.equal(201);
    return json<Automation>(answer).id;
  };
  const createSource = async (): Promise<string> => {
    const sent = { name: 'Scans', type: 'folder', options: { directory: place('in') } };
    return json<{ id: string }>(await sendJson(browser, `${API}/sources`, sent)).id;
  };
  const toFolder = (): object => ({ type: 'folder', options: { directory: place('out') } });
  /** Adds a destination of a kind by the menu. */
  const addDestination = async (page: Page, title: string): Promise<void> => {
    await clickOn(page, '[aria-labelledby=automation-destinations] [aria-haspopup=menu]');
    await clickOn(page, `[role=menuitem] ::-p-text(${title})`);
    await page.waitForSelector('[data-destination="0"]');
  };

  it('are made from a folder to a folder, and deliver the file that arrives', async () => {
    const page = await browser.open('automations');
    await waitForWords(page, '.empty', 'There is no automation yet');
    await clickOn(page, '.empty .button.primary');
    await enter(page, 'name', 'Turn scans');
    await page.select('[data-field=pipeline] select', 'turn');
    await page.waitForSelector('[data-field=by] .label');
    await page.select('[data-field=by] select', '180').catch(() => clickOn(page, '[data-field=by] [value="180"]'));

    await clickOn(page, '[data-new-source]');
    await page.waitForSelector('dialog [data-field=directory] input');
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.type('dialog [data-field=name] input', 'Scans');
    await page.type('dialog [data-field=directory] input', place('in'));
    await clickOn(page, 'dialog [type=submit]');
    await page.waitForSelector('dialog', { hidden: true });

    await addDestination(page, 'Folder of the server');
    await enter(page, 'directory', place('out'));
    expect(await faultsOf(page)).to.deep.equal([]);
    await press(page, 'Save');
    await waitForWords(page, 'h1', 'Turn scans');
    await waitForWords(page, '[data-part=files]', 'No file has come yet');
    const [made] = await automations();
    expect(made?.inputs.map(({ trigger }) => trigger)).to.deep.equal([{ type: 'arrival' }]);

    await writeFile(place('in', 'letter.pdf'), pdf);
    await waitForWords(page, '[data-file="letter.pdf"] .badge', 'Delivered');
    await waitForWords(page, '[data-file="letter.pdf"]', place('out', 'letter.pdf'));
    await waitForWords(page, '[data-part=runs] .badge', 'Finished');
    const result = await PDFDocument.load(await readFile(place('out', 'letter.pdf')));
    expect(result.getPage(0).getRotation().angle).to.equal(180);
    expect(await readdir(place('in'))).to.deep.equal([]);
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.close();
  });

  it('mark what is wrong on its field, in the words of the server', async () => {
    const page = await browser.open('automations/new');
    await page.waitForSelector('[data-field=name] input');
    await press(page, 'Save');
    await waitForWords(page, '[data-field=name] .field-error', 'Enter a name');
    await waitForWords(page, '[data-field=pipeline] .field-error', 'Choose a pipeline');
    await enter(page, 'name', 'Turn scans');
    await page.select('[data-field=pipeline] select', 'turn');
    await addDestination(page, 'Folder of the server');
    await enter(page, 'directory', '/somewhere/else');
    await press(page, 'Save');
    await waitForWords(
      page,
      '[data-destination="0"] [data-field=directory] .field-error',
      'policies.allowedFolderRoots',
    );
    await page.waitForFunction("document.activeElement?.closest('[data-field=directory]') !== null");
    expect(await faultsOf(page)).to.deep.equal([]);
    expect(await automations()).to.deep.equal([]);
    await enter(page, 'directory', place('out'));
    expect(await page.$('[data-destination="0"] .field-error')).to.equal(null);
    await press(page, 'Save');
    await waitForWords(page, 'h1', 'Turn scans');
    await page.close();
  });

  it('show the next times of a schedule, and mark a time that does not exist', async () => {
    const id = await create({
      work: { pipeline: 'turn', values: {} },
      inputs: [{ source: await createSource(), trigger: { type: 'manual' } }],
    });
    const page = await browser.open(`automations/${id}/edit`);
    await page.waitForSelector('[data-field=type] select');
    await page.select('[data-field=type] select', 'schedule');
    await page.select('[data-field=repeat] select', 'daily');
    await enter(page, 'zone', 'Europe/Berlin');
    await enter(page, 'at', '27:30');
    await press(page, 'Save');
    await waitForWords(page, '[data-field=at] .field-error', 'must be a time of day such as 07:30');
    await enter(page, 'at', '07:30');
    await waitForWords(page, '[role=status]', 'Next: ');
    await press(page, 'Save');
    await waitForWords(page, 'h1', 'Turn scans');
    const [changed] = await automations();
    expect(changed?.inputs[0]?.trigger).to.deep.equal({
      type: 'schedule',
      zone: 'Europe/Berlin',
      missed: 'once',
      schedule: { type: 'daily', at: '07:30' },
    });
    await page.close();
  });

  it('list parked files with the reason, and put one back to work', async () => {
    const source = await createSource();
    await writeFile(place('in', 'scan.pdf'), '%PDF-1.4 and nothing more');
    const id = await create({
      work: { pipeline: 'turn', values: {} },
      inputs: [{ source, trigger: { type: 'arrival' } }],
      destinations: [toFolder()],
    });
    const page = await browser.open('automations');
    await clickOn(page, '.automation-link');
    await waitForWords(page, '[data-file="scan.pdf"] .badge', 'Parked');
    await waitForWords(page, '[data-file="scan.pdf"] .automation-problem', 'PDF');
    await page.select('[data-field=state] select', 'delivered');
    await waitForWords(page, '[data-part=files]', 'No file is in this state');
    await page.select('[data-field=state] select', 'parked');
    await page.waitForSelector('[data-file="scan.pdf"]');
    expect(await faultsOf(page)).to.deep.equal([]);
    await clickOn(page, '[aria-label="Retry scan.pdf"]');
    await waitForWords(page, '.toast', '1 file is processed again');
    await until('it has run twice', async () => {
      const { runs } = json<{ runs: { state: string }[] }>(await send(`${browser.url}${API}/automations/${id}/runs`));
      return runs.filter(({ state }) => state === 'failed').length === 2;
    });
    await page.waitForSelector('[data-file="scan.pdf"] .badge.danger');
    await page.close();
  });

  it('are switched on and off in the list, run with a file of one’s own, and forget what they did', async () => {
    await create({ work: { pipeline: 'turn', values: {} }, destinations: [toFolder()] });
    const page = await browser.open('automations');
    await clickOn(page, '[data-automation] .switch');
    await waitForWords(page, '[data-automation] .badge', 'Off');
    expect((await automations()).map(({ enabled }) => enabled)).to.deep.equal([false]);
    await clickOn(page, '.automation-link');
    await writeFile(place('own.pdf'), pdf);
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(place('own.pdf'));
    await waitForWords(page, '.toast', 'The run has started');
    await waitForWords(page, '[data-file="own.pdf"] .badge', 'Delivered');
    expect(await readdir(place('out'))).to.deep.equal(['own.pdf']);
    await clickOn(page, '.page [aria-label^="More for"]');
    await clickOn(page, '[role=menuitem] ::-p-text(Reset the history)');
    await clickOn(page, 'dialog .button.danger');
    await waitForWords(page, '.toast', '1 file is forgotten');
    await waitForWords(page, '[data-part=files]', 'No file has come yet');
    await page.close();
  });

  it('put all parked files back to work, and show a run with its steps', async () => {
    const source = await createSource();
    for (const name of ['a.pdf', 'b.pdf']) await writeFile(place('in', name), '%PDF-1.4 and nothing more');
    const id = await create({
      work: { pipeline: 'turn', values: {} },
      inputs: [{ source, trigger: { type: 'arrival' } }],
      destinations: [toFolder()],
    });
    const page = await browser.open(`automations/${id}`);
    for (const name of ['a.pdf', 'b.pdf']) await waitForWords(page, `[data-file="${name}"] .badge`, 'Parked');
    for (const name of ['a.pdf', 'b.pdf']) await writeFile(place('in', name), pdf);
    await clickOn(page, '[data-retry-all]');
    await waitForWords(page, '.toast', 'processed again');
    for (const name of ['a.pdf', 'b.pdf']) await waitForWords(page, `[data-file="${name}"] .badge`, 'Delivered');
    expect((await readdir(place('out'))).sort()).to.deep.equal(['a.pdf', 'b.pdf']);
    await waitForWords(page, '[data-part=runs] .badge', 'Finished');
    await page.waitForFunction(
      "document.querySelector('[data-part=runs] tbody tr')?.textContent.includes('Finished') === true",
    );
    await clickOn(page, '[data-part=runs] tbody tr:first-child [data-open-run]');
    await waitForWords(page, 'dialog [data-run-step="0"]', 'Rotate pages');
    await waitForWords(page, 'dialog [data-run-step="0"]', '.pdf');
    await waitForWords(page, 'dialog [data-run-details]', place('out'));
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.close();
  });

  it('cancel a run, and keep its file with the reason', async () => {
    const source = await createSource();
    await writeFile(place('in', 'long.pdf'), pdf);
    const id = await create({
      work: { pipeline: [step('misc/unruly-slow', { ms: '600000' })], values: {} },
      inputs: [{ source, trigger: { type: 'arrival' } }],
    });
    const page = await browser.open(`automations/${id}`);
    await clickOn(page, '[data-part=runs] [aria-label^="Cancel the run of"]');
    await waitForWords(page, '[data-part=runs] .badge', 'Cancelled');
    await page.select('[data-field=state] select', 'parked');
    await waitForWords(page, '[data-part=files] .automation-problem', 'The run was cancelled');
    await page.close();
  });

  it('are tried with a sample, of which nothing is delivered', async () => {
    const id = await create({ work: { pipeline: 'turn', values: { by: 270 } }, destinations: [toFolder()] });
    await writeFile(place('own.pdf'), pdf);
    const page = await browser.open(`automations/${id}`);
    await clickOn(page, '[data-sample]');
    const input = (await page.waitForSelector('dialog input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(place('own.pdf'));
    await waitForWords(page, 'dialog .file-rows', 'own.pdf');
    expect(await faultsOf(page)).to.deep.equal([]);
    expect(await readdir(place('out'))).to.deep.equal([]);
    await page.close();
  });

  it('say what they wait for, and list sources, of which those that nobody uses can be deleted', async () => {
    const source = await createSource();
    const sent = { name: 'Spare', type: 'folder', options: { directory: place('out') } };
    await sendJson(browser, `${API}/sources`, sent);
    await create({
      work: { pipeline: 'turn', values: {} },
      inputs: [{ source, trigger: { type: 'arrival' } }],
    });
    const page = await browser.open('automations');
    await waitForWords(page, '[data-health]', 'It waits for new files');
    await waitForWords(page, '[data-source=Scans]', 'Used by: Turn scans');
    expect(await faultsOf(page)).to.deep.equal([]);
    await clickOn(page, '[aria-label="Delete the source “Scans”"]');
    await waitForWords(page, 'dialog', 'Automations use it');
    expect(await page.$('dialog .button.danger:not([disabled])')).to.equal(null);
    await press(page, 'Cancel');
    await clickOn(page, '[aria-label="Delete the source “Spare”"]');
    await clickOn(page, 'dialog .button.danger');
    await page.waitForSelector('[data-source=Spare]', { hidden: true });
    await rm(place('in'), { recursive: true, force: true });
    await clickOn(page, '.automation-link');
    await press(page, 'Start now');
    await page.waitForSelector('.toast');
    await page.goto(`${browser.url}/automations`);
    await waitForWords(page, '[data-health] .automation-problem', 'The source “Scans” cannot be reached since');
    await page.close();
  });

  it('ask before edits are lost that are not saved', async () => {
    const id = await create({ work: { pipeline: 'turn', values: {} } });
    const page = await browser.open(`automations/${id}/edit`);
    await enter(page, 'name', 'Another name');
    await clickOn(page, '.crumbs a');
    await waitForWords(page, 'dialog', 'not saved yet');
    await press(page, 'Keep editing');
    await page.waitForSelector('dialog', { hidden: true });
    expect(await page.$eval('[data-field=name] input', (input) => (input as HTMLInputElement).value)).to.equal(
      'Another name',
    );
    await clickOn(page, '.crumbs a');
    await press(page, 'Discard');
    await waitForWords(page, '[data-automation]', 'Turn scans');
    await page.close();
  });

  it('get a webhook, whose secret is shown once', async () => {
    const page = await browser.open('automations/new');
    await clickOn(page, '[data-new-source]');
    await page.waitForSelector('dialog select');
    await page.select('dialog select', 'webhook');
    await page.type('dialog [data-field=name] input', 'From the shop');
    await clickOn(page, 'dialog [type=submit]');
    await waitForWords(page, 'dialog h2', 'The webhook is ready');
    expect(await faultsOf(page)).to.deep.equal([]);
    const shown = (id: string): Promise<string> =>
      page.$eval(`[data-webhook=${id}]`, (input) => (input as HTMLInputElement).value);
    const [address, secret] = [await shown('address'), await shown('secret')];
    expect(address).to.match(new RegExp(`^${browser.url}${API}/webhooks/`));
    const signature = createHmac('sha256', secret).update(pdf).digest('hex');
    const delivered = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/pdf', 'x-signature': `sha256=${signature}` },
      body: pdf as Uint8Array<ArrayBuffer>,
    });
    expect(delivered.status, await delivered.text()).to.equal(202);
    await press(page, 'Done');
    await waitForWords(page, '[data-field=source] option:checked', 'From the shop (Webhook)');
    await press(page, 'Change the source');
    await page.waitForSelector('dialog [data-field=signature]');
    expect(await page.content()).not.to.include(secret);
    await page.close();
  });
});
