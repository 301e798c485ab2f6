/// <reference lib="dom" />
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ElementHandle, Page } from 'puppeteer-core';
import { sampleOf } from '../suites/nightly.js';
import { faultsOf } from './accessibility.js';
import { clear, control, NARROW, useFormPages, row, textOf, valueOf, WIDE } from './form-pages.js';
import { download, press, waitForWords } from './tool-page.js';

describe('Whole forms in the document workbench', function () {
  this.timeout(180_000);
  const pages = useFormPages();

  it('save their values as JSON and CSV, and take them from such files', async () => {
    const page = await pages.open();
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
      await writeFile(join(pages.folder, name), text);
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
    await writeFile(
      join(pages.folder, 'other.json'),
      '{"nobody": "x", "town": "paris", "payment": "gold", "terms": true}',
    );
    await take(page, 'other.json');
    await waitForWords(page, '.form-news', 'nobody');
    await waitForWords(page, '.form-news', 'payment');
    expect([await valueOf(page, control('town')), await page.$eval(control('terms'), isChecked)]).to.deep.equal([
      'P',
      true,
    ]);
    await writeFile(join(pages.folder, 'none.json'), '{"nobody"');
    await take(page, 'none.json');
    await waitForWords(page, '.form-news', 'The file has no values');
    await page.close();

    async function exported(page: Page, item: string): Promise<{ name: string; text: string }> {
      await page.click('.form-actions .menu > button');
      const label = (await page.waitForSelector(`.form-actions [role=menuitem] ::-p-text(${item})`))!;
      await label.evaluate((one) => one.setAttribute('data-chosen', ''));
      const { name, bytes } = await download(page, pages.folder, '[data-chosen]');
      return { name, text: new TextDecoder().decode(bytes) };
    }
    async function take(page: Page, name: string): Promise<void> {
      const input = (await page.$('.form-actions input[type=file]')) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(join(pages.folder, name));
    }
  });

  it('become page content with “Flatten”, and can be flattened without a change', async () => {
    const page = await pages.open();
    await page.click('.form-flatten input');
    const pdf = await pages.filled(page);
    expect(pdf.getForm().getFields()).to.deep.equal([]);
    await waitForWords(page, '.empty', 'This document has no form');
    await page.close();
  });

  it('say when there is nothing to fill in, and lead to what helps', async () => {
    const blank = await pages.open('blank.pdf');
    await waitForWords(blank, '.empty', 'This document has no form');
    await press(blank, 'Stamp pages');
    await waitForWords(blank, '.file-row', 'blank.pdf');
    await blank.close();
    const xfa = await pages.open('xfa.pdf');
    await waitForWords(xfa, '[role=alert]', 'XFA');
    await waitForWords(xfa, '.empty', 'This form cannot be filled in here');
    await xfa.close();
  });

  it('tell in words what the server did beside filling in', async () => {
    const page = await pages.open('hybrid.pdf');
    await page.waitForSelector(control('remarks'));
    await page.type(control('remarks'), 'x');
    await pages.filled(page);
    await waitForWords(page, '.form-news .notice.warning', 'The XFA form of the document was removed');
    await page.close();
  });

  it('take text that runs from right to left', async () => {
    const page = await pages.open();
    await page.focus(control('remarks'));
    await page.keyboard.sendCharacter('مرحبا بالعالم');
    expect(await page.$eval(control('remarks'), (one) => one.matches(':dir(rtl)'))).to.equal(true);
    expect(textOf((await pages.filled(page)).getForm(), 'remarks')).to.equal('مرحبا بالعالم');
    await page.close();
  });

  it('say why a field cannot be changed, and have no control for it', async () => {
    const page = await pages.open('locked.pdf');
    await page.waitForSelector(control('open'));
    expect([await page.$(control('locked')), await page.$(`${row('locked')} input`)]).to.deep.equal([null, null]);
    await waitForWords(page, row('locked'), 'agreed');
    await waitForWords(page, row('locked'), 'Locked by the signature in “approval”');
    await waitForWords(page, row('approval'), 'Signed');
    expect(await page.$('.form-sign')).to.equal(null);
    await page.close();
  });

  it('hand the document to the tool that signs', async () => {
    const page = await pages.open();
    await page.click('.form-sign');
    await waitForWords(page, '.file-row', 'form.pdf');
    expect(new URL(page.url()).pathname).to.match(/\/tool\/security\/cert-sign$/);
    await page.close();
  });

  it('are found by name, tooltip and value', async () => {
    const page = await pages.open();
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
    const page = await pages.open('form.pdf', NARROW);
    await page.type(`${row('person.name')} input`, 'Ada');
    await page.click(`${row('turned')} .icon-button`);
    await page.waitForSelector(`${control('turned')}:focus`);
    await page.keyboard.type('x');
    const form = (await pages.filled(page)).getForm();
    expect([textOf(form, 'person.name'), textOf(form, 'turned')]).to.deep.equal(['Ada', 'x']);
    await page.close();
  });

  for (const [turn, viewport] of [WIDE, NARROW].entries())
    for (const theme of sampleOf(['light', 'dark'] as const, 2, turn))
      it(`are accessible and fit, ${viewport.width} pixels wide, ${theme}`, async () => {
        const page = await pages.open('form.pdf', viewport);
        await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: theme }]);
        await page.waitForFunction(() => document.getAnimations().length === 0);
        const faults = await faultsOf(page);
        expect(faults, faults.join('\n')).to.deep.equal([]);
        if (viewport === NARROW) {
          await page.click('.segments label:nth-child(2) input');
          await page.waitForSelector(control('Your name'));
          expect(await faultsOf(page)).to.deep.equal([]);
        }
        await page.close();
      });
});

function isChecked(input: Element): boolean {
  return (input as HTMLInputElement).checked;
}
