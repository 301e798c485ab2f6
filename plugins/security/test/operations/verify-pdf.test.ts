import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { PDFDocument, PDFName } from 'pdf-lib';
import { sampleOf } from '../../../../test/suites/nightly.js';
import type { VerifiedStandard } from '../../src/functions/verify-pdf.js';

const corpus = [process.env['QUIRE_CORPUS'], new URL('../../../../../shared/corpus', import.meta.url).pathname].find(
  (path) => path !== undefined && existsSync(path),
);
const has = (program: string): boolean =>
  (process.env['PATH'] ?? '').split(':').some((folder) => existsSync(join(folder, program)));
const fileAt = async (path: string) => ({ name: basename(path), bytes: new Uint8Array(await readFile(path)) });
const fixture = (name: string) => fileAt(new URL(`../../fixtures/${name}`, import.meta.url).pathname);

/**
 * The standards that real files declare, and whether they conform; the names of the first two come from their makers.
 * Every second one is checked, but for the nightly run.
 */
const realFiles: Readonly<Record<string, readonly (readonly [standard: string, compliant: boolean])[]>> = {
  'pikepdf/veraPDF_test_suite_6-2-10-t02-pass-a.pdf': [['1b', true]],
  'pikepdf/veraPDF_test_suite_6-2-3-3-t01-fail-c.pdf': [['1b', false]],
  'pdfbox/PDFA3A.pdf': [['3a', true]],
  'dss/pdfa2u-gray.pdf': [['2u', true]],
  'OCRmyPDF/tagged.pdf': [
    ['3b', false],
    ['ua1', false],
  ],
  'pdf.js/blendmode.pdf': [['not-pdfa', false]],
};

describe('verify-pdf over HTTP', function suite() {
  this.timeout(60_000);
  let server: QuireServer;
  let url: string;
  before(async () => {
    // As shipped: documents after the first are checked by a veraPDF that waits.
    const settings = { limits: { validatorIdleSeconds: 60 } };
    server = await createTestServer({ plugins: ['@quire/plugin-security'], settings });
    url = await server.start();
  });
  after(() => server.stop());
  const call = (file: { readonly name: string; readonly bytes: Uint8Array }, at = url): Promise<OperationAnswer> =>
    callOperation(at, { path: 'security/verify-pdf', files: [file], params: {} });
  const verdicts = (answer: OperationAnswer): unknown[] => {
    expect(answer.status, new TextDecoder().decode(answer.bytes).slice(0, 500)).to.equal(200);
    return answer.json<VerifiedStandard[]>().map(({ standard, compliant }) => [standard, compliant]);
  };

  it('names the missing program before it reads the file', async () => {
    const bare = await createTestServer({
      plugins: ['@quire/plugin-security'],
      settings: { system: { customPaths: { operations: { verapdf: '/nowhere/verapdf' } } } },
    });
    try {
      const answer = await call(await fixture('pdfa-2b.pdf'), await bare.start());
      expect([answer.status, answer.code]).to.deep.equal([503, 'PROGRAM_MISSING']);
      expect(answer.json<{ detail: string }>().detail).to.include('verapdf');
    } finally {
      await bare.stop();
    }
  });

  describe(has('verapdf') ? 'with veraPDF' : 'with veraPDF (skipped: it is not installed)', () => {
    before(function needsProgram() {
      if (!has('verapdf')) this.skip();
    });

    it('returns JSON in the format of the contract', async () => {
      const answer = await call(await fixture('declares-2b-and-ua1.pdf'));
      expect(answer.headers.get('content-type')).to.match(/^application\/json/);
      const [first, second, ...more] = answer.json<VerifiedStandard[]>();
      expect(more).to.deep.equal([]);
      expect(first).to.have.all.keys(
        'standard',
        'standardName',
        'validationProfile',
        'validationProfileName',
        'complianceSummary',
        'declaredPdfa',
        'compliant',
        'totalFailures',
        'totalWarnings',
        'failures',
        'warnings',
      );
      for (const item of [first, second])
        expect([item?.totalFailures, item?.totalWarnings, item?.warnings, item?.declaredPdfa]).to.deep.equal([
          item?.failures.length,
          0,
          [],
          true,
        ]);
      expect(first?.failures.find(({ clause }) => clause === '6.2.11.4.1')).to.deep.equal({
        ruleId: '6.2.11.4.1-1',
        message: 'The font program is not embedded',
        location: 'root/document[0]/pages[0](4 0 obj PDPage)/contentStream[0]/operators[6]/font[0](Helvetica)',
        specification: 'ISO 19005-2:2011',
        clause: '6.2.11.4.1',
        testNumber: '1',
      });
    });

    it('checks PDF/UA and also reports that PDF/A is not declared', async () => {
      expect(verdicts(await call(await fixture('declares-ua1.pdf')))).to.deep.equal([
        ['not-pdfa', false],
        ['ua1', false],
      ]);
    });

    it('reads what it can from XMP: nothing from a broken packet, WTPDF from a declaration', async () => {
      const withXmp = async (body: string): Promise<{ name: string; bytes: Uint8Array }> => {
        const pdf = await PDFDocument.create();
        pdf.addPage([200, 200]);
        const packet =
          '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF ' +
          `xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">${body}</rdf:RDF></x:xmpmeta><?xpacket end="w"?>`;
        pdf.catalog.set(
          PDFName.of('Metadata'),
          pdf.context.register(pdf.context.stream(packet, { Type: 'Metadata', Subtype: 'XML' })),
        );
        return { name: 'xmp.pdf', bytes: await pdf.save() };
      };
      expect(
        verdicts(
          await call(await withXmp('<rdf:Description xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>2')),
        ),
      ).to.deep.equal([['not-pdfa', false]]);
      const declaration =
        '<rdf:Description rdf:about="" xmlns:pdfd="http://pdfa.org/declarations/"><pdfd:declarations><rdf:Bag>' +
        '<rdf:li rdf:parseType="Resource"><pdfd:conformsTo>http://pdfa.org/declarations/wtpdf#reuse1.0' +
        '</pdfd:conformsTo></rdf:li></rdf:Bag></pdfd:declarations></rdf:Description>';
      expect(verdicts(await call(await withXmp(declaration)))).to.deep.equal([
        ['not-pdfa', false],
        ['wt1r', false],
      ]);
    });

    it('checks an encrypted document without a user password, and refuses one with', async function needsQpdf() {
      if (!has('qpdf')) return this.skip();
      const folder = await mkdtemp(join(tmpdir(), 'quire-verify-'));
      try {
        const plain = new URL('../../fixtures/pdfa-2b.pdf', import.meta.url).pathname;
        for (const [name, user] of [
          ['open.pdf', ''],
          ['locked.pdf', 'secret'],
        ] as const)
          execFileSync('qpdf', ['--encrypt', user, 'owner', '256', '--', plain, join(folder, name)]);
        const [item] = (await call(await fileAt(join(folder, 'open.pdf')))).json<VerifiedStandard[]>();
        expect([
          item?.standard,
          item?.compliant,
          item?.failures.some(({ message }) => /encrypt/i.test(message)),
        ]).to.deep.equal(['2b', false, true]);
        const locked = await call(await fileAt(join(folder, 'locked.pdf')));
        expect([locked.status, locked.code]).to.deep.equal([400, 'PDF_ENCRYPTED']);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });

    it('refuses damaged files and files that are not PDFs', async () => {
      const whole = (await fixture('pdfa-2b.pdf')).bytes;
      const cut = await call({ name: 'cut.pdf', bytes: whole.subarray(0, -60) });
      expect([cut.status, cut.code]).to.deep.equal([400, 'PDF_DAMAGED']);
      expect((await call({ name: 'a.pdf', bytes: new TextEncoder().encode('no PDF') })).status).to.be.oneOf([400, 415]);
    });

    const skipped = corpus === undefined ? ' (skipped: no ../shared/corpus)' : '';
    for (const [name, expected] of sampleOf(Object.entries(realFiles), 3, 2)) {
      it(`gives the right verdict on ${name}${skipped}`, async function needsCorpus() {
        if (corpus === undefined) return this.skip();
        expect(verdicts(await call(await fileAt(join(corpus, name))))).to.deep.equal(expected);
      });
    }
  });
});
