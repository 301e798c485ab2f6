import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@quire/registry';
import { isQuireError, StartupError } from '@quire/registry/errors';
import type { Settings } from '../settings/index.js';
import {
  checkStoreVersion,
  keepFact,
  openStore,
  storeAddress,
  storeFacts,
  type Store,
  type StoreAddress,
} from '../store/index.js';

/** Timing of the wait for an unreachable store. */
export interface StorePatience {
  /** Time between two attempts, ms. */
  readonly retryMs: number;
  /**
   * How long an error may last that probably is not an unreachable server but may come from a network that is still
   * being set up, ms.
   */
  readonly doubtMs: number;
  /** Time between two log lines, ms. */
  readonly tellMs: number;
}

export interface StoreStart {
  readonly settings: Settings;
  readonly log: Logger;
  /** Product version. */
  readonly version: string;
  /** True while a store is being moved into this one; that does not mark it as used by servers. */
  readonly moving?: boolean;
  readonly patience?: StorePatience;
}

const usual: StorePatience = { retryMs: 1000, doubtMs: 10_000, tellMs: 30_000 };

/**
 * Unauthorized, AuthenticationFailed, MechanismUnavailable, and the codes of hosted services: retrying does not help.
 */
const refusedCodes = new Set([13, 18, 334, 8000]);
const refusedNames = new Set([
  'MongoCompatibilityError',
  'MongoInvalidArgumentError',
  'MongoMissingCredentialsError',
  'MongoMissingDependencyError',
]);
const doubtful = new RegExp(
  [
    'ENOTFOUND',
    'EAI_AGAIN',
    'querySrv',
    'queryTxt',
    'ENODATA',
    'certificate',
    String.raw`self.signed`,
    'SSL',
    'TLS',
    'altnames',
    'MongoParseError',
    'Invalid message',
    'ERR_',
    String.raw`^connection \d+ to .* closed`,
  ].join('|'),
  'i',
);

/**
 * Opens the store of the settings. Waits for an unreachable MongoDB and logs this from time to time. Throws
 * SETTINGS_INVALID when MongoDB rejects the user, the address cannot be right, or the data has another format. No
 * message contains a password.
 */
export async function openServerStore({
  settings,
  log,
  version,
  moving = false,
  patience = usual,
}: StoreStart): Promise<Store> {
  const address = storeAddress(settings);
  if (address === undefined) {
    const store = await openStore({ kind: 'embedded', folder: settings.paths.store });
    return checked(store, () =>
      checkStoreVersion(store, { where: settings.paths.store, by: version, now: new Date() }),
    );
  }
  const { url, database, setting } = address;
  const store = await openStore({ kind: 'mongodb', url, database }).catch((error: unknown) => {
    throw isQuireError(error)
      ? error
      : refused(setting, withoutSecrets(error instanceof Error ? error.message : 'it cannot be read', url), error);
  });
  const hosts = hostsOf(store);
  return checked(store, async () => {
    await waitFor(store, { hosts, address, log, patience });
    const [where, now] = [`The store ${database} at ${hosts} (${setting})`, await store.serverTime()];
    await checkStoreVersion(store, { where, by: version, now });
    if (moving) return;
    if ((await storeFacts(store).get('move'))?.value === 'unfinished')
      throw new StartupError('SETTINGS_INVALID', {
        where,
        detail: 'a move of an embedded store into it was interrupted; run npm run store:migrate again',
      });
    await keepFact(storeFacts(store), { id: 'used', value: 1, by: version, at: now.toISOString() });
  });
}

/**
 * Runs a start-up step that needs the store, and repeats it while the store is unreachable. `step` must be safe to
 * repeat.
 */
export async function whenStoreAnswers<T>(
  store: Store,
  log: Logger,
  step: () => Promise<T>,
  { retryMs, tellMs } = usual,
): Promise<T> {
  for (let toldAt = -Infinity; ;) {
    try {
      return await step();
    } catch (error) {
      if (store.kind === 'embedded' || !isQuireError(error) || error.code !== 'STORE_DOWN') throw error;
      if (performance.now() - toldAt >= tellMs) {
        toldAt = performance.now();
        log.warn(
          { reason: error.cause instanceof Error ? error.cause.name : 'unknown' },
          'waiting for MongoDB, which went away during the start',
        );
      }
      await delay(retryMs);
    }
  }
}

async function checked(store: Store, check: () => Promise<void>): Promise<Store> {
  try {
    await check();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function waitFor(
  store: Store,
  {
    hosts,
    address: { url, setting },
    log,
    patience,
  }: { readonly hosts: string; readonly address: StoreAddress; readonly log: Logger; readonly patience: StorePatience },
): Promise<void> {
  let doubtfulSince: number | undefined;
  let toldAt = -Infinity;
  for (;;) {
    try {
      // Connects explicitly: after a failed first connection the driver does not try again by itself.
      await store.mongo?.client.connect();
      await storeFacts(store).get('version');
      if (toldAt > -Infinity) log.info({ hosts }, 'MongoDB answers; the start goes on');
      return;
    } catch (error) {
      const now = performance.now();
      const { text, certain } = reasonOf(error, url);
      if (certain)
        throw refused(
          setting,
          `MongoDB at ${hosts} rejects this server: ${text}. Check user, password and authSource`,
          error,
        );
      doubtfulSince = doubtful.test(text) ? (doubtfulSince ?? now) : undefined;
      if (doubtfulSince !== undefined && now - doubtfulSince > patience.doubtMs)
        throw refused(setting, `no MongoDB can be reached at ${hosts}: ${text}`, error);
      if (now - toldAt >= patience.tellMs) {
        toldAt = now;
        log.warn(
          { hosts, reason: text },
          `waiting for MongoDB (${setting}): it cannot be reached; the server starts when it answers`,
        );
      }
      await delay(patience.retryMs);
    }
  }
}

/** Returns the driver's message without secrets, and whether retrying is useless. */
function reasonOf(error: unknown, url: string): { readonly text: string; readonly certain: boolean } {
  const chain: Told[] = [];
  for (
    let at: Told | undefined = error as Told;
    typeof at === 'object' && at !== null && chain.length < 5;
    at = at.cause as Told | undefined
  )
    chain.push(...serverFaults(at), at);
  const told = chain.filter((one) => !isQuireError(one));
  const certain = told.some(({ code, name }) => refusedCodes.has(Number(code)) || refusedNames.has(String(name)));
  const text =
    told
      .map(({ name, message }) => `${name === 'MongoParseError' ? `${name} ` : ''}${message ?? ''}`)
      .filter((part) => part.trim() !== '')[0]
      ?.split('\n')[0]
      ?.replace(/[.\s]+$/, '') ?? 'no answer';
  return { text: withoutSecrets(text, url), certain };
}

interface Told {
  readonly name?: string;
  readonly code?: unknown;
  readonly message?: string;
  readonly cause?: unknown;
  /** The driver's finding for each server, in its error about server selection. */
  readonly reason?: { readonly servers?: ReadonlyMap<string, { readonly error?: Told | null }> };
}

/** Returns the errors of the single servers: they say more than "no server found in time". */
function serverFaults({ reason }: Told): Told[] {
  return reason?.servers instanceof Map
    ? [...reason.servers.values()].flatMap(({ error }) => (error === undefined || error === null ? [] : [error]))
    : [];
}

function hostsOf(store: Store): string {
  const { options } = store.mongo?.client ?? {};
  return options?.srvHost ?? options?.hosts.join(',') ?? 'the address';
}

function withoutSecrets(text: string, url: string): string {
  const userinfo = /^[^:]+:\/\/(.*)@/s.exec(url)?.[1] ?? '';
  const password = userinfo.slice(userinfo.indexOf(':') + 1);
  const secrets = [url, userinfo, ...(userinfo.includes(':') ? [password, decoded(password)] : [])].filter(
    (part) => part !== '',
  );
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, '…'), text);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refused(setting: string, detail: string, cause: unknown): StartupError {
  return new StartupError('SETTINGS_INVALID', { where: setting, detail }, { cause });
}
