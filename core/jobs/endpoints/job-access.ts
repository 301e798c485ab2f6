import { AccessError, InputError, reviveError, type Principal, type QuireError } from '@quire/registry';
import type { JobRecord, JobService } from '../index.js';
import type { Guard } from '../../access/index.js';
import type { Settings } from '../../settings/index.js';

export interface JobAccessDeps {
  readonly guard: Pick<Guard, 'loginEnabled'>;
  readonly settings: Pick<Settings, 'get'>;
  ownerOf(principal: Principal): string;
}

/**
 * Returns the caller's job. With login on, another user's job and an unknown one get the same 403; with login off an
 * unknown job is 404.
 */
export async function ownJob(
  deps: JobAccessDeps,
  jobs: JobService,
  jobId: string,
  principal: Principal,
  withFiles = false,
): Promise<JobRecord> {
  const record = await jobs.get(jobId, withFiles);
  const owner = deps.ownerOf(principal);
  if (record === undefined || record.owner !== owner) throw unknownJob(deps, 'job', jobId);
  return record;
}

/** Returns the error for a job or result file that does not exist or belongs to another user. */
export function unknownJob({ guard, settings }: JobAccessDeps, what: 'job' | 'file', id: string): QuireError {
  const minutes = settings.get('jobs.resultExpiryMinutes');
  return guard.loginEnabled
    ? new AccessError('JOB_FORBIDDEN', { minutes })
    : new InputError('JOB_UNKNOWN', { what, id: id.slice(0, 100), minutes });
}

/**
 * Throws if the job has no result because it is not finished, failed or was cancelled (`docs/interface/jobs.yml`,
 * result). The failure itself is its `cause`.
 */
export function requireResult(record: JobRecord): void {
  if (!record.complete) throw new InputError('JOB_NOT_FINISHED', { status: record.status, seconds: 1 });
  if (record.status === 'succeeded') return;
  const options = record.failure === null ? {} : { cause: reviveError(record.failure) };
  throw new InputError('JOB_FAILED', { detail: record.error ?? 'unknown' }, [], options);
}
