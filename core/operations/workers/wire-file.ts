import type { ConcreteKind } from '@quire/registry';

/** A file as it crosses processes: by path, never by content. */
export interface WireFile {
  readonly name: string;
  readonly kind: ConcreteKind;
  readonly size: number;
  readonly path: string;
  /** What the client called its media type, where it said something of use. */
  readonly mediaType?: string;
  /** Its time in a zip, in milliseconds; a fixed one where there is none, so that a zip is the same every time. */
  readonly modified?: number;
}

/** What the signatures of one input ask for; nothing for what is no PDF. */
export interface SignatureFacts {
  readonly signed: boolean;
  /** The changes that a certified document still allows (DocMDP): 1 none, 2 forms, 3 annotations too. */
  readonly certified?: 1 | 2 | 3;
  /** The file turned out to be damaged, so that it was rewritten. */
  readonly repaired?: true;
}
