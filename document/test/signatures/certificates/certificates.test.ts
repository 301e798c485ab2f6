import { expect } from 'chai';
import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority, type Issued } from '../../../../test/pki/index.js';
import {
  certificateFacts,
  commonNameOf,
  distinguishedName,
  openKeystore,
  pairIdentity,
  readCertificates,
  sealKeystore,
} from '../../../signatures/certificates/index.js';
import { expectRefused, isThere, run } from './support.js';

describe('certificates', function certificates() {
  let folder: string;
  let root: Authority;
  let inner: Authority;
  let leaf: Issued;
  const openssl = (...args: readonly string[]): Promise<string> => run('openssl', folder, args);
  const named = (ders: readonly Uint8Array[]): string[] => ders.map((der) => certificateFacts(der).commonName ?? '');

  before(async function setUp() {
    if (!(await isThere('openssl', 'version'))) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'quire-certificates-'));
    root = await Authority.root(join(folder, 'root'), { name: 'Root', key: 'rsa2048' });
    inner = await root.authority(join(folder, 'inner'), { name: 'Inner', key: 'p384', digest: 'sha384' });
    leaf = await inner.issue({
      name: 'Ann Müller',
      key: 'rsa-pss',
      from: new Date('2026-01-02T03:04:05Z'),
      to: new Date('2051-01-02T03:04:05Z'),
    });
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
  });
  const chainFile = async (...names: readonly Issued[]): Promise<Buffer> =>
    Buffer.concat(await Promise.all(names.map(({ certificateFile }) => readFile(certificateFile))));

  describe('as files', () => {
    it('are read as PEM of one or several, in their order, and as DER', async () => {
      expect(named(readCertificates(await chainFile(leaf, inner.own, root.own)))).to.deep.equal([
        'Ann Müller',
        'Inner',
        'Root',
      ]);
      expect(readCertificates(leaf.certificate).map((der) => Buffer.from(der).equals(leaf.certificate))).to.deep.equal([
        true,
      ]);
      expect(
        named(readCertificates(Buffer.concat([await readFile(leaf.keyFile), await chainFile(leaf)]))),
      ).to.deep.equal(['Ann Müller']);
    });

    it('are read from PKCS#7 bundles and from trusted certificates of OpenSSL', async () => {
      await writeFile(join(folder, 'chain.pem'), await chainFile(leaf, inner.own, root.own));
      for (const form of ['PEM', 'DER']) {
        await openssl('crl2pkcs7', '-nocrl', '-certfile', 'chain.pem', '-outform', form, '-out', `chain.${form}`);
        expect(named(readCertificates(await readFile(join(folder, `chain.${form}`)))).toSorted()).to.deep.equal([
          'Ann Müller',
          'Inner',
          'Root',
        ]);
      }
      await openssl(
        'x509',
        '-in',
        leaf.certificateFile,
        '-trustout',
        '-setalias',
        'ann',
        '-addtrust',
        'emailProtection',
        '-out',
        'trusted.pem',
      );
      expect(
        Buffer.from(readCertificates(await readFile(join(folder, 'trusted.pem')))[0] ?? []).equals(leaf.certificate),
      ).to.equal(true);
    });

    it('are refused, naming the field, when they are something else or broken', async () => {
      const error = await expectRefused(
        () => readCertificates(Buffer.from('no certificate'), 'anchor'),
        'CERTIFICATE_UNREADABLE',
        /not an X\.509/,
      );
      expect([error.data['field'], error.errors[0]?.pointer]).to.deep.equal(['anchor', '/anchor']);
      await expectRefused(() => readCertificates(new Uint8Array()), 'CERTIFICATE_UNREADABLE', /empty/);
      await expectRefused(
        async () => readCertificates(await readFile(leaf.keyFile)),
        'CERTIFICATE_UNREADABLE',
        /holds no certificate/,
      );
      for (const end of [1, 10, 100, leaf.certificate.length - 1])
        await expectRefused(() => readCertificates(leaf.certificate.subarray(0, end)), 'CERTIFICATE_UNREADABLE');
      const many = Buffer.concat(
        Array.from({ length: 201 }, () =>
          Buffer.from(
            `-----BEGIN CERTIFICATE-----\n${leaf.certificate.toString('base64')}\n-----END CERTIFICATE-----\n`,
          ),
        ),
      );
      await expectRefused(() => readCertificates(many), 'CERTIFICATE_UNREADABLE', /201/);
    });
  });

  describe('with a private key', () => {
    const files = async (): Promise<{ key: Buffer; certificate: Buffer }> => ({
      key: await readFile(leaf.keyFile),
      certificate: await chainFile(leaf, root.own, inner.own),
    });

    it('make an identity, the others being its chain', async () => {
      const { privateKey, certificate, chain } = await pairIdentity(await files());
      expect([
        privateKey.asymmetricKeyType,
        Buffer.from(certificate).equals(leaf.certificate),
        named(chain),
      ]).to.deep.equal(['rsa-pss', true, ['Inner', 'Root']]);
    });

    it('may stand behind those of their authorities', async () => {
      const { certificate } = await pairIdentity({
        ...(await files()),
        certificate: await chainFile(root.own, inner.own, leaf),
      });
      expect(Buffer.from(certificate).equals(leaf.certificate)).to.equal(true);
    });

    it('find their issuer among others that bear its name', async () => {
      await openssl(
        'req',
        '-x509',
        '-newkey',
        'ed25519',
        '-nodes',
        '-keyout',
        'twin.key',
        '-out',
        'twin.pem',
        '-subj',
        '/O=Test/CN=Inner',
        '-days',
        '9000',
      );
      const { key } = await files();
      const { chain } = await pairIdentity({
        key,
        certificate: Buffer.concat([
          await chainFile(leaf),
          await readFile(join(folder, 'twin.pem')),
          await chainFile(inner.own, root.own),
        ]),
      });
      expect([named(chain), Buffer.from(chain[0] ?? []).equals(inner.own.certificate)]).to.deep.equal([
        ['Inner', 'Root'],
        true,
      ]);
    });

    it('must belong to it', async () => {
      const key = Buffer.from(
        generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
      );
      const error = await expectRefused(
        pairIdentity({ ...(await files()), key, certificateField: 'cert' }),
        'KEY_MISMATCH',
      );
      expect(error.errors.map(({ pointer }) => pointer)).to.deep.equal(['/cert', '/privateKeyFile']);
    });

    it('belong to it also where the key says RSA and the certificate RSA-PSS', async () => {
      // RSA-PSS keys that were written as plain RSA: their modulus is the same.
      await openssl('asn1parse', '-in', leaf.keyFile, '-noout', '-out', 'pss.der');
      const { inner: within, parseAsn1, octetsOf } = await import('../../../signatures/asn1/read-asn1.js');
      const pkcs1 = octetsOf(within(parseAsn1(await readFile(join(folder, 'pss.der'))))[2]);
      const { privateKey, certificate } = await pairIdentity({ ...(await files()), key: pkcs1 });
      expect([
        privateKey.asymmetricKeyType,
        new X509Certificate(certificate).publicKey.asymmetricKeyType,
      ]).to.deep.equal(['rsa', 'rsa-pss']);
    });

    it('come back from a keystore that we seal, here and in OpenSSL', async () => {
      const identity = await pairIdentity(await files());
      for (const password of ['secret', 'Größe €', '']) {
        const sealed = await sealKeystore(identity, password, 'Ünal');
        const back = await openKeystore(sealed, password);
        expect([
          back.privateKey.equals(identity.privateKey),
          back.alias,
          named([back.certificate, ...back.chain]),
        ]).to.deep.equal([true, 'Ünal', ['Ann Müller', 'Inner', 'Root']]);
        await writeFile(join(folder, 'sealed.p12'), sealed);
        const printed = await openssl('pkcs12', '-in', 'sealed.p12', '-passin', `pass:${password}`, '-nodes');
        expect(printed.match(/BEGIN (?:CERTIFICATE|PRIVATE KEY)/g)).to.have.length(4);
      }
    });
  });

  describe('say of themselves', () => {
    it('what OpenSSL says of them', async () => {
      const facts = certificateFacts(leaf.certificate);
      const print = async (...wanted: readonly string[]): Promise<string> =>
        (
          await openssl('x509', '-in', leaf.certificateFile, '-noout', '-nameopt', 'RFC2253,-esc_msb', ...wanted)
        ).trim();
      expect(await print('-subject')).to.equal(`subject=${facts.subject}`);
      expect(await print('-issuer')).to.equal(`issuer=${facts.issuer}`);
      expect((await print('-serial')).toLowerCase()).to.equal(`serial=${facts.serialNumber}`);
      expect((await print('-fingerprint', '-sha256')).split('=')[1]?.replaceAll(':', '').toLowerCase()).to.equal(
        facts.fingerprint,
      );
      expect(facts).to.deep.include({
        commonName: 'Ann Müller',
        issuerCommonName: 'Inner',
        version: 3,
        signatureAlgorithm: 'SHA256withECDSA',
        keyAlgorithm: 'RSASSA-PSS',
        keySize: 2048,
        curve: null,
        validFrom: new Date('2026-01-02T03:04:05Z'),
        validTo: new Date('2051-01-02T03:04:05Z'),
        keyUsages: ['Digital Signature', 'Non-Repudiation'],
        extendedKeyUsages: null,
        isAuthority: false,
        selfSigned: false,
        weaknesses: [],
      });
    });

    it('whether they are authorities, sign themselves, and what they are for', async () => {
      expect(certificateFacts(root.own.certificate)).to.deep.include({
        isAuthority: true,
        selfSigned: true,
        keyUsages: ['Certificate Signing', 'CRL Signing'],
        signatureAlgorithm: 'SHA256withRSA',
        keyAlgorithm: 'RSA',
      });
      expect(certificateFacts(inner.own.certificate)).to.deep.include({
        isAuthority: true,
        selfSigned: false,
        signatureAlgorithm: 'SHA384withRSA',
        keyAlgorithm: 'EC',
        keySize: 0,
        curve: 'secp384r1',
      });
      const clock = await inner.issue({ name: 'Clock', purpose: 'time-stamp', key: 'ed25519' });
      expect(certificateFacts(clock.certificate)).to.deep.include({
        extendedKeyUsages: ['1.3.6.1.5.5.7.3.8'],
        keyAlgorithm: 'Ed25519',
      });
    });

    it('by names of RFC 2253, with what must be escaped, and other types by their number', async () => {
      await openssl(
        'req',
        '-x509',
        '-newkey',
        'ed25519',
        '-nodes',
        '-keyout',
        'k.pem',
        '-out',
        'c.pem',
        '-utf8',
        '-subj',
        '/C=US/O=Größe, "A+B"/emailAddress=a@b.c/CN= #x;y<z>\\\\ ',
        '-days',
        '10',
      );
      const { subject, signatureAlgorithm, selfSigned } = certificateFacts(
        readCertificates(await readFile(join(folder, 'c.pem')))[0] ?? new Uint8Array(),
      );
      const printed = (await openssl('x509', '-in', 'c.pem', '-noout', '-subject', '-nameopt', 'RFC2253,-esc_msb'))
        .trim()
        .replace('subject=', '');
      expect(subject.replace(/1\.2\.840\.113549\.1\.9\.1=#[0-9a-f]+/, 'emailAddress=a@b.c')).to.equal(printed);
      expect([signatureAlgorithm, selfSigned]).to.deep.equal(['Ed25519', true]);
    });

    it('by names of several values in one part, and of every kind of string', async () => {
      await openssl(
        'req',
        '-x509',
        '-newkey',
        'ed25519',
        '-nodes',
        '-keyout',
        'k.pem',
        '-out',
        'multi.pem',
        '-utf8',
        '-multivalue-rdn',
        '-subj',
        '/O=One/CN=Ann+UID=42',
        '-days',
        '10',
      );
      expect(
        certificateFacts(readCertificates(await readFile(join(folder, 'multi.pem')))[0] ?? new Uint8Array()),
      ).to.include({ commonName: 'Ann', subject: 'CN=Ann+UID=42,O=One' });
      const { element, oid, sequence } = await import('../../../signatures/asn1/write-der.js');
      const named = (tag: number, bytes: Uint8Array): Uint8Array =>
        sequence(element(0x31, sequence(oid('2.5.4.3'), element(tag, bytes))));
      const kinds = [
        [0x0c, Buffer.from('Größe')],
        [0x13, Buffer.from('Ann')],
        [0x14, Buffer.from('Größe', 'latin1')],
        [0x16, Buffer.from('ann')],
        [0x1e, Buffer.from('Größe', 'utf16le').swap16()],
      ] as const;
      expect(kinds.map(([tag, bytes]) => distinguishedName(named(tag, bytes)))).to.deep.equal([
        'CN=Größe',
        'CN=Ann',
        'CN=Größe',
        'CN=ann',
        'CN=Größe',
      ]);
      expect([
        distinguishedName(sequence()),
        commonNameOf(sequence()),
        distinguishedName(named(0x04, Buffer.of(1))),
      ]).to.deep.equal(['', null, '2.5.4.3=#040101']);
    });

    it('nothing where an extension holds noise', async () => {
      const clock = await inner.issue({ name: 'Noise', purpose: 'time-stamp' });
      const noisy = Buffer.from(clock.certificate);
      for (const [oid, offset] of [
        ['551d0f', 6],
        ['551d25', 6],
      ] as const) {
        const at = noisy.indexOf(Buffer.from(oid, 'hex')) + 3;
        // Behind the identifier: critical (3 bytes), the octet string's head, its content.
        noisy[at + offset - 1] = 0xff;
        noisy[at + offset] = 0xff;
      }
      expect(certificateFacts(noisy)).to.deep.include({
        commonName: 'Noise',
        keyUsages: [],
        extendedKeyUsages: [],
        isAuthority: false,
        selfSigned: false,
      });
    });

    it('where they are weak, and in old versions', async () => {
      const weak = await root.issue({ name: 'Weak', key: 'rsa1024', digest: 'sha1' });
      expect(certificateFacts(weak.certificate)).to.deep.include({
        weaknesses: ['short key', 'broken digest'],
        signatureAlgorithm: 'SHA1withRSA',
        keySize: 1024,
      });
      await openssl('req', '-new', '-key', leaf.keyFile, '-subj', '/CN=Old', '-out', 'old.csr');
      await writeFile(join(folder, 'none.ext'), '');
      await openssl(
        'x509',
        '-req',
        '-in',
        'old.csr',
        '-signkey',
        leaf.keyFile,
        '-set_serial',
        '0x00ff',
        '-out',
        'old.pem',
      );
      expect(
        certificateFacts(readCertificates(await readFile(join(folder, 'old.pem')))[0] ?? new Uint8Array()),
      ).to.deep.include({
        version: 1,
        serialNumber: 'ff',
        keyUsages: [],
        extendedKeyUsages: null,
        isAuthority: false,
        signatureAlgorithm: 'RSASSA-PSS',
      });
    });
  });
});
