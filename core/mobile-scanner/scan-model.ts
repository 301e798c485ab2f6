/** How long a session lives after its last use, ms (`docs/interface/misc.yml`, mobile-scanner). */
export const SESSION_MS = 600_000;

/** Bounds of what strangers may keep here (`limits.mobileScanner`); sizes in bytes. */
export interface ScanLimits {
  /** Sessions at once in all, and of one address. */
  readonly sessions: number;
  readonly sessionsPerAddress: number;
  /** Files of one session, fetched ones included. */
  readonly filesPerSession: number;
  /** Bytes that wait in one session, and in all. */
  readonly sessionBytes: number;
  readonly totalBytes: number;
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

/** A file that was sent: on this server's disk. */
export interface ScanUpload {
  readonly name: string;
  /** As the phone said, or guessed from the content. */
  readonly mediaType: string;
  readonly size: number;
  /** Absolute path; the file is copied or linked, never changed. */
  readonly path: string;
}

/** A session in the store; the id is the one that the client chose. Times in ms of the store. */
export interface SessionRecord {
  readonly id: string;
  /** New with every beginning: files of an earlier life are not those of this one. */
  readonly run: string;
  /** Digest of the address that began it. */
  readonly network: string;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** Files kept or being kept, and how many of them were fetched. */
  readonly files: number;
  readonly fetched: number;
  /** Bytes kept or being kept, without those of fetched files. */
  readonly bytes: number;
}

/** A file in the store. */
export interface FileRecord {
  readonly id: string;
  readonly session: string;
  readonly run: string;
  /** 1, 2, 3 … in the order of arrival. */
  readonly order: number;
  readonly name: string;
  readonly size: number;
  readonly contentType: string;
  readonly blobId: string;
  /** `fetched`: its content is gone; it only stands in the list. */
  readonly state: 'here' | 'fetched';
  /** Downloads under way, when the last one began, and whether one got everything. */
  readonly readers: number;
  readonly readAtMs: number;
  readonly sent: boolean;
}
