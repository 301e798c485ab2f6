import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compressFile, type CompressLevel } from '@quire/document/file/compression';
import type { Bench, BenchRow } from '../measure/bench.js';
import { benchFolder, brochurePdf, photoPdf, scanPdf, textPdf } from '../measure/inputs.js';
import { runProgram } from '../measure/native.js';

const levels: readonly CompressLevel[] = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Returns the output of each level in percent of the file's size, next to the outputs of two programs. */
async function sizesOf(what: string, input: string): Promise<BenchRow> {
  const out = join(benchFolder, 'levels');
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const before = (await stat(input)).size;
  const share = async (name: string): Promise<number> => ((await stat(join(out, name))).size / before) * 100;
  const ours: number[] = [];
  for (const level of levels) {
    await compressFile(input, join(out, `${level}.pdf`), {
      level,
      linearize: false,
      normalize: false,
      grayscale: false,
    });
    ours.push(await share(`${level}.pdf`));
  }
  await runProgram(
    'qpdf',
    [
      '--object-streams=generate',
      '--recompress-flate',
      '--compression-level=9',
      '--optimize-images',
      input,
      'qpdf.pdf',
    ],
    out,
  );
  await runProgram(
    'gs',
    ['-q', '-dBATCH', '-dNOPAUSE', '-sDEVICE=pdfwrite', '-dPDFSETTINGS=/ebook', '-sOutputFile=gs.pdf', input],
    out,
  );
  const [qpdf, gs] = [await share('qpdf.pdf'), await share('gs.pdf')];
  await rm(out, { recursive: true, force: true });
  const monotone = ours.every((size, i) => i === 0 || size <= (ours[i - 1] ?? 0));
  return {
    what: `Compress ${what} (${(before / 1024).toFixed(0)} KB), levels 1 to 9, percent of the input`,
    ours: ours.map((size) => size.toFixed(0)).join(' '),
    native: `${qpdf.toFixed(0)} (\`qpdf --optimize-images\`), ${gs.toFixed(0)} (\`gs -dPDFSETTINGS=/ebook\`)`,
    ratio: undefined,
    target: 'each level no larger than the one before, none above 100',
    met: monotone && ours.every((size) => size <= 100),
  };
}

export const compressLevels: Bench = {
  name: 'compress-levels',
  run: async () => [
    await sizesOf('100 pages of text', await textPdf(100)),
    await sizesOf('photographs of noise', await photoPdf(10)),
    await sizesOf('a brochure of photographs, drawings and text', await brochurePdf()),
    await sizesOf('scanned pages', await scanPdf()),
  ],
};
