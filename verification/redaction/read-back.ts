import { execFileSync, type ExecFileSyncOptionsWithBufferEncoding } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { readPdf } from '../../document/content/text/index.js';
import { runQpdf } from '../../document/engines/qpdf/index.js';

/** Where a word can still be read in a document; `texts` are the texts of the readers that were asked. */
export interface ReadBack {
  readonly places: readonly string[];
  readonly texts: Readonly<Record<string, string>>;
}

/** Dots per inch for OCR. */
const DPI = 150;
const LIMITS: ExecFileSyncOptionsWithBufferEncoding = {
  maxBuffer: 1 << 28,
  timeout: 120_000,
  stdio: ['ignore', 'pipe', 'ignore'],
};

/** True if a program is installed. */
function isInstalled(program: string): boolean {
  return (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
}

/**
 * Reads a document as raw bytes, with all streams decoded by qpdf, as text by PDFium, pdftotext and MuPDF, and with
 * `withOcr` as a picture, as far as these programs are installed. Throws if qpdf warns about it.
 */
export async function readBack(
  bytes: Uint8Array,
  word: string,
  { withOcr }: { readonly withOcr: boolean },
): Promise<ReadBack> {
  const folder = mkdtempSync(join(tmpdir(), 'quire-read-back-'));
  try {
    const path = join(folder, 'document.pdf');
    writeFileSync(path, bytes);
    const texts: Record<string, string> = {
      PDFium: await readPdf({ path }, (document) =>
        Array.from({ length: document.reachablePages() }, (_none, index) => document.pageText(index)).join('\n'),
      ),
    };
    const read = (program: string, args: readonly string[]): void => {
      if (isInstalled(program)) texts[program] = execFileSync(program, [...args], LIMITS).toString('utf8');
    };
    read('pdftotext', ['-q', '-enc', 'UTF-8', path, '-']);
    read('mutool', ['draw', '-q', '-F', 'text', path]);
    if (withOcr && isInstalled('pdftoppm') && isInstalled('tesseract')) texts.OCR = ocr(path, folder);
    const places = Object.entries(texts)
      .filter(([, text]) => text.toLowerCase().includes(word.toLowerCase()))
      .map(([reader]) => reader);
    places.push(...placesInBytes(Buffer.from(bytes), word, 'file'));
    places.push(...placesInBytes(await decoded(bytes), word, 'decoded streams'));
    return { places, texts };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function ocr(path: string, folder: string): string {
  execFileSync('pdftoppm', ['-r', String(DPI), '-png', path, join(folder, 'page')], LIMITS);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.png'))
    .map((file) => execFileSync('tesseract', [join(folder, file), '-', '--psm', '6'], LIMITS).toString('utf8'))
    .join('\n');
}

async function decoded(bytes: Uint8Array): Promise<Buffer> {
  const { files, warnings, stderr } = await runQpdf(
    ['--qdf', '--object-streams=disable', '--stream-data=uncompress', '--decode-level=all', 'in.pdf', 'out.pdf'],
    { inputs: [{ name: 'in.pdf', bytes }], outputs: ['out.pdf'] },
  );
  const file = files['out.pdf'];
  if (file === undefined || warnings) throw new Error(`qpdf: ${stderr}`);
  return Buffer.from(file);
}

/** Finds a word in bytes: plain, with escapes of names and strings, as hexadecimal digits, in UTF-8 and UTF-16. */
function placesInBytes(bytes: Buffer, word: string, where: string): string[] {
  const plain = bytes.toString('latin1');
  const unescaped = plain
    .replaceAll(/#([\da-f]{2})/gi, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll(/\\([0-7]{1,3})/g, (_whole, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
  const digits = [...plain.matchAll(/(?:[\da-f]{2}\s*){4,}/gi)].map(({ 0: run }) =>
    Buffer.from(run.replaceAll(/\s/g, ''), 'hex').toString('latin1'),
  );
  const forms: Readonly<Record<string, string>> = {
    bytes: plain,
    'escaped bytes': unescaped,
    digits: digits.join('\n'),
    'UTF-16 bytes': plain.replaceAll('\0', ''),
    'UTF-16 digits': digits.join('\n').replaceAll('\0', ''),
  };
  return Object.entries(forms)
    .filter(([, text]) => text.toLowerCase().includes(word.toLowerCase()))
    .map(([form]) => `${form} of the ${where}`);
}
