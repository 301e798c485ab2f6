import type { OpenedPdf } from '../../file/open/index.js';

/** A file to merge, on disk or in memory, and the client's name for it. */
export type NamedInput = { readonly name: string } & ({ readonly path: string } | { readonly bytes: Uint8Array });

/** An input once it is open. */
export interface OpenedInput {
  readonly name: string;
  readonly opened: OpenedPdf;
}
