import { basename, dirname } from 'node:path';
import { DocumentError } from '../../errors.js';
import { withinTime } from '../../interrupt.js';
import { type QpdfInstance, startQpdf } from './module.js';

/** A file that qpdf reads: bytes, or a path that is read in place. */
export type QpdfInput =
  | { readonly name: string; readonly bytes: Uint8Array }
  | { readonly name: string; readonly path: string };
/** A file that qpdf writes: a name is returned as bytes, a path is written in place. */
export type QpdfOutput = string | { readonly name: string; readonly path: string };

/** Files of one run. Arguments name them; an argument equal to a name is replaced by the file's path. */
export interface QpdfFiles {
  readonly inputs: readonly QpdfInput[];
  readonly outputs: readonly QpdfOutput[];
  /** Milliseconds after which it is stopped, which counts as failed; no limit when absent. */
  readonly timeMs?: number;
}

export interface QpdfResult {
  /** Bytes of each output given by name alone. */
  readonly files: Readonly<Record<string, Uint8Array>>;
  readonly stdout: string;
  readonly stderr: string;
  /** True when qpdf exited with code 3: it succeeded with warnings in `stderr`. */
  readonly warnings: boolean;
}

/** The most bytes kept of each standard stream: enough for messages and JSON, limited against a flood of warnings. */
const MAX_OUTPUT_BYTES = 16 * 1024 * 1024;

/**
 * Runs qpdf 12.2 (WebAssembly) once with these arguments. Write page ranges out (`a.pdf 1-z`). This build cannot
 * recover from its own exceptions, so a file with recoverable damage fails here; repair it first. Throws PDF_ENCRYPTED
 * for a missing or wrong password, PDF_DAMAGED otherwise (data.detail: qpdf's message without file names).
 */
export async function runQpdf(args: readonly string[], files: QpdfFiles): Promise<QpdfResult> {
  const { code, ...result } = await runQpdfRaw(args, files);
  if (code === 0 || code === 3) return { ...result, warnings: code === 3 };
  throw qpdfError(result.stderr);
}

/**
 * Runs qpdf and returns its exit code instead of throwing: for `--check` and queries whose answer is the code. A trap
 * or timeout counts as 2.
 */
export async function runQpdfRaw(
  args: readonly string[],
  files: QpdfFiles,
): Promise<Omit<QpdfResult, 'warnings'> & { readonly code: number }> {
  const out = new ByteSink();
  const err = new ByteSink();
  const qpdf = await startQpdf(out.take, err.take);
  const places = place(qpdf, files);
  const code = callMain(
    qpdf,
    args.map((arg) => places.get(arg) ?? arg),
    files.timeMs,
  );
  const results: Record<string, Uint8Array> = {};
  if (code === 0 || code === 3) {
    for (const output of files.outputs)
      if (typeof output === 'string') results[output] = qpdf.FS.readFile(places.get(output) ?? output);
  }
  return { files: results, stdout: out.text(), stderr: err.text(), code };
}

function place(qpdf: QpdfInstance, { inputs, outputs }: QpdfFiles): Map<string, string> {
  const places = new Map<string, string>();
  const folders = new Map<string, string>();
  const mounted = (path: string): string => {
    const folder = dirname(path);
    let point = folders.get(folder);
    if (point === undefined) {
      point = `/disk${folders.size}`;
      qpdf.FS.mkdir(point);
      qpdf.FS.mount(qpdf.NODEFS, { root: folder }, point);
      folders.set(folder, point);
    }
    return `${point}/${basename(path)}`;
  };
  qpdf.FS.mkdir('/files');
  inputs.forEach((input, i) => {
    if ('path' in input) {
      places.set(input.name, mounted(input.path));
    } else {
      places.set(input.name, `/files/in${i}`);
      qpdf.FS.writeFile(`/files/in${i}`, input.bytes);
    }
  });
  outputs.forEach((output, i) => {
    if (typeof output === 'string') places.set(output, `/files/out${i}`);
    else places.set(output.name, mounted(output.path));
  });
  return places;
}

/** The build sets `process.exitCode` and throws on failure; neither may leave this function. */
function callMain(qpdf: QpdfInstance, args: readonly string[], timeMs: number | undefined): number {
  const before = process.exitCode;
  try {
    return (timeMs === undefined ? qpdf.callMain(args) : withinTime(timeMs, () => qpdf.callMain(args))) ?? 0;
  } catch (error) {
    const status = (error as { status?: unknown }).status;
    return typeof status === 'number' ? status : 2;
  } finally {
    process.exitCode = before;
  }
}

function qpdfError(stderr: string): DocumentError {
  if (/invalid password/i.test(stderr)) return new DocumentError('PDF_ENCRYPTED', { field: 'fileInput' });
  const line = stderr.split('\n').find((text) => text.trim() !== '') ?? 'it cannot be read';
  const detail = line
    .replace(/^[^\s:]+: /, '')
    .replace(/\/(files|disk\d+)\/\S+?(?=[\s:(]|$):?/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 200);
  if (/unsupported|unknown.*(encryption|filter)/i.test(detail) && /encrypt/i.test(detail))
    return new DocumentError('PDF_ENCRYPTION_UNSUPPORTED', { detail });
  return new DocumentError('PDF_DAMAGED', { field: 'fileInput', detail });
}

class ByteSink {
  #bytes = new Uint8Array(1024);
  #length = 0;
  readonly take = (byte: number): void => {
    if (this.#length >= MAX_OUTPUT_BYTES) return;
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#bytes.length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = byte;
  };
  text(): string {
    return new TextDecoder().decode(this.#bytes.subarray(0, this.#length));
  }
}
