import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { nameKeyOf } from '@quire/document/signatures/certification-path';
import { Authority, type Issued } from '../../../test/pki/index.js';
import { sourceOf, TrustHarness, trusts, withCertificate } from '../../../test/suites/trust-harness.js';

describe('server trust', function () {
  // Child processes of low priority read the lists; on a busy machine they wait.
  this.timeout(120_000);
  let harness: TrustHarness;

  before(async () => void (harness = await TrustHarness.start()));
  beforeEach(() => harness.reset());
  afterEach(() => harness.stopServices());
  after(() => harness.stop());

  it('trusts its own certificate only when it is self-signed or an authority', async () => {
    const authority = await harness.trust(
      { 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(harness.root.own.certificate) },
    );
    expect(await trusts(authority, harness.root)).to.equal(true);
    const alone = await Authority.root(join(harness.folder, 'alone'), { name: 'Alone' });
    const own = await harness.trust(
      { 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(alone.own.certificate) },
    );
    expect(await sourceOf(own)).to.deep.equal({ name: 'server', state: 'loaded', anchors: 1 });
    const issued = await harness.trust(
      { 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(harness.ann.certificate) },
    );
    expect(await sourceOf(issued)).to.deep.equal({ name: 'server', state: 'loaded', anchors: 0 });
    const absent = await harness.trust({ 'security.validation.trust.serverAsAnchor': true });
    expect(await sourceOf(absent)).to.deep.equal({ name: 'server', state: 'loaded', anchors: 0 });
  });

  it('trusts the authorities of the system bundle and of the Mozilla bundle', async () => {
    const bundle = join(harness.folder, 'bundle.pem');
    const pem = ({ certificate }: Issued): string =>
      `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64')}\n-----END CERTIFICATE-----\n`;
    await writeFile(bundle, `# a bundle\n${pem(harness.root.own)}garbage\n${pem(harness.ann)}${pem(harness.root.own)}`);
    const system = await harness.trust({ 'security.validation.trust.useSystemTrust': true, 'system.caBundle': bundle });
    expect([await trusts(system, harness.root), await trusts(system, harness.other)]).to.deep.equal([true, false]);
    expect(await system.anchors([nameKeyOf(harness.ann.certificate, 'subject') ?? ''])).to.deep.equal([]);
    const mozilla = await harness.trust({ 'security.validation.trust.useMozillaBundle': true });
    expect((await sourceOf(mozilla))?.anchors).to.be.greaterThan(100);
    const missing = await harness.trust({ 'security.validation.trust.useSystemTrust': true });
    expect(await sourceOf(missing)).to.deep.equal({ name: 'system', state: 'failed', anchors: 0 });
    expect(harness.warnings()).to.contain('could not be loaded');
  });

  it('starts while a list does not answer, and limits how long a validation waits for it', async () => {
    harness.server.route('/tl.pdf', () => () => undefined);
    const made = await harness.trust(
      { 'security.validation.trust.useAATL': true, 'security.validation.trust.serverAsAnchor': true },
      { keystore: withCertificate(harness.root.own.certificate), patienceMs: 300 },
    );
    made.start();
    expect(await trusts(made, harness.root)).to.equal(true);
    expect((await made.state()).sources.map(({ state }) => state)).to.deep.equal(['loaded', 'loading']);
    await made.stop();
  });

  it('reads revocation modes in any case, and checks OCSP and CRLs for unknown modes', async () => {
    for (const [text, mode] of [
      ['NONE', 'none'],
      ['Ocsp', 'ocsp'],
      [' crl ', 'crl'],
      ['OCSP+CRL', 'ocsp+crl'],
      ['always', 'ocsp+crl'],
    ] as const) {
      expect(
        (await (await harness.trust({ 'security.validation.revocation.mode': text })).state()).mode,
        text,
      ).to.equal(mode);
    }
  });
});
