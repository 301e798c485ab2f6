import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { nameKeyOf } from '@quire/document/signatures/certification-path';
import { InputError, type BasePaths, type ServerKeystore, type TrustState } from '@quire/registry';
import {
  Authority,
  type Issued,
  type ListedService,
  listOfLists,
  nationalList,
  PkiServer,
  signList,
} from '../../../test/pki/index.js';
import { createOutbound } from '../outbound/index.js';
import { ServerTrust } from './server-trust.js';

describe('the trust of the server', function () {
  // Lists are read in processes of low priority, which a busy machine leaves waiting.
  this.timeout(120_000);
  let folder: string;
  let server: PkiServer;
  let root: Authority;
  let other: Authority;
  let ann: Issued;
  const running: (() => Promise<void>)[] = [];
  const logged: { level: string; data: Readonly<Record<string, unknown>>; message: string }[] = [];

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'quire-trust-'));
    server = await PkiServer.start();
    root = await Authority.root(join(folder, 'root'), { name: 'Trust Root', key: 'rsa2048' });
    other = await Authority.root(join(folder, 'other'), { name: 'Other Root' });
    ann = await root.issue({ name: 'Ann' });
  });
  beforeEach(() => void ([server.requests.length, logged.length] = [0, 0]));
  afterEach(() => Promise.all(running.splice(0).map((stop) => stop())));
  after(async () => {
    await server.stop();
    await rm(folder, { recursive: true });
  });

  const none: ServerKeystore = {
    certificates: () => Promise.reject(new InputError('SERVER_CERTIFICATE_ABSENT')),
    sign: () => Promise.reject(new InputError('SERVER_CERTIFICATE_ABSENT')),
  };
  const withCertificate = (der: Buffer): ServerKeystore => ({
    ...none,
    certificates: async () => ({ certificate: der.toString('base64'), chain: [] }),
  });

  async function trust(
    settings: Readonly<Record<string, unknown>>,
    {
      keystore = none,
      base,
      patienceMs = 20_000,
    }: { keystore?: ServerKeystore; base?: string; patienceMs?: number } = {},
  ): Promise<ServerTrust> {
    const values: Readonly<Record<string, unknown>> = {
      'security.validation.trust.serverAsAnchor': false,
      'security.validation.trust.useSystemTrust': false,
      'security.validation.trust.useMozillaBundle': false,
      'security.validation.trust.useAATL': false,
      'security.validation.trust.useEUTL': false,
      'security.validation.aatl.url': `${server.url}/tl.pdf`,
      'security.validation.eutl.lotlUrl': `${server.url}/lotl.xml`,
      'security.validation.eutl.lotlSigners': [],
      'security.validation.eutl.acceptTransitional': false,
      'security.validation.revocation.mode': 'none',
      'security.validation.revocation.hardFail': false,
      'security.validation.allowAIA': false,
      'system.caBundle': '/nowhere',
      'outbound.allowed': ['127.0.0.1'],
      ...settings,
    };
    const reader = { get: <T>(path: string): T => values[path] as T };
    const outbound = createOutbound(reader);
    const log = Object.fromEntries(
      ['debug', 'info', 'warn', 'error'].map((level) => [
        level,
        (data: object, message: string) => void logged.push({ level, data: data as Record<string, unknown>, message }),
      ]),
    ) as unknown as ConstructorParameters<typeof ServerTrust>[0]['log'];
    const made = new ServerTrust({
      settings: reader,
      paths: { base: base ?? (await mkdtemp(join(folder, 'base-'))) } as BasePaths,
      outbound,
      log,
      serverKeystore: () => keystore,
      patienceMs,
    });
    running.push(async () => {
      await made.stop();
      await outbound.close();
    });
    return made;
  }

  const trusts = async (made: ServerTrust, { own: { certificate } }: Pick<Authority, 'own'>): Promise<boolean> =>
    (await made.anchors([nameKeyOf(certificate, 'subject') ?? ''])).includes(certificate.toString('base64'));
  const sourceOf = async (made: ServerTrust): Promise<TrustState['sources'][number] | undefined> => {
    await made.anchors([]);
    return (await made.state()).sources[0];
  };
  const warnings = (): string =>
    logged
      .filter(({ level }) => level === 'warn')
      .map(({ data, message }) => `${message} ${String((data['err'] as Error | undefined)?.message ?? '')}`)
      .join('\n');
  const serve = (path: string, bytes: Uint8Array): string =>
    server.route(path, () => ({ type: 'application/octet-stream', bytes }));

  it('is in its own certificate when it is self-signed or an authority, and in no other', async () => {
    const authority = await trust(
      { 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(root.own.certificate) },
    );
    expect(await trusts(authority, root)).to.equal(true);
    const alone = await Authority.root(join(folder, 'alone'), { name: 'Alone' });
    const own = await trust(
      { 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(alone.own.certificate) },
    );
    expect(await sourceOf(own)).to.deep.equal({ name: 'server', state: 'loaded', anchors: 1 });
    const issued = await trust(
      { 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(ann.certificate) },
    );
    expect(await sourceOf(issued)).to.deep.equal({ name: 'server', state: 'loaded', anchors: 0 });
    const absent = await trust({ 'security.validation.trust.serverAsAnchor': true });
    expect(await sourceOf(absent)).to.deep.equal({ name: 'server', state: 'loaded', anchors: 0 });
  });

  it('is in the bundle of the system, its authorities only, and in the bundle of Mozilla', async () => {
    const bundle = join(folder, 'bundle.pem');
    const pem = ({ certificate }: Issued): string =>
      `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`;
    await writeFile(bundle, `# a bundle\n${pem(root.own)}garbage\n${pem(ann)}${pem(root.own)}`);
    const system = await trust({ 'security.validation.trust.useSystemTrust': true, 'system.caBundle': bundle });
    expect([await trusts(system, root), await trusts(system, other)]).to.deep.equal([true, false]);
    expect(await system.anchors([nameKeyOf(ann.certificate, 'subject') ?? ''])).to.deep.equal([]);
    const mozilla = await trust({ 'security.validation.trust.useMozillaBundle': true });
    expect((await sourceOf(mozilla))?.anchors).to.be.greaterThan(100);
    const missing = await trust({ 'security.validation.trust.useSystemTrust': true });
    expect(await sourceOf(missing)).to.deep.equal({ name: 'system', state: 'failed', anchors: 0 });
    expect(warnings()).to.contain('could not be loaded');
  });

  it('is in the approved list: a PDF with settings whose certificates are authorities', async () => {
    const listed = await approvedList(
      `<SecuritySettings><TrustedIdentities><Identity><Certificate>${root.own.certificate.toString('base64')}` +
        `</Certificate></Identity><Identity><Certificate>${ann.certificate.toString('base64')}</Certificate>` +
        '</Identity></TrustedIdentities></SecuritySettings>',
    );
    serve('/tl.pdf', listed);
    const made = await trust({ 'security.validation.trust.useAATL': true });
    expect(await sourceOf(made)).to.deep.equal({ name: 'aatl', state: 'loaded', anchors: 1 });
    expect([await trusts(made, root), await trusts(made, other)]).to.deep.equal([true, false]);
  });

  it('is not in an approved list that is none, and the rest is there', async () => {
    const bad: readonly (readonly [string, Uint8Array, string])[] = [
      ['no PDF', Buffer.from('<html>Not found</html>'), 'no readable PDF'],
      [
        'no settings',
        Buffer.from(await (await PDFDocument.create()).save()),
        'no readable PDF|embeds no SecuritySettings.xml',
      ],
      ['a document type', await approvedList('<!DOCTYPE x [<!ENTITY a "b">]><SecuritySettings/>'), 'document type'],
      ['no XML', await approvedList('<SecuritySettings>'), 'no well-formed XML'],
      ['no certificate', await approvedList('<SecuritySettings/>'), 'holds no certificate'],
    ];
    for (const [name, bytes, expected] of bad) {
      serve('/tl.pdf', bytes);
      const made = await trust(
        { 'security.validation.trust.useAATL': true, 'security.validation.trust.serverAsAnchor': true },
        { keystore: withCertificate(root.own.certificate) },
      );
      expect(await trusts(made, root), name).to.equal(true);
      expect(
        (await made.state()).sources.map(({ state }) => state),
        name,
      ).to.deep.equal(['loaded', 'failed']);
      expect(warnings(), name).to.match(new RegExp(expected));
    }
  });

  describe('in the European lists', () => {
    let signer: Issued;
    let signerA: Issued;
    let signerB: Issued;
    let stranger: Issued;
    const authorities = new Map<string, Authority>();

    before(async () => {
      [signer, signerA, signerB, stranger] = (await Promise.all(
        ['LOTL', 'A', 'B', 'Stranger'].map((name) => root.issue({ name, key: 'rsa2048' })),
      )) as [Issued, Issued, Issued, Issued];
      for (const name of [
        'granted',
        'undersupervision',
        'accredited',
        'supervisionincessation',
        'withdrawn',
        'national',
        'time',
      ])
        authorities.set(name, await Authority.root(join(folder, name), { name }));
    });

    const certificate = (name: string): Buffer => authorities.get(name)?.own.certificate ?? Buffer.alloc(0);
    const service = (name: string, status: string, type = 'CA/QC'): ListedService => ({
      type,
      status,
      certificate: certificate(name),
    });
    const servicesA = (): ListedService[] => [
      service('granted', 'TrustedList/Svcstatus/granted'),
      service('withdrawn', 'TrustedList/Svcstatus/withdrawn'),
      service('time', 'TrustedList/Svcstatus/granted', 'TSA/QTST'),
      { ...service('granted', 'TrustedList/Svcstatus/granted'), certificate: ann.certificate },
    ];
    const servicesB = (): ListedService[] => [
      service('undersupervision', 'Svcstatus/undersupervision'),
      service('accredited', 'Svcstatus/accredited'),
      service('supervisionincessation', 'Svcstatus/supervisionincessation'),
      service('national', 'TrustedList/Svcstatus/granted', 'NationalRootCA-QC'),
    ];
    const publish = async (
      more: {
        lotl?: (xml: string) => Promise<Buffer>;
        a?: (xml: string) => Promise<Buffer>;
        b?: (xml: string) => Promise<Buffer>;
      } = {},
    ): Promise<void> => {
      const lotl = listOfLists([
        { url: `${server.url}/lotl.xml`, signers: [signer.certificate], kind: 'EUlistofthelists' },
        { url: `${server.url}/a.pdf`, signers: [signerA.certificate], mimeType: 'application/pdf' },
        { url: `${server.url}/a.xml`, signers: [stranger.certificate.subarray(0, 10), signerA.certificate] },
        { url: `${server.url}/b.xml`, signers: [signerB.certificate] },
      ]);
      serve('/lotl.xml', await (more.lotl ?? ((xml) => signList(xml, signer, { digest: 'sha512' })))(lotl));
      serve('/a.xml', await (more.a ?? ((xml) => signList(xml, signerA)))(nationalList('AA', servicesA())));
      serve(
        '/b.xml',
        await (more.b ?? ((xml) => signList(xml, signerB)))(nationalList('BB', servicesB(), '2020-01-01T00:00:00Z')),
      );
    };
    const trusted = async (made: ServerTrust): Promise<string[]> => {
      const found: string[] = [];
      for (const [name, authority] of authorities) if (await trusts(made, authority)) found.push(name);
      return found;
    };
    const european = { 'security.validation.trust.useEUTL': true };

    it('is in authorities for qualified certificates that are in force, by new and old names', async () => {
      await publish();
      const made = await trust(european);
      expect(await trusted(made)).to.have.members(['granted', 'undersupervision', 'accredited', 'national']);
      expect(await made.anchors([nameKeyOf(ann.certificate, 'subject') ?? ''])).to.deep.equal([]);
      expect(server.requests.map(({ path }) => path)).to.have.members(['/lotl.xml', '/a.xml', '/b.xml']);
      expect(warnings()).to.contain('lotlSigners does not say').and.contain('a trust list is older than it should be');
      expect(await trusted(await trust({ ...european, 'security.validation.eutl.acceptTransitional': true })))
        .to.include('supervisionincessation')
        .and.not.include('withdrawn');
    });

    it('is not there when the list of lists is not signed, changed, signed oddly or by somebody else', async () => {
      const hash = createHash('sha256').update(signer.certificate).digest('hex');
      const pinned = {
        ...european,
        'security.validation.eutl.lotlSigners': [hash.toUpperCase().replace(/..(?=.)/g, '$&:')],
      };
      await publish();
      expect(await trusted(await trust(pinned))).to.have.length(4);
      const bad: readonly (readonly [string, (xml: string) => Promise<Buffer>, string])[] = [
        ['unsigned', async (xml) => Buffer.from(xml), 'the list is not signed'],
        [
          'changed',
          async (xml) => Buffer.from((await signList(xml, signer)).toString().replace('/b.xml', '/c.xml')),
          'does not hold',
        ],
        [
          'wrapped',
          async (xml) =>
            Buffer.from(
              (await signList(xml, signer))
                .toString()
                .replace(
                  /^(<\?xml[^>]*>\s*)?(<TrustServiceStatusList[^>]*>)/,
                  '$2<TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#">',
                )
                .replace(/(<(?:\w+:)?Signature [\s\S]*<\/(?:\w+:)?Signature>)/, '</TrustServiceStatusList>$1'),
            ),
          'does not hold',
        ],
        ['another signer', (xml) => signList(xml, stranger), 'somebody who may not'],
        [
          "another key under the signer's certificate",
          (xml) => signList(xml, signer, { key: stranger }),
          'does not hold',
        ],
        [
          'a document type',
          async (xml) =>
            Buffer.from(
              (await signList(xml, signer))
                .toString()
                .replace(/(?=<TrustServiceStatusList)/, '<!DOCTYPE x [<!ENTITY a "b">]>'),
            ),
          'document type',
        ],
        ['no XML', async () => Buffer.from('<html><p></html>'), 'no well-formed XML'],
      ];
      for (const [name, lotl, expected] of bad) {
        logged.length = 0;
        await publish({ lotl });
        const made = await trust(pinned);
        expect(await trusted(made), name).to.deep.equal([]);
        expect((await made.state()).sources[0]?.state, name).to.equal('failed');
        expect(warnings(), name).to.contain(expected);
      }
    });

    it('is in lists that are signed as XAdES, with keys on curves and other digests', async () => {
      const curve = await root.issue({ name: 'Curve', key: 'p384' });
      await publish({
        lotl: async () =>
          signList(listOfLists([{ url: `${server.url}/a.xml`, signers: [curve.certificate] }]), signer, {
            xades: true,
            digest: 'sha384',
          }),
        a: (xml) => signList(xml, curve, { xades: true, digest: 'sha384' }),
      });
      expect(await trusted(await trust(european))).to.deep.equal(['granted']);
      await publish({
        lotl: async () => signList(listOfLists([{ url: `${server.url}/a.xml`, signers: [curve.certificate] }]), signer),
        a: async (xml) =>
          Buffer.from((await signList(xml, curve, { xades: true })).toString().replace('2026-01-01', '2025-01-01')),
      });
      expect(await trusted(await trust(european))).to.deep.equal([]);
    });

    it('ignores a national list with the wrong signer and accepts the others', async () => {
      const bad: readonly (readonly [string, (xml: string) => Promise<Buffer>, string])[] = [
        ['wrong signer', (xml) => signList(xml, stranger), 'somebody who may not'],
        [
          'broken signature',
          async (xml) =>
            Buffer.from((await signList(xml, signerA)).toString().replace('Svcstatus/withdrawn', 'Svcstatus/granted')),
          'does not hold',
        ],
        ['a document type', async (xml) => Buffer.from(`<!DOCTYPE x>${xml}`), 'document type'],
      ];
      for (const [name, a, expected] of bad) {
        logged.length = 0;
        await publish({ a });
        expect(await trusted(await trust(european)), name).to.have.members([
          'undersupervision',
          'accredited',
          'national',
        ]);
        expect(warnings(), name).to.contain('a national trust list could not be loaded').and.contain(expected);
      }
    });

    it('is kept for a start without a network, and the log tells its age', async () => {
      await publish();
      const base = await mkdtemp(join(folder, 'base-'));
      const first = await trust(european, { base });
      expect(await trusted(first)).to.have.length(4);
      expect(await readdir(join(base, 'trust'))).to.have.length(3);
      for (const path of ['/lotl.xml', '/a.xml', '/b.xml'])
        server.route(path, () => (_request, response) => void response.writeHead(503).end());
      logged.length = 0;
      expect(await trusted(await trust(european, { base }))).to.have.length(4);
      expect(warnings()).to.contain('the one of 0 days ago is used');
      // What replaces a good list must be good.
      await publish({ a: (xml) => signList(xml, stranger) });
      expect(await trusted(await trust(european, { base }))).to.include('granted');
      expect(await readdir(join(base, 'trust'))).to.have.length(3);
    });
  });

  it('lets a server start while a list hangs, and a validation waits for it no longer than so', async () => {
    server.route('/tl.pdf', () => () => undefined);
    const made = await trust(
      { 'security.validation.trust.useAATL': true, 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(root.own.certificate), patienceMs: 300 },
    );
    made.start();
    expect(await trusts(made, root)).to.equal(true);
    expect((await made.state()).sources.map(({ state }) => state)).to.deep.equal(['loaded', 'loading']);
    await made.stop();
  });

  it('takes revocation modes in any case, and other words for both', async () => {
    for (const [text, mode] of [
      ['NONE', 'none'],
      ['Ocsp', 'ocsp'],
      [' crl ', 'crl'],
      ['OCSP+CRL', 'ocsp+crl'],
      ['always', 'ocsp+crl'],
    ] as const) {
      expect((await (await trust({ 'security.validation.revocation.mode': text })).state()).mode, text).to.equal(mode);
    }
  });

  /** A PDF as approved lists are. */
  async function approvedList(xml: string): Promise<Buffer> {
    const document = await PDFDocument.create();
    document.addPage();
    await document.attach(Buffer.from(xml), 'SecuritySettings.xml', { mimeType: 'text/xml' });
    return Buffer.from(await document.save());
  }
});
