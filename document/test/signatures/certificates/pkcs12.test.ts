import { expect } from 'chai';
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Authority, type Issued, type KeyKind } from '../../../../test/pki/index.js';
import { isNightly } from '../../../../test/suites/nightly.js';
import { openKeystore } from '../../../signatures/certificates/index.js';
import { element, integer, octets, oid, sequence, tagged } from '../../../signatures/asn1/write-der.js';
import { expectRefused, isThere, run } from './support.js';

describe('PKCS#12 keystores', function pkcs12() {
  let folder: string;
  let root: Authority;
  let inner: Authority;
  let leaf: Issued;
  let key: KeyObject;
  const secret = 'corréct-horse';

  before(async function setUp() {
    if (!(await isThere('openssl', 'version'))) this.skip();
    folder = await mkdtemp(join(tmpdir(), 'quire-pkcs12-'));
    root = await Authority.root(join(folder, 'root'), { name: 'Keystore Root' });
    inner = await root.authority(join(folder, 'inner'), { name: 'Keystore Inner' });
    leaf = await inner.issue({ name: 'Ann' });
    key = createPrivateKey(await readFile(leaf.keyFile));
  });
  after(async () => {
    if (folder !== undefined) await rm(folder, { recursive: true });
  });

  async function seal(args: readonly string[], password = secret): Promise<Buffer> {
    await run('openssl', folder, [
      'pkcs12',
      '-export',
      '-out',
      'made.p12',
      '-passout',
      `pass:${password}`,
      '-name',
      'ann',
      ...args,
    ]);
    return readFile(join(folder, 'made.p12'));
  }
  const own = (): string[] => ['-inkey', leaf.keyFile, '-in', leaf.certificateFile];

  const schemes: Readonly<Record<string, readonly string[]>> = {
    'AES-256 and SHA-256, as OpenSSL 3 does': [],
    'RC2 of 40 bits and triple DES, as Windows and OpenSSL 1 did': ['-legacy'],
    'triple DES alone': ['-keypbe', 'PBE-SHA1-3DES', '-certpbe', 'PBE-SHA1-3DES', '-macalg', 'sha1'],
    'two keys of DES': ['-keypbe', 'PBE-SHA1-2DES', '-certpbe', 'PBE-SHA1-2DES'],
    'RC2 of 128 bits': ['-legacy', '-keypbe', 'PBE-SHA1-RC2-128', '-certpbe', 'PBE-SHA1-RC2-128'],
    'RC4 of 128 and 40 bits': ['-legacy', '-keypbe', 'PBE-SHA1-RC4-128', '-certpbe', 'PBE-SHA1-RC4-40'],
    'AES-128 and SHA-512': ['-keypbe', 'AES-128-CBC', '-certpbe', 'AES-192-CBC', '-macalg', 'sha512'],
    'triple DES by PBES2 and SHA-384': ['-keypbe', 'DES-EDE3-CBC', '-certpbe', 'DES-EDE3-CBC', '-macalg', 'sha384'],
    'no check of the password': ['-nomac'],
    'many rounds': ['-iter', '100000'],
  };
  for (const [title, args] of Object.entries(schemes)) {
    it(`open with their password and not with another: ${title}`, async () => {
      const keystore = await seal([...own(), ...args]);
      const found = await openKeystore(keystore, secret);
      expect(found.privateKey.equals(key)).to.equal(true);
      expect(Buffer.from(found.certificate).equals(leaf.certificate)).to.equal(true);
      expect([found.alias, found.chain]).to.deep.equal(['ann', []]);
      const error = await expectRefused(
        openKeystore(keystore, 'another-passphrase', { field: 'file' }),
        'KEYSTORE_PASSWORD',
        /wrong|does not open/,
        'another-passphrase',
      );
      expect([error.data['field'], error.errors[0]?.pointer]).to.deep.equal(['file', '/password']);
      await expectRefused(openKeystore(keystore, undefined), 'KEYSTORE_PASSWORD', /needs a password|does not open/);
    });
  }

  it('open without a password when they have none, whether it is said to be empty or not said', async () => {
    const keystores = [
      await seal(own(), ''),
      await seal([...own(), '-legacy'], ''),
      await seal([...own(), '-keypbe', 'NONE', '-certpbe', 'NONE', '-nomac'], ''),
    ];
    for (const keystore of keystores)
      for (const password of ['', undefined])
        expect((await openKeystore(keystore, password)).privateKey.equals(key)).to.equal(true);
  });

  it('open with passwords of every script, sealed in old ways and new ones', async () => {
    for (const password of ['Größe €', 'пароль', '密码', 'key 🔑 key', ' blanks ', 'quote"\'\\']) {
      for (const args of [[], ['-legacy']]) {
        const keystore = await seal([...own(), ...args], password);
        expect((await openKeystore(keystore, password)).privateKey.equals(key), password).to.equal(true);
        await expectRefused(openKeystore(keystore, `${password}!`), 'KEYSTORE_PASSWORD', /./, password);
      }
    }
  });

  it('open when old programs took the bytes of UTF-8 for characters', async () => {
    const keystore = await seal([...own(), '-legacy'], Buffer.from('Größe', 'utf8').toString('latin1'));
    expect((await openKeystore(keystore, 'Größe')).privateKey.equals(key)).to.equal(true);
  });

  it('hold keys of every kind that signs', async () => {
    const kinds: Readonly<Partial<Record<KeyKind, string>>> = {
      rsa2048: 'rsa',
      'rsa-pss': 'rsa-pss',
      p256: 'ec',
      p384: 'ec',
      p521: 'ec',
      ed25519: 'ed25519',
    };
    for (const [kind, type] of Object.entries(kinds) as [KeyKind, string][]) {
      const issued = await inner.issue({ name: `Ann ${kind}`, key: kind });
      const found = await openKeystore(await inner.pkcs12(issued, secret), secret);
      expect(
        [
          found.privateKey.asymmetricKeyType,
          new X509Certificate(found.certificate).checkPrivateKey(found.privateKey),
          found.chain.length,
        ],
        kind,
      ).to.deep.equal([type, true, 2]);
    }
  });

  it('return the chain from the leaf upward, in any stored order, without other certificates', async () => {
    const other = await Authority.root(join(folder, 'other'), { name: 'Another Root' });
    const [top, middle, stranger] = await Promise.all(
      [root.own, inner.own, other.own].map(({ certificateFile }) => readFile(certificateFile, 'utf8')),
    );
    for (const order of [
      [top, stranger, middle],
      [middle, top, stranger],
      [stranger, top, middle],
    ]) {
      await writeFile(join(folder, 'heap.pem'), order.join(''));
      const { chain } = await openKeystore(await seal([...own(), '-certfile', 'heap.pem']), secret);
      expect(chain.map((der) => new X509Certificate(der).subject)).to.deep.equal([
        'O=Test\nCN=Keystore Inner',
        'O=Test\nCN=Keystore Root',
      ]);
    }
  });

  it(
    'are refused when they hold a key without certificate, certificates without key, or a certificate of another ' +
      'key',
    async () => {
      await expectRefused(
        openKeystore(await seal(['-inkey', leaf.keyFile, '-nocerts', '-in', leaf.keyFile]), secret),
        'KEYSTORE_NO_KEY',
        /no certificate/,
      );
      await expectRefused(
        openKeystore(await seal(['-nokeys', '-in', leaf.certificateFile]), secret),
        'KEYSTORE_NO_KEY',
        /certificates alone/,
      );
      await expectRefused(openKeystore(await strangers(), ''), 'KEYSTORE_NO_KEY', /belongs to its private key/);
    },
  );

  /** A keystore of bags that are not sealed: a key, and the certificate of another. */
  async function strangers(privateKeyInfo?: Uint8Array): Promise<Uint8Array> {
    const bag = (type: string, value: Uint8Array): Uint8Array =>
      sequence(oid(`1.2.840.113549.1.12.10.1.${type}`), tagged(0, value));
    const other = await inner.issue({ name: 'Other' });
    return unsealed(
      sequence(
        bag('1', privateKeyInfo ?? key.export({ format: 'der', type: 'pkcs8' })),
        bag('3', sequence(oid('1.2.840.113549.1.9.22.1'), tagged(0, octets(other.certificate)))),
      ),
    );
  }
  function unsealed(bags: Uint8Array): Uint8Array {
    const data = (bytes: Uint8Array): Uint8Array => sequence(oid('1.2.840.113549.1.7.1'), tagged(0, octets(bytes)));
    return sequence(integer(3), data(sequence(data(bags))));
  }

  it('are refused when their key cannot sign or is of no kind that OpenSSL knows', async () => {
    await run('openssl', folder, ['genpkey', '-algorithm', 'X25519', '-outform', 'DER', '-out', 'x.der']);
    await expectRefused(
      openKeystore(await strangers(await readFile(join(folder, 'x.der'))), ''),
      'KEY_UNUSABLE',
      /x25519, which cannot sign/,
    );
    await expectRefused(
      openKeystore(await strangers(sequence(integer(0), sequence(oid('1.2.3.4')), octets(Buffer.of(1)))), ''),
      'KEY_UNUSABLE',
      /unknown kind/,
    );
  });

  it('open when they are written in pieces of unknown length, as browsers write them (BER)', async () => {
    const keystore = await seal(own());
    const found = await openKeystore(inPieces(keystore), secret);
    expect(found.privateKey.equals(key)).to.equal(true);
  });

  it('open with PBMAC1 password integrity (a handmade file, which OpenSSL 4 opens)', async () => {
    const keystore = await readFile(new URL('fixtures/pbmac1.p12', import.meta.url));
    expect((await openKeystore(keystore, 'secret')).privateKey.asymmetricKeyType).to.equal('rsa');
    await expectRefused(openKeystore(keystore, 'secrets'), 'KEYSTORE_PASSWORD', /wrong/);
  });

  it('are refused wherever they are cut off, and with noise in any place', async function cut() {
    this.timeout(60_000);
    const keystore = await seal([...own(), '-iter', '1']);
    const refusals = new Set(['KEYSTORE_UNREADABLE', 'KEYSTORE_PASSWORD', 'KEYSTORE_NO_KEY', 'KEY_UNUSABLE']);
    const codeOf = (bytes: Uint8Array): Promise<string> =>
      openKeystore(bytes, secret).then(
        () => 'opened',
        (error: { code?: string }) => String(error.code ?? error),
      );
    const step = isNightly ? 1 : 15;
    for (let end = 0; end < keystore.length; end += 13 * step)
      expect(await codeOf(keystore.subarray(0, end)), `cut at ${end}`).to.equal('KEYSTORE_UNREADABLE');
    for (let at = 0; at < keystore.length; at += 7 * step) {
      const noisy = Buffer.from(keystore);
      noisy[at] = (noisy[at] ?? 0) ^ 0xff;
      expect(refusals.has(await codeOf(noisy)), `noise at ${at}`).to.equal(true);
    }
  });

  it('are distinguished from other files, whose type is named', async () => {
    await expectRefused(openKeystore(new Uint8Array(), secret), 'KEYSTORE_UNREADABLE', /empty/);
    await expectRefused(openKeystore(await readFile(leaf.keyFile), secret), 'KEYSTORE_UNREADABLE', /PEM/);
    await expectRefused(openKeystore(Buffer.from('%PDF-1.7'), secret), 'KEYSTORE_UNREADABLE', /neither/);
    await expectRefused(openKeystore(leaf.certificate, secret), 'KEYSTORE_UNREADABLE');
    await expectRefused(openKeystore(Buffer.alloc(9_000_000, 0x30), secret), 'KEYSTORE_UNREADABLE');
    await expectRefused(openKeystore(Buffer.alloc(4000, Buffer.of(0x30, 0x80)), secret), 'KEYSTORE_UNREADABLE');
  });

  it('may not ask for work without end', async () => {
    const mac = (rounds: number): Uint8Array =>
      sequence(
        sequence(sequence(oid('1.3.14.3.2.26')), octets(Buffer.alloc(20))),
        octets(Buffer.alloc(8)),
        integer(rounds),
      );
    const contents = sequence(oid('1.2.840.113549.1.7.1'), tagged(0, octets(sequence())));
    await expectRefused(
      openKeystore(sequence(integer(3), contents, mac(0x7fffffff)), secret),
      'KEYSTORE_UNREADABLE',
      /rounds/,
    );
    const scrypt = sequence(
      oid('1.2.840.113549.1.5.13'),
      sequence(
        sequence(
          oid('1.3.6.1.4.1.11591.4.11'),
          sequence(octets(Buffer.alloc(8)), integer(1 << 30), integer(8), integer(1)),
        ),
        sequence(oid('2.16.840.1.101.3.4.1.42'), octets(Buffer.alloc(16))),
      ),
    );
    const sealed = sequence(
      oid('1.2.840.113549.1.7.6'),
      tagged(0, sequence(integer(0), sequence(oid('1.2.840.113549.1.7.1'), scrypt, element(0x80, Buffer.alloc(32))))),
    );
    await expectRefused(
      openKeystore(
        sequence(integer(3), sequence(oid('1.2.840.113549.1.7.1'), tagged(0, octets(sequence(sealed))))),
        secret,
      ),
      'KEYSTORE_UNREADABLE',
      /memory/,
    );
  });

  it('end with the signal that ends the call', async () => {
    const keystore = await seal([...own(), '-iter', '1000000']);
    const how = (options?: { readonly signal: AbortSignal }): Promise<string> =>
      openKeystore(keystore, secret, options).then(
        () => 'opened',
        (error: unknown) => (error as Error).name,
      );
    const whole = how();
    expect(
      await Promise.race([whole, how({ signal: AbortSignal.timeout(50) })]),
      'before one that began earlier is opened',
    ).to.equal('TimeoutError');
    expect(await whole).to.equal('opened');
  });

  it(
    'are opened under the name that is asked for, and by their first key otherwise (skipped where keytool is not ' +
      'on PATH)',
    async function named() {
      if (!(await isThere('keytool', '-help'))) this.skip();
      const store = ['-keystore', 'several.p12', '-storepass', 'secret1', '-storetype', 'PKCS12'];
      for (const [alias, algorithm] of [
        ['Second Key', 'EC'],
        ['first', 'Ed25519'],
      ] as const) {
        await run('keytool', folder, [
          '-genkeypair',
          '-alias',
          alias,
          '-keyalg',
          algorithm,
          '-dname',
          `CN=${alias}`,
          ...store,
        ]);
      }
      await run('keytool', folder, [
        '-importcert',
        '-noprompt',
        '-alias',
        'trusted',
        '-file',
        root.own.certificateFile,
        ...store,
      ]);
      const keystore = await readFile(join(folder, 'several.p12'));
      const nameOf = async (alias?: string): Promise<string> =>
        new X509Certificate((await openKeystore(keystore, 'secret1', { alias })).certificate).subject;
      const any = await nameOf();
      expect([await nameOf('first'), await nameOf('FIRST'), await nameOf('SECOND key')]).to.deep.equal([
        'CN=first',
        'CN=first',
        'CN=Second Key',
      ]);
      for (const alias of ['nobody', '', ' ', 'trusted']) expect(await nameOf(alias)).to.equal(any);
    },
  );
});

/**
 * The outer elements of a keystore with indefinite lengths, its content in pieces of 100 bytes (X.690, 8.1.3.6 and
 * 8.7).
 */
function inPieces(der: Buffer): Buffer {
  const read = (at: number): { readonly start: number; readonly end: number } => {
    const first = der[at + 1] ?? 0;
    const size = first < 0x80 ? 0 : first & 0x7f;
    const length = size === 0 ? first : der.readUIntBE(at + 2, size);
    return { start: at + 2 + size, end: at + 2 + size + length };
  };
  const open = (tag: number, ...parts: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.of(tag, 0x80), ...parts, Buffer.of(0, 0)]);
  const pfx = read(0);
  const version = read(pfx.start);
  const info = read(version.end);
  const type = read(info.start);
  const wrapped = read(type.end);
  const content = read(wrapped.start);
  const pieces: Buffer[] = [];
  for (let at = content.start; at < content.end; at += 100)
    pieces.push(Buffer.from(octets(der.subarray(at, Math.min(at + 100, content.end)))));
  return open(
    0x30,
    der.subarray(pfx.start, version.end),
    open(0x30, der.subarray(info.start, type.end), open(0xa0, open(0x24, ...pieces))),
    der.subarray(info.end, pfx.end),
  );
}
