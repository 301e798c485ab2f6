import { expect } from 'chai';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, PDFName } from 'pdf-lib';
import { type ValidatorReport, verifyPdf } from '../../src/functions/verify-pdf.js';

const fixture = (name: string): string => new URL(`../../fixtures/${name}`, import.meta.url).pathname;
const failure = {
  ruleId: '6.1-1',
  message: 'broken',
  location: 'root',
  specification: 'ISO',
  clause: '6.1',
  testNumber: '1',
};
const check = (standard: string, name: string, failures = [failure]): ValidatorReport['checks'][number] => ({
  standard,
  name,
  profileName: `${name} validation profile`,
  compliant: failures.length === 0,
  failures,
});

describe('verifying declared standards', () => {
  let folder: string;
  let asked: string[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'quire-verify-'));
    asked = [];
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const answering =
    (report: ValidatorReport) =>
    async (path: string): Promise<ValidatorReport> => {
      asked.push(path);
      return report;
    };
  const withXmp = async (xmp: string | Uint8Array): Promise<string> => {
    const pdf = await PDFDocument.create();
    pdf.addPage();
    pdf.catalog.set(
      PDFName.of('Metadata'),
      pdf.context.register(pdf.context.stream(xmp, { Type: 'Metadata', Subtype: 'XML' })),
    );
    writeFileSync(join(folder, 'xmp.pdf'), await pdf.save());
    return join(folder, 'xmp.pdf');
  };
  const none: ValidatorReport = { declaresPdfA: false, checks: [] };

  it('does not call the validator for a document without declarations', async () => {
    for (const path of [fixture('rotated-and-cropped.pdf'), await withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"/>')]) {
      const items = await verifyPdf(path, answering(none));
      expect(
        items.map(({ standard, compliant, totalFailures, declaredPdfa }) => [
          standard,
          compliant,
          totalFailures,
          declaredPdfa,
        ]),
      ).to.deep.equal([['not-pdfa', false, 1, false]]);
    }
    expect(asked).to.deep.equal([]);
  });

  it('calls the validator if XMP is broken, hides its names or has another encoding', async () => {
    const declared = '<rdf:Description xmlns:p="http://www.aiim.org/pdfa/ns/id/" p:part="2"';
    const utf16 = Buffer.from(declared, 'utf16le');
    for (const xmp of [
      declared,
      declared.replace('www', '&#119;ww'),
      '<!DOCTYPE x [<!ENTITY a "http://www.aii">]>',
      utf16,
      utf16.swap16(),
    ])
      await verifyPdf(await withXmp(xmp), answering(none));
    expect(asked).to.have.length(5);
  });

  it('first reports that PDF/A is not declared, then the other standards', async () => {
    const items = await verifyPdf(
      fixture('declares-ua1.pdf'),
      answering({ declaresPdfA: false, checks: [check('ua1', 'PDF/UA-1')] }),
    );
    expect(items.map(({ standard, declaredPdfa }) => [standard, declaredPdfa])).to.deep.equal([
      ['not-pdfa', false],
      ['ua1', false],
    ]);
    expect(items[0]?.failures).to.deep.equal([
      {
        ruleId: null,
        message: 'The XMP metadata has no PDF/A identification',
        location: null,
        specification: 'XMP pdfaid',
        clause: null,
        testNumber: null,
      },
    ]);
  });

  it("returns each standard's verdict in words and numbers", async () => {
    const [good, bad] = await verifyPdf(
      fixture('declares-2b-and-ua1.pdf'),
      answering({
        declaresPdfA: true,
        checks: [check('2b', 'PDF/A-2b', []), check('ua1', 'PDF/UA-1', [failure, failure])],
      }),
    );
    expect(good).to.deep.equal({
      standard: '2b',
      standardName: 'PDF/A-2b compliant',
      validationProfile: '2b',
      validationProfileName: 'PDF/A-2b validation profile',
      complianceSummary: 'PDF/A-2b compliant',
      declaredPdfa: true,
      compliant: true,
      totalFailures: 0,
      totalWarnings: 0,
      failures: [],
      warnings: [],
    });
    expect([bad?.standardName, bad?.compliant, bad?.totalFailures, bad?.failures]).to.deep.equal([
      'PDF/UA-1 with errors',
      false,
      2,
      [failure, failure],
    ]);
  });

  it('reports no declared standard as compliant if its check failed', async () => {
    const items = await verifyPdf(
      fixture('declares-2b-and-ua1.pdf'),
      answering({ ...none, crash: 'StackOverflowError' }),
    );
    expect(
      items.map(({ standard, declaredPdfa, compliant, totalFailures, failures }) => [
        standard,
        declaredPdfa,
        compliant,
        totalFailures,
        failures[0]?.message,
      ]),
    ).to.deep.equal([
      ['2b', true, false, 1, 'The check failed: StackOverflowError'],
      ['ua1', true, false, 1, 'The check failed: StackOverflowError'],
    ]);
    expect(
      (
        await verifyPdf(
          await withXmp('<rdf:Description xmlns:p="http://www.aiim.org/pdfa/ns/id/"'),
          answering({ ...none, crash: 'x' }),
        )
      ).map(({ standard }) => standard),
    ).to.deep.equal(['not-pdfa']);
  });
});
