import { expect } from 'chai';
import { readFile } from 'node:fs/promises';
import { readInvoiceFile } from '@quire/document/structure/invoices/reading';
import type { Violation } from '@quire/document/invoices/rules';
import { PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';
import { einvoiceRows, einvoices } from '../../../../test/fixtures/einvoices.js';
import { ciiInvoice } from '../../fixtures/invoice-texts.js';
import { hybridViolations } from '../../src/functions/hybrid/hybrid-violations.js';
import { beginTrial, fixture, type Trial } from './embed-support.js';

describe('the PDF around an invoice', function () {
  this.timeout(60_000);
  let trial: Trial;
  before(async () => {
    trial = await beginTrial();
  });
  after(() => trial.end());

  async function violationsOf(path: string, compliant?: boolean): Promise<readonly Violation[]> {
    const { hybrid, read } = await readInvoiceFile(path, 'pdf');
    if (hybrid === undefined) throw new Error('a PDF has facts');
    return hybridViolations({
      path,
      hybrid,
      read,
      check: async () => (compliant === undefined ? undefined : { compliant, broken: compliant ? [] : ['6.1 a rule'] }),
    });
  }
  /** The fixture's hybrid after a change of its objects. */
  async function changed(change: (document: PDFDocument) => void): Promise<string> {
    const document = await PDFDocument.load(await readFile(fixture('hybrid.pdf')), { updateMetadata: false });
    change(document);
    return trial.write('changed.pdf', await document.save());
  }

  it('breaks no rule where all of it agrees', async () => {
    expect(await violationsOf(fixture('hybrid.pdf'), true)).to.deep.equal([]);
    expect(await violationsOf(fixture('hybrid.pdf'))).to.deep.equal([]);
  });

  it('is reported where it shows other values than the XML, with both', async () => {
    const xml = ciiInvoice
      .replaceAll('1190.00', '1191.00')
      .replace('R-2026-0042', 'R-2026-0043')
      .replace('20261128', '20261129')
      .replace('DE89370400440532013000', 'DE02120300000000202051');
    const { path } = await trial.embed(fixture('page.pdf'), xml);
    const found = await violationsOf(path);
    expect(found.map(({ rule, terms, value, severity }) => [rule, terms[0], value, severity])).to.deep.equal([
      ['PAGE-NUMBER', 'BT-1', 'R-2026-0043', 'warning'],
      ['PAGE-DATE', 'BT-2', '2026-11-29', 'warning'],
      ['PAGE-TOTAL', 'BT-112', '1191.00', 'warning'],
      ['PAGE-TOTAL', 'BT-115', '1191.00', 'warning'],
      ['PAGE-IBAN', 'BT-84', 'DE02120300000000202051', 'warning'],
    ]);
    expect(found[2]?.message.en).to.contain('"1191.00"').and.to.contain('"1.190,00"');
    expect(found[4]?.message.de).to.contain('"DE02120300000000202051"').and.to.contain('"DE89 3704 0044 0532 0130 00"');
    expect(found[2]?.location?.xpath).to.contain('GrandTotalAmount');
  });

  it('is reported where the XML is not associated, has no relationship, or is described wrongly', async () => {
    const path = await changed(({ catalog, context }) => {
      catalog.delete(PDFName.of('AF'));
      const metadata = catalog.lookup(PDFName.of('Metadata'));
      if (!(metadata instanceof PDFRawStream)) throw new Error('the fixture has XMP');
      const xmp = Buffer.from(metadata.contents)
        .toString('utf8')
        .replace('>EN 16931<', '>BASIC<')
        .replace('<pdfaid:part>3', '<pdfaid:part>2')
        .replace('>factur-x.xml<', '>invoice.xml<');
      context.assign(
        context.getObjectRef(metadata) ?? context.nextRef(),
        PDFRawStream.of(metadata.dict, Buffer.from(xmp)),
      );
    });
    const found = await violationsOf(path, true);
    expect(found.map(({ rule, severity, value }) => [rule, severity, value])).to.deep.equal([
      ['PDF-pdfa-3', 'fatal', 'PDF/A-2B'],
      ['PDF-associated', 'fatal', 'not associated'],
      ['PDF-xmp-file-name', 'fatal', 'invoice.xml'],
      ['PDF-xmp-level', 'warning', 'BASIC'],
    ]);
    expect(found[3]?.message).to.deep.equal({
      en: 'ConformanceLevel in the XMP metadata is "BASIC", but the XML is "EN 16931". The XML decides.',
      de: 'ConformanceLevel in den XMP-Metadaten ist "BASIC", das XML ist aber "EN 16931". Das XML entscheidet.',
    });
  });

  it('is reported where it claims PDF/A-3 and breaks its rules', async () => {
    const found = await violationsOf(fixture('hybrid.pdf'), false);
    expect(found.map(({ rule, severity }) => [rule, severity])).to.deep.equal([['PDF-rules', 'fatal']]);
  });

  it('is fatal in no file of the collection that its suite calls valid', async function () {
    const rows = einvoiceRows()?.filter(({ kind, expected }) => kind === 'pdf-hybrid' && expected === 'valid');
    if (rows === undefined) return this.skip();
    const fatal: string[] = [];
    let warnings = 0;
    for (const { file, guideline_id: guideline } of rows) {
      // The draft of ZUGFeRD is recognised and not read.
      if (guideline === 'urn:ferd:invoice:rc:comfort') continue;
      const found = await violationsOf(einvoices + file);
      fatal.push(...found.filter(({ severity }) => severity === 'fatal').map(({ rule }) => `${file} ${rule}`));
      warnings += found.filter(({ rule }) => rule.startsWith('PAGE-')).length;
    }
    expect(fatal).to.deep.equal([]);
    // Each was looked at: their pages show other values, or leave them out.
    expect(warnings / rows.length).to.be.below(0.5);
  });
});
