/// <reference lib="dom" />
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import type { Browser, Page } from 'puppeteer-core';
import { pressExample, startBrowser } from '../../../verification/walk/press-examples.js';
import { findChromium } from '../support/chromium.js';

describe('Swagger UI in a browser', function () {
  this.timeout(90_000);
  const executablePath = findChromium();
  let server: QuireServer;
  let browser: Browser;
  let page: Page;
  let folder: string;
  const foreign: string[] = [];

  before(async function () {
    if (executablePath === undefined) return this.skip();
    folder = await mkdtemp(join(tmpdir(), 'quire-ui-'));
    // Disabled operations are not in the document.
    server = await createTestServer({ settings: { system: { enableUrlToPDF: true } } });
    const url = await server.start();
    browser = await startBrowser(executablePath);
    page = await browser.newPage();
    // The limit only tells a hang from a busy machine.
    page.setDefaultTimeout(85_000);
    page.on('request', (request) => {
      if (!request.url().startsWith(url) && !request.url().startsWith('data:') && !request.url().startsWith('blob:'))
        foreign.push(request.url());
    });
    await page.setViewport({ width: 1200, height: 1400 });
    await page.goto(`${url}/swagger-ui/index.html`);
    await page.waitForSelector('.opblock');
  });
  after(async () => {
    await browser?.close();
    await server?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });

  it('lists every operation of the catalogue', async () => {
    const shown = new Set<string>();
    // The page holds only the visible part of long lists.
    for (let at = 0; at < ((await page.evaluate('document.body.scrollHeight')) as number); at += 1200) {
      await page.evaluate(`window.scrollTo(0, ${at})`);
      await new Promise((done) => setTimeout(done, 100));
      for (const path of await page.$$eval('.opblock-summary-path', (elements) =>
        elements.map((element) => element.getAttribute('data-path') ?? ''),
      ))
        shown.add(path);
    }
    await page.evaluate('window.scrollTo(0, 0)');
    for (const path of server.catalog.operations.keys()) expect([...shown]).to.include(`/api/v1/${path}`);
  });

  it('begins with the category that the console shows first', async () => {
    expect(await page.$eval('.opblock-tag', (tag) => tag.getAttribute('data-tag'))).to.equal('general');
  });

  it('offers tools first, and administration in a second document', async () => {
    const names = await page.$$eval('.download-url-wrapper select option', (all) => all.map((one) => one.textContent));
    expect(names).to.deep.equal(['Tools and pipelines', 'Accounts and administration', 'Saved pipelines']);
    expect(await page.$$eval('.opblock-summary-path', (all) => all.length)).to.be.greaterThan(0);
    await page.select('.download-url-wrapper select', '../v1/api-docs/administration');
    await page.waitForSelector('[data-path^="/api/v1/admin/"]');
    await page.select('.download-url-wrapper select', '../v1/api-docs/tools');
    await page.waitForFunction(
      `document.querySelector('[data-path^="/api/v1/admin/"]') === null && document.querySelector('.opblock') !== null`,
    );
  });

  it('loads nothing from another host', () => {
    expect(foreign).to.deep.equal([]);
  });

  it('finds operations by words of the summary and keywords', async () => {
    const shown = async (typed: string): Promise<string[]> => {
      await page.evaluate("document.querySelector('.operation-filter-input').value = ''");
      await page.click('.operation-filter-input', { count: 3 });
      await page.type('.operation-filter-input', typed);
      await new Promise((resolve) => setTimeout(resolve, 1500));
      return page.$$eval('.opblock-summary-path', (all) => all.map((one) => one.getAttribute('data-path') ?? ''));
    };
    expect(await shown('docx')).to.include('/api/v1/convert/pdf/word');
    expect(await shown('combine'), 'by a keyword').to.include('/api/v1/general/merge-pdfs');
    expect(await shown('password add'), 'by words of the summary').to.include('/api/v1/security/add-password');
    expect(await shown('shrink')).to.include('/api/v1/misc/compress-pdf');
    expect(await shown('merge')).to.include('/api/v1/general/merge-pdfs');
    expect(await shown('no such tool at all')).to.deep.equal([]);
    await page.click('.operation-filter-input', { count: 3 });
    await page.keyboard.press('Backspace');
  });

  it('says in the search field what it searches', async () => {
    const said = await page.$eval('.operation-filter-input', (input) => [
      (input as HTMLInputElement).placeholder,
      input.getAttribute('aria-label'),
    ]);
    const words = 'Search paths, summaries and keywords, for example: combine';
    expect(said).to.deep.equal([words, words]);
  });

  it('runs an operation with "try it out" and offers the result for download', async () => {
    const pdf = join(folder, 'three.pdf');
    await writeFile(pdf, await makePdf({ pages: 3 }));
    const block = '.opblock:has([data-path="/api/v1/general/rotate-pdf"])';
    await page.type('.operation-filter-input', 'rotate-pdf');
    await page.waitForSelector(block);
    await page.click(`${block} .opblock-summary-control`);
    const input = await page.waitForSelector(`${block} input[type=file]`);
    await (input as import('puppeteer-core').ElementHandle<HTMLInputElement>).uploadFile(pdf);
    await page.click(`${block} .execute`);
    await page.waitForSelector(`${block} .live-responses-table .response-col_status`);
    const status = await page.$eval(
      `${block} .live-responses-table tbody .response-col_status`,
      (element) => element.textContent ?? '',
    );
    expect(status.trim()).to.match(/^200/);
    const text = await page.$eval(`${block} .live-responses-table`, (element) => element.textContent ?? '');
    expect(text).to.match(/three_rotated\.pdf/);
  });

  it('sends the id of an earlier result instead of a file', async () => {
    const form = new FormData();
    form.append('fileInput', new Blob([new Uint8Array(await makePdf({ pages: 2 }))]), 'earlier.pdf');
    const site = new URL(page.url()).origin;
    const prefer = { prefer: 'respond-async' };
    const started = await fetch(`${site}/api/v1/general/rotate-pdf`, { method: 'POST', body: form, headers: prefer });
    const { jobId } = (await started.json()) as { jobId: string };
    await fetch(`${site}/api/v1/general/job/${jobId}`, { headers: { prefer: 'wait=60' } });
    const listed = await fetch(`${site}/api/v1/general/job/${jobId}/result/files`);
    const { files } = (await listed.json()) as { files: { fileId: string }[] };

    const block = '.opblock:has([data-path="/api/v1/general/scale-pages"])';
    await page.$eval('.operation-filter-input', (input) => (input as HTMLInputElement).select());
    await page.type('.operation-filter-input', 'scale-pages');
    await page.waitForSelector(block);
    await page.click(`${block} .opblock-summary-control`);
    await page.waitForSelector(`${block} [data-property-name="fileId"] input`);
    await page.type(`${block} [data-property-name="fileId"] input`, files[0]?.fileId ?? '');
    await page.click(`${block} .execute`);
    const cell = await page.waitForSelector(`${block} .live-responses-table tbody .response-col_status`);
    expect((await cell?.evaluate((element) => element.textContent))?.trim()).to.match(/^200/);
  });

  it('fills the form from a chosen example, with its files, and sends no Prefer header itself', async () => {
    const fields: string[] = [];
    await page.exposeFunction('sent', (list: string[]) => fields.push(...list));
    await page.evaluate(() => {
      const { fetch: send } = window;
      window.fetch = (to, options) => {
        if (options?.body instanceof FormData)
          (window as unknown as { sent(list: string[]): void }).sent([
            ...Object.keys(options.headers ?? {}),
            ...[...options.body].map(([name, value]) => `${name}=${value instanceof File ? value.name : value}`),
          ]);
        return send(to, options);
      };
    });
    expect(await pressExample(page, { name: '/api/v1/security/add-watermark', example: 'an image' })).to.equal(200);
    expect(fields).to.include.members(['watermarkType=image', 'watermarkImage=logo.png', 'fontSize=40']);
    expect(fields.filter((name) => /^prefer$/i.test(name))).to.deep.equal([]);
    const named = await page.$$eval(
      '.opblock:has([data-path="/api/v1/security/add-watermark"]) input[type=file]',
      (inputs) => inputs.map((input) => [...((input as HTMLInputElement).files ?? [])].map(({ name }) => name).join()),
    );
    expect(named, 'names beside the buttons').to.include('logo.png');
    await page.select('.opblock:has([data-path="/api/v1/security/add-watermark"]) .quire-examples select', 'Arabic');
    await page.waitForSelector('.quire-examples-state[data-done=true]');
    fields.length = 0;
    await page.click('.opblock:has([data-path="/api/v1/security/add-watermark"]) .execute');
    for (let i = 0; i < 500 && fields.length === 0; i++) await new Promise((done) => setTimeout(done, 50));
    expect(fields).to.include.members(['watermarkType=text', 'alphabet=arabic', 'watermarkImage=']);
  });

  it('runs the sample pipeline on the sample file and shows the documented problems', async () => {
    const block = '.opblock:has([data-path="/api/v1/pipeline/handleData"])';
    expect(
      await pressExample(page, {
        name: '/api/v1/pipeline/handleData',
        example: 'rotated and stamped if it has enough pages',
      }),
    ).to.equal(200);
    expect(
      await page.$$eval(`${block} input[type=file]`, (inputs) =>
        inputs.map((input) => [...((input as HTMLInputElement).files ?? [])].map(({ name }) => name)),
      ),
    ).to.deep.equal([['two-pages.pdf']]);
    const shown = await page.$$eval(`${block} tr.response`, (rows) =>
      rows.map((row) => [row.getAttribute('data-code'), /"code": *"(\w+)"/.exec(row.textContent ?? '')?.[1]]),
    );
    const codes = Object.fromEntries(shown) as Record<string, string | undefined>;
    expect([codes['400'], codes['413'], codes['504']]).to.deep.equal([
      'PIPELINE_INVALID',
      'INPUT_TOO_LARGE',
      'TIMEOUT',
    ]);
  });
});
