/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { copyFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument, type PDFTextField } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { hasProgram } from '../../document/test/support.js';
import { productRoot } from '../http/support/server.js';
import { openConsole } from './console-browser.js';
import { formDocument, lockedDocument, xfaDocument } from './form-document.js';
import { chooseFiles, download, waitForWords } from './tool-page.js';

export const WIDE = { width: 1440, height: 900 };
export const NARROW = { width: 360, height: 800 };

/** A browser with forms in the document workbench. */
interface FormPages {
  readonly folder: string;
  readonly faults: string[];
  /** Opens one of `form.pdf`, `hybrid.pdf`, `locked.pdf`, `xfa.pdf` and `blank.pdf`. */
  open(name?: string, viewport?: typeof WIDE): Promise<Page>;
  /** Opens the page of a tool, with `form.pdf`. */
  tool(path: string): Promise<Page>;
  /** Fills the form in and returns what the workbench saves. */
  filled(page: Page): Promise<PDFDocument>;
  stop(): Promise<void>;
}

/** The pages for the tests of a suite, which is skipped where no Chromium is installed; pages must report no faults. */
export function useFormPages(): Omit<FormPages, 'faults' | 'stop'> {
  let pages: FormPages | undefined;
  const opened = (): FormPages => {
    if (pages === undefined) throw new Error('the pages are open during tests only');
    return pages;
  };
  before(async function () {
    pages = await openFormPages();
    if (pages === undefined) this.skip();
  });
  after(() => pages?.stop());
  afterEach(() => {
    if (pages !== undefined) expect(pages.faults.splice(0)).to.deep.equal([]);
  });
  return {
    get folder() {
      return opened().folder;
    },
    open: (...args) => opened().open(...args),
    tool: (path) => opened().tool(path),
    filled: (page) => opened().filled(page),
  };
}

/** Undefined where no Chromium is installed. */
async function openFormPages(): Promise<FormPages | undefined> {
  const plugins = ['form', 'misc', 'security', 'signing'].map((name) => `@quire/plugin-${name}`);
  const browser = await openConsole({ plugins });
  if (browser === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'quire-forms-'));
  const blank = await PDFDocument.create();
  blank.addPage([300, 200]);
  await Promise.all([
    writeFile(join(folder, 'form.pdf'), await formDocument()),
    writeFile(join(folder, 'xfa.pdf'), await xfaDocument()),
    copyFile(join(productRoot, 'plugins', 'form', 'fixtures', 'hybrid-xfa.pdf'), join(folder, 'hybrid.pdf')),
    writeFile(join(folder, 'locked.pdf'), await lockedDocument()),
    writeFile(join(folder, 'blank.pdf'), await blank.save()),
  ]);
  return {
    folder,
    faults: browser.faults,
    open: async (name = 'form.pdf', viewport = WIDE) => {
      const page = await browser.open('document/forms');
      await page.setViewport(viewport);
      const input = (await page.waitForSelector('.document > input[type=file]')) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(join(folder, name));
      await page.waitForSelector('.form-part');
      if (name === 'form.pdf') await page.waitForSelector(viewport === WIDE ? control('Your name') : row('iban'));
      return page;
    },
    tool: async (path) => {
      const page = await browser.open(`tool/${path}`);
      await page.setViewport(WIDE);
      await chooseFiles(page, join(folder, 'form.pdf'));
      await page.waitForSelector('.file-row');
      return page;
    },
    filled: async (page) => {
      await fillIn(page);
      const { bytes } = await download(page, folder, '.document-head .button.primary');
      if (hasProgram('qpdf')) {
        await writeFile(join(folder, 'saved.pdf'), bytes);
        execFileSync('qpdf', ['--check', join(folder, 'saved.pdf')]);
      }
      return PDFDocument.load(bytes);
    },
    stop: async () => {
      await browser.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The control of a field on a page, by its name for people. */
export function control(label: string): string {
  return `.form-layer [aria-label="${label}"]`;
}

/** The row of a field in the list, by its name. */
export function row(name: string): string {
  return `.form-row[data-name="${name}"]`;
}

/** Applies what was entered, and waits for the new version. */
export async function fillIn(page: Page): Promise<void> {
  await page.click('.form-actions .button.primary');
  await page.waitForSelector('.form-news .notice');
  await waitForWords(page, '.document-head', 'Changes are not saved');
}

export async function clear(page: Page, selector: string): Promise<void> {
  await page.$eval(selector, (input) => (input as HTMLInputElement).select());
  await page.focus(selector);
  await page.keyboard.press('Backspace');
}

export function valueOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (input) => (input as HTMLInputElement).value);
}

export function textOf(form: ReturnType<PDFDocument['getForm']>, name: string): string | undefined {
  return (form.getField(name) as PDFTextField).getText();
}
