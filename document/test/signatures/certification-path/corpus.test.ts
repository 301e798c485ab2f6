import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { validatePath } from '../../../signatures/certification-path/index.js';
import { readCms } from '../../../signatures/cms/index.js';
import { type CorpusFile, corpusFiles, hasCorpus } from '../../file/inspection/corpus.js';

const run = promisify(execFile);
const full = process.env['QUIRE_FULL'] === '1';

describe(hasCorpus ? 'paths of real signatures' : 'paths of real signatures (skipped: no ../shared/corpus)', () => {
  let folder: string;
  let files: readonly CorpusFile[] = [];

  before(async function setUp() {
    if (!hasCorpus) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'quire-path-corpus-'));
    files = corpusFiles()
      .filter(({ path, signatures }) => signatures > 0 && existsSync(path) && (full || statSync(path).size < 300_000))
      .filter((_, i) => full || i % 4 === 0);
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  it('hold where OpenSSL says so, and nowhere else', async function compare() {
    this.timeout(60_000);
    const pem = (ders: readonly Uint8Array[]): string =>
      ders
        .map(
          (der) => `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`,
        )
        .join('');
    const seen = new Set<string>();
    const different: string[] = [];
    for (const { file, path } of files) {
      const text = (await readFile(path)).toString('latin1');
      for (const [, hex = ''] of text.matchAll(/\/Contents\s*<([0-9A-Fa-f\s]{400,})>/g)) {
        const cms = await readCms(Buffer.from(hex.replace(/\s/g, ''), 'hex')).catch(() => undefined);
        const signer = cms?.signers[0];
        const leaf = cms?.certificates.find((der) => signer?.matches(der));
        if (cms === undefined || leaf === undefined || seen.has(Buffer.from(leaf).toString('base64'))) continue;
        seen.add(Buffer.from(leaf).toString('base64'));
        // One file holds what OpenSSL does not read as a certificate.
        const certificates = cms.certificates.filter(isReadable);
        if (!certificates.includes(leaf)) continue;
        const at = signer?.signingTime ?? new Date(Date.parse(new X509Certificate(leaf).validFrom) + 60_000);
        const roots = certificates.filter((der) => {
          const certificate = new X509Certificate(der);
          return certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
        });
        const anchors = roots.length > 0 ? roots : certificates.filter((der) => der !== leaf).slice(-1);
        const own = await validatePath({
          leaf,
          intermediates: certificates,
          anchors,
          at,
          atIsProven: false,
          now: new Date(),
          purpose: 'signature',
          revocation: { mode: 'none', hardFail: false },
        });
        await Promise.all([
          writeFile(join(folder, 'ca.pem'), pem(anchors)),
          writeFile(join(folder, 'all.pem'), pem(certificates)),
          writeFile(join(folder, 'leaf.pem'), pem([leaf])),
        ]);
        const theirs = await run(
          'openssl',
          [
            'verify',
            '-partial_chain',
            '-auth_level',
            '0',
            '-attime',
            String(Math.floor(at.getTime() / 1000)),
            '-no-CApath',
            '-no-CAstore',
            '-CAfile',
            'ca.pem',
            '-untrusted',
            'all.pem',
            'leaf.pem',
          ],
          { cwd: folder },
        ).then(
          () => true,
          () => false,
        );
        if (own.valid !== theirs) different.push(`${file}: ${own.error ?? 'valid'}`);
      }
    }
    expect(seen.size).to.be.greaterThan(10);
    expect(different).to.deep.equal([]);
  });
});

function isReadable(der: Uint8Array): boolean {
  try {
    return new X509Certificate(der).raw.length > 0;
  } catch {
    return false;
  }
}
