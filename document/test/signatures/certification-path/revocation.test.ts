import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { PkiServer } from '../../../../test/pki/index.js';
import { Authority, type Issued, openssl } from '../../../../test/pki/index.js';
import {
  fetchFrom,
  type PathFetch,
  type PathRequest,
  type PathResult,
  type RevocationMode,
  validatePath,
} from '../../../signatures/certification-path/index.js';
import { ocspRequest } from '../../../signatures/certification-path/ocsp.js';
import { readPathCertificate } from '../../../signatures/certification-path/path-certificate.js';
import { fetchOverHttp, listWith, revocationPki } from './revocation-pki.js';

const DAY = 86_400_000;
const HOUR = 3_600_000;

describe('revocation along a path', () => {
  let folder: string;
  let root: Authority;
  let inner: Authority;
  let server: PkiServer;
  let ann: Issued;
  let bad: Issued;

  before(async () => ({ folder, server, root, inner, ann, bad } = await revocationPki()));
  beforeEach(() => void (server.requests.length = 0));
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const fetch = fetchOverHttp;
  const check = (
    leaf: Issued,
    mode: RevocationMode,
    more: Partial<PathRequest> = {},
    hardFail = false,
  ): Promise<PathResult> =>
    validatePath({
      leaf: leaf.certificate,
      intermediates: [inner.own.certificate],
      anchors: [root.own.certificate],
      at: new Date(),
      atIsProven: false,
      now: new Date(),
      purpose: 'signature',
      revocation: { mode, hardFail },
      ...more,
    });
  const paths = (): string[] => server.requests.map(({ path }) => path);
  const statusOf = async (leaf: Issued, mode: RevocationMode, more: Partial<PathRequest> = {}): Promise<string> =>
    (await check(leaf, mode, more, true)).revocationStatus;
  const requestFor = (leaf: Issued, issuer: Authority): Uint8Array =>
    ocspRequest(readPathCertificate(leaf.certificate)!, readPathCertificate(issuer.own.certificate)!);

  it('is asked of the responders or the lists that the mode says, from the anchor down', async () => {
    expect(await check(ann, 'none', { fetch })).to.deep.include({ valid: true, revocationStatus: 'not-checked' });
    expect(paths()).to.deep.equal([]);
    expect(await check(ann, 'ocsp', { fetch }, true)).to.deep.include({
      valid: true,
      revocationStatus: 'good',
      softFailures: [],
    });
    expect(paths()).to.deep.equal(['/root-ocsp', '/ocsp']);
    server.requests.length = 0;
    const crl = await check(ann, 'crl', { fetch }, true);
    expect(crl).to.deep.include({ valid: true, revocationStatus: 'good' });
    expect(crl.used.crl).to.have.length(2);
    expect(paths()).to.deep.equal(['/root.crl', '/inner.crl']);
    server.requests.length = 0;
    const both = await check(ann, 'ocsp+crl', { fetch }, true);
    expect([both.used.ocsp.length, both.used.crl.length]).to.deep.equal([2, 0]);
    expect(paths()).to.deep.equal(['/root-ocsp', '/ocsp']);
  });

  it('fails the path, with time and reason, when there was one', async () => {
    for (const mode of ['ocsp', 'crl', 'ocsp+crl'] as const) {
      const found = await check(bad, mode, { fetch });
      expect(found, mode).to.deep.include({ valid: false, failure: 'revoked', revocationStatus: 'revoked' });
      expect(found.error, mode).to.match(/^The certificate "Bad" was revoked at .+ \(key compromise\)\.$/);
      expect(found.revoked?.at.getTime(), mode).to.be.within(Date.now() - HOUR, Date.now());
    }
  });

  it('counts against a claimed time whenever it came, and against a proven one only before it', async () => {
    const earlier = new Date(Date.now() - 2 * HOUR);
    expect(await check(bad, 'ocsp', { fetch, at: earlier })).to.deep.include({
      valid: false,
      revocationStatus: 'revoked',
    });
    expect(await check(bad, 'ocsp', { fetch, at: earlier, atIsProven: true }, true)).to.deep.include({
      valid: true,
      revocationStatus: 'good',
    });
    expect(await check(bad, 'crl', { fetch, at: earlier, atIsProven: true }, true)).to.deep.include({
      valid: true,
      revocationStatus: 'good',
    });
    expect(await check(bad, 'ocsp', { fetch, at: new Date(), atIsProven: true })).to.deep.include({
      valid: false,
      revocationStatus: 'revoked',
    });
  });

  it('is not asked of the network where that must not be used, which is soft or hard', async () => {
    const soft = await check(ann, 'ocsp+crl');
    expect(soft).to.deep.include({ valid: true, revocationStatus: 'good', error: null });
    expect(soft.softFailures).to.have.length(2);
    const hard = await check(ann, 'ocsp+crl', {}, true);
    expect(hard).to.deep.include({ valid: false, failure: 'revocation-unknown', revocationStatus: 'soft-fail' });
    expect(hard.error).to.equal(
      'The revocation status of the certificate "Inner" is unknown: no revocation data came with ' +
        'the document, and none is fetched.',
    );
    expect(await check(ann, 'ocsp', { anchors: [] })).to.deep.include({ revocationStatus: 'unknown' });
    expect(paths()).to.deep.equal([]);
  });

  it('is taken from what came with the document before the network is asked', async () => {
    const evidence = {
      ocsp: [
        Buffer.from('junk'),
        await root.ocspAnswer(requestFor(inner.own, root)),
        await inner.ocspAnswer(requestFor(ann, inner)),
      ],
      crl: [Buffer.from('junk'), await root.crl(), await inner.crl()],
    };
    for (const mode of ['ocsp', 'crl', 'ocsp+crl'] as const) {
      const found = await check(ann, mode, { evidence, fetch }, true);
      expect(found, mode).to.deep.include({ valid: true, revocationStatus: 'good' });
    }
    expect(paths()).to.deep.equal([]);
    // A mode leaves the other kind alone.
    expect(await statusOf(ann, 'crl', { evidence: { ...evidence, crl: [] } })).to.equal('soft-fail');
    expect(await statusOf(bad, 'ocsp+crl', { evidence })).to.equal('revoked');
  });

  it('of a claimed time in the past is asked again, and of then where nobody answers', async () => {
    const evidence = { ocsp: [], crl: [await root.crl(2), await inner.crl(2)] };
    const later = { now: new Date(Date.now() + 10 * DAY), at: new Date(), evidence };
    expect(await statusOf(ann, 'crl', later)).to.equal('good');
    expect(await statusOf(ann, 'crl', { ...later, at: new Date(Date.now() + 5 * DAY) })).to.equal('soft-fail');
    expect(await statusOf(ann, 'crl', { ...later, at: new Date(Date.now() + 5 * DAY), atIsProven: true })).to.equal(
      'soft-fail',
    );
    await check(ann, 'crl', { ...later, fetch });
    expect(paths()).to.deep.equal(['/root.crl', '/inner.crl']);
  });

  it('is believed of responders whom the issuer authorised, and of nobody else', async () => {
    const fails = async (route: () => Promise<Buffer>): Promise<string> => {
      const url = server.route('/odd', async () => ({ type: 'application/ocsp-response', bytes: await route() }));
      const odd: PathFetch = (kind, address, request) =>
        fetch(kind, address.endsWith('/ocsp') && !address.endsWith('/root-ocsp') ? url : address, request);
      const found = await check(ann, 'ocsp', { fetch: odd }, true);
      return found.valid ? 'good' : (found.error ?? '').replace(/^.* is unknown: /, '');
    };
    const request = requestFor(ann, inner);
    const delegate = await inner.issue({ name: 'Responder', purpose: 'ocsp' });
    const plain = await inner.issue({ name: 'No responder' });
    const foreign = await root.issue({ name: 'Foreign', purpose: 'ocsp' });
    const expired = await inner.issue({
      name: 'Expired',
      purpose: 'ocsp',
      from: new Date(Date.now() - 20 * DAY),
      to: new Date(Date.now() - 10 * DAY),
    });
    expect(await fails(() => inner.ocspAnswer(request, delegate))).to.equal('good');
    for (const other of [plain, foreign, expired])
      expect(await fails(() => inner.ocspAnswer(request, other)), other.name).to.equal(
        'the OCSP answer is from somebody whom the issuer has not authorised.',
      );
    expect(await fails(() => inner.ocspAnswer(requestFor(bad, inner)))).to.equal(
      'the OCSP answer is about another certificate.',
    );
    expect(await fails(async () => Buffer.from('garbage'))).to.equal('the OCSP answer is malformed.');
    expect(await fails(async () => Buffer.from('30030a0103', 'hex'))).to.equal('the OCSP responder says to try later.');
    expect(
      await fails(async () => {
        const answer = await inner.ocspAnswer(request);
        // Somebody on the way makes the answer a second younger or older.
        const at = answer.indexOf(Buffer.from([0x18, 0x0f])) + 15;
        answer[at] = (answer[at] ?? 0) ^ 1;
        return answer;
      }),
    ).to.equal('the signature of the OCSP answer does not hold.');
    const stranger = await root.authority(join(folder, 'stranger'), { name: 'Stranger' });
    expect(await fails(() => stranger.ocspAnswer(request))).to.not.equal('good');
  });

  it('is unknown if the responder does not know, closes the connection, or returns old data', async () => {
    await writeFile(join(folder, 'empty.txt'), '');
    const stem = join(folder, 'empty');
    await writeFile(`${stem}.req`, requestFor(ann, inner));
    await openssl(folder, [
      'ocsp',
      '-index',
      'empty.txt',
      '-CA',
      inner.own.certificateFile,
      '-rsigner',
      inner.own.certificateFile,
      '-rkey',
      inner.own.keyFile,
      '-reqin',
      `${stem}.req`,
      '-respout',
      `${stem}.resp`,
      '-ndays',
      '1',
    ]);
    const evidence = {
      ocsp: [await root.ocspAnswer(requestFor(inner.own, root)), await readFile(`${stem}.resp`)],
      crl: [],
    };
    expect((await check(ann, 'ocsp', { evidence }, true)).error).to.contain(
      'the OCSP responder does not know the certificate',
    );
    const old = {
      ocsp: [await root.ocspAnswer(requestFor(inner.own, root)), await inner.ocspAnswer(requestFor(ann, inner))],
      crl: [],
    };
    const late = new Date(Date.now() + 3 * DAY);
    const stale = await check(ann, 'ocsp', { evidence: old, at: late, now: late }, true);
    expect(stale.error).to.contain('the revocation data is too old');
    const early = new Date(Date.now() - 12 * HOUR);
    expect((await check(ann, 'ocsp', { evidence: old, at: early, now: early }, true)).error).to.contain(
      'from the future',
    );
    server.route('/gone', () => (_request, response) => void response.destroy());
    const gone = await inner.issue({ name: 'Gone', ocsp: `${server.url}/gone` });
    expect((await check(gone, 'ocsp', { fetch }, true)).error).to.contain('the OCSP responder could not be reached');
    const silent = await inner.issue({ name: 'Silent' });
    expect((await check(silent, 'ocsp', { fetch }, true)).error).to.contain('does not say whom to ask');
    expect((await check(silent, 'crl', { fetch }, true)).error).to.contain('does not say where its revocation list is');
  });

  it('is asked with a nonce that the answer must repeat, where one is given', async () => {
    const nonce = Buffer.from('0123456789abcdef');
    expect(await check(ann, 'ocsp', { fetch, nonce }, true)).to.deep.include({ valid: true });
    expect(server.requests.every(({ body }) => body.includes(nonce))).to.equal(true);
    const other: PathFetch = (kind, url, request) =>
      fetch(
        kind,
        url,
        request === undefined
          ? undefined
          : Buffer.from(
              Buffer.from(request).toString('latin1').replace('0123456789abcdef', '0123456789abcdeX'),
              'latin1',
            ),
      );
    expect((await check(ann, 'ocsp', { fetch: other, nonce }, true)).error).to.contain('another request (nonce)');
  });

  it("is read from lists that are the authority's own, in force, and meant for the certificate", async () => {
    const evidence = async (list: Buffer): Promise<Partial<PathRequest>> => ({
      evidence: { ocsp: [], crl: [await root.crl(), list] },
    });
    const error = async (list: Buffer, more: Partial<PathRequest> = {}): Promise<string> =>
      (await check(ann, 'crl', { ...(await evidence(list)), ...more }, true)).error ?? 'good';
    expect(await error(await inner.crl())).to.equal('good');
    expect(await error(Buffer.from('garbage'))).to.contain('none is fetched');
    const forger = await Authority.root(join(folder, 'forger'), { name: 'Inner' });
    expect(await error(await forger.crl())).to.contain('the signature of the list does not hold');
    const late = new Date(Date.now() + 3 * DAY);
    expect(
      (
        await check(
          ann,
          'crl',
          { evidence: { ocsp: [], crl: [await root.crl(30), await inner.crl(1)] }, at: late, now: late },
          true,
        )
      ).error,
    ).to.contain('too old');
    for (const [scope, expected] of [
      ['onlyuser=TRUE', 'good'],
      ['onlyCA=TRUE', 'another kind'],
      ['onlyAA=TRUE', 'another kind'],
      ['indirectCRL=TRUE', 'indirect'],
      ['onlysomereasons=keyCompromise', 'only some revocation reasons'],
      ['fullname=URI:http://other.example.com/x', 'other certificates'],
      [`fullname=URI:${server.url}/inner.crl`, 'good'],
    ] as const) {
      expect(
        await error(await listWith(inner, `issuingDistributionPoint=critical,@idp\n[idp]\n${scope}`)),
        scope,
      ).to.contain(expected);
    }
    expect(await error(await listWith(inner, '1.2.3.4=critical,ASN1:NULL'))).to.contain('critical extension 1.2.3.4');
    const partial = await check(
      bad,
      'crl',
      await evidence(
        await listWith(inner, 'issuingDistributionPoint=critical,@idp\n[idp]\nonlysomereasons=keyCompromise'),
      ),
    );
    expect(partial.revocationStatus).to.equal('revoked');
  });

  it('is read from deltas on top of a list', async () => {
    const own = await root.authority(join(folder, 'delta'), { name: 'Delta' });
    const leaf = await own.issue({ name: 'Late' });
    const base = await own.crl();
    await own.revoke(leaf);
    const delta = await listWith(own, '2.5.29.27=critical,DER:020101');
    const found = (crl: readonly Buffer[]): Promise<PathResult> =>
      check(leaf, 'crl', { intermediates: [own.own.certificate], evidence: { ocsp: [], crl } });
    const above = await root.crl();
    expect(await found([above, base])).to.deep.include({ valid: true, revocationStatus: 'good' });
    expect(await found([above, delta])).to.deep.include({ valid: true, revocationStatus: 'good' });
    expect((await found([above, delta])).softFailures.join()).to.contain(
      'only changes of a list came with the document',
    );
    expect(await found([above, base, delta])).to.deep.include({ valid: false, revocationStatus: 'revoked' });
  });

  it('of an authority in between fails the path, too', async () => {
    const middle = await root.authority(join(folder, 'middle'), { name: 'Middle', ocsp: `${server.url}/root-ocsp` });
    const leaf = await middle.issue({ name: 'Below' });
    await root.revoke(middle.own, 'CACompromise');
    const found = await check(leaf, 'ocsp', { intermediates: [middle.own.certificate], fetch });
    expect(found).to.deep.include({ valid: false, failure: 'revoked' });
    expect(found.error).to.match(/"Middle".*\(authority compromise\)/);
  });

  it('told after a certificate expired says nothing good about it', async () => {
    const short = await inner.issue({
      name: 'Short',
      crl: `${server.url}/inner.crl`,
      from: new Date(Date.now() - 2 * DAY),
      to: new Date(Date.now() - HOUR),
    });
    const found = await check(short, 'crl', { fetch, at: new Date(Date.now() - DAY + HOUR), atIsProven: true }, true);
    expect(found.error).to.contain('had expired already');
  });

  it('is looked for once per address however many signatures there are, and not beyond the bound', async () => {
    let calls = 0;
    const trust = { anchors: async () => [], fetch: async () => (calls++, null) };
    const fetches = fetchFrom(trust);
    for (let i = 0; i < 100; i++)
      for (let twice = 0; twice < 2; twice++)
        expect(await fetches('crl', `http://example.com/${i}`)).to.equal(undefined);
    expect(calls).to.equal(48);
    const slow = fetchFrom(
      { ...trust, fetch: () => new Promise((resolve) => setTimeout(() => resolve(String(calls++)), 30)) },
      undefined,
      80,
    );
    calls = 0;
    for (let i = 0; i < 10; i++) await slow('crl', `http://example.com/${i}`);
    // On a busy machine the first one may take the whole time.
    expect(calls).to.be.within(1, 4);
  });

  it('does not stand in the way of issuers that are fetched where their certificates say', async () => {
    const alone = await check(ann, 'none', { intermediates: [] });
    expect(alone).to.deep.include({ valid: false, failure: 'no-issuer' });
    expect(await check(ann, 'none', { intermediates: [], fetch })).to.deep.include({ valid: true, length: 2 });
    expect(paths()).to.deep.equal(['/inner.cer']);
  });

  it('is asked of damaged data without an exception, and nothing damaged is believed', async () => {
    const [good, below] = [
      await root.ocspAnswer(requestFor(inner.own, root)),
      await inner.ocspAnswer(requestFor(bad, inner)),
    ];
    const [above, list] = [await root.crl(), await inner.crl()];
    let seed = 7;
    const random = (most: number): number => (seed = (seed * 48_271) % 2_147_483_647) % most;
    const damaged = (bytes: Uint8Array): Uint8Array => {
      const copy = Uint8Array.from(bytes);
      for (let i = 0; i <= random(3); i++) copy[random(copy.length)] = random(256);
      return random(8) === 0 ? copy.subarray(0, random(copy.length)) : copy;
    };
    const states = new Set<string>();
    for (let i = 0; i < 600; i++) {
      const whole = i % 3;
      const found = await check(
        { ...bad, certificate: whole === 0 ? Buffer.from(damaged(bad.certificate)) : bad.certificate },
        'ocsp+crl',
        {
          intermediates: [whole === 1 ? damaged(inner.own.certificate) : inner.own.certificate],
          anchors: [i % 5 === 0 ? damaged(root.own.certificate) : root.own.certificate],
          evidence: { ocsp: [good, damaged(below)], crl: [above, damaged(list)] },
        },
        true,
      );
      expect(found.valid, `round ${i}: ${found.error}`).to.equal(false);
      states.add(found.failure ?? '');
    }
    expect([...states]).to.include.members(['revocation-unknown', 'no-issuer', 'certificate-unreadable']);
  });
});
