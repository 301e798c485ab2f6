import type { Identified } from '../store/index.js';

/** Kinds of events, by the names that clients know. */
export const auditTypes = [
  'USER_LOGIN',
  'USER_LOGOUT',
  'USER_FAILED_LOGIN',
  'USER_PROFILE_UPDATE',
  'SETTINGS_CHANGED',
  'FILE_OPERATION',
  'PDF_PROCESS',
  'HTTP_REQUEST',
] as const;
export type AuditType = (typeof auditTypes)[number];

/**
 * Levels of detail; their places are the numbers of `premium.enterpriseFeatures.audit.level`
 * (`docs/interface/settings.yml`).
 */
export const auditLevels = ['OFF', 'BASIC', 'STANDARD', 'VERBOSE'] as const;

/** The least level at which a kind is kept: people and settings first, then work on files, then every other call. */
const leastLevel: Readonly<Record<AuditType, number>> = {
  USER_LOGIN: 1,
  USER_LOGOUT: 1,
  USER_FAILED_LOGIN: 1,
  USER_PROFILE_UPDATE: 1,
  SETTINGS_CHANGED: 1,
  FILE_OPERATION: 2,
  PDF_PROCESS: 2,
  HTTP_REQUEST: 3,
};

/** Whether a level keeps events of this kind. */
export const isKept = (type: AuditType, level: number): boolean => level >= leastLevel[type];

/** How the caller was recognised: a key, a session of the pages, or not at all. */
export const auditOrigins = ['API', 'WEB', 'ANONYMOUS'] as const;

/**
 * What is told of a call. Nothing of it comes from a body but the name of the account that it is about, and what the
 * operator wants captured.
 */
export interface AuditData {
  /** `JOB` and `FOLDER`, of work that has ended. */
  readonly method: string;
  /** The route's pattern without the context path: ids and tokens in addresses are not kept. */
  readonly path: string;
  /** Status of the answer; 499 when the client had gone, or the job was cancelled. */
  readonly status: number;
  readonly ms: number;
  /** The client's address. */
  readonly address: string;
  readonly origin: (typeof auditOrigins)[number];
  readonly requestId: string;
  /** Path of the operation, of calls that process documents. */
  readonly operation?: string;
  /** The key that was used; an id, not the key. */
  readonly keyId?: string;
  /** The account that the call was about. */
  readonly subject?: string;
  /** Of work that has ended after its call, or without one (jobs, watched folders). */
  readonly outcome?: 'succeeded' | 'failed' | 'cancelled';
  readonly jobId?: string;
  /** Of uploads, where `captureFileHash` is on. */
  readonly files?: readonly CapturedFile[];
  /**
   * What was answered, where `captureOperationResults` is on: JSON, cut off after some thousand characters, or media
   * type and size of a file.
   */
  readonly result?: string;
}

/** A file as the log knows it. */
export interface CapturedFile {
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
  /** Bytes. */
  readonly size: number;
}

/** One event, as it is kept. */
export interface AuditEvent extends Identified {
  /** Sorts by time. */
  readonly id: string;
  readonly timestamp: string;
  /** Name of the caller, `anonymous` for nobody known; of failed logins the name that was tried. */
  readonly principal: string;
  readonly type: AuditType;
  readonly data: AuditData;
}

/** Which events; all must hold. Times in milliseconds, inclusive. */
export interface AuditFilter {
  readonly type?: AuditType | undefined;
  readonly principal?: string | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** Sums over events. */
export interface AuditStatistics {
  readonly totalEvents: number;
  readonly byType: ReadonlyMap<string, number>;
  readonly byPrincipal: ReadonlyMap<string, number>;
  /** By day in UTC. */
  readonly byDay: ReadonlyMap<string, number>;
  /** False when only the newest of them were looked at for everything but the total. */
  readonly complete: boolean;
}
