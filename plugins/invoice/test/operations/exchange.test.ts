import { readFile } from 'node:fs/promises';
import type { QuireServer } from '@quire/core';
import { recogniseRoot } from '@quire/document/invoices/recognition';
import { callOperation, createTestServer, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { ublInvoice } from '../../fixtures/invoice-texts.js';
import { fixture } from '../hybrid/embed-support.js';

describe('invoice/extract and invoice/convert over HTTP', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  before(async () => {
    server = await createTestServer({ plugins: ['@quire/plugin-invoice'] });
    url = await server.start();
  });
  after(() => server.stop());

  const call = async (
    path: string,
    file: { readonly name: string; readonly bytes: Uint8Array },
    params: Record<string, string> = {},
  ): Promise<OperationAnswer> => callOperation(url, { path, files: [file], params });
  const pdf = async () => ({ name: 'bill.pdf', bytes: new Uint8Array(await readFile(fixture('hybrid.pdf'))) });
  const xml = (text: string) => ({ name: 'bill.xml', bytes: new TextEncoder().encode(text) });
  const textOf = ({ bytes }: OperationAnswer): string => new TextDecoder().decode(bytes);

  it('extract the XML of a PDF byte for byte, and its terms as JSON', async () => {
    const found = await call('invoice/extract', await pdf(), { output: 'xml' });
    expect([found.status, found.fileName]).to.deep.equal([200, 'bill_invoice.xml']);
    expect(Buffer.from(found.bytes).equals(await readFile(fixture('invoice-cii.xml')))).to.equal(true);
    const json = await call('invoice/extract', await pdf());
    expect([json.status, json.fileName]).to.deep.equal([200, 'bill_invoice.json']);
    expect(JSON.parse(textOf(json))).to.deep.include({ profile: 'en16931', syntax: 'cii', unread: [] });
  });

  it('convert the XML of a PDF to UBL', async () => {
    const answer = await call('invoice/convert', await pdf(), { target: 'ubl', profile: 'xrechnung', strict: 'true' });
    expect([answer.status, answer.fileName]).to.deep.equal([200, 'bill_ubl.xml']);
    expect(recogniseRoot(answer.bytes).kind).to.equal('ubl-invoice');
    expect(answer.headers.get('x-warnings')).to.equal(null);
  });

  it('warn about what is lost, in a header, and refuse it if asked to', async () => {
    const lossy = await call('invoice/convert', xml(ublInvoice), { profile: 'minimum' });
    expect(lossy.status).to.equal(200);
    expect(decodeURIComponent(lossy.headers.get('x-warnings') ?? '')).to.match(/Lost: .*\(BT-\d+, /);
    const refused = await call('invoice/convert', xml(ublInvoice), { profile: 'minimum', strict: 'true' });
    expect([refused.status, JSON.parse(textOf(refused)).code]).to.deep.equal([422, 'INVOICE_LOSSY']);
  });

  it('refuse attacks and foreign documents with the reason', async () => {
    const refusal = async (text: string): Promise<string> => {
      const answer = await call('invoice/extract', xml(text));
      const { code, detail } = JSON.parse(textOf(answer)) as { code: string; detail: string };
      return `${answer.status} ${code}: ${detail}`;
    };
    const external = ublInvoice.replace('?>', '?><!DOCTYPE Invoice [<!ENTITY x SYSTEM "file:///etc/passwd">]>');
    expect(await refusal(external)).to.match(
      /^400 INVOICE_NONE: .*it is XML with a document type \(DOCTYPE\), which no invoice may have/,
    );
    expect(await refusal(external)).not.to.match(/root:/);
    const empty = ublInvoice.replace('?>', '?><!DOCTYPE Invoice>');
    expect(await refusal(empty)).to.match(/^400 INVOICE_UNREADABLE: .*Line \d+: The file has a document type/);
    const fattura = '<p:FatturaElettronica xmlns:p="http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2"/>';
    expect(await refusal(fattura)).to.match(/^400 INVOICE_NONE: .*it is an Italian invoice \(FatturaPA\)/);
    expect(await refusal(ublInvoice.slice(0, -40))).to.match(/^400 INVOICE_UNREADABLE: .*Line \d+: .*well-formed/);
  });
});
