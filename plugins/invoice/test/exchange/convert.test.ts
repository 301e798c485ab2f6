import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { readInvoice } from '@quire/document/invoices/syntaxes';
import { readInvoiceFile } from '@quire/document/structure/invoices/reading';
import {
  convertInvoice,
  type Converted,
  type ConvertOptions,
  lossWarnings,
} from '../../src/functions/exchange/convert-invoice.js';
import { checkSchema } from '../../src/functions/schema.js';

const corpus = fileURLToPath(new URL('../../../../../shared/einvoice/', import.meta.url));
const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

describe('Converting invoices', () => {
  async function convert(path: string, options: Partial<ConvertOptions> = {}): Promise<Converted> {
    const found = await readInvoiceFile(path, path.endsWith('.pdf') ? 'pdf' : 'xml');
    return convertInvoice(found, { target: 'cii', strict: false, ...options });
  }
  const refusal = (path: string, options: Partial<ConvertOptions>) =>
    convert(path, options).then(
      () => ({ code: 'accepted', message: '' }),
      (error: Error & { code: string }) => ({ code: error.code, message: error.message }),
    );
  const specification = ({ xml }: Converted) => readInvoice(Buffer.from(xml)).invoice.process?.specification;
  const xrechnung = `${corpus}xrechnung-testsuite/src/test/business-cases/standard/01.01a-INVOICE_ubl.xml`;

  it('turns the XML of a PDF into UBL without loss', async () => {
    const converted = await convert(fixture('hybrid.pdf'), { target: 'ubl', profile: 'xrechnung', strict: true });
    expect(converted).to.deep.include({ syntax: 'ubl', profile: 'xrechnung', lost: [], unread: [] });
    expect(await checkSchema(Buffer.from(converted.xml), 'ubl-invoice')).to.deep.equal([]);
    expect(specification(converted)).to.match(/xrechnung_3\.0$/);
  });

  it('keeps the profile unless another one is chosen, and takes EN 16931 where UBL has none like it', async () => {
    expect(specification(await convert(xrechnung))).to.equal(
      readInvoice(await readFile(xrechnung)).invoice.process?.specification,
    );
    const basic = `${corpus}zugferd-corpus/ZUGFeRDv2/correct/symtrax/Beispiele/BASIC/zugferd_2p1_BASIC_Einfach.pdf`;
    const extended = await convert(basic, { target: 'ubl' });
    expect(extended.profile).to.equal('en16931');
  });

  it('turns ZUGFeRD 1 into the profile of Factur-X that follows it', async () => {
    const comfort = `${corpus}zugferd-corpus/ZUGFeRDv1/correct/Intarsys/ZUGFeRD_1p0_COMFORT_Einfach.pdf`;
    const converted = await convert(comfort);
    expect(converted.profile).to.equal('en16931');
    expect(specification(converted)).to.equal('urn:cen.eu:en16931:2017');
    expect(converted.lost.map(({ term, value }) => `${term} ${value}`)).to.include('BT-X-2 RECHNUNG');
    expect(await checkSchema(Buffer.from(converted.xml), 'cii')).to.deep.equal([]);
  });

  it('warns about each value that is lost, with its term and its place', async () => {
    const warnings = lossWarnings(await convert(xrechnung, { profile: 'basic' }));
    expect(warnings).to.include('Lost: Seller contact point (BT-41, seller.contact.name), "nicht vorhanden".');
    const many = lossWarnings(await convert(xrechnung, { profile: 'minimum' }));
    expect(many).to.have.length(21);
    expect(many.at(-1)).to.match(/^\d+ more values are lost; output=json lists all of them\.$/);
  });

  it('refuses losses if it is asked to: terms without a place, and content that is no term', async () => {
    expect(await refusal(xrechnung, { profile: 'basic', strict: true })).to.deep.include({ code: 'INVOICE_LOSSY' });
    const { code, message } = await refusal(
      `${corpus}zugferd-corpus/ZUGFeRDv1/correct/Intarsys/ZUGFeRD_1p0_COMFORT_Einfach.pdf`,
      { strict: true },
    );
    expect(code).to.equal('INVOICE_LOSSY');
    expect(message).to.match(/would lose \d+ values .*Document name \(BT-X-2, name\), "RECHNUNG"/);
    expect(await refusal(xrechnung, { target: 'cii', strict: true })).to.deep.include({ code: 'accepted' });
  });

  it('refuses profiles of Factur-X in UBL, and says which ones there are', async () => {
    const { code, message } = await refusal(xrechnung, { target: 'ubl', profile: 'extended' });
    expect(code).to.equal('INPUT_INVALID');
    expect(message).to.match(/"profile" is extended, a profile of Factur-X, which only exists in CII; send target=cii/);
  });
});
