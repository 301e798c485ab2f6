/// <reference lib="dom" />
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { Page } from 'puppeteer-core';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, download, enter, run } from './tool-page.js';

const runFile = promisify(execFile);
const python = spawnSync('python3', ['-c', 'import requests']).status === 0;
/** With what shells and Python treat in a way of their own. */
const FILE = `it's; a "letter", 2.pdf`;
const TITLE = `a 'b' "c"; d=$HOME, \`e\` \\n @f`;

describe('The calls that the console shows', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let page: Page;
  let expected: Uint8Array;

  before(async function () {
    const opened = await openConsole({ plugins: ['general', 'misc'].map((name) => `@quire/plugin-${name}`) });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-snippets-'));
    await writeFile(join(folder, FILE), await makePdf({ pages: 3, text: ['one', 'two', 'three'] }));
    page = await browser.open('tool/misc/update-metadata');
    await chooseFiles(page, join(folder, FILE));
    await enter(page, 'title', TITLE);
    await run(page);
    await page.waitForSelector('.result-head');
    expected = (await download(page, folder)).bytes;
    await page.click('details.more.card > summary');
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  async function snippet(label: string): Promise<string> {
    await page.locator(`.more.card [role=tab] ::-p-text(${label})`).click();
    return page.$eval('.snippet code', (code) => code.textContent ?? '');
  }
  async function expectSame(path: string): Promise<void> {
    const [ours, theirs] = await Promise.all([expected, await readFile(path)].map((pdf) => PDFDocument.load(pdf)));
    expect(theirs!.getPageCount()).to.equal(3);
    expect(theirs!.getTitle()).to.equal(TITLE).and.to.equal(ours!.getTitle());
    await rm(path);
  }

  it('run in a shell, with curl, and have the same result', async () => {
    const text = await snippet('curl');
    expect(text).to.contain('--fail-with-body -o result.pdf');
    await runFile('bash', ['-c', text], { cwd: folder });
    await expectSame(join(folder, 'result.pdf'));
  });

  it('run in Python and have the same result', async function () {
    if (!python) return this.skip();
    await writeFile(join(folder, 'call.py'), await snippet('Python'));
    await runFile('python3', ['call.py'], { cwd: folder });
    await expectSame(join(folder, 'result.pdf'));
  });

  it('run in JavaScript and have the same result', async () => {
    const text = await snippet('JavaScript');
    const given = await readFile(join(folder, FILE));
    const call = new Function('file', `return (async () => { ${text}\nreturn result; })()`) as (
      file: Blob,
    ) => Promise<Blob>;
    await writeFile(join(folder, 'result.pdf'), await (await call(new Blob([given]))).bytes());
    await expectSame(join(folder, 'result.pdf'));
  });

  it('are a step of a pipeline', async () => {
    const step = JSON.parse(await snippet('Pipeline step')) as Record<string, unknown>;
    const form = new FormData();
    form.append('fileInput', new Blob([await readFile(join(folder, FILE))]), FILE);
    form.append('json', JSON.stringify({ pipeline: [step] }));
    const answer = await fetch(`${browser.url}/api/v1/pipeline/handleData`, { method: 'POST', body: form });
    expect(answer.status).to.equal(200);
    await writeFile(join(folder, 'result.pdf'), await answer.bytes());
    await expectSame(join(folder, 'result.pdf'));
  });
});
