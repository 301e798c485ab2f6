import type { AuditLog, AuditLogParts } from './audit-log.js';

export * from './event.js';
export type { AuditLog, AuditLogParts } from './audit-log.js';
export type { ExportFormat } from './export-events.js';

/** Opens the audit log; its code is loaded only now. */
export async function openAuditLog(parts: AuditLogParts): Promise<AuditLog> {
  const { AuditLog: Log } = await import('./audit-log.js');
  return new Log(parts);
}
