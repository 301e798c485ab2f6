import type { PDFContext, PDFDocument, PDFRef } from 'pdf-lib';
import { noteLock, noteUnlocked } from '../encryption/index.js';
import { FileSource, canCacheSource, cacheSource, noteSound, sizeBefore, spendInput } from '../source/index.js';
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

export interface SaveOptions extends RewriteOptions {
  /** Time written as /ModDate; the entry stays as it is when absent. */
  readonly modified?: Date;
  /** False leaves the information dictionary and metadata as they are; by default Quire is named as the producer. */
  readonly stamp?: boolean;
}

export interface WriteOptions extends SaveOptions {
  /**
   * `append` leaves the input's bytes as they are and adds an incremental update, where the input allows one; use it
   * only for additions and changes, since deleted content stays in the file. `rewrite` (default) writes only the
   * objects that the catalog reaches.
   */
  readonly mode?: 'append' | 'rewrite';
  /**
   * The objects that an appending edit changed, or `pages` for all page dictionaries. By default every object is
   * compared with the file.
   */
  readonly changes?: 'pages' | readonly PDFRef[];
  /**
   * A new encryption, or `none` to remove the existing one; `kept` by default. Both other values rewrite every byte.
   */
  readonly protection?: Protection | 'none' | 'kept';
  /**
   * For appended updates: keep usage rights `always`, or where they allow to `fillIn`. Otherwise they are removed,
   * because they would no longer be valid.
   */
  readonly usageRights?: 'always' | 'fillIn';
  /**
   * True when the caller does not read the input again: an appended result then continues the input's own file if the
   * run gives it up (`startSourceCache`) and it has no signature. Saves the copy of a large file.
   */
  readonly spendsInput?: boolean;
}

/**
 * Writes an opened document to a new file, streaming from the input; with object streams where the input had them or
 * its version supports them, unless the options say otherwise or it claims PDF/A-1. Returns the mode that was used: a
 * repaired document is always rewritten. An encrypted one keeps its passwords and permissions unless `protection` says
 * otherwise. A partial file is never left behind.
 */
export function writePdf(opened: OpenedPdf, path: string, options: WriteOptions = {}): 'append' | 'rewrite' {
  const { mode, touched } = prepare(opened, options);
  const { original } = opened;
  const sink =
    mode === 'append' && original instanceof FileSource
      ? sinkAfter(original, path, options.spendsInput === true)
      : FileSink.create(path);
  intoFile(sink, () => into(sink, opened, mode, touched, options));
  return mode;
}

/** A file that begins with the original. */
function sinkAfter({ path: original, size }: FileSource, path: string, spends: boolean): FileSink {
  if (spends && spendInput(original, size)) return FileSink.continuationOf(original, path);
  return FileSink.copyOf(original, path, sizeBefore(original));
}

/** The same in memory. */
export function pdfBytes(opened: OpenedPdf, options: WriteOptions = {}): Uint8Array {
  const sink = new MemorySink();
  const { mode, touched } = prepare(opened, options);
  into(sink, opened, mode, touched, options);
  return sink.bytes();
}

function prepare(
  { document, lazy, original, mustRewrite }: OpenedPdf,
  { mode: wanted, modified, stamp, protection = 'kept', usageRights }: WriteOptions,
): { readonly mode: 'append' | 'rewrite'; readonly touched: readonly PDFRef[] } {
  stampInfo(document.context, modified, stamp);
  const mode =
    wanted === 'append' && protection === 'kept' && original !== undefined && !lazy.recovered && !mustRewrite
      ? 'append'
      : 'rewrite';
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
        : {
            changed: [
              ...(options.changes === 'pages' ? pages.map(({ ref }) => ref) : options.changes),
              ...stampedRefs(document.context),
              ...touched,
            ],
          },
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
  const { locked } = rewriteTo(sink, document.context, {
    objectStreams: objectStreams ? true : undefined,
    ...(security === undefined ? {} : { security }),
    ...options,
  });
  if (!(sink instanceof FileSink)) return;
  if (security === undefined) noteUnlocked(sink.path);
  else noteLock(sink.path, { dict: security.dict, renewed: security.renewed === true, streams: locked });
}

/** Writes a document that was assembled from others, given by its context, to a new file. */
export function writeContext(context: PDFContext, path: string, options: SaveOptions = {}): void {
  stampInfo(context, options.modified, options.stamp);
  const sink = FileSink.create(path);
  intoFile(sink, () => rewriteTo(sink, context, options));
}

/** Returns how many bytes `writeContext` would write. */
export function measureContext(context: PDFContext, options: SaveOptions = {}): number {
  stampInfo(context, options.modified, options.stamp);
  const sink = new CountingSink();
  rewriteTo(sink, context, options);
  return sink.position;
}

/**
 * Writes a whole document with Quire as its producer. Never for signed files that must stay valid: every byte is
 * rewritten.
 */
export function savePdf(document: PDFDocument, options: SaveOptions = {}): Uint8Array {
  return contextBytes(document.context, options);
}

/** The same for a document given by its context; the trailer must name a catalog. */
export function contextBytes(context: PDFContext, options: SaveOptions = {}): Uint8Array {
  stampInfo(context, options.modified, options.stamp);
  const sink = new MemorySink();
  rewriteTo(sink, context, { objectStreams: false, ...options });
  return sink.bytes();
}

function intoFile(sink: FileSink, write: () => void): void {
  try {
    write();
    const source = FileSource.of(sink.release(), sink.path);
    noteSound(source);
    // The check of the result reads the file from disk, but need not open it again.
    if (canCacheSource()) cacheSource(source);
    else source.close();
  } catch (error) {
    sink.discard();
    throw error;
  }
}
