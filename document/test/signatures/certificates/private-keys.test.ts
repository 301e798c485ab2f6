import { expect } from 'chai';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readPrivateKey } from '../../../signatures/certificates/index.js';
import { integer, octets, oid, sequence } from '../../../signatures/asn1/write-der.js';
import { expectRefused, isThere, run } from './support.js';

describe('private key files', () => {
  const secret = 'pass word';
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const dsa = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 }).privateKey;
  const ed = generateKeyPairSync('ed25519').privateKey;
  const pem = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1'): Buffer =>
    Buffer.from(key.export({ type, format: 'pem' } as { type: 'pkcs8'; format: 'pem' }));
  const der = (key: KeyObject, type: 'pkcs1' | 'pkcs8' | 'sec1'): Buffer =>
    key.export({ type, format: 'der' } as { type: 'pkcs8'; format: 'der' });
  const expectKey = async (bytes: Uint8Array, key: KeyObject, password?: string, title?: string): Promise<void> => {
    expect((await readPrivateKey(bytes, password)).equals(key), title).to.equal(true);
  };

  it('are read plain, as PKCS#1, SEC 1 and PKCS#8, in PEM and DER, whatever password comes along', async () => {
    for (const [key, types] of [
      [rsa, ['pkcs1', 'pkcs8']],
      [ec, ['sec1', 'pkcs8']],
      [ed, ['pkcs8']],
      [dsa, ['pkcs8']],
    ] as const) {
      for (const type of types)
        for (const bytes of [pem(key, type), der(key, type)])
          for (const password of [undefined, 'ignored']) await expectKey(bytes, key, password, type);
    }
  });

  it('are found in PEM with other blocks, text, Windows line ends and a byte order mark around them', async () => {
    const text =
      `Bag Attributes\r\n    friendlyName: a\r\n-----BEGIN EC PARAMETERS-----\r\nBggqhkjOPQMBBw==\r\n-----END EC ` +
      `PARAMETERS-----\r\n${pem(ec, 'sec1').toString().replaceAll('\n', '\r\n')}`;
    await expectKey(Buffer.from(text), ec);
    await expectKey(Buffer.from(`\ufeff${pem(rsa, 'pkcs8').toString().trimEnd()}`), rsa);
  });

  it('are read encrypted, as node and OpenSSL encrypt PKCS#8', async () => {
    for (const cipher of ['aes-128-cbc', 'aes-256-cbc', 'des-ede3-cbc']) {
      for (const passphrase of [secret, 'Größe €']) {
        for (const format of ['pem', 'der'] as const) {
          const bytes = Buffer.from(ec.export({ type: 'pkcs8', format: format as 'pem', cipher, passphrase }));
          await expectKey(bytes, ec, passphrase, cipher);
          await expectRefused(readPrivateKey(bytes, 'not this one'), 'KEYSTORE_PASSWORD', /wrong/, 'not this one');
          await expectRefused(readPrivateKey(bytes, undefined), 'KEYSTORE_PASSWORD', /needs a password/);
        }
      }
    }
  });

  describe('of OpenSSL (skipped where it is not on PATH)', () => {
    let folder: string;
    before(async function setUp() {
      if (!(await isThere('openssl', 'version'))) this.skip();
      folder = await mkdtemp(join(tmpdir(), 'quire-keys-'));
      await Promise.all([
        writeFile(join(folder, 'rsa.pem'), pem(rsa, 'pkcs8')),
        writeFile(join(folder, 'dsa.pem'), pem(dsa, 'pkcs8')),
        writeFile(join(folder, 'ec.pem'), pem(ec, 'pkcs8')),
      ]);
    });
    after(async () => {
      if (folder !== undefined) await rm(folder, { recursive: true });
    });
    const made = async (...args: readonly string[]): Promise<Buffer> => {
      await run('openssl', folder, [...args, '-out', 'made']);
      return readFile(join(folder, 'made'));
    };

    it('are read in traditional encrypted PEM, with every cipher that it offers for that', async () => {
      for (const cipher of ['-des3', '-aes128', '-aes192', '-aes256']) {
        const bytes = await made('rsa', '-in', 'rsa.pem', '-traditional', cipher, '-passout', `pass:${secret}`);
        expect(bytes.toString()).to.include('Proc-Type: 4,ENCRYPTED').and.include('BEGIN RSA PRIVATE KEY');
        await expectKey(bytes, rsa, secret, cipher);
        await expectRefused(
          readPrivateKey(bytes, 'no', { field: 'keyFile', passwordField: 'keyPassword' }),
          'KEYSTORE_PASSWORD',
          /wrong/,
        );
        await expectRefused(readPrivateKey(bytes, ''), 'KEYSTORE_PASSWORD', /needs a password/);
      }
      await expectKey(await made('ec', '-in', 'ec.pem', '-aes256', '-passout', `pass:${secret}`), ec, secret);
      const single = await made(
        'rsa',
        '-in',
        'rsa.pem',
        '-traditional',
        '-provider',
        'legacy',
        '-provider',
        'default',
        '-des',
        '-passout',
        `pass:${secret}`,
      );
      expect(single.toString()).to.include('DES-CBC');
      await expectKey(single, rsa, secret);
    });

    it('are read in traditional PEM of DSA', async () => {
      const bytes = await made('dsa', '-in', 'dsa.pem', '-aes128', '-passout', `pass:${secret}`);
      await expectKey(bytes, createPrivateKey(await readFile(join(folder, 'dsa.pem'))), secret);
    });

    it('are read under the old schemes of PKCS#5 and PKCS#12, and under scrypt', async () => {
      for (const scheme of [
        'PBE-MD5-DES',
        'PBE-SHA1-DES',
        'PBE-SHA1-3DES',
        'PBE-SHA1-RC2-40',
        'PBE-MD5-RC2-64',
        'PBE-SHA1-RC4-128',
      ]) {
        const bytes = await made(
          'pkcs8',
          '-topk8',
          '-in',
          'ec.pem',
          '-v1',
          scheme,
          '-passout',
          `pass:${secret}`,
          '-provider',
          'legacy',
          '-provider',
          'default',
        );
        await expectKey(bytes, ec, secret, scheme);
        await expectRefused(readPrivateKey(bytes, 'no'), 'KEYSTORE_PASSWORD', /wrong/);
      }
      await expectKey(
        await made('pkcs8', '-topk8', '-in', 'ec.pem', '-scrypt', '-passout', `pass:${secret}`),
        ec,
        secret,
      );
      await expectKey(
        await made(
          'pkcs8',
          '-topk8',
          '-in',
          'ec.pem',
          '-v2',
          'aes-256-cbc',
          '-v2prf',
          'hmacWithSHA512',
          '-iter',
          '50000',
          '-passout',
          `pass:${secret}`,
        ),
        ec,
        secret,
      );
      await expectKey(
        await made(
          'pkcs8',
          '-topk8',
          '-in',
          'ec.pem',
          '-v2',
          'rc2',
          '-passout',
          `pass:${secret}`,
          '-provider',
          'legacy',
          '-provider',
          'default',
        ),
        ec,
        secret,
      );
    });
  });

  it('are looked for in a time that grows with the text, whatever stands there', async () => {
    const texts = [
      '-----BEGIN A-----\n'.repeat(400_000),
      '-----BEGIN A-----\n'.repeat(300_000) + '-----END B-----\n'.repeat(100_000),
      `-----BEGIN A-----${' '.repeat(7_000_000)}`,
      `-----BEGIN A-----\nx:${'\n '.repeat(3_000_000)}-----END A-----`,
    ];
    for (const text of texts) await expectRefused(readPrivateKey(Buffer.from(text), undefined), 'KEY_UNREADABLE');
  }).timeout(50_000);

  it('are refused by what they are when they are something else', async () => {
    const block = (label: string, bytes = 'AAAA'): Buffer =>
      Buffer.from(`-----BEGIN ${label}-----\n${bytes}\n-----END ${label}-----\n`);
    await expectRefused(readPrivateKey(new Uint8Array(), undefined), 'KEY_UNREADABLE', /empty/);
    await expectRefused(readPrivateKey(Buffer.from('hello'), undefined), 'KEY_UNREADABLE', /PEM or DER/);
    await expectRefused(
      readPrivateKey(block('CERTIFICATE'), undefined),
      'KEY_UNREADABLE',
      /no private key, only CERTIFICATE/,
    );
    await expectRefused(readPrivateKey(block('OPENSSH PRIVATE KEY'), undefined), 'KEY_UNREADABLE', /OpenSSH/);
    await expectRefused(
      readPrivateKey(
        block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: IDEA-CBC,0011223344556677\n\nAAAA'),
        'x',
      ),
      'KEY_UNREADABLE',
      /IDEA-CBC/,
    );
    await expectRefused(
      readPrivateKey(block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\n\nAAAA'), 'x'),
      'KEY_UNREADABLE',
      /unknown cipher/,
    );
    await expectRefused(
      readPrivateKey(sequence(integer(1)), undefined),
      'KEY_UNREADABLE',
      /not a private key of a known format/,
    );
    await expectRefused(
      readPrivateKey(rsa.export({ type: 'pkcs8', format: 'der' }).subarray(0, 300), undefined),
      'KEY_UNREADABLE',
    );
    await expectRefused(
      readPrivateKey(sequence(integer(0), sequence(oid('1.2.3.4')), octets(Buffer.of(1))), undefined),
      'KEY_UNUSABLE',
      /unknown kind/,
    );
    await expectRefused(
      readPrivateKey(pem(generateKeyPairSync('x448').privateKey, 'pkcs8'), undefined),
      'KEY_UNUSABLE',
      /x448, which cannot sign/,
    );
  });
});
