import { createHash } from 'node:crypto';
import { PDFArray, type PDFContext, PDFDict, PDFName, type PDFObject, PDFRawStream, PDFRef, PDFStream } from 'pdf-lib';
import { asName, entry, resolve } from '../objects/index.js';
import { grayPalette } from './gray-palette.js';
import { type ImagePlan, shrinkImage } from './shrink-image.js';

const matte = PDFName.of('Matte');
/** Two at a time keep two cores busy; each holds one decoded picture. */
const AT_ONCE = 2;

/**
 * Codes the images of a document anew by the plan, in place; identical images become one object first.
 * Gives how many were replaced. Soft masks that must match their image pixel by pixel (/Matte) keep both as they are.
 */
export async function compressImages(context: PDFContext, plan: ImagePlan, progress: (done: number, total: number) => void = () => undefined): Promise<number> {
  const images = joinIdentical(context, findImages(context));
  let replaced = 0;
  let done = 0;
  const waiting = images[Symbol.iterator]();
  const work = async (): Promise<void> => {
    for (const [ref, image] of waiting) {
      const smaller = (plan.grayscale ? grayPalette(context, image) : undefined) ?? (await shrinkImage(context, image, plan).catch(() => undefined));
      if (smaller !== undefined) {
        context.assign(ref, smaller);
        replaced++;
      }
      progress(++done, images.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
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
  // A mask is samples of opacity, not a picture: it stays as it is.
  return images.filter(([, image]) => !softMasks.has(image));
}

/** Makes every reference to a copy of an image point at the first of them; gives the images that are left. */
function joinIdentical(context: PDFContext, images: readonly [PDFRef, PDFRawStream][]): [PDFRef, PDFRawStream][] {
  const first = new Map<string, PDFRef>();
  const moved = new Map<PDFRef, PDFRef>();
  const left: [PDFRef, PDFRawStream][] = [];
  for (const [ref, image] of images) {
    const key = createHash('sha256').update(image.dict.toString()).update(image.contents).digest('base64');
    const known = first.get(key);
    if (known !== undefined) {
      moved.set(ref, known);
      continue;
    }
    first.set(key, ref);
    left.push([ref, image]);
  }
  if (moved.size > 0) for (const [, object] of context.enumerateIndirectObjects()) redirect(object, moved);
  for (const ref of moved.keys()) context.delete(ref);
  return left;
}

function redirect(object: PDFObject, moved: ReadonlyMap<PDFRef, PDFRef>): void {
  const waiting: PDFObject[] = [object];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next instanceof PDFStream) next = next.dict;
    if (next instanceof PDFDict) {
      for (const [key, value] of next.entries()) {
        if (value instanceof PDFRef) next.set(key, moved.get(value) ?? value);
        else if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      }
    } else if (next instanceof PDFArray) {
      for (let i = 0; i < next.size(); i++) {
        const value = next.get(i);
        if (value instanceof PDFRef) next.set(i, moved.get(value) ?? value);
        else if (value instanceof PDFDict || value instanceof PDFArray) waiting.push(value);
      }
    }
  }
}
