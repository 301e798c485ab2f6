import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { invoicePages, type Line, linesPdf } from '../../fixtures/make-invoice.js';
import { improveWithModel, isOnPage } from '../../src/functions/fields/ask-model.js';
import { extractFields, type FoundField } from '../../src/functions/fields/extract-fields.js';
import { conceptOf, type WantedField } from '../../src/functions/fields/field-names.js';
import { findIban, parseAmount, parseDate, parseNumber, typedValue } from '../../src/functions/fields/field-types.js';
import { readEvidence } from '../../src/functions/fields/read-evidence.js';
import { suggestFields } from '../../src/functions/fields/suggest-schema.js';

const point = { decimalComma: false, monthFirst: false };
const comma = { decimalComma: true, monthFirst: false };

describe('Extracting fields without a model', function () {
  this.timeout(60_000);
  let folder: string;
  before(async () => void (folder = await mkdtemp(join(tmpdir(), 'quire-fields-'))));
  after(() => rm(folder, { recursive: true, force: true }));

  let n = 0;
  const evidenceOf = async (pdf: Uint8Array) => {
    const path = join(folder, `${++n}.pdf`);
    await writeFile(path, pdf);
    return readEvidence(path, { signal: new AbortController().signal, progress: () => undefined });
  };
  const extracted = async (pdf: Uint8Array, fields: readonly WantedField[]): Promise<Map<string, FoundField>> =>
    new Map(extractFields(fields, await evidenceOf(pdf)).map((field) => [field.name, field]));
  const valuesOf = async (lines: readonly Line[], fields: readonly WantedField[]) =>
    Object.fromEntries(
      [...(await extracted(await linesPdf([lines]), fields)).values()].map(({ name, value }) => [name, value]),
    );

  it('reads numbers in both ways of writing them', () => {
    expect(
      ['1.234,56', '1,234.56', '1 234,5', "1'234.50", '-12', '(12.00)', '12,5'].map((text) => parseNumber(text, point)),
    ).to.deep.equal([1234.56, 1234.56, 1234.5, 1234.5, -12, -12, 12.5]);
    expect([
      parseNumber('1.234', comma),
      parseNumber('1.234', point),
      parseNumber('1,234', point),
      parseNumber('1,234', comma),
      parseNumber('1.234.567', point),
      parseNumber('none', point),
    ]).to.deep.equal([1234, 1.234, 1234, 1.234, 1234567, undefined]);
  });

  it('reads amounts with their currency before or behind', () => {
    expect(
      ['119,00 €', '€ 1.000', 'EUR 5', '$12.50', '1 200 CHF', 'US$ 3', '7'].map((text) => parseAmount(text, comma)),
    ).to.deep.equal([
      { amount: 119, currency: 'EUR' },
      { amount: 1000, currency: 'EUR' },
      { amount: 5, currency: 'EUR' },
      { amount: 12.5, currency: 'USD' },
      { amount: 1200, currency: 'CHF' },
      { amount: 3, currency: 'USD' },
      { amount: 7 },
    ]);
  });

  it('reads dates in four languages, and none that the calendar does not have', () => {
    expect(
      [
        '2024-03-12',
        '12.3.2024',
        '12/03/24',
        '12 March 2024',
        'March 12th, 2024',
        '12. März 2024',
        '1er février 2024',
        '3 de marzo de 2024',
        '31.02.2024',
        '99.99.2024',
      ].map((text) => parseDate(text, point)),
    ).to.deep.equal([
      '2024-03-12',
      '2024-03-12',
      '2024-03-12',
      '2024-03-12',
      '2024-03-12',
      '2024-03-12',
      '2024-02-01',
      '2024-03-03',
      undefined,
      undefined,
    ]);
    expect([
      parseDate('3/4/2024', { monthFirst: true }),
      parseDate('3/4/2024', { monthFirst: false }),
      parseDate('3/14/2024', { monthFirst: false }),
    ]).to.deep.equal(['2024-03-04', '2024-04-03', '2024-03-14']);
  });

  it('takes an IBAN only with right check digits and length, and words of yes and no', () => {
    expect([
      findIban('IBAN DE89 3704 0044 0532 0130 00 BIC X'),
      findIban('DE88 3704 0044 0532 0130 00'),
      findIban('FR14 2004 1010 0505 0001 3M02 606'),
    ]).to.deep.equal(['DE89370400440532013000', undefined, 'FR1420041010050500013M02606']);
    expect(['ja', 'Non', 'X', 'maybe'].map((text) => typedValue(text, 'boolean', point))).to.deep.equal([
      true,
      false,
      true,
      undefined,
    ]);
  });

  it('takes of a model only whole numbers, and shows it no more than the limit with what it is asked', async () => {
    const evidence = {
      pages: 1,
      pairs: [],
      snippets: [],
      texts: ['We owe 1,234.56 EUR to Dr. Ada, see 15.'],
      truncated: false,
    };
    const asked: number[] = [];
    const propose = async (type: WantedField['type'], value: string, characters = 10_000) => {
      const [field] = await improveWithModel(
        [{ name: 'owed', type }],
        [{ name: 'owed', type, found: false, value: null, confidence: 0 }],
        evidence,
        {
          limits: { pages: 5, characters },
          ask: async ({ instructions, text }) => {
            asked.push(instructions.length + text.length);
            return { fields: [{ name: 'owed', value, page: 1, quotation: evidence.texts[0] }] };
          },
        },
      );
      return field?.value;
    };
    expect([
      await propose('number', '234'),
      await propose('number', '234.56'),
      await propose('number', '1,234'),
      await propose('number', '5'),
      await propose('number', '1,234.56'),
      await propose('number', '15'),
      await propose('string', 'Dr Ada'),
    ]).to.deep.equal([null, null, null, null, 1234.56, 15, 'Dr Ada']);
    await propose('number', '15', 320);
    await propose('number', '15', 20);
    expect(asked.at(-1)).to.equal(320);
    expect(asked).to.have.length(8);
  });

  it('is not held up by a line of figures', () => {
    for (const type of ['number', 'currency', 'date'] as const)
      expect(typedValue(`a${' '.repeat(300_000)}b ${'111 111 '.repeat(40_000)}`, type, point), type).to.equal(
        undefined,
      );
    expect(typedValue(`a${' '.repeat(300_000)}b ${'111 111 '.repeat(40_000)}`, 'list', point)).to.deep.equal([
      `a b ${'111 111 '.repeat(40_000)}`.trim(),
    ]);
  });

  it('finds the values of an invoice by labels, tables and typical formats', async () => {
    const found = await extracted(await linesPdf(invoicePages), [
      { name: 'invoiceNumber', type: 'string' },
      { name: 'invoice_date', type: 'date' },
      { name: 'due date', type: 'date' },
      { name: 'customerNumber', type: 'string' },
      { name: 'total', type: 'currency' },
      { name: 'subtotal', type: 'currency' },
      { name: 'vat', type: 'currency' },
      { name: 'iban', type: 'string' },
      { name: 'email', type: 'string' },
      { name: 'paid', type: 'boolean' },
      { name: 'description', type: 'list' },
    ]);
    expect(Object.fromEntries([...found].map(([name, { value }]) => [name, value]))).to.deep.equal({
      invoiceNumber: 'R-2024-17',
      invoice_date: '2024-03-12',
      'due date': '2024-03-26',
      customerNumber: 'K 4711',
      total: { amount: 1428, currency: 'EUR' },
      subtotal: { amount: 1200, currency: 'EUR' },
      vat: { amount: 228, currency: 'EUR' },
      iban: 'DE89370400440532013000',
      email: 'help@quill.example',
      paid: false,
      description: ['Book', 'Pen', 'Ink'],
    });
    expect([found.get('total')?.page, found.get('iban')?.source, found.get('invoiceNumber')?.quotation]).to.deep.equal([
      2,
      'type',
      'R-2024-17',
    ]);
    const [left, top, right, bottom] = found.get('due date')?.box ?? [];
    expect([left! > 195 && left! < 205, right! < 260, top! < 142 && bottom! > 140]).to.deep.equal([true, true, true]);
  });

  it('knows invoices in German, French and Spanish', async () => {
    const fields: WantedField[] = [
      { name: 'invoiceNumber', type: 'string' },
      { name: 'dueDate', type: 'date' },
      { name: 'total', type: 'currency' },
    ];
    expect(
      await valuesOf(
        [
          [50, 700, 'Rechnungsnummer: 2024/118'],
          [50, 680, 'Zahlbar bis: 1. April 2024'],
          [50, 660, 'Gesamtbetrag'],
          [300, 660, '1.428,00 EUR'],
        ],
        fields,
      ),
    ).to.deep.equal({ invoiceNumber: '2024/118', dueDate: '2024-04-01', total: { amount: 1428, currency: 'EUR' } });
    expect(
      await valuesOf(
        [
          [50, 700, 'Facture n° F-77'],
          [50, 680, 'Échéance : 15/04/2024'],
          [50, 660, 'Total TTC : 99,50 EUR'],
        ],
        fields,
      ),
    ).to.deep.equal({ invoiceNumber: 'F-77', dueDate: '2024-04-15', total: { amount: 99.5, currency: 'EUR' } });
    expect(
      await valuesOf(
        [
          [50, 700, 'Número de factura: A-5'],
          [50, 680, 'Fecha de vencimiento: 3 de mayo de 2024'],
          [50, 660, 'Total a pagar: 10,00 EUR'],
        ],
        fields,
      ),
    ).to.deep.equal({ invoiceNumber: 'A-5', dueDate: '2024-05-03', total: { amount: 10, currency: 'EUR' } });
  });

  it('takes form fields by their names and tooltips, before anything printed', async () => {
    const document = await PDFDocument.create();
    const page = document.addPage([400, 400]);
    const form = document.getForm();
    const field = form.createTextField('person.lastName');
    field.setText('Lovelace');
    field.addToPage(page, { x: 50, y: 300, width: 200, height: 20 });
    const box = form.createCheckBox('member');
    box.addToPage(page, { x: 50, y: 250, width: 15, height: 15 });
    box.check();
    page.drawText('Last name: Byron', { x: 50, y: 350, size: 10 });
    const found = await extracted(await document.save(), [
      { name: 'lastName', type: 'string' },
      { name: 'member', type: 'string' },
    ]);
    expect([
      found.get('lastName')?.value,
      found.get('lastName')?.source,
      found.get('lastName')?.box !== undefined,
      found.get('member')?.found,
    ]).to.deep.equal(['Lovelace', 'form', true, true]);
  });

  it('holds a value to its pattern, finds it in running text, and finds nothing else', async () => {
    const lines: Line[] = [
      [50, 700, 'We refer to contract ZX-991 of last year.'],
      [50, 680, 'Contract: unknown'],
    ];
    expect(
      await valuesOf(lines, [
        { name: 'contract', type: 'string', pattern: '[A-Z]{2}-\\d{3}' },
        { name: 'other', type: 'string', pattern: '\\d{9}' },
        { name: 'nothing', type: 'string' },
      ]),
    ).to.deep.equal({ contract: 'ZX-991', other: null, nothing: null });
  });

  it('gives boxes of pages as they are shown, cropped', async () => {
    const document = await PDFDocument.load(await linesPdf([[[300, 600, 'Total: 5.00 EUR']]]));
    const page = document.getPage(0);
    page.setCropBox(200, 500, 300, 300);
    const straight =
      (await extracted(await document.save(), [{ name: 'total', type: 'currency' }])).get('total')?.box ?? [];
    expect([Math.round(straight[0]!), straight[1]! > 185 && straight[3]! < 205]).to.deep.equal([100, true]);
  });

  it('suggests fields with names, types and examples', async () => {
    const fields = suggestFields(await evidenceOf(await linesPdf(invoicePages)), 20);
    expect(
      fields
        .filter(({ name }) => ['invoiceNumber', 'invoiceDate', 'dueDate', 'total', 'quantity', 'paid'].includes(name))
        .map(({ name, type }) => `${name} ${type}`),
    ).to.have.members([
      'invoiceNumber string',
      'invoiceDate date',
      'dueDate date',
      'total currency',
      'quantity list',
      'paid boolean',
    ]);
    expect(suggestFields(await evidenceOf(await linesPdf(invoicePages)), 3)).to.have.length(3);
    expect(new Set(fields.map(({ name }) => name)).size).to.equal(fields.length);
  });

  it('knows words for the same thing, and a quotation only where it stands', () => {
    expect([
      conceptOf('Rechnungs-Nr.'),
      conceptOf('Facture N°'),
      conceptOf('invoice_number'),
      conceptOf('weather'),
    ]).to.deep.equal(['invoiceNumber', 'invoiceNumber', 'invoiceNumber', undefined]);
    expect([
      isOnPage('Total  5', 'the\ntotal 5 EUR'),
      isOnPage('Total 6', 'the total 5'),
      isOnPage('', 'x'),
      isOnPage('x', undefined),
    ]).to.deep.equal([true, false, false, false]);
  });
});
