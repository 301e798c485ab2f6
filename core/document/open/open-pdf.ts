import { ParseSpeeds, PDFDocument, PDFInvalidObject } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { catalogOf } from '../objects/index.js';
import { mendPages, type PageEntry, walkPages } from '../pages/index.js';
import { mendStreamEnds } from './mend-streams.js';

const MAX_OBJECT_NUMBER = 8_388_607;

/** The reader that understood the file. */
export type OpenEngine = 'pdf-lib' | 'pdfium' | 'libpdf' | 'qpdf';

/** A document opened for work. */
export interface OpenedPdf {
  readonly document: PDFDocument;
  readonly pages: readonly PageEntry[];
  readonly engine: OpenEngine;
  /** True when the file was encrypted with an empty user password; the document in memory is not. */
  readonly decrypted: boolean;
  /** True when the file keeps objects in object streams, so that a result should too. */
  readonly objectStreams: boolean;
  /** What had to be mended, in words for a report. */
  readonly warnings: readonly string[];
}

/** How to open. */
export interface OpenOptions {
  /** Form field that errors name; `fileInput` by default. */
  readonly field?: string;
  /** Password of an encrypted file; the empty one is always tried. */
  readonly password?: string;
}

/**
 * Opens a PDF: pdf-lib first, and for files that it cannot read what PDFium or libpdf write anew.
 * Files encrypted with an empty user password are decrypted. Errors: PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED, PDF_NO_PAGES.
 */
export async function openPdf(bytes: Uint8Array, options: OpenOptions = {}): Promise<OpenedPdf> {
  const field = options.field ?? 'fileInput';
  const objectStreams = mentions(bytes, '/ObjStm');
  if (mentions(bytes, '/Encrypt')) {
    const plain = await tryRead(bytes);
    // The word may stand in a page's text; only a trailer that names it counts.
    if (isGood(plain) && !plain.document.isEncrypted) {
      return { document: plain.document, pages: plain.pages, engine: 'pdf-lib', decrypted: false, objectStreams, warnings: [] };
    }
    const decrypted = await decrypt(bytes, options.password ?? '', field);
    if (decrypted !== undefined) return { ...decrypted, objectStreams };
    return climb(bytes, plain, field, objectStreams);
  }
  const read = await tryRead(bytes);
  if (isGood(read)) {
    return { document: read.document, pages: read.pages, engine: 'pdf-lib', decrypted: false, objectStreams, warnings: [] };
  }
  return climb(bytes, read, field, objectStreams);
}

function isGood(reading: Reading): reading is Reading & { readonly document: PDFDocument } {
  return reading.document !== undefined && reading.pages.length > 0 && reading.whole;
}

interface Reading {
  readonly document: PDFDocument | undefined;
  readonly pages: readonly PageEntry[];
  /** False when objects are there that could not be parsed. */
  readonly whole: boolean;
  readonly detail: string;
}

/** Reads with pdf-lib. Whatever it throws on damage (also RangeError and TypeError from its own insides) becomes a detail. */
async function tryRead(bytes: Uint8Array): Promise<Reading> {
  try {
    const document = await PDFDocument.load(bytes, { updateMetadata: false, ignoreEncryption: true, parseSpeed: ParseSpeeds.Fastest });
    if (catalogOf(document.context) === undefined) return { document: undefined, pages: [], whole: false, detail: 'it has no document catalog' };
    // Object numbers above the standard's limit (ISO 32000-1, annex C) make other readers give up; PDFium numbers anew.
    const whole = document.context.largestObjectNumber <= MAX_OBJECT_NUMBER && mendStreamEnds(document.context, bytes)
      && !document.context.enumerateIndirectObjects().some(([, object]) => object instanceof PDFInvalidObject);
    const pages = document.isEncrypted ? walkPages(document.context) : mendPages(document.context);
    return { document, pages, whole, detail: pages.length === 0 ? 'its page tree holds no page' : 'some of its objects cannot be parsed' };
  } catch (error) {
    return { document: undefined, pages: [], whole: false, detail: reasonOf(error) };
  }
}

async function climb(bytes: Uint8Array, first: Reading, field: string, objectStreams: boolean): Promise<OpenedPdf> {
  // Nothing that a reader could mend begins without a header anywhere.
  if (!mentions(bytes, '%PDF-')) throw new DocumentError('PDF_DAMAGED', { field, detail: 'it has no PDF header' });
  let empty = first.document !== undefined && first.pages.length === 0;
  for (const { engine, resave } of ladder) {
    let resaved: Uint8Array;
    try {
      resaved = await resave(bytes);
    } catch (error) {
      if (isCoded(error, 'PDF_ENCRYPTED')) throw new DocumentError('PDF_ENCRYPTED', { field });
      continue;
    }
    const read = await tryRead(resaved);
    if (read.document === undefined || read.document.isEncrypted) continue;
    if (read.pages.length === 0) {
      empty = true;
      continue;
    }
    return { document: read.document, pages: read.pages, engine, decrypted: false, objectStreams, warnings: [`mended by ${engine}: ${first.detail}`] };
  }
  // No other reader does better: what could be parsed is worked on.
  if (first.document?.isEncrypted === false && first.pages.length > 0) {
    return { document: first.document, pages: first.pages, engine: 'pdf-lib', decrypted: false, objectStreams, warnings: [first.detail] };
  }
  // A file whose trailer names encryption and that no engine opens is locked in a way that a password would solve.
  if (first.document?.isEncrypted === true) throw new DocumentError('PDF_ENCRYPTED', { field });
  if (empty) throw new DocumentError('PDF_NO_PAGES', { field });
  throw new DocumentError('PDF_DAMAGED', { field, detail: first.detail });
}

/** The order in which damaged files are tried (measured: most files mended per second first). */
const ladder: readonly { readonly engine: OpenEngine; readonly resave: (bytes: Uint8Array) => Promise<Uint8Array> }[] = [
  {
    engine: 'pdfium',
    resave: async (bytes) => {
      const { resavePdf } = await import('../pdfium/index.js');
      return resavePdf(bytes);
    },
  },
  {
    engine: 'libpdf',
    resave: async (bytes) => {
      // It loops on some files; there it is interrupted.
      const { openWithLibpdf } = await import('../inspect/index.js');
      const document = await openWithLibpdf(bytes);
      return document.save({ incremental: false });
    },
  },
];

/** PDFium first (quicker), qpdf second (knows more encryption dictionaries). Undefined when neither gives a readable document. */
async function decrypt(bytes: Uint8Array, password: string, field: string): Promise<Omit<OpenedPdf, 'objectStreams'> | undefined> {
  let locked: unknown;
  for (const { engine, plain } of keys) {
    try {
      const read = await tryRead(await plain(bytes, password));
      if (read.document === undefined || read.document.isEncrypted || read.pages.length === 0) continue;
      return { document: read.document, pages: read.pages, engine, decrypted: true, warnings: [] };
    } catch (error) {
      // PDFium asks for a password where some files of revision 6 need none.
      if (isCoded(error, 'PDF_ENCRYPTED')) locked = new DocumentError('PDF_ENCRYPTED', { field }, [], { cause: error });
      if (isCoded(error, 'PDF_ENCRYPTION_UNSUPPORTED')) locked ??= error;
    }
  }
  if (locked !== undefined) throw locked;
  return undefined;
}

const keys: readonly { readonly engine: OpenEngine; readonly plain: (bytes: Uint8Array, password: string) => Promise<Uint8Array> }[] = [
  {
    engine: 'pdfium',
    plain: async (bytes, password) => {
      const { resavePdf } = await import('../pdfium/index.js');
      return resavePdf(bytes, { password, removeSecurity: true });
    },
  },
  {
    engine: 'qpdf',
    plain: async (bytes, password) => {
      const { runQpdf } = await import('../qpdf/index.js');
      const { files } = await runQpdf([`--password=${password}`, '--decrypt', 'in.pdf', 'out.pdf'], { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] });
      return files['out.pdf'] ?? new Uint8Array();
    },
  },
];

function mentions(bytes: Uint8Array, word: string): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(word, 0, 'latin1');
}

function isCoded(error: unknown, code: string): boolean {
  return error instanceof DocumentError && error.code === code;
}

function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'its objects are nested without end';
  // pdf-lib's own messages tell positions, never contents; one line of them is enough.
  return error instanceof Error ? (error.message.split('\n', 1)[0] ?? '').slice(0, 120) : 'it cannot be parsed';
}
