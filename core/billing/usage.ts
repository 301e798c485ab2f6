import type { AccountRecord } from './account-book.js';
import type { Period, PeriodLength } from './period.js';

/** Usage of the current period, for administrators. Units are the declared costs of the operations. */
export interface UsageReport {
  /** False while nothing is counted: no limit is set, and `licence.meter` is off. */
  readonly metered: boolean;
  readonly hosting: 'selfHosted' | 'cloud';
  readonly period: PeriodLength;
  /** ISO instants; null for a period without end. */
  readonly periodStart: string | null;
  readonly periodEnd: string | null;
  /** Units of the whole server; null for no limit. */
  readonly limit: number | null;
  /** Units used, including running calls. */
  readonly used: number;
  readonly remaining: number | null;
  /** Units of running calls. */
  readonly pending: number;
  readonly byCategory: Readonly<Record<string, number>>;
  /** Most used first. */
  readonly byOperation: readonly { readonly operation: string; readonly units: number }[];
  readonly byUser: readonly {
    readonly id: string;
    readonly name: string;
    readonly units: number;
    readonly keys: readonly { readonly key: string; readonly units: number }[];
  }[];
  /** Accounts with credits of their own (cloud). */
  readonly byAccount: readonly { readonly account: string; readonly used: number }[];
}

/** Returns the usage report of one period. */
export function usageReport(given: {
  metered: boolean;
  hosting: 'selfHosted' | 'cloud';
  period: Period;
  length: PeriodLength;
  limit: number | null;
  accounts: readonly AccountRecord[];
}): UsageReport {
  const { metered, hosting, period, length, limit, accounts } = given;
  const server = accounts.find(({ account }) => account === 'server');
  const used = server?.used ?? 0;
  const callers = accounts.filter(({ account }) => account.startsWith('caller:'));
  const operations = sum(callers, 't_operation:');
  return {
    metered,
    hosting,
    period: length,
    periodStart: period.start?.toISOString() ?? null,
    periodEnd: period.end?.toISOString() ?? null,
    limit,
    used,
    remaining: limit === null ? null : Math.max(0, limit - used),
    pending: server === undefined ? 0 : total(sum([server], 'p_')),
    byCategory: Object.fromEntries(sum(callers, 't_category:')),
    byOperation: mostFirst([...operations].map(([operation, units]) => ({ operation, units }))),
    byUser: mostFirst(
      callers.map((caller) => ({
        id: caller.account.slice('caller:'.length),
        name: caller.name ?? '',
        units: caller.used,
        keys: mostFirst([...sum([caller], 't_key:')].map(([key, units]) => ({ key, units }))),
      })),
    ),
    byAccount: accounts
      .filter(({ account }) => /^(team|user):/.test(account))
      .map(({ account, used: units }) => ({ account, used: units })),
  };
}

/** Adds up the fields with a prefix over all records, by the rest of their name. */
function sum(records: readonly AccountRecord[], prefix: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const record of records) {
    for (const [field, value] of Object.entries(record)) {
      if (field.startsWith(prefix) && typeof value === 'number')
        sums.set(field.slice(prefix.length), (sums.get(field.slice(prefix.length)) ?? 0) + value);
    }
  }
  return sums;
}

function total(sums: ReadonlyMap<string, number>): number {
  return [...sums.values()].reduce((all, value) => all + value, 0);
}

function mostFirst<T extends { readonly units: number }>(list: T[]): T[] {
  return list.sort((a, b) => b.units - a.units);
}
