import { PDFCatalog, PDFDocument, type PDFContext, PDFRef } from 'pdf-lib';
import { DocumentError } from '../../errors.js';
import { catalogOf } from '../objects/index.js';
import { repairPages, type PageEntry, walkPages } from '../../structure/pages/index.js';
import { type LazyDocument, openLazily, takeReader } from '../reader/index.js';
import { allBytes, type FileSource, type PdfInput, withSource } from '../source/index.js';

/** The reader that understood the file. */
export type OpenEngine = 'quire' | 'pdfium' | 'libpdf' | 'qpdf';

/** A document opened for work. */
export interface OpenedPdf {
  /** pdf-lib's document over objects that are read when they are asked for. */
  readonly document: PDFDocument;
  readonly pages: readonly PageEntry[];
  readonly engine: OpenEngine;
  /** True when the file was encrypted; what the objects hold is not. */
  readonly decrypted: boolean;
  /** True when the file keeps objects in object streams, so that a result should too. */
  readonly objectStreams: boolean;
  /** What had to be mended, in words for a report. */
  readonly warnings: readonly string[];
  /** What the objects are read from. */
  readonly lazy: LazyDocument;
  /**
   * The input itself when an update may be put behind its bytes; undefined when another reader had to write it anew.
   */
  readonly original: Uint8Array | FileSource | undefined;
}

/** How to open. */
export interface OpenOptions {
  /** Form field that errors name; `fileInput` by default. */
  readonly field?: string;
  /** Password of an encrypted file, the user's or the owner's; the empty one is always tried. */
  readonly password?: string;
  /** False leaves the page tree as it is (for updates that touch few objects); by default it is put right in memory. */
  readonly repair?: boolean;
}

/**
 * Opens a PDF for as long as `fn` runs: from a path, only what `fn` asks for is read from disk. Errors: those of
 * `openPdf`.
 */
export async function withPdf<T>(
  input: PdfInput,
  options: OpenOptions,
  fn: (opened: OpenedPdf) => T | Promise<T>,
): Promise<T> {
  return withSource(input, async (source) => fn(await openPdf(source, options)));
}

/**
 * Opens a PDF: our own reader first, which mends as it reads, and for files that it cannot make sense of what PDFium or
 * libpdf write anew. A file source must stay open as long as the document is used. Errors: PDF_ENCRYPTED,
 * PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY, PDF_DAMAGED, PDF_NO_PAGES, and those of the bounds.
 */
export async function openPdf(source: Uint8Array | FileSource, options: OpenOptions = {}): Promise<OpenedPdf> {
  const field = options.field ?? 'fileInput';
  const own = attempt(source, options);
  if (own.opened !== undefined) return own.opened;
  // What our own reader cannot unlock, an older hand may.
  if (
    own.refusal !== undefined &&
    own.refusal.code !== 'PDF_DAMAGED' &&
    own.refusal.code !== 'PDF_ENCRYPTION_UNSUPPORTED'
  )
    throw named(own.refusal, field);
  return climb(source, own, options, field);
}

interface Attempt {
  readonly opened?: OpenedPdf;
  readonly refusal?: DocumentError;
  readonly detail: string;
  readonly empty: boolean;
}

/** Reads with our own reader. What odd object graphs make it throw is taken as damage. */
function attempt(source: Uint8Array | FileSource, options: OpenOptions): Attempt {
  try {
    const lazy =
      (options.password === undefined ? takeReader(source) : undefined) ??
      openLazily(source, options.password === undefined ? {} : { password: options.password });
    const document = documentOver(lazy.context);
    const pages = options.repair === false ? walkPages(lazy.context) : repairPages(lazy.context);
    if (pages.length === 0) return { detail: 'its page tree holds no page', empty: true };
    return {
      detail: '',
      empty: false,
      opened: {
        document,
        pages,
        engine: 'quire',
        decrypted: lazy.encrypted,
        objectStreams: usesObjectStreams(lazy),
        warnings: lazy.recovered ? ['its cross-reference was put right'] : [],
        lazy,
        original: source,
      },
    };
  } catch (error) {
    if (error instanceof DocumentError)
      return { refusal: error, detail: String(error.data.detail ?? 'it cannot be read'), empty: false };
    return {
      detail: error instanceof RangeError ? 'its objects are nested without end' : 'its objects contradict each other',
      empty: false,
    };
  }
}

/** pdf-lib's constructor is private; it makes nothing but a view on the context. */
const PrivateDocument = PDFDocument as unknown as new (
  context: PDFContext,
  ignoreEncryption: boolean,
  updateMetadata: boolean,
) => PDFDocument;

function documentOver(context: PDFContext): PDFDocument {
  const catalog = catalogOf(context);
  if (catalog === undefined) throw new DocumentError('PDF_DAMAGED', { detail: 'it has no document catalog' });
  const { Root } = context.trailerInfo;
  // A catalog that does not say what it is was parsed as any dictionary.
  if (!(catalog instanceof PDFCatalog) && Root instanceof PDFRef) {
    context.assign(Root, PDFCatalog.fromMapWithContext(new Map(catalog.entries()), context));
  }
  return new PrivateDocument(context, true, false);
}

function usesObjectStreams(lazy: LazyDocument): boolean {
  if (lazy.crossReference !== undefined) return lazy.crossReference.form === 'stream';
  for (const { objectNumber } of lazy.references()) if (lazy.entry(objectNumber)?.kind === 'in') return true;
  return false;
}

async function climb(
  source: Uint8Array | FileSource,
  first: Attempt,
  options: OpenOptions,
  field: string,
): Promise<OpenedPdf> {
  const bytes = allBytes(source);
  // Nothing that a reader could mend begins without a header anywhere.
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('%PDF-', 0, 'latin1'))
    throw new DocumentError('PDF_DAMAGED', { field, detail: 'it has no PDF header' });
  let { empty } = first;
  let locked: DocumentError | undefined;
  for (const { engine, resave } of ladder) {
    let resaved: Uint8Array;
    try {
      resaved = await resave(bytes, options.password ?? '');
    } catch (error) {
      if (error instanceof DocumentError && error.code === 'PDF_ENCRYPTED') locked = error;
      continue;
    }
    const read = attempt(resaved, options);
    empty ||= read.empty;
    if (read.opened !== undefined)
      return {
        ...read.opened,
        engine,
        decrypted: first.refusal?.code === 'PDF_ENCRYPTION_UNSUPPORTED',
        original: undefined,
        warnings: [`mended by ${engine}: ${first.detail}`],
      };
  }
  if (locked !== undefined) throw named(locked, field);
  if (empty) throw new DocumentError('PDF_NO_PAGES', { field });
  if (first.refusal?.code === 'PDF_ENCRYPTION_UNSUPPORTED') throw named(first.refusal, field);
  throw new DocumentError('PDF_DAMAGED', { field, detail: first.detail });
}

/** The order in which damaged files are tried (measured: most files mended per second first). */
const ladder: readonly {
  readonly engine: OpenEngine;
  readonly resave: (bytes: Uint8Array, password: string) => Promise<Uint8Array>;
}[] = [
  {
    engine: 'pdfium',
    resave: async (bytes, password) => {
      const { resavePdf } = await import('../../engines/pdfium/index.js');
      return resavePdf(bytes, { password, removeSecurity: true });
    },
  },
  {
    engine: 'qpdf',
    resave: async (bytes, password) => {
      const { runQpdf } = await import('../../engines/qpdf/index.js');
      const { files } = await runQpdf([`--password=${password}`, '--decrypt', 'in.pdf', 'out.pdf'], {
        inputs: [{ name: 'in.pdf', bytes }],
        outputs: ['out.pdf'],
      });
      return files['out.pdf'] ?? new Uint8Array();
    },
  },
  {
    engine: 'libpdf',
    resave: async (bytes) => {
      // It loops on some files; there it is interrupted.
      const { openWithLibpdf } = await import('../inspection/index.js');
      const document = await openWithLibpdf(bytes);
      return document.save({ incremental: false });
    },
  },
];

function named(error: DocumentError, field: string): DocumentError {
  return 'field' in error.data && error.data.field === field
    ? error
    : new DocumentError(error.code, { ...error.data, field }, [], { cause: error });
}
