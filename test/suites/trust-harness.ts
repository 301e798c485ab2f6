import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameKeyOf } from '@quire/document/signatures/certification-path';
import { InputError, type BasePaths, type ServerKeystore, type TrustState } from '@quire/registry';
import { createOutbound } from '../../core/network/outbound/index.js';
import { ServerTrust } from '../../core/network/trust/index.js';
import { Authority, type Issued, PkiServer } from '../pki/index.js';

const emptyKeystore: ServerKeystore = {
  certificates: () => Promise.reject(new InputError('SERVER_CERTIFICATE_ABSENT')),
  sign: () => Promise.reject(new InputError('SERVER_CERTIFICATE_ABSENT')),
};

export const withCertificate = (der: Buffer): ServerKeystore => ({
  ...emptyKeystore,
  certificates: async () => ({ certificate: der.toString('base64'), chain: [] }),
});

export async function trusts(made: ServerTrust, { own: { certificate } }: Pick<Authority, 'own'>): Promise<boolean> {
  return (await made.anchors([nameKeyOf(certificate, 'subject') ?? ''])).includes(certificate.toString('base64'));
}

/** Loads the sources and returns the state of the first one. */
export async function sourceOf(made: ServerTrust): Promise<TrustState['sources'][number] | undefined> {
  await made.anchors([]);
  return (await made.state()).sources[0];
}

/** A PKI with an HTTP server for lists, and trust services whose log is recorded. */
export class TrustHarness {
  readonly logged: { level: string; data: Readonly<Record<string, unknown>>; message: string }[] = [];
  readonly #running: (() => Promise<void>)[] = [];

  private constructor(
    readonly folder: string,
    readonly server: PkiServer,
    readonly root: Authority,
    readonly other: Authority,
    readonly ann: Issued,
  ) {}

  static async start(): Promise<TrustHarness> {
    const folder = await mkdtemp(join(tmpdir(), 'quire-trust-'));
    const server = await PkiServer.start();
    const root = await Authority.root(join(folder, 'root'), { name: 'Trust Root', key: 'rsa2048' });
    const other = await Authority.root(join(folder, 'other'), { name: 'Other Root' });
    return new TrustHarness(folder, server, root, other, await root.issue({ name: 'Ann' }));
  }

  /** Forgets the requests and log entries so far. */
  reset(): void {
    this.server.requests.length = 0;
    this.logged.length = 0;
  }

  async stopServices(): Promise<void> {
    await Promise.all(this.#running.splice(0).map((stop) => stop()));
  }

  async stop(): Promise<void> {
    await this.server.stop();
    await rm(this.folder, { recursive: true });
  }

  async trust(
    settings: Readonly<Record<string, unknown>>,
    {
      keystore = emptyKeystore,
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
      'security.validation.aatl.url': `${this.server.url}/tl.pdf`,
      'security.validation.eutl.lotlUrl': `${this.server.url}/lotl.xml`,
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
        (data: object, message: string) =>
          void this.logged.push({ level, data: data as Record<string, unknown>, message }),
      ]),
    ) as unknown as ConstructorParameters<typeof ServerTrust>[0]['log'];
    const made = new ServerTrust({
      settings: reader,
      paths: { base: base ?? (await mkdtemp(join(this.folder, 'base-'))) } as BasePaths,
      outbound,
      log,
      serverKeystore: () => keystore,
      patienceMs,
    });
    this.#running.push(async () => {
      await made.stop();
      await outbound.close();
    });
    return made;
  }

  warnings(): string {
    return this.logged
      .filter(({ level }) => level === 'warn')
      .map(({ data, message }) => `${message} ${String((data['err'] as Error | undefined)?.message ?? '')}`)
      .join('\n');
  }

  serve(path: string, bytes: Uint8Array): string {
    return this.server.route(path, () => ({ type: 'application/octet-stream', bytes }));
  }
}
