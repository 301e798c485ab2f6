/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { Page } from 'puppeteer-core';
import { makePdf } from '../kit/make-pdf.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, clickOn, download, waitForWords } from './tool-page.js';

const API = '/api/v1';
const turn = (angle = 90): object => ({ operation: `${API}/general/rotate-pdf`, parameters: { angle } });

describe('Branches in the builder of pipelines', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  const short = (): string => join(folder, 'short.pdf');
  const long = (): string => join(folder, 'long.pdf');

  before(async function () {
    const opened = await openConsole({
      plugins: ['general', 'misc', 'security', 'filter'].map((name) => `@quire/plugin-${name}`),
    });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-branches-'));
    await writeFile(short(), await makePdf({ pages: 2 }));
    await writeFile(long(), await makePdf({ pages: 12 }));
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openBuilder(pipeline: readonly object[]): Promise<Page> {
    const page = await browser.open('');
    await page.evaluate(
      (json) => {
        const stored = { id: 'one', json, off: [], changedAt: '2026-01-01T00:00:00.000Z' };
        localStorage.setItem('quire.pipelineDrafts', JSON.stringify([stored]));
      },
      { pipeline: [...pipeline] },
    );
    await page.goto(`${browser.url}/pipelines/edit/one`);
    await page.waitForSelector('[data-check]');
    return page;
  }
  const kept = (page: Page): Promise<unknown> =>
    page.evaluate(
      () =>
        (JSON.parse(localStorage.getItem('quire.pipelineDrafts') ?? '[]') as { json: { pipeline: unknown } }[])[0]?.json
          .pipeline,
    );
  const settled = (page: Page, state: string): Promise<unknown> => page.waitForSelector(`[data-check=${state}]`);
  const tried = async (page: Page): Promise<void> => {
    await chooseFiles(page, short(), long());
    await clickOn(page, '[data-trial]');
    await page.waitForSelector('[data-trial-step="2"][data-state=done]');
  };
  /** What the two ways of building make. */
  const wanted = (stamp: unknown): unknown => [
    {
      if: { fact: 'pages', above: 10 },
      then: [{ operation: `${API}/misc/compress-pdf`, parameters: {} }],
      else: [{ operation: `${API}/misc/add-stamp`, parameters: stamp }],
    },
    { operation: `${API}/general/merge-pdfs`, parameters: {} },
  ];
  const expectTrial = async (page: Page): Promise<void> => {
    await tried(page);
    await waitForWords(page, '[data-trial-step="1"] [data-decision=then]', 'long.pdf');
    await waitForWords(page, '[data-trial-step="1"] [data-decision=then]', 'Number of pages = 12');
    await waitForWords(page, '[data-trial-step="1"] [data-decision=else]', 'Number of pages = 2');
    expect(await page.$$('[data-trial-step="1.1.1"] .file-rows li')).to.have.length(1);
    expect(await page.$$('[data-trial-step="1.2.1"] .file-rows li')).to.have.length(1);
    const { bytes } = await download(page, folder, '[data-trial-step="2"] .file-rows .icon-button');
    expect((await PDFDocument.load(bytes)).getPageCount()).to.equal(14);
  };

  it('are built with the mouse: long files are compressed, short ones stamped, and all merged', async () => {
    const page = await openBuilder([]);
    const choose = async (title: string): Promise<void> => {
      await page.waitForSelector('dialog [role=option]');
      await clickOn(page, `dialog [role=option] ::-p-text(${title})`);
      await page.waitForSelector('dialog', { hidden: true });
    };
    await clickOn(page, '.pipeline-steps .add-step .button');
    await choose('If … then … otherwise');
    await page.locator('[data-step="1"] .condition-value').fill('10');
    await clickOn(page, '[data-step="1"] [data-branch="1"] .add-step .button');
    await choose('Compress a PDF');
    await clickOn(page, '[data-step="1"] [data-branch="2"] .add-step .button');
    await choose('Stamp pages');
    await page.waitForSelector('[data-step="1.2.1"] [data-field=stampText] input, [data-step="1.2.1"] textarea');
    await page.locator('[data-step="1.2.1"] [data-field=stampText] :is(input, textarea)').fill('SHORT');
    await clickOn(page, '.pipeline-steps > .steps-of > .add-step .button');
    await choose('Merge PDFs');
    await settled(page, 'valid');
    expect(await faultsOf(page)).to.deep.equal([]);
    const [{ else: [stamp] = [] } = {}] = (await kept(page)) as { else?: { parameters: object }[] }[];
    expect(await kept(page)).to.deep.equal(wanted(stamp?.parameters));
    await expectTrial(page);
    expect(await faultsOf(page)).to.deep.equal([]);
    await page.setViewport({ width: 360, height: 740 });
    expect(await page.evaluate('document.documentElement.scrollWidth')).to.be.at.most(360);
    await page.close();
  });

  it('are built by keyboard alone', async () => {
    const page = await openBuilder([]);
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
    const add = async (button: string, words: string): Promise<void> => {
      await tabTo(button);
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog [role=combobox]');
      await page.keyboard.type(words);
      await page.waitForFunction("document.querySelector('dialog [role=option][aria-selected=true]') !== null");
      await page.keyboard.press('Enter');
      await page.waitForSelector('dialog', { hidden: true });
    };
    await add('Add a step', 'if then');
    await page.waitForFunction('document.activeElement?.closest(\'[data-step="1"]\') !== null');
    await tabTo('Compared with');
    await page.keyboard.type('10');
    await add('Add a step: Then', 'compress');
    await page.waitForSelector('[data-step="1.1.1"]');
    await add('Add a step: Otherwise', 'stamp pages');
    await page.waitForSelector('[data-step="1.2.1"]');
    await page.waitForFunction('document.activeElement?.closest(\'[data-step="1.2.1"]\') !== null');
    for (let presses = 0; presses < 20; presses++) {
      if ((await page.$('[data-step="1.2.1"] [data-field=stampText] :focus')) !== null) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.type('SHORT');
    await add('Add a step', 'merge pdfs');
    await settled(page, 'valid');
    const [{ else: [stamp] = [] } = {}] = (await kept(page)) as { else?: { parameters: object }[] }[];
    expect(await kept(page)).to.deep.equal(wanted(stamp?.parameters));
    await page.close();
  });

  it('are entered and left by steps that move, by keyboard and by dragging', async () => {
    const page = await openBuilder([
      { if: { fact: 'kind', is: 'pdf' }, then: [turn(90)], else: [] },
      { operation: `${API}/misc/flatten`, parameters: {} },
    ]);
    await settled(page, 'valid');
    const flatten = { operation: `${API}/misc/flatten`, parameters: {} };
    const condition = { if: { fact: 'kind', is: 'pdf' } };
    const keptAs = async (pipeline: unknown): Promise<void> => {
      await page.waitForFunction(
        (text) =>
          JSON.stringify(
            (JSON.parse(localStorage.getItem('quire.pipelineDrafts') ?? '[]') as { json: { pipeline: unknown } }[])[0]
              ?.json.pipeline,
          ) === text,
        {},
        JSON.stringify(pipeline),
      );
    };
    await page.focus('[data-step="2"] .step-toggle');
    const up = async (): Promise<void> => {
      await page.keyboard.down('Alt');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.up('Alt');
    };
    await up();
    await keptAs([{ ...condition, then: [turn(90)], else: [flatten] }]);
    await page.waitForFunction('document.activeElement?.closest(\'[data-step="1.2.1"]\') !== null');
    await waitForWords(page, '[role=status]', 'is now step 1 of 1 in “Otherwise”');
    await up();
    await keptAs([{ ...condition, then: [turn(90), flatten], else: [] }]);
    await page.waitForFunction('document.activeElement?.closest(\'[data-step="1.1.2"]\') !== null');
    await up();
    await keptAs([{ ...condition, then: [flatten, turn(90)], else: [] }]);
    // By its handle to the end of the list of the pipeline.
    const handle = (await (await page.waitForSelector('[data-step="1.1.1"] .step-head > .icon'))!.boundingBox())!;
    const end = (await (await page.waitForSelector('.pipeline-steps > .steps-of > .add-step'))!.boundingBox())!;
    await page.mouse.move(handle.x + 8, handle.y + 8);
    await page.mouse.down();
    await page.mouse.move(handle.x + 8, handle.y + 18);
    await page.mouse.move(end.x + 20, end.y + 10, { steps: 12 });
    for (const offset of [1, 2, 3]) await page.mouse.move(end.x + 20, end.y + 10 + offset);
    await page.mouse.up();
    await keptAs([{ ...condition, then: [turn(90)], else: [] }, flatten]);
    await page.close();
  });

  it('show faults at the inner step and the condition, keep what is unknown, and take removal back', async () => {
    const byCount = { filter: `${API}/filter/filter-page-count`, parameters: { pageCount: 1, comparator: 'Greater' } };
    const pipeline = [
      {
        if: { any: [{ fact: 'pages', above: 'ten' }, { not: byCount }] },
        then: [{ parallel: [[turn(91)], []], onError: 'skip' }],
        esle: [turn()],
      },
      { each: [{ ...turn(), name: '{{file.base}}-{{input.who}}', onError: 'continue', note: 1 }] },
    ];
    const page = await openBuilder(pipeline);
    await settled(page, 'faulty');
    await waitForWords(page, '[data-step="1.1.1.1.1"] .field-error', 'must be a multiple of 90');
    await waitForWords(page, '[data-step="1"] .condition-tests .field-error', 'must be a number');
    await waitForWords(page, '[data-step="1"] .step-marks, [data-step="1"] .extras', 'esle');
    expect(await faultsOf(page)).to.deep.equal([]);
    expect(await kept(page)).to.deep.equal(pipeline);
    await clickOn(page, '[data-step="1.1.1"] > .step-card > .step-head .menu > button');
    await clickOn(page, '.menu-item ::-p-text(Remove)');
    await page.waitForSelector('[data-step="1.1.1"]', { hidden: true });
    await clickOn(page, '.undo-bar .button');
    await page.waitForSelector('[data-step="1.1.1.1.1"]');
    expect(await kept(page)).to.deep.equal(pipeline);
    await page.close();
  });

  it('ask for the values of placeholders before a run', async () => {
    const title = '{{input.customer}}, {{file.base}}';
    const page = await openBuilder([{ each: [{ operation: `${API}/misc/update-metadata`, parameters: { title } }] }]);
    await settled(page, 'valid');
    await chooseFiles(page, short());
    await clickOn(page, '.pipeline-side [role=tab] ::-p-text(Run)');
    await clickOn(page, '[data-run]');
    await page.waitForSelector('[data-values] [data-field=customer] .field-error');
    await page.locator('[data-values] [data-field=customer] input').fill('Miller');
    await clickOn(page, '[data-run]');
    await page.waitForSelector('.result-head');
    const { bytes } = await download(page, folder, '.result-head .button.primary');
    expect((await PDFDocument.load(bytes)).getTitle()).to.equal('Miller, short');
    await page.close();
  });
});
