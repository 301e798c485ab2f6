import { expect } from 'chai';
import { X509Certificate } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EndpointAnswer, EndpointRequest, PluginContext, QuireError, Token } from '@quire/registry';
import { tokens } from '@quire/registry';
import plugin from '../../src/index.js';

const request = {
  params: {}, query: {}, payload: {}, files: {}, headers: {}, address: '127.0.0.1', signal: new AbortController().signal,
  principal: { id: 'a', name: 'admin', role: 'admin', via: 'key' },
} satisfies EndpointRequest;

describe('endpoints of the server certificate', () => {
  let base: string;
  beforeEach(() => { base = mkdtempSync(join(tmpdir(), 'quire-admin-cert-')); });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function start(changes: Record<string, unknown> = {}, now = '2026-01-02T03:04:05Z'): PluginContext {
    const values: Record<string, unknown> = {
      'system.serverCertificate.enabled': true, 'system.serverCertificate.organizationName': 'Quire Inc', 'system.serverCertificate.validity': 365,
      'system.serverCertificate.regenerateOnStartup': false, ...changes,
    };
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const made = new Map<symbol, unknown>([
      [tokens.settings.symbol, { get: (path: string) => values[path] }], [tokens.clock.symbol, { now: () => new Date(now) }],
      [tokens.paths.symbol, { configs: join(base, 'configs') }],
    ]);
    const ctx: PluginContext = {
      options: {}, log,
      use: <T>(token: Token<T>): T => {
        const binding = plugin.services?.find((service) => service.token.symbol === token.symbol);
        if (!made.has(token.symbol) && binding !== undefined) made.set(token.symbol, binding.create(ctx));
        return made.get(token.symbol) as T;
      },
    };
    return ctx;
  }
  async function ask(id: string, ctx: PluginContext): Promise<EndpointAnswer> {
    const endpoint = plugin.endpoints.find((candidate) => candidate.id === id);
    if (endpoint === undefined) throw new Error(`no endpoint ${id}`);
    return endpoint.handle(request, ctx);
  }
  const keystore = (): string => join(base, 'configs', 'server-certificate.p12');

  it('makes a certificate by the first use, readable by the server alone', async () => {
    const ctx = start();
    const { json } = await ask('serverCertificateInfo', ctx);
    expect(json).to.deep.equal({
      exists: true, subject: 'CN=Quire Inc Server,O=Quire Inc,C=US', issuer: 'CN=Quire Inc Server,O=Quire Inc,C=US',
      validFrom: '2026-01-02T03:04:05.000Z', validTo: '2027-01-02T03:04:05.000Z',
    });
    expect(statSync(keystore()).mode & 0o777).to.equal(0o600);
    expect(readdirSync(join(base, 'configs'))).to.deep.equal(['server-certificate.p12']);
  });

  it('does not make the start wait, and ends cleanly when the server stops before the certificate was wanted', async () => {
    const ctx = start();
    await plugin.start?.(ctx);
    expect(existsSync(keystore())).to.equal(false);
    await plugin.stop?.(ctx);
    expect(existsSync(keystore())).to.equal(false);
  });

  it('hands out the certificate as a file, the same after a restart', async () => {
    const first = await ask('serverCertificateDownload', start());
    expect(first.file).to.include({ name: 'server-cert.cer', mediaType: 'application/pkix-cert' });
    const again = await ask('serverCertificateDownload', start());
    expect(Buffer.from(again.file?.bytes ?? []).equals(Buffer.from(first.file?.bytes ?? []))).to.equal(true);
    expect(new X509Certificate(first.file?.bytes ?? Buffer.alloc(0)).subject).to.include('CN=Quire Inc Server');
  });

  it('replaces the certificate at each start when that is set', async () => {
    await ask('serverCertificateInfo', start());
    const ctx = start({ 'system.serverCertificate.regenerateOnStartup': true, 'system.serverCertificate.validity': 10 }, '2026-05-01T00:00:00Z');
    expect((await ask('serverCertificateInfo', ctx)).json).to.include({ validFrom: '2026-05-01T00:00:00.000Z', validTo: '2026-05-11T00:00:00.000Z' });
    const bytes = readFileSync(keystore());
    await ask('serverCertificateInfo', ctx);
    expect(readFileSync(keystore()).equals(bytes)).to.equal(true);
  });

  it('says that there is none while the feature is off, and makes none', async () => {
    const ctx = start({ 'system.serverCertificate.enabled': false });
    await plugin.start?.(ctx);
    expect((await ask('serverCertificateEnabled', ctx)).json).to.equal(false);
    expect((await ask('serverCertificateInfo', ctx)).json).to.deep.equal({ exists: false, subject: null, issuer: null, validFrom: null, validTo: null });
    expect(await ask('serverCertificateDownload', ctx).catch((error: unknown) => (error as QuireError).code)).to.equal('NOT_FOUND');
    expect(existsSync(keystore())).to.equal(false);
  });

  it('keeps a keystore that it cannot read, and says so', async () => {
    mkdirSync(join(base, 'configs'));
    writeFileSync(keystore(), 'not a keystore');
    expect(await ask('serverCertificateInfo', start()).catch((error: unknown) => (error as QuireError).code)).to.equal('SERVICE_NOT_SET_UP');
    expect(readFileSync(keystore(), 'utf8')).to.equal('not a keystore');
  });

  it('is for administrators of a server with login', () => {
    for (const { access } of plugin.endpoints) expect(access).to.deep.equal({ role: 'admin', needsLogin: true, hosting: 'selfHosted' });
  });
});
