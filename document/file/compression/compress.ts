import { copyFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { inspectPdf, inspectResult } from '../inspection/index.js';
import { guardDocument, withPdf } from '../open/index.js';
import { runQpdf } from '../../engines/qpdf/index.js';
import { linearizeFile } from '../writer/index.js';
import { compressImages } from './compress-images.js';
import { dropUnused } from './drop-unused.js';
import { writePacked } from './pack-file.js';
import { subsetFonts } from './subset-fonts.js';
import { type CompressLevel, nextLevel, scalesImages, startLevel } from './rules.js';
import type { LineArt } from './shrink-image.js';

/** qpdf normalises content streams and recompresses them. */
const NORMALISE = [
  '--normalize-content=y',
  '--object-streams=generate',
  '--compress-streams=y',
  '--recompress-flate',
  '--compression-level=9',
];

/** Higher levels are for those who want the last percent. */
const MOST_SAMPLED = 5;

export interface CompressOptions {
  /** Used when there is no target. */
  readonly level: CompressLevel;
  /** Target size in bytes; missing it is not an error. */
  readonly targetBytes?: number;
  readonly linearize?: boolean;
  readonly normalize?: boolean;
  /** Images only; text and drawings keep their colours. */
  readonly grayscale?: boolean;
  readonly lineArt?: LineArt;
  readonly progress?: (done: number, total: number) => void;
}

export interface Compressed {
  /** Bytes of the result. */
  readonly size: number;
  /** The level that was used. */
  readonly level: CompressLevel;
  /** False when a target was given and missed. */
  readonly achieved: boolean;
  /** True when nothing smaller was found, so that the result is the input. */
  readonly unchanged: boolean;
  /** True when the result is the input and the input is damaged. */
  readonly damaged: boolean;
  readonly images: number;
  /** Scans of text that were separated into layers; `images` counts them too. */
  readonly scans: number;
  readonly linearized: boolean;
}

/**
 * Compresses a PDF into a new file at `target`, which is never larger than the input: when no level makes it smaller,
 * the input is copied, even where it is damaged. Temporary files are written beside the target. Throws the errors of
 * `openPdf`.
 */
export async function compressFile(source: string, target: string, options: CompressOptions): Promise<Compressed> {
  const { targetBytes } = options;
  const before = statSync(source).size;
  let level: CompressLevel | undefined = targetBytes === undefined ? options.level : startLevel(targetBytes / before);
  let best: { readonly attempt: Attempt; readonly path: string } | undefined;
  for (let tries = 0; level !== undefined; tries++) {
    const path = `${target}.${tries}`;
    const attempt = await compressAt(source, path, level, options);
    if (best === undefined || attempt.size < best.attempt.size) {
      if (best !== undefined) rmSync(best.path);
      best = { attempt, path };
    } else {
      rmSync(path);
    }
    if (targetBytes === undefined || best.attempt.size <= targetBytes) break;
    level = nextLevel(level, attempt.size, targetBytes);
  }
  if (best === undefined) throw new RangeError('a level was tried');
  const { attempt, path } = best;
  const fits = attempt.repaired ? attempt.size <= before : attempt.size < before;
  const unchanged = !fits || !(await isAsGood(path, source));
  if (unchanged) {
    copyFileSync(source, target);
    rmSync(path);
  } else {
    renameSync(path, target);
  }
  const size = unchanged ? before : attempt.size;
  return {
    size,
    level: attempt.level,
    achieved: targetBytes === undefined || size <= targetBytes,
    unchanged,
    damaged: unchanged && attempt.repaired,
    images: unchanged ? 0 : attempt.images,
    scans: unchanged ? 0 : attempt.scans,
    linearized: attempt.linearized && !unchanged,
  };
}

interface Attempt {
  readonly size: number;
  readonly level: CompressLevel;
  readonly images: number;
  readonly scans: number;
  readonly linearized: boolean;
  /** The input is damaged, so that a rewritten file is better even when it is not smaller. */
  readonly repaired: boolean;
}

async function compressAt(
  source: string,
  target: string,
  level: CompressLevel,
  options: CompressOptions,
): Promise<Attempt> {
  const lossy = scalesImages(level) || options.grayscale === true || options.lineArt !== undefined;
  const plan = {
    level,
    grayscale: options.grayscale === true,
    ...(options.lineArt === undefined ? {} : { lineArt: options.lineArt }),
  };
  let [images, scans, repaired] = [0, 0, false];
  await withPdf({ path: source }, {}, (opened) =>
    guardDocument('fileInput', async () => {
      dropUnused(opened);
      // The lossless levels keep embedded fonts complete, so that text stays editable.
      if (scalesImages(level)) await subsetFonts(opened);
      if (lossy) {
        const { replaced, separated } = await compressImages(opened.document.context, plan, options.progress);
        [images, scans] = [replaced, separated];
      }
      await writePacked(opened, target, {
        sampled: level <= MOST_SAMPLED,
        ...(scans === 0 ? {} : { version: '1.4' }),
      });
      repaired = opened.lazy.recovered || opened.original === undefined || opened.mustRewrite;
    }),
  );
  if (options.normalize === true)
    await replaceBy(target, (next) =>
      runQpdf([...NORMALISE, 'in.pdf', 'out.pdf'], {
        inputs: [{ name: 'in.pdf', path: target }],
        outputs: [{ name: 'out.pdf', path: next }],
      }),
    );
  // Linearization hint tables cost bytes; a smaller file was the first request.
  const linearized =
    options.linearize === true &&
    (await replaceBy(target, (next) => linearizeFile(target, next), statSync(source).size));
  return { size: statSync(target).size, level, images, scans, linearized, repaired };
}

/**
 * Replaces a file by the output of `write`; the file stays as it is when that fails or reaches `limit` bytes. True when
 * it was replaced.
 */
async function replaceBy(path: string, write: (next: string) => Promise<unknown>, limit = Infinity): Promise<boolean> {
  const next = `${path}.next`;
  try {
    await write(next);
    if (statSync(next).size >= limit) return false;
    renameSync(next, path);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(next, { force: true });
  }
}

/**
 * Malformed documents that only one reader understands may not survive rewriting; then the input is the better result.
 */
async function isAsGood(result: string, input: string): Promise<boolean> {
  try {
    const [before, after] = [await inspectPdf({ path: input }), await inspectResult({ path: result })];
    return after.pages === before.pages && after.engine === 'pdfium';
  } catch {
    return false;
  }
}
