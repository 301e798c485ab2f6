import { PDFArray, type PDFContext, PDFHexString, PDFRawStream } from 'pdf-lib';
import { decodeFront, type DecodedFront } from '../../file/reader/index.js';
import {
  asName,
  asNumber,
  elements,
  entry,
  everyObject,
  isString,
  resolve,
  setEntry,
} from '../../file/objects/index.js';
import { embeddedSize } from '../../images/index.js';
import { decodedBytes } from '../document-data/found-in.js';
import { replaceStreams, rewriteStreams } from '../document-data/rewrite-streams.js';
import type { TextFinder } from '../document-data/text-finder.js';
import { type ByteTerms, repeat, soften } from './byte-terms.js';
import { cleanCodedImage } from './coded-image.js';
import { overwriteGently } from './overwrite.js';

/** In bytes; no more samples of one document are searched, since each has to be decoded for it. */
const MAX_SAMPLES = 512 * 1024 * 1024;
/** No larger image is decoded. */
const MAX_PIXELS = 50_000_000;
/** In bytes. Shorter terms occur in coded data by chance, and there changing them would damage the picture. */
const LEAST_CODED = 6;
const INDEXED: ReadonlySet<string> = new Set(['Indexed', 'I']);

export interface ImageRules {
  readonly find: TextFinder;
  /** The literal terms: patterns would find something in the numbers of any picture. */
  readonly terms: ByteTerms;
  /** Called with what contains found text, or could not be searched, in words. */
  readonly onLeft: (what: string) => void;
  /** Called between images. */
  readonly pause: () => void;
}

/**
 * Removes found text from images, in place: from samples that spell it, from palettes, and from comments and metadata
 * of JPEG and JPEG 2000. Samples and colours change by less than 16 of 255; indexes of a palette get the colour beside
 * them. Returns the number of changed images and palettes.
 */
export function cleanImages(context: PDFContext, rules: ImageRules): number {
  return new Cleaning(context, rules).run();
}

class Cleaning {
  readonly #samples = new Map<PDFRawStream, Uint8Array>();
  readonly #coded = new Map<PDFRawStream, PDFRawStream>();
  #palettes = 0;
  #left = MAX_SAMPLES;
  #unsearched = 0;
  #spelling = 0;

  constructor(
    private readonly context: PDFContext,
    private readonly rules: ImageRules,
  ) {}

  run(): number {
    for (const holder of everyObject(this.context)) {
      if (holder instanceof PDFArray) this.#palette(holder);
      else if (holder instanceof PDFRawStream && asName(this.context, entry(holder.dict, 'Subtype')) === 'Image') {
        this.rules.pause();
        this.#image(holder);
      }
    }
    if (this.#unsearched > 0) this.rules.onLeft(`samples of ${images(this.#unsearched)}, which cannot be searched`);
    if (this.#spelling > 0) this.rules.onLeft(`data of ${images(this.#spelling)} that cannot be changed`);
    const changed = rewriteStreams(this.context, this.#samples) + replaceStreams(this.context, this.#coded);
    return changed + this.#palettes;
  }

  #image(image: PDFRawStream): void {
    const { terms } = this.rules;
    const front = this.#decoded(image);
    if (front === undefined) {
      this.#unsearched++;
      return;
    }
    const { data: samples } = front;
    const [filter] = front.left;
    if (filter !== undefined) return this.#codedImage(image, filter, samples);
    const clean = terms.overwritten(samples, this.#isIndexed(image) ? repeat : soften);
    // What the file stores may spell more than what it decodes to.
    if (clean !== undefined || (samples !== image.contents && terms.isIn(image.contents)))
      this.#samples.set(image, clean ?? samples);
  }

  #codedImage(image: PDFRawStream, filter: string, data: Uint8Array): void {
    const { find, terms } = this.rules;
    const clean = cleanCodedImage(data, filter, find, terms);
    const isStoredAgain = clean !== undefined || (data !== image.contents && terms.isIn(image.contents));
    if (isStoredAgain) this.#coded.set(image, this.#stored(image, clean ?? data));
    if (terms.isIn(clean ?? data, LEAST_CODED)) this.#spelling++;
  }

  /** The image with data that only its last filter still codes. */
  #stored({ dict }: PDFRawStream, data: Uint8Array): PDFRawStream {
    const copy = dict.clone(this.context);
    for (const key of ['Filter', 'DecodeParms']) {
      const value = resolve(this.context, entry(dict, key));
      if (value instanceof PDFArray) setEntry(copy, key, elements(this.context, value).at(-1));
    }
    return PDFRawStream.of(copy, data);
  }

  /** Samples, or the data of an image filter; undefined if they cannot be read within the limits. */
  #decoded(image: PDFRawStream): DecodedFront | undefined {
    const { width, height } = embeddedSize(this.context, image);
    if (this.#left <= 0 || width * height > MAX_PIXELS) return undefined;
    try {
      const front = decodeFront(image, (value) => resolve(this.context, value));
      this.#left -= front?.data.length ?? 0;
      return front;
    } catch {
      // Data beyond the limits of decoding is reported, not refused.
      return undefined;
    }
  }

  /** Samples that are not amounts of colour: indexes, and several in one byte. */
  #isIndexed({ dict }: PDFRawStream): boolean {
    const space = resolve(this.context, entry(dict, 'ColorSpace'));
    const name = space instanceof PDFArray ? asName(this.context, space.get(0)) : undefined;
    return INDEXED.has(name ?? '') || (asNumber(this.context, entry(dict, 'BitsPerComponent')) ?? 1) < 8;
  }

  /** The table of an indexed colour space (ISO 32000-1, 8.6.6.3). */
  #palette(space: PDFArray): void {
    if (space.size() !== 4 || !INDEXED.has(asName(this.context, space.get(0)) ?? '')) return;
    const table = resolve(this.context, space.get(3));
    const bytes =
      table instanceof PDFRawStream
        ? decodedBytes(this.context, table)
        : isString(table)
          ? Buffer.from(table.asBytes())
          : undefined;
    const clean = bytes === undefined ? undefined : cleanPalette(bytes, this.rules);
    if (clean === undefined) return;
    if (table instanceof PDFRawStream) this.#samples.set(table, clean);
    else {
      space.set(3, PDFHexString.of(Buffer.from(clean).toString('hex')));
      this.#palettes++;
    }
  }
}

const images = (count: number): string => `${count} image${count === 1 ? '' : 's'}`;

/** Returns a palette without found text, or undefined if it spells none. */
export function cleanPalette(
  bytes: Uint8Array,
  { find, terms }: Pick<ImageRules, 'find' | 'terms'>,
): Uint8Array | undefined {
  const first = terms.overwritten(bytes, soften);
  return overwriteGently(first ?? bytes, find, soften) ?? first;
}
