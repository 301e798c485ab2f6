import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { WrappedPdfiumModule } from '@embedpdf/pdfium';

/**
 * The part of PDFium's WebAssembly runtime that this package uses; its published types need a package that is not
 * installed.
 */
export interface PdfiumRuntime {
  readonly HEAPU8: Uint8Array;
  /**
   * The compiled functions by name. Calls through the library's wrappers take twenty times as long, which matters for
   * several calls per letter of a page.
   */
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void } & Readonly<
    Record<LetterFunction, (...values: number[]) => number>
  >;
  addFunction(fn: (...args: number[]) => number, signature: string): number;
  removeFunction(pointer: number): void;
  UTF16ToString(pointer: number, maxBytes?: number): string;
}

/** Functions called for each letter, text object or path segment; booleans are 0 or 1. */
export type LetterFunction =
  | 'FPDFPage_GetObject'
  | 'FPDFPageObj_GetType'
  | 'FPDFPageObj_GetFillColor'
  | 'FPDFPageObj_GetMarkedContentID'
  | 'FPDFTextObj_GetFont'
  | 'FPDFTextObj_GetTextRenderMode'
  | 'FPDFText_GetCharAngle'
  | 'FPDFText_GetFontSize'
  | 'FPDFText_GetMatrix'
  | 'FPDFText_GetUnicode'
  | 'FPDFText_GetTextObject'
  | 'FPDFText_GetLooseCharBox'
  | 'FPDFText_GetCharOrigin'
  | 'FPDFText_IsGenerated'
  | 'FPDFPath_CountSegments'
  | 'FPDFPath_GetPathSegment'
  | 'FPDFPathSegment_GetType'
  | 'FPDFPathSegment_GetPoint'
  | 'FPDFPathSegment_GetClose'
  | 'FPDFPageObj_GetClipPath'
  | 'FPDFClipPath_CountPaths'
  | 'FPDFClipPath_CountPathSegments'
  | 'FPDFClipPath_GetPathSegment';

/** PDFium's C interface as wrapped by `@embedpdf/pdfium`; pointers and handles are numbers. */
export type Pdfium = Omit<WrappedPdfiumModule, 'pdfium'> & { readonly pdfium: PdfiumRuntime };

let current: Promise<Pdfium> | undefined;
let compiled: Promise<object> | undefined;

/** The part of the global WebAssembly that is needed here: its types belong to the DOM library. */
const wasm = (
  globalThis as unknown as {
    readonly WebAssembly: {
      compile(bytes: Uint8Array): Promise<object>;
      instantiate(module: object, imports: object): Promise<object>;
    };
  }
).WebAssembly;

/**
 * Returns PDFium, started on the first call and shared by the process until a WebAssembly trap discards it
 * (`dropPdfium`). Importing this module loads nothing.
 */
export function loadPdfium(): Promise<Pdfium> {
  current ??= start().catch((error: unknown) => {
    current = undefined;
    throw error;
  });
  return current;
}

/**
 * Discards this instance, so that the next `loadPdfium` starts a new one: memory after a trap is in an unknown state.
 */
export async function dropPdfium(broken: Pdfium): Promise<void> {
  if (current !== undefined && (await current.catch(() => undefined)) === broken) current = undefined;
}

/**
 * The compiled PDFium. Threads that are given it (`shareCompiledPdfium`) use the machine code that this thread's work
 * has optimised, and none of it is twice in memory.
 */
export function compiledPdfium(): Promise<object> {
  compiled ??= compile().catch((error: unknown) => {
    compiled = undefined;
    throw error;
  });
  return compiled;
}

/** In a new thread: starts PDFium from what another thread has compiled. */
export function shareCompiledPdfium(module: object): void {
  compiled = Promise.resolve(module);
}

/**
 * Compiled here and not by the library, which would keep the module's four megabytes beside the engine's copy. Read at
 * once, so that other threads compile while this one goes on.
 */
async function compile(): Promise<object> {
  return wasm.compile(readFileSync(createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm')));
}

async function start(): Promise<Pdfium> {
  const [{ init }, code] = await Promise.all([import('@embedpdf/pdfium'), compiledPdfium()]);
  const instantiateWasm = (imports: object, receive: (instance: object, module: object) => void): object => {
    void wasm.instantiate(code, imports).then((instance) => receive(instance, code));
    return {};
  };
  const quiet = { instantiateWasm, print: () => undefined, printErr: () => undefined };
  const module = (await init(quiet as unknown as Parameters<typeof init>[0])) as unknown as Pdfium;
  module.PDFiumExt_Init();
  return module;
}

/**
 * True for a WebAssembly trap or abort (unreachable, out of bounds, stack overflow): the instance must not be used
 * again.
 */
export function isTrap(error: unknown): boolean {
  // Compared by name, since the types of WebAssembly belong to the DOM library.
  return (
    error instanceof Error &&
    (error.name === 'RuntimeError' || (error instanceof RangeError && /call stack|memory/i.test(error.message)))
  );
}
