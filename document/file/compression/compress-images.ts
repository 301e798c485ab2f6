import { type PDFContext, PDFName, type PDFObject, PDFRawStream, type PDFRef, PDFStream } from 'pdf-lib';
import { asName, entry, resolve } from '../objects/index.js';
import { grayPalette } from './gray-palette.js';
import { joinIdentical } from './join-identical.js';
import { type ImagePlan, shrinkImage } from './shrink-image.js';

const matte = PDFName.of('Matte');
/** Two at a time keep two cores busy; each holds one decoded image. */
const CONCURRENCY = 2;

/**
 * Recompresses the images of a document by the plan, in place; identical images are joined first. Returns how many were
 * replaced. Images with a soft mask that must match pixel by pixel (/Matte) stay unchanged, and so do the masks.
 */
export async function compressImages(
  context: PDFContext,
  plan: ImagePlan,
  progress: (done: number, total: number) => void = () => undefined,
): Promise<number> {
  const images = joinIdentical(context, findImages(context));
  let replaced = 0;
  let done = 0;
  const waiting = images[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const [ref, image] of waiting) {
      const smaller =
        (plan.grayscale ? grayPalette(context, image) : undefined) ??
        (await shrinkImage(context, image, plan).catch(() => undefined));
      if (smaller !== undefined) {
        context.assign(ref, smaller);
        replaced++;
      }
      progress(++done, images.length);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return replaced;
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
