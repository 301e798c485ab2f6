/** What a share lets somebody do; the owner counts as editor (`docs/interface/storage.yml`, storage rules). */
export const shareRoles = ['editor', 'commenter', 'viewer'] as const;
export type ShareRole = (typeof shareRoles)[number];

/** Where the content of a file lies: a folder of this server, the store's blobs, or a bucket. */
export type ContentPlace = 'local' | 'database' | 's3';

/** One kept content. */
export interface ContentReference {
  /** Blob id. */
  readonly id: string;
  /** Bytes. */
  readonly size: number;
}

/** A file as it is kept; times in milliseconds since 1970. */
export interface FileRecord {
  /** A decimal number as text, from 1 up, never given twice. */
  readonly id: string;
  /** The same as a number, for sorting. */
  readonly number: number;
  readonly ownerId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly place: ContentPlace;
  /** Blob id of the main content, and its bytes. */
  readonly blob: string;
  readonly sizeBytes: number;
  /** Contents that came with it; null for none. */
  readonly historyBlob: string | null;
  readonly historyBytes: number;
  readonly auditBlob: string | null;
  readonly auditBytes: number;
  /** All of them together: what counts for quotas. */
  readonly totalBytes: number;
  readonly purpose: 'generic';
  /** Null for the root. */
  readonly folderId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  /** Grows with every new content. */
  readonly revision: number;
}

/** A folder of one user. */
export interface FolderRecord {
  /** UUID in small letters. */
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly parentFolderId: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  /** Grows with every change. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A file given to another user; the id is `<fileId>@<userId>`. */
export interface ShareRecord {
  readonly id: string;
  readonly fileId: string;
  readonly ownerId: string;
  readonly userId: string;
  readonly role: ShareRole;
  readonly createdAt: number;
}

/** A link to a file; the id is its token, a random UUID. */
export interface LinkRecord {
  readonly id: string;
  readonly fileId: string;
  readonly ownerId: string;
  readonly role: ShareRole;
  readonly createdAt: number;
  /** Null for one that does not expire. */
  readonly expiresAt: number | null;
}

/** One use of a link. */
export interface AccessRecord {
  readonly id: string;
  readonly token: string;
  readonly userId: string;
  readonly type: 'VIEW' | 'DOWNLOAD';
  readonly at: number;
}

/** When a user last used a link; the id is `<token>@<userId>`. */
export interface OpenedRecord {
  readonly id: string;
  readonly token: string;
  readonly userId: string;
  readonly at: number;
}

/** An uploaded part: a file on this server's disk. */
export interface Upload {
  /** Absolute path; the file is copied or linked, never changed. */
  readonly path: string;
  readonly size: number;
}

/** A file that is to be kept, with what comes beside it. */
export interface UploadSet {
  readonly fileName: string;
  readonly contentType: string;
  readonly main: Upload;
  readonly history: Upload | undefined;
  readonly audit: Upload | undefined;
}

/** What storage knows of accounts. */
export interface People {
  byId(id: string): Promise<{ readonly id: string; readonly username: string } | undefined>;
  /** A person of this name; built-in accounts are none. */
  byName(name: string): Promise<{ readonly id: string; readonly username: string } | undefined>;
}

/** How storage is set up (`storage.*`). */
export interface StorageSettings {
  readonly place: ContentPlace;
  /** Bytes; undefined for any number. */
  readonly maxFileBytes: number | undefined;
  readonly maxUserBytes: number | undefined;
  readonly maxTotalBytes: number | undefined;
  readonly sharing: boolean;
  readonly links: boolean;
  readonly mails: boolean;
  /** Days that a link lives; below 1 it does not expire. */
  readonly linkDays: number;
  /** Uses of one link that are remembered; the newest. */
  readonly usesPerLink: number;
}

/** Bytes that one user, or all together, have kept or reserved. */
export interface UsageRecord {
  /** `user <id>` or `total`. */
  readonly id: string;
  readonly bytes: number;
  /** Grows with every change, so that a count is only written over what it counted. */
  readonly version: number;
}

/** Bytes of an upload that is being taken in; the id is that of its main content. */
export interface ReservationRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly bytes: number;
  readonly at: number;
}
