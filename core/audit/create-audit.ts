import type { Clock, Endpoint, Logger } from '@quire/registry';
import type { LoginServices } from '../accounts/index.js';
import { hasLicence } from '../billing/index.js';
import type { JobRecord } from '../jobs/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';
import type { FolderRunEnd } from '../watched-folders/index.js';
import { auditFolderRun, auditJobEnd } from './background-events.js';
import { capturesOf, type Captures } from './captures.js';
import { auditPageEndpoints } from './endpoints/audit-pages.endpoint.js';
import { auditEndpoints } from './endpoints/audit.endpoint.js';
import { fleetStatsEndpoint } from './endpoints/fleet-stats.endpoint.js';
import { openAuditLog, type AuditLog } from './index.js';

export interface CreateAuditDeps {
  readonly settings: Settings;
  readonly store: Store;
  readonly login: LoginServices | undefined;
  readonly clock: Clock;
  readonly log: Logger;
}

/** The dependencies for recording HTTP calls. */
export interface CallAudit {
  readonly audit: AuditLog;
  readonly captures: Captures;
  /** Returns the name of an account as it is stored. */
  nameOf(username: string): Promise<string | undefined>;
}

export interface AuditFeature {
  /** Undefined while the log or login is off, or the licence is below enterprise. */
  readonly audit: AuditLog | undefined;
  readonly calls: CallAudit | undefined;
  readonly endpoints: readonly Endpoint[];
  jobEnded(record: JobRecord): void;
  folderRunEnded(end: FolderRunEnd): void;
  start(): void;
  stop(): Promise<void>;
}

/** Opens the audit log according to the settings. Its code is loaded only if the log is on. */
export async function createAudit(deps: CreateAuditDeps): Promise<AuditFeature> {
  const { settings, login } = deps;
  const audit = await openConfiguredLog(deps);
  const endpointDeps = { audit, settings };
  return {
    audit,
    calls:
      audit === undefined
        ? undefined
        : {
            audit,
            captures: capturesOf(settings),
            nameOf: async (username) => (await login?.accounts.byName(username))?.username,
          },
    endpoints: [
      ...auditEndpoints(endpointDeps),
      ...auditPageEndpoints(endpointDeps),
      fleetStatsEndpoint({ audit, login }),
    ],
    jobEnded: (record) => (audit === undefined ? undefined : auditJobEnd(audit, record)),
    folderRunEnded: (end) => (audit === undefined ? undefined : auditFolderRun(audit, end)),
    start: () => audit?.start(),
    stop: async () => audit?.close(),
  };
}

async function openConfiguredLog({
  settings,
  store,
  login,
  clock,
  log,
}: CreateAuditDeps): Promise<AuditLog | undefined> {
  const level = settings.get('premium.enterpriseFeatures.audit.level');
  if (
    login === undefined ||
    !settings.get('premium.enterpriseFeatures.audit.enabled') ||
    level === 0 ||
    !hasLicence(settings.get('licence.tier'), 'enterprise')
  )
    return undefined;
  return openAuditLog({
    store,
    clock,
    log,
    level,
    retentionDays: settings.get('premium.enterpriseFeatures.audit.retentionDays'),
  });
}
