import { errorRow } from '@quire/registry/errors';
import type { JobRecord } from '../jobs/index.js';
import { isFolderJob, type FolderRunEnd } from '../watched-folders/index.js';
import type { AuditLog } from './audit-log.js';
import type { AuditData } from './event.js';

/**
 * Records the end of a job. Its start is recorded as the call that started it; a run of a watched folder is recorded by
 * `auditFolderRun`.
 */
export function auditJobEnd(
  audit: AuditLog,
  {
    jobId,
    path,
    status,
    failure,
    caller,
    createdAtMs,
    startedAtMs,
    completedAtMs,
  }: Pick<
    JobRecord,
    'jobId' | 'path' | 'status' | 'failure' | 'caller' | 'createdAtMs' | 'startedAtMs' | 'completedAtMs'
  >,
): void {
  if (status === 'queued' || status === 'running' || isFolderJob(path)) return;
  const origins: Readonly<Record<string, AuditData['origin']>> = {
    session: 'WEB',
    key: 'API',
    globalKey: 'API',
    token: 'API',
    certificate: 'API',
  };
  audit.record('PDF_PROCESS', caller?.name ?? 'anonymous', {
    method: 'JOB',
    path: `/api/v1/${path}`,
    operation: path,
    jobId,
    outcome: status,
    status: status === 'succeeded' ? 200 : status === 'cancelled' ? 499 : errorRow(failure?.code ?? 'INTERNAL').status,
    ms: Math.round(Math.max(0, (completedAtMs ?? createdAtMs) - (startedAtMs ?? completedAtMs ?? createdAtMs))),
    address: '',
    origin: origins[caller?.via ?? 'none'] ?? 'ANONYMOUS',
    requestId: jobId,
    ...(caller?.keyId === undefined ? {} : { keyId: caller.keyId }),
  });
}

/** Records the end of a run of a watched folder, under the account of the run. */
export function auditFolderRun(audit: AuditLog, { run, folder, principal, ms, fault }: FolderRunEnd): void {
  audit.record('PDF_PROCESS', principal.name, {
    method: 'FOLDER',
    path: `/${folder}`,
    outcome: fault === undefined ? 'succeeded' : 'failed',
    status: fault?.status ?? 200,
    ms: Math.round(ms),
    address: '',
    origin: principal.via === 'none' ? 'ANONYMOUS' : 'API',
    requestId: run,
  });
}
