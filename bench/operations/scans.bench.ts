import { execFile } from 'node:child_process';
import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { compressFile, type CompressLevel } from '@quire/document/file/compression';
import { type Plane, similarity } from '@quire/document/images/mixed-raster';
import sharp from 'sharp';
import { findProgram } from '../../core/isolation/index.js';
import type { Bench, BenchRow } from '../measure/bench.js';
import { benchFolder } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';
import { type ScanKind, scanKinds, scansPdf, scanText } from '../measure/scans.js';

const run = promisify(execFile);
const PAGES = 1;
const levels: readonly CompressLevel[] = [6, 7, 8, 9];
/** Recognition varies by so many percent of the characters without a difference that one could see. */
const TOLERANCE = 0.3;
/** Similarity is compared at the resolution of a screen, where the scan has something to read. */
const [VIEW_DPI, CONTRAST] = [150, 8] as const;

/** A program that shrinks scans; `{in}` and `{out}` are replaced in its arguments. */
interface Rival {
  readonly command: string;
  readonly program: string;
  readonly args: readonly string[];
}

const rivals: readonly Rival[] = [
  {
    command: 'gs -dPDFSETTINGS=/ebook',
    program: 'gs',
    args: ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-sOutputFile={out}', '{in}'],
  },
  {
    command: 'ocrmypdf --optimize 3',
    program: 'ocrmypdf',
    args: ['-q', '--optimize', '3', '--output-type', 'pdf', '--tesseract-timeout', '0', '{in}', '{out}'],
  },
  {
    command: 'recode_pdf (archive-pdf-tools)',
    program: 'sh',
    args: [
      '-c',
      'mutool draw -q -r 300 -c gray -o page.png "$0" 1 && tesseract page.png page --dpi 300 --psm 6 hocr && ' +
        'recode_pdf -P "$0" -T page.hocr --mrc-image-format jpeg -J pillow --mask-compression ccitt --dpi 300 -o "$1"',
      '{in}',
      '{out}',
    ],
  },
];

interface Measured {
  /** Percent of the input. */
  readonly size: number;
  /** Wrong characters, in percent of the text. */
  readonly errors: number;
  /** From 0 to 1, where there is text. */
  readonly similarity: number;
}

const shown = ({ size, errors, similarity: alike }: Measured): string =>
  `${size.toFixed(1)} % (${errors.toFixed(1)} % wrong, SSIM ${alike.toFixed(2)})`;

/** Compresses scans of a kind with each level and each program, and reads the results with Tesseract. */
async function rowOf(kind: ScanKind): Promise<BenchRow> {
  const input = await scansPdf(kind, PAGES);
  const folder = join(benchFolder, 'scans');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const before = { bytes: (await stat(input)).size, page: await viewOf(input, folder) };
  const measure = async (file: string): Promise<Measured> => ({
    size: ((await stat(file)).size / before.bytes) * 100,
    errors: await errorsOf(file, kind, folder),
    similarity: similarity(before.page, await viewOf(file, folder), CONTRAST)?.mean ?? 0,
  });
  const original = await errorsOf(input, kind, folder);
  const ours: Measured[] = [];
  for (const level of levels) {
    const file = join(folder, `level-${level}.pdf`);
    await compressFile(input, file, { level });
    ours.push(await measure(file));
  }
  const theirs: { readonly command: string; readonly found: Measured | undefined }[] = [];
  for (const { command, program, args } of rivals) {
    const file = join(folder, 'rival.pdf');
    const given = args.map((argument) => (argument === '{in}' ? input : argument.replace('{out}', file)));
    const done = await runProgram(program, given, folder).then(
      () => true,
      () => false,
    );
    theirs.push({ command, found: done ? await measure(file) : undefined });
    await rm(file, { force: true });
  }
  await rm(folder, { recursive: true, force: true });
  const best = Math.min(...theirs.map(({ found }) => found?.size ?? Infinity));
  const mildest = ours[0]?.size ?? Infinity;
  const fewest = Math.min(original, ...theirs.map(({ found }) => found?.errors ?? Infinity));
  return {
    what: `Compress scans: ${kind.what} (${(before.bytes / 1024).toFixed(0)} KB, ${original.toFixed(1)} % wrong)`,
    ours: ours.map((found, i) => `level ${levels[i]}: ${shown(found)}`).join(', '),
    native: theirs
      .map(({ command, found }) => `${found === undefined ? 'not available' : shown(found)} (\`${command}\`)`)
      .join(', '),
    ratio: Number.isFinite(best) ? mildest / best : undefined,
    target: `smaller at level 6 than each program, each level no larger, at most ${TOLERANCE} % more wrong characters`,
    met:
      mildest < best &&
      ours.every(({ size }, i) => i === 0 || size <= (ours[i - 1]?.size ?? 0)) &&
      ours.every(({ errors }) => errors <= fewest + TOLERANCE),
  };
}

/** MuPDF, since Poppler does not show the masks that recode_pdf writes. */
async function draw(file: string, page: number, dpi: number, picture: string): Promise<void> {
  await run('mutool', ['draw', '-q', '-r', String(dpi), '-c', 'gray', '-o', picture, file, String(page)]);
}

/** The first page in grey. */
async function viewOf(file: string, folder: string): Promise<Plane> {
  await draw(file, 1, VIEW_DPI, join(folder, 'view.png'));
  const image = sharp(join(folder, 'view.png')).greyscale().toColourspace('b-w').raw();
  const { data, info } = await image.toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data };
}

async function errorsOf(file: string, kind: ScanKind, folder: string): Promise<number> {
  let [wrong, all] = [0, 0];
  for (let page = 0; page < PAGES; page++) {
    const picture = join(folder, 'page.png');
    await draw(file, page + 1, 300, picture);
    const { stdout } = await run('tesseract', [picture, '-', '--dpi', '300', '-l', 'eng', '--psm', '6'], {
      env: { ...process.env, OMP_THREAD_LIMIT: '1' },
    });
    const [expected, found] = [scanText(kind, page).join(' '), stdout.split(/\s+/).filter(Boolean).join(' ')];
    wrong += distance(expected, found);
    all += expected.length;
  }
  return (wrong / all) * 100;
}

/** Characters to change, add or remove (Levenshtein). */
function distance(a: string, b: string): number {
  let above = Uint32Array.from({ length: b.length + 1 }, (_none, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const here = new Uint32Array(b.length + 1);
    here[0] = i;
    for (let j = 1; j <= b.length; j++)
      here[j] = Math.min(above[j]! + 1, here[j - 1]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
    above = here;
  }
  return above[b.length]!;
}

/** Sizes of compressed scans at equal legibility. */
export const scans: Bench = {
  name: 'scans',
  run: async () => {
    const missing = ['mutool', 'tesseract'].filter((name) => !findProgram(name, process.env['PATH'] ?? ''));
    if (missing.length > 0) throw new Error(`needs ${missing.join(' and ')}`);
    const rows: BenchRow[] = [];
    for (const kind of scanKinds) rows.push(await rowOf(kind));
    return rows;
  },
};
