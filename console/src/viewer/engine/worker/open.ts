import { ViewError } from '../failure.ts';
import { type PageBox, pageBoxOf } from '../geometry.ts';
import { NUMBERS_PER_PAGE, type OpenedDocument } from '../protocol.ts';
import { BlobReader } from './blob-reader.ts';
import { allocate, memoryView, type Pdfium, withMemory } from './runtime.ts';

const MEDIA_BOX = 0;
const CROP_BOX = 1;
const ERROR_PASSWORD = 4;
const ERROR_SECURITY = 5;
/** 32-bit WebAssembly cannot address a larger file. */
const MAX_FILE_BYTES = 2 ** 31 - 1;
/** PDFium finds the header in the first kilobyte. */
const HEADER_WITHIN = 1024;
const PAGES_KEPT = 4;
/** US Letter: the size of a page without a usable box. */
const FALLBACK_BOX = [0, 0, 612, 792] as const;

/** A document that PDFium has opened. Pages are loaded when needed, and the last few stay loaded. */
export class WorkerDocument {
  private readonly idle = new Map<number, number>();
  private readonly boxes: Float32Array;
  readonly pageCount: number;

  private constructor(
    readonly pdfium: Pdfium,
    readonly handle: number,
    readonly form: number,
    private readonly reader: BlobReader,
    private readonly release: readonly (() => void)[],
  ) {
    const claimed = Math.max(0, pdfium.FPDF_GetPageCount(handle));
    this.boxes = readBoxes(pdfium, handle, claimed);
    this.pageCount = this.boxes.length / NUMBERS_PER_PAGE;
  }

  /** Throws ViewError. */
  static open(pdfium: Pdfium, file: Blob, password: string | undefined): WorkerDocument {
    if (file.size === 0) throw new ViewError('empty');
    if (file.size > MAX_FILE_BYTES) throw new ViewError('tooLarge');
    const reader = new BlobReader(file);
    const release: (() => void)[] = [];
    try {
      const handle = load(pdfium, reader, password ?? '', release);
      if (handle === 0) throw openFailure(pdfium.FPDF_GetLastError(), reader, password);
      release.push(() => pdfium.FPDF_CloseDocument(handle));
      const document = new WorkerDocument(pdfium, handle, openForm(pdfium, handle, release), reader, release);
      if (document.pageCount === 0) throw new ViewError('noPages');
      return document;
    } catch (error) {
      while (release.length > 0) release.pop()?.();
      throw error;
    }
  }

  get facts(): OpenedDocument {
    const encrypted = this.pdfium.FPDF_GetSecurityHandlerRevision(this.handle) !== -1;
    return { pageCount: this.pageCount, boxes: this.boxes, encrypted };
  }

  box(page: number): PageBox {
    return pageBoxOf(this.boxes, page);
  }

  /** Returns a loaded page for one user; `giveBack` it. Throws ViewError. */
  take(index: number): number {
    const known = this.idle.get(index);
    if (known !== undefined) {
      this.idle.delete(index);
      return known;
    }
    const page = this.pdfium.FPDF_LoadPage(this.handle, index);
    if (page === 0) throw this.damage();
    if (this.form !== 0) this.pdfium.FORM_OnAfterLoadPage(page, this.form);
    return page;
  }

  giveBack(index: number, page: number): void {
    if (this.idle.has(index)) return this.closePage(page);
    this.idle.set(index, page);
    for (const [oldest, handle] of this.idle) {
      if (this.idle.size <= PAGES_KEPT) return;
      this.idle.delete(oldest);
      this.closePage(handle);
    }
  }

  /** Why something of it could not be read. */
  damage(): ViewError {
    return new ViewError(this.reader.failed ? 'unreadable' : 'damaged');
  }

  close(): void {
    for (const page of this.idle.values()) this.closePage(page);
    this.idle.clear();
    for (const step of [...this.release].reverse()) step();
  }

  private closePage(page: number): void {
    if (this.form !== 0) this.pdfium.FORM_OnBeforeClosePage(page, this.form);
    this.pdfium.FPDF_ClosePage(page);
  }
}

/** FPDF_FILEACCESS: length, block reader, parameter; three 32-bit words. */
function load(pdfium: Pdfium, reader: BlobReader, password: string, release: (() => void)[]): number {
  const read = pdfium.pdfium.addFunction((_parameter = 0, position = 0, target = 0, length = 0) => {
    const at = target >>> 0;
    return reader.read(position >>> 0, pdfium.pdfium.HEAPU8.subarray(at, at + (length >>> 0))) ? 1 : 0;
  }, 'iiiii');
  release.push(() => pdfium.pdfium.removeFunction(read));
  const access = allocate(pdfium, 12);
  release.push(() => pdfium.pdfium.wasmExports.free(access));
  const view = memoryView(pdfium);
  view.setUint32(access, reader.size, true);
  view.setUint32(access + 4, read, true);
  view.setUint32(access + 8, 0, true);
  return pdfium.FPDF_LoadCustomDocument(access, password);
}

function openFailure(code: number, reader: BlobReader, password: string | undefined): ViewError {
  if (reader.failed) return new ViewError('unreadable');
  if (code === ERROR_PASSWORD) return new ViewError(password === undefined ? 'password' : 'wrongPassword');
  if (code === ERROR_SECURITY) return new ViewError('security');
  const head = new Uint8Array(Math.min(HEADER_WITHIN, reader.size));
  const isPdf = reader.read(0, head) && new TextDecoder('latin1').decode(head).includes('%PDF-');
  return new ViewError(isPdf ? 'damaged' : 'notPdf');
}

/** Form fields are drawn only by the form module; this build of it runs no scripts. */
function openForm(pdfium: Pdfium, document: number, release: (() => void)[]): number {
  if (pdfium.FPDF_GetFormType(document) === 0) return 0;
  const info = pdfium.PDFiumExt_OpenFormFillInfo();
  if (info === 0) return 0;
  const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
  // Closed before the document, but its information only after it.
  release.splice(-1, 0, () => pdfium.PDFiumExt_CloseFormFillInfo(info));
  if (form === 0) return 0;
  release.push(() => pdfium.PDFiumExt_ExitFormFillEnvironment(form));
  pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0);
  return form;
}

/** PDFium trusts the root's /Count; pages are read up to the first that does not exist. */
function readBoxes(pdfium: Pdfium, document: number, claimed: number): Float32Array {
  const boxes = new Float32Array(claimed * NUMBERS_PER_PAGE);
  let found = 0;
  withMemory(pdfium, 16, (rect) => {
    for (; found < claimed; found++) {
      if (!pdfium.FPDF_GetPageSizeByIndexF(document, found, rect)) break;
      const media = readBox(pdfium, document, found, MEDIA_BOX, rect) ?? FALLBACK_BOX;
      const crop = within(readBox(pdfium, document, found, CROP_BOX, rect), media);
      const turns = pdfium.EPDF_GetPageRotationByIndex(document, found);
      boxes.set([...crop, ...media, (((turns % 4) + 4) % 4) * 90], found * NUMBERS_PER_PAGE);
    }
  });
  return found === claimed ? boxes : boxes.slice(0, found * NUMBERS_PER_PAGE);
}

/** Left, bottom, right, top of a box, also an inherited one; undefined where it is missing or empty. */
function readBox(
  pdfium: Pdfium,
  document: number,
  page: number,
  kind: number,
  rect: number,
): readonly number[] | undefined {
  if (!pdfium.EPDF_GetPageBoxByIndex(document, page, kind, rect)) return undefined;
  // FS_RECTF: left, top, right, bottom.
  const [x0 = 0, y1 = 0, x1 = 0, y0 = 0] = new Float32Array(pdfium.pdfium.HEAPU8.slice(rect, rect + 16).buffer);
  return x1 > x0 && y1 > y0 ? [x0, y0, x1, y1] : undefined;
}

/** The part of the crop box in the media box, which is what is displayed; the media box where there is none. */
function within(crop: readonly number[] | undefined, media: readonly number[]): readonly number[] {
  if (crop === undefined) return media;
  const cut = crop.map((side, i) => (i < 2 ? Math.max(side, media[i] ?? side) : Math.min(side, media[i] ?? side)));
  return (cut[2] ?? 0) > (cut[0] ?? 0) && (cut[3] ?? 0) > (cut[1] ?? 0) ? cut : media;
}
