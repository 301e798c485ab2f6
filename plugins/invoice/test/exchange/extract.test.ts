import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import Joi from 'joi';
import { unpackZip } from '@quire/document/file/zip';
import type { Invoice } from '@quire/document/invoices/model';
import { writeInvoice } from '@quire/document/invoices/syntaxes';
import { readInvoiceFile } from '@quire/document/structure/invoices/reading';
import { invoiceAsJson } from '../../src/functions/exchange/invoice-as-json.js';
import { zipInvoice } from '../../src/functions/exchange/zip-invoice.js';
import { invoiceSchema } from '../../src/operations/invoice-schema.js';

const corpus = fileURLToPath(new URL('../../../../../shared/einvoice/zugferd-corpus/', import.meta.url));
const fixture = (name: string): string => fileURLToPath(new URL(`../../fixtures/${name}`, import.meta.url));

describe('Extracting invoices', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-extract-'));
  });
  after(() => rm(folder, { recursive: true }));

  const json = async (path: string) =>
    invoiceAsJson(await readInvoiceFile(path, path.endsWith('.pdf') ? 'pdf' : 'xml'));

  async function zip(
    path: string,
  ): Promise<{ names: readonly string[]; warnings: readonly string[]; bytes: Map<string, Buffer> }> {
    const run = await mkdtemp(join(folder, 'run-'));
    const target = join(run, 'out.zip');
    const scratch = await mkdtemp(join(run, 'scratch-'));
    const found = await readInvoiceFile(path, path.endsWith('.pdf') ? 'pdf' : 'xml');
    const warnings = await zipInvoice(found, { path, target, scratch, signal: new AbortController().signal });
    const bytes = await membersOf(target, await mkdtemp(join(run, 'members-')));
    return { names: [...bytes.keys()], warnings, bytes };
  }

  async function write(changes: Invoice): Promise<string> {
    const path = join(folder, `${Math.random()}.xml`);
    await writeFile(path, writeInvoice({ number: 'R-1', currency: 'EUR', ...changes }, { syntax: 'cii' }).xml);
    return path;
  }

  it('gives the terms of a hybrid PDF by name and number', async () => {
    const found = await json(fixture('hybrid.pdf'));
    expect(found).to.include({ standard: 'Factur-X', profile: 'en16931', syntax: 'cii' });
    expect(found.invoice).to.deep.include({ number: 'R-2026-0042', currency: 'EUR', issueDate: '2026-11-28' });
    expect(found.terms[0]).to.deep.equal({
      term: 'BT-1',
      name: 'Invoice number',
      path: 'number',
      value: 'R-2026-0042',
    });
    expect(found.terms).to.deep.include({
      term: 'BT-131',
      name: 'Invoice line net amount',
      path: 'lines[0].netAmount',
      value: '1000.00',
    });
    expect(found.unread).to.deep.equal([]);
  });

  it('answers what its schema describes, for CII, UBL, ZUGFeRD 1 and PDFs', async () => {
    const schema = invoiceSchema(Joi);
    for (const name of [
      'XML-Rechnung/UBL/EN16931_Elektron.ubl.xml',
      'XML-Rechnung/CII/EN16931_Rabatte.cii.xml',
      'XML-Rechnung/FX/EN16931_Elektron.pdf',
      'ZUGFeRDv1/correct/4s4u/additional-data-sample-1.pdf',
    ])
      expect(schema.validate((await json(corpus + name)).invoice).error, name).to.equal(undefined);
  });

  it('lists what neither EN 16931 nor EXTENDED has a term for, with its place in the XML', async () => {
    const { unread, standard, terms } = await json(`${corpus}ZUGFeRDv1/correct/4s4u/additional-data-sample-1.pdf`);
    expect(standard).to.equal('ZUGFeRD 1');
    expect(unread).to.deep.include({
      xpath:
        '/rsm:CrossIndustryDocument/rsm:SpecifiedSupplyChainTradeTransaction/ram:ApplicableSupplyChainTradeAgreement/' +
        'ram:BuyerOrderReferencedDocument/ram:IssueDateTime',
      line: 127,
      value: '2013-08-01T00:00:00',
    });
    expect(terms.map(({ term, value }) => `${term} ${value}`)).to.include('BT-X-2 WARENRECHNUNG');
  });

  it('names attachments of the XML and of the PDF', async () => {
    const { attachments } = await json(`${corpus}XML-Rechnung/FX/EN16931_Elektron.pdf`);
    expect(attachments.map(({ name, from }) => `${from}: ${name}`)).to.include.members([
      'pdf: EN16931_Elektron_Aufmass.png',
      'pdf: EN16931_Elektron_ElektronRapport.pdf',
    ]);
  });

  it('packs the XML as it is and all attachments into a zip', async () => {
    const { names, warnings, bytes } = await zip(`${corpus}XML-Rechnung/FX/EN16931_Elektron.pdf`);
    expect(names[0]).to.equal('factur-x.xml');
    expect(names).to.include.members(['EN16931_Elektron_Aufmass.png', 'EN16931_Elektron_ElektronRapport.pdf']);
    expect(warnings).to.deep.equal([]);
    expect(bytes.get('EN16931_Elektron_ElektronRapport.pdf')?.toString('latin1', 0, 5)).to.equal('%PDF-');
    const other = await zip(`${corpus}ZUGFeRDv2/fail/MustangRE-20171118_506_ZUGFeRD1and2.pdf`);
    expect(other.names.toSorted()).to.deep.equal(['ZUGFeRD-invoice.xml', 'factur-x.xml']);
  });

  it('keeps names of attachments inside the zip, apart from each other and harmless', async () => {
    const attached = (filename: string, content = 'QUJD') => ({ reference: 'D', attachment: { content, filename } });
    const path = await write({
      supportingDocuments: [
        attached('../../etc/passwd'),
        attached('C:\\Windows\\passwd'),
        attached('.bashrc'),
        attached('invoice.xml'),
        attached('a\u202Efdp.exe'),
        attached('..'),
        attached('bad.csv', 'no base64!'),
        { reference: 'T/1', attachment: { content: 'QUJD' } },
      ],
    });
    const { names, warnings, bytes } = await zip(path);
    expect(names).to.deep.equal([
      'invoice.xml',
      'passwd',
      'passwd_1',
      'bashrc',
      'invoice_1.xml',
      'afdp.exe',
      'attachment',
      '1',
    ]);
    expect(warnings).to.deep.equal(['The attachment "bad.csv" is left out: its content is not base64.']);
    expect(bytes.get('passwd')?.toString()).to.equal('ABC');
    expect(bytes.get('invoice.xml')?.equals(await readFile(path))).to.equal(true);
  });

  it('refuses files without an invoice', async () => {
    const refusal = (path: string): Promise<string> =>
      json(path).then(
        () => 'accepted',
        (error: Error & { code: string }) => error.code,
      );
    expect(await refusal(fixture('page.pdf'))).to.equal('INVOICE_NONE');
    expect(await refusal(`${corpus}fatturaPA/eigor/valid/con-bollo.xml`)).to.equal('INVOICE_NONE');
  });
});

async function membersOf(zip: string, folder: string): Promise<Map<string, Buffer>> {
  const members = await unpackZip(zip, folder, { field: 'zip', signal: new AbortController().signal });
  return new Map(await Promise.all(members.map(async ({ name, path }) => [name, await readFile(path)] as const)));
}
