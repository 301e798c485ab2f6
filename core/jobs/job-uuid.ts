import { createHash } from 'node:crypto';

/**
 * Returns the random part of a job's id for work that is named by these texts: the same for the same texts, so that a
 * start that is repeated after a crash finds the job of the first one (`JobRequest.uuid`).
 */
export function jobUuid(...work: readonly string[]): string {
  const hex = createHash('sha256')
    .update(JSON.stringify(['job', ...work]))
    .digest('hex');
  // A UUID of version 8 (RFC 9562, 5.8): bits of the application's own.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
