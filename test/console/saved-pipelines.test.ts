/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { Page } from 'puppeteer-core';
import { makePdf } from '../kit/make-pdf.js';
import { field, file, json, post, send } from '../http/support/client.js';
import { sendJson } from '../http/support/login.js';
import { API, step } from '../http/support/pipelines.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, clickOn, download, enter, press, run, waitForWords } from './tool-page.js';

interface Saved {
  readonly version: number;
  readonly title: string;
  readonly inputs: readonly object[];
  readonly definition: { readonly pipeline: readonly object[] };
}

const PLUGINS = ['general', 'misc', 'filter', 'security'].map((name) => `@quire/plugin-${name}`);
const turn = {
  name: 'turn-and-title',
  title: 'Turn and title',
  definition: {
    pipeline: [
      step('general/rotate-pdf', { angle: 90 }),
      step('misc/update-metadata', { title: '{{input.customer}}: {{file.base}}', deleteAll: false }),
    ],
  },
  inputs: [
    { name: 'by', field: '/pipeline/0/parameters/angle', label: 'Turn by' },
    { name: 'customer', label: 'Customer', required: true },
  ],
};

describe('Saved pipelines in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let letter: string;

  before(async function () {
    const opened = await openConsole({ plugins: PLUGINS });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-saved-'));
    letter = join(folder, 'letter.pdf');
    await writeFile(letter, await makePdf({ pages: 1 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(async () => {
    if (browser === undefined) return;
    for (const { name } of json<{ name: string }[]>(await send(`${browser.url}${API}/pipelines`)))
      await send(`${browser.url}${API}/pipelines/${name}`, { method: 'DELETE' });
    expect(browser.faults.splice(0)).to.deep.equal([]);
  });
  const savedAs = async (name: string): Promise<Saved> =>
    json<Saved>(await send(`${browser.url}${API}/pipelines/${name}`));
  const facts = async (page: Page): Promise<object> => {
    const document = await PDFDocument.load((await download(page, folder)).bytes);
    return { angle: document.getPage(0).getRotation().angle, title: document.getTitle() };
  };

  it('run like tools, with their own fields', async () => {
    expect((await sendJson(browser, `${API}/pipelines`, turn)).status).to.equal(201);
    const page = await browser.open('pipelines');
    await clickOn(page, '[data-saved=turn-and-title] .pipeline-link');
    await waitForWords(page, 'h1', 'Turn and title');
    await waitForWords(page, '[data-field=by] .label', 'Turn by');
    await chooseFiles(page, letter);
    await run(page);
    await page.waitForSelector('[data-field=customer] .field-error');
    await enter(page, 'customer', 'Müller');
    await page.select('[data-field=by] select', '180').catch(() => clickOn(page, '[data-field=by] [value="180"]'));
    await run(page);
    await page.waitForSelector('.result-head');
    expect(await facts(page)).to.deep.equal({ angle: 180, title: 'Müller: letter' });
    await page.close();
  });

  it('are made in the builder, which says what they ask for, and changed there as the next version', async () => {
    const page = await browser.open('pipelines');
    await press(page, 'New pipeline');
    await page.waitForSelector('[data-check=empty]');
    await press(page, 'Add a step');
    await page.waitForSelector('dialog [role=combobox]');
    await page.keyboard.type('rotate');
    await page.waitForSelector('dialog [role=option][aria-selected=true]');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[data-check=valid]');
    await clickOn(page, '[data-save]');
    await page.waitForSelector('dialog input');
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.type('dialog input', 'Türn Páges');
    await clickOn(page, 'dialog .ask-list input');
    await clickOn(page, 'dialog .dialog-actions .button.primary');
    await page.waitForSelector('dialog', { hidden: true });
    await waitForWords(page, '.toast', 'is saved as version 1');
    const first = await savedAs('turn-pages');
    expect(first).to.deep.include({ version: 1, title: 'Türn Páges' });
    expect(first.inputs).to.deep.equal([{ name: 'angle', field: '/pipeline/0/parameters/angle' }]);

    await clickOn(page, '[data-save]');
    await waitForWords(page, 'dialog h2', 'Save the next version');
    await clickOn(page, 'dialog .ask-list input');
    await clickOn(page, 'dialog .dialog-actions .button.primary');
    await page.waitForSelector('dialog', { hidden: true });
    const second = await savedAs('turn-pages');
    expect(second).to.deep.include({ version: 2, inputs: [] });
    await page.close();
  });

  it('are opened as a copy, and are not overwritten when somebody else has saved since', async () => {
    await sendJson(browser, `${API}/pipelines`, turn);
    const page = await browser.open('pipelines');
    await clickOn(page, '[data-saved=turn-and-title] .icon-button');
    await clickOn(page, '[role=menuitem] ::-p-text(Edit)');
    await page.waitForSelector('[data-step="2"]');
    await waitForWords(page, '.pipeline-head', 'A copy of “Turn and title” on the server, version 1.');
    await sendJson(browser, `${API}/pipelines/turn-and-title`, { ...turn, title: 'Changed' }, {}, 'PUT');
    await page.waitForSelector('[data-save]:not([disabled])');
    await clickOn(page, '[data-save]');
    await page.waitForSelector('dialog .ask-list');
    await clickOn(page, 'dialog .dialog-actions .button.primary');
    await waitForWords(page, 'dialog', 'its version is 2, yours is based on 1');
    expect(await savedAs('turn-and-title')).to.deep.include({ version: 2, title: 'Changed' });
    await page.close();
  });

  it('show their branches in the builder, try them with sample values, and keep them', async () => {
    const branching = {
      ...turn,
      name: 'turn-by-pages',
      definition: {
        pipeline: [
          {
            if: {
              any: [
                { fact: 'pages', atLeast: '{{input.limit}}' },
                { fact: 'kind', in: ['pdf'] },
              ],
            },
            then: [{ each: [step('general/rotate-pdf', { angle: 90 })], onError: 'skip' }],
            else: [],
          },
          ...turn.definition.pipeline.slice(1),
        ],
      },
      inputs: [
        { name: 'angle', field: '/pipeline/0/then/0/each/0/parameters/angle' },
        { name: 'customer', default: 'Müller' },
        { name: 'limit', type: 'integer', default: 1 },
      ],
    };
    expect((await sendJson(browser, `${API}/pipelines`, branching)).status).to.equal(201);
    const page = await browser.open('pipelines');
    await clickOn(page, '[data-saved=turn-by-pages] .icon-button');
    await clickOn(page, '[role=menuitem] ::-p-text(Edit)');
    await page.waitForSelector('[data-check=valid]');
    await waitForWords(page, '[data-step="1"] .step-title', 'If Number of pages ≥ {{input.limit}} or File type ∈ pdf');
    await waitForWords(page, '[data-step="1.1.1.1.1"] .step-title', 'Rotate');
    await waitForWords(page, '[data-step="1"] [data-branch="2"]', 'Files go on as they are.');
    expect(await faultsOf(page)).to.deep.equal([]);
    await chooseFiles(page, letter);
    await clickOn(page, '[data-trial]');
    await page.waitForSelector('[data-trial-step="2"][data-state=done]');
    const { bytes } = await download(page, folder, '[data-trial-step="2"] .file-rows .icon-button');
    const tried = await PDFDocument.load(bytes);
    expect([tried.getTitle(), tried.getPage(0).getRotation().angle]).to.deep.equal(['Müller: letter', 90]);
    await clickOn(page, '[data-save]');
    await page.waitForSelector('dialog .ask-list');
    await clickOn(page, 'dialog .dialog-actions .button.primary');
    await page.waitForSelector('dialog', { hidden: true });
    const { version, definition, inputs } = await savedAs('turn-by-pages');
    expect(version).to.equal(2);
    expect(definition.pipeline).to.deep.equal(branching.definition.pipeline);
    expect(inputs).to.have.deep.members(branching.inputs);
    await page.close();
  });

  it('run in the builder with their stored passwords, which nobody has to enter again', async () => {
    const lock = step('security/add-password', { password: 'canary-run', keyLength: 256 });
    const locked = { name: 'lock', title: 'Lock', definition: { pipeline: [turn.definition.pipeline[0], lock] } };
    expect((await sendJson(browser, `${API}/pipelines`, locked)).status).to.equal(201);
    const page = await browser.open('pipelines');
    await clickOn(page, '[data-saved=lock] .icon-button');
    await clickOn(page, '[role=menuitem] ::-p-text(Edit)');
    await page.waitForSelector('[data-check=valid]');
    await clickOn(page, '[role=tab] ::-p-text(Run)');
    await waitForWords(page, '.soft', 'with the passwords that are stored on the server');
    await chooseFiles(page, letter);
    await clickOn(page, '[data-run]:not([disabled])');
    await page.waitForSelector('.result-head');
    const { bytes } = await download(page, folder);
    const form = [file(bytes), field('password', 'canary-run')];
    const opened = await post(`${browser.url}${API}/security/remove-password`, form);
    expect(opened.status, opened.body.toString()).to.equal(200);
    expect(await page.content()).to.not.include('canary-run');
    await page.close();
  });

  it('are deleted after a question', async () => {
    await sendJson(browser, `${API}/pipelines`, turn);
    const page = await browser.open('pipelines');
    await clickOn(page, '[data-saved=turn-and-title] .icon-button');
    await clickOn(page, '[role=menuitem] ::-p-text(Delete)');
    await waitForWords(page, 'dialog', 'All its versions are deleted');
    await clickOn(page, 'dialog .button.danger');
    await page.waitForSelector('dialog', { hidden: true });
    await waitForWords(page, '.pipelines-empty', 'None is saved yet');
    await page.close();
  });
});
