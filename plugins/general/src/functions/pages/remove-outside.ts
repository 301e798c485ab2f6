import {
  besideContent,
  boxAround,
  ContentEditor,
  ContentName,
  ContentReader,
  dropUnusedXObjects,
  glyphQuad,
  intersect,
  inverse,
  isEmpty,
  operatorText,
  type PaintedImage,
  type PaintedInlineImage,
  type PaintedPath,
  type PaintedShading,
  type PaintedText,
  type Painting,
  type Quad,
  quadOf,
} from '@quire/document/content';
import type { Box } from '@quire/document/structure/geometry';
import { blankOutside, embeddedSize, inlineImage } from '@quire/document/images';
import { entry, resolve } from '@quire/document/file/objects';
import type { OpenedPdf } from '@quire/document/file/open';
import { boxOf, type PageEntry } from '@quire/document/structure/pages';
import { dropAnnotationsAndReferences } from '@quire/document/structure/annotations';
import { Eraser, type Erasure, type Replacement, runBox, ReplacementTexts } from '@quire/document/redaction/erasure';
import { type PDFContext, type PDFDict, PDFRawStream, PDFRef } from 'pdf-lib';

export interface RemoveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A box that contains no point. */
const EMPTY_BOX: Box = [Infinity, Infinity, -Infinity, -Infinity];
const WHOLE: Box = [0, 0, 1, 1];

/**
 * Removes content that is completely outside an area of each page, in place: glyphs, paths, images, forms and shadings;
 * annotations with their form fields and tags; and the outside pixels of images that are partly inside. Content hidden
 * by a clip or the crop box counts as outside. Pages without an area lose everything. The document must be rewritten
 * afterwards. Throws the errors of the content reader.
 */
export async function removeOutside(
  { document: { context }, pages }: OpenedPdf,
  areas: ReadonlyMap<PDFDict, Box>,
  { signal, onProgress }: RemoveOptions = {},
): Promise<void> {
  const areaOf = (page: PageEntry): Box => areas.get(page.dict) ?? EMPTY_BOX;
  dropAnnotationsAndReferences(context, pages, ({ dict }, page) =>
    isEmpty(intersect(boxOf(context, entry(dict, 'Rect')) ?? EMPTY_BOX, areaOf(page))),
  );
  const images = new SeenImages(context);
  const replacementTexts = new ReplacementTexts(context);
  const reader = new ContentReader(context);
  const editor = new ContentEditor(reader);
  for (const [i, page] of pages.entries()) {
    signal?.throwIfAborted();
    const eraser = new Eraser(new OutsideErasure(context, areaOf(page), images), replacementTexts, page);
    editor.commit(page, reader.page(page, eraser.visitor));
    onProgress?.(i + 1, pages.length);
  }
  editor.finish(pages);
  replacementTexts.finish();
  const beside = besideContent(context, pages);
  dropUnusedXObjects(context, pages, beside);
  for (const [stream, { ref, share }] of images.shares) {
    signal?.throwIfAborted();
    if (beside.has(stream)) continue;
    const blanked = await blank(context, stream, share);
    if (blanked !== undefined) context.assign(ref, blanked);
  }
}

/** Pixels that are only partly inside stay, plus one more on each side, because viewers interpolate between pixels. */
async function blank(
  context: PDFContext,
  image: PDFRawStream,
  [left, bottom, right, top]: Box,
): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  const area = {
    left: Math.max(0, Math.floor(left * width) - 1),
    right: Math.min(width, Math.ceil(right * width) + 1),
    top: Math.max(0, Math.floor((1 - top) * height) - 1),
    bottom: Math.min(height, Math.ceil((1 - bottom) * height) + 1),
  };
  if (area.left === 0 && area.top === 0 && area.right === width && area.bottom === height) return undefined;
  return blankOutside(context, image, area);
}

/** The visible parts of images, in their unit squares, over all places where they are drawn. */
class SeenImages {
  readonly shares = new Map<PDFRawStream, { readonly ref: PDFRef; readonly share: Box }>();

  constructor(private readonly context: PDFContext) {}

  note(ref: PDFRef | undefined, share: Box): void {
    const stream = resolve(this.context, ref);
    if (ref === undefined || !(stream instanceof PDFRawStream)) return;
    const known = this.shares.get(stream)?.share;
    this.shares.set(stream, {
      ref,
      share:
        known === undefined
          ? share
          : [
              Math.min(known[0], share[0]),
              Math.min(known[1], share[1]),
              Math.max(known[2], share[2]),
              Math.max(known[3], share[3]),
            ],
    });
  }
}

/** Removes content that is not visible in an area. */
class OutsideErasure implements Erasure {
  constructor(
    private readonly context: PDFContext,
    private readonly area: Box,
    private readonly images: SeenImages,
  ) {}

  glyphs(what: PaintedText): ReadonlySet<number> | 'all' {
    return goneGlyphs(what, intersect(what.state.clip, this.area));
  }

  path(what: PaintedPath): Replacement {
    const [left, bottom, right, top] = what.box;
    return this.#isSeen(what, [left - what.reach, bottom - what.reach, right + what.reach, top + what.reach])
      ? undefined
      : '';
  }

  image(what: PaintedImage): Replacement {
    if (!this.#isSeen(what, boxAround(what.quad))) return '';
    const share = this.#shareOf(what);
    this.images.note(what.ref, share);
    for (const key of ['SMask', 'Mask']) {
      const mask = entry(what.stream.dict, key);
      if (mask instanceof PDFRef) this.images.note(mask, share);
    }
    return undefined;
  }

  inlineImage(what: PaintedInlineImage): Replacement {
    if (!this.#isSeen(what, boxAround(what.quad))) return '';
    const share = this.#shareOf(what);
    if (share.every((edge, i) => edge === WHOLE[i])) return undefined;
    const ref = this.context.register(inlineImage(this.context, what.frame.bytes, what.image, what.frame.resources));
    this.images.note(ref, share);
    return operatorText('Do', new ContentName(what.frame.resourceName('XObject', ref, 'Inline')));
  }

  shading(what: PaintedShading): Replacement {
    return this.#isSeen(what, what.box) ? undefined : '';
  }

  form(what: Painting & { readonly quad: Quad }): 'enter' | 'remove' {
    return this.#isSeen(what, boxAround(what.quad)) ? 'enter' : 'remove';
  }

  #isSeen({ state }: Painting, box: Box): boolean {
    return !isEmpty(intersect(intersect(box, state.clip), this.area));
  }

  /** The visible part of an image's unit square, as a box. */
  #shareOf({ state: { ctm, clip } }: Painting): Box {
    const back = inverse(ctm);
    return back === undefined ? WHOLE : intersect(WHOLE, boxAround(quadOf(back, intersect(clip, this.area))));
  }
}

/** The glyphs of a run that are not visible. Most runs are completely inside or outside. */
function goneGlyphs(what: PaintedText, seen: Box): ReadonlySet<number> | 'all' {
  const run = runBox(what);
  if (run !== undefined) {
    const common = intersect(run, seen);
    if (isEmpty(common)) return 'all';
    if (common.every((value, i) => value === run[i])) return new Set();
  }
  return new Set(
    what.glyphs.flatMap((glyph, index) => (isEmpty(intersect(boxAround(glyphQuad(what, glyph)), seen)) ? [index] : [])),
  );
}
