import { isQuireError, type ConnectionTrials } from '@quire/registry';
import type { ConnectorDeps } from '../deps.js';
import { proving } from '../faults.js';
import { asked, openBucket, readConnection, refusedStatus } from './s3-options.js';

/** Tries saved connections of type S3; the other types are used by operations, which have no call without effects. */
export function connectionTrials(deps: Pick<ConnectorDeps, 'settings' | 'outbound'>): ConnectionTrials {
  return {
    async faultsOf(type, config, signal) {
      if (type !== 'S3') return [];
      const { settings, faults } = readConnection(config);
      if (faults.length > 0) return faults;
      try {
        const bucket = openBucket('SOURCE', { ...settings, prefix: '' }, deps);
        await proving('SOURCE', 'endpoint', () =>
          asked('SOURCE', async () => {
            const { status, code } = await bucket.list({ prefix: '', most: 1 }, signal);
            // The service knows the key; what it may do depends on the prefix, which sources and destinations have.
            if (status !== 200 && code !== 'AccessDenied') throw refusedStatus('SOURCE', status, bucket.host);
          }),
        );
        return [];
      } catch (error) {
        if (!isQuireError(error) || error.code !== 'SOURCE_INVALID') throw error;
        return error.errors;
      }
    },
  };
}
