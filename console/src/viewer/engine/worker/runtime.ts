import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import wasmUrl from '@embedpdf/pdfium/pdfium.wasm?url';
import { ViewError } from '../failure.ts';

/** Functions called for each letter, called without the library's wrappers, which take twenty times as long. */
type LetterFunction =
  | 'FPDFText_GetUnicode'
  | 'FPDFText_GetLooseCharBox'
  | 'FPDFText_GetCharOrigin'
  | 'FPDFText_GetMatrix'
  | 'FPDFText_IsGenerated';

/** The part of PDFium's WebAssembly runtime that is used here; its published types need another package. */
interface Runtime {
  readonly HEAPU8: Uint8Array;
  readonly wasmExports: { malloc(size: number): number; free(pointer: number): void } & Readonly<
    Record<LetterFunction, (...values: number[]) => number>
  >;
  addFunction(fn: (...args: number[]) => number, signature: string): number;
  removeFunction(pointer: number): void;
}

/** PDFium's C interface; pointers and handles are numbers. */
export type Pdfium = Omit<WrappedPdfiumModule, 'pdfium'> & { readonly pdfium: Runtime };

let current: Promise<Pdfium> | undefined;

export function loadPdfium(): Promise<Pdfium> {
  current ??= start();
  return current;
}

async function start(): Promise<Pdfium> {
  const compiled = compile();
  const instantiateWasm = (
    imports: WebAssembly.Imports,
    receive: (instance: WebAssembly.Instance, module: WebAssembly.Module) => void,
  ): object => {
    void compiled.then(async (module) => receive(await WebAssembly.instantiate(module, imports), module));
    return {};
  };
  await compiled;
  const options = { instantiateWasm, print: () => undefined, printErr: () => undefined };
  const module = (await init(options as unknown as Parameters<typeof init>[0])) as unknown as Pdfium;
  module.PDFiumExt_Init();
  return module;
}

async function compile(): Promise<WebAssembly.Module> {
  const answer = await fetch(wasmUrl).catch(() => undefined);
  if (answer === undefined || !answer.ok) throw new ViewError('network');
  return WebAssembly.compileStreaming(answer);
}

/** Runs `fn` with `size` bytes of WebAssembly memory and frees them. */
export function withMemory<T>(pdfium: Pdfium, size: number, fn: (pointer: number) => T): T {
  const pointer = allocate(pdfium, size);
  try {
    return fn(pointer);
  } finally {
    pdfium.pdfium.wasmExports.free(pointer);
  }
}

export function allocate(pdfium: Pdfium, size: number): number {
  const pointer = pdfium.pdfium.wasmExports.malloc(size);
  if (pointer === 0) throw new ViewError('memory');
  // Addresses above 2 GiB are negative.
  return pointer >>> 0;
}

/** The view is valid until the next call of PDFium, which may move the memory. */
export function memoryView(pdfium: Pdfium): DataView {
  return new DataView(pdfium.pdfium.HEAPU8.buffer);
}

/** True for a WebAssembly trap: the instance must not be used again. */
export function isTrap(error: unknown): boolean {
  return (
    error instanceof WebAssembly.RuntimeError ||
    (error instanceof RangeError && /call stack|memory/i.test(error.message))
  );
}
