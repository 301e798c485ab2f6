import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { X509Certificate } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Authority, openssl, PkiServer } from './index.js';

describe('the test authorities', () => {
  let folder: string;
  let root: Authority;
  let inner: Authority;
  let server: PkiServer;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-pki-'));
    server = await PkiServer.start();
    root = await Authority.root(join(folder, 'root'), { name: 'Test Root', key: 'rsa2048' });
    inner = await root.authority(join(folder, 'inner'), { name: 'Test Inner' });
  });

  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  it('issue certificates with every type of key, which OpenSSL verifies up to the root', async () => {
    await writeFile(join(folder, 'inner.pem'), await readFile(inner.own.certificateFile));
    for (const key of ['rsa1024', 'rsa2048', 'rsa-pss', 'p256', 'p384', 'p521', 'ed25519'] as const) {
      const leaf = await inner.issue({ name: `Ann ${key} Müller`, key });
      const printed = await openssl(folder, [
        'verify',
        ...(key === 'rsa1024' ? ['-auth_level', '0'] : []),
        '-CAfile',
        root.own.certificateFile,
        '-untrusted',
        'inner.pem',
        leaf.certificateFile,
      ]);
      expect(printed, key).to.contain('OK');
      expect(new X509Certificate(leaf.certificate).subject).to.contain(`CN=Ann ${key} Müller`);
    }
  });

  it('answer over HTTP what OpenSSL reports: OCSP, lists and timestamps', async () => {
    const ocsp = server.ocsp('/ocsp', inner);
    const crl = server.crl('/inner.crl', inner);
    const [good, bad] = [await inner.issue({ name: 'good', ocsp, crl }), await inner.issue({ name: 'bad', ocsp, crl })];
    await inner.revoke(bad);
    for (const [leaf, status] of [
      [good, ': good'],
      [bad, ': revoked'],
    ] as const) {
      expect(
        await openssl(folder, [
          'ocsp',
          '-issuer',
          inner.own.certificateFile,
          '-cert',
          leaf.certificateFile,
          '-url',
          ocsp,
          '-CAfile',
          root.own.certificateFile,
          '-no_nonce',
        ]),
      ).to.contain(status);
    }
    await writeFile(join(folder, 'inner.crl'), Buffer.from(await (await fetch(crl)).arrayBuffer()));
    expect(await openssl(folder, ['crl', '-inform', 'DER', '-in', 'inner.crl', '-noout', '-text'])).to.contain(
      'Key Compromise',
    );
    const tsa = await inner.issue({ name: 'Time', purpose: 'time-stamp', key: 'rsa2048' });
    const stamps = server.timeStamps('/tsr', inner, tsa);
    await openssl(folder, ['ts', '-query', '-digest', '00'.repeat(32), '-sha256', '-cert', '-out', 'query.tsq']);
    const reply = await fetch(stamps, {
      method: 'POST',
      headers: { 'content-type': 'application/timestamp-query' },
      body: await readFile(join(folder, 'query.tsq')),
    });
    await writeFile(join(folder, 'reply.tsr'), Buffer.from(await reply.arrayBuffer()));
    expect(
      await openssl(folder, [
        'ts',
        '-verify',
        '-queryfile',
        'query.tsq',
        '-in',
        'reply.tsr',
        '-CAfile',
        root.own.certificateFile,
        '-untrusted',
        'inner.pem',
      ]),
    ).to.match(/^(Using configuration.*\n)?$|OK/);
    expect(server.requests.map(({ path }) => path)).to.include.members(['/ocsp', '/inner.crl', '/tsr']);
  });

  it('create keystores of both types', async () => {
    const leaf = await inner.issue({ name: 'Ann', key: 'rsa2048' });
    for (const legacy of [false, true]) {
      await writeFile(join(folder, 'a.p12'), await inner.pkcs12(leaf, 'pässword', { legacy }));
      const printed = await openssl(folder, [
        'pkcs12',
        '-in',
        'a.p12',
        '-passin',
        'pass:pässword',
        '-nodes',
        ...(legacy ? ['-legacy'] : []),
      ]);
      expect(printed.match(/BEGIN CERTIFICATE/g)).to.have.length(3);
      expect(printed).to.contain('BEGIN PRIVATE KEY');
    }
  });
});
