import { readFile } from 'node:fs/promises';
import type { QuireServer } from '@quire/core';
import { callOperation, createTestServer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { ciiInvoice } from '../../fixtures/invoice-texts.js';
import type { ValidationReport } from '../../src/functions/validate.js';
import { beginTrial, fixture, hasVeraPdf, type Trial } from '../hybrid/embed-support.js';

describe('invoice/validate of PDFs', function () {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  let trial: Trial;
  before(async () => {
    trial = await beginTrial();
    server = await createTestServer({ plugins: ['@quire/plugin-invoice'] });
    url = await server.start();
  });
  after(async () => {
    await server.stop();
    await trial.end();
  });

  async function reportOf(bytes: Uint8Array): Promise<ValidationReport> {
    const answer = await callOperation(url, {
      path: 'invoice/validate',
      files: [{ name: 'bill.pdf', bytes }],
      params: {},
    });
    const text = new TextDecoder().decode(answer.bytes);
    expect(answer.status, text).to.equal(200);
    return JSON.parse(text) as ValidationReport;
  }
  const rulesOf = ({ violations }: ValidationReport): readonly string[] =>
    violations.map(({ rule }) => rule).filter((rule) => /^(?:PDF|PAGE)-/.test(rule));

  it('finds nothing wrong with a hybrid invoice that is as it should be', async () => {
    const report = await reportOf(new Uint8Array(await readFile(fixture('hybrid.pdf'))));
    expect(report).to.deep.include({ valid: true, profile: 'en16931', attachment: 'factur-x.xml' });
    expect(rulesOf(report)).to.deep.equal([]);
  });

  it('checks the PDF/A-3 that a file claims with veraPDF', async function () {
    if (!hasVeraPdf) return this.skip();
    const document = await PDFDocument.load(await readFile(fixture('hybrid.pdf')), { updateMetadata: false });
    const font = await document.embedFont(StandardFonts.Courier);
    document.addPage().drawText('a font that is not embedded', { font });
    const report = await reportOf(await document.save());
    expect([report.valid, rulesOf(report)]).to.deep.equal([false, ['PDF-pdfa-compliance']]);
    expect(report.violations[0]?.message.en).to.match(/claims to be PDF\/A-3 but breaks its rules: ISO 19005-3/);
  });

  it('warns where the pages show other values than the XML, which stays the invoice', async () => {
    const { path } = await trial.embed(fixture('page.pdf'), ciiInvoice.replace('R-2026-0042', 'R-2026-0043'));
    const report = await reportOf(new Uint8Array(await readFile(path)));
    expect([report.valid, rulesOf(report)]).to.deep.equal([true, ['PAGE-NUMBER']]);
  });

  it('finds that the XML claims one profile and holds another', async () => {
    const minimum = ciiInvoice.replace('urn:cen.eu:en16931:2017', 'urn:factur-x.eu:1p0:minimum');
    const { path } = await trial.embed(fixture('page.pdf'), minimum);
    const report = await reportOf(new Uint8Array(await readFile(path)));
    expect(report.profile).to.equal('minimum');
    expect(report.violations.map(({ rule }) => rule).join()).to.not.equal('');
  });
});
