import type { KeyScope } from '@quire/registry';
import type { Identified } from '../../store/index.js';

/** Active named keys that one user may have (`docs/interface/auth.yml`, api-keys). */
export const MAX_NAMED_KEYS = 50;
/** Name of a user's single key in lists. */
export const SINGLE_KEY_NAME = 'Default key';

/** A key as stored, without the readable key. */
export interface KeyRecord extends Identified {
  readonly userId: string;
  readonly kind: 'single' | 'named';
  readonly name: string;
  /** Keyed digest of the key; unique. A revoked key keeps it, so that the same key is never created again. */
  readonly digest: string;
  /** The key's first 11 characters. */
  readonly prefix: string;
  /** The user's id for the active single key, so that there is only one; null for all other keys. */
  readonly single: string | null;
  /** The single key, encrypted, because its owner may read it again; null for named and revoked keys. */
  readonly sealed: string | null;
  readonly status: 'active' | 'revoked';
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
  readonly usageTotal: number;
  /** Limits of a named key; missing without one. */
  readonly scope?: KeyScope;
  /** When a named key ends, in milliseconds since 1970; missing if it does not. */
  readonly expiresAtMs?: number;
}

/** What a new named key may be limited to. */
export interface KeyLimits extends KeyScope {
  readonly expiresInDays?: number | undefined;
}

/** The number of uses of a key on one day (UTC). */
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
  /** `expired` only for keys that were created with an end. */
  readonly status: 'active' | 'revoked' | 'expired';
  /** yyyy-MM-dd HH:mm, UTC, or Never. */
  readonly expires: string;
  /** Null: all. */
  readonly categories: readonly string[] | null;
  readonly readOnly: boolean;
  readonly usageToday: number;
  /** Uses in the last 30 days, including today. */
  readonly usageMonth: number;
  readonly usageTotal: number;
}

export interface KeyUsage {
  readonly today: number;
  readonly month: number;
  readonly total: number;
  readonly lastUsedAtMs: number | null;
}

/** Returns the day of an instant in UTC. */
export function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** Returns the first of the 30 days that end with the day of this instant. */
export function monthStart(ms: number): string {
  return dayOf(ms - 29 * 86_400_000);
}

/** Returns whether the end of a key has come. */
export function hasExpired({ expiresAtMs }: { readonly expiresAtMs?: number | undefined }, nowMs: number): boolean {
  return expiresAtMs !== undefined && expiresAtMs <= nowMs;
}

function minuteOf(ms: number | null): string {
  return ms === null ? 'Never' : new Date(ms).toISOString().slice(0, 16).replace('T', ' ');
}

/** Returns a key as the API lists it. */
export function toKeyWire(record: KeyRecord, usage: KeyUsage, nowMs: number): KeyWire {
  const { id, name, prefix, status, createdAtMs, expiresAtMs, scope } = record;
  return {
    id,
    name,
    prefix,
    created: dayOf(createdAtMs),
    lastUsed: minuteOf(usage.lastUsedAtMs),
    status: status === 'active' && hasExpired(record, nowMs) ? 'expired' : status,
    expires: minuteOf(expiresAtMs ?? null),
    categories: scope?.categories ?? null,
    readOnly: scope?.readOnly ?? false,
    usageToday: usage.today,
    usageMonth: usage.month,
    usageTotal: usage.total,
  };
}
