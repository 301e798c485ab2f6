import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestServer, type TestServerOptions } from '@quire/core';
import { Authority, openssl, type Issued } from '../../pki/index.js';
import { field, file, json, post, send, type Answer, type Part } from './client.js';
import { bossName, bossPassword, globalKey, sessionOf } from './login.js';
import { unrulyPlugin, type TestServer } from './server.js';

export const ADDRESS = '/api/v1/admin/server-certificate';
/** The password with which the server encrypts its own keystore file. */
export const FIXED_PASSWORD = 'server-certificate';
/** The password of the keystores that the tests upload. */
export const secret = 's3cret-of-the-keystore';
export const security = {
  enableLogin: true,
  customGlobalAPIKey: globalKey,
  initialLogin: { username: bossName, password: bossPassword },
};

/** A server with login and the server certificate, and an authority that issues certificates for it. */
export class CertificateSetup {
  readonly base = mkdtempSync(join(tmpdir(), 'quire-server-certificate-'));
  pki!: Authority;
  ann!: Issued;
  server!: TestServer;
  boss!: { readonly authorization: string };

  async create(): Promise<void> {
    const root = await Authority.root(join(this.base, 'root'), { name: 'Office Root' });
    this.pki = await root.authority(join(this.base, 'inner'), { name: 'Office Inner' });
    this.ann = await this.pki.issue({ name: 'Office Seal', key: 'rsa2048' });
    await this.start();
  }
  async remove(): Promise<void> {
    await (this.server as TestServer | undefined)?.stop();
    rmSync(this.base, { recursive: true, force: true });
  }

  async start(settings: TestServerOptions['settings'] = {}): Promise<void> {
    this.server = await createTestServer({
      settings: { security, ...settings },
      plugins: ['@quire/plugin-admin-cert', unrulyPlugin],
      basePath: join(this.base, 'data'),
    });
    await this.server.start();
    this.boss = await sessionOf(this.server);
  }
  async restart(settings: TestServerOptions['settings'] = {}): Promise<void> {
    await this.server.stop();
    await this.start(settings);
  }

  keystoreFile(): string {
    return join(this.base, 'data', 'configs', 'server-certificate.p12');
  }
  get(path: string, headers: Readonly<Record<string, string>> = this.boss): Promise<Answer> {
    return send(`${this.server.url}${ADDRESS}${path}`, { headers });
  }
  upload(keystore: Uint8Array, password = secret, name = 'office.p12'): Promise<Answer> {
    const parts = [file(keystore, name, 'file'), field('password', password)];
    return post(`${this.server.url}${ADDRESS}/upload`, parts, this.boss);
  }
  generate(): Promise<Answer> {
    return send(`${this.server.url}${ADDRESS}/generate`, { method: 'POST', headers: this.boss });
  }
  delete(): Promise<Answer> {
    return send(`${this.server.url}${ADDRESS}`, { method: 'DELETE', headers: this.boss });
  }
  /** The certificate that the server offers for download. */
  async current(): Promise<Buffer> {
    return (await this.get('/certificate')).body;
  }
  /** Signs with the server certificate in a worker. */
  signed(scheme: readonly Part[] = []): Promise<Answer> {
    const parts = [file(Buffer.from('attributes'), 'a.txt'), ...scheme];
    return post(`${this.server.url}/api/v1/misc/unruly-signature`, parts, this.boss);
  }
  /** The certificate that a worker signs with. */
  async signer(): Promise<Buffer> {
    return Buffer.from(json<{ certificate: string }>(await this.signed()).certificate, 'base64');
  }
}

/** Creates the setup before the tests and removes it after them; skips them without openssl on PATH. */
export function useServerCertificate(): CertificateSetup {
  const setup = new CertificateSetup();
  before(async function create() {
    await openssl(setup.base, ['version']).catch(() => this.skip());
    await setup.create();
  });
  after(() => setup.remove());
  return setup;
}

/** Expects 200 with a plain text that contains these words. */
export function expectText(answer: Answer, ...words: readonly string[]): void {
  expect(answer.status, answer.body.toString()).to.equal(200);
  expect(answer.headers['content-type']).to.match(/^text\/plain/);
  for (const word of words) expect(answer.body.toString()).to.include(word);
}
