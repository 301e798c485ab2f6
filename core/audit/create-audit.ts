import type { Clock, Logger } from '@quire/registry';
import { hasLicence } from '../billing/index.js';
import type { LoginRooms } from '../access/login-services.js';
import { openAuditLog, type AuditData, type AuditLog } from './index.js';
import { errorRow } from '@quire/registry/errors';
import type { FolderRunEnd } from '../watched-folders/index.js';
import type { Captures } from '../http/routes/index.js';
import type { JobRecord } from '../jobs/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/**
 * Opens the audit log as the settings say; undefined, and nothing of it loaded, while it or login is off, or the
 * licence is below enterprise.
 */
export async function makeAudit({
  settings,
  login,
  ...parts
}: {
  readonly settings: Settings;
  readonly store: Store;
  readonly login: LoginRooms | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}): Promise<AuditLog | undefined> {
  const level = settings.get('premium.enterpriseFeatures.audit.level');
  if (
    login === undefined ||
    !settings.get('premium.enterpriseFeatures.audit.enabled') ||
    level === 0 ||
    !hasLicence(settings.get('licence.tier'), 'enterprise')
  )
    return undefined;
  return openAuditLog({
    ...parts,
    level,
    retentionDays: settings.get('premium.enterpriseFeatures.audit.retentionDays'),
  });
}

/** What the log keeps of documents and answers beside the call itself. */
export function capturesOf(settings: Settings): Captures {
  const on = (what: 'FileHash' | 'OperationResults'): boolean =>
    settings.get(`premium.enterpriseFeatures.audit.capture${what}`);
  return { fileHash: on('FileHash'), results: on('OperationResults') };
}

/** Tells the log that a job has ended: when it was taken in is an event of its call. */
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
  if (status === 'queued' || status === 'running') return;
  const origins: Readonly<Record<string, AuditData['origin']>> = { session: 'WEB', key: 'API', globalKey: 'API' };
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

/** Tells the log that a run of a watched folder has ended, under the account that it works for. */
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
