import { StartupError } from '@quire/registry/errors';
import { isDuplicateRecord, type Identified, type Records } from './records.js';
import type { Store } from './store.js';

/**
 * The form in which this server keeps records and blobs in its own folder. It grows only when a server of the form
 * before could no longer read, or would spoil, what this one writes; a record that gains a field does not change it.
 */
export const STORE_VERSION = 1;
/** The same for a MongoDB. 2: small files are in one document, which servers of form 1 cannot read. */
export const MONGODB_VERSION = 2;

/** A fact about a store itself. */
export interface StoreFact extends Identified {
  /**
   * `version`, `secret`, `installation`, `move` (of an embedded store into this one), `used` (by a server) or
   * `backup-schedule`.
   */
  readonly id: string;
  /** The form of the data; a fingerprint; a random id; `unfinished` or `done`; 1; an ISO instant. */
  readonly value: number | string;
  /** Product version that wrote it, and when (ISO instant). */
  readonly by: string;
  readonly at: string;
}

/** The facts of a store. */
export function storeFacts(store: Pick<Store, 'records'>): Records<StoreFact> {
  return store.records<StoreFact>('store_facts');
}

/** Keeps a fact if there is none yet; gives the one that holds. Rejects with STORE_DOWN. */
export async function keepFact(facts: Records<StoreFact>, fact: StoreFact): Promise<StoreFact> {
  const present = await facts.get(fact.id);
  if (present !== undefined) return present;
  try {
    return await facts.insert(fact);
  } catch (error) {
    if (!isDuplicateRecord(error)) throw error;
    return (await facts.get(fact.id)) ?? fact;
  }
}

/**
 * Notes the form of the data in a new store, and in one of an older form that this server can read. Throws
 * SETTINGS_INVALID when what lies there has another form, and then nothing was written.
 * `where` names the store to the operator.
 */
export async function checkStoreVersion(
  store: Pick<Store, 'records' | 'kind'>,
  { where, by, now }: { readonly where: string; readonly by: string; readonly now: Date },
): Promise<void> {
  const form = store.kind === 'mongodb' ? MONGODB_VERSION : STORE_VERSION;
  const fact = { value: form, by, at: now.toISOString() };
  const facts = storeFacts(store);
  const found = await keepFact(facts, { id: 'version', ...fact });
  if (found.value === form) return;
  // What form 1 has written is read as it is.
  if (found.value === 1 && store.kind === 'mongodb') {
    await facts.update('version', { set: fact }, { value: 1 });
    return;
  }
  const newer = typeof found.value === 'number' && found.value > form;
  throw new StartupError('SETTINGS_INVALID', {
    where,
    detail:
      `its data has form ${found.value}, written by Quire ${found.by}; this server, ${by}, reads form ` +
      `${form}. ` +
      (newer ? `Start Quire ${found.by} or a newer one, or` : 'The data cannot be converted:') +
      ' give this server another store',
  });
}
