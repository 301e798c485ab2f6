import { DefectError } from '@quire/registry/errors';
import { openJson } from '../secrets/index.js';
import type { JobInput, JobWork } from './job-executor.js';
import type { JobRecord } from './job-record.js';

/** What the executor of a job gets. Throws INTERNAL when its parameters cannot be decrypted. */
export function jobWork(secretKey: Buffer, record: JobRecord, inputs: readonly JobInput[]): JobWork {
  const { jobId, attempts, kind, path, caller } = record;
  const opened = openSecret(secretKey, record);
  const [unattended, each] = [record.unattended === true, record.each === true];
  return { jobId, attempts, kind, path, ...opened, unattended, each, inputs, caller };
}

/** Decrypts the parameters of a job, its pipeline if it has one, and whether it refuses damaged files. */
function openSecret(
  secretKey: Buffer,
  record: Pick<JobRecord, 'id' | 'secret'>,
): { params: Record<string, unknown>; pipeline: unknown; strict: boolean } {
  try {
    const opened = openJson(secretKey, record.id, record.secret ?? '') as {
      params: Record<string, unknown>;
      pipeline?: unknown;
      strict?: boolean;
    };
    return { params: opened.params, pipeline: opened.pipeline, strict: opened.strict === true };
  } catch (error) {
    throw new DefectError(
      'INTERNAL',
      { detail: 'the parameters of this job were encrypted with another key' },
      { cause: error },
    );
  }
}
