import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { DocumentError } from '../../../errors.js';
import { inspectResult } from '../../../file/inspection/index.js';
import { countPages, openLazily } from '../../../file/reader/index.js';
import { type CorpusFile, corpusFiles, hasCorpus } from '../inspection/corpus.js';
import { hasQpdf, qpdf, secretsOf } from './support.js';

const full = process.env['QUIRE_FULL'] === '1';
/**
 * qpdf decrypts a signature whose dictionary has no /Type, and leaves embedded files encrypted in a document that
 * encrypts nothing else.
 */
const READ_OTHERWISE = new Set(['dss/encrypted.pdf', 'pyHanko/embedded-encrypted-nocf.pdf']);
/** Files with unknown passwords; the second pair has damaged keys on purpose. */
const LOCKED = [
  'pdfium/encrypted_hello_world_r2_bad_okey.pdf',
  'pdfium/encrypted_hello_world_r3_bad_okey.pdf',
  'qpdf/encrypted-40-bit-R3.pdf',
];
/** Its catalog is broken. */
const DAMAGED = ['pdfium/bug_424613308.pdf'];

const files = (): CorpusFile[] => corpusFiles().filter(({ path, encrypted }) => encrypted && existsSync(path));

/** `open` with the page count, or an error code. */
function outcome({ path, password }: CorpusFile): string {
  try {
    const document = openLazily(readFileSync(path), { password });
    return document.security === undefined ? 'plain' : `open ${countPages(document)}`;
  } catch (error) {
    return error instanceof DocumentError ? error.code : String(error);
  }
}

function expected({ file, pages, class: kind }: CorpusFile): string {
  if (LOCKED.includes(file)) return 'PDF_ENCRYPTED';
  if (DAMAGED.includes(file)) return 'PDF_DAMAGED';
  // All others that qpdf does not open are encrypted for certificates.
  return kind === 'bad' ? 'PDF_ENCRYPTION_PUBLIC_KEY' : `open ${pages}`;
}

describe(
  hasCorpus ? 'encrypted files of the corpus' : 'encrypted files of the corpus (skipped: no ../shared/corpus)',
  () => {
    before(function () {
      if (!hasCorpus) this.skip();
    });

    it('open with their password, or are rejected with the right code', () => {
      const all = files();
      expect(all).to.have.length.greaterThan(100);
      const wrong = all.flatMap((file) =>
        outcome(file) === expected(file) ? [] : [`${file.file}: ${outcome(file)}, not ${expected(file)}`],
      );
      expect(wrong).to.deep.equal([]);
    });

    it('ask for a password where another reader needs one', () => {
      const wrong = files()
        .filter(({ class: kind }) => kind !== 'bad')
        .flatMap((file) => {
          // The manifest marks files as locked although the empty password opens them.
          const locked = file.needsPassword && file.password !== '';
          return (outcome({ ...file, password: 'surely wrong' }) === 'PDF_ENCRYPTED') === locked ? [] : [file.file];
        });
      expect(wrong).to.deep.equal([]);
    });

    it(
      hasQpdf
        ? `hold the strings and streams that qpdf decrypts${full ? '' : ' (a sample)'}`
        : 'hold the strings and streams that qpdf decrypts (skipped: no qpdf)',
      function () {
        this.timeout(120_000);
        if (!hasQpdf) this.skip();
        const readable = files().filter((file) => file.class !== 'bad' && !READ_OTHERWISE.has(file.file));
        const wrong = readable
          .filter((_, i) => full || i % 8 === 0)
          .flatMap(({ file, path, password }) => {
            const bytes = readFileSync(path);
            const plain = qpdf(bytes, [
              `--password=${password}`,
              '--decrypt',
              '--preserve-unreferenced',
              '--object-streams=preserve',
              '--stream-data=preserve',
            ]);
            const [ours, theirs] = [secretsOf(openLazily(bytes, { password })), secretsOf(openLazily(plain))];
            return ours.length === theirs.length && ours.every((secret, i) => secret === theirs[i]) ? [] : [file];
          });
        expect(wrong).to.deep.equal([]);
      },
    );

    it('keep a signature that qpdf would decrypt, and decrypt an embedded file that qpdf does not', function () {
      const [signed, embedded] = [...READ_OTHERWISE].map((name) => files().find(({ file }) => file === name));
      if (signed === undefined || embedded === undefined) this.skip();
      expect(
        secretsOf(openLazily(readFileSync(signed.path))).some((secret) =>
          secret.startsWith('string 3082164306092a864886f70d010702'),
        ),
      ).to.equal(true);
      expect(
        secretsOf(openLazily(readFileSync(embedded.path), embedded)).filter((secret) => secret.endsWith(' 905')),
      ).to.have.length(1);
    });

    it('are accepted as results when only our reader understands them and no password was set', async function () {
      const odd = corpusFiles().find(({ file }) => file === 'qpdf/bad-encryption-length.pdf');
      if (odd === undefined || !existsSync(odd.path)) this.skip();
      expect(await inspectResult({ path: odd.path })).to.deep.include({ pages: odd.pages, engine: 'quire' });
      const refused = await inspectResult({ path: odd.path }, 1, 'any').then(
        () => 'opened',
        (error: unknown) => (error as DocumentError).code,
      );
      expect(refused).to.equal('PDF_DAMAGED');
    });
  },
);
