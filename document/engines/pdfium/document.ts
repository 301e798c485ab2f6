import { DocumentError } from '../../errors.js';
import { isInterrupted, withinTime } from '../../interrupt.js';
import { type Pdfium, dropPdfium, isTrap, loadPdfium } from './runtime.js';

/** Bytes that PDFium reads in pieces, so that a large file is never held in memory. */
export interface ByteSource {
  readonly size: number;
  /**
   * Copies `length` bytes from `position` to the start of `target`; throws or returns false when they cannot be read.
   */
  read(position: number, length: number, target: Uint8Array): boolean;
}

export interface OpenOptions {
  readonly password?: string;
  /**
   * Milliseconds for opening the document and for the synchronous part of the work; then PDF_DAMAGED is thrown. No
   * limit when absent.
   */
  readonly timeMs?: number;
}

export interface SaveOptions {
  /** Writes without the encryption of the input. */
  readonly removeSecurity?: boolean;
}

/**
 * Size of a page as displayed, in points after /Rotate and the crop box, and its /Rotate normalised to 0, 90, 180, 270.
 */
export interface PageGeometry {
  readonly width: number;
  readonly height: number;
  readonly rotation: 0 | 90 | 180 | 270;
}

const MEDIA_BOX = 0;
const NO_INCREMENTAL = 2;
const REMOVE_SECURITY = 3;
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
/** 32-bit WebAssembly cannot address a larger file. */
const MAX_FILE_BYTES = 2 ** 31 - 1;

/** An open PDFium document. Pages are 0-based. Valid only inside `withDocument`'s callback. */
export class PdfiumDocument {
  constructor(
    readonly pdfium: Pdfium,
    /** FPDF_DOCUMENT, for PDFium functions without a method here. */
    readonly handle: number,
  ) {}

  /** The document's /Count, which may be wrong; see `reachablePages`. */
  get pageCount(): number {
    return this.pdfium.FPDF_GetPageCount(this.handle);
  }

  /**
   * Number of pages that can really be opened. PDFium trusts the root's /Count: when the last page exists, all do;
   * otherwise they are counted from the front, up to `enough`.
   */
  reachablePages(enough = Infinity): number {
    const claimed = this.pageCount;
    if (claimed <= 0) return 0;
    if (this.hasPage(claimed - 1)) return claimed;
    let pages = 0;
    while (pages < Math.min(claimed, enough) && this.hasPage(pages)) pages++;
    return pages;
  }

  /** True when the file has an /Encrypt entry, whether or not a password was needed. */
  get encrypted(): boolean {
    return this.securityRevision !== -1;
  }

  /** Revision of the security handler; -1 without encryption. */
  get securityRevision(): number {
    return this.pdfium.FPDF_GetSecurityHandlerRevision(this.handle);
  }

  /** Runs `fn` with a loaded page (FPDF_PAGE) and always closes it. Throws PDF_DAMAGED for an unreadable page. */
  withPage<T>(index: number, fn: (page: number) => T): T {
    const page = this.pdfium.FPDF_LoadPage(this.handle, index);
    if (page === 0) throw damaged(`page ${index + 1} cannot be read`);
    try {
      return fn(page);
    } finally {
      this.pdfium.FPDF_ClosePage(page);
    }
  }

  /**
   * Text of a page in reading order, lines ended by CR LF; empty for a page without text or one that cannot be read.
   */
  pageText(index: number): string {
    const { pdfium } = this;
    const page = pdfium.FPDF_LoadPage(this.handle, index);
    if (page === 0) return '';
    const text = pdfium.FPDFText_LoadPage(page);
    try {
      const length = text === 0 ? 0 : pdfium.FPDFText_CountChars(text);
      if (length <= 0) return '';
      return withMemory(pdfium, (length + 1) * 2, (buffer) => {
        const written = pdfium.FPDFText_GetText(text, 0, length, buffer);
        // The heap view must be taken after the call: memory growth moves it.
        return new TextDecoder('utf-16le').decode(
          pdfium.pdfium.HEAPU8.slice(buffer, buffer + Math.max(0, written - 1) * 2),
        );
      });
    } finally {
      if (text !== 0) pdfium.FPDFText_ClosePage(text);
      pdfium.FPDF_ClosePage(page);
    }
  }

  /** Size and rotation of a page without parsing its content. Throws PDF_DAMAGED when there is no such page. */
  pageGeometry(index: number): PageGeometry {
    const { pdfium } = this;
    return withMemory(pdfium, 8, (buffer) => {
      if (!pdfium.FPDF_GetPageSizeByIndexF(this.handle, index, buffer))
        throw damaged(`page ${index + 1} cannot be read`);
      const [width, height] = new Float32Array(pdfium.pdfium.HEAPU8.slice(buffer, buffer + 8).buffer);
      const turns = pdfium.EPDF_GetPageRotationByIndex(this.handle, index);
      return {
        width: width ?? 0,
        height: height ?? 0,
        rotation: ((((turns % 4) + 4) % 4) * 90) as PageGeometry['rotation'],
      };
    });
  }

  /**
   * Width and height of a page's media box in points, inherited or not, before rotation; US Letter where there is none.
   */
  mediaBox(index: number): { readonly width: number; readonly height: number } {
    const { pdfium } = this;
    return withMemory(pdfium, 16, (buffer) => {
      if (!pdfium.EPDF_GetPageBoxByIndex(this.handle, index, MEDIA_BOX, buffer)) return { width: 612, height: 792 };
      const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(
        pdfium.pdfium.HEAPU8.slice(buffer, buffer + 16).buffer,
      );
      return { width: Math.abs(right - left), height: Math.abs(top - bottom) };
    });
  }

  /**
   * Number of signature fields that hold a signature with a /ByteRange (ISO 32000-1, 12.8.1); empty fields do not
   * count.
   */
  signatureCount(): number {
    const { pdfium } = this;
    const fields = pdfium.FPDF_GetSignatureCount(this.handle);
    let signed = 0;
    for (let i = 0; i < fields; i++) {
      const signature = pdfium.FPDF_GetSignatureObject(this.handle, i);
      if (signature !== 0 && pdfium.FPDFSignatureObj_GetByteRange(signature, 0, 0) >= 2) signed++;
    }
    return signed;
  }

  /** True when this page is found in the page tree; its content is not read. */
  hasPage(index: number): boolean {
    const { pdfium } = this;
    return withMemory(pdfium, 8, (buffer) => Boolean(pdfium.FPDF_GetPageSizeByIndexF(this.handle, index, buffer)));
  }

  /** Rewrites the whole document (never incrementally); unreferenced objects are left out. */
  save(options: SaveOptions = {}): Uint8Array {
    const { pdfium } = this;
    const chunks: Uint8Array[] = [];
    let total = 0;
    const write = pdfium.pdfium.addFunction((_writer = 0, data = 0, size = 0) => {
      chunks.push(pdfium.pdfium.HEAPU8.slice(data, data + size));
      total += size;
      return 1;
    }, 'iiii');
    try {
      const done = withMemory(pdfium, 8, (writer) => {
        new DataView(pdfium.pdfium.HEAPU8.buffer).setInt32(writer, 1, true);
        new DataView(pdfium.pdfium.HEAPU8.buffer).setInt32(writer + 4, write, true);
        return pdfium.FPDF_SaveAsCopy(
          this.handle,
          writer,
          options.removeSecurity === true ? REMOVE_SECURITY : NO_INCREMENTAL,
        );
      });
      if (!done || total === 0) throw damaged('it cannot be rewritten');
    } finally {
      pdfium.pdfium.removeFunction(write);
    }
    return joinChunks(chunks, total);
  }
}

/**
 * Opens a document with PDFium, runs `fn` and frees everything afterwards. Throws PDF_ENCRYPTED (password missing or
 * wrong), PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED. A WebAssembly trap inside `fn`, or its timeout, discards the
 * instance and throws PDF_DAMAGED; other errors of `fn` pass through.
 */
export async function withDocument<T>(
  source: Uint8Array | ByteSource,
  options: OpenOptions,
  fn: (document: PdfiumDocument) => T | Promise<T>,
): Promise<T> {
  const pdfium = await loadPdfium();
  const release: (() => void)[] = [];
  try {
    const work = (): T | Promise<T> =>
      fn(new PdfiumDocument(pdfium, open(pdfium, source, options.password ?? '', release)));
    return await (options.timeMs === undefined ? work() : withinTime(options.timeMs, work));
  } catch (error) {
    if (!isTrap(error) && !isInterrupted(error)) throw error;
    release.length = 0;
    await dropPdfium(pdfium);
    throw new DocumentError(
      'PDF_DAMAGED',
      {
        field: 'fileInput',
        detail: isInterrupted(error) ? 'PDFium did not finish in time' : 'PDFium could not read it',
      },
      [],
      { cause: error },
    );
  } finally {
    await releaseAll(pdfium, release);
  }
}

/**
 * Runs PDFium work without an open document, with the same handling of traps as `withDocument`. For new documents
 * (FPDF_CreateNewDocument) and imports; free what you allocate.
 */
export async function withPdfium<T>(fn: (pdfium: Pdfium) => T | Promise<T>): Promise<T> {
  const pdfium = await loadPdfium();
  try {
    return await fn(pdfium);
  } catch (error) {
    if (!isTrap(error)) throw error;
    await dropPdfium(pdfium);
    throw new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail: 'PDFium could not read it' }, [], {
      cause: error,
    });
  }
}

/**
 * Runs `fn` with `size` bytes of WebAssembly memory and frees them. Throws INPUT_TOO_COMPLEX when the memory is
 * exhausted.
 */
export function withMemory<T>(pdfium: Pdfium, size: number, fn: (pointer: number) => T): T {
  const pointer = allocate(pdfium, size);
  try {
    return fn(pointer);
  } finally {
    pdfium.pdfium.wasmExports.free(pointer);
  }
}

function allocate(pdfium: Pdfium, size: number): number {
  const pointer = pdfium.pdfium.wasmExports.malloc(size);
  // Addresses above 2 GiB are negative.
  if (pointer === 0) throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'memory', limit: MAX_FILE_BYTES });
  return pointer >>> 0;
}

function open(pdfium: Pdfium, source: Uint8Array | ByteSource, password: string, release: (() => void)[]): number {
  const size = source instanceof Uint8Array ? source.length : source.size;
  if (size > MAX_FILE_BYTES)
    throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'memory', limit: MAX_FILE_BYTES });
  if (size === 0) throw damaged('it is empty');
  const handle =
    source instanceof Uint8Array
      ? openBytes(pdfium, source, password, release)
      : openSource(pdfium, source, password, release);
  if (handle === 0) throw openError(pdfium.FPDF_GetLastError());
  release.push(() => pdfium.FPDF_CloseDocument(handle));
  return handle;
}

function openBytes(pdfium: Pdfium, bytes: Uint8Array, password: string, release: (() => void)[]): number {
  const data = allocate(pdfium, bytes.length);
  release.push(() => pdfium.pdfium.wasmExports.free(data));
  pdfium.pdfium.HEAPU8.set(bytes, data);
  return pdfium.FPDF_LoadMemDocument(data, bytes.length, password);
}

/** FPDF_FILEACCESS: length, block reader, parameter; three 32-bit words. */
function openSource(pdfium: Pdfium, source: ByteSource, password: string, release: (() => void)[]): number {
  const read = pdfium.pdfium.addFunction((_param = 0, position = 0, target = 0, length = 0) => {
    const at = target >>> 0;
    return source.read(position >>> 0, length >>> 0, pdfium.pdfium.HEAPU8.subarray(at, at + (length >>> 0))) ? 1 : 0;
  }, 'iiiii');
  release.push(() => pdfium.pdfium.removeFunction(read));
  const access = allocate(pdfium, 12);
  release.push(() => pdfium.pdfium.wasmExports.free(access));
  const view = new DataView(pdfium.pdfium.HEAPU8.buffer);
  view.setUint32(access, source.size, true);
  view.setUint32(access + 4, read, true);
  view.setUint32(access + 8, 0, true);
  return pdfium.FPDF_LoadCustomDocument(access, password);
}

function openError(code: number): DocumentError {
  if (code === ERROR_PASSWORD) return new DocumentError('PDF_ENCRYPTED', { field: 'fileInput' });
  if (code === ERROR_SECURITY)
    return new DocumentError('PDF_ENCRYPTION_UNSUPPORTED', { detail: 'unknown security handler' });
  return damaged('no document structure was found');
}

async function releaseAll(pdfium: Pdfium, release: (() => void)[]): Promise<void> {
  try {
    while (release.length > 0) release.pop()?.();
  } catch {
    // A trap while closing: the result is valid, the instance is not.
    await dropPdfium(pdfium);
  }
}

function damaged(detail: string): DocumentError {
  return new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail });
}

function joinChunks(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const bytes = new Uint8Array(total);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
