import { basename, dirname } from 'node:path';
import { DocumentError } from '../../errors.js';
import { isInterrupted, withinTime } from '../../interrupt.js';
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

/** A result with qpdf's exit code. */
export type RawResult = Omit<QpdfResult, 'warnings'> & { readonly code: number };

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
export async function runQpdfRaw(args: readonly string[], files: QpdfFiles): Promise<RawResult> {
  return runIn(await start(), args, files);
}

/** One of several runs. */
export interface QpdfJob {
  readonly args: readonly string[];
  readonly files: Omit<QpdfFiles, 'timeMs'>;
}

/**
 * Most bytes of arguments in one qpdf, about a dozen runs: Emscripten's `callMain` leaves them on the stack of 64 KB,
 * which would overflow after some hundred runs.
 */
const MOST_ARGUMENT_BYTES = 4096;

/**
 * Runs of which most succeed, each with a result as that of `runQpdfRaw`, in order. A qpdf and a time limit serve
 * several of them, because starting these takes ten times as long as reading a small file. A run that does not exit
 * with 0 is repeated in a qpdf of its own, whose result counts.
 */
export async function* runQpdfSeries(jobs: readonly QpdfJob[], timeMs: number): AsyncGenerator<RawResult> {
  for (let at = 0; at < jobs.length;) {
    const good = runTogether(await start(), jobs.slice(at), timeMs);
    yield* good;
    at += good.length;
    const next = jobs[at];
    if (next === undefined) return;
    yield await runQpdfRaw(next.args, { ...next.files, timeMs });
    at++;
  }
}

/** Returns the results of the first jobs: until one does not exit with 0, or enough have run. */
function runTogether(started: Started, jobs: readonly QpdfJob[], timeMs: number): RawResult[] {
  const results: RawResult[] = [];
  const before = process.exitCode;
  try {
    withinTime(timeMs, () => {
      for (let i = 0, bytes = 0; i < jobs.length && bytes < MOST_ARGUMENT_BYTES; i++) {
        const { args, files } = jobs[i]!;
        const result = runIn(started, args, files);
        if (result.code !== 0) return;
        results.push(result);
        bytes += argumentBytes(args);
      }
    });
  } catch (error) {
    if (!isInterrupted(error)) throw error;
  } finally {
    process.exitCode = before;
  }
  return results;
}

/** With the name of the program, and for each argument its pointer, the end of the text, and what aligns it. */
function argumentBytes(args: readonly string[]): number {
  const all = [process.argv[1] ?? '', ...args];
  return all.reduce((sum, arg) => sum + Buffer.byteLength(arg) + 20, 0);
}

interface Started {
  readonly qpdf: QpdfInstance;
  readonly out: ByteSink;
  readonly err: ByteSink;
  /** Where folders of the disk are mounted. */
  readonly folders: Map<string, string>;
}

async function start(): Promise<Started> {
  const [out, err] = [new ByteSink(), new ByteSink()];
  const qpdf = await startQpdf(out.take, err.take);
  qpdf.FS.mkdir('/files');
  return { qpdf, out, err, folders: new Map() };
}

function runIn(started: Started, args: readonly string[], files: QpdfFiles): RawResult {
  const { qpdf, out, err } = started;
  out.clear();
  err.clear();
  const places = place(started, files);
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

function place({ qpdf, folders }: Started, { inputs, outputs }: QpdfFiles): Map<string, string> {
  const places = new Map<string, string>();
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
  clear(): void {
    this.#length = 0;
  }
  text(): string {
    return new TextDecoder().decode(this.#bytes.subarray(0, this.#length));
  }
}
