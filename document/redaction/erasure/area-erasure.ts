import { PDFDict, PDFName, PDFNumber, PDFRawStream, type PDFRef } from 'pdf-lib';
import {
  type Box,
  boxAround,
  type ContentColour,
  type ContentEditor,
  ContentName,
  type ContentReader,
  intersect,
  inverse,
  isEmpty,
  multiply,
  nameAt,
  operatorText,
  type PaintedImage,
  type PaintedInlineImage,
  type PaintedPath,
  type PaintedShading,
  type PaintedText,
  type Painting,
  type Quad,
} from '../../content/index.js';
import { inlineImage } from '../../images/index.js';
import { asDict, dictOf, entry, resolve, setEntry } from '../../file/objects/index.js';
import type { PageEntry } from '../../structure/pages/index.js';
import { movedRegion, type PageRegions, type Region } from './areas.js';
import { containsAll, overlaps, type Point } from './convex.js';
import { clipAround, cutClip, cutPath } from './cut-path.js';
import { type Erased, Eraser, type Erasure, nothingErased, type Replacement } from './eraser.js';
import { glyphsIn } from './glyphs.js';
import type { ImageRepaints } from './image-repaints.js';
import { PatternUses } from './pattern-uses.js';
import { tileForm, tileMatrix, tilesIn, tilingOf, underlyingColour } from './pattern-tiles.js';
import type { ReplacementTexts } from './replacement-texts.js';

/** Deepest nesting of soft masks and patterns. */
const MAX_AROUND = 8;
/** Most tiles of one painting that are inspected one by one; in a finer pattern each part is also visible elsewhere. */
const MAX_TILES = 256;
const FEW_TILES = 4;
/** In points. An image counts as completely inside an area if it extends out of it by no more than this. */
const SLACK = 0.01;

/** Shared state of one removal in one document. */
export interface Removal {
  readonly reader: ContentReader;
  readonly editor: ContentEditor;
  readonly replacementTexts: ReplacementTexts;
  readonly images: ImageRepaints;
  /** Graphics states whose soft masks changed, by their original dictionary and the place where they were set. */
  readonly masks: Map<PDFDict, Map<string, PDFRef | undefined>>;
  /** Images of which at least one drawing was removed or changed. */
  readonly left: Set<PDFRawStream>;
}

/** Removes whatever is inside the regions of a page. */
export class AreaErasure implements Erasure {
  /** Soft masks and patterns that are currently processed. */
  readonly #around: PDFRawStream[] = [];
  readonly #patterns = new PatternUses();

  constructor(
    private readonly removal: Removal,
    private readonly page: PageEntry,
    private readonly regions: PageRegions,
    private readonly erased: Erased,
  ) {}

  glyphs(what: PaintedText): ReadonlySet<number> {
    const gone = glyphsIn(what, this.regions);
    this.#patterns.painted(what, gone.size < what.glyphs.length);
    return gone;
  }

  path(what: PaintedPath): Replacement {
    const { frame, state, box, reach } = what;
    const {
      reader: { context },
    } = this.removal;
    const seen = intersect([box[0] - reach, box[1] - reach, box[2] + reach, box[3] + reach], state.clip);
    let isTiled = false;
    const put = cutPath(what, this.regions.vectors, {
      opacity: (value) =>
        operatorText(
          'gs',
          new ContentName(
            frame.resourceName(
              'ExtGState',
              dictOf(context, { Type: PDFName.of('ExtGState'), ca: PDFNumber.of(value) }),
              'Opacity',
            ),
          ),
        ),
      tiles: (colour) => {
        const tiles = colour.pattern === undefined || isEmpty(seen) ? undefined : this.#tiles(what, colour, seen);
        isTiled ||= tiles !== undefined;
        return tiles;
      },
    });
    this.#patterns.painted(what, put === undefined || (put !== '' && !isTiled));
    return put;
  }

  clip(what: PaintedPath): Replacement {
    return cutClip(what, this.regions.whole);
  }

  image(what: PaintedImage): Replacement {
    const put = this.#image(what, () => what.stream);
    if (put !== undefined) this.removal.left.add(what.stream);
    return put;
  }

  inlineImage(what: PaintedInlineImage): Replacement {
    return this.#image(what, () =>
      inlineImage(this.removal.reader.context, what.frame.bytes, what.image, what.frame.resources),
    );
  }

  shading(what: PaintedShading): Replacement {
    const near = this.regions.vectors.near(what.box);
    if (near.length === 0) return undefined;
    const [left, bottom, right, top] = what.box;
    const corners: readonly Point[] = [
      [left, bottom],
      [right, bottom],
      [right, top],
      [left, top],
    ];
    const around = near.some(({ polygon }) => containsAll(polygon, corners, SLACK))
      ? undefined
      : clipAround(what, near);
    return around === undefined ? '' : `q\n${around}\n${operatorText('sh', new ContentName(what.name))}\nQ`;
  }

  form(what: Painting): 'enter' {
    // A form paints with the current colours unless it sets its own.
    this.#patterns.painted(what, true);
    return 'enter';
  }

  /** After the walk: removes the operators that set patterns which are no longer painted with. */
  close(): void {
    this.#patterns.close();
  }

  /** A soft mask is content too: what it draws is visible in what is painted through it (ISO 32000-1, 11.6.5.3). */
  state(what: Painting): Replacement {
    const {
      frame,
      operator,
      state: { ctm },
    } = what;
    if (operator.name !== 'gs') {
      this.#patterns.set(what);
      return undefined;
    }
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
    return ref === undefined
      ? undefined
      : operatorText('gs', new ContentName(frame.resourceName('ExtGState', ref, 'Masked')));
  }

  #maskWithout(
    dict: PDFDict,
    mask: PDFDict,
    group: PDFRawStream,
    { frame, ctm }: { readonly frame: Painting['frame']; readonly ctm: Painting['state']['ctm'] },
  ): PDFRef | undefined {
    if (this.#around.includes(group) || this.#around.length === MAX_AROUND) return undefined;
    const { reader, editor, replacementTexts } = this.removal;
    this.#around.push(group);
    const drawn = reader.stream(
      group,
      frame.resources,
      new Eraser(this, replacementTexts, this.page, this.erased).visitor,
      ctm,
    );
    this.#around.pop();
    const written = editor.copy(drawn, group);
    if (written === undefined) return undefined;
    const { context } = reader;
    const [newMask, newState] = [mask, dict].map((old) =>
      PDFDict.fromMapWithContext(new Map(old.entries()), context),
    ) as [PDFDict, PDFDict];
    setEntry(newMask, 'G', written);
    setEntry(newState, 'SMask', newMask);
    return context.register(newState);
  }

  /** Draws the tiles of a pattern one by one if only some of them change: each without the parts inside a region. */
  #tiles({ frame, state }: PaintedPath, colour: ContentColour, seen: Box): string | undefined {
    const { text, matches, images, vectors } = this.regions;
    const { reader, editor, replacementTexts } = this.removal;
    const tiling = [text, matches, images, vectors].some((index) => index.near(seen).length > 0)
      ? tilingOf(reader, frame, colour)
      : undefined;
    const places = tiling === undefined ? undefined : tilesIn(tiling, seen, MAX_TILES);
    const [own, back] = [
      tiling === undefined ? undefined : inverse(reader.matrix(tiling.stream.dict)),
      inverse(state.ctm),
    ];
    if (
      tiling === undefined ||
      places === undefined ||
      own === undefined ||
      back === undefined ||
      this.#around.includes(tiling.stream) ||
      this.#around.length === MAX_AROUND
    )
      return undefined;
    const tint = tiling.isUncoloured ? underlyingColour(reader, frame, colour) : '';
    if (tint === undefined) return undefined;
    const gone = nothingErased();
    // A tile is painted as a group, whatever graphics states its content sets (ISO 32000-1, 11.6.7).
    const isPiece = state.fillAlpha < 1 || state.strokeAlpha < 1;
    let whole: PDFRef | undefined;
    let isChanged = false;
    this.#around.push(tiling.stream);
    const drawn = places.map((place) => {
      const matrix = tileMatrix(tiling, place);
      const cell = reader.stream(
        tiling.stream,
        frame.resources,
        new Eraser(this, replacementTexts, this.page, gone).visitor,
        multiply(own, matrix),
      );
      const copy = resolve(reader.context, editor.copy(cell, tiling.stream));
      isChanged ||= copy !== undefined;
      const form =
        copy instanceof PDFRawStream
          ? tileForm(reader.context, copy, isPiece)
          : (whole ??= tileForm(reader.context, tiling.stream, isPiece));
      return { matrix: multiply(matrix, back), form };
    });
    this.#around.pop();
    // Lines that extend over many tiles are cut along with the path: no single tile shows a part of them.
    if (!isChanged || (places.length > FEW_TILES && gone.glyphs === 0 && gone.images === 0)) return undefined;
    for (const key of Object.keys(gone) as (keyof Erased)[]) this.erased[key] += gone[key];
    return [
      tint,
      ...drawn.flatMap(({ matrix, form }) => [
        'q',
        operatorText('cm', ...matrix),
        operatorText('Do', new ContentName(frame.resourceName('XObject', form, 'Tile'))),
        'Q',
      ]),
    ].join('\n');
  }

  #image(what: Painting & { readonly quad: Quad }, stream: () => PDFRawStream): Replacement {
    const { quad, frame, state } = what;
    const near = this.regions.images.near(boxAround(quad));
    this.#patterns.painted(what, true);
    if (near.length === 0) return undefined;
    const [x0, y0, x1, y1, x2, y2, x3, y3] = quad;
    const corners: readonly Point[] = [
      [x0, y0],
      [x1, y1],
      [x2, y2],
      [x3, y3],
    ];
    const touching = near.filter(({ polygon }) => overlaps(polygon, corners));
    if (touching.length === 0) return undefined;
    const back = inverse(state.ctm);
    if (back === undefined || touching.some(({ polygon }) => containsAll(polygon, corners, SLACK))) return '';
    const regions: readonly Region[] = touching.map((region) => movedRegion(region, back));
    const ref = this.removal.images.without(stream(), regions);
    return operatorText('Do', new ContentName(frame.resourceName('XObject', ref, 'Repainted')));
  }
}
