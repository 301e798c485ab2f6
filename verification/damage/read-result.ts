import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackZip } from '../corpus/check-output.js';
import type { DamageCall } from './damage-calls.js';

/** What poppler reads in a result. */
export interface Reading {
  readonly pages: number;
  /** How often each word occurs. */
  readonly words: ReadonlyMap<string, number>;
}

type Reader = (path: string) => Promise<Finished>;
/** Readers of PDF text; only poppler ends pages by a form feed. */
export const readers = {
  poppler: (path) => run('pdftotext', ['-q', '-enc', 'UTF-8', path, '-']),
  ghostscript: (path) =>
    run('gs', ['-q', '-dSAFER', '-dNOPAUSE', '-dBATCH', '-sDEVICE=txtwrite', '-sOutputFile=-', path]),
} satisfies Record<string, Reader>;

/** Reads pages and words; undefined when the reader cannot open a file. A text has no pages. */
export async function readResult(
  bytes: Uint8Array,
  kind: DamageCall['result'],
  reader: Reader = readers.poppler,
): Promise<Reading | undefined> {
  if (kind === 'text') return { pages: 0, words: wordsOf(Buffer.from(bytes).toString('utf8')) };
  const files = partsOf(bytes);
  let [pages, text] = [0, ''];
  for (const file of files) {
    const found = await withFile(file, reader);
    if (found.code !== 0) return undefined;
    pages += found.stdout.split('\f').length - 1;
    text += `\n${found.stdout}`;
  }
  return { pages, words: wordsOf(text) };
}

/** Returns the first error that `qpdf --check` reports in a PDF or in the PDFs of a zip; undefined without one. */
export async function qpdfError(bytes: Uint8Array): Promise<string | undefined> {
  for (const file of partsOf(bytes)) {
    const { code, stderr } = await withFile(file, (path) => run('qpdf', ['--check', path]));
    if (code === 0 || code === 3) continue;
    const lines = stderr.split('\n').map((line) => line.replace(/\/\S+\/file\.pdf/g, ''));
    return lines.find((line) => line.includes('ERROR')) ?? lines[0] ?? `exit code ${code}`;
  }
  return undefined;
}

/**
 * Returns a damaged file as qpdf rewrites it; undefined if qpdf reports an error, or a warning that may explain missing
 * text: not one about operators of pages, the trailer's identifier, or an object that nothing refers to.
 */
export async function plainlyChanged(bytes: Uint8Array): Promise<Uint8Array | undefined> {
  return withFile(bytes, async (path) => {
    const [{ stderr, code }, rewritten] = [
      await run('qpdf', ['--check', path]),
      // Naming the pages makes qpdf write a new page tree.
      await run('qpdf', ['--qdf', '--object-streams=disable', path, '--pages', '.', '1-z', '--', `${path}.out`]),
    ];
    if ([code, rewritten.code].some((each) => each !== 0 && each !== 3)) return undefined;
    const result = await readFile(`${path}.out`);
    const text = result.toString('latin1');
    const isHarmless = (line: string): boolean => {
      const object = /^WARNING: \S+ \(object (\d+) 0, offset/.exec(line)?.[1];
      if (object !== undefined) return !text.includes(`%% Original object ID: ${object} 0\n`);
      return /^WARNING: (?:page object .*\(content|\S+ \(trailer), offset/.test(line);
    };
    const warnings = stderr.split('\n').filter((line) => line.startsWith('WARNING'));
    return warnings.every(isHarmless) ? result : undefined;
  });
}

/** Returns the words of `wanted`, each `times` times, that `found` lacks. */
export function missingWords(wanted: Reading, found: Reading, times = 1): string[] {
  return [...wanted.words]
    .filter(([word, count]) => (found.words.get(word) ?? 0) < count * times)
    .map(([word]) => word);
}

function wordsOf(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const word of text.split(/\s+/)) if (word !== '') words.set(word, (words.get(word) ?? 0) + 1);
  return words;
}

const partsOf = (bytes: Uint8Array): readonly Uint8Array[] =>
  bytes[0] === 0x50 && bytes[1] === 0x4b ? unpackZip(bytes) : [bytes];

async function withFile<T>(bytes: Uint8Array, use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-damage-'));
  try {
    const path = join(folder, 'file.pdf');
    await writeFile(path, bytes);
    return await use(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Finished {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(program: string, args: readonly string[]): Promise<Finished> {
  return new Promise((resolve) => {
    execFile(program, [...args], { timeout: 60_000, maxBuffer: 256 * 1024 * 1024 }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : -1, stdout, stderr }),
    );
  });
}
