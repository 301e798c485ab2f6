import { randomUUID } from 'node:crypto';
import type { Clock } from '@quire/registry';
import { keepFact, storeFacts, type Store } from '../store/index.js';

/** Returns the random id of this installation; the store keeps it from the first call on. Rejects with STORE_DOWN. */
export async function installationId({
  store,
  version,
  clock,
}: {
  readonly store: Store;
  readonly version: string;
  readonly clock: Clock;
}): Promise<string> {
  const { value } = await keepFact(storeFacts(store), {
    id: 'installation',
    value: randomUUID(),
    by: version,
    at: clock.now().toISOString(),
  });
  return String(value);
}
