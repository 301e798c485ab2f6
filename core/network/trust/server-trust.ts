import { join } from 'node:path';
import {
  InputError,
  type BasePaths,
  type CertificateTrust,
  type Logger,
  type Outbound,
  type ServerKeystore,
  type SettingsReader,
  type TrustState,
} from '@quire/registry';
import type { AnchorStore } from './anchor-store.js';
import { KeptLists } from './kept-lists.js';
import { ListReader } from './lists/list-reader.js';
import { PathFetches } from './path-fetches.js';
import { enabledSources, type TrustSource } from './trust-sources.js';

/** A validation waits so long for sources that are still being loaded. */
const PATIENCE_MS = 20_000;
const MAX_NAMES = 1000;

/** The dependencies of the server's trust. */
export interface TrustDeps {
  readonly settings: SettingsReader;
  readonly paths: BasePaths;
  readonly outbound: Outbound;
  readonly log: Logger;
  serverKeystore(): ServerKeystore;
  readonly patienceMs?: number;
}

/**
 * Whom the server trusts (`security.validation` in the settings): loaded once, from then on as it was. Lists of the
 * network take a while and are loaded in the background of a start. Certificates of this machine are read when somebody
 * first asks: 260 of them need libraries and 2 MB of memory, which a server that validates nothing does without.
 */
export class ServerTrust implements CertificateTrust {
  readonly #policy: Omit<TrustState, 'sources'>;
  readonly #sources: { readonly source: TrustSource; state: 'loading' | 'loaded' | 'failed'; anchors: number }[];
  readonly #fetches: PathFetches;
  readonly #ends = new AbortController();
  readonly #reader = new ListReader();
  #anchors: Promise<AnchorStore> | undefined;
  #loading: Promise<void> | undefined;

  constructor(private readonly deps: TrustDeps) {
    const { settings, outbound, log } = deps;
    this.#policy = {
      mode: modeOf(settings.get<string>('security.validation.revocation.mode')),
      hardFail: settings.get<boolean>('security.validation.revocation.hardFail'),
      allowAIA: settings.get<boolean>('security.validation.allowAIA'),
    };
    this.#sources = enabledSources(settings).map((source) => ({ source, state: 'loading', anchors: 0 }));
    this.#fetches = new PathFetches(outbound, log);
  }

  /** Begins to load the sources if there are lists of the network among them, and does not wait for them. */
  start(): void {
    if (this.#sources.some(({ source }) => source.remote)) this.#begin();
  }

  /** Ends what is still being loaded. */
  async stop(): Promise<void> {
    this.#ends.abort();
    this.#reader.close();
    await this.#loading;
  }

  async state(): Promise<TrustState> {
    this.#begin();
    return {
      ...this.#policy,
      sources: this.#sources.map(({ source: { name }, state, anchors }) => ({ name, state, anchors })),
    };
  }

  async anchors(nameKeys: readonly string[]): Promise<readonly string[]> {
    if (
      !Array.isArray(nameKeys) ||
      nameKeys.length > MAX_NAMES ||
      !nameKeys.every((key) => typeof key === 'string' && key.length <= 64)
    )
      throw new InputError('INPUT_INVALID', { detail: `anchors are looked up by at most ${MAX_NAMES} names` });
    this.#begin();
    let patience: NodeJS.Timeout | undefined;
    await Promise.race([
      this.#loading,
      new Promise((resolve) => {
        patience = setTimeout(resolve, this.deps.patienceMs ?? PATIENCE_MS);
      }),
    ]);
    clearTimeout(patience);
    const store = await this.#store();
    return nameKeys.flatMap((key) => store.find(key));
  }

  async fetch(
    kind: 'issuers' | 'ocsp' | 'crl',
    url: string,
    request: string | null,
    signal?: AbortSignal,
  ): Promise<string | null> {
    return this.#policy.allowAIA ? this.#fetches.get(kind, url, request, signal) : null;
  }

  #begin(): void {
    this.#loading ??= this.#load();
  }

  /** Loads all sources at once, so that one that does not respond does not delay the others. */
  async #load(): Promise<void> {
    const { log, settings, outbound, paths } = this.deps;
    const anchors = await this.#store();
    const lists = new KeptLists(join(paths.base, 'trust'), outbound, log);
    await Promise.all(
      this.#sources.map(async (entry) => {
        const { name, load } = entry.source;
        try {
          entry.anchors = await load({
            settings,
            anchors,
            lists,
            reader: this.#reader,
            log,
            signal: this.#ends.signal,
            serverKeystore: () => this.deps.serverKeystore(),
          });
          entry.state = 'loaded';
          log.info({ source: name, anchors: entry.anchors }, 'a source of trust is loaded');
        } catch (error) {
          entry.state = 'failed';
          if (!this.#ends.signal.aborted)
            log.warn({ source: name, err: error }, 'a source of trust could not be loaded and is left out');
        }
      }),
    );
    this.#reader.close();
  }

  #store(): Promise<AnchorStore> {
    return (this.#anchors ??= import('./anchor-store.js').then(({ AnchorStore: Store }) => new Store()));
  }
}

/**
 * Case is ignored; an unknown mode asks OCSP first, then lists (`docs/interface/signing.yml`,
 * security.validation.revocation).
 */
function modeOf(text: string): TrustState['mode'] {
  const mode = text.trim().toLowerCase();
  return mode === 'none' || mode === 'ocsp' || mode === 'crl' ? mode : 'ocsp+crl';
}
