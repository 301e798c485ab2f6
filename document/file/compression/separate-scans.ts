import { type PDFContext, PDFName, type PDFObject, PDFRawStream, type PDFRef } from 'pdf-lib';
import { embeddedSize } from '../../images/index.js';
import { entry, resolve } from '../objects/index.js';
import { sampleKind } from './colour.js';
import { findImageUses, type ImageUses } from './image-uses.js';
import { convertImage, type ImageSource } from './read-image.js';
import { FORM_BYTES, scanForm } from './scan-form.js';
import { mayBeScan, separateScan, separatesScans } from './separate-scan.js';
import { hasPlainDecode, type ImagePlan } from './shrink-image.js';

/** Entries that a form cannot have, or that refer to the pixels of the image. */
const EXCLUDING = ['SMask', 'Mask', 'ImageMask', 'SMaskInData', 'Alternates', 'OPI', 'Measure', 'PtData'];

/** Replaces scans of a document by forms of several layers, one after the other: each takes much memory. */
export class ScanSeparator {
  #uses: ImageUses | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly context: PDFContext,
    private readonly plan: ImagePlan,
  ) {}

  /**
   * Returns the form that draws an image in fewer than `most` bytes; undefined for images that are not scans of text,
   * and where a form would not look the same. `source` is undefined for an image with a palette.
   */
  async formOf(
    ref: PDFRef,
    image: PDFRawStream,
    source: ImageSource | undefined,
    most: number,
  ): Promise<PDFRawStream | undefined> {
    if (!this.mayBecomeForm(ref, image)) return undefined;
    const form = this.#last.then(() => this.separate(image, source, most));
    this.#last = form.catch(() => undefined);
    return form;
  }

  private mayBecomeForm(ref: PDFRef, { dict }: PDFRawStream): boolean {
    const { context, plan } = this;
    if (!separatesScans(plan.level) || plan.lineArt !== undefined) return false;
    if (!mayBeScan(embeddedSize(context, PDFRawStream.of(dict, new Uint8Array())))) return false;
    if (EXCLUDING.some((key) => entry(dict, key) !== undefined)) return false;
    this.#uses ??= findImageUses(context);
    const { isOnlyDrawn, transparent, claims } = this.#uses;
    // Printers of PDF/X want one image; a group in PDF/A needs a colour space for blending (ISO 19005-2, 6.2.10).
    if (claims.has('PDF/X') || (transparent && claims.has('PDF/A'))) return false;
    return isOnlyDrawn(ref);
  }

  private async separate(
    image: PDFRawStream,
    source: ImageSource | undefined,
    most: number,
  ): Promise<PDFRawStream | undefined> {
    const { context, plan } = this;
    const plain = await this.plainSource(image, source);
    if (plain === undefined || (plain.kind !== 'gray' && plain.kind !== 'rgb')) return undefined;
    const recolour = plan.grayscale && plain.kind === 'rgb';
    const grey = recolour || plain.kind === 'gray';
    const pixels = plain.pixels.clone().toColourspace(grey ? 'b-w' : 'srgb');
    const scan = await separateScan(recolour ? pixels.greyscale() : pixels, plan.level, most - FORM_BYTES);
    if (scan === undefined) return undefined;
    const device = PDFName.of(grey ? 'DeviceGray' : 'DeviceRGB');
    const space = recolour || plain.converted ? device : this.ownSpace(image, device);
    return scanForm(context, image, scan, { space, group: this.#uses?.transparent === true });
  }

  /** Samples without /Decode, of grey or RGB; converted ones would need another output profile in PDF/A. */
  private async plainSource(image: PDFRawStream, source: ImageSource | undefined): Promise<ImageSource | undefined> {
    const { context } = this;
    if (source !== undefined && (source.converted || hasPlainDecode(context, image))) return source;
    const indexed = sampleKind(context, entry(image.dict, 'ColorSpace')) === 'indexed';
    if (source === undefined && !indexed) return undefined;
    return this.#uses?.claims.has('PDF/A') === true ? undefined : convertImage(context, image);
  }

  /** The image's colour space as an object that several streams may have. */
  private ownSpace({ dict }: PDFRawStream, device: PDFObject): PDFObject {
    const space = dict.get(PDFName.of('ColorSpace'));
    return space === undefined || resolve(this.context, space) === undefined ? device : space;
  }
}
