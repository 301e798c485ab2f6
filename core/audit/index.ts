import type { AuditLog, AuditLogDeps } from './audit-log.js';

export * from './event.js';
export type { Captures } from './captures.js';
export type { AuditLog, AuditLogDeps } from './audit-log.js';
/** Opens the audit log; its code is loaded only now. */
export async function openAuditLog(deps: AuditLogDeps): Promise<AuditLog> {
  const { AuditLog: Log } = await import('./audit-log.js');
  return new Log(deps);
}
