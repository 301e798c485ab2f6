// Generated from the declarations of the operations by `npm run docs`.

import type { Input } from '../../inputs.js';
import type { CallOptions } from '../../transport.js';

export interface ChunkDocumentOptions {
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
}

/** Answer of `chunkDocument`. */
export type ChunkDocumentAnswer = {
  readonly documentName: string;
  readonly mode: string;
  readonly chunkSize: number;
  readonly overlap: number;
  readonly pages: number;
  readonly chunks: readonly {
    /** From 0 */
    readonly index: number;
    /** Markdown */
    readonly text: string;
    /** Page of its first character, from 1 */
    readonly pageStart?: number;
    /** Page of its last character */
    readonly pageEnd?: number;
    /** Headings above the chunk, outermost first */
    readonly headingPath: readonly string[];
  }[];
};

export interface ChunkDocument {
  /**
   * Split a document into text chunks.
   *
   * Chunks are Markdown with at most `chunkSize` characters (UTF-16 code units), in reading order, without running
   * headers and page numbers; images contribute their text and alternative text. Each chunk is within one section,
   * starts with its headings, and has its pages and the headings above it.
   *
   * A chunk ends where a block ends, otherwise at the end of a sentence, item or row, otherwise between words; a word
   * is split only if it is longer than a chunk. It repeats up to `overlap` characters of the previous chunk in its
   * section, from the start of a sentence or word; at most three quarters of a chunk.
   *
   * Together the chunks contain all the text, and the same document always gives the same chunks. Scanned pages need
   * `withOcr`; a document without text gives no chunk. No language model is used.
   *
   * POST /api/v1/docparse/chunk-document
   */
  chunkDocument(file: Input, options?: ChunkDocumentOptions, call?: CallOptions): Promise<ChunkDocumentAnswer>;
}
