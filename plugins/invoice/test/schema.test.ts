import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { checkSchema, type SchemaSyntax } from '../src/functions/schema.js';

const suite = new URL(
  '../../../../shared/einvoice/xrechnung-testsuite/src/test/business-cases/standard/',
  import.meta.url,
);
const read = async (name: string): Promise<string> => readFile(new URL(name, suite), 'utf8');
const check = async (xml: string, syntax: SchemaSyntax) => checkSchema(Buffer.from(xml), syntax);

describe('The schema check', () => {
  let ubl: string;
  let cii: string;
  before(async () => {
    ubl = await read('01.01a-INVOICE_ubl.xml');
    cii = await read('01.01a-INVOICE_uncefact.xml');
  });

  it('accepts invoices of both syntaxes', async () => {
    expect(await check(ubl, 'ubl-invoice')).to.deep.equal([]);
    expect(await check(cii, 'cii')).to.deep.equal([]);
  });

  it('names the line, the place, the value and what is wrong for an amount with a comma', async () => {
    const [found, ...more] = await check(cii.replace(/(<ram:GrandTotalAmount>)[^<]*/, '$1529,87'), 'cii');
    expect(more).to.deep.equal([]);
    expect(found).to.include({ rule: 'XSD', severity: 'fatal', value: '529,87' });
    expect(found?.location?.xpath).to.match(/ram:GrandTotalAmount$/);
    expect(found?.location?.line).to.be.greaterThan(100);
    expect(found?.message.en).to.equal(
      '"529,87" in GrandTotalAmount is not a number with a decimal point and without thousands separators, ' +
        'such as 1234.50.',
    );
    expect(found?.message.de).to.match(/^„529,87“ in GrandTotalAmount/);
  });

  it('refuses a date that does not exist', async () => {
    const [found] = await check(ubl.replace(/(<cbc:IssueDate>)[^<]*/, '$12026-02-30'), 'ubl-invoice');
    expect(found?.message.en).to.equal('"2026-02-30" in IssueDate is not a date that exists, written as 2026-02-28.');
  });

  it('names what may stand in the place of an unknown element, and what is missing', async () => {
    const [unknown] = await check(ubl.replace('<cbc:IssueDate>', '<cbc:Foo/><cbc:IssueDate>'), 'ubl-invoice');
    expect(unknown?.message.en).to.match(/^The element Foo may not stand here.* IssueDate may stand here\.$/);
    const [missing] = await check(ubl.replace(/ currencyID="EUR"/, ''), 'ubl-invoice');
    expect(missing?.message.en).to.match(/lacks the attribute currencyID\.$/);
    const [empty] = await check(
      '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"/>',
      'ubl-invoice',
    );
    expect(empty?.message.en).to.match(/^The element Invoice is incomplete: .* is missing\.$/);
  });

  it('lists a hundred faults of a file that has more, and counts the rest', async () => {
    const line = '<ram:IncludedNote wrong="1"/>';
    const found = await check(cii.replace('<ram:IncludedNote>', `${line.repeat(150)}<ram:IncludedNote>`), 'cii');
    expect(found).to.have.length(101);
    expect(found.at(-1)?.message.en).to.equal('50 more places do not match the schema; the first 100 are listed.');
  });

  it('expands no entity and reads no file: a document with a DTD is refused here too', async () => {
    const doctype = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd"><!ENTITY b "bb">]>';
    const attack = cii
      .replace(/<rsm:Cross/, `${doctype}<rsm:Cross`)
      .replace(/(<ram:GrandTotalAmount>)[^<]*/, '$1&a;&b;');
    const refusal = await check(attack, 'cii').then(
      () => 'accepted',
      (error: Error) => error.message,
    );
    expect(refusal).to.equal('a document with a DTD has to be refused before');
  });

  it('does not grow with the number of invoices', async () => {
    const bytes = Buffer.from(ubl);
    const measure = async (rounds: number): Promise<number> => {
      for (let round = 0; round < rounds; round += 1) await checkSchema(bytes, 'ubl-invoice');
      return process.memoryUsage().external;
    };
    const before = await measure(50);
    expect((await measure(500)) - before).to.be.lessThan(4_000_000);
  });
});
