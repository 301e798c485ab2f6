import { type PDFContext, type PDFDict, type PDFObject, PDFRawStream, PDFRef } from 'pdf-lib';
import { DocumentError } from '../errors.js';
import { asDict, asName, elements, entry, resolve } from '../file/objects/index.js';
import { boxOf, decodedContent, pageAttribute, pageBox, type PageEntry } from '../structure/pages/index.js';
import type { ContentVisitor } from './events.js';
import { FontBook } from '../fonts/pdf-fonts/index.js';
import { Frame } from './frame.js';
import { type Box, boxAround, everywhere, identity, intersect, multiply, type Quad, quadOf } from './geometry.js';
import type { Matrix, Operator } from './operands.js';
import { pageContent } from './page-content.js';
import { initialState } from './state.js';
import { Walk } from './walk.js';

/** Forms within each other. */
const MAX_DEPTH = 40;
/** Decoded forms kept because they may be drawn again, in bytes. */
const KEPT_BYTES = 32 * 1024 * 1024;

/** What reading one document's content may cost. */
export interface ContentLimits {
  /** Operators walked in all, those of a form counted each time it is drawn. Default 40 million. */
  readonly operators?: number;
  /** Uses of forms in all. Default 400 000. */
  readonly forms?: number;
}

/**
 * Reads what the pages of one document paint. Fonts and forms are read once. Errors: INPUT_TOO_COMPLEX beyond the
 * limits, and the bounds on inflating. Broken content paints what viewers would make of it: unknown operators, missing
 * operands and resources are passed over.
 */
export class ContentReader {
  readonly fonts: FontBook;
  readonly #decoded = new Map<PDFRawStream, Uint8Array>();
  #keptBytes = 0;
  #operators: number;
  #forms: number;

  constructor(
    readonly context: PDFContext,
    limits: ContentLimits = {},
  ) {
    this.fonts = new FontBook(context);
    this.#operators = limits.operators ?? 40_000_000;
    this.#forms = limits.forms ?? 400_000;
  }

  /** Walks a page with all forms it draws, and gives its frame. The clip begins as the crop box. */
  page(page: PageEntry, visitor: ContentVisitor): Frame {
    const { bytes } = pageContent(this.context, page);
    const frame = new Frame(
      bytes,
      asDict(this.context, pageAttribute(page, 'Resources')),
      undefined,
      undefined,
      identity,
    );
    new Walk(this, visitor, initialState(pageBox(this.context, page))).run(frame);
    return frame;
  }

  /** Walks other content by itself: an annotation's appearance, a tiling pattern. Its /Matrix applies, then `ctm`. */
  stream(stream: PDFRawStream, resources: PDFDict | undefined, visitor: ContentVisitor, ctm: Matrix = identity): Frame {
    const own = asDict(this.context, entry(stream.dict, 'Resources')) ?? resources;
    const state = initialState(everywhere);
    const matrix = multiply(this.matrix(stream.dict), ctm);
    const box = boxOf(this.context, entry(stream.dict, 'BBox'));
    const clip = box === undefined ? state.clip : boxAround(quadOf(matrix, box));
    const frame = new Frame(
      decodedContent(this.context, stream) ?? new Uint8Array(0),
      own,
      undefined,
      undefined,
      matrix,
    );
    new Walk(this, visitor, { ...state, ctm: matrix, clip }).run(frame);
    return frame;
  }

  /** Takes one operator off what may still be read. */
  spend(): void {
    if (--this.#operators < 0)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'content operators', limit: 40_000_000 });
  }

  /** The entry of a resource dictionary by kind and name. */
  resource(frame: Frame, kind: string, name: string | undefined): PDFObject | undefined {
    if (name === undefined || frame.resources === undefined) return undefined;
    const dict = asDict(this.context, entry(frame.resources, kind));
    return dict === undefined ? undefined : entry(dict, name);
  }

  /** A form's /Matrix. */
  matrix(dict: PDFDict): Matrix {
    const numbers = elements(this.context, entry(dict, 'Matrix')).map((value) =>
      Number(resolve(this.context, value)?.toString()),
    );
    return numbers.length === 6 && numbers.every((value) => Number.isFinite(value))
      ? (numbers as unknown as Matrix)
      : identity;
  }

  /**
   * The frame of a form XObject about to be drawn; undefined for one that draws itself, lies too deep or cannot be
   * decoded.
   */
  formFrame(
    parent: Frame,
    operator: Operator,
    name: string,
    value: PDFObject | undefined,
    stream: PDFRawStream,
    ctm: Matrix,
  ): Frame | undefined {
    let depth = 0;
    for (let above: Frame | undefined = parent; above !== undefined; above = above.parent) {
      if (++depth > MAX_DEPTH || above.use?.stream === stream) return undefined;
    }
    if (--this.#forms < 0)
      throw new DocumentError('INPUT_TOO_COMPLEX', { resource: 'uses of form XObjects', limit: 400_000 });
    const bytes = this.#content(stream);
    if (bytes === undefined) return undefined;
    const resources = asDict(this.context, entry(stream.dict, 'Resources')) ?? parent.resources;
    return new Frame(
      bytes,
      resources,
      parent,
      { operator, name, stream, ref: value instanceof PDFRef ? value : undefined },
      multiply(this.matrix(stream.dict), ctm),
    );
  }

  /** Kind of an XObject with its stream. */
  xobject(
    value: PDFObject | undefined,
  ): { readonly stream: PDFRawStream; readonly subtype: string | undefined } | undefined {
    const stream = resolve(this.context, value);
    return stream instanceof PDFRawStream
      ? { stream, subtype: asName(this.context, entry(stream.dict, 'Subtype')) }
      : undefined;
  }

  /** The clip within a form's /BBox. */
  clipOf(frame: Frame, dict: PDFDict, clip: Box): { readonly quad: Quad; readonly clip: Box } {
    const box = boxOf(this.context, entry(dict, 'BBox')) ?? [0, 0, 0, 0];
    const quad = quadOf(frame.ctm ?? identity, box);
    return { quad, clip: intersect(clip, boxAround(quad)) };
  }

  #content(stream: PDFRawStream): Uint8Array | undefined {
    const known = this.#decoded.get(stream);
    if (known !== undefined) return known;
    const bytes = decodedContent(this.context, stream);
    if (bytes === undefined) return undefined;
    if (this.#keptBytes + bytes.length > KEPT_BYTES) {
      this.#decoded.clear();
      this.#keptBytes = 0;
    }
    this.#decoded.set(stream, bytes);
    this.#keptBytes += bytes.length;
    return bytes;
  }
}
