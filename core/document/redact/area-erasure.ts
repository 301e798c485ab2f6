import { PDFDict, PDFName, PDFRawStream, type PDFRef } from 'pdf-lib';
import {
  type ContentEditor, ContentName, type ContentReader, inverse, boxAround, nameAt, operatorText, type PaintedImage, type PaintedInlineImage, type PaintedPath, type PaintedShading, type PaintedText, type Painting, type Quad,
} from '../content/index.js';
import { inlineImage } from '../images/index.js';
import { asDict, dictOf, entry, resolve, setEntry } from '../objects/index.js';
import type { PageEntry } from '../pages/index.js';
import { movedRegion, type PageRegions, type Region } from './areas.js';
import { holdsAll, overlaps, type Point } from './convex.js';
import { clipAround, cutClip, cutPath } from './cut-path.js';
import { type Erased, Eraser, type Erasure, type Replacement } from './eraser.js';
import { glyphsIn } from './glyphs.js';
import type { ImageRepaints } from './image-repaints.js';
import type { Silencer } from './silencer.js';

/** Soft masks within each other. */
const MAX_MASKS = 8;
/** So many points of an image may stand out of an area that holds it whole. */
const SLACK = 0.01;

/** What removing works with, in one document. */
export interface Removal {
  readonly reader: ContentReader;
  readonly editor: ContentEditor;
  readonly silencer: Silencer;
  readonly images: ImageRepaints;
  /** Graphics states whose soft masks lost something, by where they were set. */
  readonly masks: Map<PDFDict, Map<string, PDFRef | undefined>>;
}

/** What lies in the regions of a page goes. */
export class AreaErasure implements Erasure {
  readonly #masksAround: PDFRawStream[] = [];

  constructor(private readonly removal: Removal, private readonly page: PageEntry, private readonly regions: PageRegions, private readonly erased: Erased) {}

  glyphs(what: PaintedText): ReadonlySet<number> {
    return glyphsIn(what, this.regions);
  }

  path(what: PaintedPath): Replacement {
    return cutPath(what, this.regions.vectors, (opacity) => {
      const state = dictOf(this.removal.reader.context, { Type: PDFName.of('ExtGState') });
      state.set(PDFName.of('ca'), this.removal.reader.context.obj(opacity));
      return operatorText('gs', new ContentName(what.frame.resourceName('ExtGState', state, 'Opacity')));
    });
  }

  clip(what: PaintedPath): Replacement {
    return cutClip(what, this.regions.whole);
  }

  image(what: PaintedImage): Replacement {
    return this.#image(what, () => what.stream);
  }

  inlineImage(what: PaintedInlineImage): Replacement {
    return this.#image(what, () => inlineImage(this.removal.reader.context, what.frame.bytes, what.image, what.frame.resources));
  }

  shading(what: PaintedShading): Replacement {
    const near = this.regions.vectors.near(what.box);
    if (near.length === 0) return undefined;
    const [left, bottom, right, top] = what.box;
    const corners: readonly Point[] = [[left, bottom], [right, bottom], [right, top], [left, top]];
    const around = near.some(({ polygon }) => holdsAll(polygon, corners, SLACK)) ? undefined : clipAround(what, near);
    return around === undefined ? '' : `q\n${around}\n${operatorText('sh', new ContentName(what.name))}\nQ`;
  }

  form(): 'enter' {
    return 'enter';
  }

  /** A soft mask is content as well: what is drawn in it shows in what is painted through it (ISO 32000-1, 11.6.5.3). */
  state({ frame, operator, state: { ctm } }: Painting): Replacement {
    const { reader, masks } = this.removal;
    const { context } = reader;
    const dict = asDict(context, reader.resource(frame, 'ExtGState', nameAt(operator.operands, 0)));
    const mask = dict === undefined ? undefined : resolve(context, entry(dict, 'SMask'));
    const group = mask instanceof PDFDict ? resolve(context, entry(mask, 'G')) : undefined;
    if (dict === undefined || !(mask instanceof PDFDict) || !(group instanceof PDFRawStream)) return undefined;
    const key = ctm.join();
    const known = masks.get(dict) ?? new Map<string, PDFRef | undefined>();
    masks.set(dict, known);
    if (!known.has(key)) known.set(key, this.#maskWithout(dict, mask, group, { frame, ctm }));
    const ref = known.get(key);
    return ref === undefined ? undefined : operatorText('gs', new ContentName(frame.resourceName('ExtGState', ref, 'Masked')));
  }

  #maskWithout(dict: PDFDict, mask: PDFDict, group: PDFRawStream, { frame, ctm }: { readonly frame: Painting['frame']; readonly ctm: Painting['state']['ctm'] }): PDFRef | undefined {
    if (this.#masksAround.includes(group) || this.#masksAround.length === MAX_MASKS) return undefined;
    const { reader, editor, silencer } = this.removal;
    this.#masksAround.push(group);
    const drawn = reader.stream(group, frame.resources, new Eraser(this, silencer, this.page, this.erased).visitor, ctm);
    this.#masksAround.pop();
    const written = editor.copy(drawn, group);
    if (written === undefined) return undefined;
    const { context } = reader;
    const [newMask, newState] = [mask, dict].map((old) => PDFDict.fromMapWithContext(new Map(old.entries()), context)) as [PDFDict, PDFDict];
    setEntry(newMask, 'G', written);
    setEntry(newState, 'SMask', newMask);
    return context.register(newState);
  }

  #image(what: Painting & { readonly quad: Quad }, stream: () => PDFRawStream): Replacement {
    const { quad, frame, state } = what;
    const near = this.regions.images.near(boxAround(quad));
    if (near.length === 0) return undefined;
    const [x0, y0, x1, y1, x2, y2, x3, y3] = quad;
    const corners: readonly Point[] = [[x0, y0], [x1, y1], [x2, y2], [x3, y3]];
    const touching = near.filter(({ polygon }) => overlaps(polygon, corners));
    if (touching.length === 0) return undefined;
    const back = inverse(state.ctm);
    if (back === undefined || touching.some(({ polygon }) => holdsAll(polygon, corners, SLACK))) return '';
    const regions: readonly Region[] = touching.map((region) => movedRegion(region, back));
    const ref = this.removal.images.without(stream(), regions);
    return operatorText('Do', new ContentName(frame.resourceName('XObject', ref, 'Repainted')));
  }
}
