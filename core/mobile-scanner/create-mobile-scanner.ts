import type { Logger } from '@quire/registry';
import { Throttle } from '../access/index.js';
import { type ServerSecret } from '../secrets/index.js';
import type { SteadyClock } from '../jobs/cluster/index.js';
import { MobileScanner } from './index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/**
 * New sessions, and questions for unknown ones, of one address within a minute; a proxy in front may make one address
 * of many people.
 */
const CALLS_PER_MINUTE = 240;

/** Makes the mobile scanner, from the settings. */
export function makeMobileScanner({
  settings,
  ...parts
}: {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly log: Logger;
  readonly steady: SteadyClock;
}): MobileScanner {
  return new MobileScanner({
    ...parts,
    throttle: new Throttle({ failures: CALLS_PER_MINUTE, windowSeconds: 60, addresses: 50_000 }),
    limits: {
      sessions: settings.get('limits.mobileScanner.sessions'),
      sessionsPerAddress: settings.get('limits.mobileScanner.sessionsPerAddress'),
      filesPerSession: settings.get('limits.mobileScanner.filesPerSession'),
      sessionBytes: sizeToBytes(settings.get('limits.mobileScanner.sessionSize')) ?? 0,
      totalBytes: sizeToBytes(settings.get('limits.mobileScanner.totalSize')) ?? 0,
    },
  });
}
