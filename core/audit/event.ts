import type { ErrorCode } from '@quire/registry';
import type { Identified } from '../store/index.js';

/** Event types, by the names that existing clients know. */
export const auditTypes = [
  'USER_LOGIN',
  'USER_LOGOUT',
  'USER_FAILED_LOGIN',
  'USER_PROFILE_UPDATE',
  'LOGIN_TRIAL',
  'SETTINGS_CHANGED',
  'FILE_OPERATION',
  'PDF_PROCESS',
  'HTTP_REQUEST',
] as const;
export type AuditType = (typeof auditTypes)[number];

/**
 * Levels of detail; the index is the number in `premium.enterpriseFeatures.audit.level`
 * (`docs/interface/settings.yml`).
 */
export const auditLevels = ['OFF', 'BASIC', 'STANDARD', 'VERBOSE'] as const;

/** The lowest level that includes a type: people and settings first, then work on files, then every other call. */
const leastLevel: Readonly<Record<AuditType, number>> = {
  USER_LOGIN: 1,
  USER_LOGOUT: 1,
  USER_FAILED_LOGIN: 1,
  USER_PROFILE_UPDATE: 1,
  LOGIN_TRIAL: 1,
  SETTINGS_CHANGED: 1,
  FILE_OPERATION: 2,
  PDF_PROCESS: 2,
  HTTP_REQUEST: 3,
};

/** Returns true if the level includes this type. */
export const isKept = (type: AuditType, level: number): boolean => level >= leastLevel[type];

/** How the caller was authenticated: by a key, by a session of the pages, or not at all. */
export const auditOrigins = ['API', 'WEB', 'ANONYMOUS'] as const;

/**
 * Data of a recorded call. Nothing in it comes from a body, except the name of a changed account and what the operator
 * wants captured.
 */
export interface AuditData {
  /** `JOB` and `FOLDER` for background work. */
  readonly method: string;
  /** The route's pattern without the context path: ids and tokens in URLs are not stored. */
  readonly path: string;
  /** HTTP status of the response; 499 if the client closed the connection or the job was cancelled. */
  readonly status: number;
  readonly ms: number;
  /** The client's IP address. */
  readonly address: string;
  readonly origin: (typeof auditOrigins)[number];
  readonly requestId: string;
  /** Path of the operation, for calls that process documents. */
  readonly operation?: string;
  /** The id of the API key that was used; not the key itself. */
  readonly keyId?: string;
  /** The account that was changed. */
  readonly subject?: string;
  /** Of a failed login: the error code. */
  readonly code?: ErrorCode;
  /** Of a login with a provider, or a trial: its name, why it was refused. Of a change by SCIM: what was changed. */
  readonly reason?: string;
  /** Result of background work (jobs, watched folders). */
  readonly outcome?: 'succeeded' | 'failed' | 'cancelled';
  readonly jobId?: string;
  /** Uploaded files; only if `captureFileHash` or `capturePdfAuthor` is on. */
  readonly files?: readonly CapturedFile[];
  /**
   * The result, only if `captureOperationResults` is on: JSON, truncated after some thousand characters, or media type
   * and size of a file.
   */
  readonly result?: string;
}

/** Facts about an uploaded file. */
export interface CapturedFile {
  /** SHA-256, hexadecimal; only if `captureFileHash` is on. */
  readonly sha256?: string;
  /** Bytes. */
  readonly size: number;
  /** The author that a PDF names; only if `capturePdfAuthor` is on. */
  readonly author?: string;
}

/** An event as stored. */
export interface AuditEvent extends Identified {
  /** Sorts by time. */
  readonly id: string;
  readonly timestamp: string;
  /** Name of the caller, or `anonymous`; for failed logins the name that was tried. */
  readonly principal: string;
  readonly type: AuditType;
  readonly data: AuditData;
  /** Set for calls of sessions that were answered; an index for statistics, not part of what is shown. */
  readonly web?: 'done';
}

/** True for a call of a session that was answered. Of a job, the call that starts it counts, and not its end. */
export function isDoneInSession(type: AuditType, { method, origin, status }: AuditData): boolean {
  return (origin === 'WEB' || type === 'USER_LOGIN') && status < 400 && method !== 'JOB';
}

/** Selects events; all conditions must hold. Times in milliseconds, inclusive. */
export interface AuditFilter {
  readonly type?: AuditType | undefined;
  readonly principal?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

export interface AuditStatistics {
  readonly totalEvents: number;
  readonly byType: ReadonlyMap<string, number>;
  readonly byPrincipal: ReadonlyMap<string, number>;
  /** By day in UTC. */
  readonly byDay: ReadonlyMap<string, number>;
  /** False if everything except the total covers only the newest events. */
  readonly complete: boolean;
}
