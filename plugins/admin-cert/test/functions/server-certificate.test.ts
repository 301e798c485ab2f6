import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildCertificate } from '../../src/functions/build-certificate.js';
import { openKeystore, sealKeystore } from '../../src/functions/keystore.js';
import { readCertificate } from '../../src/functions/read-certificate.js';

const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });
const from = new Date('2026-01-02T03:04:05Z');
const build = (organisation = 'Quire Inc'): Promise<Uint8Array> => buildCertificate({ organisation, validityDays: 365, from, serial: 0xffn, ...pair });

describe('server certificate', () => {
  it('signs itself, with the subject, validity and serial number asked for', async () => {
    const certificate = new X509Certificate(await build());
    expect(certificate.verify(pair.publicKey)).to.equal(true);
    expect(certificate.issuer).to.equal(certificate.subject);
    expect(certificate.ca).to.equal(false);
    expect(certificate.subject).to.equal('C=US\nO=Quire Inc\nCN=Quire Inc Server');
    expect(certificate.serialNumber).to.equal('FF');
    expect(new Date(certificate.validTo).toISOString()).to.equal('2027-01-02T03:04:05.000Z');
    expect(certificate.keyUsage).to.deep.equal(['1.3.6.1.5.5.7.3.3']);
  });

  it('carries the extensions of a signing certificate, the critical ones marked', async () => {
    const { Certificate } = await import('pkijs');
    const extensions = Certificate.fromBER(new Uint8Array(await build())).extensions ?? [];
    expect(extensions.map(({ extnID, critical }) => [extnID, critical])).to.deep.equal([
      ['2.5.29.19', true], ['2.5.29.15', true], ['2.5.29.37', false], ['2.5.29.14', false], ['2.5.29.35', false]]);
  });

  it('is shown by names of RFC 2253', async () => {
    expect(await readCertificate(await build('Größe, "A+B"'))).to.deep.equal({
      subject: 'CN=Größe\\, \\"A\\+B\\" Server,O=Größe\\, \\"A\\+B\\",C=US', issuer: 'CN=Größe\\, \\"A\\+B\\" Server,O=Größe\\, \\"A\\+B\\",C=US',
      validFrom: '2026-01-02T03:04:05.000Z', validTo: '2027-01-02T03:04:05.000Z',
    });
  });

  it('comes back from a keystore with its key, and not with a wrong password', async () => {
    const certificate = await build();
    const keystore = await sealKeystore({ privateKey: pair.privateKey, certificate, chain: [] }, 'secret', 'server');
    const contents = await openKeystore(keystore, 'secret');
    expect(Buffer.from(contents?.certificate ?? []).equals(Buffer.from(certificate))).to.equal(true);
    expect(contents?.privateKey.equals(pair.privateKey)).to.equal(true);
    expect(contents?.chain).to.deep.equal([]);
    expect(await openKeystore(keystore, 'wrong')).to.equal(undefined);
    expect(await openKeystore(Buffer.from('nothing'), 'secret')).to.equal(undefined);
  });

  it('exchanges keystores with OpenSSL, of elliptic curves too (skipped where openssl is not on PATH)', async function needsOpenssl() {
    const folder = mkdtempSync(join(tmpdir(), 'quire-keystore-'));
    try {
      try {
        execFileSync('openssl', ['version'], { stdio: 'ignore' });
      } catch {
        this.skip();
      }
      writeFileSync(join(folder, 'a.p12'), await sealKeystore({ privateKey: pair.privateKey, certificate: await build(), chain: [] }, 'secret', 'server'));
      const pem = execFileSync('openssl', ['pkcs12', '-in', join(folder, 'a.p12'), '-passin', 'pass:secret', '-nodes', '-legacy'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      expect(pem).to.include('BEGIN CERTIFICATE').and.include('PRIVATE KEY');
      const openssl = (...args: readonly string[]): Buffer => execFileSync('openssl', args, { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] });
      openssl('req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', 'k.pem', '-out', 'c.pem', '-subj', '/CN=Elliptic');
      openssl('pkcs12', '-export', '-inkey', 'k.pem', '-in', 'c.pem', '-out', 'ec.p12', '-passout', 'pass:secret');
      const elliptic = await openKeystore(readFileSync(join(folder, 'ec.p12')), 'secret');
      expect(elliptic?.privateKey.asymmetricKeyType).to.equal('ec');
      expect((await readCertificate(elliptic?.certificate ?? Buffer.alloc(0))).subject).to.equal('CN=Elliptic');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
