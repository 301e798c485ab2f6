import type { PDFContext, PDFDocument, PDFRef } from 'pdf-lib';
import { FileSource, isKeeping, keepSource } from '../source/index.js';
import {
  appendTo,
  CountingSink,
  FileSink,
  MemorySink,
  type RewriteOptions,
  rewriteTo,
  type Sink,
} from '../writer/index.js';
import { newSecurity, type Protection, securityOf } from './file-security.js';
import type { OpenedPdf } from './open-pdf.js';
import { stampedRefs, stampInfo } from './stamp-info.js';
import { withdrawUsageRights } from './usage-rights.js';

/** How to write. */
export interface SaveOptions extends RewriteOptions {
  /** Time written as /ModDate; the entry stays as it is when absent. */
  readonly modified?: Date;
  /** False writes what the document says of itself as it is: by default Quire is named as its producer. */
  readonly stamp?: boolean;
}

/** How an opened document is written. */
export interface WriteOptions extends SaveOptions {
  /**
   * `append` leaves the input's bytes as they are and puts what changed behind them, where the input can be continued;
   * only for what adds or changes, since what was before stays in the file. `rewrite` (default) writes all that the
   * catalog leads to and nothing else.
   */
  readonly mode?: 'append' | 'rewrite';
  /**
   * What an appending edit changed, where it knows: its pages' dictionaries and nothing else. By default each object is
   * held against the file.
   */
  readonly changes?: 'pages';
  /**
   * A new encryption, or `none` for a document that loses the one it has; `kept` by default. Anything but that writes
   * every byte anew.
   */
  readonly protection?: Protection | 'none' | 'kept';
  /**
   * Of what is appended: usage rights stay `always`, or where they allow to `fillIn`. Elsewhere they are taken out,
   * since they would no longer hold.
   */
  readonly usageRights?: 'always' | 'fillIn';
}

/**
 * Writes an opened document into a new file, straight from the input's: object streams where the input had them, unless
 * told otherwise. Gives how it was written: a document that had to be mended is written anew. An encrypted one stays
 * so, with its passwords and permissions, unless `protection` says otherwise. Half a file is never left behind.
 */
export function writePdf(opened: OpenedPdf, path: string, options: WriteOptions = {}): 'append' | 'rewrite' {
  const { mode, touched } = prepare(opened, options);
  const { original } = opened;
  const sink =
    mode === 'append' && original instanceof FileSource ? FileSink.copyOf(original.path, path) : FileSink.create(path);
  intoFile(sink, () => into(sink, opened, mode, touched, options));
  return mode;
}

/** The same in memory. */
export function pdfBytes(opened: OpenedPdf, options: WriteOptions = {}): Uint8Array {
  const sink = new MemorySink();
  const { mode, touched } = prepare(opened, options);
  into(sink, opened, mode, touched, options);
  return sink.bytes();
}

function prepare(
  { document, lazy, original }: OpenedPdf,
  { mode: wanted, modified, stamp, protection = 'kept', usageRights }: WriteOptions,
): { readonly mode: 'append' | 'rewrite'; readonly touched: readonly PDFRef[] } {
  stampInfo(document.context, modified, stamp);
  const mode =
    wanted === 'append' && protection === 'kept' && original !== undefined && !lazy.recovered ? 'append' : 'rewrite';
  return { mode, touched: withdrawUsageRights(document.context, mode, usageRights) };
}

function into(
  sink: Sink,
  { document, pages, lazy, original, objectStreams }: OpenedPdf,
  mode: 'append' | 'rewrite',
  touched: readonly PDFRef[],
  options: WriteOptions,
): void {
  if (mode === 'append') {
    appendTo(
      sink,
      lazy,
      options.changes === undefined
        ? {}
        : { changed: [...pages.map(({ ref }) => ref), ...stampedRefs(document.context), ...touched] },
    );
    return;
  }
  const { protection = original === undefined ? 'none' : 'kept' } = options;
  const security =
    protection === 'none'
      ? undefined
      : protection === 'kept'
        ? securityOf(lazy)
        : newSecurity(document.context, protection);
  rewriteTo(sink, document.context, { objectStreams, ...(security === undefined ? {} : { security }), ...options });
}

/** Writes a document that was put together from others, given by its objects, into a new file. */
export function writeContext(context: PDFContext, path: string, options: SaveOptions = {}): void {
  stampInfo(context, options.modified, options.stamp);
  const sink = FileSink.create(path);
  intoFile(sink, () => rewriteTo(sink, context, options));
}

/** Gives how many bytes `writeContext` would write. */
export function measureContext(context: PDFContext, options: SaveOptions = {}): number {
  stampInfo(context, options.modified, options.stamp);
  const sink = new CountingSink();
  rewriteTo(sink, context, options);
  return sink.position;
}

/**
 * Writes a document whole, with Quire as its producer. Never for signed files that must stay valid: this rewrites every
 * byte.
 */
export function savePdf(document: PDFDocument, options: SaveOptions = {}): Uint8Array {
  return contextBytes(document.context, options);
}

/** The same for a document given by its objects; the trailer must name a catalog. */
export function contextBytes(context: PDFContext, options: SaveOptions = {}): Uint8Array {
  stampInfo(context, options.modified, options.stamp);
  const sink = new MemorySink();
  rewriteTo(sink, context, { objectStreams: false, ...options });
  return sink.bytes();
}

function intoFile(sink: FileSink, write: () => void): void {
  try {
    write();
    // Whoever checks the result reads it from the disk, but need not open it anew.
    if (isKeeping()) keepSource(FileSource.of(sink.release(), sink.path));
    else sink.close();
  } catch (error) {
    sink.discard();
    throw error;
  }
}
