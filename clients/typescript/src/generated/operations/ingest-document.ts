// Generated from the declarations of the operations by `npm run docs`.

import type { FileResult } from '../../file-result.js';
import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface IngestDocumentOptions {
  /**
   * How the layout is read: basic uses positions and tags; advanced needs a layout model, which this server does not
   * have (503); auto uses what is available. Default: auto.
   */
  readonly mode?: 'auto' | 'basic' | 'advanced';
  /** Recognise the text of pages that have none (scans) first. Default: false. */
  readonly withOcr?: boolean;
  /** Languages for withOcr, the most important first; by default English, if it is installed. Default: []. */
  readonly languages?: string | readonly (string | number)[];
  /**
   * Most characters of a chunk; less than 64 counts as 64, more than 32768 as 32768. Whole number from 64 to 32768.
   * Default: 512.
   */
  readonly chunkSize?: number;
  /**
   * Most characters that a chunk repeats of the one before it; less than 0 counts as 0, more than 4096 as 4096; must
   * be below chunkSize. Whole number from 0 to 4096. Default: 64.
   */
  readonly overlap?: number;
  /** Names the document in the index: what was indexed under it is replaced; by default the SHA-256 of the bytes. */
  readonly documentId?: string;
  /** Returns the document too. Default: true. */
  readonly includeOriginal?: boolean;
  /** Stores the chunks for search. Default: true. */
  readonly index?: boolean;
  /** Returns the text as Markdown. Default: false. */
  readonly exportMarkdown?: boolean;
  /** Returns the chunks as JSON Lines. Default: false. */
  readonly exportChunksJsonl?: boolean;
}

export interface IngestDocument {
  /**
   * Chunk, index and export the text of a PDF.
   *
   * The answer is a zip with the document under its own name (`includeOriginal`), `<base>.md` (`exportMarkdown`) and
   * `<base>.chunks.jsonl` (`exportChunksJsonl`: one chunk a line, `{documentId, index, text, pageStart, pageEnd,
   * headingPath}`). `X-Tool-Report` contains `documentId`, `chunksIndexed`, `pages`, `sourcePages`, `truncated` and
   * `indexed`. In pipelines and jobs these are single files.
   *
   * Chunks are made as by docparse/chunk-document. `index` keeps them in the index of the caller on this server, in
   * place of what was there under the same `documentId`; POST docparse/search finds them again. It needs no language
   * model; where an embedding model is set up, it is sent the chunks, so that they are found by what they mean as
   * well. While login is off there is one index for everybody.
   *
   * The settings `aiEngine.limits.maxPages` and `maxCharacters` cut long documents at a page; then `truncated` is
   * true. A document without text is refused with 422: send `withOcr`, or recognise it first.
   *
   * POST /api/v1/docparse/ingest
   */
  ingestDocument(file: Input, options?: IngestDocumentOptions, call?: CallOptions): Promise<FileResult>;
}
