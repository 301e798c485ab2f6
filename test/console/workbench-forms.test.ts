/// <reference lib="dom" />
import { expect } from 'chai';
import type { PDFCheckBox, PDFDropdown, PDFOptionList, PDFRadioGroup } from 'pdf-lib';
import type { Page } from 'puppeteer-core';
import { CROP, LAST_PAGE, PLACES } from './form-document.js';
import { clear, control, fillIn, useFormPages, row, textOf, valueOf } from './form-pages.js';
import { press, waitForWords } from './tool-page.js';

describe('Forms in the document workbench', function () {
  this.timeout(180_000);
  const pages = useFormPages();

  it('have a control at the place of each widget, also on pages that are cropped and turned', async () => {
    const page = await pages.open();
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

  it('are opened from the tool that fills them in, with its file', async () => {
    const page = await pages.tool('form/fill');
    await press(page, 'Fill in on the page');
    await page.waitForSelector(control('Your name'));
    expect(new URL(page.url()).pathname).to.equal('/document/forms');
    await waitForWords(page, '.document-head h1', 'form.pdf');
    await page.setViewport({ width: 1280, height: 800 });
    const beyond = await page.$eval('.sections', (nav) => nav.scrollWidth - nav.clientWidth);
    expect(beyond, 'all sections are in view').to.be.at.most(0);
    await page.close();
  });

  it('are filled in on their pages, and applied by one call', async () => {
    const page = await pages.open();
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
    const form = (await pages.filled(page)).getForm();
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
    const page = await pages.open();
    await page.type(`${row('iban')} input`, 'DE123456789');
    expect(await valueOf(page, control('iban')), 'no more than fits').to.equal('DE123456');
    await waitForWords(page, row('iban'), '8 / 8');
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
    const form = (await pages.filled(page)).getForm();
    expect([textOf(form, 'twice'), (form.getField('payment') as PDFRadioGroup).getSelected()]).to.deep.equal([
      'changed',
      'card',
    ]);
    expect((form.getField('languages') as PDFOptionList).getSelected()).to.deep.equal(['German']);
    await page.close();
  });

  it('are filled in with the keyboard alone, in the order of the document, up to pages out of view', async () => {
    const page = await pages.open();
    await page.focus(control('Your name'));
    const order: string[] = [];
    for (let i = 0; i < 13; i++) {
      order.push(await focused(page, 'aria-label'));
      const before = await focused(page, 'data-stop');
      await page.keyboard.press('Tab');
      await page.waitForFunction((stop) => document.activeElement?.getAttribute('data-stop') !== stop, {}, before);
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
    expect(textOf((await pages.filled(page)).getForm(), 'last')).to.equal('reached');
    expect(await page.$eval('.page-field input', (input) => (input as HTMLInputElement).value)).to.equal(
      String(LAST_PAGE + 1),
    );
    await page.close();
  });

  it('count required fields that are empty, and show the next one', async () => {
    const page = await pages.open();
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
    const page = await pages.open();
    await page.type(control('remarks'), 'kept');
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
    expect(textOf((await pages.filled(page)).getForm(), 'remarks')).to.equal('kept');
    await page.close();
  });

  it('go back to the values of the document, and ask before what is entered is lost', async () => {
    const page = await pages.open();
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
    await page.waitForFunction(() => document.querySelector('.form-news .notice') === null);
    await page.waitForFunction(
      (selector) => document.querySelector<HTMLInputElement>(selector)?.value === '',
      {},
      control('Your name'),
    );
    await page.close();
  });
});

function focused(page: Page, attribute: string): Promise<string> {
  return page.evaluate((name) => document.activeElement?.getAttribute(name) ?? '', attribute);
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
