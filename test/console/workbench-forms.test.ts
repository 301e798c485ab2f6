/// <reference lib="dom" />
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import { expect } from 'chai';
import { PDFCheckBox, PDFDocument, PDFDropdown, PDFOptionList, PDFRadioGroup, PDFTextField } from 'pdf-lib';
import type { ElementHandle, Page } from 'puppeteer-core';
import { hasProgram } from '../../document/test/support.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';
import { CROP, formDocument, LAST_PAGE, PLACES, xfaDocument } from './form-document.js';
import { download, press, waitForWords } from './tool-page.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 360, height: 800 };

describe('Forms in the document workbench', function () {
  this.timeout(180_000);
  let browser: ConsoleBrowser;
  let folder: string;

  before(async function () {
    const plugins = ['form', 'misc', 'security', 'signing'].map((name) => `@quire/plugin-${name}`);
    const opened = await openConsole({ plugins });
    if (opened === undefined) return this.skip();
    browser = opened;
    folder = await mkdtemp(join(tmpdir(), 'quire-forms-'));
    const blank = await PDFDocument.create();
    blank.addPage([300, 200]);
    await Promise.all([
      writeFile(join(folder, 'form.pdf'), await formDocument()),
      writeFile(join(folder, 'xfa.pdf'), await xfaDocument()),
      writeFile(join(folder, 'blank.pdf'), await blank.save()),
    ]);
  });
  after(async () => {
    await browser?.stop();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    if (browser !== undefined) expect(browser.faults.splice(0)).to.deep.equal([]);
  });

  async function openForm(name = 'form.pdf', viewport = WIDE): Promise<Page> {
    const page = await browser.open('document/forms');
    await page.setViewport(viewport);
    const input = (await page.waitForSelector('.document > input[type=file]')) as ElementHandle<HTMLInputElement>;
    await input.uploadFile(join(folder, name));
    await page.waitForSelector('.form-part');
    if (name === 'form.pdf') await page.waitForSelector(viewport === WIDE ? control('Your name') : row('iban'));
    return page;
  }
  /** Fills the form in and returns what the workbench saves. */
  async function filled(page: Page): Promise<PDFDocument> {
    await fillIn(page);
    return saved(page);
  }
  async function saved(page: Page): Promise<PDFDocument> {
    const { bytes } = await download(page, folder, '.document-head .button.primary');
    if (hasProgram('qpdf')) {
      await writeFile(join(folder, 'saved.pdf'), bytes);
      execFileSync('qpdf', ['--check', join(folder, 'saved.pdf')]);
    }
    return PDFDocument.load(bytes);
  }

  it('have a control at the place of each widget, also on pages that are cropped and turned', async () => {
    const page = await openForm();
    const name = await boxOf(page, control('Your name'), 0);
    expectNear(name, fromTop(PLACES['person.name'], [0, 0, 595, 842]));
    expectNear(await boxOf(page, control('iban'), 0), fromTop(PLACES.iban, [0, 0, 595, 842]));
    await page.click(`${row('turned')} .icon-button`);
    await page.waitForSelector(`${control('turned')}:focus`);
    const { x, y, width, height } = fromTop(PLACES.turned, CROP);
    // Turned clockwise: what was at the bottom is at the left.
    expectNear(await boxOf(page, control('turned'), 1), {
      x: CROP[3] - y - height,
      y: x,
      width: height,
      height: width,
    });
    await page.close();
  });

  it('are filled in on their pages, and applied by one call', async () => {
    const page = await openForm();
    await page.type(control('Your name'), 'Ada Lovelace');
    await page.type(control('iban'), 'DE123456789');
    await page.type(control('remarks'), 'One\nTwo');
    await page.type(control('secret'), 'pass');
    await page.click(control('terms'));
    await page.click(control('payment: invoice'));
    await page.select(control('town'), 'P');
    await page.type(control('colour'), 'Red');
    await page.select(control('languages'), 'English', 'French, spoken');
    expect(await page.$eval(control('secret'), (input) => (input as HTMLInputElement).type)).to.equal('password');
    expect(await page.$$(control('fixed')), 'read only').to.deep.equal([]);
    expect(await page.$eval('.form-fixed[aria-label="Send"]', (one) => (one as HTMLButtonElement).disabled)).to.equal(
      true,
    );
    await waitForWords(page, '.form-state', '9 fields changed');
    const calls: string[] = [];
    page.on('request', (request) => calls.push(request.url().replace(/^.*\/api\/v1\//, '')));
    const form = (await filled(page)).getForm();
    expect(calls.filter((call) => call === 'form/fill')).to.have.length(1);
    expect(textOf(form, 'person.name')).to.equal('Ada Lovelace');
    expect(textOf(form, 'iban'), 'no more than fits').to.equal('DE123456');
    expect(textOf(form, 'remarks')).to.equal('One\nTwo');
    expect((form.getField('terms') as PDFCheckBox).isChecked()).to.equal(true);
    expect((form.getField('payment') as PDFRadioGroup).getSelected()).to.equal('invoice');
    expect((form.getField('town') as PDFDropdown).getSelected()).to.deep.equal(['P']);
    expect((form.getField('colour') as PDFDropdown).getSelected()).to.deep.equal(['r']);
    expect((form.getField('languages') as PDFOptionList).getSelected()).to.deep.equal(['English', 'French, spoken']);
    expect(textOf(form, 'fixed')).to.equal('never changes');
    await waitForWords(page, '.form-news', '9 fields filled in');
    await page.close();
  });

  it('show one value of a field at all its places, and are filled in as a list as well', async () => {
    const page = await openForm();
    await clear(page, `${row('twice')} input`);
    await page.type(`${row('twice')} input`, 'changed');
    expect(await valueOf(page, control('twice'))).to.equal('changed');
    await page.click(`${row('turned')} .icon-button`);
    await page.waitForFunction(
      (selector) => [...document.querySelectorAll(selector)].filter((one) => one.closest('.viewer-page')).length === 2,
      {},
      control('twice'),
    );
    expect(
      await page.$$eval(control('twice'), (inputs) => inputs.map((input) => (input as HTMLInputElement).value)),
    ).to.deep.equal(['changed', 'changed']);
    await page.click(`${row('payment')} label:nth-child(1) input`);
    await page.click(`${row('languages')} label:nth-child(3) input`);
    expect(await page.$eval(control('payment: card'), (one) => (one as HTMLInputElement).checked)).to.equal(true);
    const form = (await filled(page)).getForm();
    expect([textOf(form, 'twice'), (form.getField('payment') as PDFRadioGroup).getSelected()]).to.deep.equal([
      'changed',
      'card',
    ]);
    expect((form.getField('languages') as PDFOptionList).getSelected()).to.deep.equal(['German']);
    await page.close();
  });

  it('are filled in with the keyboard alone, in the order of the document, up to pages out of view', async () => {
    const page = await openForm();
    await page.focus(control('Your name'));
    const order: string[] = [];
    for (let i = 0; i < 13; i++) {
      order.push(await focused(page));
      await page.keyboard.press('Tab');
      await page.waitForFunction(
        (before) => (document.activeElement?.getAttribute('aria-label') ?? '') !== before || before === 'twice',
        {},
        order.at(-1)!,
      );
    }
    expect(order).to.deep.equal([
      'Your name',
      'iban',
      'remarks',
      'secret',
      'terms',
      'payment: card',
      'town',
      'colour',
      'languages',
      'twice',
      'signature: Sign with the tool “Sign with a certificate”',
      'twice',
      'turned',
    ]);
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'last');
    await page.keyboard.type('reached');
    expect(textOf((await filled(page)).getForm(), 'last')).to.equal('reached');
    expect(await page.$eval('.page-field input', (input) => (input as HTMLInputElement).value)).to.equal(
      String(LAST_PAGE + 1),
    );
    await page.close();
  });

  it('count required fields that are empty, and show the next one', async () => {
    const page = await openForm();
    await waitForWords(page, '.form-state', '2 required fields are empty');
    await page.click('.form-state .link');
    await page.waitForSelector(`${control('Your name')}:focus`);
    expect(await page.$eval(row('person.name'), (one) => one.getAttribute('aria-current'))).to.equal('true');
    await page.keyboard.type('Ada');
    await waitForWords(page, '.form-state', '1 required field is empty');
    await page.click('.form-state .link');
    await page.waitForSelector(`${control('terms')}:focus`);
    await page.keyboard.press('Space');
    await page.waitForFunction(() => document.querySelector('.form-state .link') === null);
    await page.close();
  });

  it('keep what was entered when the server refuses it, and show its words at the field', async () => {
    const page = await openForm();
    await page.type(control('remarks'), 'kept');
    await page.type(control('turned'), 'x').catch(() => undefined);
    await page.focus(`${row('twice')} input`);
    await page.keyboard.sendCharacter('\u{13000}');
    await press(page, 'Fill in');
    await waitForWords(page, `${row('twice')} .field-error`, 'twice');
    expect(await page.$eval(control('twice'), (one) => one.getAttribute('aria-invalid'))).to.equal('true');
    expect(await valueOf(page, control('remarks'))).to.equal('kept');
    await clear(page, `${row('twice')} input`);
    await page.waitForFunction(
      (selector) => document.querySelector(selector) === null,
      {},
      `${row('twice')} .field-error`,
    );
    expect(textOf((await filled(page)).getForm(), 'remarks')).to.equal('kept');
    await page.close();
  });

  it('go back to the values of the document, and ask before what is entered is lost', async () => {
    const page = await openForm();
    await page.type(control('Your name'), 'Ada');
    await page.click('.sections a[href="document"]');
    await waitForWords(page, 'dialog[open]', 'Discard your edits?');
    await press(page, 'Keep editing');
    expect(await valueOf(page, control('Your name'))).to.equal('Ada');
    await press(page, 'Reset');
    await waitForWords(page, '.form-state', 'Nothing is changed yet.');
    expect(await valueOf(page, control('Your name'))).to.equal('');
    await page.type(control('Your name'), 'Grace');
    await fillIn(page);
    await page.click('.document-tools .icon-button');
    await page.waitForFunction(
      (selector) => document.querySelector<HTMLInputElement>(selector)?.value === '',
      {},
      control('Your name'),
    );
    await page.close();
  });

  it('save their values as JSON and CSV, and take them from such files', async () => {
    const page = await openForm();
    await page.type(control('Your name'), 'Ada "the first"');
    await page.select(control('languages'), 'English', 'French, spoken');
    const json = await exported(page, 'Save the values as JSON');
    const csv = await exported(page, 'Save the values as CSV');
    expect(JSON.parse(json.text)).to.include({ 'person.name': 'Ada "the first"', twice: 'everywhere', town: '' });
    expect(JSON.parse(json.text)).to.deep.include({ languages: ['English', 'French, spoken'] });
    expect([json.name, csv.name]).to.deep.equal(['form_values.json', 'form_values.csv']);
    expect(csv.text).to.contain('"Field Name","Value"\n"person.name","Ada ""the first"""\n');
    for (const { name, text } of [json, csv]) {
      await press(page, 'Reset');
      await writeFile(join(folder, name), text);
      await take(page, name);
      await waitForWords(page, '.form-news', '11 values entered from the file');
      expect(await valueOf(page, control('Your name')), name).to.equal('Ada "the first"');
      expect(
        await page.$eval(control('languages'), (list) =>
          [...(list as HTMLSelectElement).selectedOptions].map(({ value }) => value),
        ),
        name,
      ).to.deep.equal(['English', 'French, spoken']);
    }
    await writeFile(join(folder, 'other.json'), '{"nobody": "x", "town": "paris", "payment": "gold", "terms": true}');
    await take(page, 'other.json');
    await waitForWords(page, '.form-news', 'nobody');
    await waitForWords(page, '.form-news', 'payment');
    expect([await valueOf(page, control('town')), await page.$eval(control('terms'), isChecked)]).to.deep.equal([
      'P',
      true,
    ]);
    await writeFile(join(folder, 'none.json'), '{"nobody"');
    await take(page, 'none.json');
    await waitForWords(page, '.form-news', 'The file has no values');
    await page.close();

    async function exported(page: Page, item: string): Promise<{ name: string; text: string }> {
      await page.click('.form-actions .menu > button');
      const label = (await page.waitForSelector(`.form-actions [role=menuitem] ::-p-text(${item})`))!;
      await label.evaluate((one) => one.setAttribute('data-chosen', ''));
      const { name, bytes } = await download(page, folder, '[data-chosen]');
      return { name, text: new TextDecoder().decode(bytes) };
    }
    async function take(page: Page, name: string): Promise<void> {
      const input = (await page.$('.form-actions input[type=file]')) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(join(folder, name));
    }
  });

  it('become page content with “Flatten”, and can be flattened without a change', async () => {
    const page = await openForm();
    await page.click('.form-flatten input');
    const pdf = await filled(page);
    expect(pdf.getForm().getFields()).to.deep.equal([]);
    await waitForWords(page, '.empty', 'This document has no form');
    await page.close();
  });

  it('say when there is nothing to fill in, and lead to what helps', async () => {
    const blank = await openForm('blank.pdf');
    await waitForWords(blank, '.empty', 'This document has no form');
    await press(blank, 'Stamp pages');
    await waitForWords(blank, '.file-row', 'blank.pdf');
    await blank.close();
    const xfa = await openForm('xfa.pdf');
    await waitForWords(xfa, '[role=alert]', 'XFA');
    await waitForWords(xfa, '.empty', 'This form cannot be filled in here');
    await xfa.close();
  });

  it('hand the document to the tool that signs', async () => {
    const page = await openForm();
    await page.click('.form-sign');
    await waitForWords(page, '.file-row', 'form.pdf');
    expect(new URL(page.url()).pathname).to.match(/\/tool\/security\/cert-sign$/);
    await page.close();
  });

  it('are found by name, tooltip and value', async () => {
    const page = await openForm();
    for (const [words, name] of [
      ['YOUR NAME', 'person.name'],
      ['everywhere', 'twice'],
      ['iba', 'iban'],
    ] as const) {
      await clear(page, '.form-search input');
      await page.type('.form-search input', words);
      await page.waitForFunction(() => document.querySelectorAll('.form-row').length === 1);
      expect(await page.$eval('.form-row', (one) => (one as HTMLElement).dataset['name'])).to.equal(name);
    }
    await page.close();
  });

  it('are filled in on a phone, as a list or on the pages', async () => {
    const page = await openForm('form.pdf', NARROW);
    await page.type(`${row('person.name')} input`, 'Ada');
    await page.click(`${row('turned')} .icon-button`);
    await page.waitForSelector(`${control('turned')}:focus`);
    await page.keyboard.type('x');
    const form = (await filled(page)).getForm();
    expect([textOf(form, 'person.name'), textOf(form, 'turned')]).to.deep.equal(['Ada', 'x']);
    await page.close();
  });

  for (const viewport of [WIDE, NARROW])
    for (const theme of ['light', 'dark'] as const)
      it(`are accessible and fit, ${viewport.width} pixels wide, ${theme}`, async () => {
        const page = await openForm('form.pdf', viewport);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        expect(await faultsOf(page)).to.deep.equal([]);
        if (viewport === NARROW) {
          await page.click('.segments label:nth-child(2) input');
          await page.waitForSelector(control('Your name'));
          expect(await faultsOf(page)).to.deep.equal([]);
        }
        await page.close();
      });
});

function control(label: string): string {
  return `.form-layer [aria-label="${label}"]`;
}

function row(name: string): string {
  return `.form-row[data-name="${name}"]`;
}

async function fillIn(page: Page): Promise<void> {
  await page.click('.form-actions .button.primary');
  await page.waitForSelector('.form-news .notice');
  await waitForWords(page, '.document-head', 'Changes are not saved');
}

async function clear(page: Page, selector: string): Promise<void> {
  await page.$eval(selector, (input) => (input as HTMLInputElement).select());
  await page.focus(selector);
  await page.keyboard.press('Backspace');
}

function valueOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (input) => (input as HTMLInputElement).value);
}

function isChecked(input: Element): boolean {
  return (input as HTMLInputElement).checked;
}

function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
}

function textOf(form: ReturnType<PDFDocument['getForm']>, name: string): string | undefined {
  return (form.getField(name) as PDFTextField).getText();
}

interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A rectangle from the upper left corner of a page that is not turned. pdf-lib draws borders around it. */
function fromTop(
  [x, y, width, height]: readonly [number, number, number, number],
  [left, bottom, , pageHeight]: readonly [number, number, number, number],
): Box {
  return { x: x - left - 0.5, y: bottom + pageHeight - y - height - 0.5, width: width + 1, height: height + 1 };
}

/** Where a control is on its page, in points. */
function boxOf(page: Page, selector: string, index: number): Promise<Box> {
  return page.$eval(
    selector,
    (element, widths) => {
      const at = element.closest('.form-place')!.getBoundingClientRect();
      const whole = element.closest('.viewer-page')!.getBoundingClientRect();
      const scale = whole.width / widths;
      return {
        x: (at.x - whole.x) / scale,
        y: (at.y - whole.y) / scale,
        width: at.width / scale,
        height: at.height / scale,
      };
    },
    index === 0 ? 595 : CROP[3],
  );
}

function expectNear(found: Box, wanted: Box): void {
  for (const key of ['x', 'y', 'width', 'height'] as const)
    expect(found[key], `${key}: ${JSON.stringify(found)} ${JSON.stringify(wanted)}`).to.be.closeTo(wanted[key], 1);
}

/** What axe-core finds, and what is wider than the window. */
async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  const wide = await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)),
    ...(wide ? ['wider than the window'] : []),
  ];
}
