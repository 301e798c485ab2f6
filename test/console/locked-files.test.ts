/// <reference lib="dom" />
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import type { Page } from 'puppeteer-core';
import { field, file, post } from '../http/support/client.js';
import { faultsOf } from './accessibility.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { chooseFiles, clickOn, download, enter, press, run, waitForWords } from './tool-page.js';

describe('Locked files in the console', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;
  let locked: string;
  before(async function () {
    const opened = await openConsole({ plugins: ['@quire/plugin-security', '@quire/plugin-general'] });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-console-locked-'));
    locked = join(folder, 'locked.pdf');
    const answer = await post(`${browser.url}/api/v1/security/add-password`, [
      file(await makePdf({ pages: 2 }), 'locked.pdf'),
      field('password', 'open sesame'),
    ]);
    expect(answer.status).to.equal(200);
    await writeFile(locked, answer.body);
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  const passwordFields = (page: Page): Promise<number> => page.$$eval('input[type=password]', ({ length }) => length);

  it('are unlocked with one field for the password, which also opens their pages', async () => {
    const page = await browser.open('tool/security/remove-password');
    await chooseFiles(page, locked);
    await waitForWords(page, '.viewer-locked', '“locked.pdf” needs a password');
    expect(await passwordFields(page)).to.equal(1);
    expect(await faultsOf(page)).to.deep.equal([]);
    await press(page, 'Enter the password');
    await page.waitForFunction(() => document.activeElement?.matches('[data-field=password] input') === true);
    await page.keyboard.type('open');
    await waitForWords(page, '.viewer-locked', 'This password does not open the file.');
    expect(await passwordFields(page)).to.equal(1);
    await page.keyboard.type(' sesame');
    await page.waitForSelector('.page-grid .page-cell');
    await run(page);
    await page.waitForSelector('.result-head');
    // The original is shown beside the result without being asked for again.
    await clickOn(page, '.run label ::-p-text(Side by side)');
    await page.waitForFunction(() => document.querySelectorAll('.run canvas').length >= 2);
    expect(await passwordFields(page)).to.equal(1);
    const { bytes } = await download(page, folder);
    expect((await PDFDocument.load(bytes)).getPageCount()).to.equal(2);
    await page.close();
  });

  it('are opened by the password that was entered to look at them in a tool without a field for it', async () => {
    const page = await browser.open('tool/general/rotate-pdf');
    await chooseFiles(page, locked);
    await page.waitForSelector('.viewer-locked input[type=password]');
    await page.type('.viewer-locked input[type=password]', 'open sesame');
    await press(page, 'Open');
    await page.waitForSelector('.page-grid .page-cell');
    await run(page);
    await press(page, 'Remove the password');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-field=password] input')?.value === 'open sesame',
    );
    await run(page);
    await page.waitForSelector('.result-head');
    await page.close();
  });

  it('are shown after they were protected, and unlocked again, without asking for the password again', async () => {
    const plain = join(folder, 'plain.pdf');
    await writeFile(plain, await makePdf({ pages: 2 }));
    const page = await browser.open('tool/security/add-password');
    await chooseFiles(page, plain);
    await enter(page, 'password', 'open sesame');
    await run(page);
    await page.waitForSelector('.run .viewer canvas');
    await press(page, 'Next tool with this file');
    await clickOn(page, 'dialog ::-p-text(Remove the password)');
    await page.waitForFunction(
      () => document.querySelector<HTMLInputElement>('[data-field=password] input')?.value === 'open sesame',
    );
    await page.waitForSelector('.page-grid .page-cell');
    await page.close();
  });

  it('say what is missing where the password that was entered is wrong', async () => {
    const page = await browser.open('tool/security/remove-password');
    await chooseFiles(page, locked);
    await page.waitForSelector('.viewer-locked');
    await enter(page, 'password', 'wrong');
    await run(page);
    await page.waitForSelector('.run .notice, [data-field=password] .field-error');
    await waitForWords(page, '.viewer-locked', 'This password does not open the file.');
    expect(await passwordFields(page)).to.equal(1);
    await page.close();
  });
});
