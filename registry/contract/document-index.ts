/** Whose index it is. */
export interface IndexCaller {
  /** Of the principal; empty for everybody while login is off. */
  readonly id: string;
  readonly name: string;
}

/** A document whose text is to be found again. */
export interface IndexDocument {
  /** Names it among the caller's documents; what was there under it is replaced. At most 200 characters. */
  readonly documentId: string;
  /** File name, for answers. */
  readonly name: string;
}

/** What is looked for. */
export interface IndexQuery {
  readonly query: string;
  /** Most passages that are given. */
  readonly topK: number;
  /** Looks in this document only. */
  readonly documentId?: string;
}

/** A passage that was found. */
export interface IndexHit {
  readonly documentId: string;
  readonly documentName: string;
  /** Of the chunk in its document, from 0. */
  readonly index: number;
  readonly text: string;
  readonly pageStart: number;
  readonly pageEnd: number;
  readonly headingPath: readonly string[];
  /** The larger, the better it fits; to be compared within one answer only. */
  readonly score: number;
}

/**
 * Texts of documents, in chunks, that each caller can search. Offered by plugin `docparse`. Reaches workers, where
 * `caller` is left out: the server fills in who asked for the run. Every method rejects with SERVICE_NOT_SET_UP where
 * nobody offers it, with STORE_DOWN and STORAGE_FULL.
 */
export interface DocumentIndex {
  /**
   * Puts the chunks of a document in the caller's index, in place of those it had under this id. `chunks`: absolute
   * path of a file inside the run's private folder, a JSON object a line: `{text, pageStart, pageEnd, headingPath}`.
   * Gives how many there are now. Rejects with INDEX_FULL, and with CONTRACT_BROKEN for lines of another shape.
   */
  replace(document: IndexDocument, chunks: string, caller?: IndexCaller, signal?: AbortSignal): Promise<number>;
  /** The passages that fit best, the best first. */
  search(query: IndexQuery, caller?: IndexCaller, signal?: AbortSignal): Promise<readonly IndexHit[]>;
  /** Takes a document out; false when there was none. */
  remove(documentId: string, caller?: IndexCaller): Promise<boolean>;
}
