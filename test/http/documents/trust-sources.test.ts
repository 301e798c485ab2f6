import { expect } from 'chai';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument } from 'pdf-lib';
import { createTestServer } from '@quire/core';
import { Authority, openssl, PkiServer, listOfLists, nationalList, signList, type Issued } from '../../pki/index.js';
import { field, file, json, post } from '../support/client.js';
import type { TestServer } from '../support/server.js';

const password = 'trust';
const plain = readFileSync(new URL('../../../plugins/signing/fixtures/plain.pdf', import.meta.url));

interface Report {
  readonly valid: boolean;
  readonly chainValid: boolean;
  readonly chainValidationError: string | null;
  readonly certPathLength: number;
  readonly revocationChecked: boolean;
  readonly revocationStatus: string;
}

describe('Trust over HTTP (skipped where openssl is not on PATH)', function trustSources() {
  this.timeout(60_000);
  let folder: string;
  let pki: PkiServer;
  let listed: Authority;
  let approved: Authority;
  let unknown: Authority;
  const servers: TestServer[] = [];

  before(async function setUp() {
    folder = mkdtempSync(join(tmpdir(), 'quire-trust-sources-'));
    await openssl(folder, ['version']).catch(() => this.skip());
    pki = await PkiServer.start();
    [listed, approved, unknown] = (await Promise.all(
      ['Listed', 'Approved', 'Unknown'].map((name) => Authority.root(join(folder, name), { name, key: 'rsa2048' })),
    )) as [Authority, Authority, Authority];
    const [lotl, national] = await Promise.all([
      unknown.issue({ name: 'LOTL', key: 'rsa2048' }),
      unknown.issue({ name: 'National', key: 'rsa2048' }),
    ]);
    const address = pki.route('/national.xml', async () => ({
      type: 'text/xml',
      bytes: await signList(
        nationalList('AA', [
          { type: 'CA/QC', status: 'TrustedList/Svcstatus/granted', certificate: listed.own.certificate },
        ]),
        national,
      ),
    }));
    pki.route('/lotl.xml', async () => ({
      type: 'text/xml',
      bytes: await signList(listOfLists([{ url: address, signers: [national.certificate] }]), lotl),
    }));
    const list = await PDFDocument.create();
    list.addPage();
    await list.attach(
      Buffer.from(
        `<SecuritySettings><Certificate>${approved.own.certificate.toString('base64')}</Certificate>` +
          '</SecuritySettings>',
      ),
      'SecuritySettings.xml',
    );
    const bytes = await list.save();
    pki.route('/tl.pdf', () => ({ type: 'application/pdf', bytes }));
    pki.ocsp('/ocsp', listed);
    pki.crl('/list.crl', listed);
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop()));
    await pki?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  async function start(validation: object): Promise<TestServer> {
    const server = await createTestServer({
      plugins: ['@quire/plugin-signing', '@quire/plugin-admin-cert'],
      settings: {
        outbound: { allowed: ['127.0.0.1'] },
        security: {
          validation: { aatl: { url: `${pki.url}/tl.pdf` }, eutl: { lotlUrl: `${pki.url}/lotl.xml` }, ...validation },
        },
      },
    });
    servers.push(server);
    await server.start();
    pki.requests.length = 0;
    return server;
  }
  const sign = async ({ url }: TestServer, authority: Authority, signer: Issued): Promise<Buffer> => {
    const store = await authority.pkcs12(signer, password);
    const answer = await post(`${url}/api/v1/security/cert-sign`, [
      file(plain, 'plain.pdf'),
      file(store, 'store.p12', 'p12File'),
      field('certType', 'PKCS12'),
      field('password', password),
    ]);
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    return answer.body;
  };
  const validate = async ({ url }: TestServer, signed: Buffer): Promise<Report> => {
    const answer = await post(`${url}/api/v1/security/validate-signature`, [file(signed, 'signed.pdf')]);
    expect(answer.status, answer.body.toString('utf8', 0, 300)).to.equal(200);
    const [report] = json<Report[]>(answer);
    if (report === undefined) throw new Error('no report');
    return report;
  };
  const fetched = (): string[] => pki.requests.map(({ path }) => path).filter((path) => !/\.(?:xml|pdf)$/.test(path));

  it('comes from the enabled lists, and from no others', async () => {
    const server = await start({ trust: { useAATL: true, useEUTL: true } });
    expect(await validate(server, await sign(server, listed, await listed.issue({ name: 'Ann' })))).to.include({
      valid: true,
      chainValid: true,
      chainValidationError: null,
      certPathLength: 1,
      revocationChecked: false,
      revocationStatus: 'not-checked',
    });
    expect(await validate(server, await sign(server, approved, await approved.issue({ name: 'Ben' })))).to.include({
      valid: true,
      chainValid: true,
    });
    const stranger = await validate(server, await sign(server, unknown, await unknown.issue({ name: 'Eve' })));
    expect(stranger).to.include({ valid: true, chainValid: false });
    expect(stranger.chainValidationError).to.contain('"Unknown", which is not trusted');
    const without = await start({ trust: { useAATL: false, useEUTL: false } });
    expect(await validate(without, await sign(without, listed, await listed.issue({ name: 'Ann' })))).to.include({
      valid: true,
      chainValid: false,
    });
    expect(pki.requests).to.deep.equal([]);
  });

  it('checks revocation at the addresses in certificates once allowed, and never calls them before', async () => {
    const addresses = { ocsp: `${pki.url}/ocsp`, crl: `${pki.url}/list.crl`, issuer: `${pki.url}/issuer.cer` };
    const [ann, bad] = [
      await listed.issue({ name: 'Ann', ...addresses }),
      await listed.issue({ name: 'Bad', ...addresses }),
    ];
    const asking = await start({
      trust: { useEUTL: true },
      allowAIA: true,
      revocation: { mode: 'OCSP', hardFail: true },
    });
    const signed = await sign(asking, listed, ann);
    const revoked = await sign(asking, listed, bad);
    await listed.revoke(bad);
    expect(await validate(asking, signed)).to.include({
      chainValid: true,
      revocationChecked: true,
      revocationStatus: 'good',
    });
    expect(fetched()).to.deep.equal(['/ocsp']);
    const report = await validate(asking, revoked);
    expect(report).to.include({ valid: true, chainValid: false, revocationStatus: 'revoked' });
    expect(report.chainValidationError).to.contain('revoked');
    const silent = await start({
      trust: { useEUTL: true },
      allowAIA: false,
      revocation: { mode: 'ocsp+crl', hardFail: true },
    });
    expect(await validate(silent, revoked)).to.include({ chainValid: false, revocationStatus: 'soft-fail' });
    const soft = await start({ trust: { useEUTL: true }, revocation: { mode: 'crl' } });
    expect(await validate(soft, revoked)).to.include({ chainValid: true, revocationStatus: 'good' });
    expect(fetched()).to.deep.equal([]);
  });

  it('never calls internal addresses in certificates, and answers in time', async () => {
    const inside = await listed.issue({
      name: 'Inside',
      ocsp: 'http://localhost:1/ocsp',
      crl: 'http://169.254.169.254/latest/meta-data',
    });
    const hanging = await listed.issue({ name: 'Hanging', ocsp: pki.route('/hangs', () => () => undefined) });
    const server = await start({
      trust: { useEUTL: true },
      allowAIA: true,
      revocation: { mode: 'ocsp+crl', hardFail: true },
    });
    expect(await validate(server, await sign(server, listed, inside))).to.include({
      chainValid: false,
      revocationStatus: 'soft-fail',
    });
    expect(await validate(server, await sign(server, listed, hanging))).to.include({
      chainValid: false,
      revocationStatus: 'soft-fail',
    });
  });

  it('starts at once when lists are unreachable, and reports this for the signature', async () => {
    const server = await createTestServer({
      plugins: ['@quire/plugin-signing', '@quire/plugin-admin-cert'],
      settings: {
        outbound: { allowed: ['127.0.0.1'] },
        security: {
          validation: {
            trust: { useAATL: true, useEUTL: true },
            aatl: { url: `${pki.url}/hangs` },
            eutl: { lotlUrl: `${pki.url}/absent` },
          },
        },
      },
    });
    servers.push(server);
    await server.start();
    expect(
      (await post(`${server.url}/api/v1/security/validate-signature`, [file(plain, 'plain.pdf')])).status,
    ).to.equal(200);
  });
});
