/**
 * Roles of users to whom a file is shared; the owner counts as editor (`docs/interface/storage.yml`, storage rules).
 */
export const shareRoles = ['editor', 'commenter', 'viewer'] as const;
export type ShareRole = (typeof shareRoles)[number];

/** Where the content of a file is: in a folder of this server, in the store's blobs, or in a bucket. */
export type ContentPlace = 'local' | 'database' | 's3';

/** A file as stored; times in milliseconds since 1970. */
export interface FileRecord {
  /** A decimal number as text, from 1 up; never used twice. */
  readonly id: string;
  /** The id as a number, for sorting. */
  readonly number: number;
  readonly ownerId: string;
  readonly fileName: string;
  readonly contentType: string;
  readonly place: ContentPlace;
  /** Blob id of the main content; `sizeBytes` is its size. */
  readonly blob: string;
  readonly sizeBytes: number;
  /** Contents that were uploaded with it; null for none. */
  readonly historyBlob: string | null;
  readonly historyBytes: number;
  readonly auditBlob: string | null;
  readonly auditBytes: number;
  /** Size of all contents together, which counts for quotas. */
  readonly totalBytes: number;
  readonly purpose: 'generic';
  /** Null for the root. */
  readonly folderId: string | null;
  readonly createdAt: number;
  readonly updatedAt: number | null;
  /** Incremented with every new content. */
  readonly revision: number;
}

/** A folder of one user. */
export interface FolderRecord {
  /** UUID in lower case. */
  readonly id: string;
  readonly ownerId: string;
  readonly name: string;
  readonly parentFolderId: string | null;
  readonly color: string | null;
  readonly icon: string | null;
  /** Incremented with every change. */
  readonly version: number;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A share of a file with another user; the id is `<fileId>@<userId>`. */
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
  /** Works without an account, while `storage.sharing.publicLinkEnabled` is on. Missing: false, as in older links. */
  readonly withoutAccount?: boolean;
  /** As the passwords of accounts; null or missing for none. */
  readonly passwordHash?: string | null;
  /** How often the content may be sent, shown or saved; null or missing for no limit. */
  readonly maxDownloads?: number | null;
  /** How often the content of a link with a limit was sent. */
  readonly downloads?: number;
}

/** What the owner of a link chooses. */
export interface NewLink {
  readonly role: ShareRole;
  readonly withoutAccount?: boolean;
  readonly password?: string | undefined;
  readonly maxDownloads?: number | null;
  /** Null for the longest time that `storage.sharing.linkExpirationDays` allows. */
  readonly expiresInHours?: number | null;
}

/** The end of a link that worked without an account; the id is its token. */
export interface EndedLinkRecord {
  readonly id: string;
  readonly reason: 'expired' | 'revoked';
  readonly forgetAt: number;
}

/** Passwords of links, and the limits of those who open links without an account. */
export interface LinkPasswords {
  /** Throws PASSWORD_INVALID for one that is easily guessed. */
  hash(password: string): Promise<string>;
  /** Counts a call without an account. Throws TOO_MANY_ATTEMPTS after too many from this address. */
  admit(address: string): Promise<void>;
  /** Returns true for the right password. Throws TOO_MANY_ATTEMPTS after too many wrong ones for this link. */
  verify(
    link: { readonly id: string; readonly passwordHash: string },
    password: string,
    address: string,
  ): Promise<boolean>;
  /** Forgets attempts that no longer count. */
  sweep(): Promise<void>;
}

/** One use of a link. */
export interface AccessRecord {
  readonly id: string;
  readonly token: string;
  /** Empty for somebody without an account. */
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

/** An uploaded file on this server's disk. */
export interface Upload {
  /** Absolute path; the file is copied or linked, never changed. */
  readonly path: string;
  readonly size: number;
}

/** A file to store, with its history and audit log. */
export interface UploadSet {
  readonly fileName: string;
  readonly contentType: string;
  readonly main: Upload;
  readonly history: Upload | undefined;
  readonly audit: Upload | undefined;
}

/** The accounts as storage sees them. */
export interface People {
  byId(id: string): Promise<
    | {
        readonly id: string;
        readonly username: string;
        readonly displayName: string | null;
        readonly enabled: boolean;
      }
    | undefined
  >;
  /** Returns the user with this name; undefined for built-in accounts. */
  byName(name: string): Promise<{ readonly id: string; readonly username: string } | undefined>;
}

/** Settings of the storage (`storage.*`). */
export interface StorageSettings {
  readonly place: ContentPlace;
  /** In bytes; undefined for no limit. */
  readonly maxFileBytes: number | undefined;
  readonly maxUserBytes: number | undefined;
  /** Returns the limit of the user's role; undefined for none. */
  readonly roleBytesOf?: (ownerId: string) => Promise<number | undefined>;
  readonly maxTotalBytes: number | undefined;
  readonly sharing: boolean;
  readonly links: boolean;
  /** Links may work without an account. */
  readonly publicLinks: boolean;
  readonly mails: boolean;
  /** Days until a link expires, at the latest; below 1 it need not expire. */
  readonly linkDays: number;
  /** How many of the newest uses of a link are stored. */
  readonly usesPerLink: number;
}

/** Bytes that one user, or all users together, have stored or reserved. */
export interface UsageRecord {
  /** `user <id>` or `total`. */
  readonly id: string;
  readonly bytes: number;
  /** Incremented with every change, so that a recount is only written if nothing has changed meanwhile. */
  readonly version: number;
}

/** Bytes reserved for an upload in progress; the id is that of its main content. */
export interface ReservationRecord {
  readonly id: string;
  readonly ownerId: string;
  readonly bytes: number;
  readonly at: number;
}
