import type { Identified } from '../../store/index.js';

/** Active named keys that one user may have (`docs/interface/auth.yml`, api-keys). */
export const MAX_NAMED_KEYS = 50;
/** How the single key of a user is listed. */
export const SINGLE_KEY_NAME = 'Default key';

/** A key as it is kept. The readable key is nowhere in it. */
export interface KeyRecord extends Identified {
  readonly userId: string;
  readonly kind: 'single' | 'named';
  readonly name: string;
  /** Keyed digest of the key; unique. A revoked key keeps it, so that it is never given out again. */
  readonly digest: string;
  /** The key's first 11 characters. */
  readonly prefix: string;
  /** The user's id for the single key in use, so that there is one; else null. */
  readonly single: string | null;
  /** The single key, encrypted, since its owner may read it again; null for named and revoked keys. */
  readonly sealed: string | null;
  readonly status: 'active' | 'revoked';
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly usageTotal: number;
}

/** How often a key was used on one day (UTC). */
export interface KeyDayRecord extends Identified {
  readonly keyId: string;
  /** yyyy-MM-dd. */
  readonly day: string;
  readonly count: number;
}

/** A key as the API lists it (`docs/interface/auth.yml`, api-keys). */
export interface KeyWire {
  readonly id: string;
  readonly name: string;
  readonly prefix: string;
  /** yyyy-MM-dd, UTC. */
  readonly created: string;
  /** yyyy-MM-dd HH:mm, UTC, or Never. */
  readonly lastUsed: string;
  readonly status: 'active' | 'revoked';
  readonly usageToday: number;
  /** The last 30 days, today among them. */
  readonly usageMonth: number;
  readonly usageTotal: number;
}

/** What is known of a key's use. */
export interface KeyUsage {
  readonly today: number;
  readonly month: number;
  readonly total: number;
  readonly lastUsedAtMs: number | null;
}

/** The day of an instant, UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The first of the 30 days that end with the day of this instant. */
export function monthStart(ms: number): string {
  return dayOf(ms - 29 * 86_400_000);
}

/** A key in the list. */
export function toKeyWire({ id, name, prefix, status, createdAtMs }: KeyRecord, usage: KeyUsage): KeyWire {
  return {
    id,
    name,
    prefix,
    created: dayOf(createdAtMs),
    lastUsed:
      usage.lastUsedAtMs === null ? 'Never' : new Date(usage.lastUsedAtMs).toISOString().slice(0, 16).replace('T', ' '),
    status,
    usageToday: usage.today,
    usageMonth: usage.month,
    usageTotal: usage.total,
  };
}
