import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type QuireServer } from '@quire/core';
import { callOperation, type FormFile, type OperationAnswer } from '@quire/plugin-kit';
import { expect } from 'chai';
import { Authority, type Issued, PkiServer, pyhankoPython, verifyWithPyhanko } from '../../../../test/pki/index.js';

const password = 'secret';

describe('cert-sign at the levels that last', function () {
  this.timeout(60_000);
  let folder: string;
  let root: Authority;
  let below: Authority;
  let ann: Issued;
  let pki: PkiServer;
  let server: QuireServer;
  let url: string;
  let plain: FormFile;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-levels-'));
    pki = await PkiServer.start();
    root = await Authority.root(join(folder, 'root'), { name: 'Root', key: 'rsa2048' });
    below = await root.authority(join(folder, 'below'), { name: 'Below', key: 'p256', crl: `${pki.url}/root.crl` });
    pki.crl('/root.crl', root);
    pki.ocsp('/ocsp', below);
    ann = await below.issue({ name: 'Ann', key: 'p256', ocsp: `${pki.url}/ocsp` });
    const stamps = pki.timeStamps(
      '/tsr',
      root,
      await root.issue({ name: 'Time', key: 'rsa2048', purpose: 'time-stamp', crl: `${pki.url}/root.crl` }),
    );
    server = await createTestServer({
      plugins: ['@quire/plugin-signing'],
      settings: {
        'security.timestamp.defaultTsaUrl': stamps,
        'outbound.allowed': ['127.0.0.1'],
        'security.validation.allowAIA': true,
        'security.validation.trust.useSystemTrust': false,
        'security.validation.trust.useMozillaBundle': false,
      },
    });
    url = await server.start();
    plain = {
      name: 'plain.pdf',
      bytes: new Uint8Array(await readFile(new URL('../../fixtures/plain.pdf', import.meta.url))),
    };
  });

  after(async () => {
    await server.stop();
    await pki.stop();
    await rm(folder, { recursive: true });
  });

  async function sign(signatureLevel: string, signer = ann, file = plain, at = url): Promise<OperationAnswer> {
    const p12File = { name: 'a.p12', bytes: new Uint8Array(await below.pkcs12(signer, password)) };
    return callOperation(at, {
      path: 'security/cert-sign',
      files: [file],
      params: { certType: 'PKCS12', password, signatureLevel },
      parts: { p12File },
    });
  }
  async function keep(answer: OperationAnswer, before = plain): Promise<string> {
    expect(answer.status, Buffer.from(answer.bytes).toString().slice(0, 500)).to.equal(200);
    expect(Buffer.from(answer.bytes).subarray(0, before.bytes.length).equals(before.bytes)).to.equal(true);
    const path = join(folder, `${Math.random()}.pdf`);
    await writeFile(path, answer.bytes);
    return path;
  }
  const refusalOf = ({ status, code, bytes }: OperationAnswer): readonly [number, string | undefined, string] => [
    status,
    code,
    Buffer.from(bytes).toString(),
  ];

  it('embeds certificates, OCSP responses and CRLs, enough for pyHanko, and stamps them', async function () {
    const lasting = await sign('B-LT');
    const archived = await sign('B-LTA');
    expect(lasting.headers.get('x-tool-report')).to.contain('B-LT');
    const files = [await keep(lasting), await keep(archived)];
    // Over a document that has a store already.
    const first = { name: 'first.pdf', bytes: lasting.bytes };
    files.push(await keep(await sign('B-LT', undefined, first), first));
    for (const file of files) {
      const text = (await readFile(file)).toString('latin1');
      expect(text).to.match(/\/DSS\b/);
      expect(execFileSync('pdfsig', ['-nocert', file], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
        .to.contain('Signature is Valid')
        .and.not.to.contain('Invalid');
      expect(execFileSync('qpdf', ['--check', file], { encoding: 'utf8' })).to.contain('No syntax');
    }
    expect((await readFile(files[1] ?? '')).toString('latin1')).to.match(/\/DocTimeStamp/);
    if (pyhankoPython() === undefined) return this.skip();
    const [lt, lta, twice] = await verifyWithPyhanko(root.own.certificateFile, files, { dss: true });
    expect(
      lt?.map(({ good }) => good),
      JSON.stringify(lt),
    ).to.deep.equal([true]);
    expect(
      lta?.map(({ kind, good }) => [kind, good]),
      JSON.stringify(lta),
    ).to.deep.equal([
      ['signature', true],
      ['stamp', true],
    ]);
    expect(
      twice?.map(({ good }) => good),
      JSON.stringify(twice),
    ).to.deep.equal([true, true]);
    expect(lt?.[0]?.summary).to.contain('TIMESTAMP_TOKEN<INTACT:TRUSTED>').and.to.contain('ACCEPTABLE_MODIFICATIONS');
  });

  it('refuses a certificate that was revoked', async () => {
    const revoked = await below.issue({ name: 'Gone', key: 'p256', ocsp: `${pki.url}/ocsp` });
    await below.revoke(revoked);
    const [status, code, text] = refusalOf(await sign('B-LT', revoked));
    expect([status, code], text).to.deep.equal([400, 'CERTIFICATE_REVOKED']);
    // Lower levels do not ask.
    expect((await sign('B-T', revoked)).status).to.equal(200);
  });

  it('refuses what cannot be had, and never answers with less than was asked for', async () => {
    pki.route('/garbage', () => ({ type: 'application/ocsp-response', bytes: Buffer.from('nonsense') }));
    for (const wish of [
      {},
      { ocsp: `${pki.url}/garbage` },
      { ocsp: `${pki.url}/nowhere` },
      { crl: `${pki.url}/root.crl` },
    ]) {
      const [status, code, text] = refusalOf(
        await sign('B-LT', await below.issue({ name: 'Lone', key: 'p256', ...wish })),
      );
      expect([status, code], `${JSON.stringify(wish)} ${text}`).to.deep.equal([422, 'VALIDATION_DATA_MISSING']);
    }
  });

  it('sends no request to an authority that the operator does not allow', async () => {
    const quiet = await createTestServer({
      plugins: ['@quire/plugin-signing'],
      settings: { 'security.timestamp.defaultTsaUrl': `${pki.url}/tsr`, 'outbound.allowed': ['127.0.0.1'] },
    });
    try {
      const at = await quiet.start();
      pki.requests.length = 0;
      const [status, code, text] = refusalOf(await sign('B-LT', ann, plain, at));
      expect([status, code], text).to.deep.equal([422, 'VALIDATION_DATA_MISSING']);
      expect(text).to.contain('security.validation.allowAIA');
      expect(pki.requests.map((request) => request.path)).to.deep.equal(['/tsr']);
    } finally {
      await quiet.stop();
    }
  });
});
