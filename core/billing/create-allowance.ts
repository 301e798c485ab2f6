import type { Clock, Logger, Principal } from '@quire/registry';
import type { Store } from '../store/index.js';
import { AccountBook, accountRecords, type AccountRecord } from './account-book.js';
import { MeteredAllowance, type Allowance, type AllowanceLimits } from './allowance.js';
import { ServerSlot, type SlotDeps, type SlotRecord } from '../jobs/cluster/index.js';

/** Creates the allowance of a server over its store; nothing is read before the first charge or `open`. */
export function createAllowance({
  store,
  limits,
  clock,
  log,
  teamOf,
  timing,
}: {
  readonly store: Store;
  readonly limits: AllowanceLimits;
  readonly clock: Clock;
  readonly log: Logger;
  teamOf?(principal: Principal): Promise<string | undefined>;
  /** Tests shorten the lease. */
  readonly timing?: Pick<SlotDeps, 'leaseMs' | 'beatMs'>;
}): Allowance {
  const book = new AccountBook(store.records<AccountRecord>(accountRecords.name, accountRecords.options));
  const slot = new ServerSlot({
    records: store.records<SlotRecord>('allowance_servers', { keys: ['seenAtMs'] }),
    shared: store.kind === 'mongodb',
    log,
    now: () => store.serverTime(),
    ...timing,
    settle: async (name) => {
      const units = await book.giveBack(name);
      if (units > 0) log.warn({ units }, 'refunded calls of a server that stopped');
    },
  });
  return new MeteredAllowance({ limits, book, slot, clock, log, ...(teamOf === undefined ? {} : { teamOf }) });
}
