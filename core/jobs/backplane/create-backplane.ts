import { StartupError, type Logger } from '@quire/registry';
import type { ServerSecret } from '../../secrets/index.js';
import type { Settings } from '../../settings/index.js';
import { storeAddress, type Store } from '../../store/index.js';
import { noBackplane, type Backplane } from './backplane.js';

export interface CreateBackplaneDeps {
  readonly settings: Settings;
  readonly secret: ServerSecret;
  readonly store: Store;
  /** True on a node that answers clients. */
  readonly serves: boolean;
  readonly log: Logger;
}

const BACKPLANE = 'cluster.backplane';
const URL_KEY = 'cluster.valkey.url';
/** The client knows the names that Redis gave them. */
const schemes: Readonly<Record<string, string>> = {
  'redis:': 'redis:',
  'rediss:': 'rediss:',
  'valkey:': 'redis:',
  'valkeys:': 'rediss:',
};

/**
 * Opens what `cluster.backplane` names, by default the change stream of a store that has one; it connects in the
 * background. Throws SETTINGS_INVALID for an address that cannot be one, and for a store that cannot be shared.
 */
export async function createBackplane({
  settings,
  secret,
  store,
  serves,
  log,
}: CreateBackplaneDeps): Promise<Backplane> {
  const url = backplaneAddress(settings);
  if (url === undefined) {
    if (settings.get(URL_KEY) !== '')
      log.warn({}, `${settings.origin(URL_KEY)}: ${URL_KEY} has no effect. Set ${BACKPLANE} to valkey.`);
    return openChangeStream(settings, store, serves, log);
  }
  const skipCertVerification = settings.get('cluster.valkey.tls.skipCertVerification');
  if (skipCertVerification && url.startsWith('rediss:'))
    log.warn({}, 'cluster.valkey.tls.skipCertVerification is true: the backplane may be another server than it says');
  const { openValkeyBackplane } = await import('./valkey-backplane.js');
  return openValkeyBackplane({ url, skipCertVerification, key: secret.keyFor('backplane'), log });
}

async function openChangeStream(settings: Settings, store: Store, serves: boolean, log: Logger): Promise<Backplane> {
  const { watch } = store;
  if (watch === undefined || !settings.get('cluster.changeStreams')) return noBackplane;
  const { ChangeStreamBackplane } = await import('./change-stream-backplane.js');
  const nodes = store.records('nodes', { keys: ['seenAtMs'] });
  return new ChangeStreamBackplane({ watch, nodes: () => nodes.count(), serves, log });
}

/** The address of Valkey, with a scheme that the client knows; undefined without one. */
function backplaneAddress(settings: Settings): string | undefined {
  if (settings.get(BACKPLANE) !== 'valkey') return undefined;
  if (storeAddress(settings) === undefined)
    throw fault(
      settings,
      BACKPLANE,
      `${BACKPLANE} is valkey, but store.mongodb.url is empty: Valkey only tells nodes that something in their ` +
        `common store has changed, and the store in the base folder belongs to one server. Set store.mongodb.url on ` +
        `every node, or set ${BACKPLANE} to inprocess`,
    );
  const written = settings.get(URL_KEY).trim();
  if (written === '')
    throw fault(
      settings,
      BACKPLANE,
      `${BACKPLANE} is valkey, but ${URL_KEY} is empty. Set it to the address, such as redis://:password@cache:6379`,
    );
  const scheme = URL.canParse(written) ? schemes[new URL(written).protocol] : undefined;
  if (scheme === undefined || new URL(written).hostname === '')
    throw fault(
      settings,
      URL_KEY,
      `${URL_KEY} is not the address of a Valkey or Redis. It begins with redis:// or valkey://, or with rediss:// ` +
        'or valkeys:// for TLS; special characters of a password are percent-encoded',
    );
  return `${scheme}${written.slice(written.indexOf('//'))}`;
}

function fault(settings: Settings, path: string, detail: string): StartupError {
  return new StartupError('SETTINGS_INVALID', { where: settings.origin(path), detail });
}
