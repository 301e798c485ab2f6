import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type FormFile, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Authority, type Issued, openssl, PkiServer } from '../../../../test/pki/index.js';
import type { SignatureReport } from '../../src/functions/signature-report.js';

const path = 'security/validate-signature';
const fixture = async (name: string): Promise<FormFile> => ({
  name,
  bytes: new Uint8Array(await readFile(new URL(`../../fixtures/${name}`, import.meta.url))),
});
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

describe('validate-signature over HTTP', function () {
  this.timeout(60_000);
  let folder: string;
  let root: Authority;
  let below: Authority;
  let ann: Issued;
  let pki: PkiServer;
  let server: QuireServer;
  let url: string;
  let plain: FormFile;
  let signed: FormFile;
  let rootFile: FormFile;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-validate-'));
    root = await Authority.root(join(folder, 'root'), { name: 'Root', key: 'rsa2048' });
    below = await root.authority(join(folder, 'below'), { name: 'Below, the second', key: 'rsa2048' });
    pki = await PkiServer.start();
    const ocsp = pki.ocsp('/ocsp', below);
    pki.ocsp('/root-ocsp', root);
    ann = await below.issue({ name: 'Ann Example', key: 'rsa2048', ocsp });
    const stamps = pki.timeStamps(
      '/tsr',
      root,
      await root.issue({ name: 'Time', key: 'rsa2048', purpose: 'time-stamp' }),
    );
    server = await start({ 'security.timestamp.defaultTsaUrl': stamps });
    url = await server.start();
    plain = await fixture('plain.pdf');
    rootFile = { name: 'root.pem', bytes: new Uint8Array(await readFile(root.own.certificateFile)) };
    signed = await sign(plain);
  });

  after(async () => {
    await server.stop();
    await pki.stop();
    await rm(folder, { recursive: true });
  });

  const start = (settings: Record<string, unknown>): Promise<QuireServer> =>
    createTestServer({
      plugins: ['@quire/plugin-signing', '@quire/plugin-security', '@quire/plugin-admin-cert'],
      settings: {
        'outbound.allowed': ['127.0.0.1'],
        'security.validation.trust.useSystemTrust': false,
        'security.validation.trust.useMozillaBundle': false,
        ...settings,
      },
    });
  const call = (file: FormFile, certFile?: FormFile, at = url): Promise<OperationAnswer> =>
    callOperation(at, { path, files: [file], ...(certFile === undefined ? {} : { parts: { certFile } }) });
  const reports = async (file: FormFile, certFile?: FormFile, at = url): Promise<SignatureReport[]> => {
    const answer = await call(file, certFile, at);
    expect(answer.status, Buffer.from(answer.bytes).toString()).to.equal(200);
    return JSON.parse(Buffer.from(answer.bytes).toString()) as SignatureReport[];
  };
  const done = async (
    operation: string,
    file: FormFile,
    params: Record<string, unknown> = {},
    parts: Record<string, FormFile> = {},
  ): Promise<FormFile> => {
    const answer = await callOperation(url, { path: operation, files: [file], params, parts });
    expect(answer.status, Buffer.from(answer.bytes).toString('latin1').slice(0, 500)).to.equal(200);
    return { name: 'done.pdf', bytes: answer.bytes };
  };
  async function sign(
    file: FormFile,
    params: Record<string, unknown> = {},
    issued = ann,
    authority = below,
  ): Promise<FormFile> {
    const chain = Buffer.concat([await readFile(issued.certificateFile), Buffer.from(await authority.chainPem())]);
    return done(
      'security/cert-sign',
      file,
      { certType: 'PEM', name: 'Ann Example', reason: 'Approved', location: 'Köln', ...params },
      {
        privateKeyFile: { name: 'key.pem', bytes: new Uint8Array(await readFile(issued.keyFile)) },
        certFile: { name: 'chain.pem', bytes: new Uint8Array(chain) },
      },
    );
  }
  const changed = (file: FormFile, change: (text: string) => string): FormFile => ({
    name: file.name,
    bytes: new Uint8Array(Buffer.from(change(Buffer.from(file.bytes).toString('latin1')), 'latin1')),
  });

  it('reports every member of the contract, always, of a signature that is trusted', async () => {
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
    expect(await reports(plain)).to.deep.equal([]);
  });

  it('says that nobody it trusts stands behind a signature, without calling the signature invalid', async () => {
    const [report] = await reports(signed);
    expect(report).to.deep.include({ valid: true, chainValid: false, trustValid: false, errorMessage: null });
    expect(report?.chainValidationError).to.contain('not trusted');
  });

  it('trusts only an uploaded certificate (PEM, DER or bundle), and ignores an empty file', async () => {
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

  it('tells a changed byte, and what was changed behind a signature', async () => {
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

  it('tells of a SHA-1 certificate and of one that is its own', async () => {
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

  it('calls nobody by default, whatever addresses certificates name', async () => {
    pki.requests.length = 0;
    await reports(signed, rootFile);
    await reports(signed);
    expect(pki.requests).to.deep.equal([]);
  });

  describe('with revocation', () => {
    let asking: QuireServer;
    let at: string;

    before(async () => {
      asking = await start({ 'security.validation.revocation.mode': 'ocsp', 'security.validation.allowAIA': true });
      at = await asking.start();
    });

    after(() => asking.stop());

    it('asks the responder, and tells good, revoked and not to be found out', async () => {
      const eve = await below.issue({ name: 'Eve', key: 'rsa2048', ocsp: `${pki.url}/ocsp` });
      const byEve = await sign(plain, {}, eve);
      const belowFile = { name: 'below.cer', bytes: new Uint8Array(below.own.certificate) };
      expect((await reports(byEve, belowFile, at))[0]).to.deep.include({
        chainValid: true,
        revocationChecked: true,
        revocationStatus: 'good',
      });
      const mallory = await below.issue({ name: 'Mallory', key: 'rsa2048', ocsp: `${pki.url}/ocsp` });
      const byMallory = await sign(plain, {}, mallory);
      await below.revoke(mallory);
      const [revoked] = await reports(byMallory, belowFile, at);
      expect(revoked).to.deep.include({
        valid: true,
        chainValid: false,
        revocationChecked: true,
        revocationStatus: 'revoked',
      });
      expect(revoked?.chainValidationError).to.match(/revo/i);
      const silent = await below.issue({ name: 'Silent', key: 'rsa2048', ocsp: `${pki.url}/nobody` });
      const [unknown] = await reports(await sign(plain, {}, silent), belowFile, at);
      expect(unknown).to.deep.include({ chainValid: true, revocationStatus: 'good' });
      expect(unknown?.warnings.join()).to.match(/revocation/i);
    });

    for (const mode of ['crl', 'ocsp+crl'] as const) {
      it(`takes revocation lists with ${mode}, and with hardFail nothing that could not be found out`, async () => {
        const strict = await start({
          'security.validation.revocation.mode': mode,
          'security.validation.revocation.hardFail': true,
          'security.validation.allowAIA': true,
        });
        try {
          const strictUrl = await strict.start();
          // A list is kept for minutes once it was fetched: one that was made later has another address.
          const [list, later] = [pki.crl(`/${mode}.crl`, below), pki.crl(`/${mode}-later.crl`, below)];
          const belowFile = { name: 'below.cer', bytes: new Uint8Array(below.own.certificate) };
          const ask = async (name: string, where: { crl?: string; ocsp?: string }, revoked = false) => {
            const issued = await below.issue({ name, key: 'rsa2048', ...where });
            const file = await sign(plain, {}, issued);
            if (revoked) await below.revoke(issued);
            return (await reports(file, belowFile, strictUrl))[0];
          };
          // Nobody answers at the responder's address: with ocsp+crl the list is what is left.
          const ocsp = `${pki.url}/nobody`;
          expect(await ask('Listed', { crl: list, ocsp })).to.deep.include({
            valid: true,
            chainValid: true,
            revocationChecked: true,
            revocationStatus: 'good',
          });
          expect(await ask('Taken back', { crl: later, ocsp }, true)).to.deep.include({
            valid: true,
            chainValid: false,
            revocationStatus: 'revoked',
          });
          const unknown = await ask('Unlisted', { crl: `${pki.url}/no-list`, ocsp });
          expect(unknown).to.deep.include({ valid: true, chainValid: false, revocationStatus: 'soft-fail' });
          expect(unknown?.chainValidationError).to.match(/revocation/i);
        } finally {
          await strict.stop();
        }
      });
    }
  });
});
