/** The owner of the index. */
export interface IndexCaller {
  /** Id of the principal; empty for everybody while login is off. */
  readonly id: string;
  readonly name: string;
}

/** A document whose text is indexed. */
export interface IndexDocument {
  /**
   * Identifies it among the caller's documents and replaces an earlier one with the same id. At most 200 characters.
   */
  readonly documentId: string;
  /** File name, shown with search results. */
  readonly name: string;
}

export interface IndexQuery {
  readonly query: string;
  /** Maximum number of passages in the result. */
  readonly topK: number;
  /** Searches this document only. */
  readonly documentId?: string;
}

/** A matching passage. */
export interface IndexHit {
  readonly documentId: string;
  readonly documentName: string;
  /** Index of the chunk in its document, from 0. */
  readonly index: number;
  readonly text: string;
  readonly pageStart: number;
  readonly pageEnd: number;
  readonly headingPath: readonly string[];
  /** Higher is better; comparable within one result only. */
  readonly score: number;
}

/**
 * Texts of documents, in chunks, that each caller can search. Offered by plugin `docparse`. Also available in workers,
 * where `caller` is omitted: the server fills in who started the run. Every method rejects with SERVICE_NOT_SET_UP
 * where no plugin offers it, with STORE_DOWN and STORAGE_FULL.
 */
export interface DocumentIndex {
  /**
   * Stores the chunks of a document in the caller's index, in place of those under the same id. `chunks` is the
   * absolute path of a file in the run's private folder with one JSON object per line: `{text, pageStart, pageEnd,
   * headingPath}`. Returns the number of chunks now. Rejects with INDEX_FULL, and with CONTRACT_BROKEN for lines of
   * another shape.
   */
  replace(document: IndexDocument, chunks: string, caller?: IndexCaller, signal?: AbortSignal): Promise<number>;
  /** Returns the best matching passages, the best first. */
  search(query: IndexQuery, caller?: IndexCaller, signal?: AbortSignal): Promise<readonly IndexHit[]>;
  /** Removes a document; false when there was none. */
  remove(documentId: string, caller?: IndexCaller): Promise<boolean>;
}
