import { expect } from 'chai';
import { profileById, type ProfileId } from '../../../invoices/profiles/index.js';
import { checkRules, type Violation } from '../../../invoices/rules/index.js';
import { readInvoice } from '../../../invoices/syntaxes/index.js';
import { sampleXml } from './sample-invoice.js';

const PRESENT = '2026-06-01';
const BEFORE = '2025-06-01';

const inProfile = (id: ProfileId, change: (xml: string) => string = (xml) => xml): string =>
  change(
    sampleXml('cii', () => undefined, 'en16931').replace(
      '>urn:cen.eu:en16931:2017<',
      `>${profileById(id).specification}<`,
    ),
  );

const check = (xml: string, day = PRESENT): Violation[] =>
  checkRules(readInvoice(Buffer.from(xml)), { day, isFacturX: true });
const found = (xml: string, rule: string, day = PRESENT): Violation[] =>
  check(xml, day).filter((violation) => violation.rule === rule);
const fatal = (xml: string, day = PRESENT): string[] => [
  ...new Set(
    check(xml, day)
      .filter(({ severity }) => severity === 'fatal')
      .map(({ rule }) => rule),
  ),
];

const DOCUMENT_ID = /<ram:ID>[^<]*<\/ram:ID>(?=\s*<ram:TypeCode>)/;

describe('Profiles of Factur-X', () => {
  it('accept an invoice in the profiles that hold all of it', () => {
    for (const id of ['en16931', 'extended'] as const) expect(fatal(inProfile(id)), id).to.deep.equal([]);
  });

  it('refuse elements and attributes that have no place, with the place', () => {
    const named = inProfile('basic', (xml) => xml.replace(DOCUMENT_ID, (id) => `${id}<ram:Name>INVOICE</ram:Name>`));
    const [violation] = found(named, 'QUIRE-PROFILE-07').filter(({ message }) => message.en.includes('ram:Name'));
    expect(violation?.location?.xpath).to.equal('/rsm:CrossIndustryInvoice/rsm:ExchangedDocument/ram:Name');
    const extended = named.replace(profileById('basic').specification, profileById('extended').specification);
    expect(found(extended, 'QUIRE-PROFILE-07')).to.deep.equal([]);
    const attribute = inProfile('en16931', (xml) =>
      xml.replace('<ram:DuePayableAmount>', '<ram:DuePayableAmount currencyID="EUR">'),
    );
    expect(found(attribute, 'QUIRE-PROFILE-07').map(({ message }) => message.en)).to.deep.equal([
      'The attribute "currencyID" has no place here in this profile of Factur-X; leave it out.',
    ]);
  });

  it('name the terms that a small profile has no place for', () => {
    expect(found(inProfile('basic-wl'), 'QUIRE-PROFILE-07').map(({ message }) => message.en)).to.include(
      'Factur-X BASIC WL has no place for this: Invoice line (BG-25). The invoice needs a profile that holds more.',
    );
  });

  it('count elements: what is missing and what is there twice, by the numbers of the artefacts', () => {
    expect(fatal(inProfile('extended', (xml) => xml.replace(DOCUMENT_ID, '')))).to.include('FX-SCH-A-000019');
    expect(fatal(inProfile('extended', (xml) => xml.replace(DOCUMENT_ID, '$&$&')))).to.include('FX-SCH-A-000019');
  });

  it('compare codes with the lists of the profile', () => {
    const german = inProfile('extended', (xml) => xml.replaceAll('<ram:CountryID>DE<', '<ram:CountryID>AN<'));
    const [first] = found(german, 'FX-SCH-A-000036');
    expect([first?.severity, first?.value]).to.deep.equal(['fatal', 'AN']);
  });

  it('only warn where the invoice was issued before the present version counted', () => {
    const xml = inProfile('en16931', (it) =>
      it.replace('<ram:DuePayableAmount>', '<ram:DuePayableAmount currencyID="EUR">'),
    );
    expect(found(xml, 'QUIRE-PROFILE-07', BEFORE).map(({ severity }) => severity)).to.deep.equal(['warning']);
    const old = xml.replace(/(<ram:IssueDateTime>\s*<udt:DateTimeString format="102">)\d{8}/, '$120190501');
    const severities = checkRules(readInvoice(Buffer.from(old)), { isFacturX: true })
      .filter(({ rule }) => rule === 'QUIRE-PROFILE-07')
      .map(({ severity }) => severity);
    expect(severities).to.deep.equal(['warning']);
  });

  it('leave plain invoices of EN 16931, which are in no PDF, alone', () => {
    const xml = inProfile('en16931', (it) =>
      it.replace('<ram:DuePayableAmount>', '<ram:DuePayableAmount currencyID="EUR">'),
    );
    expect(checkRules(readInvoice(Buffer.from(xml)), { day: PRESENT }).map(({ rule }) => rule)).not.to.include(
      'QUIRE-PROFILE-07',
    );
  });

  it('demand a day or period of delivery between German parties', () => {
    const xml = inProfile('en16931', (it) =>
      it.replace(/<ram:BillingSpecifiedPeriod>[\s\S]*?<\/ram:BillingSpecifiedPeriod>/g, ''),
    );
    const without = xml.replace(
      /<ram:ActualDeliverySupplyChainEvent>[\s\S]*?<\/ram:ActualDeliverySupplyChainEvent>/,
      '',
    );
    expect(fatal(without)).to.include('BR-FX-EN-04');
    expect(fatal(without.replace('<ram:CountryID>DE<', '<ram:CountryID>FR<'))).not.to.include('BR-FX-EN-04');
    expect(fatal(without.replace('<ram:TypeCode>380<', '<ram:TypeCode>386<'))).not.to.include('BR-FX-EN-04');
  });
});

describe('Rules of Factur-X EXTENDED', () => {
  const line = (id: string, amount: string, document: string): string =>
    '<ram:IncludedSupplyChainTradeLineItem><ram:AssociatedDocumentLineDocument>' +
    `<ram:LineID>${id}</ram:LineID>${document}</ram:AssociatedDocumentLineDocument>` +
    '<ram:SpecifiedTradeProduct><ram:Name>Part</ram:Name></ram:SpecifiedTradeProduct>' +
    '<ram:SpecifiedLineTradeSettlement><ram:SpecifiedTradeSettlementLineMonetarySummation>' +
    `<ram:LineTotalAmount>${amount}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>` +
    '</ram:SpecifiedLineTradeSettlement></ram:IncludedSupplyChainTradeLineItem>';
  const withLines = (...lines: string[]): string =>
    inProfile('extended', (xml) => xml.replace('<ram:ApplicableHeaderTradeAgreement>', `${lines.join('')}$&`));
  const status = (subtype: string, parent = ''): string =>
    (parent === '' ? '' : `<ram:ParentLineID>${parent}</ram:ParentLineID>`) +
    `<ram:LineStatusReasonCode>${subtype}</ram:LineStatusReasonCode>`;

  it('do not add up subtotals and information, which need no price either', () => {
    const xml = withLines(line('G', '0', status('GROUP')), line('I', '5.00', status('INFORMATION')));
    expect(fatal(xml).filter((rule) => /FXEXT|BR-2[2-7]|BR-CO-1/.test(rule))).to.deep.equal([]);
    const detail = withLines(line('D', '5.00', status('DETAIL')));
    expect(fatal(detail)).to.include.members(['BR-FXEXT-CO-10', 'BR-FXEXT-CO-13', 'BR-FXEXT-BR-22', 'BR-FXEXT-BR-26']);
  });

  it('compare subtotals with the lines below, and demand that parents exist', () => {
    const below = line('I', '5.00', status('GROUP', 'G'));
    expect(fatal(withLines(line('G', '4.00', status('GROUP')), below))).to.include('BR-FXEXT-08');
    expect(
      fatal(withLines(line('G', '5.00', status('GROUP')), below, line('J', '5.00', status('DETAIL', 'I')))),
    ).not.to.include('BR-FXEXT-08');
    expect(fatal(withLines(below))).to.include('BR-FXEXT-11');
    expect(fatal(withLines(line('G', '4.00', ''), below))).to.include('BR-FXEXT-06');
  });

  it('accept a cent of difference for each amount that was added', () => {
    const off = (cents: string): string =>
      inProfile('extended', (xml) =>
        xml.replace(
          /(<ram:TaxBasisTotalAmount>)([\d.]+)/,
          (_all, start: string, amount: string) => `${start}${(Number(amount) + Number(cents)).toFixed(2)}`,
        ),
      );
    expect(fatal(off('0.01'))).not.to.include('BR-FXEXT-CO-13');
    expect(fatal(off('0.50'))).to.include('BR-FXEXT-CO-13');
    expect(fatal(off('0.50'))).not.to.include('BR-CO-13');
  });
});
