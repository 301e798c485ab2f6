import type { Clock, Logger } from '@quire/registry';
import { hasLicence, type LoginRooms } from '../access/index.js';
import { openAuditLog, type AuditLog } from '../audit/index.js';
import type { Settings } from '../settings/index.js';
import type { Store } from '../store/index.js';

/** Opens the audit log as the settings say; undefined, and nothing of it loaded, while it or login is off, or the licence is below enterprise. */
export async function makeAudit({ settings, login, ...parts }: { readonly settings: Settings; readonly store: Store; readonly login: LoginRooms | undefined; readonly clock: Clock; readonly log: Logger }): Promise<AuditLog | undefined> {
  const level = settings.get('premium.enterpriseFeatures.audit.level');
  if (login === undefined || !settings.get('premium.enterpriseFeatures.audit.enabled') || level === 0 || !hasLicence(settings.get('licence.tier'), 'enterprise')) return undefined;
  return openAuditLog({ ...parts, level, retentionDays: settings.get('premium.enterpriseFeatures.audit.retentionDays') });
}
