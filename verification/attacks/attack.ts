import type { ApiDocument, DocumentedCall } from '../walk/api-document.js';

/** Whose credentials a request carries. */
export type CallerName =
  | 'nobody'
  | 'wrong key'
  | 'foreign token'
  | 'disabled user'
  | 'must change password'
  | 'read-only key'
  | 'key of another category'
  | 'global key'
  | 'user'
  | 'administrator';

/** One hostile request. */
export interface Attack {
  readonly family: string;
  /** What is tried, in a few words; unique within the family. */
  readonly title: string;
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly path: string;
  readonly caller: CallerName;
  readonly headers?: Readonly<Record<string, string>>;
  /** Created when it is sent, because some are large. */
  readonly body?: () => Buffer;
  /** Sent on a connection of its own instead of a request; the method and path are then for the report. */
  readonly wire?: () => readonly (string | Uint8Array)[];
  /** Texts that the request contains and that an answer may repeat. */
  readonly sent?: readonly string[];
  /** The call as documented; undefined for addresses that are not. */
  readonly call?: DocumentedCall;
  /** True if only a refusal is right, whatever the request contains. */
  readonly mustBeRefused?: boolean;
}

/** What came back. */
export interface Received {
  /** 0 if the connection ended without an answer. */
  readonly status: number;
  /** Status line and header lines. */
  readonly head: string;
  readonly body: Buffer;
  /** Milliseconds. */
  readonly took: number;
}

/** Things of another user that no attack may read, change or delete. */
export interface ForeignThings {
  readonly jobId: string;
  readonly jobFileId: string;
  readonly storedFileId: string;
  readonly connectionId: string;
  readonly folderId: string;
  readonly keyId: string;
  readonly sessionId: string;
  readonly signatureId: string;
  readonly username: string;
}

/** What attacks are derived from. */
export interface Battlefield {
  readonly document: ApiDocument;
  /** Address of a listener that must hear nothing, such as `http://127.0.0.1:9999`. */
  readonly listener: string;
  /** Absolute path of a file that no answer may contain. */
  readonly secretFile: string;
  /** Folder in which an attack might create a file whose name begins with PWNED. */
  readonly dropFolder: string;
  readonly foreign: ForeignThings;
  /** The bytes of an example file by its address in the document. */
  readonly sample: (address: string) => Buffer;
}
