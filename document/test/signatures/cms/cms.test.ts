import { createHash, createPrivateKey } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Authority, type Issued, type KeyKind, openssl, timeStampReply } from '../../../../test/pki/index.js';
import {
  CmsFault,
  type CmsSigner,
  planCms,
  readCms,
  readTimeStamp,
  readTimeStampReply,
  signCms,
  signWith,
  stampedHash,
  timeStampRequest,
  verifySigner,
} from '../../../signatures/cms/index.js';

const KEYS: readonly KeyKind[] = ['rsa2048', 'rsa3072', 'rsa-pss', 'p256', 'p384', 'p521'];
const content = Buffer.from('What is signed.\r\n');

describe('CMS signatures', () => {
  let folder: string;
  let root: Authority;
  let inner: Authority;
  const issued = new Map<KeyKind, Issued>();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-cms-'));
    root = await Authority.root(join(folder, 'root'), { name: 'Root' });
    inner = await root.authority(join(folder, 'inner'), { name: 'Inner', key: 'rsa2048' });
    for (const key of [...KEYS, 'ed25519', 'rsa1024'] as const)
      issued.set(key, await inner.issue({ name: `Ann ${key}`, key }));
    await writeFile(join(folder, 'content'), content);
    await writeFile(join(folder, 'chain.pem'), await inner.chainPem());
  });

  after(() => rm(folder, { recursive: true }));

  async function signer(key: KeyKind): Promise<CmsSigner> {
    const { certificate, keyFile } = leaf(key);
    const privateKey = createPrivateKey(await readFile(keyFile));
    return {
      certificate,
      chain: [inner.own.certificate, root.own.certificate],
      sign: (data, scheme) => signWith(privateKey, data, scheme),
    };
  }

  function leaf(key: KeyKind): Issued {
    const found = issued.get(key);
    if (found === undefined) throw new Error(`no certificate of ${key}`);
    return found;
  }

  async function signed(
    key: KeyKind,
    more: { pss?: boolean; signingTime?: Date; timeStamp?: (bytes: Uint8Array) => Promise<Uint8Array> } = {},
  ): Promise<Uint8Array> {
    const by = await signer(key);
    const plan = planCms(by, more.pss === undefined ? {} : { pss: more.pss });
    if (plan === undefined) throw new Error(`${key} cannot sign`);
    const { pss: _pss, ...rest } = more;
    const made = await signCms({
      signer: by,
      scheme: plan.scheme,
      digest: createHash(plan.scheme.digest).update(content).digest(),
      ...rest,
    });
    expect(made.length, 'fits into the plan').to.be.lessThan(plan.size + (more.timeStamp === undefined ? 0 : 10_000));
    return made;
  }

  async function verdictOf(cms: Uint8Array, of: Uint8Array = content) {
    const read = await readCms(cms);
    const [only] = read.signers;
    if (only === undefined || read.signers.length !== 1) throw new Error('not one signer');
    return { read, only, verdict: await verifySigner(read, only, () => [of.subarray(0, 3), of.subarray(3)]) };
  }

  async function byOpenssl(args: readonly string[]): Promise<Uint8Array> {
    await openssl(folder, [
      'cms',
      '-sign',
      '-binary',
      '-in',
      'content',
      '-outform',
      'DER',
      '-out',
      'made.der',
      ...args,
    ]);
    return readFile(join(folder, 'made.der'));
  }

  for (const key of KEYS) {
    it(`of ${key} keys are good to OpenSSL, attribute by attribute, and to ourselves`, async () => {
      const cms = await signed(key);
      await writeFile(join(folder, 'own.der'), cms);
      const printed = await openssl(folder, [
        'cms',
        '-verify',
        '-binary',
        '-cades',
        '-inform',
        'DER',
        '-in',
        'own.der',
        '-content',
        'content',
        '-CAfile',
        root.own.certificateFile,
        '-purpose',
        'any',
        '-out',
        'out',
      ]);
      expect(printed).not.to.contain('failure');
      expect(await openssl(folder, ['cms', '-cmsout', '-print', '-noout', '-inform', 'DER', '-in', 'own.der']))
        .to.contain('id-smime-aa-signingCertificateV2')
        .and.not.to.contain('signingTime');
      const { verdict, read } = await verdictOf(cms);
      expect(verdict)
        .to.deep.include({ digestMatches: true, signatureMatches: true, weak: [] })
        .and.not.to.have.property('fault');
      expect(verdict.certificate).to.deep.equal(new Uint8Array(leaf(key).certificate));
      expect(read.certificates).to.have.length(3);
    });
  }

  it('of Ed25519 keys hold, of RSA keys also with PSS when asked for', async () => {
    expect((await verdictOf(await signed('ed25519'))).verdict).not.to.have.property('fault');
    const { only, verdict } = await verdictOf(await signed('rsa2048', { pss: true }));
    expect([only.family, only.saltLength, verdict.fault]).to.deep.equal(['rsa-pss', 32, undefined]);
  });

  it('report the claimed time if it was signed', async () => {
    for (const time of ['2026-11-22T03:04:05.000Z', '2051-01-02T03:04:05.000Z'])
      expect(
        (await verdictOf(await signed('p256', { signingTime: new Date(time) }))).only.signingTime?.toISOString(),
      ).to.equal(time);
  });

  it('that OpenSSL made are read, whatever their shape', async () => {
    for (const key of ['rsa2048', 'p384'] as const) {
      const { certificateFile, keyFile } = leaf(key);
      const by = ['-signer', certificateFile, '-inkey', keyFile];
      for (const more of [
        [],
        ['-noattr'],
        ['-keyid'],
        ['-md', 'sha512'],
        ['-cades'],
        ['-certfile', 'chain.pem'],
        ['-nodetach'],
        ['-nodetach', '-stream', '-indef'],
        ...(key === 'rsa2048'
          ? [
              ['-keyopt', 'rsa_padding_mode:pss'],
              ['-keyopt', 'rsa_padding_mode:pss', '-keyopt', 'rsa_pss_saltlen:11'],
            ]
          : []),
      ]) {
        const { verdict } = await verdictOf(await byOpenssl([...by, ...more]));
        expect(verdict.fault, `${key} ${more.join(' ')}`).to.equal(undefined);
        expect([verdict.digestMatches, verdict.signatureMatches, verdict.weak.length]).to.deep.equal([true, true, 0]);
      }
      expect((await verdictOf(await byOpenssl([...by, '-md', 'sha1']))).verdict.weak).to.deep.equal(['sha1']);
    }
  });

  it('do not hold over anything else, with another key, or when a byte of them is changed', async () => {
    const changed = Buffer.from(content);
    changed[0] = 0x58;
    for (const cms of [
      await signed('p256'),
      await signed('rsa2048'),
      await byOpenssl(['-signer', leaf('p256').certificateFile, '-inkey', leaf('p256').keyFile, '-noattr']),
    ]) {
      expect((await verdictOf(cms, changed)).verdict)
        .to.deep.include({ digestMatches: false })
        .and.to.have.property('fault');
      expect((await verdictOf(cms, Buffer.concat([content, content]))).verdict).to.have.property('fault');
    }
    const cms = await signed('rsa2048');
    const { only } = await verdictOf(cms);
    for (const part of [
      only.signature,
      only.messageDigest ?? new Uint8Array(),
      only.certificateHash?.hash ?? new Uint8Array(),
    ]) {
      const bad = Buffer.from(cms);
      const at = bad.lastIndexOf(Buffer.from(part));
      bad[at + 5] = (bad[at + 5] ?? 0) ^ 1;
      expect((await verdictOf(bad)).verdict, `byte ${at + 5}`).to.have.property('fault');
    }
  });

  it('bind the certificate: another of the same name, number and key is not taken for it', async () => {
    const by = await signer('p256');
    const plan = planCms(by);
    if (plan === undefined) throw new Error('no plan');
    const other = await inner.issue({ name: 'Ann p256', key: 'p256' });
    const cms = Buffer.from(
      await signCms({ signer: by, scheme: plan.scheme, digest: createHash('sha256').update(content).digest() }),
    );
    expect((await verdictOf(cms)).verdict).not.to.have.property('fault');
    const forged = await signCms({
      signer: { ...by, certificate: other.certificate },
      scheme: plan.scheme,
      digest: createHash('sha256').update(content).digest(),
    });
    expect((await verdictOf(forged)).verdict.fault).to.equal('the signature does not match its signed attributes');
  });

  it('are read with any padding, and refused when they are cut, empty, or no CMS', async () => {
    const cms = await signed('p256');
    for (const [padding, trailing] of [
      [Buffer.alloc(1000), false],
      [Buffer.from('padding'), true],
    ] as const) {
      const read = await readCms(Buffer.concat([cms, padding]));
      expect([read.length, read.trailing]).to.deep.equal([cms.length, trailing]);
    }
    const bad: readonly Uint8Array[] = [
      cms.subarray(0, cms.length - 1),
      cms.subarray(0, 40),
      new Uint8Array(),
      Buffer.alloc(100),
      Buffer.from('%PDF-1.7'),
      Buffer.from('3003020101', 'hex'),
      leaf('p256').certificate,
    ];
    for (const [i, bytes] of bad.entries()) {
      const fault = await readCms(bytes).then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(fault, `case ${i}`).to.be.instanceOf(CmsFault);
    }
  });

  it('survive every cut and hundreds of random changes without any other error', async () => {
    const cms = await signed('p256');
    let seed = 7;
    const random = (): number => (seed = (seed * 1103515245 + 12345) & 0x7fffffff);
    for (let i = 0; i < 300; i++) {
      const bad = Buffer.from(cms);
      bad[random() % bad.length] = random() & 0xff;
      await readCms(bad).then(
        async (read) => {
          for (const one of read.signers) await verifySigner(read, one, () => [content]);
        },
        (error: unknown) => expect(error).to.be.instanceOf(CmsFault),
      );
    }
    for (let length = 0; length < cms.length; length += 13)
      expect(
        await readCms(cms.subarray(0, length)).then(
          () => 'read',
          (error: unknown) => (error as Error).name,
        ),
      ).to.equal('CmsFault');
  });

  describe('with time stamps', () => {
    const hash = stampedHash(content);

    async function authority(wish: Partial<Parameters<Authority['issue']>[0]> = {}): Promise<Issued> {
      return inner.issue({ name: 'Time', purpose: 'time-stamp', key: 'rsa2048', ...wish });
    }

    it('ask a real authority, and its token holds and says when', async () => {
      const tsa = await authority();
      for (const digest of ['sha256', 'sha384', 'sha512'] as const) {
        const request = timeStampRequest(createHash(digest).update(content).digest(), digest);
        const token = await readTimeStampReply(await timeStampReply(inner, tsa, request.der), request);
        const stamp = await readTimeStamp(token);
        expect(stamp).not.to.have.property('fault');
        expect(Math.abs(stamp.time.getTime() - Date.now())).to.be.lessThan(60_000);
        expect([
          stamp.imprint.digest,
          Buffer.from(stamp.imprint.hash).equals(request.hash),
          stamp.policy,
        ]).to.deep.equal([digest, true, '1.2.3.4.1']);
        expect(stamp.certificate).to.deep.equal(new Uint8Array(tsa.certificate));
      }
    });

    it('send nothing but the hash and a nonce that differs each time', () => {
      const [a, b] = [timeStampRequest(hash), timeStampRequest(hash)];
      expect(a.der.length).to.be.lessThan(80);
      expect(Buffer.from(a.der).includes(Buffer.from(hash))).to.equal(true);
      expect(Buffer.from(a.nonce).equals(Buffer.from(b.nonce))).to.equal(false);
    });

    it('do not take a reply to another request, of something else, refused, forged or garbled', async () => {
      const tsa = await authority();
      const request = timeStampRequest(hash);
      const good = await timeStampReply(inner, tsa, request.der);
      const faultOf = (reply: Uint8Array, asked = request) =>
        readTimeStampReply(reply, asked).then(
          () => undefined,
          (error: unknown) => (expect(error).to.be.instanceOf(CmsFault), (error as Error).message),
        );
      expect(await faultOf(good)).to.equal(undefined);
      expect(await faultOf(good, { ...timeStampRequest(hash) })).to.contain('another request');
      expect(await faultOf(good, { ...request, hash: stampedHash(Buffer.from('x')) })).to.contain('something else');
      expect(await faultOf(Buffer.from('3003020102', 'hex'))).to.contain('not a time stamp response');
      expect(await faultOf(Buffer.from('30053003020102', 'hex'))).to.contain('refuses the time stamp (status 2)');
      expect(await faultOf(Buffer.from('<html>'))).to.contain('not a time stamp response');
      const forged = Buffer.from(good);
      const at = forged.indexOf(Buffer.from(hash));
      forged[at] = (forged[at] ?? 0) ^ 1;
      expect(await faultOf(forged)).to.contain('does not hold');
    });

    it('do not take the word of a certificate that is for more than time stamps', async () => {
      const request = timeStampRequest(hash);
      const good = await readTimeStampReply(await timeStampReply(inner, await authority(), request.der), request);
      await writeFile(join(folder, 'content.tst'), (await readCms(good)).content ?? '');
      for (const [purpose, holds] of [
        ['document', false],
        ['server', false],
        ['time-stamp', true],
      ] as const) {
        const { certificateFile, keyFile } = await inner.issue({ name: 'Time', purpose, key: 'rsa2048' });
        await openssl(folder, [
          'cms',
          '-sign',
          '-binary',
          '-nodetach',
          '-in',
          'content.tst',
          '-econtent_type',
          '1.2.840.113549.1.9.16.1.4',
          '-cades',
          '-signer',
          certificateFile,
          '-inkey',
          keyFile,
          '-outform',
          'DER',
          '-out',
          'made.tok',
        ]);
        const { fault } = await readTimeStamp(await readFile(join(folder, 'made.tok')));
        expect(fault, purpose).to.equal(
          holds ? undefined : 'the certificate of the time stamp authority is not for time stamps alone',
        );
      }
    });

    it('carry a token over the signature value for baseline B-T', async () => {
      const tsa = await authority();
      const { only, verdict } = await verdictOf(
        await signed('p384', {
          timeStamp: async (signature) => {
            const request = timeStampRequest(stampedHash(signature));
            return readTimeStampReply(await timeStampReply(inner, tsa, request.der), request);
          },
        }),
      );
      expect(verdict).not.to.have.property('fault');
      const stamp = await readTimeStamp(only.timeStampToken ?? new Uint8Array());
      expect(Buffer.from(stamp.imprint.hash).equals(stampedHash(only.signature))).to.equal(true);
    });
  });
});
