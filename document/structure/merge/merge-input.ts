import type { OpenedPdf } from '../../file/open/index.js';

/** A file to merge, on disk or in memory, with the client's name for it. */
export type NamedInput = { readonly name: string } & ({ readonly path: string } | { readonly bytes: Uint8Array });

/** An opened input. */
export interface OpenedInput {
  readonly name: string;
  readonly opened: OpenedPdf;
}
