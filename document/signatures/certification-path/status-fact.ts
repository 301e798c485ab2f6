/** Status of a certificate in an OCSP response or a CRL. */
export interface StatusFact {
  readonly state: 'good' | 'revoked' | 'unknown';
  readonly thisUpdate: Date;
  readonly nextUpdate?: Date;
  readonly revokedAt?: Date;
  readonly reason?: RevocationReason;
  /**
   * Certificates that expired after this date are still included: archive cutoff (RFC 6960, 4.4.4), expiredCertsOnCRL
   * (X.509, 9.5.2.8).
   */
  readonly keptSince?: Date;
}

/** Revocation data that cannot be used; the message is a clause ("the list is malformed"). */
export class Unusable extends Error {}

const REASONS = [
  'unspecified',
  'key compromise',
  'authority compromise',
  'affiliation changed',
  'superseded',
  'cessation of operation',
  'certificate hold',
  'unspecified',
  'removed from the list',
  'privilege withdrawn',
  'authority compromise',
] as const;

/** Why a certificate was revoked. */
export type RevocationReason = (typeof REASONS)[number];

/** The reason behind a CRLReason (RFC 5280, 5.3.1); without one, or with an unknown one, it is unspecified. */
export function reasonOf(code: number | undefined): RevocationReason {
  return REASONS[code ?? 0] ?? 'unspecified';
}

/** Clocks differ. */
const SKEW_MS = 5 * 60_000;

/** When facts are looked at. */
export interface Moment {
  readonly at: Date;
  readonly atIsProven: boolean;
  readonly now: Date;
}

/** Meaning of a status at a point in time. `good` also for a revocation after a proven time. */
export type Judgement =
  | { readonly state: 'good' }
  | { readonly state: 'revoked'; readonly at: Date; readonly reason: RevocationReason }
  | { readonly state: 'unusable'; readonly why: string };

/**
 * Judges a fact about a certificate that ends at `notAfter`. Data that was published after the validation time counts,
 * as no revocation is taken back; data that had run out by `freshAt` does not, and neither does "good" of a certificate
 * that had expired by then, unless its source keeps expired ones.
 */
export function judge(fact: StatusFact, notAfter: Date, { at, atIsProven, now }: Moment, freshAt: Date): Judgement {
  if (fact.thisUpdate.getTime() > now.getTime() + SKEW_MS)
    return { state: 'unusable', why: 'the revocation data is from the future' };
  if (fact.state === 'unknown') return { state: 'unusable', why: 'the OCSP responder does not know the certificate' };
  const ends = (fact.nextUpdate ?? fact.thisUpdate).getTime() + SKEW_MS;
  const { revokedAt, reason = 'unspecified' } = fact;
  if (fact.state === 'revoked' && revokedAt !== undefined && reason !== 'removed from the list') {
    if (atIsProven && revokedAt > at) return { state: 'good' };
    // A hold may be lifted: only fresh data says that it still applies.
    if (reason !== 'certificate hold' || ends >= freshAt.getTime()) return { state: 'revoked', at: revokedAt, reason };
  }
  if (ends < freshAt.getTime())
    return {
      state: 'unusable',
      why: `the revocation data is too old: it ran out at ${new Date(ends - SKEW_MS).toISOString()}`,
    };
  if (fact.thisUpdate > notAfter && (fact.keptSince === undefined || fact.keptSince > notAfter))
    return { state: 'unusable', why: 'the revocation data was published when the certificate had expired already' };
  return { state: 'good' };
}
