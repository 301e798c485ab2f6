import { expect } from 'chai';
import { profileById } from '../../../invoices/profiles/index.js';
import { allRules, checkRules, MOST_OF_A_RULE, type Violation } from '../../../invoices/rules/index.js';
import type { Invoice } from '../../../invoices/model/index.js';
import { readInvoice, writeInvoice } from '../../../invoices/syntaxes/index.js';
import { broken, check, type Draft, sampleInvoice, sampleXml, type Written } from './sample-invoice.js';

const syntaxes: readonly Written[] = ['cii', 'ubl'];

/** The violation of one rule in the sample after a change; fails if there are more. */
function only(rule: string, syntax: Written, change: (invoice: Draft) => void): Violation {
  const found = check(sampleXml(syntax, change)).filter((violation) => violation.rule === rule);
  expect(found, `${rule} in ${syntax}`).to.have.length(1);
  return found[0] as Violation;
}

describe('Rules of invoices', () => {
  it('find nothing wrong with a correct XRechnung in both syntaxes', () => {
    for (const syntax of syntaxes) expect(broken(check(sampleXml(syntax))), syntax).to.deep.equal([]);
  });

  it('have unique ids by set and syntax, terms, and sentences in both languages', () => {
    const seen = new Set<string>();
    for (const { id, set, family, message, terms } of allRules) {
      const key = `${id} ${set} ${family ?? ''}`;
      expect(seen.has(key), key).to.equal(false);
      seen.add(key);
      expect(message.en, id).to.match(/^[A-Z"].*\.$/);
      expect(message.de, id).to.match(/^[A-ZÄÖÜ„].*\.$/);
      for (const term of terms) expect(term, id).to.match(/^B[TG]-(DEX-|X-)?\d+$/);
    }
    expect(seen.size).to.be.greaterThan(300);
  });

  it('say in a sentence which amounts do not fit, and where', () => {
    for (const syntax of syntaxes) {
      const found = only('BR-CO-15', syntax, ({ totals }) => {
        if (totals !== undefined) totals.withVat = '142.10';
      });
      expect(found.severity).to.equal('fatal');
      expect(found.terms).to.deep.equal(['BT-112', 'BT-109', 'BT-110']);
      expect(found.value).to.equal('142.10');
      expect(found.location?.xpath).to.match(/(TaxInclusiveAmount|GrandTotalAmount)$/);
      expect(found.location?.line).to.be.greaterThan(20);
      expect(found.message.en).to.equal(
        'The total including VAT (142.10) is not the total without VAT (119.40) plus the VAT (22.69).',
      );
      expect(found.message.de).to.equal(
        'Der Gesamtbetrag mit Umsatzsteuer (142.10) ist nicht der Gesamtbetrag ohne Umsatzsteuer (119.40) ' +
          'plus die Umsatzsteuer (22.69).',
      );
    }
  });

  it('name the line of a violation by its number', () => {
    for (const syntax of syntaxes) {
      const found = only('BR-25', syntax, ({ lines }) => {
        if (lines?.[1] !== undefined) lines[1].item = { name: ' ' };
      });
      expect(found.message.en).to.equal('Line 2: The name of the item is missing.');
      expect(found.message.de).to.equal('Position 2: Der Name des Artikels fehlt.');
    }
  });

  it('report a difference that the published tests accept as information about the strict reading', () => {
    for (const syntax of syntaxes) {
      const found = check(
        sampleXml(syntax, (invoice) => {
          const [entry] = invoice.vatBreakdown ?? [];
          if (entry === undefined || invoice.totals === undefined) return;
          entry.taxAmount = invoice.totals.vat = '22.70';
          invoice.totals.withVat = invoice.totals.due = '142.10';
        }),
      );
      expect(broken(found), syntax).to.deep.equal([]);
      const strict = found.filter(({ rule }) => rule.endsWith('-strict'));
      expect(strict.map(({ rule }) => rule)).to.deep.equal(['BR-CO-17-strict', 'BR-S-09-strict']);
      expect(strict.every(({ severity }) => severity === 'information')).to.equal(true);
    }
  });

  it('treat amounts that are no numbers, and dates and currencies that do not exist, as wrong', () => {
    for (const syntax of syntaxes) {
      const comma = check(sampleXml(syntax, ({ lines }) => void (lines?.[0] && (lines[0].netAmount = '59,70'))));
      expect(broken(comma), syntax).to.include('BR-CO-10');
      const long = check(sampleXml(syntax, ({ totals }) => void (totals && (totals.withVat = '9'.repeat(40)))));
      expect(broken(long), syntax).to.include.members(['BR-CO-15', 'BR-CO-16']);
      expect(long.find(({ rule }) => rule === 'BR-CO-15')?.value).to.equal('9'.repeat(40));
      const currency = only('BR-CL-04', syntax, (invoice) => void (invoice.currency = 'XYZ'));
      expect(currency.message.en).to.equal('The currency of the invoice ("XYZ") is not in the code list ISO 4217.');
      const period = check(
        sampleXml(syntax, ({ delivery }) => {
          if (delivery !== undefined) delivery.invoicingPeriod = { start: '2026-02-01', end: '2026-02-30' };
        }),
      );
      expect(broken(period), syntax).to.include('BR-29');
    }
  });

  it('answer an empty root element with what is missing', () => {
    const ubl = check('<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>');
    expect(broken(ubl)).to.include.members(['BR-01', 'BR-02', 'BR-05', 'BR-06', 'BR-08', 'BR-16', 'BR-CO-18']);
    const name = 'urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100';
    const cii = check(`<rsm:CrossIndustryInvoice xmlns:rsm="${name}"/>`);
    expect(broken(cii)).to.include.members(['BR-01', 'BR-02', 'BR-05', 'BR-06', 'BR-09', 'BR-16']);
  });

  it('list a hundred places of a rule, and count the rest', () => {
    const xml = sampleXml('ubl', (invoice) => {
      const [line] = invoice.lines ?? [];
      if (line === undefined) return;
      invoice.lines = Array.from({ length: 150 }, (_, index) => ({ ...line, id: String(index), unit: 'NONE' }));
    });
    const found = check(xml).filter(({ rule }) => rule === 'BR-CL-23');
    expect(found).to.have.length(MOST_OF_A_RULE + 1);
    expect(found.at(-1)?.message.en).to.equal('50 more places break this rule; the first 100 are listed.');
  });

  it('are chosen by the profile that the invoice names, or that the caller names', () => {
    const withoutReference = (invoice: Draft): void => void delete invoice.buyerReference;
    for (const syntax of syntaxes) {
      expect(broken(check(sampleXml(syntax, withoutReference)))).to.deep.equal(['BR-DE-15']);
      const core = sampleXml(syntax, withoutReference, 'en16931');
      expect(broken(check(core))).to.deep.equal([]);
      const read = readInvoice(Buffer.from(core));
      expect(broken(checkRules(read, { profile: profileById('xrechnung') }))).to.include('BR-DE-15');
    }
  });

  it('change the level of unknown units for XRechnung only', () => {
    const change = ({ lines }: Draft): void => {
      for (const line of lines ?? []) line.unit = 'NONE';
    };
    const levels = (xml: string) =>
      new Set(
        check(xml)
          .filter(({ rule }) => rule === 'BR-CL-23')
          .map(({ severity }) => severity),
      );
    expect(levels(sampleXml('cii', change))).to.deep.equal(new Set(['warning']));
    expect(levels(sampleXml('cii', change, 'en16931'))).to.deep.equal(new Set(['fatal']));
  });

  it('apply withdrawn rules only when an earlier day is asked for', () => {
    const xml = sampleXml('ubl', (invoice) => void delete invoice.dueDate);
    const read = readInvoice(Buffer.from(xml));
    expect(broken(checkRules(read))).not.to.include('BR-CO-25');
    expect(broken(checkRules(read, { day: '2025-01-01' }))).to.include('BR-CO-25');
    expect(broken(checkRules(read, { day: '2026-07-01' }))).not.to.include('BR-CO-25');
  });

  it('accept a code that its list had when the invoice was issued, with a warning', () => {
    const change =
      (issueDate: string) =>
      (invoice: Draft): void => {
        invoice.issueDate = issueDate;
        if (invoice.buyer !== undefined) invoice.buyer.electronicAddress = { value: '04011000', scheme: '9958' };
      };
    const severity = (xml: string) => check(xml).find(({ rule }) => rule === 'BR-CL-25')?.severity;
    expect(severity(sampleXml('cii', change('2019-05-01')))).to.equal('warning');
    expect(severity(sampleXml('cii', change('2026-05-01')))).to.equal('fatal');
  });

  it('refuse what Factur-X MINIMUM has no place for, and identifiers of drafts', () => {
    const xml = sampleXml('cii', () => undefined, 'en16931').replace(
      '>urn:cen.eu:en16931:2017<',
      '>urn:factur-x.eu:1p0:minimum<',
    );
    const found = check(xml).filter(({ rule }) => rule === 'QUIRE-PROFILE-07');
    expect(found.map(({ message }) => message.en)).to.include(
      'Factur-X MINIMUM has no place for this: Invoice line (BG-25). The invoice needs a profile that holds more.',
    );
    const draft = sampleXml('cii', () => undefined, 'en16931').replace(
      '>urn:cen.eu:en16931:2017<',
      '>urn:cen.eu:en16931:2017:compliant:factur-x.eu:1p0:basic<',
    );
    expect(broken(check(draft))).to.include('QUIRE-PROFILE-06');
  });

  // A rule whose time grows with the square of the lines needs minutes for this, more than a test may take.
  it('check an invoice of 10,000 lines in both syntaxes', () => {
    const invoice = sampleInvoice(10_000) as Invoice;
    for (const syntax of syntaxes)
      expect(broken(check(writeInvoice(invoice, { syntax, profile: 'xrechnung' }).xml)), syntax).to.deep.equal([]);
  });

  it('never repeat the number of a payment card', () => {
    const found = check(
      sampleXml('ubl', (invoice) => {
        invoice.payment = { meansCode: '48', card: { number: '4111111111111111' } };
      }),
    );
    expect(broken(found)).to.include('BR-51');
    expect(JSON.stringify(found)).not.to.contain('4111111111111111');
  });
});
