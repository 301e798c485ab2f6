import type { Clock, Logger } from '@quire/registry';
import type { ServerSecret } from '../secrets/index.js';
import type { Store } from '../store/index.js';
import type { Roles } from '../roles/index.js';
import type { AccountServices } from './accounts.js';
import { GlobalKey, KeyService } from './keys/index.js';
import type { SecondFactorPolicy } from './second-factor-policy.js';
import { SessionService, type SessionSettings } from './sessions/index.js';
import { Throttle, type ThrottleSettings } from './throttle.js';

/** The services that exist only while login is on. */
export interface LoginServices {
  readonly accounts: AccountServices;
  readonly keys: KeyService;
  readonly globalKey: GlobalKey;
  readonly sessions: SessionService;
  readonly throttle: Throttle;
  readonly roles: Roles;
  readonly secondFactorPolicy: SecondFactorPolicy;
  /** Writes data that is still in memory; call it before the store is closed. */
  close(): Promise<void>;
}

/** Creates API keys, sessions and the throttle for the accounts. */
export function openLogin({
  globalKey,
  throttle,
  sessions,
  ...deps
}: {
  readonly store: Store;
  readonly accounts: AccountServices;
  readonly roles: Roles;
  readonly secondFactorPolicy: SecondFactorPolicy;
  readonly secret: ServerSecret;
  readonly clock: Clock;
  readonly log: Logger;
  /** `security.customGlobalAPIKey`; empty for none. */
  readonly globalKey: string;
  readonly throttle: Partial<ThrottleSettings>;
  readonly sessions: SessionSettings;
}): LoginServices {
  const keys = new KeyService(deps);
  return {
    accounts: deps.accounts,
    keys,
    globalKey: new GlobalKey(globalKey, deps.accounts, deps.secret, deps.clock),
    sessions: new SessionService({ ...deps, settings: sessions }),
    throttle: new Throttle(throttle),
    roles: deps.roles,
    secondFactorPolicy: deps.secondFactorPolicy,
    close: async () => {
      deps.roles.stop();
      await deps.accounts.profiles.pictures.settled();
      await keys.close();
    },
  };
}
