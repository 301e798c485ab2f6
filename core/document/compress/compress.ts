import { DocumentError } from '../errors.js';
import { inspectPdf, refuseStructureBombs } from '../inspect/index.js';
import { guardDocument, openPdf, savePdf } from '../open/index.js';
import { runQpdf } from '../qpdf/index.js';
import { compressImages } from './compress-images.js';
import { type CompressLevel, nextLevel, scalesImages, startLevel } from './rules.js';
import type { LineArt } from './shrink-image.js';

/** How a document is compressed. */
export interface CompressOptions {
  /** Used when there is no target. */
  readonly level: CompressLevel;
  /** Size in bytes to come down to; missing it is no error. */
  readonly targetBytes?: number;
  readonly linearize?: boolean;
  readonly normalize?: boolean;
  /** Images only; text and drawings keep their colours. */
  readonly grayscale?: boolean;
  readonly lineArt?: LineArt;
  readonly progress?: (done: number, total: number) => void;
}

/** A compressed document, and how it became so. */
export interface Compressed {
  readonly bytes: Uint8Array;
  /** The level that gave it. */
  readonly level: CompressLevel;
  /** False when a target was given and missed. */
  readonly achieved: boolean;
  /** True when nothing smaller was found, so that these are the input's bytes. */
  readonly unchanged: boolean;
  readonly images: number;
  readonly linearized: boolean;
}

/**
 * Shrinks a PDF. Never gives more bytes than it got: when nothing is smaller, the input itself.
 * Errors: PDF_ENCRYPTED, PDF_ENCRYPTION_UNSUPPORTED, PDF_DAMAGED, PDF_NO_PAGES, INPUT_TOO_COMPLEX.
 */
export async function compressPdf(bytes: Uint8Array, options: CompressOptions): Promise<Compressed> {
  refuseStructureBombs(bytes);
  const { targetBytes } = options;
  if (targetBytes === undefined) return compressAt(bytes, options.level, options);
  let level: CompressLevel | undefined = startLevel(targetBytes / bytes.length);
  let best: Compressed | undefined;
  while (level !== undefined) {
    const result = await compressAt(bytes, level, options);
    if (best === undefined || result.bytes.length < best.bytes.length) best = result;
    if (best.bytes.length <= targetBytes) break;
    level = nextLevel(level, result.bytes.length, targetBytes);
  }
  if (best === undefined) throw new RangeError('a level was tried');
  return { ...best, achieved: best.bytes.length <= targetBytes };
}

async function compressAt(bytes: Uint8Array, level: CompressLevel, options: CompressOptions): Promise<Compressed> {
  const lossy = scalesImages(level) || options.grayscale === true || options.lineArt !== undefined;
  const { bytes: lean, images } = lossy ? await withImages(bytes, level, options) : { bytes, images: 0 };
  let packed = await repack(lean, options, options.linearize === true);
  let linearized = options.linearize === true && packed !== lean;
  if (linearized && packed.length >= bytes.length) {
    // Hint tables cost bytes; a smaller file was asked for first.
    packed = await repack(lean, options, false);
    linearized = false;
  }
  const unchanged = packed.length >= bytes.length || !(await isAsGood(packed, bytes));
  return { bytes: unchanged ? bytes : packed, level, achieved: true, unchanged, images: unchanged ? 0 : images, linearized: linearized && !unchanged };
}

/** Odd documents that one reader makes sense of may not survive another's writing; then the input is the better answer. */
async function isAsGood(result: Uint8Array, input: Uint8Array): Promise<boolean> {
  try {
    const [before, after] = [await inspectPdf({ bytes: input }), await inspectPdf({ bytes: result })];
    return after.pages === before.pages && (after.engine === before.engine || after.engine === 'pdfium');
  } catch {
    return false;
  }
}

async function withImages(bytes: Uint8Array, level: CompressLevel, options: CompressOptions): Promise<{ bytes: Uint8Array; images: number }> {
  return guardDocument('fileInput', async () => {
    const { document } = await openPdf(bytes);
    const plan = { level, grayscale: options.grayscale === true, ...(options.lineArt === undefined ? {} : { lineArt: options.lineArt }) };
    const images = await compressImages(document.context, plan, options.progress);
    // Nothing replaced: the document as it came is the better start for packing.
    return images === 0 ? { bytes, images } : { bytes: await savePdf(document, { objectStreams: true }), images };
  });
}

/** Below this gain another way of packing is tried. */
const GOOD_GAIN = 0.97;
/** Up to this size: beyond it, the second way costs seconds for what a few pictures may gain. */
const COMPARED_SIZE = 16 * 1024 * 1024;

/**
 * Packs every stream and object as tightly as lossless coding allows. Packing streams anew drops PNG predictors, which some pictures
 * are better off with, so a poor gain is compared with leaving packed streams alone.
 */
async function repack(bytes: Uint8Array, options: CompressOptions, linearize: boolean): Promise<Uint8Array> {
  const anew = await runPacking(bytes, options, linearize, true);
  if (anew.length < bytes.length * GOOD_GAIN || bytes.length > COMPARED_SIZE) return anew;
  const kept = await runPacking(bytes, options, linearize, false);
  return kept.length < anew.length ? kept : anew;
}

async function runPacking(bytes: Uint8Array, options: CompressOptions, linearize: boolean, anew: boolean): Promise<Uint8Array> {
  const args = ['--object-streams=generate', '--compress-streams=y', '--compression-level=9', '--decode-level=generalized'];
  if (anew) args.push('--recompress-flate');
  if (options.normalize === true) args.push('--normalize-content=y');
  if (linearize) args.push('--linearize');
  const run = async (input: Uint8Array): Promise<Uint8Array> => {
    const { files } = await runQpdf([...args, 'in.pdf', 'out.pdf'], { inputs: [{ name: 'in.pdf', bytes: input }], outputs: ['out.pdf'] });
    return files['out.pdf'] ?? input;
  };
  try {
    return await run(bytes);
  } catch (error) {
    if (!(error instanceof DocumentError) || error.code !== 'PDF_DAMAGED') throw error;
    // This qpdf cannot mend; a document written anew by the object model has nothing left to mend.
    const mended = await guardDocument('fileInput', async () => savePdf((await openPdf(bytes)).document, { objectStreams: true }));
    return run(mended).catch(() => mended);
  }
}
