import { secondsUntil, type Period } from './period.js';

/** The rest of one limit. */
export interface Left {
  /** Name of the limit: `allowance` for the server's, `credits` for the account's. */
  readonly policy: string;
  /** Units of the whole period. */
  readonly limit: number;
  readonly remaining: number;
  readonly period: Period;
}

/**
 * Returns the fields RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-10) of a charged answer: q is
 * the quota in units, w the length of the period and t the time until the next, in seconds; w and t are omitted for a
 * limit without a period.
 */
export function rateLimitFields(left: readonly Left[], now: Date): Record<string, string> {
  if (left.length === 0) return {};
  const policies = left.map(
    ({ policy, limit, period: { start, end } }) =>
      `"${policy}";q=${limit}${start === null || end === null ? '' : `;w=${(end.getTime() - start.getTime()) / 1000}`}`,
  );
  const states = left.map(
    ({ policy, remaining, period: { end } }) =>
      `"${policy}";r=${Math.max(0, remaining)}${end === null ? '' : `;t=${secondsUntil(end, now)}`}`,
  );
  return { 'ratelimit-policy': policies.join(', '), ratelimit: states.join(', ') };
}
