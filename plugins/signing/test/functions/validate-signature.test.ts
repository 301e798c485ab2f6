import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { SigningDesk } from '../../../../document/test/signatures/signing-desk.js';
import { codeOf } from '../../../../test/suites/code-of.js';
import { dateText } from '../../src/functions/date-text.js';
import { type ValidationRules, validateSignatures } from '../../src/functions/validate-signature.js';

describe('reports on signatures', function () {
  this.timeout(30_000);
  let desk: SigningDesk;
  let rules: ValidationRules;
  /** Every certificate has expired by then. */
  const longAfter = new Date(Date.now() + 70 * 365 * 86_400_000);

  before(async () => {
    desk = await SigningDesk.open();
    rules = {
      anchors: [desk.authority.own.certificate],
      revocation: { mode: 'none', hardFail: false },
      now: new Date(),
      zone: 'Europe/Berlin',
    };
  });

  after(() => desk.close());

  it('go by the time that the signer claims where the signature has one and no time stamp', async () => {
    const [report] = await validateSignatures(await desk.sign(await desk.plain()), {
      ...rules,
      now: longAfter,
    });
    expect(report).to.deep.include({
      valid: true,
      validationTimeSource: 'signing-time',
      notExpired: true,
      chainValid: true,
      signatureDate: dateText(desk.signedAt, 'Europe/Berlin'),
      keySize: 0,
    });
  });

  it('judge the chain now where nothing says when it was signed', async () => {
    const stripped = await validateSignatures(await desk.stamp(await desk.plain()), {
      ...rules,
      now: longAfter,
    });
    expect(stripped[0]).to.deep.include({
      validationTimeSource: 'document-timestamp',
      notExpired: true,
      chainValid: true,
    });
  });

  it('accept adbe.x509.rsa_sha1 and adbe.pkcs7.sha1 signatures as valid but weak', async () => {
    const files = await oldKinds();
    for (const [subFilter, path] of files) {
      const [report] = await validateSignatures(path, rules);
      expect(report, subFilter).to.deep.include({
        valid: true,
        subFilter,
        integrity: 'intact',
        digestAlgorithm: 'sha1',
        trustValid: true,
      });
      expect(report?.warnings.join()).to.contain('SHA-1');
      const [broken] = await validateSignatures(
        desk.tamper(path, (text) => text.replace('%PDF-1.7', '%PDF-1.6')),
        rules,
      );
      expect(broken, subFilter).to.deep.include({ valid: false, integrity: 'broken' });
    }
  });

  it('refuse files that are not documents', async () => {
    expect(await codeOf(validateSignatures(desk.file('no document'), rules))).to.equal('PDF_DAMAGED');
  });

  it('write dates as the contract does, in any zone', () => {
    const at = new Date('2026-07-01T22:30:05Z');
    expect(dateText(at, 'UTC')).to.equal('Wed Jul 01 22:30:05 UTC 2026');
    expect(dateText(at, 'Europe/Berlin')).to.equal('Thu Jul 02 00:30:05 CEST 2026');
    expect(dateText(at, 'America/New_York')).to.equal('Wed Jul 01 18:30:05 EDT 2026');
  });

  /** Signatures of the two kinds that no software makes any more, made by OpenSSL. */
  async function oldKinds(): Promise<readonly (readonly [string, string])[]> {
    const signer = await desk.authority.issue({ name: 'Old', key: 'rsa2048' });
    const sign = (subFilter: string, entries: string, value: (covered: Buffer) => Buffer): string => {
      const capacity = 4000;
      const body = (range: string, digits: string): string => {
        const objects = [
          '<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [4 0 R] >> >>',
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] /Annots [4 0 R] >>',
          '<< /Type /Annot /Subtype /Widget /FT /Sig /T (S) /Rect [0 0 0 0] /V 5 0 R >>',
          `<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /${subFilter} ${entries} /ByteRange ${range} ` +
            `/Contents <${digits.padEnd(capacity * 2, '0')}> >>`,
        ];
        let text = '%PDF-1.7\n';
        const places = objects.map((object, i) => {
          const at = text.length;
          text += `${i + 1} 0 obj\n${object}\nendobj\n`;
          return at;
        });
        const start = text.length;
        return (
          `${text}xref\n0 6\n0000000000 65535 f \n` +
          `${places.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')}trailer\n<< /Size 6 /Root ` +
          `1 0 R >>\nstartxref\n${start}\n%%EOF\n`
        );
      };
      const draft = body('[0 0000000000 0000000000 0000000000]', '');
      const [a, b] = [draft.indexOf('/Contents <') + 10, draft.indexOf('> >>', draft.indexOf('/Contents <')) + 1];
      const range =
        `[0 ${String(a).padStart(10, '0')} ${String(b).padStart(10, '0')} ` +
        `${String(draft.length - b).padStart(10, '0')}]`;
      const ready = Buffer.from(body(range, ''), 'latin1');
      return desk.file(body(range, value(Buffer.concat([ready.subarray(0, a), ready.subarray(b)])).toString('hex')));
    };
    const covered = join(desk.folder, 'covered');
    const openssl = (...args: readonly string[]): Buffer =>
      execFileSync('openssl', args, { cwd: desk.folder, stdio: ['ignore', 'pipe', 'ignore'] });
    const certificate = `/Cert <${signer.certificate.toString('hex')}>`;
    return [
      [
        'adbe.x509.rsa_sha1',
        sign('adbe.x509.rsa_sha1', certificate, (bytes) => {
          writeFileSync(covered, bytes);
          const value = openssl('dgst', '-sha1', '-sign', signer.keyFile, covered);
          return Buffer.concat([Buffer.from([0x04, 0x82, value.length >> 8, value.length & 0xff]), value]);
        }),
      ],
      [
        'adbe.pkcs7.sha1',
        sign('adbe.pkcs7.sha1', '', (bytes) => {
          writeFileSync(covered, bytes);
          writeFileSync(`${covered}.sha1`, openssl('dgst', '-sha1', '-binary', covered));
          openssl(
            'cms',
            '-sign',
            '-binary',
            '-nodetach',
            '-md',
            'sha1',
            '-in',
            `${covered}.sha1`,
            '-signer',
            signer.certificateFile,
            '-inkey',
            signer.keyFile,
            '-outform',
            'DER',
            '-out',
            `${covered}.cms`,
          );
          return readFileSync(`${covered}.cms`);
        }),
      ],
    ];
  }
});
