import { PDFCatalog, PDFDocument, type PDFContext, PDFRef } from 'pdf-lib';
import { damageBehind, DocumentError } from '../../errors.js';
import { replaceDamagedStreams, searchFile } from '../damage/index.js';
import { catalogOf } from '../objects/index.js';
import { readSignatureState } from '../../signatures/fields/signature-state.js';
import { repairPages, type PageEntry, walkPages } from '../../structure/pages/index.js';
import { type LazyDocument, openLazily, readPageTree, takeCachedDocument } from '../reader/index.js';
import {
  allBytes,
  type FileFaults,
  FileSource,
  type KnownDamage,
  knownDamage,
  noteFaults,
  type PdfInput,
  takesNotes,
  withSource,
} from '../source/index.js';

/** The reader that opened the file. */
export type OpenEngine = 'quire' | 'pdfium' | 'libpdf' | 'qpdf';

export interface OpenedPdf {
  /** pdf-lib's document over objects that are parsed on first access. */
  readonly document: PDFDocument;
  readonly pages: readonly PageEntry[];
  readonly engine: OpenEngine;
  /** True when the file was encrypted; its objects are already decrypted. */
  readonly decrypted: boolean;
  /** True when the file uses object streams, so that the output does too, whatever its header says. */
  readonly objectStreams: boolean;
  /** Repairs made while opening, as sentences for a report. */
  readonly warnings: readonly string[];
  /** The lazy document that the objects are read from. */
  readonly lazy: LazyDocument;
  /**
   * The input itself when an incremental update can be appended to its bytes; undefined when another reader had to
   * rewrite it.
   */
  readonly original: Uint8Array | FileSource | undefined;
  /** True when the input is damaged so that only a rewritten file is sound, and nothing should be appended to it. */
  readonly mustRewrite: boolean;
}

export interface OpenOptions {
  /** Form field that errors name; `fileInput` by default. */
  readonly field?: string;
  /** User or owner password of an encrypted file; the empty password is always tried. */
  readonly password?: string;
  /** False leaves the page tree as it is (for updates that touch few objects); by default it is repaired in memory. */
  readonly repair?: boolean;
}

/**
 * Opens a PDF while `fn` runs. With a path, only the parts that `fn` needs are read from disk. Throws the errors of
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
 * Opens a PDF with Quire's reader, which repairs as it reads. When that fails, PDFium or libpdf rewrites the file
 * first. A file source must stay open as long as the document is used. Throws PDF_ENCRYPTED,
 * PDF_ENCRYPTION_UNSUPPORTED, PDF_ENCRYPTION_PUBLIC_KEY, PDF_DAMAGED, PDF_NO_PAGES, and the errors of `bounds.ts`.
 */
export async function openPdf(source: Uint8Array | FileSource, options: OpenOptions = {}): Promise<OpenedPdf> {
  const field = options.field ?? 'fileInput';
  const own = attempt(source, options);
  if (own.opened !== undefined) return own.opened;
  // Other engines know obsolete encryption schemes that Quire's reader does not.
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

/** Reads with Quire's reader; `search` looks for damage. Errors that malformed object graphs cause count as damage. */
function attempt(source: Uint8Array | FileSource, options: OpenOptions, search = false): Attempt {
  try {
    const access = options.password === undefined ? {} : { password: options.password };
    const open = (): LazyDocument => openLazily(source, access);
    const lazy = takeCachedDocument(source, access) ?? open();
    const document = documentOver(lazy.context);
    const damage = damageOf(source, lazy, open, search);
    const pages = options.repair === false && !damage.rewrite ? walkPages(lazy.context) : repairPages(lazy.context);
    if (pages.length === 0) return { detail: 'its page tree has no pages', empty: true };
    const replaced = replaceDamagedStreams(
      lazy,
      damage.streams.map(([number, generation]) => PDFRef.of(number, generation)),
    );
    if (source instanceof FileSource) source.beforeClose(() => noteFaults(source.path, faultsOf(lazy)));
    return {
      detail: '',
      empty: false,
      opened: {
        document,
        pages,
        engine: 'quire',
        decrypted: lazy.encrypted,
        objectStreams: usesObjectStreams(lazy),
        warnings: [
          ...(lazy.recovered ? ['its cross-reference was repaired'] : []),
          ...(replaced > 0 ? [`${replaced} damaged streams were replaced by what can be read of them`] : []),
        ],
        lazy,
        original: source,
        mustRewrite: damage.rewrite || replaced > 0,
      },
    };
  } catch (error) {
    if (error instanceof DocumentError)
      return { refusal: error, detail: String(error.data.detail ?? 'it cannot be read'), empty: false };
    return { detail: damageBehind(error), empty: false };
  }
}

/** The faults that were met in the objects that have been read. */
function faultsOf(lazy: LazyDocument): FileFaults {
  const { faulty, warnings, unread } = lazy;
  const lost = unread === 1 ? '1 object cannot be read.' : `${unread} objects cannot be read.`;
  return { repaired: faulty ? warnings : [], lost: unread > 0 ? [lost] : [] };
}

/** In a run of the server, files that were not inspected are searched for damage here, like those that were. */
function damageOf(
  source: Uint8Array | FileSource,
  lazy: LazyDocument,
  reopen: () => LazyDocument,
  search: boolean,
): KnownDamage {
  const before = knownDamage(source);
  if (before !== undefined) return before;
  if (!search && !(source instanceof FileSource && takesNotes())) return { streams: [], rewrite: false };
  const { signed } = readSignatureState(lazy.context);
  const { found, known } = searchFile(source, lazy, readPageTree(lazy), { reopen, signed });
  if (source instanceof FileSource) noteFaults(source.path, found);
  return known;
}

/** pdf-lib's constructor is private; it only creates a view of the context. */
const PrivateDocument = PDFDocument as unknown as new (
  context: PDFContext,
  ignoreEncryption: boolean,
  updateMetadata: boolean,
) => PDFDocument;

function documentOver(context: PDFContext): PDFDocument {
  const catalog = catalogOf(context);
  if (catalog === undefined) throw new DocumentError('PDF_DAMAGED', { detail: 'it has no document catalog' });
  const { Root } = context.trailerInfo;
  // A catalog without /Type was parsed as a plain dictionary.
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
  // A file without a header anywhere cannot be repaired.
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
    const read = attempt(resaved, options, true);
    empty ||= read.empty;
    if (read.opened !== undefined)
      return {
        ...read.opened,
        engine,
        decrypted: first.refusal?.code === 'PDF_ENCRYPTION_UNSUPPORTED',
        original: undefined,
        warnings: [`repaired by ${engine}: ${first.detail}`],
      };
  }
  if (locked !== undefined) throw named(locked, field);
  if (empty) throw new DocumentError('PDF_NO_PAGES', { field });
  if (first.refusal?.code === 'PDF_ENCRYPTION_UNSUPPORTED') throw named(first.refusal, field);
  throw new DocumentError('PDF_DAMAGED', { field, detail: first.detail });
}

/** The order in which damaged files are tried (measured: most files repaired per second first). */
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
      // libpdf loops on some files; `openWithLibpdf` interrupts it.
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
