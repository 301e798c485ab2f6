import type { SerialisedError } from '@quire/registry/errors';

/** The head of a kept answer, encrypted in its record: status, headers and a short body, or an error. */
export type KeptHead = KeptBody | { readonly error: SerialisedError };

/** An answer without the bytes that are in a blob. */
export interface KeptBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: 'json' | 'text' | 'file' | 'none';
  /** A short text body; longer bodies and files are in the blob. */
  readonly inline?: string;
  readonly file?: {
    readonly name: string;
    readonly mediaType: string;
    readonly size: number;
    readonly disposition?: 'attachment' | 'inline';
  };
}

/** The stored answer for one key of one caller at one path. */
export interface AnswerRecord {
  /** Keyed digest of caller, path and key; the key itself is not stored. */
  readonly id: string;
  readonly caller: string;
  /** Keyed digest of the request's content. */
  readonly fingerprint: string;
  readonly state: 'working' | 'kept';
  /**
   * Random part of the id of the job that the call may become. Chosen in advance, so that a server that takes over the
   * call finds the job.
   */
  readonly uuid: string;
  /** Random id of the claim under way, '' for none. Until `untilMs` (0 for none) nobody may take it over. */
  readonly holder: string;
  readonly untilMs: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The encrypted head; null while the first call is being processed. */
  readonly head: string | null;
  readonly blobId: string | null;
  /** Size of the blob in bytes. */
  readonly bytes: number;
}
