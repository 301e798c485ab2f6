import {
  besideContent, boxAround, type ContentDict, ContentEditor, ContentName, ContentReader, type ContentVisitor, dropUnusedXObjects, type Frame, type Insertion, glyphQuad, intersect, inverse, isEmpty, type MarkedContent, type Operand,
  operatorText, type PaintedText, type Painting, type Quad, quadOf, rewriteShow,
} from '@quire/document/content';
import type { Box } from '@quire/document/geometry';
import { blankOutside, embeddedSize, inlineImage } from '@quire/document/images';
import { asNumber, entry, resolve } from '@quire/document/objects';
import type { OpenedPdf } from '@quire/document/open';
import { boxOf, type PageEntry } from '@quire/document/pages';
import { dropAnnotationsWhole, silenceStructure } from '@quire/document/parts';
import { type PDFContext, PDFDict, PDFRawStream, PDFRef } from 'pdf-lib';

/** How to remove. */
export interface RemoveOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** A box that lies outside of everything. */
const NOWHERE: Box = [Infinity, Infinity, -Infinity, -Infinity];
const NONE: ReadonlyMap<number, readonly Insertion[]> = new Map();
const WHOLE: Box = [0, 0, 1, 1];
/** Texts of marked content that stand for what it holds (ISO 32000-1, 14.9). */
const SPEAKING = ['ActualText', 'Alt', 'E'] as const;

/**
 * Removes from pages what lies wholly outside an area of each, in place: glyphs, paths, images, forms and shadings leave the content,
 * annotations go with their fields and tags, of images that lie in it partly no pixel outside is left. What a clip or the crop box hides anyway
 * counts as outside. Pages without an area lose everything. The document must be rewritten afterwards. Errors: those of the content reader.
 */
export async function removeOutside({ document: { context }, pages }: OpenedPdf, areas: ReadonlyMap<PDFDict, Box>, { signal, onProgress }: RemoveOptions = {}): Promise<void> {
  const areaOf = (page: PageEntry): Box => areas.get(page.dict) ?? NOWHERE;
  dropAnnotationsWhole(context, pages, ({ dict }, page) => isEmpty(intersect(boxOf(context, entry(dict, 'Rect')) ?? NOWHERE, areaOf(page))));
  const removal = new Removal(context);
  const reader = new ContentReader(context);
  const editor = new ContentEditor(reader);
  for (const [i, page] of pages.entries()) {
    signal?.throwIfAborted();
    editor.commit(page, removal.page(reader, page, areaOf(page)));
    onProgress?.(i + 1, pages.length);
  }
  editor.finish(pages);
  silenceStructure(context, removal.touched);
  const beside = besideContent(context, pages);
  dropUnusedXObjects(context, pages, beside);
  for (const [stream, { ref, share }] of removal.images) {
    signal?.throwIfAborted();
    if (beside.has(stream)) continue;
    const blanked = await blank(context, stream, share);
    if (blanked !== undefined) context.assign(ref, blanked);
  }
}

/** Pixels that lie in the share only partly stay; one more at each side, because viewers mix neighbours. */
async function blank(context: PDFContext, image: PDFRawStream, [left, bottom, right, top]: Box): Promise<PDFRawStream | undefined> {
  const { width, height } = embeddedSize(context, image);
  const area = {
    left: Math.max(0, Math.floor(left * width) - 1), right: Math.min(width, Math.ceil(right * width) + 1),
    top: Math.max(0, Math.floor((1 - top) * height) - 1), bottom: Math.min(height, Math.ceil((1 - bottom) * height) + 1),
  };
  if (area.left === 0 && area.top === 0 && area.right === width && area.bottom === height) return undefined;
  return blankOutside(context, image, area);
}

/** What is seen of an image: of its unit square, in all places where it is drawn. */
interface SeenImage {
  readonly ref: PDFRef;
  readonly share: Box;
}

/** Walks pages and notes what goes. */
class Removal {
  readonly images = new Map<PDFRawStream, SeenImage>();
  /** Numbers of marked content of which something went, by the key of the parent tree. */
  readonly touched = new Map<number, Set<number>>();

  constructor(private readonly context: PDFContext) {}

  page(reader: ContentReader, page: PageEntry, area: Box): Frame {
    const walk = new PageRemoval(this.context, area, this.images);
    const frame = reader.page(page, walk.visitor);
    walk.close();
    for (const [owner, numbers] of walk.touched) {
      const key = asNumber(this.context, entry(owner ?? page.dict, 'StructParents'));
      if (key === undefined) continue;
      const known = this.touched.get(key) ?? new Set<number>();
      for (const number of numbers) known.add(number);
      this.touched.set(key, known);
    }
    return frame;
  }
}

/** The walk over one page. */
class PageRemoval {
  /** By the form whose content it is, undefined for the page's own. */
  readonly touched = new Map<PDFDict | undefined, Set<number>>();
  readonly #silenced = new Set<MarkedContent>();
  /** Where the last operator began in each frame that does not build a path. */
  readonly #last = new Map<Frame, number>();
  #clipText: { readonly kept: boolean } | undefined;

  readonly visitor: ContentVisitor = {
    operator: (what) => this.#operator(what),
    text: (what) => {
      const seen = intersect(what.state.clip, this.area);
      const gone = goneGlyphs(what, seen);
      if (what.state.text.mode >= 4) this.#clipText = { kept: this.#clipText?.kept === true || (gone !== 'all' && gone.size < what.glyphs.length) };
      if (gone === 'all') return this.#replace(what, what.operator, movedPen(what));
      if (gone.size > 0) this.#replace(what, what.operator, rewriteShow(what, { removed: gone, before: NONE, after: NONE }).content);
    },
    path: (what) => {
      const [left, bottom, right, top] = what.box;
      const reached: Box = [left - what.reach, bottom - what.reach, right + what.reach, top + what.reach];
      if (this.#isSeen(what, reached)) return;
      const whole = !what.clips && (this.#last.get(what.frame) ?? -1) < what.start;
      this.#replace(what, whole ? { start: what.start, end: what.operator.end } : what.operator, whole ? '' : 'n');
    },
    image: (what) => {
      if (!this.#isSeen(what, boxAround(what.quad))) return this.#replace(what, what.operator, '');
      const share = this.#shareOf(what);
      this.#note(what.ref, share);
      for (const key of ['SMask', 'Mask']) {
        const mask = entry(what.stream.dict, key);
        if (mask instanceof PDFRef) this.#note(mask, share);
      }
    },
    inlineImage: (what) => {
      if (!this.#isSeen(what, boxAround(what.quad))) return this.#replace(what, what.operator, '');
      const share = this.#shareOf(what);
      if (share.every((edge, i) => edge === WHOLE[i])) return;
      const ref = this.context.register(inlineImage(this.context, what.frame.bytes, what.image, what.frame.resources));
      this.#replace(what, what.operator, operatorText('Do', new ContentName(what.frame.resourceName('XObject', ref, 'Inline'))));
      this.#note(ref, share);
    },
    shading: (what) => {
      if (!this.#isSeen(what, what.box)) this.#replace(what, what.operator, '');
    },
    form: (_inner, what) => {
      if (this.#isSeen(what, boxAround(what.quad))) return true;
      this.#replace(what, what.operator, '');
      return false;
    },
  };

  constructor(private readonly context: PDFContext, private readonly area: Box, private readonly images: Map<PDFRawStream, SeenImage>) {}

  /** Rewrites what speaks of content that went. */
  close(): void {
    for (const marked of this.#silenced) marked.frame.replace(marked.operator, this.#silent(marked));
  }

  #isSeen({ state }: Painting, box: Box): boolean {
    return !isEmpty(intersect(intersect(box, state.clip), this.area));
  }

  /** How much of an image's unit square is seen, as a box. */
  #shareOf({ state: { ctm, clip } }: Painting): Box {
    const back = inverse(ctm);
    return back === undefined ? WHOLE : intersect(WHOLE, boxAround(quadOf(back, intersect(clip, this.area))));
  }

  #operator({ frame, operator }: Painting): void {
    const { name } = operator;
    if (!PATH_OPERATORS.has(name)) this.#last.set(frame, operator.start);
    if (name === 'BT') this.#clipText = undefined;
    // Text that was to be the clip and is gone clips everything away (ISO 32000-1, 9.3.6).
    if (name === 'ET' && this.#clipText?.kept === false) frame.replace(operator, 'ET 0 0 0 0 re W n');
    if (name === 'ET') this.#clipText = undefined;
  }

  #replace({ frame, marked }: Painting, stretch: { readonly start: number; readonly end: number }, put: string): void {
    frame.replace(stretch, put);
    for (let at = marked; at !== undefined; at = at.above) {
      const { properties } = at;
      if (properties === undefined) continue;
      const number = this.#numberIn(properties);
      if (number !== undefined) {
        const owner = at.frame.use?.stream.dict;
        const known = this.touched.get(owner);
        if (known === undefined) this.touched.set(owner, new Set([number]));
        else known.add(number);
      }
      if (SPEAKING.some((key) => (properties instanceof PDFDict ? entry(properties, key) !== undefined : properties.has(key)))) this.#silenced.add(at);
    }
  }

  #numberIn(properties: ContentDict | PDFDict): number | undefined {
    const value = properties instanceof PDFDict ? asNumber(this.context, entry(properties, 'MCID')) : properties.get('MCID');
    return typeof value === 'number' ? value : undefined;
  }

  /** The operator without the texts; of a property list of the resources only the number is needed then. */
  #silent({ tag, properties }: MarkedContent): string {
    const kept = new Map<string, Operand>();
    if (properties instanceof PDFDict) {
      const number = this.#numberIn(properties);
      if (number !== undefined) kept.set('MCID', number);
    } else {
      for (const [key, value] of properties ?? []) if (!(SPEAKING as readonly string[]).includes(key)) kept.set(key, value);
    }
    return operatorText('BDC', new ContentName(tag), kept);
  }

  #note(ref: PDFRef | undefined, share: Box): void {
    const stream = resolve(this.context, ref);
    if (ref === undefined || !(stream instanceof PDFRawStream)) return;
    const known = this.images.get(stream)?.share;
    this.images.set(stream, { ref, share: known === undefined ? share : [Math.min(known[0], share[0]), Math.min(known[1], share[1]), Math.max(known[2], share[2]), Math.max(known[3], share[3])] });
  }
}

/** The glyphs of a run that lie outside of what is seen. Most runs lie in it or outside as a whole. */
function goneGlyphs(what: PaintedText, seen: Box): ReadonlyMap<number, 'hold'> | 'all' {
  const { glyphs, font } = what;
  const [first, last] = [glyphs[0], glyphs.at(-1)];
  if (first === undefined || last === undefined) return new Map();
  const isOrdered = !font.vertical && glyphs.every(({ at, width }, i) => width >= 0 && at >= (glyphs[i - 1]?.at ?? -Infinity));
  if (isOrdered) {
    // In a row, each glyph lies between the outer two, but for those that are wider than their way to the next.
    const widest = glyphs.reduce((most, glyph) => (glyph.width > most.width ? glyph : most), first);
    const run = boxAround([...glyphQuad(what, first).slice(0, 2), ...glyphQuad(what, { ...last, width: widest.width }).slice(2, 6), ...glyphQuad(what, first).slice(6)] as unknown as Quad);
    const common = intersect(run, seen);
    if (isEmpty(common) && (what.operator.name === 'Tj' || what.operator.name === 'TJ')) return 'all';
    if (common.every((value, i) => value === run[i])) return new Map();
  }
  return new Map(glyphs.flatMap((glyph, index) => (isEmpty(intersect(boxAround(glyphQuad(what, glyph)), seen)) ? [[index, 'hold'] as const] : [])));
}

/** What stands for a Tj or TJ of which nothing is left: the pen goes on from where it would be. */
function movedPen({ moved, state: { text: { size, scale } } }: PaintedText): string {
  const unit = (size / 1000) * scale;
  return unit === 0 || moved === 0 ? '' : operatorText('TJ', [Math.round((-moved / unit) * 1000) / 1000]);
}

/** Construction, clipping and painting of paths (ISO 32000-1, tables 59 to 61). */
const PATH_OPERATORS: ReadonlySet<string> = new Set(['m', 'l', 'c', 'v', 'y', 'h', 're', 'W', 'W*', 'n', 'f', 'F', 'f*', 'S', 's', 'B', 'B*', 'b', 'b*']);
