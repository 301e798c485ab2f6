import type { Logger } from '@quire/registry';
import type { ServerSecret } from '../../secrets/index.js';
import type { SteadyClock } from '../cluster/index.js';
import { KeptAnswers } from './index.js';
import { sizeToBytes, type Settings } from '../../settings/index.js';
import type { Store } from '../../store/index.js';

export function createKeptAnswers({
  settings,
  ...deps
}: {
  readonly settings: Settings;
  readonly store: Store;
  readonly secret: ServerSecret;
  readonly log: Logger;
  readonly steady: SteadyClock;
}): KeptAnswers {
  return new KeptAnswers({
    ...deps,
    settings: {
      keepMs: settings.get('idempotency.keepMinutes') * 60_000,
      keepJobMs: settings.get('idempotency.keepJobMinutes') * 60_000,
      maxKeysPerCaller: settings.get('idempotency.maxKeysPerCaller'),
      maxAnswerBytes: sizeToBytes(settings.get('idempotency.maxAnswerSize')) ?? 0,
      maxTotalBytes: sizeToBytes(settings.get('idempotency.maxTotalSize')) ?? 0,
    },
  });
}
