/** How long a session lives after its last use, ms (`docs/interface/misc.yml`, mobile-scanner). */
export const SESSION_MS = 600_000;

/** Limits for what anonymous users may store (`limits.mobileScanner`); sizes in bytes. */
export interface ScanLimits {
  /** Limit for sessions at once in all; `sessionsPerAddress` is the limit for one address. */
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** Limit for files of one session, including downloaded ones. */
  readonly filesPerSession: number;
  /** Limit for bytes that wait in one session; `totalBytes` is the limit for all sessions. */
  readonly sessionBytes: number;
  readonly totalBytes: number;
  /** Limit for bytes that wait in all sessions begun from one address. */
  readonly addressBytes: number;
}

/** A session as clients see it; times in milliseconds since 1970. */
export interface ScanSession {
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** A file of a session as clients see it. */
export interface ScanFile {
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  readonly contentType: string;
}

/** An uploaded file on this server's disk. */
export interface ScanUpload {
  readonly name: string;
  /** As sent by the phone, or detected from the content. */
  readonly mediaType: string;
  readonly size: number;
  /** Absolute path; the file is copied or linked, never changed. */
  readonly path: string;
}

/** A session in the store; the client chose its id. Times in ms of the store. */
export interface SessionRecord {
  readonly id: string;
  /** Random, new whenever the session is created: files of an earlier session with this id do not belong to it. */
  readonly run: string;
  /** Digest of the address that created it. */
  readonly network: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Files stored or being stored; `fetched` of them were downloaded. */
  readonly files: number;
  readonly fetched: number;
  /** Bytes stored or being stored, without downloaded files. */
  readonly bytes: number;
}

/** A file in the store. */
export interface FileRecord {
  readonly id: string;
  readonly session: string;
  readonly run: string;
  /** 1, 2, 3 … in order of arrival. */
  readonly order: number;
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  readonly blobId: string;
  /** `fetched`: the content was deleted; only the entry in the list remains. */
  readonly state: 'here' | 'fetched';
  /** Number of downloads under way; `readAtMs` is the start of the last one, `sent` is true once one was complete. */
  readonly readers: number;
  readonly readAtMs: number;
  readonly sent: boolean;
}
