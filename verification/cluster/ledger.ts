import type { JobClient, SeenJob } from './job-client.js';
import type { JobKind } from './job-mix.js';

/** An accepted job, and its state as the client saw it. */
export interface Entry {
  readonly kind: JobKind;
  readonly jobId: string;
  readonly submittedAt: number;
  /** The first complete record, and the digest of its result. */
  final?: SeenJob;
  digest?: string;
  finishedAt?: number;
}

/** The result of a kind in the calm run. */
export interface Expected {
  readonly status: string;
  readonly error: string | null;
  readonly digest: string;
  /** True when two calm runs, seconds apart, produced the same bytes. */
  readonly same: boolean;
}

/** All submitted jobs. */
export class Ledger {
  readonly entries: Entry[] = [];
  /** Jobs that were rejected when submitted, as expected. */
  refused = 0;

  get open(): Entry[] {
    return this.entries.filter(({ final }) => final === undefined);
  }

  get finished(): number {
    return this.entries.length - this.open.length + this.refused;
  }

  add(kind: JobKind, jobId: string | undefined): Entry | undefined {
    if (jobId === undefined) {
      this.refused += 1;
      return undefined;
    }
    const entry: Entry = { kind, jobId, submittedAt: performance.now() };
    this.entries.push(entry);
    return entry;
  }

  /** Polls one job; returns true when it has finished. Throws when the server does not know it. */
  async look(client: JobClient, entry: Entry): Promise<boolean> {
    const record = await client.record(entry.jobId);
    if (record === undefined) throw new Error(`lost: the server knows no job ${entry.jobId} (${entry.kind.name})`);
    if (!record.complete) return false;
    const digest = await client.digest(record);
    Object.assign(entry, { final: record, digest, finishedAt: performance.now() });
    return true;
  }
}

/** Counts of the outcomes of all jobs. */
export interface Judgement {
  readonly succeeded: number;
  readonly equal: number;
  /** Succeeded jobs of kinds whose bytes differ between runs: only size and type are checked. */
  readonly uncompared: number;
  readonly gaveUp: number;
  readonly failedAsExpected: number;
  /** Each is a fault of the server. */
  readonly problems: readonly string[];
}

/** Compares every job with the calm run. A job may fail when it was started twice on nodes that died, if it says so. */
export function judge(entries: readonly Entry[], expected: ReadonlyMap<string, Expected>): Judgement {
  const count = { succeeded: 0, equal: 0, uncompared: 0, gaveUp: 0, failedAsExpected: 0 };
  const problems: string[] = [];
  for (const { kind, jobId, final, digest } of entries) {
    const calm = expected.get(kind.name);
    const who = `${kind.name} ${jobId}`;
    if (final === undefined || calm === undefined) {
      problems.push(`${who} has not finished`);
    } else if (final.status === 'succeeded') {
      count.succeeded += 1;
      if (calm.status !== 'succeeded') problems.push(`${who} succeeded, but the calm run did not`);
      else if (!calm.same) count.uncompared += 1;
      else if (digest === calm.digest) count.equal += 1;
      else problems.push(`${who} returned a different result than the calm run (${digest ?? 'none'})`);
    } else if (final.status === 'failed' && (final.error ?? '') !== '') {
      if (calm.status === 'failed' && calm.error === final.error) count.failedAsExpected += 1;
      else if (/The server stopped while it was running this job \(\d+ times\)/.test(final.error ?? ''))
        count.gaveUp += 1;
      else problems.push(`${who} failed: ${final.error ?? ''}`);
    } else problems.push(`${who} ended as ${final.status} with error ${String(final.error)}`);
  }
  return { ...count, problems };
}
