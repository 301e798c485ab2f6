import { AccessError } from '@quire/registry';
import {
  AttemptLock,
  checkNewPassword,
  type AttemptRecord,
  type PasswordHasher,
  type Throttle,
} from '../accounts/index.js';
import type { Store } from '../store/index.js';
import type { LinkPasswords } from './model.js';

export interface LinkPasswordsDeps {
  readonly store: Pick<Store, 'records'>;
  /** That of the accounts, which limits how many hashes are computed at once. */
  readonly hasher: PasswordHasher;
  readonly throttle: Pick<Throttle, 'admitLink' | 'admitLinkPassword' | 'linkPasswordRight'>;
  now(): number;
}

/**
 * Wrong passwords of one link from all addresses, after which none is checked until the time is over. Each address has
 * a lower limit of its own (`security.throttle.wrongPasswords`).
 */
const LOCK = { attempts: 100, minutes: 60 } as const;

/** Hashes and checks passwords of links as those of accounts, and limits the attempts on all servers of a store. */
export function linkPasswords({ store, hasher, throttle, now }: LinkPasswordsDeps): LinkPasswords {
  const records = store.records<AttemptRecord>('storage_link_attempts', { keys: ['until', 'group'] });
  const lock = new AttemptLock(records, LOCK, now);
  return {
    hash: async (password) => hasher.hash(checkNewPassword(password)),
    admit: (address) => throttle.admitLink(address),
    async verify({ id, passwordHash }, password, address) {
      await throttle.admitLinkPassword(address, id);
      const right = await lock.attempt(id, async () => {
        const value = await hasher.verify(password, passwordHash);
        return { outcome: value ? 'right' : 'wrong', value };
      });
      if (right === undefined)
        throw new AccessError('TOO_MANY_ATTEMPTS', { seconds: await lock.lockedFor(id), link: true });
      if (right) await throttle.linkPasswordRight(address, id);
      return right;
    },
    sweep: () => lock.sweep(),
  };
}
