import { readFile, rm } from 'node:fs/promises';
import { StartupError, type Clock, type Logger } from '@quire/registry';
import { loadSecretKey } from './sealed-json.js';
import { keepFact, storeFacts, type Store } from '../store/index.js';
import { ServerSecret } from './secret.js';

/** Where the secret is read from, and the value that it is checked with. */
export interface StoreSecretDeps {
  readonly store: Pick<Store, 'records' | 'kind'>;
  /** `store.secret`: 64 hexadecimal digits; empty: the file. */
  readonly setting: string;
  /** The file that holds it where the setting is empty. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Logger;
  /** Product version. */
  readonly version: string;
}

const FINGERPRINT = 'secret';
const remedy =
  'Give this server the one of the others: set store.secret (STORE_SECRET), or copy their file store/server.key';

/**
 * Finds the secret of the store, makes it for a new one, and compares it with the fingerprint that the store keeps:
 * servers that share a store must share the secret, which is never saved in the store itself. Throws SETTINGS_INVALID
 * for none or another one beside a shared store, and for a damaged file; rejects with STORE_DOWN.
 */
export async function openStoreSecret({
  store,
  setting,
  file,
  clock,
  log,
  version,
}: StoreSecretDeps): Promise<ServerSecret> {
  const facts = storeFacts(store);
  const shared = store.kind === 'mongodb';
  const given = setting !== '' || (await isThere(file));
  if (!given && shared && (await facts.get(FINGERPRINT)) !== undefined)
    throw refusal(file, 'this server has no secret, and the store belongs to servers that have one');
  const secret = setting !== '' ? new ServerSecret(Buffer.from(setting, 'hex')) : await fromFile(file);
  const mark = secret.digest('fingerprint', 'store');
  const fact = { id: FINGERPRINT, value: mark, by: version, at: clock.now().toISOString() };
  const kept = await keepFact(facts, fact);
  if (kept.value !== mark) {
    if (shared) {
      // Another of several servers was first: the secret that was made here is not used.
      if (!given) await rm(file, { force: true });
      throw refusal(setting === '' ? file : 'store.secret', 'this secret is not the one that the store was made with');
    }
    log.warn(
      {},
      'the secret is another than the one that the store was made with: earlier API keys, sessions, second ' +
        'factors and waiting jobs are of no use any more',
    );
    await facts.put(fact);
  }
  if (!given && shared)
    log.warn(
      { file },
      'made the secret of this store; every other server on it needs the same: copy this file to its ' +
        'store/server.key, or set store.secret (STORE_SECRET) to its text on all of them',
    );
  return secret;
}

function refusal(where: string, detail: string): StartupError {
  return new StartupError('SETTINGS_INVALID', { where, detail: `${detail}. ${remedy}` });
}

async function fromFile(file: string): Promise<ServerSecret> {
  const bytes = await loadSecretKey(file);
  if (bytes.length !== 32)
    throw new StartupError('SETTINGS_INVALID', {
      where: file,
      detail:
        'this is not a secret of 64 hexadecimal digits. Put the right file back; without it API keys, sessions, ' +
        'second factors and waiting jobs are lost, and it may then be deleted',
    });
  return new ServerSecret(bytes);
}

async function isThere(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw new StartupError(
        'SETTINGS_INVALID',
        { where: file, detail: `the secret of the store cannot be read (${error.code ?? 'unknown'})` },
        { cause: error },
      );
    },
  );
}
