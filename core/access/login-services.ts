import type { Clock, Logger } from '@quire/registry';
import type { Store } from '../store/index.js';
import type { AccountRooms } from '../accounts/index.js';
import { GlobalKey, KeyService } from '../accounts/keys/index.js';
import type { ServerSecret } from '../secrets/secret.js';
import { SessionService, type SessionSettings } from '../accounts/sessions/index.js';
import { Throttle } from './throttle.js';

/** What exists only while login is on. */
export interface LoginRooms {
  readonly accounts: AccountRooms;
  readonly keys: KeyService;
  readonly globalKey: GlobalKey;
  readonly sessions: SessionService;
  readonly throttle: Throttle;
  /** Writes what is only in memory yet; before the store is closed. */
  close(): Promise<void>;
}

/** Puts keys, sessions and the throttle on top of the accounts. */
export function openLogin({
  globalKey,
  sessions,
  ...parts
}: {
  readonly store: Store;
  readonly accounts: AccountRooms;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  /** `security.customGlobalAPIKey`; empty for none. */
  readonly globalKey: string;
  readonly sessions: SessionSettings;
}): LoginRooms {
  const keys = new KeyService(parts);
  return {
    accounts: parts.accounts,
    keys,
    globalKey: new GlobalKey(globalKey, parts.accounts, parts.secret, parts.clock),
    sessions: new SessionService({ ...parts, settings: sessions }),
    throttle: new Throttle(),
    close: () => keys.close(),
  };
}
