import { expect } from 'chai';
import { constants, verify, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  EndpointAnswer,
  EndpointRequest,
  PluginContext,
  QuireError,
  ServerKeystore,
  Token,
  SharedFiles,
} from '@quire/registry';
import { tokens } from '@quire/registry';
import plugin from '../../src/index.js';

const request = {
  params: {},
  query: {},
  payload: {},
  files: {},
  headers: {},
  address: '127.0.0.1',
  signal: new AbortController().signal,
  principal: { id: 'a', name: 'admin', role: 'admin', via: 'key' },
} satisfies EndpointRequest;

describe('endpoints of the server certificate', () => {
  let base: string;
  beforeEach(() => {
    base = mkdtempSync(join(tmpdir(), 'quire-admin-cert-'));
  });
  afterEach(() => rmSync(base, { recursive: true, force: true }));

  function start(
    changes: Record<string, unknown> = {},
    now = '2026-01-02T03:04:05Z',
    sharedFiles: Partial<SharedFiles> = { shared: false },
  ): PluginContext {
    const values: Record<string, unknown> = {
      'system.serverCertificate.enabled': true,
      'system.serverCertificate.organizationName': 'Quire Inc',
      'system.serverCertificate.validity': 365,
      'system.serverCertificate.regenerateOnStartup': false,
      ...changes,
    };
    const log = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
    const made = new Map<symbol, unknown>([
      [tokens.settings.symbol, { get: (path: string) => values[path] }],
      [tokens.clock.symbol, { now: () => new Date(now) }],
      [tokens.paths.symbol, { configs: join(base, 'configs') }],
      [tokens.sharedFiles.symbol, sharedFiles],
    ]);
    const ctx: PluginContext = {
      options: {},
      log,
      use: <T>(token: Token<T>): T => {
        const binding = [...(plugin.services ?? []), ...(plugin.offers ?? [])].find(
          (service) => service.token.symbol === token.symbol,
        );
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
    const { json } = await ask('getServerCertificate', ctx);
    expect(json).to.deep.equal({
      exists: true,
      subject: 'CN=Quire Inc Server,O=Quire Inc,C=US',
      issuer: 'CN=Quire Inc Server,O=Quire Inc,C=US',
      validFrom: '2026-01-02T03:04:05.000Z',
      validTo: '2027-01-02T03:04:05.000Z',
    });
    expect(statSync(keystore()).mode & 0o777).to.equal(0o600);
    expect(readdirSync(join(base, 'configs'))).to.deep.equal(['server-certificate.p12']);
  });

  it('does not delay the start, and ends cleanly if the server stops first', async () => {
    const ctx = start();
    await plugin.start?.(ctx);
    expect(existsSync(keystore())).to.equal(false);
    await plugin.stop?.(ctx);
    expect(existsSync(keystore())).to.equal(false);
  });

  it('returns the certificate as a file, the same after a restart', async () => {
    const first = await ask('downloadServerCertificate', start());
    expect(first.file).to.include({ name: 'server-cert.cer', mediaType: 'application/pkix-cert' });
    const again = await ask('downloadServerCertificate', start());
    expect(Buffer.from(again.file?.bytes ?? []).equals(Buffer.from(first.file?.bytes ?? []))).to.equal(true);
    expect(new X509Certificate(first.file?.bytes ?? Buffer.alloc(0)).subject).to.include('CN=Quire Inc Server');
  });

  it('replaces the certificate at each start when that is set', async () => {
    await ask('getServerCertificate', start());
    const ctx = start(
      { 'system.serverCertificate.regenerateOnStartup': true, 'system.serverCertificate.validity': 10 },
      '2026-05-01T00:00:00Z',
    );
    expect((await ask('getServerCertificate', ctx)).json).to.include({
      validFrom: '2026-05-01T00:00:00.000Z',
      validTo: '2026-05-11T00:00:00.000Z',
    });
    const bytes = readFileSync(keystore());
    await ask('getServerCertificate', ctx);
    expect(readFileSync(keystore()).equals(bytes)).to.equal(true);
  });

  it('says that there is none while the feature is off, and makes none', async () => {
    const ctx = start({ 'system.serverCertificate.enabled': false });
    await plugin.start?.(ctx);
    expect((await ask('checkServerCertificateEnabled', ctx)).json).to.equal(false);
    expect((await ask('getServerCertificate', ctx)).json).to.deep.equal({
      exists: false,
      subject: null,
      issuer: null,
      validFrom: null,
      validTo: null,
    });
    expect(await ask('downloadServerCertificate', ctx).catch((error: unknown) => (error as QuireError).code)).to.equal(
      'NOT_FOUND',
    );
    expect(existsSync(keystore())).to.equal(false);
  });

  it('keeps a keystore that it cannot read, and says so', async () => {
    mkdirSync(join(base, 'configs'));
    writeFileSync(keystore(), 'not a keystore');
    expect(await ask('getServerCertificate', start()).catch((error: unknown) => (error as QuireError).code)).to.equal(
      'SERVICE_NOT_SET_UP',
    );
    expect(readFileSync(keystore(), 'utf8')).to.equal('not a keystore');
  });

  it('takes permissions away from others that a copied keystore came with', async () => {
    await ask('getServerCertificate', start());
    chmodSync(keystore(), 0o644);
    await ask('getServerCertificate', start());
    expect(statSync(keystore()).mode & 0o777).to.equal(0o600);
  });

  it('removes what a start that was cut off left of a keystore', async () => {
    mkdirSync(join(base, 'configs'));
    writeFileSync(join(base, 'configs', 'server-certificate.p12.1234.new'), 'half');
    await ask('getServerCertificate', start());
    expect(readdirSync(join(base, 'configs'))).to.deep.equal(['server-certificate.p12']);
  });

  it('generates nothing and keeps the old one while the feature is off', async () => {
    await ask('getServerCertificate', start());
    const bytes = readFileSync(keystore());
    expect(
      await ask('generateServerCertificate', start({ 'system.serverCertificate.enabled': false })).catch(
        (error: unknown) => (error as QuireError).code,
      ),
    ).to.equal('SERVER_CERTIFICATE_DISABLED');
    expect(readFileSync(keystore()).equals(bytes)).to.equal(true);
  });

  it('makes changes that come at once one after the other, and leaves one whole keystore', async () => {
    const ctx = start();
    await Promise.all([
      ask('generateServerCertificate', ctx),
      ask('deleteServerCertificate', ctx),
      ask('generateServerCertificate', ctx),
      ask('generateServerCertificate', ctx),
    ]);
    expect((await ask('getServerCertificate', start())).json).to.include({ exists: true });
    expect(readdirSync(join(base, 'configs'))).to.deep.equal(['server-certificate.p12']);
  });

  describe('of servers that share a store', () => {
    /** Files as a store keeps them, for two servers. */
    function storeOfFiles(): SharedFiles {
      const kept = new Map<string, Uint8Array>();
      return {
        shared: true,
        list: async (folder) =>
          [...kept]
            .filter(([path]) => path.startsWith(`${folder}/`))
            .map(([path, { length }]) => ({ name: path.slice(folder.length + 1), size: length, time: 0 })),
        read: async (path) => kept.get(path),
        write: async (path, bytes) => void kept.set(path, bytes),
        create: async (path, bytes) => !kept.has(path) && kept.set(path, bytes) !== undefined,
        remove: async (path) => kept.delete(path),
      };
    }
    const certificateOf = async (ctx: PluginContext): Promise<string> =>
      (await ctx.use(tokens.serverKeystore).certificates()).certificate;

    it('is one, whichever server creates it, and none of its files are beside a server', async () => {
      const files = storeOfFiles();
      const [one, two] = [start({}, undefined, files), start({}, undefined, files)];
      const both = await Promise.all([one, two].map(certificateOf));
      expect(both[0]).to.equal(both[1]);
      expect(existsSync(join(base, 'configs'))).to.equal(false);
      await ask('generateServerCertificate', one);
      expect(await certificateOf(two), 'until its next start').to.equal(both[0]);
      expect(await certificateOf(start({}, undefined, files))).not.to.equal(both[0]);
    });

    it('signs on none of them from the moment on that one deletes it, also when another is made', async () => {
      const files = storeOfFiles();
      const [one, two] = [start({}, undefined, files), start({}, undefined, files)];
      await Promise.all([one, two].map(certificateOf));
      await ask('deleteServerCertificate', one);
      await ask('generateServerCertificate', one);
      for (const ctx of [one, two])
        expect(await certificateOf(ctx).catch((error: QuireError) => error.code)).to.equal(
          'SERVER_CERTIFICATE_MISSING',
        );
      expect(await certificateOf(start({}, undefined, files))).to.be.a('string');
    });
  });

  describe('as a key to sign with', () => {
    const scheme = { family: 'rsa', digest: 'sha256' } as const;
    const data = Buffer.from('signed attributes');
    const keystoreOf = (ctx: PluginContext): ServerKeystore => ctx.use(tokens.serverKeystore);
    const current = async (ctx: PluginContext): Promise<string> =>
      Buffer.from((await ask('downloadServerCertificate', ctx)).file?.bytes ?? []).toString('base64');
    const codeOf = (outcome: Promise<unknown>): Promise<unknown> =>
      outcome.then(
        () => 'nothing',
        (error: unknown) => (error as QuireError).code,
      );

    it('signs what its certificate verifies', async () => {
      const ctx = start();
      const { certificate, chain } = await keystoreOf(ctx).certificates();
      expect([certificate, chain]).to.deep.equal([await current(ctx), []]);
      const signature = await keystoreOf(ctx).sign(data.toString('base64'), scheme);
      expect(
        verify(
          'sha256',
          data,
          new X509Certificate(Buffer.from(certificate, 'base64')).publicKey,
          Buffer.from(signature, 'base64'),
        ),
      ).to.equal(true);
    });

    it('stays the one of the start when another is generated, until the next start', async () => {
      const ctx = start();
      const before = await current(ctx);
      await ask('generateServerCertificate', ctx);
      const after = await current(ctx);
      expect(after).not.to.equal(before);
      expect((await keystoreOf(ctx).certificates()).certificate).to.equal(before);
      expect((await keystoreOf(start()).certificates()).certificate).to.equal(after);
    });

    it('stays the one of the start also when the first thing asked is to generate another', async () => {
      const first = await current(start());
      const ctx = start();
      await ask('generateServerCertificate', ctx);
      expect((await keystoreOf(ctx).certificates()).certificate).to.equal(first);
    });

    it('is gone at once when it is deleted, also when another is generated after', async () => {
      const ctx = start();
      await keystoreOf(ctx).certificates();
      expect((await ask('deleteServerCertificate', ctx)).text).to.include('deleted');
      expect(await codeOf(keystoreOf(ctx).sign(data.toString('base64'), scheme))).to.equal(
        'SERVER_CERTIFICATE_MISSING',
      );
      await ask('generateServerCertificate', ctx);
      expect(await codeOf(keystoreOf(ctx).certificates())).to.equal('SERVER_CERTIFICATE_MISSING');
    });

    it('is not there while the feature is off, whatever is on disk', async () => {
      await current(start());
      expect(await codeOf(keystoreOf(start({ 'system.serverCertificate.enabled': false })).certificates())).to.equal(
        'SERVER_CERTIFICATE_DISABLED',
      );
    });

    it('says so when the keystore cannot be read', async () => {
      mkdirSync(join(base, 'configs'));
      writeFileSync(keystore(), 'not a keystore');
      expect(await codeOf(keystoreOf(start()).certificates())).to.equal('SERVICE_NOT_SET_UP');
    });

    it('takes no scheme but that of its key, and nothing long', async () => {
      const ctx = start();
      for (const wrong of [
        { family: 'ecdsa', digest: 'sha256' },
        { family: 'rsa', digest: 'sha512' },
        undefined,
      ] as unknown as readonly (typeof scheme)[]) {
        expect(await codeOf(keystoreOf(ctx).sign(data.toString('base64'), wrong))).to.equal('CONTRACT_BROKEN');
      }
      expect(await codeOf(keystoreOf(ctx).sign(Buffer.alloc(70_000).toString('base64'), scheme))).to.equal(
        'CONTRACT_BROKEN',
      );
      const pss = Buffer.from(
        await keystoreOf(ctx).sign(data.toString('base64'), { family: 'rsa-pss', digest: 'sha256' }),
        'base64',
      );
      const key = new X509Certificate(Buffer.from(await current(ctx), 'base64')).publicKey;
      expect(verify('sha256', data, { key, padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }, pss)).to.equal(
        true,
      );
    });
  });

  it('is for administrators of a server with login', () => {
    for (const { access } of plugin.endpoints)
      expect(access).to.deep.equal({ role: 'admin', area: 'certificates', needsLogin: true, hosting: 'selfHosted' });
  });
});
