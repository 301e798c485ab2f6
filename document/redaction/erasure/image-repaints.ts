import { type PDFContext, PDFDict, PDFName, PDFNumber, PDFRawStream, type PDFRef } from 'pdf-lib';
import { arrayOf, dictOf, entry, resolve, setEntry } from '../../file/objects/index.js';
import { blankPolygons, embeddedSize, type Repaint } from '../../images/index.js';
import type { Region } from './areas.js';
import { type Convex, hullOf, widened } from './convex.js';

/** In pixels. Viewers interpolate between neighbouring pixels, so this margin is repainted too. */
const MARGIN = 1;

/** An image with the regions to repaint in one drawing of it. */
interface Repainting {
  readonly image: PDFRawStream;
  readonly ref: PDFRef;
  /** In the image's unit square. */
  readonly regions: readonly Region[];
}

/**
 * Collects images that are partly repainted. Each drawing of an image gets its own copy; drawings with the same regions
 * share one. References are assigned during the walk and the copies are created afterwards, because decoding is slow.
 */
export class ImageRepaints {
  readonly #waiting: Repainting[] = [];
  readonly #known = new Map<PDFRawStream, Map<string, PDFRef>>();
  readonly #masks = new Map<PDFRawStream, Map<string, PDFRef | undefined>>();

  constructor(private readonly context: PDFContext) {}

  /** Returns the reference of the copy without these regions. */
  without(image: PDFRawStream, regions: readonly Region[]): PDFRef {
    const key = keyOf(regions);
    const known = this.#known.get(image) ?? new Map<string, PDFRef>();
    this.#known.set(image, known);
    const made = known.get(key);
    if (made !== undefined) return made;
    const ref = this.context.nextRef();
    known.set(key, ref);
    this.#waiting.push({ image, ref, regions });
    return ref;
  }

  /** Creates the copies. An image that cannot be decoded is replaced by an empty form. Throws IMAGE_TOO_LARGE. */
  async make(signal: AbortSignal | undefined): Promise<void> {
    for (const { image, ref, regions } of this.#waiting.splice(0)) {
      signal?.throwIfAborted();
      this.context.assign(ref, (await this.#repainted(image, regions)) ?? nothing(this.context));
    }
  }

  async #repainted(image: PDFRawStream, regions: readonly Region[]): Promise<PDFRawStream | undefined> {
    const { context } = this;
    const isStencil = resolve(context, entry(image.dict, 'ImageMask'))?.toString() === 'true';
    let left: PDFRawStream | undefined = image;
    for (const [colour, polygons] of byColour(regions, isStencil)) left &&= await this.#blank(left, polygons, colour);
    if (left === undefined) return undefined;
    const dict = PDFDict.fromMapWithContext(new Map(left.dict.entries()), context);
    // A mask reveals shapes as images do; it becomes opaque in the repainted regions.
    for (const [key, repaint] of [
      ['SMask', [1, 1, 1]],
      ['Mask', 'painted'],
    ] as const) {
      const mask = resolve(context, entry(image.dict, key));
      if (!(mask instanceof PDFRawStream)) continue;
      const ref = await this.#mask(mask, regions, repaint);
      if (ref === undefined) return undefined;
      setEntry(dict, key, ref);
    }
    return PDFRawStream.of(dict, left.contents);
  }

  async #mask(mask: PDFRawStream, regions: readonly Region[], repaint: Repaint): Promise<PDFRef | undefined> {
    const known = this.#masks.get(mask) ?? new Map<string, PDFRef | undefined>();
    this.#masks.set(mask, known);
    const key = keyOf(regions);
    if (known.has(key)) return known.get(key);
    const blanked = await this.#blank(
      mask,
      regions.map(({ polygon }) => polygon),
      repaint,
    );
    const ref = blanked === undefined ? undefined : this.context.register(blanked);
    known.set(key, ref);
    return ref;
  }

  #blank(image: PDFRawStream, polygons: readonly Convex[], repaint: Repaint): Promise<PDFRawStream | undefined> {
    const { width, height } = embeddedSize(this.context, image);
    // The origin of the unit square is at the bottom, samples start at the top (ISO 32000-1, 8.9.3).
    const inPixels = polygons.map((polygon) =>
      widened(hullOf(polygon.map(([x, y]) => [x * width, (1 - y) * height] as const)), MARGIN),
    );
    return blankPolygons(this.context, image, inPixels, repaint);
  }
}

function byColour(regions: readonly Region[], isStencil: boolean): ReadonlyMap<Repaint, readonly Convex[]> {
  const groups = new Map<string, { readonly colour: Repaint; readonly polygons: Convex[] }>();
  for (const { colour, polygon } of regions) {
    const key = isStencil ? '' : colour.join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { colour: isStencil ? 'unpainted' : colour, polygons: [polygon] });
    else group.polygons.push(polygon);
  }
  return new Map([...groups.values()].map(({ colour, polygons }) => [colour, polygons]));
}

function keyOf(regions: readonly Region[]): string {
  return regions
    .map(
      ({ polygon, colour }) =>
        `${polygon.map(([x, y]) => `${x.toFixed(6)},${y.toFixed(6)}`).join(' ')} ${colour.join()}`,
    )
    .join(';');
}

/** Creates a form that paints nothing, to replace an image. */
function nothing(context: PDFContext): PDFRawStream {
  const box = arrayOf(
    context,
    [0, 0, 0, 0].map((edge) => PDFNumber.of(edge)),
  );
  return PDFRawStream.of(
    dictOf(context, { Type: PDFName.of('XObject'), Subtype: PDFName.of('Form'), BBox: box, Length: PDFNumber.of(0) }),
    new Uint8Array(0),
  );
}
