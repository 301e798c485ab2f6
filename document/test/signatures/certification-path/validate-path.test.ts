import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { Authority, type Issued } from '../../../../test/pki/index.js';
import {
  nameKeyOf,
  type PathRequest,
  type PathResult,
  validatePath,
} from '../../../signatures/certification-path/index.js';
import { meshOf } from './mesh.js';

const DAY = 86_400_000;

describe('paths of certificates', () => {
  let folder: string;
  let root: Authority;
  let inner: Authority;
  let ann: Issued;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-path-'));
    root = await Authority.root(join(folder, 'root'), { name: 'Path Root' });
    inner = await root.authority(join(folder, 'inner'), { name: 'Path Inner' });
    ann = await inner.issue({ name: 'Ann' });
  });
  after(() => rm(folder, { recursive: true }));

  const validate = (leaf: Uint8Array, more: Partial<PathRequest> = {}): Promise<PathResult> =>
    validatePath({
      leaf,
      intermediates: [inner.own.certificate],
      anchors: [root.own.certificate],
      at: new Date(),
      atIsProven: false,
      now: new Date(),
      purpose: 'signature',
      revocation: { mode: 'none', hardFail: false },
      ...more,
    });
  const same = (path: readonly Uint8Array[], ...expected: readonly Uint8Array[]): void =>
    void expect(path.map((der) => Buffer.from(der).toString('hex'))).to.deep.equal(
      expected.map((der) => Buffer.from(der).toString('hex')),
    );

  it('lead from the leaf over intermediates in any order to an anchor', async () => {
    const deeper = await inner.authority(join(folder, 'deeper'), { name: 'Path Deeper' });
    const leaf = await deeper.issue({ name: 'Deep' });
    const found = await validate(leaf.certificate, {
      intermediates: [
        Buffer.from('garbage'),
        root.own.certificate,
        inner.own.certificate,
        deeper.own.certificate,
        leaf.certificate,
      ],
    });
    expect(found).to.deep.include({
      valid: true,
      failure: null,
      error: null,
      length: 3,
      notExpired: true,
      revocationStatus: 'not-checked',
      weaknesses: [],
      softFailures: [],
    });
    same(found.path, leaf.certificate, deeper.own.certificate, inner.own.certificate, root.own.certificate);
  });

  it('take anchors by the name of whom they are', async () => {
    const asked: string[] = [];
    const stranger = await Authority.root(join(folder, 'stranger'), { name: 'Stranger' });
    const found = await validate(ann.certificate, {
      anchors: async (keys) => {
        asked.push(...keys);
        return keys.includes(nameKeyOf(root.own.certificate, 'subject') ?? '')
          ? [root.own.certificate]
          : [Buffer.from('garbage'), stranger.own.certificate];
      },
    });
    expect(found.valid).to.equal(true);
    expect(asked).to.include(nameKeyOf(inner.own.certificate, 'issuer'));
    expect(nameKeyOf(Buffer.from('garbage'), 'subject')).to.equal(undefined);
  });

  it('end at an intermediate or a leaf that is trusted itself', async () => {
    const short = await validate(ann.certificate, { intermediates: [], anchors: [inner.own.certificate] });
    expect(short).to.deep.include({ valid: true, length: 1 });
    same(short.path, ann.certificate, inner.own.certificate);
    const alone = await validate(ann.certificate, { intermediates: [], anchors: [ann.certificate] });
    expect(alone).to.deep.include({ valid: true, length: 1 });
    same(alone.path, ann.certificate);
    expect(
      await validate(ann.certificate, { anchors: [ann.certificate], at: new Date(Date.now() + 3000 * DAY) }),
    ).to.deep.include({ valid: false, failure: 'expired', notExpired: false });
  });

  it('are not there without anchors, without the issuer, or for who trusts himself', async () => {
    expect(await validate(ann.certificate, { anchors: [] })).to.deep.include({
      valid: false,
      failure: 'no-issuer',
      path: [],
      length: 0,
    });
    const missing = await validate(ann.certificate, { intermediates: [] });
    expect(missing).to.deep.include({
      valid: false,
      failure: 'no-issuer',
      error: 'No trusted certificate was found that issued the certificate "Ann".',
    });
    const own = await validate(ann.certificate, {
      intermediates: [inner.own.certificate, root.own.certificate],
      anchors: [],
    });
    expect(own).to.deep.include({
      failure: 'not-trusted',
      error: 'The path ends at the certificate "Path Root", which is not trusted.',
    });
    expect(await validate(Buffer.from('garbage'))).to.deep.include({
      valid: false,
      failure: 'certificate-unreadable',
      notExpired: false,
    });
    const twin = await Authority.root(join(folder, 'twin'), { name: 'Path Root' });
    expect(await validate(ann.certificate, { anchors: [twin.own.certificate] })).to.deep.include({
      valid: false,
      failure: 'no-issuer',
    });
  });

  it('hold at the validation time only', async () => {
    const future = await validate(ann.certificate, { at: new Date(Date.now() + 800 * DAY) });
    expect(future).to.deep.include({ valid: false, failure: 'expired', notExpired: false, length: 2 });
    expect(await validate(ann.certificate, { at: new Date(Date.now() - 30 * DAY) })).to.deep.include({
      valid: false,
      failure: 'not-yet-valid',
      notExpired: false,
    });
    const old = await inner.issue({
      name: 'Old',
      from: new Date(Date.now() - 20 * DAY),
      to: new Date(Date.now() - 10 * DAY),
    });
    const early = await root.authority(join(folder, 'early'), { name: 'Early', from: new Date(Date.now() - 30 * DAY) });
    const before = await early.issue({
      name: 'Before',
      from: new Date(Date.now() - 20 * DAY),
      to: new Date(Date.now() - 10 * DAY),
    });
    expect(await validate(old.certificate)).to.deep.include({ failure: 'expired' });
    expect(
      await validate(before.certificate, {
        intermediates: [early.own.certificate],
        at: new Date(Date.now() - 15 * DAY),
      }),
    ).to.deep.include({ valid: true, notExpired: true });
  });

  it('go over authorities alone, as many as allowed, that may sign certificates', async () => {
    const refusals = async (name: string, extensions: readonly string[]): Promise<string | null> => {
      const authority = await root.authority(join(folder, name), { name, extensions });
      const leaf = await authority.issue({ name: 'Below' });
      return (await validate(leaf.certificate, { intermediates: [authority.own.certificate] })).failure;
    };
    expect(await refusals('not-ca', ['basicConstraints=critical,CA:FALSE'])).to.equal('not-an-authority');
    expect(await refusals('no-cert-sign', ['keyUsage=critical,cRLSign'])).to.equal('key-usage');
    expect(await refusals('critical', ['1.2.3.4.5=critical,ASN1:NULL'])).to.equal('critical-extension');
    const zero = await root.authority(join(folder, 'zero'), {
      name: 'Zero',
      extensions: ['basicConstraints=critical,CA:TRUE,pathlen:0'],
    });
    const below = await zero.authority(join(folder, 'below'), { name: 'Below zero' });
    const leaf = await below.issue({ name: 'Too deep' });
    expect(
      await validate(leaf.certificate, { intermediates: [zero.own.certificate, below.own.certificate] }),
    ).to.deep.include({ failure: 'path-length' });
    expect(
      await validate((await zero.issue({ name: 'Flat' })).certificate, { intermediates: [zero.own.certificate] }),
    ).to.deep.include({ valid: true });
    // The server's own certificate is trusted and signs what it is given: it must not become an authority that way.
    const person = await root.authority(join(folder, 'person'), {
      name: 'Person',
      extensions: ['basicConstraints=critical,CA:FALSE'],
    });
    expect(
      await validate((await person.issue({ name: 'Forged' })).certificate, {
        intermediates: [],
        anchors: [person.own.certificate],
      }),
    ).to.deep.include({ valid: false, failure: 'not-an-authority' });
  });

  it('end at keys that may sign documents, or stamp times and nothing else', async () => {
    const enciphers = await inner.issue({ name: 'Enciphers', extensions: ['keyUsage=critical,keyEncipherment'] });
    expect(await validate(enciphers.certificate)).to.deep.include({ failure: 'key-usage' });
    const stamps = await inner.issue({ name: 'Stamps', purpose: 'time-stamp' });
    expect(await validate(stamps.certificate, { purpose: 'time-stamp' })).to.deep.include({ valid: true });
    for (const usage of ['timeStamping', 'critical,timeStamping,serverAuth']) {
      const other = await inner.issue({
        name: 'Also stamps',
        purpose: 'time-stamp',
        extensions: [`extendedKeyUsage=${usage}`],
      });
      expect(await validate(other.certificate, { purpose: 'time-stamp' }), usage).to.deep.include({
        failure: 'purpose',
      });
    }
    expect(await validate(ann.certificate, { purpose: 'time-stamp' })).to.deep.include({ failure: 'purpose' });
    const web = await root.authority(join(folder, 'web'), { name: 'Web', extensions: ['extendedKeyUsage=serverAuth'] });
    const nested = await web.issue({ name: 'Nested', purpose: 'time-stamp' });
    expect(
      await validate(nested.certificate, { purpose: 'time-stamp', intermediates: [web.own.certificate] }),
    ).to.deep.include({
      failure: 'purpose',
      error: 'The certificate "Web" must not issue certificates for time stamps.',
    });
  });

  it('bear names that the authorities above may give', async () => {
    const failures = async (
      name: string,
      constraints: string,
      wish: { name: string; extensions?: readonly string[] },
    ): Promise<string | null> => {
      const authority = await root.authority(join(folder, name), {
        name,
        extensions: [`nameConstraints=critical,${constraints}`],
      });
      return (await validate((await authority.issue(wish)).certificate, { intermediates: [authority.own.certificate] }))
        .failure;
    };
    const alternative = (value: string): { name: string; extensions: readonly string[] } => ({
      name: 'Named',
      extensions: [`subjectAltName=${value}`],
    });
    expect(
      await failures('mail-in', 'permitted;email:.example.com', alternative('email:ann@mail.example.com')),
    ).to.equal(null);
    expect(await failures('mail-out', 'permitted;email:.example.com', alternative('email:ann@example.org'))).to.equal(
      'name-constraints',
    );
    expect(
      await failures('mail-excluded', 'excluded;email:example.com', alternative('email:ann@EXAMPLE.com')),
    ).to.equal('name-constraints');
    expect(await failures('dns', 'permitted;DNS:example.com', alternative('DNS:a.example.com'))).to.equal(null);
    expect(await failures('dns-out', 'permitted;DNS:example.com', alternative('DNS:badexample.com'))).to.equal(
      'name-constraints',
    );
    expect(await failures('ip', 'permitted;IP:10.0.0.0/255.0.0.0', alternative('IP:10.1.2.3'))).to.equal(null);
    expect(await failures('ip-out', 'excluded;IP:10.0.0.0/255.0.0.0', alternative('IP:10.1.2.3'))).to.equal(
      'name-constraints',
    );
    expect(await failures('uri', 'permitted;URI:.example.com', alternative('URI:http://a.example.com/x'))).to.equal(
      null,
    );
    expect(await failures('uri-out', 'permitted;URI:.example.com', alternative('URI:http://example.com/x'))).to.equal(
      'name-constraints',
    );
    expect(await failures('unknown', 'permitted;RID:1.2.3', alternative('RID:1.2.3'))).to.equal('name-constraints');
    const directory = 'permitted;dirName:allowed\n[allowed]\nC=DE\nO=TEST';
    expect(await failures('directory', directory, { name: 'Ann' })).to.equal(null);
    expect(await failures('directory-out', directory.replace('TEST', 'Other'), { name: 'Ann' })).to.equal(
      'name-constraints',
    );
  });

  it('have the policies that are demanded', async () => {
    const failures = async (name: string, own: readonly string[], below: readonly string[]): Promise<string | null> => {
      const authority = await root.authority(join(folder, name), {
        name,
        extensions: ['policyConstraints=critical,requireExplicitPolicy:0', ...own],
      });
      return (
        await validate((await authority.issue({ name: 'Below', extensions: below })).certificate, {
          intermediates: [authority.own.certificate],
        })
      ).failure;
    };
    expect(await failures('policy', ['certificatePolicies=1.2.3.1'], ['certificatePolicies=1.2.3.1'])).to.equal(null);
    expect(await failures('policy-other', ['certificatePolicies=1.2.3.1'], ['certificatePolicies=1.2.3.2'])).to.equal(
      'policies',
    );
    expect(await failures('policy-none', ['certificatePolicies=1.2.3.1'], [])).to.equal('policies');
    expect(await failures('policy-any', ['certificatePolicies=2.5.29.32.0'], ['certificatePolicies=1.2.3.2'])).to.equal(
      null,
    );
    expect(
      await failures(
        'policy-inhibited',
        ['certificatePolicies=1.2.3.1', 'inhibitAnyPolicy=critical,0'],
        ['certificatePolicies=2.5.29.32.0'],
      ),
    ).to.equal('policies');
    expect(
      await failures(
        'policy-mapped',
        ['certificatePolicies=1.2.3.1', 'policyMappings=1.2.3.1:1.2.3.2'],
        ['certificatePolicies=1.2.3.2'],
      ),
    ).to.equal(null);
    expect(
      await failures(
        'policy-mapped-away',
        ['certificatePolicies=1.2.3.1', 'policyMappings=1.2.3.1:1.2.3.2'],
        ['certificatePolicies=1.2.3.1'],
      ),
    ).to.equal('policies');
  });

  it('are found through cross-certificates, in meshes with loops, and past a way that is closed', async () => {
    const second = await Authority.root(join(folder, 'second'), { name: 'Second Root' });
    const crossed = await second.crossCertify(inner);
    const found = await validate(ann.certificate, {
      intermediates: [crossed, inner.own.certificate],
      anchors: [second.own.certificate],
    });
    expect(found.valid).to.equal(true);
    same(found.path, ann.certificate, crossed, second.own.certificate);
    const expired = await second.crossCertify(inner, {
      from: new Date(Date.now() - 20 * DAY),
      to: new Date(Date.now() - 10 * DAY),
    });
    expect(
      await validate(ann.certificate, {
        intermediates: [expired, inner.own.certificate],
        anchors: [second.own.certificate, root.own.certificate],
      }),
    ).to.deep.include({ valid: true, length: 2 });
    const loop = [
      await root.crossCertify(second),
      await second.crossCertify(root),
      await inner.crossCertify(root),
      inner.own.certificate,
    ];
    expect(await validate(ann.certificate, { intermediates: loop, anchors: [] })).to.deep.include({ valid: false });
    expect(await validate(ann.certificate, { intermediates: loop, anchors: [second.own.certificate] })).to.deep.include(
      { valid: true },
    );
  });

  it('are searched within bounds among 1000 authorities of one name', async () => {
    const { leaf, certificates } = meshOf(1000);
    const found = await validate(leaf, { intermediates: certificates });
    expect(found).to.deep.include({ valid: false, failure: 'too-many-paths' });
  });

  it('report weak algorithms, and refuse those that prove nothing', async () => {
    const weak = await root.authority(join(folder, 'weak'), { name: 'Weak', key: 'rsa1024', digest: 'sha1' });
    const leaf = await weak.issue({ name: 'Bob', digest: 'sha1' });
    const found = await validate(leaf.certificate, { intermediates: [weak.own.certificate] });
    expect(found.valid).to.equal(true);
    expect(found.weaknesses).to.have.members([
      'The certificate "Bob" was signed with SHA-1.',
      'The certificate "Weak" was signed with SHA-1.',
      'The key of the certificate "Weak" has only 1024 bits.',
    ]);
    const broken = await weak.issue({ name: 'Eve', digest: 'md5' });
    expect(await validate(broken.certificate, { intermediates: [weak.own.certificate] })).to.deep.include({
      valid: false,
    });
  });

  it('need a signature that holds, of any kind of key', async () => {
    for (const key of ['rsa2048', 'rsa-pss', 'p384', 'ed25519'] as const) {
      const authority = await root.authority(join(folder, `key-${key}`), { name: `Key ${key}`, key });
      const leaf = await authority.issue({ name: 'Keyed' });
      expect((await validate(leaf.certificate, { intermediates: [authority.own.certificate] })).valid, key).to.equal(
        true,
      );
      const forged = Uint8Array.from(leaf.certificate);
      forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
      expect((await validate(forged, { intermediates: [authority.own.certificate] })).valid, key).to.equal(false);
    }
  });
});
