import type { SerialisedError } from '@quire/registry/errors';

/** The head of a kept answer, sealed in its record: a status with headers and what body there is, or a refusal. */
export type KeptHead = KeptBody | { readonly error: SerialisedError };

/** An answer without the bytes that lie in a blob. */
export interface KeptBody {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly kind: 'json' | 'text' | 'file' | 'none';
  /** A short text; a longer one lies in the blob, as the bytes of a file do. */
  readonly inline?: string;
  readonly file?: {
    readonly name: string;
    readonly mediaType: string;
    readonly size: number;
    readonly disposition?: 'attachment' | 'inline';
  };
}

/** What is remembered of one key of one caller at one address. */
export interface AnswerRecord {
  /** Keyed digest of caller, address and key: the key itself is not kept. */
  readonly id: string;
  readonly caller: string;
  /** Keyed digest of what was sent. */
  readonly fingerprint: string;
  readonly state: 'working' | 'kept';
  /**
   * Random part of the id of the job that the call becomes: chosen before, so that a server that takes over finds it.
   */
  readonly uuid: string;
  /** The work at hand, and until when nobody may take it over; '' and 0 when there is none. */
  readonly holder: string;
  readonly untilMs: number;
  readonly createdAtMs: number;
  readonly expiresAtMs: number;
  /** The sealed head; null while the first is at work. */
  readonly head: string | null;
  readonly blobId: string | null;
  /** Bytes of the blob. */
  readonly bytes: number;
}
