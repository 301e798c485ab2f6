import { createHash } from 'node:crypto';
import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { PDFDocument } from 'pdf-lib';
import { nameKeyOf } from '@quire/document/signatures/certification-path';
import {
  Authority,
  type Issued,
  type ListedService,
  listOfLists,
  nationalList,
  signList,
} from '../../../test/pki/index.js';
import { sourceOf, TrustHarness, trusts, withCertificate } from '../../../test/suites/trust-harness.js';
import type { ServerTrust } from './server-trust.js';

describe('trust lists', function () {
  // Child processes of low priority read the lists; on a busy machine they wait.
  this.timeout(120_000);
  let harness: TrustHarness;

  before(async () => void (harness = await TrustHarness.start()));
  beforeEach(() => harness.reset());
  afterEach(() => harness.stopServices());
  after(() => harness.stop());

  it('trusts the authorities in the approved list, a PDF with attached settings', async () => {
    const listed = await approvedList(
      `<SecuritySettings><TrustedIdentities><Identity><Certificate>${harness.root.own.certificate.toString('base64')}` +
        `</Certificate></Identity><Identity><Certificate>${harness.ann.certificate.toString('base64')}</Certificate>` +
        '</Identity></TrustedIdentities></SecuritySettings>',
    );
    harness.serve('/tl.pdf', listed);
    const made = await harness.trust({ 'security.validation.trust.useAATL': true });
    expect(await sourceOf(made)).to.deep.equal({ name: 'aatl', state: 'loaded', anchors: 1 });
    expect([await trusts(made, harness.root), await trusts(made, harness.other)]).to.deep.equal([true, false]);
  });

  it('ignores an invalid approved list and keeps the other sources', async () => {
    const bad: readonly (readonly [string, Uint8Array, string])[] = [
      ['no PDF', Buffer.from('<html>Not found</html>'), 'not a readable PDF'],
      [
        'no settings',
        Buffer.from(await (await PDFDocument.create()).save()),
        'not a readable PDF|embeds no SecuritySettings.xml',
      ],
      ['a document type', await approvedList('<!DOCTYPE x [<!ENTITY a "b">]><SecuritySettings/>'), 'document type'],
      ['no XML', await approvedList('<SecuritySettings>'), 'not well-formed XML'],
      ['no certificate', await approvedList('<SecuritySettings/>'), 'holds no certificate'],
    ];
    for (const [name, bytes, expected] of bad) {
      harness.serve('/tl.pdf', bytes);
      const made = await harness.trust(
        { 'security.validation.trust.useAATL': true, 'security.validation.trust.serverAsAnchor': true },
        { keystore: withCertificate(harness.root.own.certificate) },
      );
      expect(await trusts(made, harness.root), name).to.equal(true);
      expect(
        (await made.state()).sources.map(({ state }) => state),
        name,
      ).to.deep.equal(['loaded', 'failed']);
      expect(harness.warnings(), name).to.match(new RegExp(expected));
    }
  });

  describe('from the European lists', () => {
    let signer: Issued;
    let signerA: Issued;
    let signerB: Issued;
    let stranger: Issued;
    const authorities = new Map<string, Authority>();

    before(async () => {
      [signer, signerA, signerB, stranger] = (await Promise.all(
        ['LOTL', 'A', 'B', 'Stranger'].map((name) => harness.root.issue({ name, key: 'rsa2048' })),
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
        authorities.set(name, await Authority.root(join(harness.folder, name), { name }));
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
      { ...service('granted', 'TrustedList/Svcstatus/granted'), certificate: harness.ann.certificate },
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
        { url: `${harness.server.url}/lotl.xml`, signers: [signer.certificate], kind: 'EUlistofthelists' },
        { url: `${harness.server.url}/a.pdf`, signers: [signerA.certificate], mimeType: 'application/pdf' },
        { url: `${harness.server.url}/a.xml`, signers: [stranger.certificate.subarray(0, 10), signerA.certificate] },
        { url: `${harness.server.url}/b.xml`, signers: [signerB.certificate] },
      ]);
      harness.serve('/lotl.xml', await (more.lotl ?? ((xml) => signList(xml, signer, { digest: 'sha512' })))(lotl));
      harness.serve('/a.xml', await (more.a ?? ((xml) => signList(xml, signerA)))(nationalList('AA', servicesA())));
      harness.serve(
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

    it('trusts authorities for qualified certificates that are in force, by new and old status names', async () => {
      await publish();
      const made = await harness.trust(european);
      expect(await trusted(made)).to.have.members(['granted', 'undersupervision', 'accredited', 'national']);
      expect(await made.anchors([nameKeyOf(harness.ann.certificate, 'subject') ?? ''])).to.deep.equal([]);
      expect(harness.server.requests.map(({ path }) => path)).to.have.members(['/lotl.xml', '/a.xml', '/b.xml']);
      expect(harness.warnings())
        .to.contain('lotlSigners does not say')
        .and.contain('a trust list is older than it should be');
      expect(await trusted(await harness.trust({ ...european, 'security.validation.eutl.acceptTransitional': true })))
        .to.include('supervisionincessation')
        .and.not.include('withdrawn');
    });

    it('trusts nothing from a list of lists that is unsigned, changed or signed by somebody else', async () => {
      const hash = createHash('sha256').update(signer.certificate).digest('hex');
      const pinned = {
        ...european,
        'security.validation.eutl.lotlSigners': [hash.toUpperCase().replace(/..(?=.)/g, '$&:')],
      };
      await publish();
      expect(await trusted(await harness.trust(pinned))).to.have.length(4);
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
        ['another signer', (xml) => signList(xml, stranger), 'not allowed to'],
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
        ['no XML', async () => Buffer.from('<html><p></html>'), 'not well-formed XML'],
      ];
      for (const [name, lotl, expected] of bad) {
        harness.logged.length = 0;
        await publish({ lotl });
        const made = await harness.trust(pinned);
        expect(await trusted(made), name).to.deep.equal([]);
        expect((await made.state()).sources[0]?.state, name).to.equal('failed');
        expect(harness.warnings(), name).to.contain(expected);
      }
    });

    it('accepts XAdES signatures with elliptic-curve keys and other digests', async () => {
      const curve = await harness.root.issue({ name: 'Curve', key: 'p384' });
      await publish({
        lotl: async () =>
          signList(listOfLists([{ url: `${harness.server.url}/a.xml`, signers: [curve.certificate] }]), signer, {
            xades: true,
            digest: 'sha384',
          }),
        a: (xml) => signList(xml, curve, { xades: true, digest: 'sha384' }),
      });
      expect(await trusted(await harness.trust(european))).to.deep.equal(['granted']);
      await publish({
        lotl: async () =>
          signList(listOfLists([{ url: `${harness.server.url}/a.xml`, signers: [curve.certificate] }]), signer),
        a: async (xml) =>
          Buffer.from((await signList(xml, curve, { xades: true })).toString().replace('2026-01-01', '2025-01-01')),
      });
      expect(await trusted(await harness.trust(european))).to.deep.equal([]);
    });

    it('ignores a national list with the wrong signer and accepts the others', async () => {
      const bad: readonly (readonly [string, (xml: string) => Promise<Buffer>, string])[] = [
        ['wrong signer', (xml) => signList(xml, stranger), 'not allowed to'],
        [
          'broken signature',
          async (xml) =>
            Buffer.from((await signList(xml, signerA)).toString().replace('Svcstatus/withdrawn', 'Svcstatus/granted')),
          'does not hold',
        ],
        ['a document type', async (xml) => Buffer.from(`<!DOCTYPE x>${xml}`), 'document type'],
      ];
      for (const [name, a, expected] of bad) {
        harness.logged.length = 0;
        await publish({ a });
        expect(await trusted(await harness.trust(european)), name).to.have.members([
          'undersupervision',
          'accredited',
          'national',
        ]);
        expect(harness.warnings(), name).to.contain('a national trust list could not be loaded').and.contain(expected);
      }
    });

    it('uses the stored lists when the network is down, and logs their age', async () => {
      await publish();
      const base = await mkdtemp(join(harness.folder, 'base-'));
      const first = await harness.trust(european, { base });
      expect(await trusted(first)).to.have.length(4);
      expect(await readdir(join(base, 'trust'))).to.have.length(3);
      for (const path of ['/lotl.xml', '/a.xml', '/b.xml'])
        harness.server.route(path, () => (_request, response) => void response.writeHead(503).end());
      harness.logged.length = 0;
      expect(await trusted(await harness.trust(european, { base }))).to.have.length(4);
      expect(harness.warnings()).to.contain('the one of 0 days ago is used');
      // An invalid download must not replace a good list.
      await publish({ a: (xml) => signList(xml, stranger) });
      expect(await trusted(await harness.trust(european, { base }))).to.include('granted');
      expect(await readdir(join(base, 'trust'))).to.have.length(3);
    });
  });

  /** Builds a PDF in the form of the approved list. */
  async function approvedList(xml: string): Promise<Buffer> {
    const document = await PDFDocument.create();
    document.addPage();
    await document.attach(Buffer.from(xml), 'SecuritySettings.xml', { mimeType: 'text/xml' });
    return Buffer.from(await document.save());
  }
});
