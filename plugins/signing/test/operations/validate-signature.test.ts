import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FormFile } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Authority, openssl } from '../../../../test/pki/index.js';
import { fixture, startValidationServer, type ValidationServer } from './validation-server.js';

const DATE =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d\d \d\d:\d\d:\d\d \S+ \d{4}$/;
const CONTRACT = [
  'valid',
  'chainValid',
  'trustValid',
  'chainValidationError',
  'certPathLength',
  'notExpired',
  'coversEntireDocument',
  'revocationChecked',
  'revocationStatus',
  'validationTimeSource',
  'signerName',
  'signatureDate',
  'reason',
  'location',
  'errorMessage',
  'issuerDN',
  'subjectDN',
  'serialNumber',
  'validFrom',
  'validUntil',
  'signatureAlgorithm',
  'keySize',
  'version',
  'keyUsages',
  'selfSigned',
] as const;

const changed = (file: FormFile, change: (text: string) => string): FormFile => ({
  name: file.name,
  bytes: new Uint8Array(Buffer.from(change(Buffer.from(file.bytes).toString('latin1')), 'latin1')),
});

describe('validate-signature over HTTP', function () {
  this.timeout(60_000);
  let validation: ValidationServer;

  before(async () => {
    validation = await startValidationServer();
  });

  after(() => validation.stop());

  it('reports every member of the contract, always, of a signature that is trusted', async () => {
    const { folder, ann, signed, rootFile, reports } = validation;
    const [report, second] = await reports(signed, rootFile);
    expect(second).to.equal(undefined);
    expect(report).to.include.keys(...CONTRACT);
    const serial = (await openssl(folder, ['x509', '-in', ann.certificateFile, '-noout', '-serial']))
      .toString()
      .trim()
      .replace('serial=', '')
      .toLowerCase()
      .replace(/^0+(?=.)/, '');
    expect(report).to.deep.include({
      valid: true,
      chainValid: true,
      trustValid: true,
      chainValidationError: null,
      certPathLength: 2,
      notExpired: true,
      coversEntireDocument: true,
      revocationChecked: false,
      revocationStatus: 'not-checked',
      validationTimeSource: 'current',
      signerName: 'Ann Example',
      reason: 'Approved',
      location: 'Köln',
      errorMessage: null,
      issuerDN: 'CN=Below\\, the second,O=Test',
      subjectDN: 'CN=Ann Example,O=Test,C=DE',
      serialNumber: serial,
      signatureAlgorithm: 'SHA256withRSA',
      keySize: 2048,
      version: '3',
      keyUsages: ['Digital Signature', 'Non-Repudiation'],
      selfSigned: false,
      subFilter: 'ETSI.CAdES.detached',
      integrity: 'intact',
      digestAlgorithm: 'sha256',
      coversWholeFile: true,
      changesSinceSigning: 'none',
      changes: [],
      certificationLevel: null,
      timestampTime: null,
      warnings: [],
    });
    for (const member of ['signatureDate', 'validFrom', 'validUntil'] as const) expect(report?.[member]).to.match(DATE);
    expect(Math.abs(Date.parse(report?.signatureDate ?? '') - Date.now())).to.be.lessThan(120_000);
  });

  it('answers an unsigned document with an empty list', async () => {
    const { plain, reports } = validation;
    expect(await reports(plain)).to.deep.equal([]);
  });

  it('reports a signer without a trusted issuer, without calling the signature invalid', async () => {
    const { signed, reports } = validation;
    const [report] = await reports(signed);
    expect(report).to.deep.include({ valid: true, chainValid: false, trustValid: false, errorMessage: null });
    expect(report?.chainValidationError).to.contain('not trusted');
  });

  it('trusts only an uploaded certificate (PEM, DER or bundle), and ignores an empty file', async () => {
    const { folder, root, below, signed, reports } = validation;
    const other = await Authority.root(join(folder, 'other'), { name: 'Other' });
    const trusts = async (bytes: Uint8Array, name = 'x.cer'): Promise<boolean | undefined> =>
      (await reports(signed, { name, bytes }))[0]?.trustValid;
    expect(await trusts(new Uint8Array(root.own.certificate))).to.equal(true);
    await openssl(folder, [
      'crl2pkcs7',
      '-nocrl',
      '-certfile',
      root.own.certificateFile,
      '-outform',
      'DER',
      '-out',
      join(folder, 'root.p7b'),
    ]);
    expect(await trusts(new Uint8Array(await readFile(join(folder, 'root.p7b'))), 'root.p7b')).to.equal(true);
    expect(await trusts(new Uint8Array(below.own.certificate))).to.equal(true);
    expect(await trusts(new Uint8Array(other.own.certificate))).to.equal(false);
    expect(await trusts(new Uint8Array())).to.equal(false);
  });

  it('refuses a file without a certificate', async () => {
    const { plain, signed, call } = validation;
    for (const bytes of [
      Buffer.from('no certificate'),
      Buffer.from('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n'),
      plain.bytes,
    ]) {
      const answer = await call(signed, { name: 'x.pem', bytes: new Uint8Array(bytes) });
      expect(answer.status).to.equal(400);
      expect(JSON.parse(Buffer.from(answer.bytes).toString())).to.deep.include({ code: 'CERTIFICATE_UNREADABLE' });
    }
  });

  it('goes by the time stamp on a signature, and by that of a document time stamp', async () => {
    const { plain, rootFile, reports, done, sign } = validation;
    const path = await done('security/timestamp-pdf', await sign(plain, { signatureLevel: 'B-T' }));
    const [first, second] = await reports(path, rootFile);
    expect(first).to.deep.include({
      valid: true,
      chainValid: true,
      validationTimeSource: 'timestamp',
      changesSinceSigning: 'allowed',
      coversWholeFile: false,
      coversEntireDocument: true,
      warnings: [],
    });
    expect(first?.timestampTime).to.match(DATE);
    expect(second).to.deep.include({
      valid: true,
      chainValid: true,
      validationTimeSource: 'document-timestamp',
      subFilter: 'ETSI.RFC3161',
      subjectDN: 'CN=Time,O=Test,C=DE',
      signerName: null,
      reason: null,
    });
    expect(second?.signatureDate).to.equal(second?.timestampTime);
  });

  it('says nothing more of a time stamp that is not one of this document', async () => {
    const { plain, rootFile, reports, done } = validation;
    const stamped = await done('security/timestamp-pdf', plain);
    const [report] = await reports(
      changed(stamped, (text) => text.replace('/Type /Page\n', '/Type /Pagf\n').replace('%PDF-1.7\n', '%PDF-1.6\n')),
      rootFile,
    );
    expect(report).to.deep.include({
      valid: false,
      errorMessage: 'The time stamp does not match the document',
      chainValid: false,
      signatureDate: null,
      subjectDN: null,
      validationTimeSource: null,
      revocationStatus: null,
      keySize: 0,
      keyUsages: null,
    });
  });

  it('reports a changed byte, and changes after a signature', async () => {
    const { signed, rootFile, reports } = validation;
    const [broken] = await reports(
      changed(signed, (text) => text.replace('%PDF-1.7\n', '%PDF-1.6\n')),
      rootFile,
    );
    expect(broken).to.deep.include({
      valid: false,
      integrity: 'broken',
      chainValid: true,
      subjectDN: 'CN=Ann Example,O=Test,C=DE',
    });
    expect(broken?.errorMessage).to.contain('changed');
    const text = Buffer.from(signed.bytes).toString('latin1');
    const [late] = await reports(
      { name: 'late.pdf', bytes: new Uint8Array(Buffer.from(`${text}9 0 obj\n<< >>\nendobj\n`, 'latin1')) },
      rootFile,
    );
    expect(late).to.deep.include({
      valid: false,
      integrity: 'intact',
      coversEntireDocument: false,
      changesSinceSigning: 'refused',
    });
    expect(late?.errorMessage).to.match(/^The document was changed after signing: /);
  });

  it('answers with a report where the signature makes no sense', async () => {
    const { rootFile, reports } = validation;
    const [report] = await reports(await fixture('signed.pdf'), rootFile);
    expect(report).to.include.keys(...CONTRACT);
    expect(report).to.deep.include({
      valid: false,
      chainValid: false,
      certPathLength: 0,
      issuerDN: null,
      revocationStatus: null,
      validationTimeSource: null,
      integrity: 'unverifiable',
      changesSinceSigning: 'unknown',
    });
    expect(report?.errorMessage).to.be.a('string');
  });

  it('validates encrypted documents that open without a password, and refuses others', async () => {
    const { folder, plain, rootFile, call, reports, sign } = validation;
    const locked = join(folder, 'locked.pdf');
    for (const [password, status] of [
      ['', 200],
      ['secret', 400],
    ] as const) {
      await writeFile(join(folder, 'plain.pdf'), plain.bytes);
      execFileSync('qpdf', ['--encrypt', password, 'owner', '256', '--', join(folder, 'plain.pdf'), locked]);
      const file = { name: 'locked.pdf', bytes: new Uint8Array(await readFile(locked)) };
      if (status === 200)
        expect((await reports(await sign(file), rootFile))[0]).to.deep.include({
          valid: true,
          trustValid: true,
          reason: 'Approved',
          location: 'Köln',
        });
      else
        expect(JSON.parse(Buffer.from((await call(file)).bytes).toString())).to.deep.include({
          status: 400,
          code: 'PDF_ENCRYPTED',
        });
    }
  });

  it('reports a SHA-1 certificate and a self-signed one', async () => {
    const { root, below, plain, rootFile, reports, sign } = validation;
    const old = await below.issue({ name: 'Weak', key: 'rsa2048', digest: 'sha1' });
    expect((await reports(await sign(plain, {}, old), rootFile))[0]).to.deep.include({
      signatureAlgorithm: 'SHA1withRSA',
    });
    expect((await reports(await sign(plain, {}, root.own, root), rootFile))[0]).to.deep.include({
      selfSigned: true,
      issuerDN: 'CN=Root,O=Test',
      subjectDN: 'CN=Root,O=Test',
      certPathLength: 1,
    });
  });

  it('sends no request by default, whatever addresses certificates name', async () => {
    const { pki, signed, rootFile, reports } = validation;
    pki.requests.length = 0;
    await reports(signed, rootFile);
    await reports(signed);
    expect(pki.requests).to.deep.equal([]);
  });
});
