import { type PDFContext, PDFName, type PDFObject, PDFRawStream, type PDFRef, PDFStream } from 'pdf-lib';
import { asName, entry, resolve } from '../objects/index.js';
import { grayPalette } from './gray-palette.js';
import { hasTransferFunctions } from './colour.js';
import { joinIdentical } from './join-identical.js';
import { ScanSeparator } from './separate-scans.js';
import { type ImagePlan, shrinkSource, sourceFor } from './shrink-image.js';

const matte = PDFName.of('Matte');
/** Two at a time keep two cores busy; each holds one decoded image. */
const CONCURRENCY = 2;

/** What became of the images of a document. */
export interface CompressedImages {
  readonly replaced: number;
  /** How many of them are forms of several layers now, which need PDF 1.4. */
  readonly separated: number;
}

/**
 * Recompresses the images of a document by the plan, in place; identical images are joined first. Scans of text become
 * forms of several layers at the levels that do this, where that is smaller. In a document with transfer functions all
 * images keep their samples unless colours are to be changed. Images with a soft mask that must match
 * pixel by pixel (/Matte) stay unchanged, and so do the masks.
 */
export async function compressImages(
  context: PDFContext,
  plan: ImagePlan,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<CompressedImages> {
  const images = joinIdentical(context, findImages(context));
  if (!plan.grayscale && plan.lineArt === undefined && hasTransferFunctions(context))
    return { replaced: 0, separated: 0 };
  const scans = new ScanSeparator(context, plan);
  let [replaced, separated, done] = [0, 0, 0];
  const waiting = images[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const [ref, image] of waiting) {
      const source = await sourceFor(context, image, plan).catch(() => undefined);
      const smaller =
        (plan.grayscale ? grayPalette(context, image) : undefined) ??
        (source && (await shrinkSource(context, image, source, plan).catch(() => undefined)));
      const most = Math.min(image.contents.length, smaller?.contents.length ?? Infinity);
      const form = await scans.formOf(ref, image, source, most).catch(() => undefined);
      const better = form ?? smaller;
      if (better !== undefined) {
        context.assign(ref, better);
        replaced++;
      }
      if (form !== undefined) separated++;
      progress(++done, images.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { replaced, separated };
}

function findImages(context: PDFContext): [PDFRef, PDFRawStream][] {
  const images: [PDFRef, PDFRawStream][] = [];
  const softMasks = new Set<PDFObject>();
  for (const [ref, object] of context.enumerateIndirectObjects()) {
    if (!(object instanceof PDFRawStream) || asName(context, entry(object.dict, 'Subtype')) !== 'Image') continue;
    const mask = resolve(context, entry(object.dict, 'SMask'));
    if (mask instanceof PDFStream) {
      softMasks.add(mask);
      if (mask.dict.has(matte)) continue;
    }
    images.push([ref, object]);
  }
  // A soft mask holds opacity, not colours: it stays unchanged.
  return images.filter(([, image]) => !softMasks.has(image));
}
