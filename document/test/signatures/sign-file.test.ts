import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type PDFDocument, PDFName } from 'pdf-lib';
import { codeOf } from '../../../test/suites/code-of.js';
import { readTimeStamp } from '../../signatures/cms/index.js';
import { openPdf } from '../../file/open/index.js';
import type { SignatureEntries } from '../../signatures/index.js';
import { corpus } from '../support.js';
import { SigningDesk } from './signing-desk.js';

describe('signing a file', () => {
  let desk: SigningDesk;
  before(async () => {
    desk = await SigningDesk.open();
  });
  after(() => desk.close());

  const sign = (source: string, more: Partial<SignatureEntries> = {}): Promise<string> =>
    desk.sign(source, { name: 'Ann Müller', location: 'Köln', ...more });
  const stamp = (source: string): Promise<string> => desk.stamp(source);
  const plain = (change?: (document: PDFDocument) => void, options?: { useObjectStreams: boolean }): Promise<string> =>
    desk.plain(change, options);
  const certified = async (level: 1 | 2 | 3): Promise<string> => desk.sign(await desk.plain(), { certifies: level });

  const pdfsig = (path: string): string =>
    execFileSync('pdfsig', ['-nocert', path], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const qpdf = (path: string, ...more: string[]): string =>
    execFileSync('qpdf', ['--check', ...more, path], { encoding: 'utf8' });
  const intact = (path: string): number => pdfsig(path).match(/Signature is Valid/g)?.length ?? 0;

  it('appends to it, and another verifier finds the whole document signed', async () => {
    const source = await plain(undefined, { useObjectStreams: true });
    const target = await sign(source);
    const bytes = readFileSync(target);
    expect(bytes.subarray(0, readFileSync(source).length).equals(readFileSync(source))).to.equal(true);
    const said = pdfsig(target);
    expect(said)
      .to.contain('Signature is Valid')
      .and.to.contain('Total document signed')
      .and.to.contain('Signer Certificate Common Name: Ann')
      .and.to.contain('ETSI.CAdES.detached');
    expect(qpdf(target)).to.contain('No syntax or stream encoding errors');
    // The space reserved for the value is not wasteful.
    expect(bytes.length - readFileSync(source).length).to.be.lessThan(16_000);
  });

  it('keeps every earlier signature valid, by any number of later ones and time stamps', async () => {
    let path = await plain();
    for (let i = 1; i <= 3; i++) {
      path = await sign(path);
      expect(intact(path)).to.equal(i);
    }
    path = await stamp(path);
    const said = pdfsig(path);
    expect(intact(path)).to.equal(3);
    await expectStamped(path);
    expect(said).to.contain('Signature3').and.to.contain('Timestamp1');
    expect(qpdf(path)).to.contain('No syntax or stream encoding errors');
  });

  it('keeps form, fields and annotations that are there', async () => {
    const source = await plain((document) => {
      const form = document.getForm();
      form.createTextField('Signature1').addToPage(document.getPage(0));
    });
    const { document } = await openPdf(readFileSync(await sign(source)));
    const names = document
      .getForm()
      .getFields()
      .map((field) => field.getName());
    expect(names).to.deep.equal(['Signature1', 'Signature2']);
    expect(document.getPage(0).node.Annots()?.size()).to.equal(2);
  });

  for (const [title, args] of [
    ['AES-256', ['256']],
    ['AES-128', ['128', '--use-aes=y']],
    ['RC4', ['128', '--use-aes=n']],
  ] as const) {
    it(`leaves the value of an encrypted document (${title}) readable`, async () => {
      const source = join(desk.folder, `locked-${title}.pdf`);
      execFileSync('qpdf', ['--allow-weak-crypto', '--encrypt', '', 'owner', ...args, '--', await plain(), source]);
      const target = await sign(await sign(source));
      expect(intact(target)).to.equal(2);
      expect(qpdf(target)).to.contain('No syntax or stream encoding errors');
      expect(pdfsig(target)).to.contain('Total document signed');
      const { document } = await openPdf(readFileSync(target));
      expect(document.catalog.lookup(PDFName.of('AcroForm'))?.toString()).to.contain('SigFlags 3');
    });
  }

  it('respects what a certification allows', async () => {
    for (const [level, seen] of [
      [1, false],
      [2, true],
    ] as const) {
      const source = await certified(level);
      const refused = await codeOf(
        sign(
          source,
          seen
            ? {
                seen: {
                  page: await firstPage(source),
                  rect: [0, 0, 100, 50],
                  appearance: (await firstPage(source)).ref,
                },
              }
            : {},
        ),
      );
      expect(refused, `level ${level}`).to.equal('PDF_SIGNED');
      // A time stamp changes nothing that the certification is about (ISO 32000-2, 12.8.2.2.2).
      const stamped = await stamp(source);
      expect(intact(stamped)).to.equal(1);
      await expectStamped(stamped);
    }
    for (const level of [2, 3] as const) expect(intact(await sign(await certified(level)))).to.equal(2);
  });

  it(
    'leaves every signature of real files as valid as it ' +
      `was${corpus === undefined ? ' (skipped: no ../shared/corpus)' : ''}`,
    async function () {
      this.timeout(60_000);
      if (corpus === undefined) return this.skip();
      const rows = readFileSync(join(corpus, 'manifest.csv'), 'utf8')
        .split('\n')
        .filter((line) => /,(intact|intact-last-covers-all),/.test(line))
        .map((line) => line.split(',')[0] ?? '');
      expect(rows.length).to.be.greaterThan(30);
      const faults: string[] = [];
      for (const [i, name] of rows.entries()) {
        if (i % 3 !== 0) continue;
        const source = join(corpus, name);
        const before = intact(source);
        const after = await sign(source).then(
          (path) => intact(path),
          (error: { code?: string }) => error.code ?? String(error),
        );
        if (after !== before + 1 && after !== 'PDF_SIGNED') faults.push(`${name}: ${before} before, ${after} after`);
      }
      expect(faults).to.deep.equal([]);
    },
  );

  /** The last signature is a time stamp over all of the file but its own value. */
  async function expectStamped(path: string): Promise<void> {
    const bytes = readFileSync(path);
    const [, ...range] =
      [...bytes.toString('latin1').matchAll(/\/ByteRange\s*\[(\d+) (\d+) (\d+) (\d+)\s*\]/g)].at(-1) ?? [];
    const [start = 0, length = 0, second = 0, rest = 0] = range.map(Number);
    expect([start, second + rest]).to.deep.equal([0, bytes.length]);
    const stampOf = await readTimeStamp(Buffer.from(bytes.subarray(length + 1, second - 1).toString('latin1'), 'hex'));
    expect(stampOf).not.to.have.property('fault');
    expect(
      Buffer.from(stampOf.imprint.hash).equals(
        createHash('sha256').update(bytes.subarray(0, length)).update(bytes.subarray(second)).digest(),
      ),
    ).to.equal(true);
  }

  async function firstPage(path: string): Promise<SignatureEntries['page']> {
    const {
      pages: [page],
    } = await openPdf(readFileSync(path));
    if (page === undefined) throw new Error('no page');
    return page;
  }
});
