import { constants } from 'node:fs';
import { createRequire } from 'node:module';

/** The members of qpdf's WebAssembly file system that the package exports. */
export interface QpdfFileSystem {
  init(
    stdin: (() => number | null) | null,
    stdout: (byte: number | null) => void,
    stderr: (byte: number | null) => void,
  ): void;
  mkdir(path: string): void;
  mount(type: unknown, options: { root: string }, mountPoint: string): void;
  writeFile(path: string, bytes: Uint8Array): void;
  readFile(path: string): Uint8Array;
  unlink(path: string): void;
}

/** A started qpdf; it serves one job, since qpdf keeps state between calls. */
export interface QpdfInstance {
  readonly FS: QpdfFileSystem;
  readonly NODEFS: unknown;
  callMain(args: readonly string[]): number | undefined;
}

type CreateQpdf = (options: {
  locateFile: () => string;
  preRun: ((module: QpdfInstance) => void)[];
}) => Promise<QpdfInstance>;

interface Loaded {
  readonly create: CreateQpdf;
  readonly wasm: string;
  /** Kept so that V8 reuses the compilation when the package instantiates the same bytes again. */
  readonly compiled: object;
}

/** The types of WebAssembly belong to the DOM library; only this part is used here. */
const { compile } = (globalThis as unknown as { WebAssembly: { compile(bytes: Uint8Array): Promise<object> } })
  .WebAssembly;

let loaded: Promise<Loaded> | undefined;

/**
 * Starts a new qpdf that writes its standard streams to `out` and `err`. The WebAssembly is compiled once per process.
 */
export async function startQpdf(out: (byte: number) => void, err: (byte: number) => void): Promise<QpdfInstance> {
  loaded ??= load();
  const { create, wasm } = await loaded;
  const sink = (take: (byte: number) => void) => (byte: number | null) => {
    if (byte !== null) take(byte);
  };
  return withFileConstants(() =>
    create({ locateFile: () => wasm, preRun: [(module) => module.FS.init(() => null, sink(out), sink(err))] }),
  );
}

/**
 * Emscripten asks `process.binding` for the constants of files as it starts, which Node's permission model forbids in
 * workers.
 */
function withFileConstants<T>(start: () => T): T {
  const before = Object.getOwnPropertyDescriptor(process, 'binding');
  Object.defineProperty(process, 'binding', { value: () => ({ fs: constants }), configurable: true });
  try {
    return start();
  } finally {
    if (before !== undefined) Object.defineProperty(process, 'binding', before);
  }
}

async function load(): Promise<Loaded> {
  const require = createRequire(import.meta.url);
  const { readFile } = await import('node:fs/promises');
  const wasm = require.resolve('@neslinesli93/qpdf-wasm/dist/qpdf.wasm');
  const compiled = await compile(await readFile(wasm));
  return { create: require('@neslinesli93/qpdf-wasm') as CreateQpdf, wasm, compiled };
}
