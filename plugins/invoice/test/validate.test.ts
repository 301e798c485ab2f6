import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { svrl } from '../src/functions/svrl.js';
import { validateInvoice, validateInvoiceFile } from '../src/functions/validate.js';

const fixture = (name: string): string => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url));

describe('Validating an invoice', () => {
  let cii: string;
  before(async () => {
    cii = await readFile(fixture('invoice-cii.xml'), 'utf8');
  });

  it('finds the invoices of the fixtures correct, as XML and in a PDF', async () => {
    for (const [name, kind] of [
      ['invoice-cii.xml', 'xml'],
      ['invoice-ubl.xml', 'xml'],
      ['hybrid.pdf', 'pdf'],
    ] as const) {
      const { report } = await validateInvoiceFile(fixture(name), kind);
      const fatal = report.violations.filter(({ severity }) => severity === 'fatal');
      expect(fatal, name).to.deep.equal([]);
      expect(report.valid).to.equal(true);
      expect(report.attachment === null).to.equal(kind === 'xml');
    }
  });

  it('is valid exactly when no fatal rule fails, and lists fatal violations first', async () => {
    const { report } = await validateInvoice(Buffer.from(cii.replace(/(<ram:GrandTotalAmount>)[^<]*/, '$11,00')));
    expect(report.valid).to.equal(false);
    expect(report.counts.fatal).to.equal(report.violations.filter(({ severity }) => severity === 'fatal').length);
    expect(report.violations[0]?.severity).to.equal('fatal');
    expect(report.violations.map(({ rule }) => rule)).to.include.members(['XSD', 'BR-CO-15']);
  });

  it('reports XML that is not well-formed or has a DTD with its line, and expands nothing', async () => {
    const [cut] = (await validateInvoice(Buffer.from(cii.slice(0, -20)))).report.violations;
    expect(cut).to.include({ rule: 'XML', severity: 'fatal' });
    expect(cut?.message.de).to.match(/^Das XML ist nicht lesbar \(Zeile \d+\)/);
    const entity = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>';
    const { report, read } = await validateInvoice(Buffer.from(cii.replace('<rsm:Cross', `${entity}<rsm:Cross`)));
    expect(read).to.equal(undefined);
    expect(report.valid).to.equal(false);
    expect(report.violations[0]?.message.en).to.match(/document type \(DOCTYPE\)/);
    expect(JSON.stringify(report)).not.to.contain('root:');
  });

  it('refuses what is no invoice and says what it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-validate-'));
    try {
      const path = join(folder, 'fattura.xml');
      const namespace = 'http://ivaservizi.agenziaentrate.gov.it/docs/xsd/fatture/v1.2';
      await writeFile(path, `<p:FatturaElettronica versione="FPR12" xmlns:p="${namespace}"/>`);
      const error = await validateInvoiceFile(path, 'xml').then(
        () => undefined,
        (reason: { code: string; message: string }) => reason,
      );
      expect(error?.code).to.equal('INVOICE_NONE');
      expect(error?.message).to.match(/fatturapa/i);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('reports what is wrong with the PDF, and PDF/A where a validator is asked', async () => {
    const failing = {
      standard: '3b',
      compliant: false,
      failures: [{ ruleId: '6.1', specification: 'ISO', message: 'bad' }],
    };
    const options = { validatePdfA: () => Promise.resolve({ checks: [failing] }) };
    const { report } = await validateInvoiceFile(fixture('hybrid.pdf'), 'pdf', options);
    const found = report.violations.find(({ rule }) => rule === 'PDF-pdfa-compliance');
    expect(found?.message.en).to.equal('The PDF claims to be PDF/A-3 but breaks its rules: ISO 6.1: bad');
    expect(report.valid).to.equal(false);
    const missing = {
      validatePdfA: () => Promise.reject(Object.assign(new Error('none'), { code: 'PROGRAM_MISSING' })),
    };
    expect((await validateInvoiceFile(fixture('hybrid.pdf'), 'pdf', missing)).report.valid).to.equal(true);
  });

  it('writes SVRL that holds whatever the invoice holds', async () => {
    const strange = cii.replace(/(<ram:InvoiceCurrencyCode>)[^<]*/, '$1&lt;&amp;"');
    const { report } = await validateInvoice(Buffer.from(strange));
    const xml = svrl(report, 'de');
    expect(xml).to.match(/<svrl:failed-assert id="BR-CL-04" flag="fatal" location="\/rsm:[^"]*InvoiceCurrencyCode"/);
    expect(xml).to.contain('&lt;&amp;&quot;');
    const { XmlDocument } = await import('libxml2-wasm');
    const document = XmlDocument.fromString(xml);
    const namespaces = { svrl: 'http://purl.oclc.org/dsdl/svrl' };
    expect(document.find('//svrl:failed-assert', namespaces)).to.have.length(report.violations.length);
    document.dispose();
  });
});
