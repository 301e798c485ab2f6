import type { Endpoint, Logger } from '@quire/registry';
import { Throttle } from '../accounts/index.js';
import type { SteadyClock } from '../jobs/cluster/index.js';
import type { ServerSecret } from '../secrets/index.js';
import { sizeToBytes, type Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import { mobileScannerEndpoints } from './endpoints/mobile-scanner.endpoint.js';
import { MobileScanner, scannerOpenTo } from './index.js';

/**
 * Limit per address for new sessions and for requests for unknown ones. It is generous, because many people may share
 * one address behind a proxy.
 */
const CALLS_PER_MINUTE = 240;

export interface CreateMobileScannerDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly log: Logger;
  readonly steady: SteadyClock;
}

export interface MobileScannerFeature {
  readonly endpoints: readonly Endpoint[];
  start(): void;
  stop(): Promise<void>;
}

export function createMobileScanner({ settings, ...deps }: CreateMobileScannerDeps): MobileScannerFeature {
  const mobileScanner = new MobileScanner({
    ...deps,
    throttle: new Throttle({ keys: CALLS_PER_MINUTE }),
    limits: {
      sessions: settings.get('limits.mobileScanner.sessions'),
      sessionsPerAddress: settings.get('limits.mobileScanner.sessionsPerAddress'),
      filesPerSession: settings.get('limits.mobileScanner.filesPerSession'),
      sessionBytes: sizeToBytes(settings.get('limits.mobileScanner.sessionSize')) ?? 0,
      totalBytes: sizeToBytes(settings.get('limits.mobileScanner.totalSize')) ?? 0,
      addressBytes: sizeToBytes(settings.get('limits.mobileScanner.addressSize')) ?? 0,
    },
  });
  return {
    endpoints: mobileScannerEndpoints({ mobileScanner, openTo: scannerOpenTo(settings) }),
    start: () => mobileScanner.start(),
    stop: () => mobileScanner.stop(),
  };
}
