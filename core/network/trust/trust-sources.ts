import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { isQuireError, type Logger, type ServerKeystore, type SettingsReader, type TrustState } from '@quire/registry';
import type { AnchorStore } from './anchor-store.js';
import type { KeptLists } from './kept-lists.js';
import type { ListReader } from './lists/list-reader.js';

export type SourceName = TrustState['sources'][number]['name'];

/** The dependencies for loading sources. */
export interface SourceDeps {
  readonly settings: SettingsReader;
  readonly anchors: AnchorStore;
  readonly lists: KeptLists;
  readonly reader: ListReader;
  readonly log: Logger;
  readonly signal: AbortSignal;
  serverKeystore(): ServerKeystore;
}

/** A source of anchors; `load` gives how many it has. */
export interface TrustSource {
  readonly name: SourceName;
  /** True for lists that are fetched from other servers. */
  readonly remote: boolean;
  readonly load: (deps: SourceDeps) => Promise<number>;
}

const PARALLEL = 4;

/** The sources that the settings enable, in the order of the contract. */
export function enabledSources(settings: SettingsReader): readonly TrustSource[] {
  const all: readonly (TrustSource & { readonly setting: string })[] = [
    { name: 'server', setting: 'serverAsAnchor', remote: false, load: loadServer },
    { name: 'system', setting: 'useSystemTrust', remote: false, load: loadSystem },
    {
      name: 'mozilla',
      setting: 'useMozillaBundle',
      remote: false,
      load: async ({ anchors }) => anchors.add(rootCertificates.map(derOf)),
    },
    { name: 'aatl', setting: 'useAATL', remote: true, load: loadApproved },
    { name: 'eutl', setting: 'useEUTL', remote: true, load: loadEuropean },
  ];
  return all
    .filter(({ setting }) => settings.get<boolean>(`security.validation.trust.${setting}`))
    .map(({ name, remote, load }) => ({ name, remote, load }));
}

/**
 * The certificate that the server signs with, self-signed or not. Empty while the feature is disabled.
 */
async function loadServer({ anchors, serverKeystore }: SourceDeps): Promise<number> {
  try {
    const { certificate } = await serverKeystore().certificates();
    return anchors.add([Buffer.from(certificate, 'base64')], { selfSigned: true });
  } catch (error) {
    if (isQuireError(error) && error.code.startsWith('SERVER_CERTIFICATE_')) return 0;
    throw error;
  }
}

async function loadSystem({ settings, anchors }: SourceDeps): Promise<number> {
  const text = await readFile(settings.get<string>('system.caBundle'), 'utf8');
  return anchors.add(
    text.match(/-----BEGIN (?:TRUSTED )?CERTIFICATE-----[\s\S]+?-----END (?:TRUSTED )?CERTIFICATE-----/g)?.map(derOf) ??
      [],
  );
}

async function loadApproved({ settings, anchors, lists, reader, signal }: SourceDeps): Promise<number> {
  const certificates = await lists.get(
    'aatl.url',
    settings.get<string>('security.validation.aatl.url'),
    (path) => reader.read({ kind: 'approved', path }),
    signal,
  );
  return anchors.add(certificates.map((der) => Buffer.from(der, 'base64')));
}

/**
 * The national lists that the list of lists points to, each signed by whom that one says. A national list that fails is
 * left out.
 */
async function loadEuropean({ settings, anchors, lists, reader, log, signal }: SourceDeps): Promise<number> {
  const lotl = settings.get<string>('security.validation.eutl.lotlUrl');
  const pins = settings.get<readonly string[]>('security.validation.eutl.lotlSigners');
  const acceptTransitional = settings.get<boolean>('security.validation.eutl.acceptTransitional');
  const {
    lists: pointers,
    signer,
    nextUpdate,
  } = await lists.get('eutl.lotlUrl', lotl, (path) => reader.read({ kind: 'list-of-lists', path, pins }), signal);
  if (pins.length === 0)
    log.warn(
      { url: lotl, signer },
      'the list of lists was signed by this certificate, and security.validation.eutl.lotlSigners does not say ' +
        'by which it must be',
    );
  warnOfAge(log, lotl, nextUpdate);
  const waiting = [...pointers];
  let count = 0;
  await Promise.all(
    Array.from({ length: PARALLEL }, async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { url, signers } = next;
        try {
          const list = await lists.get(
            'eutl.lotlUrl',
            url,
            (path) => reader.read({ kind: 'national', path, signers, acceptTransitional }),
            signal,
          );
          warnOfAge(log, url, list.nextUpdate);
          count += anchors.add(list.certificates.map((der) => Buffer.from(der, 'base64')));
        } catch (error) {
          signal.throwIfAborted();
          log.warn({ url, err: error }, 'a national trust list could not be loaded and is left out');
        }
      }
    }),
  );
  return count;
}

function warnOfAge(log: Logger, url: string, nextUpdate: string | undefined): void {
  if (nextUpdate !== undefined && Date.parse(nextUpdate) < Date.now())
    log.warn({ url, nextUpdate }, 'a trust list is older than it should be');
}

function derOf(pem: string): Uint8Array {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  // OpenSSL's trusted certificates have more behind the certificate.
  const length = (der[1] ?? 0) === 0x82 ? der.readUInt16BE(2) + 4 : der.length;
  return der.subarray(0, length);
}
