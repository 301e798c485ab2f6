import type { ConcreteKind } from '@quire/registry';

/** A file as it is sent between processes: by path, without its content. */
export interface WireFile {
  readonly name: string;
  readonly kind: ConcreteKind;
  readonly size: number;
  readonly path: string;
  /** The media type that the client sent, if it is useful. */
  readonly mediaType?: string;
  /** Modification time in a zip, in milliseconds; without it a fixed time, so that the zip is reproducible. */
  readonly modified?: number;
  /**
   * The identity (`soundIdentity`) of a result of an earlier step that our own writer wrote from files without damage:
   * it is not searched again, unless it has another identity by then.
   */
  readonly sound?: string;
}

/** Facts about the signatures of one input; empty for files other than PDFs. */
export interface SignatureFacts {
  readonly signed: boolean;
  /** The changes that a certified document still allows (DocMDP): 1 none, 2 forms, 3 annotations too. */
  readonly certified?: 1 | 2 | 3;
  /** The file turned out to be damaged, so it was rewritten. */
  readonly repaired?: true;
}
