import type { SerialisedError } from '@quire/registry/errors';
import type { JobRecord, ResultFile } from '../../jobs/index.js';
import type { DroppedFile } from '../../operations/pipelines/index.js';
import type { RunRecord } from './run-records.js';
import { reportOf } from './run-report.js';

/** What a job has made of one file. */
export interface OwnResult {
  readonly files: readonly ResultFile[];
  readonly report: Required<Pick<RunRecord, 'warnings' | 'steps'>>;
  readonly dropped: readonly DroppedFile[];
  /** Why it has no result; null when it has one. */
  readonly failure: SerialisedError | null;
}

/**
 * The result for one file of an ended job; `part`: its position among the inputs, null for the whole job. Undefined
 * when a node of an earlier version ran it, which ran its pipeline over all files together.
 */
export function ownResult(job: JobRecord, part: number | null): OwnResult | undefined {
  if (part === null || job.failure !== null) return resultOf(job, job.allResultFiles);
  const each = job.facts?.each;
  const own = each?.[part];
  if (own === undefined || each === undefined) return undefined;
  const before = each.slice(0, part).reduce((sum, { files }) => sum + files, 0);
  const files = job.allResultFiles.slice(before, before + own.files);
  return resultOf({ ...job, facts: own.facts, failure: own.error ?? null }, files);
}

function resultOf(job: JobRecord, files: readonly ResultFile[]): OwnResult {
  return {
    files,
    report: reportOf(job),
    dropped: (job.facts?.dropped ?? []) as readonly DroppedFile[],
    failure: job.failure,
  };
}
