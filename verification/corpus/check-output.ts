import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** Result of checking an output with another program. */
export interface OutputCheck {
  /** `clean`, `warnings`, `broken`, `time limit`, or `-` when nothing was checked. */
  readonly verdict: string;
  readonly pages: number;
  readonly parts: number;
  readonly message: string;
}

/** Facts about an input from another program; only determined when the first verdict on the output is a fault. */
export interface InputFacts {
  /** Pages that can be reached in the page tree. */
  readonly pages: number;
  /** Pages by /Count, which is how the outputs are counted. */
  readonly listed: number;
  readonly verdict: string;
  readonly message: string;
  /** Duration of the check. */
  readonly ms: number;
}

/** The answer has the same bytes as the upload. */
export const unchanged: OutputCheck = { verdict: 'same bytes', pages: 0, parts: 1, message: '' };

const order = ['-', 'clean', 'warnings', 'broken', 'time limit'];
const MEMORY_KB = 2 * 1024 * 1024;
export const TIME_MS = 30_000;

/**
 * Checks a PDF, or every PDF of a zip, with `qpdf --check` under a time limit and a memory limit; the worst verdict
 * wins.
 */
export async function checkOutput(bytes: Uint8Array, folder: string): Promise<OutputCheck> {
  const own = await mkdtemp(join(folder, 'out-'));
  try {
    const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b;
    const parts = isZip ? unpackZip(bytes) : [bytes];
    let worst: OutputCheck = { verdict: '-', pages: 0, parts: parts.length, message: '' };
    for (const [i, part] of parts.entries()) {
      const path = join(own, `${i}.pdf`);
      await writeFile(path, part);
      const found = await checkPdf(path);
      const pages = worst.pages + found.pages;
      worst =
        order.indexOf(found.verdict) > order.indexOf(worst.verdict)
          ? { ...found, pages, parts: parts.length }
          : { ...worst, pages };
    }
    return worst;
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

function checkPdf(path: string): Promise<OutputCheck> {
  return new Promise((resolve) => {
    const limited = `ulimit -v ${MEMORY_KB}; exec qpdf --check --show-npages "$1"`;
    execFile(
      'sh',
      ['-c', limited, 'sh', path],
      { timeout: TIME_MS, killSignal: 'SIGKILL', maxBuffer: 4 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : error.code;
        const verdict =
          code === 0 ? 'clean' : code === 3 ? 'warnings' : error?.killed === true ? 'time limit' : 'broken';
        const message =
          stderr
            .split('\n')
            .filter((line) => line !== '')[0]
            ?.replace(path, '')
            .trim() ?? '';
        resolve({ verdict, pages: Number(/^(\d+)$/m.exec(stdout)?.[1] ?? 0), parts: 1, message });
      },
    );
  });
}

/**
 * Returns the pages that can be reached in a file, and whether qpdf can read it. `qpdf --check` trusts /Count; the page
 * list of its JSON does not.
 */
export async function checkInput(path: string): Promise<InputFacts> {
  const begin = performance.now();
  const { pages: listed, verdict, message } = await checkPdf(path);
  const ms = performance.now() - begin;
  const pages = await new Promise<number>((resolve) => {
    execFile(
      'sh',
      ['-c', `ulimit -v ${MEMORY_KB}; exec qpdf --json --json-key=pages "$1"`, 'sh', path],
      { timeout: TIME_MS, killSignal: 'SIGKILL', maxBuffer: 64 * 1024 * 1024 },
      (_, stdout) => {
        resolve(stdout.match(/"pageposfrom1"/g)?.length ?? 0);
      },
    );
  });
  return { pages, listed, verdict, message, ms };
}

/**
 * Extracts the files of a zip (PKWARE APPNOTE 4.3), stored and deflated ones, which are the methods that our server
 * writes.
 */
export function unpackZip(bytes: Uint8Array): Uint8Array[] {
  const zip = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  if (end < 0) throw new Error('the zip has no end record');
  const files: Uint8Array[] = [];
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    const method = zip.readUInt16LE(at + 10);
    const packed = zip.readUInt32LE(at + 20);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const data = zip.subarray(start, start + packed);
    files.push(method === 0 ? data : inflateRawSync(data));
    at += 46 + zip.readUInt16LE(at + 28) + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
