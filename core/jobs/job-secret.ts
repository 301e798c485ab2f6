import { DefectError } from '@quire/registry/errors';
import { openJson } from '../secrets/index.js';
import type { JobRecord } from './job-record.js';

/** Decrypts the parameters of a job, its pipeline if it has one, and whether it refuses damaged files. */
export function openSecret(
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
