import type { OpenedPdf } from '../open/index.js';

/** A file to merge: its bytes and the client's name for it. */
export interface NamedBytes {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** An input once it is open. */
export interface OpenedInput {
  readonly name: string;
  readonly opened: OpenedPdf;
}
